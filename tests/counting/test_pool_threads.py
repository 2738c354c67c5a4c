"""Threads share a pool of the compiled kernel, and signals come while it adds texts."""

import os
import signal
import threading
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import DuplicateIndex, use_kernel
from bleu_rouge_metric.counting import kernels
from bleu_rouge_metric.counting.pools import Pool, PoolPairs, ScoreTable
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native

pytestmark = [needs_native]

LCS = CountPlan(lcs=True)
WHITESPACE = TOKENIZERS["whitespace"]


def test_candidates_are_added_while_others_search() -> None:
    with use_kernel("native"):
        pool = Pool([f"w{index} a" for index in range(300)])
        index = kernels.make_nearest_index(pool, LCS, WHITESPACE, NEWLINE)
        index.add(np.array([0]), np.array([0]))
        table = ScoreTable(np.zeros(8), np.zeros((1, 1), dtype=np.int64))
        errors: list[str] = []

        def search() -> None:
            try:
                for _ in range(2000):
                    index.search(np.arange(20), np.zeros(20, dtype=np.int64), table, 1)
            except ValueError as error:
                errors.append(str(error))

        threads = [threading.Thread(target=search) for _ in range(2)]
        for thread in threads:
            thread.start()
        for text in range(1, 300):
            # From now on the table has too few columns.
            index.add(np.array([text]), np.array([1_000_000]))
        for thread in threads:
            thread.join()
    assert set(errors) <= {"the table of scores has too few columns."}


def test_texts_are_added_while_others_count() -> None:
    with use_kernel("native"):
        pool = Pool(["a b c"] * 50)
        columns = np.tile(np.arange(50), 50)
        pairs = PoolPairs(pool, np.arange(50), np.arange(51) * 50, columns)
        found: list[Any] = []

        def count() -> None:
            for _ in range(200):
                counts = kernels.count_columns(pairs, LCS, WHITESPACE, NEWLINE)
                found.append((counts == 3).all())

        thread = threading.Thread(target=count)
        thread.start()
        for text in range(300):
            pool.extend([f"x{text} y"])
        thread.join()
    assert all(found)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
def test_signals_leave_an_index_whole() -> None:
    class StopError(Exception):
        pass

    def stop(*_: object) -> None:
        raise StopError

    before = signal.signal(signal.SIGALRM, stop)
    stopped = 0
    try:
        with use_kernel("native"):
            for attempt in range(12):
                index = DuplicateIndex()
                index.add(["first text"])
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0005 * (1 + attempt))
                    index.add([f"word{number} of{number} many" for number in range(20_000)])
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except StopError:
                    stopped += 1
                    assert len(index) == 1
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                assert index.add_if_new("g h i j").is_new
                assert index.find("g h i j").score == 1.0
                assert index.find("first text")[:3] == (False, 1.0, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    # On a slow machine each attempt is stopped, on a fast one at least the first.
    assert stopped or os.environ.get("LD_PRELOAD")
