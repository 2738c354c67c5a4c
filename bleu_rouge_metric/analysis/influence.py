"""Find the samples that change a score: compute it without each of the samples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..families.counts import SampleCounts
from ..families.sums import Sums
from ..messages import format_message, value_error
from ..options.plans import Plan
from ..resampling.draws import Floats
from ..scoring.results import choose_options
from ..scoring.scorer import Scorer
from ..tables import Report, Result, Table, show
from .results import SystemComparison
from .system_scores import score_all
from .systems import choose_system

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

# How many samples of each end a text shows.
_SHOWN = 5


@dataclass(frozen=True)
class Influence(Result):
    """Each score of all samples, and of all samples except one.

    Attributes:
        scores: the score of all samples by its name; of a comparison, the difference of a system
            from the baseline.
        without: the same without each sample, float64, shape (samples,), in the order of the
            samples. Each is what the other samples score alone.
        keys: the keys of the samples; None if they have none.
    """

    scores: Mapping[str, float]
    without: Mapping[str, Floats]
    keys: Sequence[int] | None = None

    def changes(self, score: str) -> Floats:
        """Return the change of the score if a sample is left out, shape (samples,).

        Raises:
            ValueError: there is no such score.
        """
        if score not in self.scores:
            names = ", ".join(map(repr, self.scores))
            raise ValueError(f"score is {score!r}; expected one of {names}.")
        changes: Floats = self.without[score] - self.scores[score]
        return changes

    def ranking(self, score: str) -> list[int]:
        """Return the indices of all samples, ordered by what they add to the score.

        Without the first ones the score is lower, without the last ones it is higher. If the score
        is a difference below 0, it is closer to 0 without the first ones. Samples that change it by
        the same keep their order.

        Raises:
            ValueError: there is no such score.
        """
        changes = self.changes(score)
        gains = -changes if self.scores[score] < 0 else changes
        order: list[int] = np.argsort(gains, kind="stable").tolist()
        return order

    def report(self) -> Report:
        """Return for each score a table of the samples at both ends of the ranking."""
        return Report(list(map(self._make_table, self.scores)))

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and a row per sample: each score without it."""
        columns = (values.tolist() for values in self.without.values())
        rows = zip(self._name_samples(), *columns, strict=True)
        return ["sample", *self.without], list(map(list, rows))

    def _make_table(self, score: str) -> Table:
        """Return the samples at both ends of the ranking, and between them the score of all."""
        order, changes, names = self.ranking(score), self.changes(score), self._name_samples()
        shown = order if len(order) <= 2 * _SHOWN else [*order[:_SHOWN], *order[-_SHOWN:]]
        rows = [
            [f"sample {names[at]}", show(float(self.without[score][at])), f"{changes[at]:+.4f}"]
            for at in shown
        ]
        rows.insert(len(shown) // 2, ["all samples", show(self.scores[score]), ""])
        return Table([score, "without it", "change"], rows)

    def _name_samples(self) -> Sequence[int]:
        """Return the keys of the samples, or their indices."""
        return range(len(next(iter(self.without.values())))) if self.keys is None else self.keys


def influence(
    scored: "Scorer | SystemComparison",
    system: str | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Influence:
    """Compute every score without each of the samples, exactly, from their counts.

    Args:
        scored: a ``Scorer``; or the comparison that ``compare_systems`` has returned, for the
            samples that explain a difference. Its groups and outside scores are left out.
        system: of a comparison, the system whose difference from the baseline is meant; None for
            the only one.
        **options: for a scorer, options that change no counts, as ``Scorer.result`` takes them.

    Returns:
        The scores, in the order of the result: ``bleu`` or ``google_bleu``, then ROUGE types.

    Raises:
        TypeError: the argument is neither, or an option is unknown or decides what is counted.
        ValueError: there are fewer than two samples, the system is unknown or not named, a score
            is not a mean or sum of samples, or the comparison is a copy or comes from a pickle,
            which has no counts.

    >>> scorer = Scorer("rouge", rouge_types=["rouge1"])
    >>> scorer.update(["a cat", "no dog", "one bird"], ["a cat", "a dog", "the birds"])
    >>> found = influence(scorer)
    >>> found.scores, found.without["rouge1"].tolist(), found.ranking("rouge1")
    ({'rouge1': 0.5}, [0.25, 0.5, 0.75], [0, 1, 2])
    """
    if isinstance(scored, Scorer):
        if system is not None:
            raise ValueError(f"system is {system!r}, but a Scorer has only one; leave it out.")
        chosen = choose_options(scored.options, scored.families, options)
        plan = chosen.plan(scored.families)
        keys = scored.keys()
        return Influence(*leave_out(scored.counts(), plan), None if keys is None else keys.tolist())
    if not isinstance(scored, SystemComparison):
        raise TypeError(
            f"scored is of type {type(scored).__name__}; expected a Scorer, or the result of "
            "compare_systems. For texts use scorer = Scorer(); scorer.update(predictions, "
            "references); influence(scorer)."
        )
    if options:
        raise TypeError(
            f"{next(iter(options))!r} is given, but a comparison has its options; give it to "
            "compare_systems."
        )
    return _explain_difference(scored, system)


def _explain_difference(comparison: SystemComparison, system: str | None) -> Influence:
    """Compute the differences of a system from the baseline without each sample."""
    counted = comparison.read_counts()
    if counted.owners is not None:
        raise ValueError(
            "The systems of the comparison have several runs; compare one run of each to find the "
            "samples that explain a difference."
        )
    system = choose_system(counted.names, system)
    plan = counted.options.plan(counted.families)
    base, base_without = leave_out(counted.counts[0], plan)
    ours, ours_without = leave_out(counted.counts[counted.names.index(system)], plan)
    return Influence(
        {name: ours[name] - base[name] for name in base},
        {name: ours_without[name] - base_without[name] for name in base},
    )


def leave_out(counts: SampleCounts, plan: Plan) -> tuple[dict[str, float], dict[str, Floats]]:
    """Return the scores of all samples, and without each."""
    samples = len(counts.reference_counts)
    if samples < 2:
        raise ValueError(f"There is {samples} sample; expected at least 2 to leave one out.")
    without: dict[str, Floats] = {}
    for part in plan.scores.values():
        sums = part.sums(counts)
        if len(sums) < len(part.names) and not plan.output.is_mean:
            raise value_error(
                "ROUGE comes from resamples here ({aggregator='bootstrap'}), of which no "
                "sample can be left out",
                remedy=format_message("use {aggregator='mean'}."),
            )
        means = part.score_samples(counts) if len(sums) < len(part.names) else {}
        for name in part.names:
            without[name] = (
                _leave_out_of_sums(sums[name]) if name in sums else leave_out_of_mean(means[name])
            )
    return score_all(counts, plan), without


def _leave_out_of_sums(sums: Sums) -> Floats:
    """Return the score of the sums without each sample."""
    columns = sums.statistic.columns.astype(np.int64)
    # Whole numbers, so that the sums of the others are exact.
    others = (columns.sum(axis=0) - columns).astype(np.float64)
    for column, (values, factor) in sums.exact.items():
        others[:, column] = leave_out_of_sum(values.tolist()) * factor
    return sums.statistic.score(others)


def leave_out_of_mean(values: Floats) -> Floats:
    """Return the mean of all values but one, for each value, as ``exact_mean`` computes it."""
    means: Floats = leave_out_of_sum(values.tolist()) / (len(values) - 1)
    return means


def leave_out_of_sum(values: Sequence[float]) -> Floats:
    """Compute the sum of all values but one, for each value, as ``math.fsum`` rounds it."""
    # A float is a whole number over a power of two, so that sums of whole numbers are exact.
    ratios = [value.as_integer_ratio() for value in values]
    largest = max(denominator for _, denominator in ratios)
    wholes = [numerator * (largest // denominator) for numerator, denominator in ratios]
    total = sum(wholes)
    return np.array([(total - whole) / largest for whole in wholes])
