"""explain: matches, LCS, scores, tokens, marks, notes and errors of examples worked by hand."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Explanation, explain
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation

from ..conftest import unfit_texts
from ..support.errors import read_errors

pytestmark = list(unfit_texts)

WORDS: dict[str, Any] = {"tokenizer": "whitespace"}


def bleu_of(explanation: Explanation) -> BleuExplanation:
    assert isinstance(explanation.bleu, BleuExplanation)
    return explanation.bleu


def test_the_form_that_to_dict_gives() -> None:
    plain = explain("The cat.", ["the cat", "A cat, sat"]).to_dict()
    assert list(plain) == ["prediction", "references", "matches", "lcs", "bleu", "rouge", "notes"]
    assert plain["prediction"]["tokens"][1] == {"text": "cat", "start": 4, "end": 7, "form": "cat"}
    assert [text["text"] for text in plain["references"]] == ["the cat", "A cat, sat"]
    assert list(plain["matches"]) == ["bleu", "rouge1", "rouge2"]
    assert list(plain["lcs"]) == ["rougeL", "rougeLsum"]


def test_one_family_alone() -> None:
    bleu = explain("The cat.", "the cat", family="bleu")
    assert [token.form for token in bleu.prediction.tokens] == ["The", "cat", "."]
    assert bleu.prediction.tokens == bleu.prediction.bleu_tokens
    assert (bleu.rouge, bleu.lcs, list(bleu.matches)) == ({}, {}, ["bleu"])
    rouge = explain("The cat.", "the cat", family="rouge")
    assert (rouge.bleu, rouge.prediction.bleu_tokens) == (None, ())


def test_bleu_is_a_product() -> None:
    bleu = bleu_of(explain("a b c d", ["a b c x y z", "a b c d e"], **WORDS))
    assert (bleu.prediction_length, bleu.reference_length, bleu.reference) == (4, 5, 1)
    assert bleu.reference_lengths == (6, 5)
    assert bleu.exponent == 1 - 1 / (4 / 5) == bleu.logarithm
    assert bleu.brevity_penalty == math.exp(1 - 1 / (4 / 5))
    assert [order[1:3] for order in bleu.orders] == [(4, 4), (3, 3), (2, 2), (1, 1)]
    assert [(order.weight, order.contribution) for order in bleu.orders] == [(0.25, 0.0)] * 4


def test_smoothed_and_raw_precisions_and_the_effective_order() -> None:
    options: dict[str, Any] = {"profile": "sacrebleu", "tokenizer": "none"}
    bleu = bleu_of(explain("a b", "a c", **options))
    assert [order.precision for order in bleu.orders] == [50.0, 0.0, 0.0, 0.0]
    assert [order.smoothed for order in bleu.orders] == [50.0, 50.0, 0.0, 0.0]
    assert (bleu.score, bleu.logarithm) == (0.0, None)
    assert bleu.sentence_score == pytest.approx(50)
    effective = bleu_of(explain("a b", "a c", **options, effective_order=True))
    assert [order.weight for order in effective.orders] == [0.5, 0.5, 0.0, 0.0]
    assert effective.score == bleu.sentence_score
    assert effective.logarithm == pytest.approx(math.log(0.5))


def rouge1(prediction: str, references: Any, policy: Any) -> Any:
    options: Any = {"rouge_types": ["rouge1"], "multi_reference": policy, **WORDS}
    return explain(prediction, references, **options).rouge["rouge1"]


def tokens(kind: str, text: str, **options: Any) -> str:
    """Return the tokens of a text that has itself as reference, each with its form."""
    found = explain(text, text, **options).prediction
    sentences = found.sentences if kind == "sentences" else [getattr(found, kind)]
    lines = (" ".join(f"{token.text}/{token.form}" for token in tokens) for tokens in sentences)
    return " | ".join(lines).replace("\xa0", "_")


def marks(view: str, prediction: str, references: Any, **options: Any) -> str:
    """Return what is printed of a score: the prediction and the references, with marks."""
    found = str(explain(prediction, references, **{**WORDS, **options}))
    (part,) = (part for part in found.split("\n\n") if part.startswith(f"{view}\n"))
    texts = re.split(r"\n  (?:prediction|reference \d): ", part)
    return " | ".join(texts[1:]).replace("\n", "\\n")


@pytest.mark.parametrize(("call", "expected"), read_errors(Path(__file__).with_name("explain.txt")))
def test_tokens_notes_marks_and_scores(call: str, expected: str) -> None:
    names = {"explain": explain, "marks": marks, "rouge1": rouge1, "tokens": tokens}
    assert str(eval(call, names)) == expected


@pytest.mark.filterwarnings("error")
def test_warnings_are_notes_and_are_not_shown() -> None:
    found = explain("\u043c\u0438\u0440", "\u043c\u0438\u0440", use_stemmer=True, tokenizer="13a")
    assert found.notes[-1].startswith("use_stemmer=True has no effect on ROUGE here")
    assert explain("\u043c\u0438\u0440", "a").notes[-1].startswith("The 'rouge' tokenizer leaves")


def test_an_error_of_pysbd_names_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object, text: str) -> list[str]:
        if text == "odd":
            raise IndexError("list index out of range")
        return [text]

    monkeypatch.setattr(pytest.importorskip("pysbd").Segmenter, "segment", fail)
    reason = "sentence_splitter 'pysbd' fails with IndexError: list index out of range"
    with pytest.raises(ValueError, match=rf"^references\[1\]: {reason}$"):
        explain("a", ["b", "odd"], family="rouge", sentence_splitter="pysbd")


def test_spans_compare_with_the_given_reference() -> None:
    found = explain("a b", ["a", "b"], **WORDS, rouge_types=["rouge1"])
    marked = [[span.start for span in found.spans(view="rouge1", reference=at)] for at in (0, 1)]
    assert marked == [[0], [2]]
    assert found.spans() == found.spans("prediction", "bleu", 1)
