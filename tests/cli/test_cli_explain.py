"""``bleu-rouge explain``: one pair of texts, or one sample of files."""

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from bleu_rouge_metric import explain
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import EXAMPLES, PREDICTIONS, REFERENCES, command, invoke, list_options
from ..support.known_names import PROFILE_NAMES

PAIR = ("The ferry leaves the island.", "A ferry leaves.", "The ferry left the island.")
TEXT = """\
bleu
  prediction: [The]2 [ferry]2 [leaves]2 [the]3 [island]3[.]3
  reference 0: A [ferry]2 [leaves]2[.]1
  reference 1: [The]2 [ferry]2 left [the]3 [island]3[.]3

"""


def _print(*arguments: str, stdin: bytes | None = None) -> str:
    result = invoke("explain", *arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_texts_are_marked_and_scores_stand_below() -> None:
    printed = _print(*PAIR, "--family", "bleu")
    assert printed == str(explain(PAIR[0], list(PAIR[1:]), family="bleu")) + "\n"
    assert printed.startswith(TEXT)
    assert "\n3        1   4     0.2500    0.2500" in printed
    assert printed.endswith("BLEU is 0: no 4-gram of the prediction occurs in a reference.\n")


def test_options_reach_the_explanation() -> None:
    flags = ("--rouge-type", "rougeL", "--rouge-type", "rougeSU4", "--use-stemmer")
    expected = explain(
        PAIR[0],
        list(PAIR[1:]),
        family="rouge",
        rouge_types=["rougeL", "rougeSU4"],
        use_stemmer=True,
    )
    printed = _print(*PAIR, *flags, "--family", "rouge", "--format", "json")
    assert json.loads(printed) == json.loads(json.dumps(expected.to_dict()))


def test_html_is_a_page() -> None:
    printed = _print("a <b>naïve</b> cat", "a cat", "--format", "html")
    assert printed.startswith("<!DOCTYPE html>\n")
    assert '<meta charset="utf-8">' in printed
    assert "naïve" in printed
    assert "<b>naïve" not in printed


@pytest.mark.parametrize("row", [0, 3])
def test_a_sample_of_files(row: int) -> None:
    expected = explain(PREDICTIONS[row], REFERENCES[row])
    samples = str(EXAMPLES / "samples.jsonl")
    printed = _print("--row", str(row), samples, "--format", "json")
    assert json.loads(printed) == json.loads(json.dumps(expected.to_dict()))


def test_a_sample_of_standard_input() -> None:
    content = "".join(json.dumps({"prediction": p, "reference": p}) + "\n" for p in ("a b", "c d"))
    printed = _print("--row", "1", "-", "--stdin-format", "jsonl", stdin=content.encode())
    assert "prediction: [c]2 [d]2\n" in printed


def test_warnings_are_notes() -> None:
    printed = _print("привет", "привет", "--family", "rouge")
    assert "use rouge_tokenizer='unicode'" in printed.splitlines()[-1]


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a"], "there is no reference; give one or more after the prediction."),
        (["a.txt", "b"], "a.txt is a file; give --row to explain a sample of files."),
        (["a", "a.txt"], "a.txt is a file; give --row to explain a sample of files."),
        *(
            (
                ["a", "b", flag, value],
                f"{flag} is for files; give --row to explain a sample of files.",
            )
            for flag, value in [
                ("--prediction-column", "c"),
                ("--reference-column", "c"),
                ("--stdin-format", "text"),
                ("--encoding", "utf-8"),
                ("--delimiter", ";"),
            ]
        ),
        (["--row", "x", "a.txt", "a.txt"], "--row is 'x'; expected an int."),
        (["--row", "-1", "a.txt", "a.txt"], "--row is -1; expected an int of at least 0."),
        (["--row", "2", "a.txt", "a.txt"], "--row is 2, but a.txt has 2 samples, from 0."),
        (["--row", "0", "none.txt", "a.txt"], "none.txt: No such file or directory."),
        (["a", "b", "--max-order", "0"], "--max-order is 0; expected an int from 1 to 100."),
        # Before the files are read.
        (
            ["--row", "0", "none.txt", "a.txt", "--profile", "x"],
            f"Unknown --profile 'x'; expected one of {PROFILE_NAMES}.",
        ),
    ],
)
def test_errors_are_one_line(arguments: list[str], message: str) -> None:
    Path("a.txt").write_text("one\ntwo\n", "utf-8")
    result = invoke("explain", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"bleu-rouge: {message}\n"


def test_a_text_that_is_too_long_for_a_path_is_a_text() -> None:
    assert "[a]" in _print("a " * 5000, "a " * 5000, "--rouge-type", "rouge1", "--family", "rouge")


def test_the_options_are_those_that_explain_takes() -> None:
    for name, option in OPTIONS.items():
        taken = name in list_options("explain")
        assert taken == (option.effect in ("profile", "counts", "scores")), name
        if not taken:
            with pytest.raises(TypeError, match=f"^{name} does not apply to explain, which"):
                explain("a", "a", **{name: 1})  # type: ignore[arg-type]


def test_a_terminal_has_colours_and_a_pipe_has_none() -> None:
    arguments = command("explain", *PAIR, "--family", "bleu")
    piped = subprocess.run(arguments, capture_output=True, check=True).stdout.decode()
    assert "\x1b" not in piped
    shown = _run_in_terminal(arguments, TERM="xterm")
    assert "\x1b[36m[ferry]2\x1b[0m" in shown
    assert re.sub(r"\x1b\[\d+m", "", shown) == piped
    assert _run_in_terminal(arguments, TERM="xterm", NO_COLOR="1") == piped


def test_a_text_does_not_steer_the_terminal() -> None:
    assert "\x1b" not in _print("a \x1b[31m cat", "a cat")


def _run_in_terminal(arguments: list[str], **environment: str) -> str:
    """Return what a command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        arguments,
        stdin=theirs,
        stdout=theirs,
        env={**os.environ, **environment},
    ) as process:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                # Linux says so when the other end is closed.
                break
            if not part:
                break
            parts.append(part)
        assert process.wait() == 0
    os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n")
