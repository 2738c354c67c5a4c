"""A comparison of systems in words: numbers for a reader, the test, a sentence for each score."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..families.registry import find_family
from ..resampling.pair_tests import find_level, smallest_p
from .significance_design import FEWEST_UNITS

if TYPE_CHECKING:
    from .system_comparison import ResampledSystems, SystemComparison, SystemScore

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

# Intervals of 95% hold the true score in 91% of test sets of so many units, but only in 71% to 77%
# of those of 3 (``bench/coverage.py``).
_FEW: Final = 5

# With fewer units, the bootstrap test finds a difference between equal systems in more than 7% of
# test sets, instead of 5% (``bench/coverage.py``).
_FEW_FOR_BOOTSTRAP: Final = 20

# The scale of scores that are counted in points.
_PERCENT: Final = 100

# The smallest number that is not written with an exponent.
_SMALLEST: Final = 1e-6


def name_score(score: str) -> str:
    """Return the name of a score as papers write it.

    >>> name_score("bleu"), name_score("rougeLsum"), name_score("rougeSU4"), name_score("comet")
    ('BLEU', 'ROUGE-Lsum', 'ROUGE-SU4', 'comet')
    """
    family = find_family(score)
    return score if family is None else family.write_name(score)


def write_amount(value: float, size: float) -> str:
    """Write a number with as many decimals as show two digits of a size; at least one decimal.

    >>> write_amount(1.234, 1.234), write_amount(0.5, 0.01234), write_amount(-0.0001, 12.3)
    ('1.2', '0.500', '0.0')
    """
    if 0 < abs(size) < _SMALLEST:
        return f"{value:.1e}"
    decimals = max(1, 1 - math.floor(math.log10(abs(size)))) if size else 1
    # Adding 0.0 makes zero of what is written as -0.0.
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def write_p(value: float) -> str:
    """Write a p-value with three decimals.

    >>> write_p(0.0062), write_p(0.0002)
    ('0.006', '<0.001')
    """
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def compare_p(name: str, value: float) -> str:
    """Write what a p-value is, or that it is below 0.001.

    >>> compare_p("p", 0.0062), compare_p("corrected p", 0.0002)
    ('p = 0.006', 'corrected p < 0.001')
    """
    return f"{name} < 0.001" if value < 0.0005 else f"{name} = {write_p(value)}"


def choose_decimals(rows: Sequence[Any]) -> int:
    """Return how many decimals the values of a score have."""
    return 2 if max(abs(row.value) for row in rows) > 1 else 4


def write_value(row: Any, decimals: int) -> str:
    """Write a value, with its interval in brackets, and with its standard deviation over runs."""
    value = f"{row.value:.{decimals}f}"
    if (deviation := getattr(row, "run_std", None)) is not None:
        value = f"{value} (sd {deviation:.{decimals}f})"
    if row.low is None or row.high is None:
        return value
    return f"{value} [{row.low:.{decimals}f}, {row.high:.{decimals}f}]"


def write_delta(delta: float | None, decimals: int) -> str:
    """Write a difference with its sign; None is empty."""
    return "" if delta is None else f"{delta:+.{decimals}f}"


def write_confidence(confidence: float) -> str:
    """Write a confidence in percent.

    >>> write_confidence(0.95), write_confidence(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * confidence:g}%"


class _Tested(Protocol):
    """A row with a p-value."""

    @property
    def p_value(self) -> float | None: ...
    @property
    def p_corrected(self) -> float | None: ...


def find_p(row: _Tested) -> float | None:
    """The p-value that decides: the corrected one if there is one."""
    return row.p_value if row.p_corrected is None else row.p_corrected


def is_clear(row: _Tested, confidence: float) -> bool:
    """Return whether the test calls the difference from the baseline more than chance."""
    p = find_p(row)
    return p is not None and p <= find_level(confidence)


def describe_test(comparison: "ResampledSystems") -> list[str]:
    """Sentences on the test, its parameters and the samples."""
    samples = _describe_samples(comparison)
    if comparison.untested_reason is not None:
        return [f"Not tested, because {comparison.untested_reason}.", samples]
    if comparison.is_exact:
        resamples = f"all {_write_power(comparison.n_resamples)} resamples (exact)"
    else:
        resamples = write_count(comparison.n_resamples, "resample")
    side = "two-sided"
    if comparison.alternative == "greater":
        side = "one-sided (is the system better?)"
    elif comparison.alternative == "noninferior":
        side = "one-sided (is the system worse by less than the margin?)"
    correction, uncorrected = "p not corrected", ""
    if comparison.correction is not None and comparison.n_tests is not None:
        name, tests = CORRECTIONS[comparison.correction], write_count(comparison.n_tests, "test")
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
            f"{write_count(comparison.interval_resamples, 'bootstrap resample')}{uncorrected}."
        )
    return [*lines, samples, *_describe_limits(comparison)]


def _describe_samples(comparison: "ResampledSystems") -> str:
    """Say how many samples, clusters and runs there are."""
    clusters = ""
    if comparison.n_clusters is not None:
        clusters = f" in {write_count(comparison.n_clusters, 'cluster')}"
    samples = f"Samples: {comparison.n_samples:,}{clusters}."
    runs = {row.runs for row in comparison.rows if row.runs is not None}
    if not runs:
        return samples
    counts = " to ".join(f"{number:,}" for number in sorted({min(runs), max(runs)}))
    return f"{samples} Runs of each system: {counts}; sd is their standard deviation."


def _describe_limits(comparison: "ResampledSystems") -> list[str]:
    """Return sentences on too few units: for intervals, for the bootstrap, and for small p."""
    units, count = comparison.n_samples, write_count(comparison.n_samples, "sample")
    if comparison.n_clusters is not None:
        units, count = comparison.n_clusters, write_count(comparison.n_clusters, "cluster")
    limits = []
    if units < _FEW and comparison.convention is None:
        limits.append(f"With {count}, the intervals of scores are too narrow.")
    if units < _FEW_FOR_BOOTSTRAP and comparison.test == "bootstrap":
        limits.append(
            f"With {count}, the bootstrap test finds too many differences; use approximate "
            "randomization."
        )
    if comparison.test != "bootstrap_t" and any(row.runs is not None for row in comparison.rows):
        limits.append(
            "Runs that vary make approximate randomization and the bootstrap find too many "
            "differences; use bootstrap_t."
        )
    alternative: Any = comparison.alternative
    least = smallest_p(
        comparison.test, comparison.n_resamples, alternative, is_exact=comparison.is_exact
    )
    causes, p = (
        [count if comparison.is_exact else write_count(comparison.n_resamples, "resample")],
        "p",
    )
    level, n_tests = find_level(comparison.confidence), 1
    # Benjamini and Hochberg leave the largest p-value as it is, and so all if all are equal.
    if comparison.n_tests is not None and comparison.correction != "fdr_bh":
        n_tests, p = comparison.n_tests, "corrected p"
        causes.append(write_count(n_tests, "test"))
    if n_tests * least > level:
        name = "samples" if comparison.n_clusters is None else "clusters"
        remedy = f"more {name}" if comparison.is_exact else _suggest_resamples(n_tests, level)
        limits.append(
            f"With {' and '.join(causes)}, no {p} can be below {write_p(min(1, n_tests * least))}, "
            f"so that no difference can be clear; use {remedy}{' or fewer scores' * (n_tests > 1)}."
        )
    return limits


def _suggest_resamples(n_tests: int, level: float) -> str:
    """Return how many resamples make the smallest p-value as small as the level, in two digits.

    >>> _suggest_resamples(525, 0.05)
    'at least 11,000 resamples (n_resamples=, --resamples)'
    """
    needed = n_tests / level
    unit = 10 ** max(0, math.floor(math.log10(needed)) - 1)
    return f"at least {math.ceil(needed / unit) * unit:,} resamples (n_resamples=, --resamples)"


def write_count(number: int, name: str) -> str:
    """Write how many things there are.

    >>> write_count(1, "test"), write_count(3004, "sample")
    ('1 test', '3,004 samples')
    """
    return f"{number:,} {name}{'s' * (number != 1)}"


def _write_power(number: int) -> str:
    """Write a number, with the power of two that it is."""
    power = number.bit_length() - 1
    return f"2^{power} = {number:,}" if number == 2**power else f"{number:,}"


class _Differing(_Tested, Protocol):
    """A row with a difference from the baseline, and its interval if there is one."""

    @property
    def system(self) -> str: ...
    @property
    def score(self) -> str: ...
    @property
    def delta(self) -> float | None: ...
    @property
    def delta_low(self) -> float | None: ...
    @property
    def delta_high(self) -> float | None: ...
    @property
    def scale(self) -> int | None: ...


def write_difference(row: _Differing, baseline: str) -> str:
    """Return the start of a sentence: by how much a system scores more or less than another."""
    delta, name = row.delta or 0.0, name_score(row.score)
    if not delta:
        return f"{row.system} and {baseline} have the same {name}"
    points = " points" if row.scale == _PERCENT else ""
    scale = " on a scale of 0 to 1" if row.scale == 1 else ""
    more = "more" if delta > 0 else "less"
    return (
        f"{row.system} scores {write_amount(abs(delta), delta)} {name}{points} {more} than "
        f"{baseline}{scale}"
    )


def list_facts(row: _Differing, confidence: float) -> list[str]:
    """Return the interval of a difference and its p-value, as far as there are any.

    The interval is that of the number in the sentence: of how much more, or how much less.
    """
    is_corrected, facts = row.p_corrected is not None, []
    if row.delta_low is not None and row.delta_high is not None:
        ends = sorted(
            end if (row.delta or 0) >= 0 else -end for end in (row.delta_low, row.delta_high)
        )
        low, high = (write_amount(end, row.delta or max(map(abs, ends))) for end in ends)
        level = write_confidence(confidence)
        facts.append(f"{'uncorrected ' * is_corrected}{level} interval {low} to {high}")
    if (p := find_p(row)) is not None:
        facts.append(compare_p("corrected p" if is_corrected else "p", p))
    return facts


def describe_difference(row: "SystemScore", comparison: "SystemComparison") -> str:
    """Return one sentence on a system and a score; empty for the baseline."""
    if row.delta is None:
        return ""
    start = write_difference(row, comparison.baseline)
    if row.p_value is None:
        return f"{start}: not tested, because {comparison.untested_reason}."
    facts = ", ".join(list_facts(row, comparison.confidence))
    share = "" if row.run_share is None else f" {_describe_share(row.run_share)}"
    return f"{start} ({facts}): {_judge(row, comparison)}{share}"


def suggest_samples(comparison: "SystemComparison") -> list[str]:
    """Name what estimates the number of samples, if some differences are too small for these."""
    units = comparison.n_clusters or comparison.n_samples
    # It estimates neither runs nor the scores of other tools.
    if units < FEWEST_UNITS or not any(
        row.scale is not None
        and row.runs is None
        and _is_undetectable(row)
        and not is_clear(row, comparison.confidence)
        for row in comparison.rows
    ):
        return []
    return [
        "required_samples (bleu-rouge required-samples) estimates how many samples a smaller "
        "difference needs."
    ]


def _is_undetectable(row: "SystemScore") -> bool:
    """Return whether the samples are too few for a difference of this size."""
    if row.detectable is None or row.delta is None or row.margin is not None:
        return False
    return abs(row.delta) < row.detectable


def _describe_share(share: float) -> str:
    """Say which variance of a difference dominates."""
    larger, smaller = ("runs", "samples") if share > 0.5 else ("samples", "runs")
    percent = f"{100 * max(share, 1 - share):.0f}%"
    if percent == "100%":
        return f"Nearly all of its variance comes from {larger}."
    return f"Most of its variance ({percent}) comes from {larger}, the rest from {smaller}."


def _judge(row: "SystemScore", comparison: "SystemComparison") -> str:
    """What the test says of a difference."""
    if row.margin is not None:
        return _judge_margin(row, comparison)
    is_one_sided = comparison.alternative == "greater"
    if is_clear(row, comparison.confidence):
        if is_one_sided:
            return "a gain of this size is unlikely to be chance (one-sided test)."
        return "a difference of this size is unlikely to be chance."
    verdict = "no clear gain (one-sided test)" if is_one_sided else "no clear difference"
    if not _is_undetectable(row) or row.detectable is None:
        return f"{verdict}."
    least = write_amount(row.detectable, row.detectable)
    return f"{verdict}. The smallest difference detectable with a power of 0.8 is {least}."


def _judge_margin(row: "SystemScore", comparison: "SystemComparison") -> str:
    """What a test of non-inferiority says of a difference."""
    margin = f"{row.margin:g}"
    if is_clear(row, comparison.confidence):
        return f"not worse by more than {margin} (one-sided test)."
    verdict = f"it may be worse by more than {margin} (one-sided test)"
    if row.detectable is None or row.margin is None or row.margin >= row.detectable:
        return f"{verdict}."
    least = write_amount(row.detectable, row.detectable)
    return (
        f"{verdict}. For a system that is as good, the smallest margin that is shown with a power "
        f"of 0.8 is {least}."
    )
