"""Check the contract of ``pyproject.toml``: which room of the package may import which."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bleu_rouge_metric

from .conftest import ROOT, require

PACKAGE = ROOT / "bleu_rouge_metric"


def check_floors(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in a folder, with the project's contracts."""
    require("importlinter")
    # Remove the finders of editable installations (they are no classes): they override the path.
    code = """
import sys
from importlinter.cli import lint_imports_command
sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
sys.path.insert(0, ".")
lint_imports_command()
"""
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_room_imports_only_from_rooms_below_it(copy: Path) -> None:
    result = check_floors(copy)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("file", "line", "imported"),
    [
        ("counting/ngrams.py", "from ..scoring.scorer import Scorer", "scoring.scorer"),
        ("families/bleu/score.py", "from ..rouge.formulas import f", "families.rouge.formulas"),
        ("scoring/scorer.py", "import evaluate", "evaluate"),
        ("text/rules.py", "def stem():\n    import nltk", "nltk"),
        ("scoring/results.py", "import bleu_rouge_kernel", "bleu_rouge_kernel"),
    ],
)
def test_a_planted_import_is_found(copy: Path, file: str, line: str, imported: str) -> None:
    path = copy / PACKAGE.name / file
    path.write_text(f"{path.read_text('utf-8')}\n{line}\n", "utf-8")
    result = check_floors(copy)
    assert result.returncode == 1
    module = file.removesuffix(".py").replace("/", ".")
    target = f"{PACKAGE.name}." * ("." in imported) + imported
    assert f"{PACKAGE.name}.{module} -> {target}" in " ".join(result.stdout.split())


def test_imports_inside_the_package_are_relative() -> None:
    # The script that evaluate.load runs is outside of the package.
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path == PACKAGE / "bleu_rouge_metric.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            found += [
                f"{path}: {name}" for name in names if (name or "").startswith("bleu_rouge_metric")
            ]
    assert found == []


# The rooms of native/, and the rooms that each may include.
NATIVE = {
    "base": {"base"},
    "counts": {"base", "counts"},
    "text": {"base", "counts", "text"},
    # The tables of the build.
    "kernel": {"base", "counts", "text", "kernel", "unicode_tables.hpp"},
    "fuzz": {"base", "counts", "text", "kernel", "fuzz"},
}


def test_the_public_names_are_those_that_type_checkers_see() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == bleu_rouge_metric._MODULES
    assert sorted([*seen, "__version__"]) == sorted(bleu_rouge_metric.__all__)
    for name in bleu_rouge_metric.__all__:
        assert getattr(bleu_rouge_metric, name) is not None
    with pytest.raises(AttributeError, match=r"^module 'bleu_rouge_metric' has no attribute 'x'$"):
        _ = bleu_rouge_metric.x


@pytest.mark.parametrize("room", NATIVE)
def test_a_room_of_native_includes_only_rooms_below_it(room: str) -> None:
    files = [path for path in (ROOT / "native" / room).iterdir() if path.suffix in (".hpp", ".cpp")]
    assert files
    included = {
        name for path in files for name in re.findall(r'#include "(.+)"', path.read_text("utf-8"))
    }
    assert {name.partition("/")[0] for name in included} <= NATIVE[room]
    # The room text uses only the ids of counts.
    if room == "text":
        assert {name for name in included if name.startswith("counts/")} == {"counts/ids.hpp"}


def test_the_sessions_name_files_that_are_there() -> None:
    named = re.findall(
        r"(?:tests|native|scripts)/[\w/]+\.\w+", (ROOT / "noxfile.py").read_text("utf-8")
    )
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
