"""``PairScorer``, and the quick way of ``metric.compute`` for one sample of plain texts.

That both give the numbers of a ``Scorer`` is a law of ``tests/laws``.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import PairScorer, Scorer, bleu_score, load, rouge_scores
from bleu_rouge_metric.counting.native_kernel import make_pair_counter
from bleu_rouge_metric.counting.pairs import RougePairs
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.families.rouge.formulas import prepare_best
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.profiles import BOTH
from bleu_rouge_metric.scoring.results import find_single_pair, read_pair
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("length", [1, 17, 63, 64, 65, 66])
@pytest.mark.parametrize("profile", ["hf", "sacrebleu"])
def test_every_precision_has_the_logarithm_of_a_corpus_of_one(profile: Any, length: int) -> None:
    score = PairScorer("bleu", profile=profile, max_order=1)
    for matches in range(length + 1):
        pair = "a " * matches + "b " * (length - matches), "a " * length
        scorer = Scorer("bleu", profile=profile, max_order=1)
        scorer.update([pair[0]], [pair[1]])
        assert score(*pair) == next(iter(scorer.result().values()))


def test_one_score_is_a_float_or_an_array_and_several_have_names() -> None:
    alone = PairScorer("rougeL")("the cat", "the cat")
    assert (type(alone), alone) == (float, 1.0)
    found = PairScorer("rouge1").batch(["a b", "c"], ["a", ["d", "c"]])
    assert found.dtype == np.float64
    assert found.tolist() == [2 / 3, 1.0]
    several: Any = PairScorer(("rougeW-1.0", "bleu"), max_order=1)("the cat", ["the cat", "a"])
    assert several == (1.0, 1.0)
    assert several._fields == ("rougeW_1_0", "bleu")
    assert several.bleu == 1.0
    assert pickle.loads(pickle.dumps(several))._asdict() == several._asdict()


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


def test_common_calls_take_the_fast_path() -> None:
    for options in ({}, {"profile": "sacrebleu"}, {"use_stemmer": True}, {"profile": "coco"}):
        assert find_single_pair(Options.from_keywords(options), BOTH) is not None
    assert read_pair(["a"], ["b"]) == ("a", ["b"])
    assert read_pair(["a"], [["b", "c"]]) == ("a", ["b", "c"])


def test_the_quick_way_warns_of_a_text_without_tokens() -> None:
    for score in (load("rouge").compute, rouge_scores):
        with pytest.warns(UserWarning, match="leaves nothing of"):
            score(predictions=["!?"], references=["a cat"])


def test_the_signature_is_that_of_the_last_pair() -> None:
    metric = load("bleu", seed=3)
    metric.compute(predictions=["a b"], references=[["a b", "c"]])
    quick = metric.signature()
    metric.compute(predictions=("a b",), references=[["a b", "c"]])
    assert quick == metric.signature()
    assert "nrefs:2" in quick


def test_functions_give_the_types_of_batches() -> None:
    score = bleu_score(["a b c d e"], ["a b c d e"])
    assert score == (1.0, [1.0] * 4, 1.0, 1.0, 5, 5)
    assert list(map(type, score)) == [float, list, float, float, int, int]


@needs_native
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: prepare_best([(0,), (3,)], 3), "A type has the place 3, but a reference has 3 "),
        (lambda: RougePairs([], TOKENIZERS["rouge"], NEWLINE, lin2004=False), "rouge_types is em"),
        (lambda: make_pair_counter(CountPlan(), TOKENIZERS["rouge"], NEWLINE), "the plan has no "),
    ],
)
def test_a_plan_that_lacks_a_column_is_an_error(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
