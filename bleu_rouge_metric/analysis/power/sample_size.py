"""The result of ``required_samples``."""

from dataclasses import dataclass
from typing import Any, Final

from ...tables import Report, Result, Table, make_line
from ..system_words import name_score, write_confidence

_HEAD: Final = ("samples", "power")


@dataclass(frozen=True, kw_only=True)
class SampleSize(Result):
    """How many samples are needed to find a difference between two systems.

    Attributes:
        system: name of the system.
        baseline: the system that it is compared with.
        score: ``bleu``, a ROUGE type, or ``score`` for numbers without a name.
        scale: the score of a perfect system, 1 or 100; None if the pilot has numbers.
        difference: that is to be found, in the units of the score.
        power: the probability to find it.
        n_samples: how many samples are needed.
        n_clusters: how many clusters these are; None if every sample is a unit of its own.
        low: lower end of the interval of ``n_samples``: what other pilots might have said.
        high: upper end of the interval.
        curve: numbers of samples, and the power with each.
        confidence: of the test and of the interval.
        level: of the test, after the correction for several tests.
        alternative: ``two-sided`` or ``greater``.
        n_tests: how many p-values are corrected together.
        pilot_samples: how many samples the pilot has.
        n_resamples: how many studies of each size were simulated.
        seed: of the random stream.
    """

    system: str
    baseline: str
    score: str
    scale: int | None
    difference: float
    power: float
    n_samples: int
    n_clusters: int | None
    low: int
    high: int
    curve: tuple[tuple[int, float], ...]
    confidence: float
    level: float
    alternative: str
    n_tests: int
    pilot_samples: int
    n_resamples: int
    seed: int

    def sentence(self) -> str:
        """Return what is needed, for which test, and what it was estimated from."""
        points = " point" if self.difference == 1 else " points"
        unit = {1: " on a scale of 0 to 1", 100: points}.get(self.scale or 0, "")
        clusters = "" if self.n_clusters is None else f" in {self.n_clusters:,} clusters"
        side = "one-sided" if self.alternative == "greater" else "two-sided"
        return (
            f"To find a difference of {self.difference:g} {name_score(self.score)}{unit} between "
            f"{self.system} and {self.baseline} with a power of {self.power:g}, a test set needs "
            f"about {self.n_samples:,} samples{clusters} ({write_confidence(self.confidence)} "
            f"interval {self.low:,} to {self.high:,}; {side} test at the level {self.level:.3g}; "
            f"estimated from a pilot of {self.pilot_samples:,} samples)."
        )

    def report(self) -> Report:
        """Return the curve as a table, and the sentence."""
        rows = [[f"{samples:,}", f"{power:.2f}"] for samples, power in self.curve]
        return Report([Table(_HEAD, rows)], [self.sentence()])

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows of the curve."""
        return list(_HEAD), [list(point) for point in self.curve]

    def __str__(self) -> str:
        """Return the sentence in one line."""
        return make_line(self.sentence())
