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


OPTIONS: list[dict[str, Any]] = [
    {"score": "rouge1"},
    {"score": "rougeL", "use_stemmer": True},
    {"score": "rougeL", "tokenizer": "unicode"},
    {"score": "bleu", "lowercase": True, "smooth": "exp"},
    {"score": "rougeSU4", "use_stemmer": "french", "rouge_tokenizer": "unicode"},
    {"score": "rougeLsum", "tokenizer": "xlsum"},
    {"score": "rouge-l", "profile": "rouge"},
]
SEVERAL = {"score": ("rouge1", "rouge2", "rougeL", "rougeLsum", "bleu")}
each_options = pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))


@pytest.fixture(autouse=True)
def native() -> Iterator[None]:
    with use_kernel("native"):
        yield


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


def check_calls(*calls: Callable[[], Any]) -> None:
    """Call again after each failure."""
    for call in calls:
        expected = repr_of(call())
        assert [*each_failure(call)]
        assert repr_of(call()) == expected


@pytest.mark.parametrize("options", [*OPTIONS, SEVERAL], ids=range(len(OPTIONS) + 1))
def test_pair_scorers(options: dict[str, Any]) -> None:
    # The profile rouge compares with one reference.
    more = [] if "profile" in options else ["the cat"]
    scorer = PairScorer(**options)

    def score() -> list[Any]:
        return [scorer(text, [other, *more]) for text in TEXTS for other in TEXTS]

    expected = repr(score())
    # All pairs are scored while one allocation fails, and then the first pairs again.
    for number in each_failure(score):
        if number % 7 == 0:
            assert repr(score()) == expected
    assert repr(score()) == expected


@each_options
def test_matrices_and_near_duplicates(options: dict[str, Any]) -> None:
    check_calls(
        lambda: score_matrix(TEXTS, **options),
        lambda: near_duplicates(TEXTS * 2, **options).score,
    )


@pytest.mark.parametrize("threads", ["1", "3"])
def test_batches(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", threads)
    many = ([LONG * 40, *TEXTS] * 8)[:6]
    check_calls(
        lambda: rouge_scores(many, many[::-1])["rougeL"].fmeasure,
        lambda: rouge_scores(IDS, IDS[::-1], tokenizer="ids")["rougeLsum"].fmeasure,
        lambda: rouge_scores(TEXTS, TEXTS[::-1], rouge_types=["rougeW"])["rougeW"].fmeasure,
    )


@each_options
def test_indexes(options: dict[str, Any]) -> None:
    for text in TEXTS:
        index, other = DuplicateIndex(**options), DuplicateIndex(**options)
        index.add(TEXTS[:1])
        other.add(TEXTS[:1])
        expected = other.add_if_new(text)
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


def test_scorers() -> None:
    scorer, whole = Scorer(), Scorer()
    for one in (scorer, whole):
        one.update(TEXTS[:1], TEXTS[1:2])
    before = repr(scorer.result())
    for _ in each_failure(lambda: scorer.update(TEXTS, TEXTS[::-1])):
        if len(scorer) != 1:
            break
        assert repr(scorer.result()) == before
    whole.update(TEXTS, TEXTS[::-1])
    assert repr(scorer.result()) == repr(whole.result())
