"""Threads and forks: what threads may share, that they get what one gets, and none waits long."""

import copy
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import evaluate
import numpy as np
import pytest

from bleu_rouge_metric import Scorer, rouge_scores
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.scoring import batches
from bleu_rouge_metric.scoring.batches import SampleStore

from ..conftest import METRIC, require
from ..support.processes import run_python

# Every scorer here gets a seed, so that results and states can be compared.
pytestmark = pytest.mark.filterwarnings("ignore:seed is")

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
        own, texts, equal = metrics[index], take(index, index + 2), 0
        for _ in range(60):
            if not is_shared:
                own.add_batch(**texts)
            equal += own.compute(**(texts if is_shared else {})) == expected[index]
        return equal

    # The metrics are loaded one after the other: evaluate.load calls importlib.invalidate_caches,
    # which fails if two threads of Python 3.11 run it at the same time.
    metrics = [metric if is_shared else evaluate.load(METRIC) for _ in range(THREADS)]
    expected = [metric.compute(**take(index, index + 2)) for index in range(THREADS)]
    assert run_threads(work) == [60] * THREADS


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


@pytest.mark.usefixtures("kernel")
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

    def work(index: int) -> Any:
        own = texts[5 * index :] + texts[: 5 * index]
        return rouge_scores(own, texts, **options)["rougeLsum"].fmeasure.tolist()

    assert run_threads(work) == [work(index) for index in range(THREADS)]


def test_the_random_numbers_of_numpy_are_left_alone(metric: evaluate.Metric) -> None:
    before = repr(np.random.get_state())  # noqa: NPY002 - this state is tested
    metric.compute(**take(0, 9), aggregator="bootstrap", confidence=0.9, n_resamples=10)
    assert repr(np.random.get_state()) == before  # noqa: NPY002


@pytest.mark.parametrize(
    "make_copy", [copy.copy, copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))]
)
def test_a_copy_is_a_metric_of_its_own(metric: evaluate.Metric, make_copy: Any) -> None:
    expected = [metric.compute(**take(0, stop)) for stop in (2, 3)]
    metric.add_batch(**take(0, 2))
    other = make_copy(metric)
    other.add_batch(**take(2, 3))
    assert (len(metric), len(other)) == (2, 3)
    assert other.compute() == expected[1]
    assert metric.compute() == expected[0]
    other.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    assert (len(metric), len(other)) == (0, 1)


# No thread waits while the samples of a scorer are joined or sorted.


def update(scorer: Scorer, keys: list[int]) -> None:
    scorer.update([PREDICTIONS[key] for key in keys], [REFERENCES[key] for key in keys], keys=keys)


def make_scorer() -> Scorer:
    scorer = Scorer(seed=1)
    # In an order of their own, and in two batches that are not joined before they are needed.
    for keys in ([7, 6, 5, 4, 3, 2, 1, 0], [9, 8]):
        update(scorer, keys)
    return scorer


def use_scorers(scorer: Scorer) -> int:
    other, another = make_scorer(), make_scorer()
    other.merge(another)
    another.load_state_dict(other.state_dict())
    assert len(pickle.loads(pickle.dumps(another))) == 20
    other.result()
    other.reset()
    scorer.signature()
    repr(scorer)
    update(scorer, [10, 11])
    return len(scorer)


@pytest.mark.parametrize(
    ("slow", "work"),
    [
        # It sorts the counts.
        ("select_counts", lambda scorer: scorer.counts().reference_counts.tolist()),
        ("select_counts", Scorer.result),
        ("concatenate_counts", Scorer.result),
        ("concatenate_counts", Scorer.state_dict),
        ("concatenate_counts", lambda scorer: scorer.all_reduce().result()),
    ],
)
def test_no_thread_waits_while_samples_are_joined_or_sorted(
    slow: str, work: Callable[[Scorer], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    function = getattr(batches, slow)
    has_begun, may_end = threading.Event(), threading.Event()

    def wait(*arguments: Any) -> Any:
        if threading.current_thread().name.startswith("slow"):
            has_begun.set()
            may_end.wait()
        return function(*arguments)

    monkeypatch.delenv("RANK", raising=False)
    scorer, every = make_scorer(), Scorer(seed=1)
    expected = work(make_scorer())
    update(every, [*range(12)])
    monkeypatch.setattr(batches, slow, wait)
    with ThreadPoolExecutor(1, "slow") as busy, ThreadPoolExecutor(1) as pool:
        call = busy.submit(work, scorer)
        has_begun.wait()
        try:
            assert pool.submit(use_scorers, scorer).result(timeout=60) == 12
        finally:
            may_end.set()
    # What came meanwhile is not in the result, and not lost.
    assert call.result() == expected
    assert scorer.result(use_aggregator=False) == every.result(use_aggregator=False)


def test_samples_that_were_removed_meanwhile_do_not_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scorer, expected = make_scorer(), make_scorer().result()

    def reset(*arguments: Any) -> Any:
        scorer.reset()
        return select_counts(*arguments)

    monkeypatch.setattr(batches, "select_counts", reset)
    assert scorer.result() == expected
    assert len(scorer) == 0


@pytest.mark.parametrize("change", [lambda scorer, _: scorer.reset(), Scorer.load_state_dict])
def test_samples_are_not_replaced_while_others_are_added(change: Callable[..., None]) -> None:
    scorer, state = make_scorer(), make_scorer().state_dict()
    update(scorer, [10, 11])
    with SampleStore._lock:
        # Another thread is between its look at the samples and what it makes of them.
        thread = threading.Thread(target=change, args=(scorer, state))
        thread.start()
        thread.join(0.2)
        assert len(scorer) == 12
    thread.join()
    assert len(scorer) in (0, 10)


# Forks while threads work.

FORKS = """
import faulthandler, os, random, threading, time, warnings
from bleu_rouge_metric import DuplicateIndex, Options, Scorer, load, rouge_scores
from bleu_rouge_metric.text import sentences
warnings.simplefilter("ignore")  # Python 3.12 warns of a fork in a process with threads
os.environ["BLEU_ROUGE_THREADS"] = "4"
texts = ["a b"] * 50, ["a c"] * 50
many = ["a b " * 100] * 400, ["a c " * 100] * 400
expected = rouge_scores(*many)["rougeL"].fmeasure.tolist()
long = [" ".join(random.choices("abcdefgh", k=300)) for _ in range(50)]
scorer, merged, other, metric, index = Scorer(), Scorer(), Scorer(), load(), DuplicateIndex()
other.update(*texts)

def use_scorer():
    scorer.update(*texts)
    scorer.counts()
    if len(scorer) > 10_000:
        scorer.reset()

def merge():
    merged.merge(other)
    merged.state_dict()
    if len(merged) > 10_000:
        merged.reset()

def use_metric():
    metric.add_batch(predictions=texts[0], references=texts[1])
    metric.compute(predictions=["a"], references=["a"])
    metric.signature()

def check_options():
    Options(rouge_types=["rougeLsum"], sentence_splitter=str.split).plan()
    Options.from_keywords({"stop_words": ["the"]}).plan()

def use_threads_of_the_compiled_kernel():
    assert rouge_scores(*many)["rougeL"].fmeasure.tolist() == expected

def find_duplicates():
    index.add_if_new(random.choice(long))
    index.find("a b")

def load_splitter():
    sentences._load_pysbd.cache_clear()
    sentences.resolve_sentence_splitter("pysbd")

def repeat(work):
    while not ended.is_set():
        work()

works = [use_scorer, merge, use_metric, check_options, use_threads_of_the_compiled_kernel,
         find_duplicates, load_splitter]
for work in works:
    work()
ended = threading.Event()
threads = [threading.Thread(target=repeat, args=(work,)) for work in works]
for thread in threads:
    thread.start()
statuses = []
while len(statuses) < 25 and not any(statuses):
    time.sleep(0.003)
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later(60, exit=True)  # ends a child that hangs
        for work in works:
            work()
        os._exit(0)
    statuses.append(os.waitpid(child, 0)[1])
ended.set()
for thread in threads:
    thread.join()
print(len(statuses), set(statuses))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_that_is_forked_while_threads_work_ends() -> None:
    require("pysbd")
    done = run_python(FORKS)
    assert (done.stdout, done.stderr) == ("25 {0}\n", "")
