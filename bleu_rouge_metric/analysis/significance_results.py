"""What resampling says of pairs of systems."""

from typing import Any, NamedTuple

import numpy as np

from ..resampling.draws import Floats


class PairResults(NamedTuple):
    """What resampling found.

    Attributes:
        low: lower ends of the intervals of scores, shape (systems, scores).
        high: upper ends, of the same shape.
        value_errors: standard errors of scores, of the same shape; NaN if unknown.
        p_values: shape (pairs, scores).
        errors: standard errors of the differences, of the same shape; NaN if unknown.
        margins: half the widths of the intervals of the differences, of the same shape.
        detectable: which differences are found with a power of 0.8, of the same shape.
        n_resamples: how many resamples the test made.
        is_exact: whether these were all there are.
        interval_resamples: how many resamples the intervals are made from.
        run_shares: shares of the variances of the differences that come from runs, shape (pairs,
            scores); None if each system has a single run.
    """

    low: Floats
    high: Floats
    value_errors: Floats
    p_values: Floats
    errors: Floats
    margins: Floats
    detectable: Floats
    n_resamples: int
    is_exact: bool
    interval_resamples: int
    run_shares: Floats | None = None

    def describe(self, place: tuple[int, int], delta: float, scale: int | None) -> dict[str, Any]:
        """Return what a row of a pair has besides its difference.

        Args:
            place: of the pair and the score.
            delta: the difference.
            scale: the score of a perfect system; None if there is none.
        """
        found = {"p_value": float(self.p_values[place])}
        margin = float(self.margins[place])
        # NaN: a single resample says nothing of errors. 0: the samples do not differ at all.
        if margin >= 0:
            found |= {"delta_low": delta - margin, "delta_high": delta + margin}
            found["delta_error"] = float(self.errors[place])
        # No difference is larger than the scale.
        if 0 < self.detectable[place] <= (np.inf if scale is None else scale):
            found["detectable"] = float(self.detectable[place])
        if self.run_shares is not None and np.isfinite(self.run_shares[place]):
            found["run_share"] = float(self.run_shares[place])
        return found


def divide(differences: Floats, errors: Floats) -> Floats:
    """Divide differences by their standard errors; 0 over 0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: Floats = differences / errors
    return ratios
