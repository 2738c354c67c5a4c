"""Equal lines: both kernels count them once, and the numbers are those of rouge_score."""

import random
import time
from unittest.mock import patch

import pytest

import bleu_rouge_metric
from bleu_rouge_metric.counting import lcs, native_kernel
from bleu_rouge_metric.counting.rouge_types import RougePlan
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native
from ..support.references import rouge_score_of_each
from .test_kernel_counts import assert_kernels_agree

PLANS = [
    RougePlan(summary=True),
    RougePlan(summary=True, lin2004=True),
    RougePlan(summary=True, weights=(1.2,)),
]


def make_text(generator: random.Random, lines: int, longest: int) -> str:
    """Make a text of lines of which most occur several times, and some are empty."""
    pool = [
        " ".join(generator.choices("abcdefgh", k=generator.randrange(longest))) for _ in range(12)
    ]
    return "\n".join(generator.choices(pool, k=lines))


@needs_native
@pytest.mark.parametrize("longest", [4, 12, 100])
def test_both_kernels_agree_on_repeated_lines(longest: int) -> None:
    generator = random.Random(longest)
    # ROUGE-W of long lines takes Python too long.
    plans = PLANS if longest < 64 else PLANS[:2]
    for _ in range(4):
        # From 64 lines on, the compiled kernel merges equal lines.
        texts = [make_text(generator, generator.randrange(50, 120), longest) for _ in range(4)]
        samples = check_samples(texts[:2], [texts[2:], texts[1:]])
        assert_kernels_agree(samples, TOKENIZERS["rouge"], plans=plans)


@pytest.mark.usefixtures("kernel")
def test_repeated_lines_score_as_in_rouge_score() -> None:
    generator = random.Random(3)
    texts = [make_text(generator, generator.randrange(64, 90), 7) for _ in range(6)]
    ours = bleu_rouge_metric.rouge_scores(texts[:3], texts[3:], rouge_types=["rougeLsum"])
    theirs = rouge_score_of_each(texts[:3], [[text] for text in texts[3:]], ["rougeLsum"])
    found = ours["rougeLsum"]
    parts = (found.precision, found.recall, found.fmeasure)
    assert list(zip(*(part.tolist() for part in parts), strict=True)) == theirs["rougeLsum"]


def test_python_compares_each_pair_of_different_lines_once() -> None:
    prediction, reference = [["a", "b"], ["b"]] * 50, [["b", "a"], ["a"], ["c"]] * 50
    with patch.object(lcs, "_lcs_positions", wraps=lcs._lcs_positions) as compared:
        assert lcs.count_union_lcs(reference, prediction) == 100
    assert compared.call_count == 2 * 3


@needs_native
@pytest.mark.parametrize("plan", [PLANS[0], RougePlan(weights=(1.2,))])
def test_the_time_of_equal_lines_grows_with_their_number_not_its_square(
    plan: RougePlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "1")

    def take(lines: int) -> float:
        samples = check_samples(["a b c d e f\n" * lines], ["a c b d f e\n" * lines])
        times = []
        for _ in range(3):
            start = time.process_time()
            native_kernel.count(samples, plan, TOKENIZERS["rouge"], NEWLINE)
            times.append(time.process_time() - start)
        return min(times)

    # Sixteen times the lines take 16 to 20 times the time; they took 256 times it.
    assert take(8_000) < 64 * take(500)
