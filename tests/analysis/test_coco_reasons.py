"""What ``explain`` and ``compare_profiles`` say of the profile ``coco``."""

import json
from typing import Any

import pytest

from bleu_rouge_metric import (
    compare_profiles,
    explain,
)

from ..conftest import unfit_texts
from ..support.captions import BLEU, compute

pytestmark = [pytest.mark.quick, *unfit_texts]


def test_an_explanation_has_each_reference() -> None:
    found = explain("a b c d", ["a b", "a b x y z q"], profile="coco")
    bleu: Any = found.bleu
    scores = compute(predictions=["a b c d"], references=[["a b", "a b x y z q"]])
    assert bleu.scores == {name: scores[name] for name in BLEU}
    assert (bleu.score, bleu.reference, bleu.reference_length) == (scores["Bleu_4"], 0, 2)
    rouge = found.rouge["ROUGE_L"]
    assert (rouge.precision, rouge.recall, rouge.fmeasure) == (0.5, 1.0, scores["ROUGE_L"])
    assert rouge.reference == 0
    assert found.notes == (
        "Bleu_3 is close to 0, as are the scores of higher orders: no 3-gram of the prediction "
        "occurs in a reference.",
    )
    apart = explain("a b c d", ["a", "a b x y z q w v"], profile="coco").rouge["ROUGE_L"]
    assert (apart.precision, apart.recall, apart.reference) == (0.5, 1.0, None)
    assert apart.fmeasure == 0.7093023255813954
    none = explain("x", "y z", profile="coco")
    assert none.notes[-1] == "ROUGE_L is 0: no token of the prediction occurs in a reference."
    empty = explain("", "y", profile="coco", family="bleu")
    assert empty.notes[0] == "Bleu_1, Bleu_2, Bleu_3 and Bleu_4 are 0: the brevity penalty is 0."
    json.dumps(found.to_dict())


def test_tokens_that_ptb_writes_anew_have_their_places() -> None:
    # A no-break space joins the two numbers; BLEU splits the token there, and ROUGE-L does not.
    text = "A man (left) eats 1\u00a01/2 pies."
    found = explain(text, text, profile="coco", tokenizer="ptb").prediction
    assert [(token.text, token.form) for token in found.tokens] == [
        *(("A", "a"), ("man", "man"), ("(", "-lrb-"), ("left", "left"), (")", "-rrb-")),
        *(("eats", "eats"), ("1\u00a01/2", "1\u00a01/2"), ("pies", "pies")),
    ]
    assert [(token.text, token.form) for token in found.bleu_tokens] == [
        *(("A", "a"), ("man", "man"), ("(", "-lrb-"), ("left", "left"), (")", "-rrb-")),
        *(("eats", "eats"), ("1", "1"), ("1/2", "1/2"), ("pies", "pies")),
    ]
    written = explain("a 1 1/2", "a", profile="coco", tokenizer="ptb").prediction.bleu_tokens
    assert [(token.start, token.end, token.form) for token in written] == [
        (0, 1, "a"),
        (2, 3, "1"),
        (4, 7, "1/2"),
    ]
    # Of a fraction that is one character, the second number is not a piece of the text.
    signs = explain("1½ a", "a", profile="coco", tokenizer="ptb").prediction.bleu_tokens
    assert [(token.text, token.form) for token in signs] == [
        *(("1", "1"), ("½", "1/2"), ("a", "a")),
    ]


def test_the_steps_from_hf_say_what_they_do() -> None:
    comparison = compare_profiles(["a b c d"], [["a", "a b x y z q w v"]], profiles=["hf", "coco"])
    reasons = {
        score: [step.new for step in comparison.differences if step.score == score]
        for score in ("bleu", "rougeL")
    }
    constants = (
        "1e-15 is added to the numerator and 1e-9 to the denominator of each precision and of the "
        "ratio of the lengths, so that no precision is 0 and equal lengths are penalised a little"
    )
    assert reasons["bleu"] == [constants]
    assert reasons["rougeL"] == [
        "the F-measure has beta = 1.2, which weighs the recall more than the precision",
        "the largest precision and the largest recall, each of any reference",
    ]
    assert {step.score for step in comparison.differences} == {"bleu", "rougeL"}


@pytest.mark.parametrize(
    ("texts", "options", "score", "reason"),
    [
        (
            (["a b c d e"], [["a b c d", "a b c d e f"]]),
            {},
            "bleu",
            None,
        ),
        (
            (["a b c d e f g"], [["a b c d", "a b c d e f g h"]]),
            {},
            "bleu",
            "the length of the closest reference, and of two the shorter one",
        ),
        (
            (["a b c d x"], [["a b c d y"]]),
            {"weights": (0.5, 0.5)},
            "bleu",
            "smoothing, weights and effective_order have no effect",
        ),
        (
            (["a b", "c"], [["a b", "a c"], ["d c e"]]),
            {"multi_reference": "mean"},
            "rougeL",
            "beta and multi_reference have no effect",
        ),
        ((["?"], [["!"]]), {"tokenizer": "rouge"}, "rougeL", "two texts without tokens are equal"),
        (
            (["?", "a b c d"], [["!"], ["a", "a b x y z q w v"]]),
            {"tokenizer": "rouge"},
            "rougeL",
            "the largest precision and the largest recall, each of any reference; two texts "
            "without tokens are equal",
        ),
    ],
    ids=str,
)
def test_each_part_of_the_arithmetic_has_its_reason(
    texts: tuple[Any, Any], options: dict[str, Any], score: str, reason: str | None
) -> None:
    comparison = compare_profiles(*texts, profiles=["hf", "coco"], **options)
    found = [step.new for step in comparison.differences if step.score == score]
    if reason is None:
        assert "the length of the closest reference, and of two the shorter one" not in found
    else:
        assert reason in found
