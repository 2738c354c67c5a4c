"""Scores and their bootstrap, as in ``rouge_score.scoring``."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from ...resampling.rouge_score import bootstrap_percentiles


class Score(NamedTuple):
    """Precision, recall and F-measure of one pair."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The bounds of an interval and the median, each a score."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(ABC):
    """What has a method ``score``."""

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction; the target is its reference."""


class BootstrapAggregator:
    """The scores of many samples, and percentiles of the means of resamples.

    It draws from NumPy's global stream (``np.random.seed``), as ``rouge_score`` does.

    >>> aggregator = BootstrapAggregator()
    >>> aggregator.add_scores({"rouge1": Score(1.0, 0.5, fmeasure(1.0, 0.5))})
    >>> float(aggregator.aggregate()["rouge1"].mid.recall)
    0.5
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        """Check the settings.

        Args:
            confidence_interval: in [0, 1], the share of the means between the bounds.
            n_samples: how many resamples are drawn, above 0.

        Raises:
            ValueError: one is out of its range.
        """
        # Parity: the texts of both errors are those of rouge_score.
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._confidence_interval = confidence_interval
        self._n_samples = n_samples
        self._scores: dict[Any, list[Any]] = {}

    def add_scores(self, scores: Mapping[Any, Any]) -> None:
        """Add the scores of a sample: by name a named tuple of numbers, or one number."""
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(score)

    def aggregate(self) -> dict[Any, AggregateScore]:
        """Return low, mid (the median) and high of each score that was added."""
        return {name: self._resample(scores) for name, scores in self._scores.items()}

    def _resample(self, scores: list[Any]) -> AggregateScore:
        make = type(scores[0])
        values = np.array(scores, dtype=np.float64).reshape(len(scores), -1).T
        # Parity: the draws of np.random.choice in rouge_score are those of np.random.randint.
        stream = cast("np.random.RandomState", np.random)
        # Parity: rouge_score calls np.mean, which adds the numbers of a single column pairwise.
        percentiles = bootstrap_percentiles(
            values, self._n_samples, stream, self._confidence_interval, pairwise=len(values) == 1
        )
        return AggregateScore(*(make(*bound) for bound in percentiles))


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean; 0.0 if both are 0.

    >>> fmeasure(1.0, 0.5)
    0.6666666666666666
    """
    # Parity: the order of the operations is that of rouge_score.
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0
