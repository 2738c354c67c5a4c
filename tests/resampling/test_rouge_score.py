"""The bootstraps of rouge_score and of ROUGE-1.5.5 are bit-identical to theirs."""

import tracemalloc

import evaluate
import numpy as np
import pytest
from rouge_score.scoring import BootstrapAggregator

from bleu_rouge_metric.resampling import rouge155, rouge_score
from bleu_rouge_metric.resampling.rouge155 import rouge155_intervals
from bleu_rouge_metric.resampling.rouge_score import bootstrap_percentiles
from bleu_rouge_metric.rounding import exact_mean

from ..conftest import METRIC
from ..support.references import evaluate_rouge

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PREDICTIONS = ["the cat sat", "a dog ran home", "we like the sea", "it rains", "no one came"]
REFERENCES = [["a cat sat down"], ["dogs run", "the dog ran"], ["the sea"], ["rain"], ["none"]]


def _aggregate(values: np.ndarray, n_resamples: int, seed: int) -> list[list[float]]:
    """Return low, middle and high of the three rows from rouge_score."""
    aggregator = BootstrapAggregator(n_samples=n_resamples)
    state = np.random.get_state()  # noqa: NPY002 - rouge_score draws from the global stream
    np.random.seed(seed)  # noqa: NPY002
    try:
        percentiles: list[list[float]] = aggregator._bootstrap_resample(values.T).tolist()
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return percentiles


@pytest.mark.parametrize("n_resamples", [1, 2, 3, 100])
@pytest.mark.parametrize("samples", [1, 2, 129, 5_000])
def test_percentiles_equal_rouge_score(samples: int, n_resamples: int) -> None:
    values = np.random.default_rng(3).random((3, samples))
    found = bootstrap_percentiles(values, n_resamples, np.random.RandomState(7))
    assert found.tolist() == _aggregate(values, n_resamples, 7)


@pytest.mark.parametrize("draws", [1, 300, 1000])
def test_blocks_draw_the_stream_of_the_whole(draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A single row must not be summed pairwise, as NumPy does from 128 values on.
    values = np.random.default_rng(3).random((3, 300))
    monkeypatch.setattr(rouge_score, "_DRAWS_PER_BLOCK", draws)
    found = bootstrap_percentiles(values, 10, np.random.RandomState(7))
    assert found.tolist() == _aggregate(values, 10, 7)
    for row in range(3):
        alone = bootstrap_percentiles(values[[row]], 10, np.random.RandomState(7))
        assert alone[:, 0].tolist() == found[:, row].tolist()


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("types", [TYPES, TYPES[::-1], ["rougeL"]])
def test_the_metric_equals_evaluate(types: list[str]) -> None:
    metric = evaluate.load(METRIC, "rouge", seed=1234)
    expected = evaluate_rouge(PREDICTIONS, REFERENCES, types, 1234, n_resamples=50)
    for _ in range(2):
        scores = metric.compute(
            predictions=PREDICTIONS,
            references=REFERENCES,
            rouge_types=types,
            aggregator="bootstrap",
            n_resamples=50,
        )
        assert scores == expected
        assert list(scores) == types


def test_the_global_random_state_is_left_alone() -> None:
    metric = evaluate.load(METRIC, "rouge", seed=5)
    np.random.seed(0)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    metric.compute(predictions=PREDICTIONS, references=REFERENCES, aggregator="bootstrap")
    assert np.random.random() == expected  # noqa: NPY002


def _program_average(values: list[float], n_resamples: int) -> float:
    """Compute the average that ROUGE-1.5.5 prints, with one draw of Perl's rand after the other."""
    ordered = [values[place] for place in sorted(range(len(values)), key=lambda i: str(i + 1))]
    means = []
    for seed in range(n_resamples):
        state = (seed << 16) + 0x330E
        total = 0.0
        for _ in values:
            state = (state * 0x5DEECE66D + 0xB) % 2**48
            total += ordered[int(state / 2**48 * len(values))]
        means.append(total / len(values))
    total = 0.0
    for mean in sorted(means):
        total += mean
    return round(total / n_resamples, 5)


@pytest.mark.parametrize("n_resamples", [1, 2, 30])
@pytest.mark.parametrize("samples", [1, 2, 12, 257])
@pytest.mark.parametrize("draws", [1, 100, 1 << 18])
def test_averages_of_rouge_155_are_those_of_single_draws(
    draws: int, samples: int, n_resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rouge155, "_DRAWS_PER_BLOCK", draws)
    values = np.random.default_rng(5).random((2, samples))
    averages = rouge155_intervals(values, n_resamples)[0].tolist()
    assert averages == [_program_average(row, n_resamples) for row in values.tolist()]


def test_draws_of_rouge_155_are_made_in_blocks() -> None:
    # All draws together are 40 MB, a block of them is 2 MB.
    values = np.random.default_rng(5).random((1, 50_000))
    tracemalloc.start()
    try:
        rouge155_intervals(values, 100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_intervals_of_rouge_155_by_hand() -> None:
    # Eleven texts, one of which scores 1: the average differs from the mean.
    values = np.zeros((1, 11))
    values[0, 0] = 1.0
    average, low, high = rouge155_intervals(values)[:, 0].tolist()
    assert average != round(1 / 11, 5)
    assert (low, high) == (0.0, round(3 / 11, 5))


@pytest.mark.parametrize("samples", [3, 300, 3_000_000])
def test_the_mean_of_values_above_1_is_exact_too(samples: int) -> None:
    # rougeLsum of the paper; the sum of 3,000,000 values exceeds the 63 bits of the fast path.
    assert exact_mean(np.full(samples, 3.0)) == 3.0
