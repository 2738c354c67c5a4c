"""explain: notes, warnings among them, and errors."""

from typing import Any

import pytest

from bleu_rouge_metric import explain


@pytest.mark.parametrize(
    ("prediction", "references", "options", "expected"),
    [
        ("a b c", "a b d", {}, "BLEU is 0: no 3-gram of the prediction occurs in a reference."),
        (
            "a b c d",
            "a b c x d",
            {},
            "BLEU is 0: no 4-gram of the prediction occurs in a reference.",
        ),
        (
            "a b",
            "a " * 30,
            {"profile": "rouge-1.5.5", "rouge_types": ["rougeW-5"]},
            "rougeW-5 is 0: the five digits of the score are 0.",
        ),
        ("a b", "a b", {}, "BLEU is 0: the prediction is too short for a 3-gram."),
        ("a", "b", {}, "BLEU is 0: no token of the prediction occurs in a reference."),
        ("", "b", {"family": "bleu"}, "BLEU is 0: the prediction has no token."),
        ("a", ["", ""], {"family": "bleu"}, "BLEU is 0: no reference has a token."),
        (
            "a b c d",
            ["a b c d", ""],
            {"family": "bleu"},
            "BLEU is 0: a reference has no token.",
        ),
        (
            "a",
            "a " * 800,
            {"family": "bleu", "max_order": 1},
            "BLEU is 0: the prediction is so short that the brevity penalty is 0.",
        ),
        (
            "a b",
            "a c",
            {"profile": "nltk", "smooth": "method6", "max_order": 2},
            "BLEU is 0: the smoothing is not defined for these counts.",
        ),
        (
            "a",
            "b",
            {"profile": "google_bleu"},
            "Google BLEU is 0: no n-gram of the prediction occurs in a reference.",
        ),
        (
            "a b",
            "c d",
            {"family": "rouge"},
            "rouge1, rougeL and rougeLsum are 0: no token of the prediction occurs in a reference.",
        ),
        (
            "कखग।",
            "घङच।",
            {"language": "hi", "family": "rouge"},
            "rouge1, rougeL and rougeLsum are 0: no token of the prediction occurs in a reference.",
        ),
        (
            "kitab1",
            "kitab2",
            {"tokenizer": "xlsum", "family": "rouge"},
            "rougeLsum is 0: this tokenizer splits a sentence only at spaces and punctuation, and "
            "no such piece of the prediction occurs in a reference.",
        ),
        (
            "a",
            "a b",
            {"rouge_types": ["rougeS"]},
            "rougeS is 0: the prediction has fewer than two tokens.",
        ),
        (
            "a b",
            "b a",
            {"rouge_types": ["rougeS"]},
            "rougeS is 0: no skip-bigram of the prediction occurs in a reference.",
        ),
        (
            "a b",
            "c d",
            {"rouge_types": ["rougeSU"]},
            "rougeSU is 0: no skip-bigram and no token of the prediction occurs in a reference.",
        ),
        (
            "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440 a",
            "a",
            {},
            "The 'rouge' tokenizer drops 10 characters of the prediction: "
            "'\u041f\u0440\u0438\u0432\u0435\u0442,', '\u043c\u0438\u0440'.",
        ),
        (
            "a",
            "1. 2, 3! 4? 5; 6: 7",
            {},
            "The 'rouge' tokenizer drops 6 characters of references[0]: '.', ',', '!', '?', ';' "
            "and others.",
        ),
        (
            "a b",
            "a",
            {"rouge_tokenizer": lambda text: [*text.split(), "</s>"]},
            "1 token of the prediction for ROUGE is no piece of the text: '</s>'.",
        ),
    ],
)  # fmt: skip
def test_notes(prediction: str, references: Any, options: dict[str, Any], expected: str) -> None:
    assert expected in explain(prediction, references, **options).notes


def test_what_both_families_drop_is_one_note() -> None:
    assert explain("a b c d.", "a b c d", tokenizer="unicode").notes == (
        "The 'unicode' tokenizer drops 1 character of the prediction: '.'.",
    )


@pytest.mark.filterwarnings("error")
def test_warnings_are_notes_and_are_not_shown() -> None:
    found = explain("\u043c\u0438\u0440", "\u043c\u0438\u0440", use_stemmer=True, tokenizer="13a")
    assert found.notes[-1].startswith("use_stemmer=True has no effect on ROUGE here")
    assert explain("\u043c\u0438\u0440", "a").notes[-1].startswith("The 'rouge' tokenizer leaves")


@pytest.mark.parametrize(
    ("prediction", "references", "options", "error"),
    [
        (
            1,
            "a",
            {},
            TypeError("prediction is 1 (int); expected a str. Nothing is converted to text."),
        ),
        ("a", None, {}, TypeError("references is None; expected a str or a sequence of str.")),
        (
            "a",
            [],
            {},
            ValueError("references is empty; every prediction needs at least one reference."),
        ),
        (
            [1, 2],
            [[1, 2]],
            {"tokenizer": "ids"},
            TypeError(
                "prediction is a sequence of token ids, but explain is for texts; decode the ids."
            ),
        ),
        (
            "a",
            "a",
            {"use_aggregator": False},
            TypeError(
                "use_aggregator does not apply to explain, which explains one sample. Use "
                "metric.compute."
            ),
        ),
        (
            "a",
            "a",
            {"tokeniser": "13a"},
            TypeError("Unknown option 'tokeniser'; did you mean 'tokenizer'?"),
        ),
        (
            "a",
            "a",
            {"family": "blue"},
            ValueError("family is 'blue'; expected 'bleu', 'rouge' or None for both."),
        ),
        (
            "a",
            "a",
            {"weights": [(0.5, 0.5), (1.0,)]},
            ValueError("weights has 2 sets; expected one, because explain explains one BLEU."),
        ),
        (
            "a",
            "a " * 10_001,
            {},
            ValueError(
                "references[0] has 10,001 tokens; explain takes at most 10,000. Explain a part of "
                "the text."
            ),
        ),
        (
            "a " * 10_001,
            "a",
            {"family": "rouge"},
            ValueError(
                "prediction has 10,001 tokens; explain takes at most 10,000. Explain a part of the "
                "text."
            ),
        ),
        (
            "a " * 700,
            "a",
            {"rouge_types": ["rougeSU"]},
            ValueError(
                "prediction has 244,650 skip-bigrams; explain lists at most 200,000. Use a type "
                "with a gap, such as 'rougeSU4', or explain a part of the text."
            ),
        ),
        (
            "a",
            ["a", "a " * 700],
            {"rouge_types": ["rougeS"]},
            ValueError(
                "references[1] has 244,650 skip-bigrams; explain lists at most 200,000. Use a type "
                "with a gap, such as 'rougeSU4', or explain a part of the text."
            ),
        ),
        (
            "a\n" * 450,
            ["a", "a\n" * 445],
            {},
            ValueError(
                "The prediction has 450 sentences and references[1] 445; explain compares at most "
                "200,000 pairs of them. Leave out 'rougeLsum' and 'rougeW', or explain a part of "
                "the text."
            ),
        ),
    ],
)  # fmt: skip
def test_errors(
    prediction: Any, references: Any, options: dict[str, Any], error: Exception
) -> None:
    with pytest.raises(type(error)) as found:
        explain(prediction, references, **options)
    assert str(found.value) == str(error)


def test_an_error_of_pysbd_names_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object, text: str) -> list[str]:
        if text == "odd":
            raise IndexError("list index out of range")
        return [text]

    monkeypatch.setattr(pytest.importorskip("pysbd").Segmenter, "segment", fail)
    reason = "sentence_splitter 'pysbd' fails with IndexError: list index out of range"
    with pytest.raises(ValueError, match=rf"^references\[1\]: {reason}$"):
        explain("a", ["b", "odd"], family="rouge", sentence_splitter="pysbd")
