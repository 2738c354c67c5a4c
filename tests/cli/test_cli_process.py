"""The command in its own process: streams, signals, pipes and terminals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import __version__
from bleu_rouge_metric.cli import main, output
from bleu_rouge_metric.counting.kernels import current_kernel

from ..support.commands import command, error, run_in_process, score
from ..support.terminals import Terminal, terminal

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.usefixtures("examples_folder")


def run(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(command(*arguments), capture_output=True, check=False, **options)


def test_the_module_is_the_command() -> None:
    done = run("score", "samples.jsonl", "samples.jsonl", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().replace(os.linesep, "\n") == score(
        "samples.jsonl", "samples.jsonl", "--format", "csv"
    )
    done = run("score", "nothing.txt", "samples.jsonl")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"bleu-rouge: nothing.txt: No such file or directory.\n"


ENTRY_POINT = [str(Path(sys.executable).with_name("bleu-rouge"))]


@pytest.mark.parametrize(
    ("program", "subcommand"),
    [
        (command(), "score"),
        (ENTRY_POINT, "compare"),
        (command(), "compare-profiles"),
        (ENTRY_POINT, "explain"),
    ],
    ids=["score", "compare", "compare-profiles", "explain"],
)
@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("BLEU_ROUGE_KERNEL", "foo", "expected 'python' or 'native'"),
        ("BLEU_ROUGE_THREADS", "foo", "expected an int from 1 to 1024"),
        ("BLEU_ROUGE_THREADS", "100000", "expected an int from 1 to 1024"),
    ],
)
def test_a_bad_variable_of_the_environment_is_one_line_that_names_it(
    program: list[str], subcommand: str, variable: str, value: str, expected: str
) -> None:
    done = subprocess.run(
        [*program, subcommand, "nothing.txt", "samples.jsonl"],
        env={**os.environ, variable: value},
        capture_output=True,
        check=False,
    )
    line = f"bleu-rouge: {variable} is {value!r}; {expected}.\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", line)


def test_main_is_the_entry_point(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", "--version"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"bleu-rouge {__version__} ({current_kernel()} kernel)\n"


def test_the_command_imports_no_library_that_it_does_not_use() -> None:
    code = (
        "import sys, bleu_rouge_metric.cli.command\n"
        "heavy = {'evaluate', 'datasets', 'pyarrow', 'nltk', 'pandas'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_a_closed_pipe_is_no_error_on_screen() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        command("score", "samples.jsonl", "samples.jsonl"),
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("report_format", ["table", "json"])
def test_a_full_disk_is_one_line(report_format: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("score", "samples.jsonl", "samples.jsonl", "--format", report_format),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    message = b"cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (2, b"bleu-rouge: <stdout>: " + message)
    for name in ("scores.csv", "scores.jsonl.gz", "scores.parquet"):
        Path(name).symlink_to("/dev/full")
        line = error("samples.jsonl", "samples.jsonl", "--per-sample", name)
        assert line.startswith(f"bleu-rouge: {name}: cannot be written: ")
        assert "No space left on device" in line


def test_what_other_commands_print_is_read_through_pipes() -> None:
    process = " ".join(command("score", "<(cat predictions.txt)", "<(cat references.txt)"))
    done = subprocess.run(["bash", "-c", process], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == score("predictions.txt", "references.txt")


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
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (130, b"", b"bleu-rouge: interrupted.\n")


def let_time_fly(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Make the clock of the progress bar advance each time it is read."""
    now = iter(range(1_000_000))
    monkeypatch.setattr(output, "monotonic", lambda: next(now) * seconds)


def test_a_bar_is_shown_on_a_terminal_once_a_second_has_passed(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    let_time_fly(monkeypatch, 1.1)
    run_in_process(monkeypatch, "score", "predictions.txt", "references.txt", "--format", "json")
    shown = terminal.read()
    assert "Scoring" in shown
    assert "7/7" in shown
    assert json.loads(capsys.readouterr().out)["bleu"] > 0


def test_a_comparison_shows_bars_of_samples_and_of_resamples(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    let_time_fly(monkeypatch, 1.1)
    files = ["predictions.txt", "references.txt", "--references", "references.txt"]
    run_in_process(monkeypatch, "compare", *files, "--format", "json", "--test", "bootstrap")
    shown = terminal.read()
    assert "Scoring" in shown
    assert "14/14 samples" in shown.replace("\x1b[0m", "")
    assert "Testing" in shown
    assert "1000/1000 resamples" in shown.replace("\x1b[0m", "")
    assert json.loads(capsys.readouterr().out)["n_resamples"] == 1000


def test_no_bar_is_shown_before_a_second_has_passed(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    let_time_fly(monkeypatch, 0.9)
    run_in_process(monkeypatch, "score", "predictions.txt", "references.txt")
    assert terminal.read() == ""


def test_no_bar_is_shown_where_standard_error_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # rich then treats every stream as a terminal.
    monkeypatch.setenv("FORCE_COLOR", "1")
    let_time_fly(monkeypatch, 10.0)
    run_in_process(monkeypatch, "score", "predictions.txt", "references.txt", "--format", "csv")
    assert capsys.readouterr().err == ""


def test_the_table_is_shown_on_a_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", terminal.stream)
    run_in_process(monkeypatch, "score", "predictions.txt", "references.txt")
    shown = "".join(line.rstrip() + "\n" for line in terminal.read().splitlines())
    assert shown == score("predictions.txt", "references.txt")


def test_the_table_of_a_terminal_without_unicode_is_ascii() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = run("score", "predictions.txt", "references.txt", env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"rougeLsum" in done.stdout
    assert done.stdout.isascii()


def test_a_comparison_on_a_terminal_without_unicode_is_ascii() -> None:
    Path("ü.txt").write_bytes(Path("predictions.txt").read_bytes())
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    files = ["ü.txt", "references.txt", "--references", "references.txt"]
    for report_format in ("table", "markdown", "latex", "csv"):
        done = run("compare", *files, "--format", report_format, env=environment)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"fc" in done.stdout
        assert done.stdout.isascii()
