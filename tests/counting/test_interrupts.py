"""Ctrl-C while the compiled kernel counts one long pair."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from ..conftest import needs_native
from ..support.commands import command

pytestmark = [
    needs_native,
    pytest.mark.skipif(
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="interrupts are ignored here"
    ),
    pytest.mark.skipif(
        "libasan" in os.environ.get("LD_PRELOAD", ""), reason="measures the time of a normal build"
    ),
]

# Without a stop each takes from some seconds to hours, and each mostly in a different loop.
LONG_WORK = {
    "LCS": ("words(1_000_000)", "words(1_000_000)", "rouge_types=['rougeL']"),
    "union LCS": ("words(1_000_000)", "words(1_000_000)", "rouge_types=['rougeLsum']"),
    # Most lines differ: equal lines are counted once.
    "union LCS of lines": (
        "lines(300_000, 1e6)", "lines(300_000, 1e6)", "rouge_types=['rougeLsum']"
    ),
    "weighted LCS": ("words(65_000, 1)", "words(65_000, 1)", "rouge_types=['rougeW']"),
    "weighted LCS of lines": ("lines(300_000)", "lines(300_000)", "rouge_types=['rougeW']"),
    "skip-bigrams": ("words(1_000_000, 1e5)", "words(1_000_000, 1e5)", "rouge_types=['rougeS']"),
    "skip-bigrams within a gap": (
        "words(1_000_000)", "words(1_000_000)", "rouge_types=['rougeS90000']"
    ),
    "n-grams": ("'a ' * 60_000_000", "'a ' * 60_000_000", "rouge_types=['rouge9']"),
    "many references": ("lines(60_000)", "['w1 w2'] * 1_000_000", "rouge_types=['rougeLsum']"),
}  # fmt: skip

# Seconds from the signal to the end of the process; it stops within 0.1, on a machine that is free.
PATIENCE = 5


@pytest.mark.parametrize(
    ("work", "threads"), [*((work, "2") for work in LONG_WORK), ("LCS", "1"), ("n-grams", "1")]
)
def test_an_interrupt_ends_one_long_pair(work: str, threads: str) -> None:
    prediction, reference, options = LONG_WORK[work]
    # The second pair is short: its thread waits for the other.
    code = f"""
        import random, time
        from bleu_rouge_metric import Scorer
        random.seed(1)
        def words(count, scale=1000.0, end=" "):
            return "".join(f"w{{int(random.expovariate(1 / scale))}}{{end}}" for _ in range(count))
        def lines(count, scale=1000.0):
            return words(count, scale, end="\\n")
        predictions, references = [{prediction}, "a b"], [{reference}, "a c"]
        scorer = Scorer("rouge", {options})
        scorer.update(["a b"], ["a c"])
        before = scorer.result()
        print("ready", flush=True)
        start = time.perf_counter()
        try:
            scorer.update(predictions, references)
        except KeyboardInterrupt:
            used = time.process_time()
            time.sleep(0.2)
            idle = time.process_time() - used < 0.1
            print(len(scorer), scorer.result() == before, idle)
        else:
            print(f"finished in {{time.perf_counter() - start}} s")
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "BLEU_ROUGE_THREADS": threads, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        output, errors = process.communicate(timeout=120)
        seconds = time.monotonic() - start
    finally:
        process.kill()
        process.wait()
    # The other thread that counted is idle.
    assert (output, errors) == ("1 True True\n", "")
    assert seconds < PATIENCE


def test_an_interrupt_ends_the_command(tmp_path: Path) -> None:
    # Their LCS takes about a minute.
    for name, power in (("a.txt", 2), ("b.txt", 3)):
        words = (f"w{i**power % 997}" for i in range(2_000_000))
        (tmp_path / name).write_text(" ".join(words) + "\n")
    process = subprocess.Popen(
        command("score", "a.txt", "b.txt", "--rouge-type", "rougeL"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        # By then it has imported everything, and counts.
        time.sleep(5)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        output, errors = process.communicate(timeout=120)
        seconds = time.monotonic() - start
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, output, errors) == (130, b"", b"bleu-rouge: interrupted.\n")
    assert seconds < PATIENCE
