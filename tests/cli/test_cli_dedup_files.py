"""Old files and the terminal while ``bleu-rouge dedup`` works."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bleu_rouge_metric.cli import main, output

from ..support.commands import invoke
from ..support.dedup import FLAGS, LINES, write_inputs
from ..support.terminals import Terminal, terminal

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_inputs()


def run_with(statement: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run a statement of Python and then the command in a new process."""
    code = f"import os, resource, signal, sys\n{statement}\n"
    code += "from bleu_rouge_metric.cli import main\nmain()\n"
    process = [sys.executable, "-c", code, "dedup", *arguments]
    return subprocess.run(process, capture_output=True, check=False)


OLD = "what took a week to compute\n"
OUTPUTS = ("--output", "kept.jsonl", "--rejected", "rejected.jsonl")


def assert_untouched() -> None:
    """Check that both old files are unchanged and that no other file remains."""
    names = ["a.jsonl", "a.txt", "kept.jsonl", "rejected.jsonl"]
    assert sorted(path.name for path in Path().iterdir()) == names
    assert [Path(name).read_text() for name in names[2:]] == [OLD, OLD]


@pytest.fixture
def _old_files() -> None:
    Path("kept.jsonl").write_text(OLD)
    Path("rejected.jsonl").write_text(OLD)


@pytest.mark.usefixtures("_old_files")
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("name", "status", "line"),
    [("SIGINT", 130, b"bleu-rouge: interrupted.\n"), ("SIGTERM", 143, b"")],
)
def test_old_files_stay_if_a_signal_comes_while_new_ones_are_written(
    name: str, status: int, line: bytes, count: int
) -> None:
    # The last file to be opened is the first one to be complete.
    statement = f"""
signal.signal(signal.SIGINT, signal.default_int_handler)
from bleu_rouge_metric.cli import output
write = output.write_whole
calls = []
def count(path):
    calls.append(path)
    if len(calls) == {count}:
        os.kill(os.getpid(), signal.{name})
    return write(path)
output.write_whole = count
"""
    done = run_with(statement, "a.jsonl", *FLAGS, *OUTPUTS)
    if (name, count) == ("SIGTERM", 1):
        status = -15  # nothing is open yet
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", line)
    assert_untouched()


@pytest.mark.usefixtures("_old_files")
def test_old_files_stay_after_an_interrupt_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bleu_rouge_metric.cli.pairs.find_duplicates", interrupt)
    result = invoke("dedup", "a.jsonl", *OUTPUTS)
    assert (result.exit_code, result.output) == (130, "bleu-rouge: interrupted.\n")
    assert_untouched()


@pytest.mark.usefixtures("_old_files")
def test_both_old_files_stay_if_the_disk_is_full() -> None:
    # Only the rejected records are too many.
    Path("a.jsonl").write_text("".join(LINES[:1]) * 9, "utf-8")
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))"
    done = run_with(limit, "a.jsonl", *OUTPUTS)
    message = b"bleu-rouge: rejected.jsonl: cannot be written: File too large.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", message)
    assert_untouched()


def test_the_reader_of_the_output_may_close_it() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code = [sys.executable, "-m", "bleu_rouge_metric", "dedup", "a.txt", "--rejected", "r.jsonl"]
    done = subprocess.run(code, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr, Path("r.jsonl").exists()) == (141, b"", False)


def test_texts_do_not_steer_the_terminal_and_a_bar_shows_the_time_left(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("b.txt").write_text("evil \x1b[2J text\nanother\n" * 400, "utf-8")
    monkeypatch.setattr(sys, "argv", ["bleu-rouge", "dedup", "b.txt"])
    monkeypatch.setattr(sys, "stdout", terminal.stream)
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    monkeypatch.setattr(output, "_PATIENCE", -1.0)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    shown = terminal.read()
    assert re.search(r"Comparing .*\d+/800 +texts, +[\d:-]+ left", shown)
    assert "evil \ufffd[2J text\r\nanother\r\nbleu-rouge: kept 2 of 800 texts;" in shown
