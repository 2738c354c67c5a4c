"""mypy --strict and pyright accept right calls and refuse wrong ones in snippets."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import require

# Lines of Python; of a wrong one, a part of what is wrong with it follows as a comment.
LINES = Path(__file__).with_name("calls.txt").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def snippet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("types") / "snippet.py"
    path.write_text("".join(f"{line.partition('  # ')[0]}\n" for line in LINES))
    return path


def compare(errors: dict[int, list[str]]) -> None:
    """Check that only the lines of wrong calls have errors, which name the fault."""
    for number, line in enumerate(LINES, 1):
        call, _, fault = line.partition("  # ")
        messages = errors.pop(number, [])
        assert bool(messages) == bool(fault), (call, messages)
        # mypy names the types of all arguments if a function has overloads.
        named = any(fault in message or "overload" in message for message in messages)
        assert named or not fault, (call, messages)
    assert errors == {}


def test_mypy_finds_wrong_options(snippet: Path) -> None:
    require("mypy")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context",
         "--cache-dir", str(snippet.parent / "cache"), str(snippet)],
        capture_output=True, text=True, check=False, cwd=snippet.parent,
    )  # fmt: skip
    errors: dict[int, list[str]] = {}
    for text in result.stdout.splitlines():
        place, _, message = text.partition(": error: ")
        if message:
            errors.setdefault(int(place.rpartition(":")[2]), []).append(message)
        else:
            assert ": note: " in text, text
    compare(errors)


def test_pyright_finds_wrong_options(snippet: Path) -> None:
    require("pyright")
    result = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson",
         "--pythonpath", sys.executable, str(snippet)],
        capture_output=True, text=True, check=False, cwd=snippet.parent,
    )  # fmt: skip
    errors: dict[int, list[str]] = {}
    for found in json.loads(result.stdout)["generalDiagnostics"]:
        if found["severity"] == "error":
            line = found["range"]["start"]["line"]
            errors.setdefault(line + 1, []).append(found["message"])
    compare(errors)
