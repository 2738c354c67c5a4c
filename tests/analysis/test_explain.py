"""explain: matches, LCS and scores of examples worked by hand."""

import json
import math
from typing import Any

import pytest

from bleu_rouge_metric import Explanation, explain, load, use_kernel
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.gleu import GleuExplanation
from bleu_rouge_metric.matching.lcs import Lcs, SentenceLcs, UnionLcs, UnionSentence
from bleu_rouge_metric.matching.ngrams import Match, Unmatched

WORDS: dict[str, Any] = {"tokenizer": "whitespace"}


def bleu_of(explanation: Explanation) -> BleuExplanation:
    assert isinstance(explanation.bleu, BleuExplanation)
    return explanation.bleu


def test_the_form_that_to_dict_gives() -> None:
    plain = explain("The cat.", ["the cat", "A cat, sat"]).to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert list(plain) == ["prediction", "references", "matches", "lcs", "bleu", "rouge", "notes"]
    assert plain["prediction"]["text"] == "The cat."
    assert plain["prediction"]["tokens"] == [
        {"text": "The", "start": 0, "end": 3, "form": "the"},
        {"text": "cat", "start": 4, "end": 7, "form": "cat"},
    ]
    assert [token["form"] for token in plain["prediction"]["bleu_tokens"]] == ["The", "cat", "."]
    assert [text["text"] for text in plain["references"]] == ["the cat", "A cat, sat"]
    assert list(plain["matches"]) == ["bleu", "rouge1", "rouge2"]
    assert list(plain["lcs"]) == ["rougeL", "rougeLsum"]
    assert list(plain["rouge"]) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]


def test_one_family_alone() -> None:
    bleu = explain("The cat.", "the cat", family="bleu")
    assert [token.form for token in bleu.prediction.tokens] == ["The", "cat", "."]
    assert bleu.prediction.tokens == bleu.prediction.bleu_tokens
    assert (bleu.rouge, bleu.lcs, list(bleu.matches)) == ({}, {}, ["bleu"])
    rouge = explain("The cat.", "the cat", family="rouge")
    assert rouge.bleu is None
    assert rouge.prediction.bleu_tokens == ()


def test_bleu_clips_by_the_first_reference_that_has_an_ngram_most_often() -> None:
    found = explain("the the the a b", ["the a c", "the the", "the the b c"], **WORDS, max_order=1)
    (order,) = found.matches["bleu"]
    assert order.matched == (
        Match(("the",), 1, ((0,), (1,)), ((2,),), ((0,), (1,)), ()),
        Match(("a",), 0, ((3,),), (), ((1,),), ()),
        Match(("b",), 2, ((4,),), (), ((2,),), ()),
    )
    assert order.missed == (Unmatched(("c",), 0, ((2,),)), Unmatched(("c",), 2, ((3,),)))
    assert order.novel == ()
    assert (order.hits, order.total, order.reference_totals) == (4, 5, (3, 2, 4))


def test_what_a_reference_has_more_often_is_clipped_there() -> None:
    found = explain("a b", "a a b a", **WORDS, rouge_types=["rouge1", "rouge2"])
    one, two = found.matches["rouge1"][0], found.matches["rouge2"][0]
    assert one.matched[0] == Match(("a",), 0, ((0,),), (), ((0,),), ((1,), (3,)))
    assert [match.forms for match in two.matched] == [("a", "b")]
    assert two.matched[0].reference_counted == ((1, 2),)
    assert [unmatched.forms for unmatched in two.missed] == [("a", "a"), ("b", "a")]
    assert two.novel == ()


def test_skip_bigrams_and_the_unigrams_of_su() -> None:
    found = explain("a b c", "a c b", **WORDS, rouge_types=["rougeS", "rougeS0", "rougeSU"])
    (pairs,) = found.matches["rougeS"]
    assert [(match.forms, match.counted) for match in pairs.matched] == [
        (("a", "b"), ((0, 1),)),
        (("a", "c"), ((0, 2),)),
    ]
    assert [unmatched.forms for unmatched in pairs.novel] == [("b", "c")]
    assert [unmatched.positions for unmatched in pairs.missed] == [((1, 2),)]
    assert [match.kind for match in found.matches["rougeSU"]] == ["skip-bigrams", "n-grams"]
    # ROUGE-1.5.5 leaves out the last token of each text.
    assert [match.forms for match in found.matches["rougeSU"][1].matched] == [("a",)]
    paper = explain("a b c", "a c b", profile="lin2004", rouge_types=["rougeSU"])
    assert paper.matches["rougeSU"][1].hits == 3


def test_the_lcs_is_the_one_that_rouge_score_goes_back_along() -> None:
    found = explain("b a b", ["a b a", "x"], **WORDS, rouge_types=["rougeL"])
    assert found.lcs == {"rougeL": (Lcs(0, ((1, 0), (2, 1))), Lcs(1, ()))}


def test_the_union_lcs_of_the_paper() -> None:
    # Lin (2004), section 3.2: the union of "w1 w2" and "w1 w3 w5" is "w1 w2 w3 w5".
    found = explain(
        "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", rouge_types=["rougeLsum"], **WORDS
    )
    (union,) = found.lcs["rougeLsum"]
    assert isinstance(union, UnionLcs)
    (sentence,) = union.sentences
    assert sentence == UnionSentence(
        0,
        (SentenceLcs(0, ((0, 0), (1, 1))), SentenceLcs(1, ((0, 0), (1, 2), (4, 4)))),
        (0, 1, 2, 4),
        (),
        (),
    )


def test_the_union_lcs_is_clipped_but_not_in_the_paper() -> None:
    texts = "a b", "a\na c"
    clipped = explain(*texts, **WORDS, rouge_types=["rougeLsum"]).lcs["rougeLsum"][0]
    assert isinstance(clipped, UnionLcs)
    assert [(part.counted, part.clipped) for part in clipped.sentences] == [((0,), ()), ((), (0,))]
    paper = explain(*texts, profile="lin2004", rouge_types=["rougeLsum"]).lcs["rougeLsum"][0]
    assert isinstance(paper, UnionLcs)
    assert [part.counted for part in paper.sentences] == [(0,), (0,)]


def test_runs_of_the_weighted_lcs() -> None:
    found = explain("a b x c", "a b y c", **WORDS, rouge_types=["rougeW-2"]).lcs["rougeW-2"][0]
    assert isinstance(found, UnionLcs)
    assert [(run.positions, run.value) for run in found.sentences[0].runs] == [
        ((0, 1), 4.0),
        ((3,), 1.0),
    ]
    # In the paper a run is consecutive in both texts.
    paper = explain("a x b", "a b", profile="lin2004", rouge_types=["rougeW-2"]).lcs["rougeW-2"][0]
    assert isinstance(paper, Lcs)
    assert [run.positions for run in paper.runs] == [(0,), (1,)]


def test_bleu_is_a_product() -> None:
    bleu = bleu_of(explain("a b c d", ["a b c x y z", "a b c d e"], **WORDS))
    assert (bleu.prediction_length, bleu.reference_length, bleu.reference) == (4, 5, 1)
    assert bleu.reference_lengths == (6, 5)
    assert bleu.exponent == 1 - 1 / (4 / 5)
    assert bleu.brevity_penalty == math.exp(1 - 1 / (4 / 5))
    assert [(order.matches, order.total) for order in bleu.orders] == [
        (4, 4),
        (3, 3),
        (2, 2),
        (1, 1),
    ]
    assert [order.weight for order in bleu.orders] == [0.25] * 4
    assert [order.contribution for order in bleu.orders] == [0.0] * 4
    assert bleu.logarithm == bleu.exponent


def test_smoothed_and_raw_precisions_and_the_effective_order() -> None:
    bleu = bleu_of(explain("a b", "a c", profile="sacrebleu", tokenizer="none"))
    assert [order.precision for order in bleu.orders] == [50.0, 0.0, 0.0, 0.0]
    assert [order.smoothed for order in bleu.orders] == [50.0, 50.0, 0.0, 0.0]
    assert (bleu.score, bleu.logarithm) == (0.0, None)
    assert bleu.sentence_score == pytest.approx(50)
    effective = bleu_of(
        explain("a b", "a c", profile="sacrebleu", tokenizer="none", effective_order=True)
    )
    assert [order.weight for order in effective.orders] == [0.5, 0.5, 0.0, 0.0]
    assert effective.score == bleu.sentence_score
    assert effective.logarithm == pytest.approx(math.log(0.5))


def test_google_bleu() -> None:
    found = explain("a b", ["c d", "a c"], profile="google_bleu")
    assert found.bleu == GleuExplanation(score=1 / 3, reference=1, matches=1, total=3)
    assert [(item.reference, item.order) for item in found.matches["google_bleu"]] == [
        *((0, order) for order in range(1, 5)),
        *((1, order) for order in range(1, 5)),
    ]


@pytest.mark.parametrize(
    ("policy", "reference"),
    [("best", 1), ("best_recall", 2), ("micro", None), ("mean", None), ("jackknife", None)],
)
def test_the_reference_that_rouge_chooses(policy: Any, reference: int | None) -> None:
    found = explain(
        "a b c d",
        ["x", "a b c e f", "a"],
        rouge_types=["rouge1"],
        multi_reference=policy,
        **WORDS,
    ).rouge["rouge1"]
    assert found.reference == reference
    assert found.multi_reference == policy
    numbers = [
        (pair.hits, pair.prediction_total, pair.reference_total) for pair in found.references
    ]
    assert numbers == [(0, 4, 1), (3, 4, 5), (1, 4, 1)]
    assert found.references[2].recall == 1.0


@pytest.mark.parametrize("policy", ["best", "mean"])
def test_one_reference_is_the_chosen_one(policy: Any) -> None:
    found = explain("a b", "a c", family="rouge", multi_reference=policy)
    assert found.rouge["rouge1"].reference == 0


def test_the_scores_are_those_of_the_metric() -> None:
    texts = "The cat sat on the mat, it said.", ["The cat sits on the mat.", "A cat is on it."]
    found = explain(*texts)
    expected: dict[str, Any] = load().compute(
        predictions=[texts[0]], references=[texts[1]], detailed=True
    )
    assert bleu_of(found).score == expected["bleu"]
    assert [order.smoothed for order in bleu_of(found).orders] == expected["precisions"]
    for name, rouge in found.rouge.items():
        assert (rouge.precision, rouge.recall, rouge.fmeasure) == tuple(expected[name].values())


def test_both_kernels_give_the_same_explanation(kernel: str) -> None:
    with use_kernel("python"):
        expected = explain("The cat sat.\nIt ran", "A cat sat there.\nIt ran off")
    assert explain("The cat sat.\nIt ran", "A cat sat there.\nIt ran off") == expected, kernel
