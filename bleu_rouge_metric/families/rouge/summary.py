"""Summarize the ROUGE scores of samples: their mean, its interval, or all of them."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...resampling.bootstrap import bootstrap_percentiles
from ...resampling.rouge155 import rouge155_intervals
from ...rounding import exact_mean
from ..base import Output, RandomStream, Value
from .formulas import RougeScores


def summarize(
    scores: Iterable[tuple[str, RougeScores]],
    output: Output,
    stream: RandomStream | None,
    seed: int,
) -> dict[str, Value]:
    """Return the value of each ROUGE type, and its interval if one is requested.

    Args:
        scores: of every sample by type.
        output: what the result contains.
        stream: what draws resamples: ``seeded`` as evaluate does, ``fixed`` as ROUGE-1.5.5 does;
            None without resampling.
        seed: of the random stream.
    """
    parts = RougeScores._fields if output.detailed else ("fmeasure",)
    rows = ((name, np.stack([getattr(score, part) for part in parts])) for name, score in scores)
    confidence = 0.95 if output.confidence is None else output.confidence
    result: dict[str, Value] = {}
    if stream is None:
        # One type at a time: the scores of all types need not be in memory together.
        for name, values in rows:
            result.update(_report(name, values, None, output))
    elif stream == "fixed":
        # Parity: the program draws the same samples for every type.
        types = dict(rows)
        bounds = rouge155_intervals(
            np.concatenate(list(types.values())), output.n_resamples, confidence
        )
        intervals = np.split(bounds[[1, 0, 2]], len(types), axis=1)
        for (name, values), interval in zip(types.items(), intervals, strict=True):
            result.update(_report(name, values, interval, output))
    else:
        # Parity: evaluate's rouge draws for one type after the other from one stream, seeded with
        # the seed given to evaluate.load, and takes the middle percentile.
        generator = np.random.RandomState(seed)
        for name, values in rows:
            interval = bootstrap_percentiles(values, output.n_resamples, generator, confidence)
            result.update(_report(name, values, interval, output))
    return result


def _report(
    name: str, rows: NDArray[np.float64], interval: NDArray[np.float64] | None, output: Output
) -> dict[str, Value]:
    """Return what a result contains for one ROUGE type.

    Args:
        name: of the type.
        rows: shape (parts, samples): the F-measure, or all three parts.
        interval: shape (3, parts): low, middle and high of the means of resampled samples; None
            if nothing was resampled.
        output: what the result contains.
    """

    def pack(values: Any) -> Value:
        """Return the values by part, or the one value if there is only one part."""
        if output.detailed:
            return dict(zip(RougeScores._fields, values, strict=True))
        return values[0]

    if not output.use_aggregator:
        return {name: pack(rows.tolist())}
    if interval is None:
        return {name: pack(list(map(exact_mean, rows)))}
    low, middle, high = interval.tolist()
    value = list(map(exact_mean, rows)) if output.is_mean else middle
    if output.confidence is None:
        return {name: pack(value)}
    return {name: pack(value), f"{name}_low": pack(low), f"{name}_high": pack(high)}
