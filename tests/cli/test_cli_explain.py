"""``bleu-rouge explain``: one pair of texts, or one sample of files."""

import json

import pytest

from bleu_rouge_metric import explain

from ..support.commands import EXAMPLES, PREDICTIONS, REFERENCES, invoke

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


def test_a_text_does_not_steer_the_terminal() -> None:
    assert "\x1b" not in _print("a \x1b[31m cat", "a cat")
