"""The result of a comparison with a baseline: its report, and what it says in sentences."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..messages import count_noun
from ..resampling.tests import TOLERANCE, find_level, smallest_p
from ..tables import Report, Result, Table
from .comparison_signature import read_comparison_signature, write_comparison_signature
from .design import DEFAULT_RESAMPLES, count_resamples
from .systems import CountedSystems
from .wording import (
    choose_decimals,
    compare_p,
    find_p,
    is_clear,
    name_score,
    write_confidence,
    write_delta,
    write_number,
    write_p,
    write_size,
    write_value,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

_TESTS: Final = {
    "approximate_randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
    "bootstrap_t": "Student's t with standard errors of the bootstrap",
}
CORRECTIONS: Final = {
    "holm": "Holm's method",
    "bonferroni": "Bonferroni's method",
    "fdr_bh": "the method of Benjamini and Hochberg",
}

# The scale of scores that are counted in points.
_PERCENT: Final = 100

# Intervals of 95% hold the true score in 91% of test sets of so many units, but only in 71% to 77%
# of those of 3 (``bench/coverage.py`` of commit 69db66f1).
_FEW: Final = 5

# With fewer units, the bootstrap test finds a difference between equal systems in more than 7% of
# test sets, instead of 5% (``bench/coverage.py`` of commit 69db66f1).
_FEW_FOR_BOOTSTRAP: Final = 20


@dataclass(frozen=True, kw_only=True)
class ResampledSystems(Result):
    """How systems were resampled and tested.

    Attributes:
        rows: all systems of the first score, then those of the next.
        test: ``approximate_randomization``, ``bootstrap``, or ``bootstrap_t``: Student's t with
            standard errors of the bootstrap.
        n_resamples: how many resamples the test made; if it is exact, all there are.
        is_exact: whether the test went through all resamples there are.
        seed: of the random stream.
        confidence: of the intervals; a difference is called clear if p is at most 1 minus this.
        alternative: ``two-sided``, or ``greater`` if only a better score counts.
        correction: ``holm``, ``bonferroni``, ``fdr_bh``, or None.
        n_tests: how many p-values were corrected together, those of all groups among them; None
            without a correction.
        convention: ``sacrebleu`` if p-values and intervals are those of that program, else None.
        n_samples: number of samples.
        n_clusters: number of clusters; None if every sample is a unit of its own.
        effective_clusters: the number of clusters of equal sizes that say as much (Kish 1965), of
            which the degrees of freedom are; None without clusters.
        untested_reason: why there are no intervals and p-values: a group has a single sample, or
            all its samples are in one cluster; None if there are.
        options: the signature of the options of the scores.
        interval_resamples: number of bootstrap resamples behind the intervals.
        warnings: sentences on intervals that are missing or too narrow because samples have equal
            scores.
        groups: the results of the groups alone, by name; empty if none were asked for.
    """

    rows: tuple[Any, ...]
    test: str
    n_resamples: int
    is_exact: bool
    seed: int
    confidence: float
    alternative: str
    correction: str | None
    n_tests: int | None = None
    convention: str | None
    n_samples: int
    n_clusters: int | None
    effective_clusters: float | None = None
    untested_reason: str | None = None
    options: str
    interval_resamples: int
    warnings: tuple[str, ...] = ()
    groups: Mapping[str, Any] = field(default_factory=dict)

    def signature(self) -> str:
        """Return one line that records how scores and tests were computed."""
        test = {
            "test": self.test,
            "n_resamples": self.n_resamples,
            "interval_resamples": self.interval_resamples,
            "seed": self.seed,
            "confidence": self.confidence,
            "alternative": self.alternative,
            "correction": self.correction,
            "tests": self.n_tests,
            "convention": self.convention,
            **self._own_facts(),
            "clusters": self.n_clusters,
        }
        return write_comparison_signature(self.options, test)

    @property
    def subject(self) -> str:
        """Return what is tested, in words that follow "Test"."""
        raise NotImplementedError

    @property
    def tested(self) -> Sequence[Any]:
        """Return the rows that have p-values."""
        return self.rows

    @property
    def scores(self) -> list[str]:
        """Return the names of the scores, in their order."""
        return self._list("score")

    def _report(self, tables: Sequence[Table], findings: Sequence[str]) -> Report:
        """Return the report of all samples and of the groups."""
        parts = {f"Group {name}": group.report() for name, group in self.groups.items()}
        return Report(tables, describe_test(self), findings, parts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything except counts in JSON types; the rows are dicts."""
        return {**super().to_dict(), "signature": self.signature()}

    def _own_facts(self) -> dict[str, object]:
        """Return what the signature says of this kind of result."""
        return {}


class SystemScore(NamedTuple):
    """One score of one system, and its difference from the baseline's.

    Everything that compares with the baseline is None for the baseline itself.

    Attributes:
        system: name of the system.
        score: ``bleu``, ``google_bleu``, a ROUGE type, or the name of an outside score.
        value: the score of all samples, from 0 to ``scale``.
        low: lower end of the interval of the value; None if there is none.
        high: upper end of the interval of the value.
        delta: the value minus the baseline's.
        delta_low: lower end of the interval of ``delta``.
        delta_high: upper end of the interval of ``delta``.
        p_value: how probable a difference as large as this one is if the systems do not differ.
        p_corrected: ``p_value`` corrected for the number of tests; None without a correction. The
            intervals are not corrected.
        wins: samples in which the system scores more than the baseline.
        ties: samples in which both score the same.
        losses: samples in which the system scores less. All three, and the effect size, compare
            BLEU of samples with the smoothing of sacrebleu's ``sentence_bleu``.
        effect_size: mean of the differences between samples over their standard deviation.
        detectable: the smallest difference that is found with a power of 0.8 in as many samples
            as these, at the corrected level; None if no difference can be found.
        mean: of the resampled scores; only with ``convention="sacrebleu"``.
        scale: the score of a perfect system, 1 or 100; None for an outside score.
        runs: how many runs the system has, if there are several; the value is their mean.
        run_std: standard deviation of the scores of the runs.
        run_share: share of the variance of the difference that comes from runs, not from samples.
        error: standard error of the value.
        delta_error: standard error of ``delta``.
    """

    system: str
    score: str
    value: float
    low: float | None = None
    high: float | None = None
    delta: float | None = None
    delta_low: float | None = None
    delta_high: float | None = None
    p_value: float | None = None
    p_corrected: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    effect_size: float | None = None
    detectable: float | None = None
    mean: float | None = None
    scale: int | None = None
    runs: int | None = None
    run_std: float | None = None
    run_share: float | None = None
    error: float | None = None
    delta_error: float | None = None


@dataclass(frozen=True, kw_only=True)
class SystemComparison(ResampledSystems):
    """Scores of several systems on the same samples, and tests of their differences.

    The attributes of how the tests were made are those of ``ResampledSystems``.

    Attributes:
        rows: all systems of the first score, the baseline among them, then those of the next.
        baseline: the system that the others are compared with.
        groups: the comparisons of the groups alone, by name; empty if none were asked for.
        counted: the counts of the systems, for ``influence``; None in a copy or from a pickle.
    """

    rows: tuple[SystemScore, ...]
    baseline: str
    groups: Mapping[str, "SystemComparison"] = field(default_factory=dict)
    counted: CountedSystems | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # The options of the counts may have functions that cannot be pickled.
        return {**vars(self), "counted": None}

    @property
    def subject(self) -> str:
        """Return what is tested, in words that follow "Test"."""
        return f"against {self.baseline}"

    def read_counts(self) -> CountedSystems:
        """Return the counts of the systems.

        Raises:
            ValueError: it is a copy or comes from a pickle, which have none.
        """
        if self.counted is None:
            raise ValueError(
                "The comparison has no counts, because it is a copy or comes from a pickle; give "
                "the one that compare_systems has returned."
            )
        return self.counted

    @property
    def systems(self) -> list[str]:
        """Return the names of the systems, in their order."""
        return self._list("system")

    def make_table(self, scores: Sequence[str]) -> Table:
        """Return a row per system; a score has its value, the difference and p."""
        head = [""]
        lines = [[name + " (baseline)" * (name == self.baseline)] for name in self.systems]
        for score in scores:
            rows = [row for row in self.rows if row.score == score]
            decimals = choose_decimals(rows)
            head += [name_score(score), "diff", "p" if self.correction is None else "corrected p"]
            for line, row in zip(lines, rows, strict=True):
                p = find_p(row)
                line += [
                    write_value(row, decimals),
                    write_delta(row.delta, decimals),
                    "" if p is None else write_p(p),
                ]
        return Table(head, lines, block=3)

    def report(self) -> Report:
        """Return a table of all scores, how it was computed, and the sentences."""
        findings = [line for row in self.rows if (line := describe_difference(row, self))]
        return self._report([self.make_table(self.scores)], findings=findings)

    def _own_facts(self) -> dict[str, object]:
        return {"baseline": self.baseline}

    @staticmethod
    def read_signature(text: str, **options: "Unpack[OptionKeywords]") -> dict[str, Any]:
        """Parse a signature into keyword arguments of ``compare_systems``.

        Args:
            text: a line of ``signature``.
            **options: options that override the line, such as functions, which a line can only
                name.

        Raises:
            TypeError: the text is not a str.
            ValueError: the line cannot be read.

        >>> SystemComparison.read_signature("profile:nltk|test:bootstrap|seed:0|baseline:a%7Cb")
        {'profile': 'nltk', 'test': 'bootstrap', 'seed': 0, 'baseline': 'a|b'}
        """
        given: Mapping[str, Any] = options
        return {**read_comparison_signature(text, given), **given}


def describe_test(comparison: ResampledSystems) -> list[str]:
    """Return sentences on the test, its parameters and the samples."""
    samples = _describe_samples(comparison)
    if comparison.untested_reason is not None:
        return [f"Not tested, because {comparison.untested_reason}.", samples]
    if comparison.is_exact:
        resamples = (
            f"all {_write_power(comparison.n_resamples)} resamples (exact if each text could "
            "equally be either system's)"
        )
    else:
        resamples = count_noun(comparison.n_resamples, "resample")
    side = "two-sided"
    if comparison.alternative == "greater":
        side = "one-sided (is the system better?)"
    correction, uncorrected = "p not corrected", ""
    if comparison.correction is not None and comparison.n_tests is not None:
        name, tests = CORRECTIONS[comparison.correction], count_noun(comparison.n_tests, "test")
        correction = f"p corrected with {name} over {tests}"
        if comparison.n_tests > sum(row.p_value is not None for row in comparison.tested):
            correction += " of all samples and groups"
        uncorrected = ", not corrected"
    if comparison.convention is not None:
        correction += f", by the convention of {comparison.convention}"
    lines = [
        f"Test {comparison.subject}: {_TESTS[comparison.test]}, {resamples}, "
        f"seed {comparison.seed}, {side}, {correction}."
    ]
    if any(
        getattr(row, name, None) is not None
        for row in comparison.rows
        for name in ("low", "delta_low")
    ):
        lines.append(
            f"Intervals: {write_confidence(comparison.confidence)}, from "
            f"{count_noun(comparison.interval_resamples, 'bootstrap resample')}{uncorrected}."
        )
    return [*lines, samples, *comparison.warnings, *_describe_limits(comparison)]


def _describe_samples(comparison: ResampledSystems) -> str:
    """Say how many samples, clusters and runs there are."""
    clusters = ""
    if comparison.n_clusters is not None:
        clusters = f" in {count_noun(comparison.n_clusters, 'cluster')}"
        effective = comparison.effective_clusters or comparison.n_clusters
        if effective < comparison.n_clusters:
            clusters += f" of unequal sizes, which count as {effective:.1f}"
    samples = f"Samples: {comparison.n_samples:,}{clusters}."
    runs = {row.runs for row in comparison.rows if row.runs is not None}
    if not runs:
        return samples
    counts = " to ".join(f"{number:,}" for number in sorted({min(runs), max(runs)}))
    return f"{samples} Runs of each system: {counts}; sd is their standard deviation."


def _describe_limits(comparison: ResampledSystems) -> list[str]:
    """Return sentences on too few units or resamples: for intervals, for tests, and for small p."""
    n_units, units, name = comparison.n_samples, float(comparison.n_samples), "sample"
    if comparison.n_clusters is not None:
        n_units, name = comparison.n_clusters, "cluster"
        units = comparison.effective_clusters or float(n_units)
    count, limits = count_noun(n_units, name), []
    if units < n_units:
        count = f"{count} that count as {units:.1f}"
    if units < _FEW and comparison.convention is None:
        limits.append(f"With {count}, the intervals of scores are too narrow.")
    if units < _FEW_FOR_BOOTSTRAP and comparison.test == "bootstrap":
        limits.append(
            f"With {count}, the bootstrap test finds too many differences; use approximate "
            "randomization."
        )
    if any(row.runs == 2 for row in comparison.rows):
        limits.append("Two runs hardly show how much runs vary; use three or more of each system.")
    default = DEFAULT_RESAMPLES[comparison.test]
    if comparison.n_resamples == count_resamples(comparison.test, n_units) < default:
        limits.append(
            f"With {count}, {comparison.n_resamples:,} resamples are the default in place of "
            f"{default:,}; n_resamples= (--n-resamples) sets another number."
        )
    alternative: Any = comparison.alternative
    least = smallest_p(
        comparison.test, comparison.n_resamples, alternative, is_exact=comparison.is_exact
    )
    causes = [count if comparison.is_exact else count_noun(comparison.n_resamples, "resample")]
    level, n_tests, p = find_level(comparison.confidence), 1, "p"
    # Benjamini and Hochberg leave the largest p-value as it is, and so all if all are equal.
    if comparison.n_tests is not None and comparison.correction != "fdr_bh":
        n_tests, p = comparison.n_tests, "corrected p"
        causes.append(count_noun(n_tests, "test"))
    if n_tests * least > level:
        remedy = f"more {name}s"
        if not comparison.is_exact:
            needed = math.ceil(n_tests / level - 1e-9)
            remedy = f"at least {needed:,} resamples (n_resamples=, --n-resamples)"
        smallest = min(1, n_tests * least)
        shown = f"{smallest:.1g}" if smallest < 0.0005 else write_p(smallest)
        limits.append(
            f"With {' and '.join(causes)}, no {p} can be below {shown}, "
            f"so that no difference can be clear; use {remedy}{' or fewer scores' * (n_tests > 1)}."
        )
    return limits


def _write_power(number: int) -> str:
    """Write a number, with the power of two that it is."""
    power = number.bit_length() - 1
    return f"2^{power} = {number:,}" if number == 2**power else f"{number:,}"


def describe_difference(row: SystemScore, comparison: SystemComparison) -> str:
    """Return one sentence on a system and a score; empty for the baseline."""
    if row.delta is None:
        return ""
    decimals = choose_decimals([each for each in comparison.rows if each.score == row.score])
    start = _write_difference(row, comparison.baseline, decimals)
    if row.p_value is None:
        reason = comparison.untested_reason or "the difference does not vary"
        return f"{start}: not tested, because {reason}."
    facts = ", ".join(_list_facts(row, comparison.confidence, decimals))
    share = "" if row.run_share is None else f" {_describe_share(row.run_share)}"
    return f"{start} ({facts}): {_judge(row, comparison, decimals)}{share}"


def _write_difference(row: SystemScore, baseline: str, decimals: int) -> str:
    """Return the start of a sentence: by how much a system scores more or less than another."""
    delta, name = row.delta or 0.0, name_score(row.score)
    if abs(delta) <= TOLERANCE * abs(row.value):
        return f"{row.system} and {baseline} have the same {name}"
    points = " points" if row.scale == _PERCENT else ""
    scale = " on a scale of 0 to 1" if row.scale == 1 else ""
    more = "more" if delta > 0 else "less"
    return (
        f"{row.system} scores {write_size(abs(delta), decimals)} {name}{points} {more} than "
        f"{baseline}{scale}"
    )


def _list_facts(row: SystemScore, confidence: float, decimals: int) -> list[str]:
    """Return the interval of a difference and its p-value, as far as they are known."""
    is_corrected, facts = row.p_corrected is not None, []
    if row.delta_low is not None and row.delta_high is not None:
        # The sentence says how much more, or how much less; the interval is of that number.
        sign = 1 if (row.delta or 0) >= 0 else -1
        low, high = sorted((sign * row.delta_low, sign * row.delta_high))
        ends = f"{write_number(low, decimals)} to {write_number(high, decimals)}"
        level = write_confidence(confidence)
        facts.append(f"{'uncorrected ' * is_corrected}{level} interval {ends}")
    if (p := find_p(row)) is not None:
        facts.append(compare_p("corrected p" if is_corrected else "p", p))
    return facts


def _describe_share(share: float) -> str:
    """Say which variance of a difference dominates."""
    larger, smaller = ("runs", "samples") if share > 0.5 else ("samples", "runs")
    percent = f"{100 * max(share, 1 - share):.0f}%"
    if percent == "100%":
        return f"Nearly all of its variance comes from {larger}."
    return f"Most of its variance ({percent}) comes from {larger}, the rest from {smaller}."


def _judge(row: SystemScore, comparison: SystemComparison, decimals: int) -> str:
    """Return what the test says of a difference."""
    is_one_sided = comparison.alternative == "greater"
    if is_clear(row, comparison.confidence):
        if is_one_sided:
            return "such a gain would be rare if the systems were equal (one-sided test)."
        return "such a difference would be rare if the systems were equal."
    verdict = "no clear gain (one-sided test)" if is_one_sided else "no clear difference"
    if row.detectable is None or abs(row.delta or 0.0) >= row.detectable:
        return f"{verdict}."
    least = write_size(row.detectable, decimals)
    return f"{verdict}. The smallest difference detectable with a power of 0.8 is {least}."
