"""``bleu-rouge explain``: one pair of texts, or one sample of files."""

import json
import os
import pty
import re
import subprocess

import pytest

from bleu_rouge_metric import explain

from ..support.commands import EXAMPLES, PREDICTIONS, REFERENCES, command, invoke

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


def test_a_text_that_is_too_long_for_a_path_is_a_text() -> None:
    assert "[a]" in _print("a " * 5000, "a " * 5000, "--rouge-type", "rouge1", "--family", "rouge")


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
