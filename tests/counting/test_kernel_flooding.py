"""No input takes much longer than another of the same size, not even one of chosen words."""

import gzip
import random
import string
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from bleu_rouge_metric.counting.kernels import count_bleu
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native

FLOOD = Path(__file__).parent.parent.parent.parent / "shared" / "data_flood" / "words10000.txt.gz"

# With fixed keys, which the kernel once had, chosen words took 260 to 1,000 times as long as random
# ones.
MOST_RATIO = 5


def list_random_words(count: int, letters: int = 8) -> list[str]:
    draw = random.Random(1)
    return ["".join(draw.choices(string.ascii_lowercase, k=letters)) for _ in range(count)]


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
@pytest.mark.parametrize("start", ["", "x" * 40])
def test_words_alike_but_for_their_end_take_about_as_long_as_random_ones(start: str) -> None:
    words = [f"{start}{number:08d}" for number in range(4000)]
    others = list_random_words(4000, len(words[0]))
    assert compare_times(words, others) < MOST_RATIO


@pytest.mark.usefixtures("kernel")
def test_words_that_took_303_times_as_long_take_about_as_long_as_random_ones() -> None:
    if not FLOOD.is_file():
        pytest.skip(f"{FLOOD} is not there")
    words = gzip.decompress(FLOOD.read_bytes()).decode("ascii").split()
    assert compare_times(words, list_random_words(len(words))) < MOST_RATIO


@needs_native
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory as Linux has it")
def test_distinct_words_take_little_memory() -> None:
    # A new process, to measure its own peak. 600,000 words took 302 MB when their table grew
    # fourfold.
    code = """
        import re
        from pathlib import Path
        from bleu_rouge_metric.counting.kernels import count_bleu
        from bleu_rouge_metric.samples.inputs import check_samples
        from bleu_rouge_metric.text.tokenizer import TOKENIZERS

        def read_peak():
            status = Path("/proc/self/status").read_text("ascii")
            return int(re.search(r"VmHWM:\\s+([0-9]+) kB", status)[1])

        samples = check_samples([" ".join(map(str, range(600_000)))], ["a"])
        before = read_peak()
        count_bleu(samples, 1, TOKENIZERS["whitespace"])
        print((read_peak() - before) / 1024)
    """
    output = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    ).stdout
    assert 20 < float(output) < 180
