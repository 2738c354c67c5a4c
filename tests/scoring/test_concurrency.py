"""Threads and processes: what they may share, and that they get the same values as one thread."""

import copy
import multiprocessing
import pickle
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import evaluate
import numpy as np
import pytest

from bleu_rouge_metric import Scorer, load, rouge_scores

from ..conftest import METRIC, needs_native, require
from .test_ranks import NOT_INITIALISED

THREADS = 8
PREDICTIONS = [f"the {'old ' * (n % 3)}cat sat on {n % 5} mats" for n in range(400)]
REFERENCES = [[f"a cat sat on {n % 4} mats", f"the cat {n}"][: 1 + n % 2] for n in range(400)]


@pytest.fixture(autouse=True)
def _switching_often() -> Iterator[None]:
    """Switch threads every microsecond, so that unsafe code fails."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def take(start: int, stop: int) -> dict[str, Any]:
    """Take some samples as keyword arguments."""
    return {"predictions": PREDICTIONS[start:stop], "references": REFERENCES[start:stop]}


def run_threads(work: Callable[[int], Any]) -> list[Any]:
    """Start threads together, with the kernel of this one; return the result of each."""
    barrier = threading.Barrier(THREADS)
    contexts = [copy_context() for _ in range(THREADS)]

    def start(index: int) -> Any:
        barrier.wait()
        return work(index)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(lambda index: contexts[index].run(start, index), range(THREADS)))


@pytest.mark.parametrize("is_shared", [False, True])
def test_threads_compute_what_one_does(metric: evaluate.Metric, *, is_shared: bool) -> None:
    def work(index: int) -> int:
        own = metrics[index]
        texts, equal = take(index, index + 2), 0
        for _ in range(300):
            if not is_shared:
                own.add_batch(**texts)
            equal += own.compute(**({} if not is_shared else texts)) == expected[index]
        return equal

    # The metrics are loaded one after the other: evaluate.load calls importlib.invalidate_caches,
    # which fails if two threads of Python 3.11 run it at the same time.
    metrics = [metric if is_shared else evaluate.load(METRIC) for _ in range(THREADS)]
    expected = [metric.compute(**take(index, index + 2)) for index in range(THREADS)]
    assert run_threads(work) == [300] * THREADS


def test_batches_that_threads_add_are_scored_together(metric: evaluate.Metric) -> None:
    def work(index: int) -> None:
        for start in range(50 * index, 50 * index + 50):
            if start % 2:
                metric.add_batch(**take(start, start + 1))
            else:
                metric.add(prediction=PREDICTIONS[start], reference=REFERENCES[start])

    expected = metric.compute(**take(0, 400))
    run_threads(work)
    assert len(metric) == 400
    # Sums of integers and exact means: the order does not matter.
    assert metric.compute() == expected


def test_no_sample_is_lost_or_scored_twice_while_threads_compute(bleu: evaluate.Metric) -> None:
    def work(index: int) -> int:
        length = 0
        for start in range(50 * index, 50 * index + 50):
            bleu.add_batch(**take(start, start + 1))
            # It scores what other threads have added, and puts it back after an error.
            with pytest.raises(ZeroDivisionError):
                bleu.compute(**take(0, 1), tokenizer=lambda _: [str(1 // 0)])
            length += bleu.compute(**take(0, 1))["translation_length"] - first
        return length

    first = bleu.compute(**take(0, 1))["translation_length"]
    expected = bleu.compute(**take(0, 400))["translation_length"]
    assert sum(run_threads(work)) == expected
    assert len(bleu) == 0


def test_threads_may_ask_for_the_signature(metric: evaluate.Metric) -> None:
    def work(index: int) -> set[str]:
        found = set()
        for _ in range(200):
            if index % 2:
                metric.compute(**take(0, 1 + index // 2))
            found.add(metric.signature())
            found.add(pickle.loads(pickle.dumps(metric)).signature())
        return found

    expected = set()
    for samples in range(1, 1 + THREADS // 2):
        metric.compute(**take(0, samples))
        expected.add(metric.signature())
    assert set().union(*run_threads(work)) == expected


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore:seed is")  # also results without resampling
@pytest.mark.parametrize("keyed", [True, False])
def test_threads_update_one_scorer(*, keyed: bool) -> None:
    def work(index: int) -> None:
        for start in range(10 * index, 400, 10 * THREADS):
            keys = range(start, start + 10) if keyed else None
            scorer.update(**take(start, start + 10), keys=keys)
            scorer.result()

    expected, scorer = Scorer(seed=1, confidence=0.9, n_resamples=10), Scorer(seed=1)
    expected.update(**take(0, 400))
    run_threads(work)
    assert len(scorer) == 400
    assert scorer.result() == expected.result(confidence=None)
    if keyed:
        every = expected.result(use_aggregator=False, confidence=None)
        assert scorer.result(use_aggregator=False) == every
        assert scorer.result(confidence=0.9, n_resamples=10) == expected.result()


def test_threads_share_a_sentence_splitter() -> None:
    # pysbd's segmenter stores the text that it splits.
    require("pysbd")
    texts = [f"Mr. Smith has {n} dogs. They ran to the U.S. last May." for n in range(40)]
    options: Any = {"rouge_types": ["rougeLsum"], "sentence_splitter": "pysbd"}

    def work(index: int) -> list[float]:
        own = texts[5 * index :] + texts[: 5 * index]
        scores: list[float] = rouge_scores(own, texts, **options)["rougeLsum"].fmeasure.tolist()
        return scores

    expected = [work(index) for index in range(THREADS)]
    for _ in range(3):
        assert run_threads(work) == expected


def test_the_random_numbers_of_numpy_are_left_alone(metric: evaluate.Metric) -> None:
    before = repr(np.random.get_state())  # noqa: NPY002 - this state is tested
    metric.compute(**take(0, 9), aggregator="bootstrap", confidence=0.9, n_resamples=10)
    assert repr(np.random.get_state()) == before  # noqa: NPY002


def _score_everywhere(metric: Any, scorer: Scorer) -> tuple[Any, Any, Any, Any, Scorer]:
    """Score in another process: with a new metric, a sent one, and a scorer that goes back."""
    own = load().compute(**take(0, 400))
    held = metric.compute(**take(200, 400))
    scorer.update(**take(200, 400))
    return own, held, metric.signature(), scorer.result(use_aggregator=False), scorer


# Python 3.12 warns of any fork in a process with threads; the worker threads have ended.
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize(
    ("kernel", "method"),
    [
        pytest.param("native", "spawn", marks=needs_native),
        pytest.param("native", "fork", marks=needs_native),
        ("python", "fork"),
    ],
    indirect=["kernel"],
)
def test_processes_compute_what_one_does(
    kernel: str, method: str, metric: evaluate.Metric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLEU_ROUGE_KERNEL", kernel)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "4")
    # Threads of the compiled kernel run before the fork.
    expected = metric.compute(**take(0, 400))
    line = metric.signature()
    every = Scorer()
    every.update(**take(0, 400))
    metric.add_batch(**take(0, 200))
    scorer = Scorer()
    scorer.update(**take(0, 200))
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        calls = [pool.submit(_score_everywhere, metric, scorer) for _ in range(3)]
        for call in calls:
            own, held, signature, samples, sent = call.result(timeout=120)
            assert own == held == expected
            assert signature.split("|kernel:")[0] == line.split("|kernel:")[0]
            assert samples == every.result(use_aggregator=False)
            assert sent.result() == every.result()
    assert len(metric) == len(scorer) == 200


@pytest.mark.parametrize(
    "make_copy",
    [copy.copy, copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_is_a_metric_of_its_own(
    metric: evaluate.Metric, make_copy: Callable[[evaluate.Metric], evaluate.Metric]
) -> None:
    expected = [metric.compute(**take(0, stop)) for stop in (2, 3)]
    metric.add_batch(**take(0, 2))
    other = make_copy(metric)
    other.add_batch(**take(2, 3))
    assert (len(metric), len(other)) == (2, 3)
    assert other.compute() == expected[1]
    assert metric.compute() == expected[0]
    other.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    assert (len(metric), len(other)) == (0, 1)


def test_a_single_process_reduces_to_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    scorer, six, every = Scorer(), Scorer(), Scorer()
    for one, stop in ((scorer, 6), (six, 6), (every, 9)):
        one.update(**take(0, stop))
    reduced, gathered = scorer.all_reduce(), scorer.gather()
    scorer.update(**take(6, 9))
    assert isinstance(gathered, Scorer)
    assert reduced.result() == gathered.result() == six.result()
    assert scorer.result() == every.result()
    with pytest.raises(ValueError, match=r"^dst is 1; expected 0, the only process\.$"):
        scorer.gather(1)


def test_a_rank_without_a_process_group_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match=f"^{re.escape(NOT_INITIALISED)}$"):
        Scorer().all_reduce()
