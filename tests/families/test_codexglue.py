"""CodeXGLUE's BLEU: by hand, against its published steps, and wherever scores are computed."""

import math
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from bleu_rouge_metric import (
    PairScorer,
    Scorer,
    compare_profiles,
    explain,
    load,
)
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.text.rules import tokenize_mteval_v11a

from ..conftest import unfit_texts
from ..support.strategies import samples

pytestmark = list(unfit_texts)

PREDICTIONS = ["return self.max_len", "a", "The cat sat on a mat", "x y z"]
REFERENCES = [
    ["return self._max_len", "self.max"],
    ["a"],
    ["the cat sat on the mat", "on a mat the cat sat"],
    ["p q"],
]
TEXTS: dict[str, Any] = {"predictions": PREDICTIONS, "references": REFERENCES}


def textbook(prediction: str, references: list[str]) -> list[float]:
    """Compute BLEU and four precisions, step by step as CodeXGLUE does, from 0 to 1."""
    tiny = sys.float_info.min
    words = tokenize_mteval_v11a(prediction)
    others = [tokenize_mteval_v11a(reference) for reference in references]
    score, precisions = 0.0, []
    for order in range(1, 5):
        grams, *theirs = (
            Counter(tuple(text[at : at + order]) for at in range(len(text) - order + 1))
            for text in (words, *others)
        )
        most: Counter[tuple[str, ...]] = Counter()
        for counts in theirs:
            most |= counts
        match, total = (grams & most).total(), max(0, len(words) - order + 1)
        added = 0 if order == 1 else 1
        score += math.log(match + added + tiny) - math.log(total + added + tiny)
        logarithm = math.log(match + tiny) - math.log(total) if total else -10000000
        precisions.append(math.exp(logarithm))
    shortest = min(map(len, others))
    score /= 4.0
    score += min(0, 1 - (shortest + 1) / (len(words) + 1))
    return [math.exp(score), *precisions]


def percentages(rows: list[list[float]]) -> list[float]:
    """Return the five means of samples, as CodeXGLUE prints them."""
    sums = [0.0] * 5
    for row in rows:
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    return [total * 100.0 / len(rows) for total in sums]


@pytest.mark.usefixtures("kernel")
@given(samples)
def test_scores_equal_the_textbook(rows: list[tuple[str, list[str]]]) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    scorer = Scorer("bleu", profile="codexglue", sentence_bleu=True)
    scorer.update(predictions, references)
    expected = [textbook(*row) for row in rows]
    bleu, *precisions = percentages(expected)
    assert scorer.result() == {
        "bleu": bleu,
        "precisions": precisions,
        "sentence_bleu": [row[0] * 100 for row in expected],
    }
    pairs = PairScorer("bleu", profile="codexglue")
    assert [pairs(*row) for row in rows] == [row[0] * 100 for row in expected]


def test_intervals_are_around_the_mean() -> None:
    scorer = Scorer("bleu", profile="codexglue", seed=1, n_resamples=200)
    scorer.update(PREDICTIONS * 9, REFERENCES * 9)
    scores: Any = scorer.result(confidence=0.9)
    assert list(scores) == ["bleu", "bleu_low", "bleu_high", "precisions"]
    assert 20 < scores["bleu_low"] < scores["bleu"] < scores["bleu_high"] < 90
    perfect = Scorer("bleu", profile="codexglue", seed=1, confidence=0.9)
    perfect.update(["a b", "c"], ["a b", "c"])
    found = perfect.result()
    assert (found["bleu_low"], found["bleu_high"]) == (100.0, 100.0)


def test_each_reason_of_a_difference_is_what_was_computed() -> None:
    options: Any = {"profiles": ["hf", "codexglue"], "smooth": "exp", "max_order": 3}
    steps = compare_profiles(**TEXTS, **options).differences
    assert [(step.option, step.new) for step in steps] == [
        ("bleu_tokenizer", "mteval-v11a"),
        (
            "arithmetic",
            "max_order, smoothing, weights, reference_length and effective_order have no effect",
        ),
        ("arithmetic", "the mean of the BLEU of each sample, not the BLEU of all counts together"),
        (
            "arithmetic",
            "1 is added to the matches and the n-grams of each order above 1, and to both lengths "
            "of the brevity penalty; without a match of a single token the score is close to 0 but "
            "not 0",
        ),
        ("arithmetic", "percentages, from 0 to 100"),
    ]
    words: Any = {"tokenizer": "mteval-v11a"}
    sentences = load("bleu").compute(**TEXTS, **words, sentence_bleu=True)["sentence_bleu"]
    assert steps[2].after == sum(sentences) / 4
    assert steps[3].after * 100 == pytest.approx(steps[4].after, rel=1e-15)


def test_an_explanation_has_its_factors() -> None:
    found: Any = explain("a b x", ["a b c d", "a b c"], profile="codexglue").bleu
    assert [(order.matches, order.total) for order in found.orders] == [
        (2, 3),
        (1, 2),
        (0, 1),
        (0, 0),
    ]
    assert [order.smoothed for order in found.orders] == pytest.approx([200 / 3, 200 / 3, 50, 100])
    assert (found.reference, found.reference_length) == (1, 3)
    assert found.score == found.sentence_score == textbook("a b x", ["a b c"])[0] * 100
    assert 100 * math.exp(found.logarithm) == pytest.approx(found.score, rel=1e-14)
    tiny = explain("x", "a", profile="codexglue")
    assert tiny.notes == ("BLEU is close to 0: no token of the prediction occurs in a reference.",)
    short: Any = explain("", "a " * 800, profile="codexglue")
    assert (short.bleu.score, short.bleu.exponent, short.bleu.logarithm) == (0, None, None)
    assert short.notes[0] == "BLEU is 0: the prediction is too short for its references."


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_of_percentages_is_one_whose_scores_are(profile: str) -> None:
    options = Options.from_keywords({"profile": profile})
    parts = options.plan(PROFILES[profile].families).scores.values()
    assert any(part.scale == 100 for part in parts) == PROFILES[profile].percentages
