"""All combinations of the options of BLEU's arithmetic: compared with the textbook, and laws."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.counting.kernels import BleuCounts, count_bleu
from bleu_rouge_metric.families.bleu.formula import score_sentences
from bleu_rouge_metric.families.bleu.rules import (
    ARITHMETICS,
    REFERENCE_LENGTHS,
    SMOOTHINGS,
    BleuRules,
    make_bleu_rules,
)
from bleu_rouge_metric.families.bleu.score import score_corpus
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..support.bleu_references import Corpus, corpus_score, is_close, score_texts, split_corpus
from ..support.strategies import spaced_corpora
from ..support.textbook import score_bleu
from .test_nltk import weight_sets

SCORE_KEYS = {"hf": "bleu", "sacrebleu": "score", "nltk": "bleu"}
SCALES = {"hf": 1, "sacrebleu": 100, "nltk": 1}
LAST_SENTENCE = {"method5", "method6", "method7"}


@st.composite
def rules(
    draw: st.DrawFn, smooths: list[str] | None = None, *, is_plain: bool = False
) -> BleuRules:
    """Make any rules; plain rules have no weights, effective order and reweighing."""
    smooth = draw(st.sampled_from(smooths or list(SMOOTHINGS)))
    max_order = draw(st.integers(3, 6))
    return make_bleu_rules(
        arithmetic=draw(st.sampled_from(ARITHMETICS)),
        max_order=max_order,
        smooth=smooth,
        smooth_value=draw(st.none() | st.just(2)) if smooth in ("floor", "add-k") else None,
        reference_length=draw(st.none() | st.sampled_from(REFERENCE_LENGTHS)),
        effective_order=False if is_plain else draw(st.sampled_from([None, False, True])),
        auto_reweigh=False if is_plain else draw(st.booleans()),
        weights=None if is_plain else draw(st.none() | weight_sets(max_order, shortest=max_order)),
    )


@given(
    spaced_corpora,
    rules(["none", "add-one", "floor", "add-k", "exp", *(f"method{n}" for n in range(4))]),
)
def test_any_combination_equals_the_textbook(corpus: Corpus, rules: BleuRules) -> None:
    score = score_texts(corpus, rules)[0][SCORE_KEYS[rules.arithmetic]]
    assert is_close(score, SCALES[rules.arithmetic] * score_bleu(corpus, rules))


@given(spaced_corpora, rules(), st.integers(0, 99))
def test_the_order_of_samples_does_not_count(corpus: Corpus, rules: BleuRules, seed: int) -> None:
    if rules.smooth in LAST_SENTENCE:
        rules = rules._replace(smooth=f"{rules.smooth}-corrected")
    shuffled = random.Random(seed).sample(corpus, len(corpus))
    score, sentences = score_texts(corpus, rules)
    shuffled_score, shuffled_sentences = score_texts(shuffled, rules)
    assert score == shuffled_score
    assert sorted(sentences) == sorted(shuffled_sentences)


@given(spaced_corpora, rules())
def test_a_corpus_of_one_sample_scores_as_the_sentence(corpus: Corpus, rules: BleuRules) -> None:
    rules = rules._replace(effective_order=bool(rules.effective_order))
    key = SCORE_KEYS[rules.arithmetic]
    scores = [score_texts([sample], rules)[0][key] for sample in corpus]
    assert score_texts(corpus, rules)[1] == scores


@given(spaced_corpora, rules([*SMOOTHINGS[:5], "method4"], is_plain=True))
def test_scores_stay_within_their_scale(corpus: Corpus, rules: BleuRules) -> None:
    score, sentences = score_texts(corpus, rules._replace(smooth_value=None))
    scale = SCALES[rules.arithmetic]
    for value in (score[SCORE_KEYS[rules.arithmetic]], *sentences):
        assert 0 <= value <= scale * (1 + 1e-12)


@given(spaced_corpora, rules())
def test_a_longer_reference_length_never_raises_the_score(corpus: Corpus, rules: BleuRules) -> None:
    # Without any reference token evaluate's score is 0; the others score the matches.
    key = SCORE_KEYS[rules.arithmetic]
    shortest, average, longest = (
        score_texts(corpus, rules._replace(reference_length=policy))[0]
        for policy in ("shortest", "average", "longest")
    )
    if rules.arithmetic != "hf" or shortest["reference_length"]:
        assert shortest[key] >= average[key] * (1 - 1e-12)
    assert average[key] >= longest[key] * (1 - 1e-12)


@given(spaced_corpora, rules(), st.lists(weight_sets(3), min_size=2, max_size=3))
def test_several_sets_of_weights_score_as_each_alone(
    corpus: Corpus, rules: BleuRules, weights: list[tuple[float, ...]]
) -> None:
    key = SCORE_KEYS[rules.arithmetic]
    together, sentences = score_texts(corpus, rules._replace(weights=tuple(weights)))
    alone = [score_texts(corpus, rules._replace(weights=(one,))) for one in weights]
    assert together[key] == [score[key] for score, _ in alone]
    assert sentences == [list(scores) for scores in zip(*(one for _, one in alone), strict=True)]


@given(spaced_corpora, rules())
def test_counts_of_half_the_width_score_the_same(corpus: Corpus, rules: BleuRules) -> None:
    samples = check_samples(*split_corpus(corpus))
    counts = count_bleu(samples, rules.counted_order, TOKENIZERS["whitespace"])
    narrow = BleuCounts(*(array.astype(np.int32) for array in counts))
    both = [
        (score_corpus(each, samples.offsets, rules), score_sentences(each, samples.offsets, rules))
        for each in (narrow, counts)
    ]
    assert both[0][0] == both[1][0]
    assert (both[0][1] == both[1][1]).all()


LONG = [("a b c d e f g h", ["a b c d e f g h"]), ("p q r s t u", ["x y z", "p q r s t u"])]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("smooth", [*SMOOTHINGS[:9], "method4", "method6-corrected"])
def test_a_perfect_corpus_scores_all(arithmetic: str, smooth: str) -> None:
    score = corpus_score(LONG, arithmetic=arithmetic, smooth=smooth, reference_length="closest")
    assert is_close(score[SCORE_KEYS[arithmetic]], SCALES[arithmetic])


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("smooth", SMOOTHINGS)
@pytest.mark.parametrize("corpus", [[("", ["a b"])], [("", [""])], [("a b", [""])]])
def test_nothing_on_one_side_scores_0(corpus: Corpus, smooth: str, arithmetic: str) -> None:
    score, sentences = score_texts(corpus, make_bleu_rules(arithmetic=arithmetic, smooth=smooth))
    assert score[SCORE_KEYS[arithmetic]] == 0.0
    assert sentences == [0.0]


@pytest.mark.parametrize(
    ("policy", "length"), [("shortest", 2 + 2), ("closest", 4 + 2), ("average", 4.5 + 3),
                           ("longest", 8 + 4)]
)  # fmt: skip
def test_the_reference_length_is_that_of_the_policy(policy: str, length: float) -> None:
    corpus = [("a b c d e", ["a b", "a b c d e f g h", "a b c d", "p q r s"]),
              ("a b c", ["a b c d", "a b"])]  # fmt: skip
    score = corpus_score(corpus, reference_length=policy)
    assert score["reference_length"] == length
    assert type(score["reference_length"]) is (float if policy == "average" else int)
    assert score["brevity_penalty"] == (1.0 if length <= 8 else math.exp(1 - 1 / (8 / length)))


def test_weights_of_an_order_that_is_left_out_are_shared_among_the_others() -> None:
    # 3 of 4 unigrams and 1 of 2 + 1 bigrams match, there is no trigram: (1/3) / (1/3 + 1/6).
    corpus = [("a b c", ["a b x"]), ("d", ["d e"])]
    score = corpus_score(
        corpus, max_order=3, weights=[1 / 3, 1 / 6, 1 / 2], effective_order=True,
        smooth="none", reference_length="shortest",
    )  # fmt: skip
    assert score["precisions"] == [3 / 4, 1 / 2, 0.0]
    assert score["bleu"] == 0.0
    short = [("a b", ["a b x"]), ("d", ["y e"])]
    score = corpus_score(short, max_order=3, weights=[1 / 3, 1 / 6, 1 / 2], effective_order=True)
    assert is_close(score["bleu"], (2 / 3) ** (2 / 3) * score["brevity_penalty"])
