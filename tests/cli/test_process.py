"""The command in its own process: streams, signals, pipes, terminals and colours."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bleu_rouge_metric import __version__
from bleu_rouge_metric.cli import output
from bleu_rouge_metric.counting.kernels import current_kernel

from ..support.commands import command, run_in_process
from ..support.processes import Terminal, terminal

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("predictions.txt", "references.txt")
ENTRY_POINT = [str(Path(sys.executable).with_name("bleu-rouge"))]
FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("program", "variable", "value", "expected"),
    [
        ([*command(), "score"], "BLEU_ROUGE_KERNEL", "foo", "expected 'python' or 'native'"),
        ([*ENTRY_POINT, "--version"], "BLEU_ROUGE_THREADS", "0", "expected an int from 1 to 1024"),
    ],
)
def test_a_bad_variable_of_the_environment_is_one_line_that_names_it(
    program: list[str], variable: str, value: str, expected: str
) -> None:
    done = subprocess.run(
        [*program, "nothing.txt", "samples.jsonl"],
        env={**os.environ, variable: value},
        capture_output=True,
        check=False,
    )
    line = f"bleu-rouge: {variable} is {value!r}; {expected}.\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", line)


def test_the_version_names_the_kernel(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_in_process(monkeypatch, "--version")
    assert capsys.readouterr().out == f"bleu-rouge {__version__} ({current_kernel()} kernel)\n"


@pytest.mark.parametrize("arguments", [["score", *FILES], ["dedup", "predictions.txt"], ["--help"]])
def test_a_closed_pipe_is_no_error_on_screen(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    # Closing it fails if its buffer still holds what cannot be written.
    with os.fdopen(write_end, "w") as pipe:
        run_in_process(monkeypatch, *arguments, status=141, stdout=pipe)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
@pytest.mark.parametrize(
    "arguments",
    [
        *(["score", *FILES], ["score", *FILES, "--format", "json"]),
        *(["--help"], ["score", "--help"], ["--version"]),
    ],
)
def test_a_full_disk_is_one_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FULL.open("w") as full:
        run_in_process(monkeypatch, *arguments, status=2, stdout=full)
    message = "cannot be written: No space left on device.\n"
    assert capsys.readouterr().err == f"bleu-rouge: <stdout>: {message}"


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="interrupts are ignored here"
)
def test_an_interrupt_is_exit_status_130_and_one_line() -> None:
    process = subprocess.Popen(
        command("score", "-", "samples.jsonl"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    # This is more than a pipe holds, so when it is written the command is reading.
    process.stdin.write(b"line\n" * 100_000)
    process.stdin.flush()
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate()
    assert (process.returncode, printed, errors) == (130, b"", b"bleu-rouge: interrupted.\n")


def let_time_fly(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Make the clock of the progress bar advance each time it is read."""
    now = iter(range(1_000_000))
    monkeypatch.setattr(output, "monotonic", lambda: next(now) * seconds)


@pytest.mark.parametrize(
    ("arguments", "bars"),
    [
        (["score", *FILES], [r"Scoring .*7/7 samples, +[\d:-]+ left"]),
        (
            ["compare", *FILES, "--references", "references.txt", "--test", "bootstrap"],
            [r"Scoring .*14/14 samples,", r"Testing .*1000/1000 resamples,"],
        ),
        (["dedup", "many.txt"], [r"Comparing .*\d+/800 +texts, +[\d:-]+ left"]),
    ],
)
def test_a_bar_is_shown_on_a_terminal_once_a_second_has_passed(
    arguments: list[str],
    bars: list[str],
    terminal: Terminal,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("many.txt").write_text("one text\nanother\n" * 400, "utf-8")
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    let_time_fly(monkeypatch, 1.1)
    run_in_process(monkeypatch, *arguments)
    shown = terminal.read()
    assert all(re.search(bar, shown) for bar in bars)
    assert "left" not in capsys.readouterr().out


def test_no_bar_is_shown_before_a_second_has_passed_or_without_a_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # rich then treats every stream as a terminal.
    monkeypatch.setenv("FORCE_COLOR", "1")
    let_time_fly(monkeypatch, 10.0)
    run_in_process(monkeypatch, "score", *FILES, "--format", "csv")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    let_time_fly(monkeypatch, 0.9)
    run_in_process(monkeypatch, "score", *FILES)
    assert terminal.read() == ""


@pytest.mark.parametrize(
    ("is_terminal", "variables", "has_colours"),
    [
        (False, {}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (True, {}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
    ],
)
def test_colours_depend_on_the_terminal_and_two_variables(
    is_terminal: bool,
    variables: dict[str, str],
    has_colours: bool,
    terminal: Terminal,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_in_process(monkeypatch, "explain", "a cat sat", "a cat ran")
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    if is_terminal:
        monkeypatch.setattr(sys, "stdout", terminal.stream)
    run_in_process(monkeypatch, "explain", "a cat sat", "a cat ran")
    shown = terminal.read_all() if is_terminal else capsys.readouterr().out
    assert ("\x1b[" in shown) == has_colours
    assert re.sub(r"\x1b\[\d+m", "", shown).replace("\r\n", "\n") == plain


@pytest.mark.parametrize("report_format", ["table", "markdown", "latex", "csv"])
def test_reports_on_a_terminal_without_unicode_are_ascii(
    report_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("ü.txt").write_bytes(Path("predictions.txt").read_bytes())
    files = ["ü.txt", "references.txt", "--references", "references.txt"]
    for arguments in (["compare", *files, "--n-resamples", "99"], ["score", *FILES]):
        with Path("shown").open("w", encoding="ascii") as stdout:
            run_in_process(monkeypatch, *arguments, "--format", report_format, stdout=stdout)
        shown = Path("shown").read_bytes()
        assert b"bleu" in shown.lower()
        assert shown.isascii()


def test_json_of_a_terminal_is_json(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", terminal.stream)
    run_in_process(monkeypatch, "score", *FILES, "--format", "json")
    assert json.loads(terminal.read())["bleu"] > 0
