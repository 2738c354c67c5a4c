"""Results of scores with precision, recall and F-measure, whatever computes these."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from ..resampling.rouge155 import rouge155_intervals
from ..resampling.rouge_score import bootstrap_percentiles
from ..rounding import exact_mean
from ..tables import import_pandas, write_html
from .counts import SampleCounts
from .score import Floats, Output, PairResult, RandomStream, Score, Value

# Precision, recall and F-measure.
Parts = tuple[float, float, float]

# The most samples that a notebook shows.
_SHOWN: Final = 20


class RougeScores(NamedTuple):
    """Precision, recall and F-measure: three float64 arrays of the same shape, in [0, 1].

    With ``lin2004``, precision and F-measure of ``rougeLsum`` may be above 1.
    """

    precision: Floats
    recall: Floats
    fmeasure: Floats

    def to_pandas(self) -> Any:
        """Return a data frame with one row per sample and the columns precision, recall, fmeasure.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_pandas().DataFrame(self._asdict())

    def _repr_html_(self) -> str:
        samples = len(self.fmeasure)
        shown = min(samples, _SHOWN)
        rows = zip(range(shown), *(part[:shown].tolist() for part in self), strict=True)
        hidden = samples - shown
        notes = [f"and {hidden:,} more samples"] if hidden else []
        return write_html(["sample", *self._fields], rows, notes=notes)


@dataclass(frozen=True, kw_only=True)
class PartScore(Score):
    """Scores of which each sample has precision, recall and F-measure, and all have their means.

    A subclass implements ``score_parts``.

    Attributes:
        keys: of a detailed score, each with the name of its part.
        stream: what draws resamples: ROUGE-1.5.5 has a fixed random stream.
    """

    group: ClassVar[str] = "rouge"
    tokenizer_option: ClassVar[str] = "rouge_tokenizer"
    parts: ClassVar[tuple[str, ...]] = RougeScores._fields
    keys: ClassVar[Mapping[str, str]] = {name: name for name in RougeScores._fields}

    stream: RandomStream = "seeded"

    @abstractmethod
    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        """Iterate over the scores by name, those of every sample: arrays of shape (samples,)."""

    def average(self, values: Floats) -> float:
        """Return the score of all samples from those of each, shape (samples,)."""
        return exact_mean(values)

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        return self._summarize(self.score_parts(counts), output, seed)

    def score_system(
        self, counts: SampleCounts, output: Output, seed: int
    ) -> tuple[dict[str, float], Mapping[str, Floats]]:
        scores = list(self.score_parts(counts))
        values: Any = self._summarize(scores, output.plain, seed)
        return values, {name: parts.fmeasure for name, parts in scores}

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        return {name: scores.fmeasure for name, scores in self.score_parts(counts)}

    def score_details(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return the F-measures, and ``rougeL_precision`` and so on."""
        details: dict[str, Floats] = {}
        for name, scores in self.score_parts(counts):
            details[name] = scores.fmeasure
            details |= {f"{name}_{part}": values for part, values in scores._asdict().items()}
        return details

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        if not detailed:
            return super().list_sample_scores(counts, detailed=detailed)
        return {
            f"{name}_{key}": getattr(scores, part).tolist()
            for name, scores in self.score_parts(counts)
            for key, part in self.keys.items()
        }

    def find_random_stream(self, output: Output) -> RandomStream | None:
        is_resampled = not output.is_mean or output.confidence is not None
        return self.stream if output.use_aggregator and is_resampled else None

    def pair_result(self, output: Output) -> PairResult | None:
        if not output.use_aggregator or output.detailed or self.find_random_stream(output):
            return None
        return super().pair_result(output)

    def _summarize(
        self, scores: Iterable[tuple[str, RougeScores]], output: Output, seed: int
    ) -> dict[str, Value]:
        """Return the value of each score, and its interval if one is requested."""
        fields = tuple(self.keys.values()) if output.detailed else ("fmeasure",)
        rows = ((name, [getattr(parts, field) for field in fields]) for name, parts in scores)
        result: dict[str, Value] = {}
        # One score at a time: those of all types need not be in memory together.
        for name, values, interval in self._resample(rows, output, seed):
            result.update(self._report(name, values, interval, output))
        return result

    def _resample(
        self, rows: Iterable[tuple[str, list[Floats]]], output: Output, seed: int
    ) -> Iterator[tuple[str, list[Floats], Floats | None]]:
        """Iterate over the parts of each score with their intervals; None without resampling."""
        stream = self.find_random_stream(output)
        drawn = output.n_resamples, 0.95 if output.confidence is None else output.confidence
        if stream is None:
            yield from ((name, values, None) for name, values in rows)
        elif stream == "fixed":
            # Parity: the program draws the same samples for every type.
            types = dict(rows)
            bounds = rouge155_intervals(np.stack([*chain.from_iterable(types.values())]), *drawn)
            intervals = np.split(bounds[[1, 0, 2]], len(types), axis=1)
            yield from zip(types.keys(), types.values(), intervals, strict=True)
        else:
            # Parity: evaluate's rouge draws for one type after the other from one stream, seeded
            # with the seed given to evaluate.load, and takes the middle percentile.
            resamples, confidence = drawn
            generator = np.random.RandomState(seed)
            for name, values in rows:
                stacked = np.stack(values)
                yield name, values, bootstrap_percentiles(stacked, resamples, generator, confidence)

    def _report(
        self, name: str, rows: Sequence[Floats], interval: Floats | None, output: Output
    ) -> dict[str, Value]:
        """Return what a result contains for one score.

        The rows are its parts for every sample. The interval has the low, middle and high mean of
        resampled samples of each part; it is None if nothing was resampled.
        """

        def pack(values: Any) -> Value:
            """Return the values by key, or the one value if there is only one part."""
            return dict(zip(self.keys, values, strict=True)) if output.detailed else values[0]

        if not output.use_aggregator:
            return {name: pack([row.tolist() for row in rows])}
        if interval is None:
            return {name: pack(list(map(self.average, rows)))}
        low, middle, high = interval.tolist()
        value = list(map(self.average, rows)) if output.is_mean else middle
        if output.confidence is None:
            return {name: pack(value)}
        return {name: pack(value), f"{name}_low": pack(low), f"{name}_high": pack(high)}
