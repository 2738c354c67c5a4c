"""No thread and no fork waits while the samples of a scorer are joined or sorted."""

import os
import pickle
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.scoring import batches
from bleu_rouge_metric.scoring.batches import SampleStore

# Every scorer here gets a seed, so that results and states can be compared.
pytestmark = pytest.mark.filterwarnings("ignore:seed is")

TEXTS = [f"the {'old ' * (n % 3)}cat sat on {n % 5} mats" for n in range(12)]
REFERENCES = [f"a cat sat on {n % 4} mats" for n in range(12)]

# In an order of their own, and in two batches that are not joined before they are needed.
KEYS = [[7, 6, 5, 4, 3, 2, 1, 0], [9, 8]]


def update(scorer: Scorer, keys: list[int]) -> None:
    """Count the samples of these keys."""
    scorer.update([TEXTS[key] for key in keys], [REFERENCES[key] for key in keys], keys=keys)


def make_scorer() -> Scorer:
    scorer = Scorer(seed=1)
    for keys in KEYS:
        update(scorer, keys)
    return scorer


def use_scorers(scorer: Scorer) -> int:
    """Use a scorer and others; return the number of its samples."""
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
        ("select_counts", lambda scorer: scorer.keys().tolist()),
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
    function = select_counts
    scorer = make_scorer()
    expected = make_scorer().result()

    def reset(*arguments: Any) -> Any:
        scorer.reset()
        return function(*arguments)

    monkeypatch.setattr(batches, "select_counts", reset)
    assert scorer.result() == expected
    assert len(scorer) == 0


@pytest.mark.parametrize(
    "change",
    [lambda scorer, _: scorer.reset(), Scorer.load_state_dict],
    ids=["reset", "load_state_dict"],
)
def test_samples_are_not_replaced_while_others_are_added(
    change: Callable[[Scorer, dict[str, Any]], None],
) -> None:
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_no_fork_waits_while_samples_are_sorted() -> None:
    code = """
        import os, threading, warnings
        from bleu_rouge_metric import Scorer
        from bleu_rouge_metric.scoring import batches
        warnings.simplefilter("ignore")  # Python 3.12 warns of a fork in a process with threads
        function = batches.select_counts
        has_begun, may_end = threading.Event(), threading.Event()
        def wait(*arguments):
            has_begun.set()
            may_end.wait()
            return function(*arguments)
        batches.select_counts = wait
        scorer = Scorer("rouge")
        scorer.update(["a b", "a c"], ["a b", "a b"], keys=[1, 0])
        thread = threading.Thread(target=scorer.result)
        thread.start()
        has_begun.wait()
        child = os.fork()
        if child == 0:
            batches.select_counts = function
            scorer.update(["a b"], ["a b"], keys=[2])
            os._exit(0 if scorer.result(use_aggregator=False)["rouge1"] == [0.5, 1, 1] else 1)
        status = os.waitpid(child, 0)[1]
        may_end.set()
        thread.join()
        print(status, len(scorer))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("0 2\n", "")
