"""Values and intervals of ROUGE."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...resampling.bootstrap import bootstrap_percentiles
from ...resampling.rouge155 import rouge155_intervals
from ...rouge.formulas import RougeScores
from ...rounding import exact_mean
from ..base import Value


def summarise(scores: Any, plan: Any, seed: int, resampling: str | None) -> dict[str, Value]:
    """Return the value of each ROUGE type, and its interval if one is asked for.

    Args:
        scores: of every sample by type.
        plan: says what of them is wanted.
        seed: of the random stream of resampling.
    """
    parts = RougeScores._fields if plan.detailed else ("fmeasure",)
    rows = ((name, np.stack([getattr(score, part) for part in parts])) for name, score in scores)
    confidence = 0.95 if plan.confidence is None else plan.confidence
    result: dict[str, Value] = {}
    if resampling is None:
        # One type at a time: the scores of all types need not be in memory together.
        for name, values in rows:
            result.update(_report(name, values, None, plan))
    elif resampling == "rouge-1.5.5":
        # The program draws the same samples for every type.
        held = dict(rows)
        bounds = rouge155_intervals(
            np.concatenate(list(held.values())), plan.n_resamples, confidence
        )
        intervals = np.split(bounds[[1, 0, 2]], len(held), axis=1)
        for (name, values), interval in zip(held.items(), intervals, strict=True):
            result.update(_report(name, values, interval, plan))
    else:
        # Parity: evaluate's rouge draws for one type after the other from one stream, seeded with
        # the seed given to evaluate.load, and takes the middle percentile.
        generator = np.random.RandomState(seed)
        for name, values in rows:
            interval = bootstrap_percentiles(values, plan.n_resamples, generator, confidence)
            result.update(_report(name, values, interval, plan))
    return result


def _report(
    name: str, rows: NDArray[np.float64], interval: NDArray[np.float64] | None, plan: Any
) -> dict[str, Value]:
    """Return what a result says of one ROUGE type.

    Args:
        name: of the type.
        rows: shape (parts, samples): the F-measure, or all three parts.
        interval: shape (3, parts): low, middle and high of the means of resampled samples; None
            if nothing was resampled.
        plan: says what is wanted.
    """

    def pack(values: Any) -> Value:
        """Return the values by part, or the one value if there is only one part."""
        packed: Value = (
            dict(zip(RougeScores._fields, values, strict=True)) if plan.detailed else values[0]
        )
        return packed

    if not plan.use_aggregator:
        return {name: pack(rows.tolist())}
    if interval is None:
        return {name: pack(list(map(exact_mean, rows)))}
    low, middle, high = interval.tolist()
    value = list(map(exact_mean, rows)) if plan.is_mean else middle
    if plan.confidence is None:
        return {name: pack(value)}
    return {name: pack(value), f"{name}_low": pack(low), f"{name}_high": pack(high)}


