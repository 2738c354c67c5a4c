"""Wrong use of the command: one line that says what to write."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bleu_rouge_metric.cli import command, main

from ..support.commands import invoke, score_json

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("predictions.txt", "references.txt")
COMMANDS = "expected one of 'score', 'compare', 'compare-profiles', 'explain', 'dedup', 'pick'."
FORMATS = "expected one of 'table', 'json', 'csv', 'markdown', 'latex'."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bogus"], "No such option '--bogus'; see bleu-rouge --help."),
        (["score", *FILES, "--bogus"], "No such option '--bogus'; see bleu-rouge score --help."),
        (["explain", "a", "b", "-y"], "No such option '-y'; see bleu-rouge explain --help."),
        (["score", "--percent"], "Missing argument 'PREDICTIONS'; see bleu-rouge score --help."),
        (["score", *FILES, "--max-order"], "Option '--max-order' requires an argument."),
        (["bogus"], f"Unknown command 'bogus'; {COMMANDS}"),
        (["scores", "a"], f"Unknown command 'scores'; {COMMANDS} Did you mean 'score'?"),
        (
            ["a.txt", "b c.txt"],
            f"Unknown command 'a.txt'; {COMMANDS} To score files, use bleu-rouge score a.txt "
            "'b c.txt'",
        ),
        (["-", "b"], f"Unknown command '-'; {COMMANDS} To score files, use bleu-rouge score - b"),
        (
            ["score", *FILES, "--format", "jsom"],
            f"Unknown --format 'jsom'; {FORMATS} Did you mean 'json'?",
        ),
        (
            ["compare", *FILES, "--format", "html"],
            f"Unknown --format 'html'; {FORMATS}",
        ),
        (["compare-profiles", *FILES, "--format", "html"], f"Unknown --format 'html'; {FORMATS}"),
        (
            ["explain", "a", "b", "--format", "csv"],
            "Unknown --format 'csv'; expected one of 'text', 'json', 'html'.",
        ),
        (
            ["score", *FILES, "--family", "x"],
            "Unknown --family 'x'; expected one of 'bleu', 'rouge'.",
        ),
        (
            ["score", "-", "--stdin-format", "xml"],
            "Unknown --stdin-format 'xml'; expected one of 'text', 'jsonl', 'json', 'csv', 'tsv', "
            "'parquet'.",
        ),
        (
            ["score", *FILES, "--engine", "spark"],
            "Unknown --engine 'spark'; expected one of 'ray'.",
        ),
    ],
)
def test_a_wrong_use_is_one_line(arguments: list[str], message: str) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"bleu-rouge: {message}\n"


def test_names_of_formats_and_families_may_be_in_capitals() -> None:
    expected = score_json(*FILES, "--family", "bleu")
    result = invoke("score", *FILES, "--family", "BLEU", "--format", "Json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f'{{"bleu": {expected["bleu"]}')
    text = "prediction,reference\na cat,a dog\n"
    result = invoke("score", "-", "--stdin-format", "CSV", "--format", "CSV", stdin=text.encode())
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "score,value")


@pytest.mark.parametrize(
    ("given", "remedy"),
    {
        "score predictions.txt -r references.txt": "-r; give them after the first argument, "
        "without a flag.",
        "score predictions.txt -r=references.txt": "-r; give them after the first argument, "
        "without a flag.",
        "score -p predictions.txt references.txt": "-p; give it as the first argument, without a "
        "flag.",
        "compare predictions.txt predictions.txt -r references.txt": "-r; it is called "
        "--references here.",
        "compare predictions.txt predictions.txt --refs references.txt": "--refs; it is called "
        "--references here.",
    }.items(),
)
def test_a_flag_of_files_is_told_from_a_flag_of_a_number(given: str, remedy: str) -> None:
    result = invoke(*given.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"bleu-rouge: Unknown flag {remedy}\n"


def test_an_interrupt_before_the_command_begins_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "main", interrupt)
    with pytest.raises(SystemExit) as caught:
        main()
    assert (caught.value.code, capsys.readouterr().err) == (130, "bleu-rouge: interrupted.\n")


INTERRUPTING = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="interrupts are ignored here"
)
@pytest.mark.parametrize(("module", "flag"), [("numpy", "--version"), ("click", "--help")])
def test_an_interrupt_during_an_import_is_one_line(module: str, flag: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text(INTERRUPTING)
    program = Path(sys.executable).with_name("bleu-rouge")
    done = subprocess.run(
        [program, flag],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    line = b"bleu-rouge: interrupted.\n"
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", line)
