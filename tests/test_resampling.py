"""The bootstrap against rouge_score's, bit for bit."""

import evaluate
import numpy as np
import pytest
from rouge_score.scoring import BootstrapAggregator

from bleu_rouge_metric import resampling
from bleu_rouge_metric.resampling import bootstrap_percentiles

from .conftest import METRIC
from .references import evaluate_rouge

pytestmark = pytest.mark.usefixtures("kernel")

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PREDICTIONS = ["the cat sat", "a dog ran home", "we like the sea", "it rains", "no one came"]
REFERENCES = [["a cat sat down"], ["dogs run", "the dog ran"], ["the sea"], ["rain"], ["none"]]


def _aggregate(values: np.ndarray, n_resamples: int, seed: int) -> list[list[float]]:
    """Low, middle and high of the three rows by rouge_score."""
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
    # A row alone must not be summed pairwise, which NumPy does from 128 values on.
    values = np.random.default_rng(3).random((3, 300))
    monkeypatch.setattr(resampling, "_DRAWS_PER_BLOCK", draws)
    found = bootstrap_percentiles(values, 10, np.random.RandomState(7))
    assert found.tolist() == _aggregate(values, 10, 7)
    for row in range(3):
        alone = bootstrap_percentiles(values[[row]], 10, np.random.RandomState(7))
        assert alone[:, 0].tolist() == found[:, row].tolist()


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


def test_the_draws_of_a_type_depend_on_the_types_before_it() -> None:
    metric = evaluate.load(METRIC, "rouge", seed=5)
    alone, among = (
        metric.compute(
            predictions=PREDICTIONS * 20,
            references=REFERENCES * 20,
            rouge_types=types,
            aggregator="bootstrap",
            n_resamples=1,
        )
        for types in (["rougeL"], ["rouge1", "rougeL"])
    )
    assert alone["rougeL"] != among["rougeL"]


def test_the_global_random_state_is_left_alone() -> None:
    metric = evaluate.load(METRIC, "rouge", seed=5)
    np.random.seed(0)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    metric.compute(predictions=PREDICTIONS, references=REFERENCES, aggregator="bootstrap")
    assert np.random.random() == expected  # noqa: NPY002
