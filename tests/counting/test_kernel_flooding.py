"""No input takes much longer than another of the same size, not even one of chosen words.

The compiled kernel once hashed words with fixed keys: it combined each half of a word of up to 16
bytes with a constant and folded the product of both, and hashed 8-byte pieces of a longer word in
the same way. Whoever knows the constants finds words for the same few slots among random words.
"""

import gzip
import random
import sys
import time
from functools import cache, reduce
from pathlib import Path

import pytest

from bleu_rouge_metric.counting.kernels import count_bleu
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native
from ..support.processes import run_python

FLOOD = Path(__file__).parent.parent.parent.parent / "shared" / "data_flood" / "words10000.txt.gz"

# With fixed keys chosen words took 260 to 1,000 times as long as random ones.
MOST_RATIO = 5


WORDS, SLOTS, CHOSEN_SLOTS = 1000, 1 << 15, 256


def mix(left: int, right: int) -> int:
    product = (left ^ 0x9E3779B97F4A7C15) * (right ^ 0xD1B54A32D192ED03)
    return (product >> 64) ^ (product & 0xFFFFFFFFFFFFFFFF)


def find_slot(word: bytes) -> int:
    """Return the slot that a word of 8, 16 or more bytes had."""
    pieces = [int.from_bytes(word[at : at + 8], "little") for at in range(0, len(word), 8)]
    first = reduce(lambda low, at: mix(low ^ pieces[at], 8 * at), range(len(pieces)), 0)
    short = {8: (pieces[0], 0), 16: (pieces[0], pieces[-1])}
    return mix(*short.get(len(word), (first, pieces[-1]))) % SLOTS


@cache
def list_words(length: int, slots: int = SLOTS) -> list[str]:
    """List distinct random words that had one of the first slots."""
    draw, words = random.Random(slots), set[bytes]()
    while len(words) < WORDS:
        word = draw.randbytes(length // 2).hex().encode()
        if slots == SLOTS or find_slot(word) < slots:
            words.add(word)
    return sorted(word.decode() for word in words)


def compare_times(words: list[str], others: list[str]) -> float:
    """Return the ratio of the times of texts of some words and of texts of other words."""
    both = [
        check_samples([" ".join(words)], [" ".join(reversed(words))]) for words in (words, others)
    ]

    def time_once(samples: Samples) -> float:
        start = time.perf_counter()
        matches = count_bleu(samples, 1, TOKENIZERS["whitespace"]).matches
        seconds = time.perf_counter() - start
        assert matches.tolist() == [[len(words)]]
        return seconds

    times = [list(map(time_once, both)) for _ in range(9)]
    return min(chosen for chosen, _ in times) / min(other for _, other in times)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("length", [8, 16, 24])
def test_chosen_words_take_about_as_long_as_random_ones(length: int) -> None:
    chosen = list_words(length, CHOSEN_SLOTS)
    assert compare_times(chosen, list_words(length)) < MOST_RATIO


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("form", ["{:08d}", "x" * 40 + "{:08d}"])
def test_words_that_count_up_take_about_as_long_as_random_ones(form: str) -> None:
    words = [form.format(number) for number in range(WORDS)]
    assert compare_times(words, list_words(len(words[0]))) < MOST_RATIO


@pytest.mark.usefixtures("kernel")
def test_words_that_took_303_times_as_long_take_about_as_long_as_random_ones() -> None:
    if not FLOOD.is_file():
        pytest.skip(f"{FLOOD} is not there")
    words = gzip.decompress(FLOOD.read_bytes()).decode("ascii").split()[:WORDS]
    assert compare_times(words, list_words(8)) < MOST_RATIO


@needs_native
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory as Linux has it")
def test_distinct_words_take_little_memory() -> None:
    # A new process, to measure its own peak. 600,000 words took 302 MB when their table grew
    # fourfold.
    code = """
        import re
        from pathlib import Path
        from bleu_rouge_metric import use_kernel
        from bleu_rouge_metric.counting.kernels import count_bleu
        from bleu_rouge_metric.samples.inputs import check_samples
        from bleu_rouge_metric.text.tokenizer import TOKENIZERS

        def read_peak():
            status = Path("/proc/self/status").read_text("ascii")
            return int(re.search(r"VmHWM:\\s+([0-9]+) kB", status)[1])

        samples = check_samples([" ".join(map(str, range(600_000)))], ["a"])
        before = read_peak()
        with use_kernel("native"):
            count_bleu(samples, 1, TOKENIZERS["whitespace"])
        print((read_peak() - before) / 1024)
    """
    assert 20 < float(run_python(code).stdout) < 180
