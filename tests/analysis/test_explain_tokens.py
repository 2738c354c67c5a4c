"""explain: the tokens that are compared, and their places in the text as given."""

from collections.abc import Sequence

from bleu_rouge_metric import explain
from bleu_rouge_metric.text.alignment import Token


def list_forms(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """List the piece of the text and the form of each token."""
    return [(token.text, token.form) for token in tokens]


def test_steps_of_rouge_leave_offsets_of_the_text_as_given() -> None:
    found = explain(
        "The cats, the DOGS\nand others ran",
        "a cat",
        family="rouge",
        use_stemmer=True,
        stop_words=["the", "and"],
        word_limit=6,
    )
    assert list_forms(found.prediction.tokens) == [
        ("cats", "cat"),
        ("DOGS", "dog"),
        ("others", "other"),
    ]
    assert [len(sentence) for sentence in found.prediction.sentences] == [2, 1]
    assert found.notes[1:] == (
        "The 'rouge' tokenizer drops 1 character of the prediction: ','.",
        "The limit cuts 3 characters of the prediction.",
        "3 stop words of the prediction are left out: 'The', 'the', 'and'.",
    )


def test_lowercase_and_the_end_of_a_text_in_sacrebleu() -> None:
    found = explain("\u0130 co-\n", "x", profile="sacrebleu", lowercase=True)
    assert list_forms(found.prediction.tokens) == [
        ("\u0130", "i\u0307"),
        ("co-", "co-"),
    ]


def test_a_splitter_and_a_segmenter_of_the_caller() -> None:
    found = explain(
        "Ab. Cd",
        "Cd",
        family="rouge",
        rouge_types=["rougeLsum"],
        sentence_splitter=lambda text: text.split(". "),
    )
    assert [[token.text for token in line] for line in found.prediction.sentences] == [
        ["Ab"],
        ["Cd"],
    ]
    words = explain(
        "In \u5317\u4eac\u5927\u5b66",
        "x",
        tokenizer="unicode",
        segmenter=lambda run: [run[:2], run[2:]],
    )
    assert [token.text for token in words.prediction.tokens] == [
        "In",
        "\u5317\u4eac",
        "\u5927\u5b66",
    ]


def test_a_splitter_that_rewrites_leaves_no_places() -> None:
    found = explain(
        "a b",
        "A B",
        family="rouge",
        rouge_types=["rougeLsum"],
        tokenizer="whitespace",
        sentence_splitter=lambda text: [text.swapcase()],
    )
    assert list_forms(found.prediction.sentences[0]) == [("", "A"), ("", "B")]
    assert found.rouge["rougeLsum"].fmeasure == 0.0
