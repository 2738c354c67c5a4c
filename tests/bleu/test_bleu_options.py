"""All combinations of the options of BLEU's arithmetic: compared with the textbook, and laws."""

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

from ..support.bleu_references import Corpus, is_close, score_texts, split_corpus
from ..support.strategies import spaced_corpora
from ..support.textbook import score_bleu
from .test_nltk import weight_sets

SCORE_KEYS = {"hf": "bleu", "sacrebleu": "score", "nltk": "bleu"}
SCALES = {"hf": 1, "sacrebleu": 100, "nltk": 1}
LAST_SENTENCE = {"method5", "method6", "method7"}


@st.composite
def rules(draw: st.DrawFn, smooths: list[str] | None = None) -> BleuRules:
    smooth = draw(st.sampled_from(smooths or list(SMOOTHINGS)))
    max_order = draw(st.integers(3, 6))
    return make_bleu_rules(
        arithmetic=draw(st.sampled_from(ARITHMETICS)),
        max_order=max_order,
        smooth=smooth,
        smooth_value=draw(st.none() | st.just(2)) if smooth in ("floor", "add-k") else None,
        reference_length=draw(st.none() | st.sampled_from(REFERENCE_LENGTHS)),
        effective_order=draw(st.sampled_from([None, False, True])),
        auto_reweigh=draw(st.booleans()),
        weights=draw(st.none() | weight_sets(max_order, shortest=max_order)),
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


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("smooth", SMOOTHINGS)
@pytest.mark.parametrize("corpus", [[("", ["a b"])], [("", [""])], [("a b", [""])]])
def test_nothing_on_one_side_scores_0(corpus: Corpus, smooth: str, arithmetic: str) -> None:
    score, sentences = score_texts(corpus, make_bleu_rules(arithmetic=arithmetic, smooth=smooth))
    assert score[SCORE_KEYS[arithmetic]] == 0.0
    assert sentences == [0.0]
