"""The metric as the Hub would serve it: what travels, and loading it from there."""

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from evaluate.loading import get_imports

from .conftest import require

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bleu_rouge_metric"
SCRIPT = PACKAGE / "bleu_rouge_metric.py"
BUILD = ROOT / "scripts" / "build_space.py"

# What an installed package has and a Space has not; the command is in a folder of its own.
INSTALLED_ONLY = {
    "__init__",
    "__main__",
    "batch_columns",
    "comparison",
    "comparison_reasons",
    "count_tables",
    "count_warnings",
    "engines",
    "functions",
}

# Runs where nothing of the repository is in sight; prints what the test compares.
LOAD_FROM_HUB = """
import json, sys
import evaluate
metric = evaluate.load("user/bleu_rouge_metric")
scores = metric.compute(
    predictions=["Paris is not the capital of France"],
    references=[["Paris is the biggest French city"]],
)
package = type(metric).__module__.rpartition(".")[0] + "."
files = {
    name.removeprefix(package): module.__file__
    for name, module in sys.modules.items()
    if name.startswith(package)
}
print(json.dumps({"scores": scores, "files": files}))
"""


def run_build(folder: Path, script: Path = BUILD) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), str(folder)],
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "space"
    result = run_build(folder)
    assert result.returncode == 0, result.stderr
    return folder


def relative_imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert all(node.level == 1 for node in imports), path
    modules = {node.module for node in imports if node.module}
    return modules | {name.name for node in imports if not node.module for name in node.names}


def closure_of_script() -> set[str]:
    """Every sibling that the script needs, itself or through another."""
    found: set[str] = set()
    waiting = relative_imports(SCRIPT)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= relative_imports(PACKAGE / f"{name}.py") - found
    return found


def packing_list() -> set[str]:
    return {name for kind, name, *_ in get_imports(str(SCRIPT)) if kind == "internal"}


def test_the_script_names_every_sibling_it_needs_and_no_other() -> None:
    assert packing_list() == closure_of_script()


def test_every_file_travels_but_those_of_the_installed_package() -> None:
    files = {path.stem for path in PACKAGE.glob("*.py")}
    assert packing_list() == files - INSTALLED_ONLY - {SCRIPT.stem}


def test_siblings_stand_alone_on_their_lines() -> None:
    # evaluate takes a trailing comment for the address of a file to download.
    lines = [line for line in SCRIPT.read_text().splitlines() if re.match(r"\s*from\s+\.", line)]
    assert len(lines) >= len(packing_list())
    assert [line for line in lines if not re.fullmatch(r"from \.\w+ import \w+", line)] == []


def test_the_space_holds_exactly_what_it_needs(space: Path) -> None:
    names = {str(path.relative_to(space)) for path in space.rglob("*") if path.is_file()}
    siblings = {f"{name}.py" for name in packing_list()}
    page = {"app.py", "requirements.txt", "README.md", "docs/parity.md", "docs/speed.svg"}
    page |= {f"space/{name}.py" for name in ("__init__", "files", "scores")}
    assert names == {SCRIPT.name} | siblings | page


def test_the_files_that_the_readme_links_are_there(space: Path) -> None:
    readme = (space / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", readme)
    assert {"docs/parity.md", "docs/speed.svg"} <= set(links)
    assert [link for link in links if not (space / link).is_file()] == []


def test_the_card_makes_a_gradio_space(space: Path) -> None:
    yaml = require("yaml")  # comes with datasets
    _, head, _ = (space / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    card = yaml.safe_load(head)
    assert card["sdk"] == "gradio"
    assert str(card["sdk_version"]).startswith("6.")
    assert card["app_file"] == "app.py"
    assert card["python_version"] == "3.11"
    assert card["pinned"] is False
    assert {"evaluate", "metric"} <= set(card["tags"])
    assert {"title", "colorFrom", "colorTo", "description"} <= set(card)


def test_requirements_have_the_floors_of_the_package() -> None:
    requirements = (ROOT / "requirements.txt").read_text().split()
    project = (ROOT / "pyproject.toml").read_text()
    # pandas comes with gradio, which the Space brings along; the others are the package's own.
    own = [line for line in requirements if not line.startswith("pandas")]
    assert [line for line in own if f'"{line}"' not in project] == []
    assert {re.split("[>=]", line)[0] for line in own} == {
        "datasets",
        "evaluate",
        "nltk",
        "numpy",
        "pyarrow",
        "regex",
    }


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "space"
    folder.mkdir()
    (folder / "mine.txt").touch()
    result = run_build(folder)
    assert result.returncode == 1
    assert result.stderr == f"build_space.py: {folder} is not empty; give a new folder.\n"
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("readme", "message"),
    [
        (
            "# Title\n",
            "README.md has no card: expected YAML between two lines of '---' at its start.",
        ),
        (
            "",
            "README.md has no card: expected YAML between two lines of '---' at its start.",
        ),
        (
            "---\nsdk: docker\n---\n",
            "README.md has a card without 'sdk: gradio'.",
        ),
    ],
)
def test_a_readme_without_a_card_is_refused(tmp_path: Path, readme: str, message: str) -> None:
    for folder in ("scripts", "bleu_rouge_metric"):
        (tmp_path / folder).mkdir()
    (tmp_path / "README.md").write_text(readme)
    script = tmp_path / "scripts" / BUILD.name
    script.write_text(BUILD.read_text())
    (tmp_path / "bleu_rouge_metric" / SCRIPT.name).touch()
    result = run_build(tmp_path / "space", script)
    assert (result.returncode, result.stderr) == (1, f"build_space.py: {message}\n")
    assert not (tmp_path / "space").exists()


@contextmanager
def serve_hub(space: Path) -> Iterator[tuple[str, list[str]]]:
    """A server with the Hub's addresses for one Space; yields its own, and what it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        def answer(self) -> None:
            asked.append(f"{self.command} {self.path}")
            prefix = "/spaces/user/bleu_rouge_metric/resolve/main/"
            file = space / self.path.removeprefix(prefix)
            # As on the Hub, a Space has no tag for the version of evaluate.
            found = self.path.startswith(prefix) and file.parent == space and file.is_file()
            body = file.read_bytes() if found else b"Entry not found"
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(body)))
            if found:
                self.send_header("ETag", f'"{hash(body):x}"')
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing: the test reads ``asked``."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def test_evaluate_loads_the_space_from_the_hub(space: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HF_", "PYTHON")) and not name.lower().endswith("_proxy")
    }
    with serve_hub(space) as (address, asked):
        result = subprocess.run(
            [sys.executable, "-c", LOAD_FROM_HUB],
            cwd=elsewhere,
            # The count of downloads is kept on another host.
            env=clean
            | {
                "HF_ENDPOINT": address,
                "HF_HOME": str(cache),
                "HF_UPDATE_DOWNLOAD_COUNTS": "0",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 0, result.stderr
    printed = json.loads(result.stdout)
    scores = printed["scores"]
    assert scores["precisions"] == [3 / 7, 1 / 6, 0, 0]
    # 6/13 and 2/11 by hand; the harmonic mean of the fractions rounds as rouge_score's does.
    rouge1 = 2 * (3 / 7) * (3 / 6) / (3 / 7 + 3 / 6)
    rouge2 = 2 * (1 / 6) * (1 / 5) / (1 / 6 + 1 / 5)
    assert (scores["rouge1"], scores["rouge2"], scores["rougeL"]) == (rouge1, rouge2, rouge1)

    # The siblings came from the Hub: they lie in the cache. Of the installed package only the
    # compiled kernel is asked for, which does not travel.
    assert set(printed["files"]) == packing_list() | {SCRIPT.stem}
    assert all(Path(file).is_relative_to(cache) for file in printed["files"].values())
    paths = {line.split()[1].rpartition("/")[2] for line in asked if "/resolve/main/" in line}
    assert paths == {f"{name}.py" for name in printed["files"]}
    first = next(line for line in asked if "/spaces/" in line)
    assert first.startswith("HEAD /spaces/user/bleu_rouge_metric/resolve/v")
