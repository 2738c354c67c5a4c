"""What the files around the package say of each other, the texts of benchmarks, and the tests."""

import importlib
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from bleu_rouge_metric import __version__
from bleu_rouge_metric.extras import EXTRAS
from bleu_rouge_metric.text.languages import LANGUAGES
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from .conftest import ROOT, pytest_collection_modifyitems, require
from .parity import parity

PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WORKFLOW_TEXT = "".join(path.read_text("utf-8") for path in WORKFLOWS)
TAG = f"v{__version__}"


def read_list(name: str) -> list[str]:
    """The texts of a list of pyproject.toml; Python 3.10 reads no TOML."""
    listed = PROJECT.split(f"\n{name} = [", 1)[1]
    end = "]\n" if listed.partition("\n")[0].endswith("]") else "\n]\n"
    return re.findall(r'"([^"]+)"', listed.partition(end)[0])


def test_a_plain_install_brings_numpy_alone() -> None:
    assert read_list("dependencies") == ["numpy>=1.24"]
    assert read_list("all") == ["bleu-rouge-metric[cli,evaluate,languages]"]


@pytest.mark.parametrize("extra", ["cli", "evaluate", "languages"])
def test_errors_name_the_extra_that_brings_the_package(extra: str) -> None:
    assert {name.partition(">=")[0] for name in read_list(extra)} >= set(EXTRAS[extra])


def test_an_extra_brings_what_a_language_chooses() -> None:
    brought = {re.split(r"[\[>]", name)[0] for name in read_list("languages")}
    chosen = {name for row in LANGUAGES for name in (row.bleu, row.rouge)}
    needed = {TOKENIZERS[name].needs.strip('"') for name in chosen}
    assert {re.sub(r"\[.*", "", name) for line in needed for name in line.split()} <= brought
    assert "TurkishStemmer" in brought
    assert "sacrebleu[ja,ko]>=2.6" in read_list("languages")


def test_every_extra_that_an_error_names_is_there() -> None:
    assert [name for name in EXTRAS if f"\n{name} = [" not in PROJECT] == []


def test_hooks_have_the_versions_of_the_dependency_groups() -> None:
    yaml = require("yaml")
    versions = dict(line.split("==") for name in ("lint", "workflows") for line in read_list(name))
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    revisions = {
        hook["id"]: repository["rev"].removeprefix("v")
        for repository in config["repos"]
        if "rev" in repository
        for hook in repository["hooks"]
    }
    assert revisions["codespell"] == versions["codespell"]
    assert revisions["ruff-check"] == revisions["ruff-format"] == versions["ruff"]
    assert revisions["zizmor"] == versions["zizmor"]


def test_actions_are_pinned_by_their_hash_and_each_has_one() -> None:
    used = re.findall(r"uses: (\S+?)@(\S+) (.*)", WORKFLOW_TEXT)
    assert len(used) == len(re.findall(r"uses: (?!\$/)", WORKFLOW_TEXT)) > 10
    assert [action for action, commit, _ in used if not re.fullmatch("[0-9a-f]{40}", commit)] == []
    assert [action for action, _, name in used if not re.fullmatch(r"# v\d+\.\d+\.\d+", name)] == []
    assert len({action for action, _, _ in used}) == len(set(used))


def test_the_workflows_run_sessions_that_are_there() -> None:
    noxfile = (ROOT / "noxfile.py").read_text("utf-8")
    sessions = set(re.findall(r"^@nox.+\ndef (\w+)", noxfile, re.MULTILINE))
    named = re.findall(r"nox -s (\w+)|\{ session: (\w+)", WORKFLOW_TEXT)
    assert {left or right for left, right in named} == sessions
    (version,) = set(re.findall(r"pip install nox==(\S+)", WORKFLOW_TEXT))
    assert f"nox=={version}" in read_list("dev")


def check_release(root: Path, tag: str) -> subprocess.CompletedProcess[str]:
    script = root / "scripts" / "check_release.py"
    return subprocess.run(
        [sys.executable, str(script), tag], capture_output=True, text=True, check=False
    )


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A copy of the files that name the version, made ready for its release."""
    for name in (
        *("CHANGELOG.md", "CITATION.cff", "pyproject.toml", "scripts/check_release.py"),
        *("bleu_rouge_metric/version.py", "bleu_rouge_metric/bleu_rouge_metric.py"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    replace(tmp_path / "pyproject.toml", r"\bOWNER\b", "someone")
    replace(tmp_path / "CHANGELOG.md", r"^## .*", f"## {__version__} (2026-12-01)")
    replace(tmp_path / "CITATION.cff", r"^date-released: .*\n", "")
    replace(tmp_path / "CITATION.cff", r"^license:", "date-released: 2026-12-01\nlicense:")
    return tmp_path


def replace(path: Path, pattern: str, text: str) -> None:
    path.write_text(re.sub(pattern, text, path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")


def test_the_notes_of_a_release_are_its_part_of_the_changelog(released: Path) -> None:
    replace(released / "CHANGELOG.md", r"\A# Changelog\n", "# Changelog\n\n## 9.9.9\n\n- Later.\n")
    done = check_release(released, TAG)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("- ")
    assert "Later." not in done.stdout


@pytest.mark.parametrize(
    ("name", "pattern", "text", "said"),
    [
        ("pyproject.toml", "someone/", "OWNER/", "pyproject.toml has addresses with OWNER; put "),
        ("CITATION.cff", "^version: .*", "version: 0.0.1", "CITATION.cff names 0.0.1; expected "),
        ("CITATION.cff", "2026-12-01", "2026-12-02", "CITATION.cff has no line 'date-released: "),
        ("CHANGELOG.md", "2026-12-01", "unreleased", "CHANGELOG.md has no heading '## "),
        (
            "bleu_rouge_metric/bleu_rouge_metric.py",
            "^_VERSION: .*",
            '_VERSION: Final = "8.0.0"',
            "bleu_rouge_metric/bleu_rouge_metric.py names 8.0.0; expected ",
        ),
    ],
)
def test_what_is_not_ready_is_not_released(
    released: Path, name: str, pattern: str, text: str, said: str
) -> None:
    replace(released / name, pattern, text)
    done = check_release(released, TAG)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_a_tag_is_a_version() -> None:
    done = check_release(ROOT, "0.1.0; echo")
    assert done.stderr == "usage: python scripts/check_release.py vMAJOR.MINOR.PATCH\n"


def test_an_id_with_an_address_is_an_error() -> None:
    path = ROOT / "tests" / "test_any.py"
    items: list[Any] = [SimpleNamespace(path=path, nodeid=f"{path.name}::test_any[{object()}]")]
    with pytest.raises(pytest.UsageError, match=r"^The id of a test contains an address: test_any"):
        pytest_collection_modifyitems(items)


def test_the_page_of_parity_adds_what_processes_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parity, "_equal", Counter())
    monkeypatch.setattr(parity, "_generated", set())
    scores = {"bleu": 0.5, "precisions": [1.0, 0.0]}
    parity.compare("hf", "some texts", scores, dict(scores))
    parity.compare_generated("hf", "any texts", [1.0], [1.0])
    parity.add_compared(*parity.compared())
    page = parity.render()
    assert "| some texts | 6 |" in page
    assert page.count("| any texts | all |") == 1


@pytest.fixture
def workloads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The module of the texts, without the corpora."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    module = importlib.import_module("workloads")
    monkeypatch.setattr(module, "DATA", tmp_path / "shared" / "data")
    return module


def test_every_workload_is_generated_without_the_corpora(workloads: ModuleType) -> None:
    for name, corpus in workloads.WORKLOADS.items():
        workload = workloads.read_workload(name, 200)
        assert len(workload.predictions) == len(workload.references) == 200
        assert workload.distinct == len(set(workload.predictions)) == 150
        for text in (workload.predictions[0], workload.references[0]):
            assert len(text.split()) == corpus.words * corpus.lines * corpus.joined
            assert len(text.splitlines()) == corpus.lines * corpus.joined
        shared = set(workload.predictions[0].split()) & set(workload.references[0].split())
        assert shared
        assert workload == workloads.read_workload(name, 200)


def test_a_run_says_that_its_texts_are_generated(workloads: ModuleType) -> None:
    assert workloads.describe_run().endswith("; texts: generated, as ../shared/data has no corpora")
    workloads.DATA.mkdir(parents=True)
    assert workloads.describe_run().endswith("; texts: corpora")


def test_systems_are_those_of_the_examples_without_the_corpora(
    workloads: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sacrebleu")
    significance = importlib.import_module("significance")
    monkeypatch.setattr(significance, "CORPUS", workloads.DATA / "systems.jsonl.gz")
    systems, references = significance.read_systems(100)
    assert list(systems) == ["first", "words12", "words15"]
    assert {len(texts) for texts in (*systems.values(), references)} == {100}
