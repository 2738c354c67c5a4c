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
def test_percentiles_equal_rouge_score(
    samples: int, n_resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(3).random((3, samples))
    expected = _aggregate(values, n_resamples, 7)
    for draws in (rouge_score._DRAWS_PER_BLOCK, 300, 1):
        monkeypatch.setattr(rouge_score, "_DRAWS_PER_BLOCK", draws)
        # A single row must not be summed pairwise, as NumPy does from 128 values on.
        for rows in (slice(3), slice(1)):
            found = bootstrap_percentiles(values[rows], n_resamples, np.random.RandomState(7))
            assert found.tolist() == [bound[rows] for bound in expected]


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


@pytest.mark.parametrize("draws", [1, 100, 1 << 18])
def test_averages_of_rouge_155(draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rouge155, "_DRAWS_PER_BLOCK", draws)
    values = np.random.default_rng(5).random((2, 257))
    # One draw of Perl's rand after the other, seeded with the number of the resample.
    averages = rouge155_intervals(values, 30)[0].tolist()
    assert averages == [0.48734, 0.4871]
    for n_resamples in (1, 2):
        alone = [rouge155_intervals(values[[row]], n_resamples)[0, 0] for row in range(2)]
        assert rouge155_intervals(values, n_resamples)[0].tolist() == alone


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
