"""A MemoryError anywhere in the compiled kernel leaves everything as it was before the call.

Only the sanitizer build has allocations that fail on request (``nox -s sanitize``).
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import pytest

from bleu_rouge_metric import (
    DuplicateIndex,
    PairScorer,
    Scorer,
    near_duplicates,
    rouge_scores,
    score_matrix,
    use_kernel,
)

kernel: Any = pytest.importorskip("bleu_rouge_kernel")
pytestmark = pytest.mark.skipif(
    not hasattr(kernel, "fail_allocation"), reason="a kernel whose memory does not fail"
)

# More words than the first tables of words have room for, some of them longer than 16 bytes.
LONG = " ".join(f"w{index} word-number-{index:09}" for index in range(150))
LINES = "\n".join(f"line {index} of many\nand a w{index}" for index in range(40))
TEXTS = ["the cat sat on the mat", LONG, LINES, "a cat sat. Déjà-vu, 3,000 times!"]
IDS = [[index % 97, 5, 6] * 40 for index in range(4)]


PAIR_OPTIONS: list[dict[str, Any]] = [
    {"score": ("rouge1", "rouge2", "rougeL", "rougeLsum", "bleu")},
    {"score": ("rouge1", "rougeL"), "use_stemmer": True},
    {"score": "rougeL", "tokenizer": "unicode"},
    {"score": "bleu", "lowercase": True, "smooth": "exp"},
    {"score": ("rougeS", "rougeSU4"), "use_stemmer": "french", "rouge_tokenizer": "unicode"},
    {"score": "rougeLsum", "tokenizer": "xlsum"},
    {"score": "rouge-l", "profile": "rouge"},
]


@pytest.fixture(autouse=True)
def constructors_have_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nanobind itself ends the process if it has no memory for a new object."""

    def with_memory(make: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            left = kernel.fail_allocation(0)
            try:
                return make(*arguments, **options)
            finally:
                kernel.fail_allocation(left)

        return call

    names = ("TextColumn", "IdColumn", "Tokenization", "WordForms", "CountPlan", "TextPool")
    for name in (*names, "NearestIndex", "PairCounter"):
        monkeypatch.setattr(kernel, name, with_memory(getattr(kernel, name)))


def each_failure(call: Callable[[], Any]) -> Iterator[int]:
    """Call with the first allocation failing, then with the second, until a call needs fewer."""
    for number in count(1):
        kernel.fail_allocation(number)
        with suppress(MemoryError):
            call()
        if kernel.fail_allocation(0):
            return
        yield number


def repr_of(value: Any) -> str:
    return repr(value.tolist() if hasattr(value, "tolist") else value)


@pytest.mark.parametrize("options", PAIR_OPTIONS, ids=range(len(PAIR_OPTIONS)))
def test_pair_scorers(options: dict[str, Any]) -> None:
    # The profile rouge compares with one reference.
    more = [] if "profile" in options else ["the cat"]
    with use_kernel("native"):
        scorer = PairScorer(**options)

        def score() -> list[Any]:
            return [scorer(text, [other, *more]) for text in TEXTS for other in TEXTS]

        expected = repr(score())
        # All pairs are scored while one allocation fails, and then the first pairs again.
        for number in each_failure(score):
            if number % 7 == 0:
                assert repr(score()) == expected
        assert repr(score()) == expected


@pytest.mark.parametrize("options", PAIR_OPTIONS, ids=range(len(PAIR_OPTIONS)))
def test_matrices_and_near_duplicates(options: dict[str, Any]) -> None:
    score = options["score"] if isinstance(options["score"], str) else options["score"][0]
    given = {**options, "score": score}
    with use_kernel("native"):
        for call in (
            lambda: score_matrix(TEXTS, **given),
            lambda: near_duplicates(TEXTS * 2, **given).score,
        ):
            expected = repr_of(call())
            assert [*each_failure(call)]
            assert repr_of(call()) == expected


@pytest.mark.parametrize("options", PAIR_OPTIONS, ids=range(len(PAIR_OPTIONS)))
def test_indexes(options: dict[str, Any]) -> None:
    score = options["score"] if isinstance(options["score"], str) else options["score"][0]
    given = {**options, "score": score}

    def make() -> DuplicateIndex:
        index = DuplicateIndex(**given)
        index.add(TEXTS[:1])
        return index

    with use_kernel("native"):
        for text in TEXTS:
            expected = make().add_if_new(text)
            index = make()
            for _ in each_failure(partial(index.find, text)):
                assert repr(index.find(text)) == repr(expected)
            for _ in each_failure(partial(index.add_if_new, text)):
                if len(index) > 1:
                    break
                # Nothing of the text is left.
                assert repr(index.find(text)) == repr(expected)
                assert index.find(TEXTS[0]).nearest == 0
            assert len(index) == 1 + expected.is_new
            assert index.find(TEXTS[0]).nearest == 0


@pytest.mark.parametrize("threads", ["1", "3"])
def test_batches(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", threads)
    many = [LONG * 40, *TEXTS] * 8
    calls: list[Callable[[], Any]] = [
        lambda: rouge_scores(many[:6], many[:6][::-1])["rougeL"].fmeasure,
        lambda: rouge_scores(IDS, IDS[::-1], tokenizer="ids")["rougeLsum"].fmeasure,
        lambda: rouge_scores(TEXTS, TEXTS[::-1], rouge_types=["rougeW"])["rougeW"].fmeasure,
    ]
    with use_kernel("native"):
        for call in calls:
            expected = repr_of(call())
            assert [*each_failure(call)]
            assert repr_of(call()) == expected


def test_scorers() -> None:
    with use_kernel("native"):
        scorer = Scorer()
        scorer.update(TEXTS[:1], TEXTS[1:2])
        before = repr(scorer.result())
        for _ in each_failure(lambda: scorer.update(TEXTS, TEXTS[::-1])):
            if len(scorer) != 1:
                break
            assert repr(scorer.result()) == before
        whole = Scorer()
        whole.update(TEXTS[:1], TEXTS[1:2])
        whole.update(TEXTS, TEXTS[::-1])
        assert repr(scorer.result()) == repr(whole.result())
