"""Runs the blocks of a page in a folder with the examples."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from ..conftest import METRIC, ROOT, require
from .blocks import Block

_OPTIONS: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_CHECKER: Final = doctest.OutputChecker()


def prepare(folder: Path) -> None:
    """Fills a folder with what the pages say that there is: the package and the examples."""
    (folder / "bleu_rouge_metric").symlink_to(METRIC)
    (folder / "examples").mkdir()
    for path in (ROOT / "examples").iterdir():
        if path.is_file():
            (folder / "examples" / path.name).write_bytes(path.read_bytes())
            if path.suffix in (".txt", ".jsonl", ".py"):
                (folder / path.name).write_bytes(path.read_bytes())


def environment() -> dict[str, str]:
    """Of commands: those of this Python first, on a screen of 80 columns."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    return {
        **known,
        "PATH": path,
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONPATH": str(ROOT),
        "HF_HUB_OFFLINE": "1",
        # Examples are small: their intervals are too narrow.
        "PYTHONWARNINGS": "ignore:confidence is",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def run(command: str, folder: Path) -> tuple[str, int]:
    """What a command writes, errors too, and its exit status."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return "\n".join(
        line.rstrip() for line in done.stdout.strip("\n").splitlines()
    ), done.returncode


def run_examples(block: Block, names: dict[str, Any]) -> None:
    """Runs a block of ``>>>`` with the names of those before it, or skips the test."""
    for library in re.findall(r"^>>> (?:from|import) (\w+)", block.text, re.MULTILINE):
        require(library)
    test = doctest.DocTestParser().get_doctest(
        block.text, names, block.place, block.page, block.line - 1
    )
    test.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(checker=_CHECKER, optionflags=_OPTIONS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def run_program(block: Block, folder: Path) -> None:
    """Runs a program; fails if it fails, or does not print what stands behind it."""
    program = folder / "program_of_the_page.py"
    program.write_text(block.text, "utf-8")
    printed, status = run(f"{sys.executable} {program.name}", folder)
    assert status == 0, f"{block.place}: {printed}"
    if block.output is not None:
        check(block.output, printed, block.place)


def run_console(block: Block, folder: Path) -> None:
    """Runs each line behind a ``$``; fails if what it prints is not what stands below it."""
    for command, expected in split_console(block.text):
        printed, status = run(command, folder)
        assert status == 0 or expected, f"{block.place}: {command}: {printed}"
        check(expected, printed, f"{block.place}: {command}")


def split_console(text: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what it is said to print."""
    joined = re.sub(r"\\\n\s*", "", text)
    parts = re.split(r"^\$ ", joined, flags=re.MULTILINE)
    assert not parts[0].strip(), f"a console block begins with a command, not with {parts[0]!r}"
    pairs = (part.partition("\n")[::2] for part in parts[1:])
    return [(command, expected) for command, expected in pairs]


def run_lines(block: Block, folder: Path) -> None:
    """Runs the commands of a ``bash`` block, but those that install or test this package."""
    for line in re.sub(r"\\\n\s*", "", block.text).splitlines():
        kept = []
        for part in line.partition("  #")[0].strip().split(" && "):
            if part.startswith(("pip install", "git ")):
                check_install(part)
            elif part.startswith("nox "):
                name = re.search(r"-s (\w+)", part)
                assert name, part
                assert f"\ndef {name[1]}(" in (ROOT / "noxfile.py").read_text("utf-8"), part
            elif part and not part.startswith("pytest"):
                kept.append(part)
        if kept:
            printed, status = run(" && ".join(kept), folder)
            assert status == 0, f"{block.place}: {line}: {printed}"


def check_install(command: str) -> None:
    """Fails if a line of ``pip install`` names an extra that there is not."""
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for extras in re.findall(r"\.\[([\w,]+)\]", command):
        for extra in extras.split(","):
            assert f"\n{extra} = [" in project, f"{command}: there is no extra {extra}"


def check(expected: str, printed: str, place: str) -> None:
    """Fails if a text is not the expected one, in which ``...`` stands for anything."""
    lines = "".join(f"{line.rstrip()}\n" for line in expected.strip("\n").splitlines())
    is_same = _CHECKER.check_output(lines, f"{printed}\n" if printed else "", doctest.ELLIPSIS)
    assert is_same, f"{place} prints:\n{printed}\nand not:\n{lines}"
