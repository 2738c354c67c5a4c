"""``PairScorer`` gives the numbers of ``metric.compute``, pair by pair."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import PairScorer
from bleu_rouge_metric.counting.kernels import BleuCounts
from bleu_rouge_metric.families.bleu.formula import prepare_sentence_score
from bleu_rouge_metric.families.bleu.rules import ARITHMETICS, SMOOTHINGS, make_bleu_rules
from bleu_rouge_metric.families.bleu.score import score_corpus

# Short sentences, and those around the end of the table of logarithms.
LENGTHS = st.integers(0, 9) | st.integers(60, 70)


def score_alone(counts: BleuCounts, rules: Any) -> float:
    """The score of a corpus of one sample."""
    score: float = next(iter(score_corpus(counts, np.array([0, 1]), rules).values()))
    return score


@given(st.data())
def test_sentence_scores_equal_those_of_a_corpus_of_one(data: st.DataObject) -> None:
    rules = make_bleu_rules(
        arithmetic=data.draw(st.sampled_from(ARITHMETICS)),
        smooth=data.draw(st.sampled_from(SMOOTHINGS)),
        max_order=data.draw(st.integers(1, 5)),
        # What the sentence and the corpus of one sample then have in common.
        effective_order=data.draw(st.booleans()),
        auto_reweigh=data.draw(st.booleans()),
    )
    length, reference = data.draw(LENGTHS), data.draw(LENGTHS)
    matches, most = [], length
    for start in range(rules.counted_order):
        most = data.draw(st.integers(0, max(min(most, length - start), 0)))
        matches.append(most)
    counts = BleuCounts(np.array([matches]), np.array([length]), np.array([reference]))
    assert prepare_sentence_score(rules)(matches, length, reference) == score_alone(counts, rules)


@pytest.mark.parametrize("length", [1, 17, 63, 64, 65, 66])
@pytest.mark.parametrize("arithmetic", ["hf", "sacrebleu"])
def test_every_precision_has_the_logarithm_of_a_corpus_of_one(arithmetic: Any, length: int) -> None:
    rules = make_bleu_rules(arithmetic=arithmetic, max_order=1)
    score = prepare_sentence_score(rules)
    for match in range(length + 1):
        counts = BleuCounts(np.array([[match]]), np.array([length]), np.array([length]))
        assert score([match], length, length) == score_alone(counts, rules)


def test_one_score_is_a_float_and_several_have_names() -> None:
    alone = PairScorer("rougeL")("the cat", "the cat")
    assert (type(alone), alone) == (float, 1.0)
    several: Any = PairScorer(("rougeW-1.0", "bleu"), max_order=1)("the cat", ["the cat", "a"])
    assert several == (1.0, 1.0)
    assert several._fields == ("rougeW_1_0", "bleu")
    assert several.bleu == 1.0
    assert pickle.loads(pickle.dumps(several))._asdict() == several._asdict()


def test_the_batch_of_one_score_is_an_array() -> None:
    found = PairScorer("rouge1").batch(["a b", "c"], ["a", ["d", "c"]])
    assert found.dtype == np.float64
    assert found.tolist() == [2 / 3, 1.0]


def test_long_texts_are_scored() -> None:
    # Longer than what the kernel counts without letting other threads run.
    text, other = "the cat sat on the mat " * 4_000, "a cat sat on a mat " * 4_000
    scorer = PairScorer(("rouge1", "rouge2", "bleu"))
    assert list(scorer(text, other)) == [array[0] for array in scorer.batch([text], [other])]


def test_a_repeated_reference_is_tokenized_once() -> None:
    calls: list[str] = []

    def tokenize(text: str) -> list[str]:
        calls.append(text)
        return text.split()

    scorer = PairScorer(("rouge1", "rougeLsum", "bleu"), tokenizer=tokenize)
    reference = "the cat sat down"
    completions = [f"the cat sat {place}" for place in range(100)]
    found = [scorer(completion, reference) for completion in completions]
    # Once for BLEU and once for ROUGE.
    assert calls.count(reference) == 2
    batch = scorer.batch(completions, [reference] * 100)
    assert calls.count(reference) == 2
    assert [list(row) for row in zip(*batch, strict=True)] == [list(row) for row in found]
    # Many other texts later it is tokenized again, so that the cache has a bound.
    scorer.batch([f"{place}" for place in range(1000)], [["another"]] * 1000)
    scorer("a cat", reference)
    assert calls.count(reference) == 4
    # A long text is not kept.
    scorer("a cat", long := "cat " * 3000)
    scorer("a cat", long)
    assert calls.count(long) == 4


def test_it_can_be_pickled_and_shows_itself() -> None:
    scorer = PairScorer(("rouge1", "bleu"), smooth="exp", use_stemmer=True)
    text = "PairScorer(('rouge1', 'bleu'), profile='hf', smooth='exp', use_stemmer=True)"
    assert repr(scorer) == text
    copy = pickle.loads(pickle.dumps(scorer))
    assert repr(copy) == text
    assert copy("running cats", "a cat ran") == scorer("running cats", "a cat ran")
    assert repr(PairScorer()) == "PairScorer('rougeL', profile='hf')"


def test_threads_share_a_scorer() -> None:
    scorer = PairScorer(("rouge1", "rougeL", "bleu"), smooth="exp")
    texts = [" ".join(np.random.default_rng(i).choice(list("abcdefg"), 12)) for i in range(200)]
    pairs = list(zip(texts, texts[::-1], strict=True)) * 10
    expected = [scorer(*pair) for pair in pairs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda pair: scorer(*pair), pairs)) == expected


@pytest.mark.parametrize("score", ["rougeL", "bleu", "google_bleu"])
@pytest.mark.parametrize("pair", [("кот", "кот"), ("cat", "кот"), ("кот", "cat")])
def test_a_text_without_tokens_is_warned_of_once(
    score: str, pair: tuple[str, str], recwarn: pytest.WarningsRecorder
) -> None:
    options: dict[str, Any] = {} if score == "rougeL" else {"max_order": 1}
    scorer: PairScorer[float] = PairScorer(score, tokenizer="rouge", **options)
    for _ in range(20):
        assert scorer("cat", "cat") == 1
    assert not recwarn
    for _ in range(3):
        assert scorer(*pair) == 0
    (warning,) = recwarn
    assert "leaves nothing of" in str(warning.message)
    assert warning.filename == __file__
