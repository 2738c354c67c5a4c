"""The folder of the Space: its content, and the errors of building it."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from evaluate.loading import get_imports

from ..conftest import require

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "bleu_rouge_metric"
SCRIPT = PACKAGE / "bleu_rouge_metric.py"
BUILD = ROOT / "scripts" / "build_space.py"


def run_build(
    folder: Path, *arguments: str, script: Path = BUILD
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), str(folder), *arguments]
    return subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "space"
    result = run_build(folder)
    assert result.returncode == 0, result.stderr
    return folder


def read_texts(script: Path) -> dict[str, str]:
    """Read the sources in the generated file, by the name of the module below the package."""
    texts = {}
    for node in ast.parse(script.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            name, (line, text) = map(ast.literal_eval, (node.targets[0].slice, node.value))
            assert line == node.lineno
            lines = text.splitlines(keepends=True)[1:]
            assert [line for line in lines if line[0] not in " \n"] == []
            texts[name] = "".join(line.removeprefix(" ") for line in lines)
    return texts


# The command, the files that only the command and the page need, and the script.
NOT_IN_TEXTS = ("cli", "files", "__main__.py", "bleu_rouge_metric.py")


def test_the_texts_of_the_generated_file_are_the_sources_of_the_tree(space: Path) -> None:
    sources = {}
    for path in PACKAGE.rglob("*.py"):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] not in NOT_IN_TEXTS:
            parts = [part for part in inside.with_suffix("").parts if part != "__init__"]
            sources["".join(f".{part}" for part in parts)] = path.read_text("utf-8")
    assert read_texts(space / SCRIPT.name) == sources
    assert len(sources) > 60


def test_the_generated_file_imports_only_what_every_user_has(space: Path) -> None:
    imports = {name for _, name, *_ in get_imports(str(space / SCRIPT.name))}
    assert imports <= {"evaluate", *sys.stdlib_module_names}


def test_the_space_holds_the_tree_that_it_runs_and_installs(space: Path) -> None:
    names = {path.relative_to(space).as_posix() for path in space.rglob("*") if path.is_file()}
    assert SCRIPT.name in names
    for tree in ("bleu_rouge_metric", "space", "native", "examples"):
        files = {path for path in (ROOT / tree).rglob("*") if path.is_file()}
        kept = {path for path in files if path.suffix not in (".pyc", ".so")}
        assert {path.relative_to(ROOT).as_posix() for path in kept} <= names
    assert {"app.py", "pyproject.toml", "CMakeLists.txt", "README.md", "requirements.txt"} <= names
    assert [name for name in names if name.endswith((".so", ".pyc"))] == []


def test_a_wheel_gives_the_space_its_kernel(tmp_path: Path) -> None:
    kernel = Path(str(require("bleu_rouge_kernel").__file__))
    wheel, empty = tmp_path / "with.whl", tmp_path / "empty.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(kernel, kernel.name)
        archive.writestr("bleu_rouge_metric/version.py", "")
    zipfile.ZipFile(empty, "w").close()
    folder = tmp_path / "space"
    done = run_build(folder, "--wheel", str(wheel))
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / kernel.name).read_bytes() == kernel.read_bytes()
    failed = run_build(tmp_path / "other", "--wheel", str(empty))
    message = "empty.whl has no compiled kernel; give a wheel for Linux."
    assert (failed.returncode, failed.stderr) == (1, f"build_space.py: {message}\n")


def test_the_files_that_the_readme_links_are_there(space: Path) -> None:
    readme = (space / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", readme)
    assert {"docs/parity.md", "docs/speed.svg"} <= set(links)
    assert [link for link in links if not (space / link.partition("#")[0]).is_file()] == []


def test_the_card_makes_a_gradio_space(space: Path) -> None:
    yaml = require("yaml")  # comes with datasets
    _, head, _ = (space / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    card = yaml.safe_load(head)
    assert str(card["sdk_version"]).startswith("6.")
    expected = {"sdk": "gradio", "app_file": "app.py", "python_version": "3.11", "pinned": False}
    assert card.items() >= expected.items()
    assert {"evaluate", "metric"} <= set(card["tags"])
    assert {"title", "colorFrom", "colorTo", "description"} <= set(card)


def test_requirements_have_the_floors_of_the_package() -> None:
    requirements = (ROOT / "requirements.txt").read_text().split()
    project = (ROOT / "pyproject.toml").read_text()
    # pandas comes with gradio, which the Space installs; the others are the package's dependencies.
    own = [line for line in requirements if not line.startswith("pandas")]
    assert [line for line in own if f'"{line}"' not in project] == []
    names = "datasets evaluate nltk numpy pyarrow pysbd regex"
    assert " ".join(sorted(re.split("[>=]", line)[0] for line in own)) == names


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "space"
    folder.mkdir()
    (folder / "mine.txt").touch()
    result = run_build(folder)
    assert result.returncode == 1
    assert result.stderr == f"build_space.py: {folder} is not empty; give a new folder.\n"
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


NO_CARD = "no card: expected YAML between two lines of '---' at its start."


@pytest.mark.parametrize(
    ("readme", "fault"),
    [
        *((text, NO_CARD) for text in ("# Title\n", "")),
        ("---\nsdk: docker\n---\n", "a card without 'sdk: gradio'."),
    ],
)
def test_a_readme_without_a_card_is_refused(tmp_path: Path, readme: str, fault: str) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "README.md").write_text(readme)
    script = tmp_path / "scripts" / BUILD.name
    script.write_text(BUILD.read_text())
    result = run_build(tmp_path / "space", script=script)
    assert (result.returncode, result.stderr) == (1, f"build_space.py: README.md has {fault}\n")
    assert not (tmp_path / "space").exists()
