"""A comparison of systems in words: numbers for a reader, the test, a sentence for each score."""

import math
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .system_comparison import SystemComparison, SystemScore

_BLEU: Final = {"bleu": "BLEU", "google_bleu": "Google BLEU"}
_ROUGE: Final = re.compile(r"rouge(?=\d|L|W|S)", re.ASCII)

_TESTS: Final = {
    "approximate_randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
}
_CORRECTIONS: Final = {
    "holm": "Holm's method",
    "bonferroni": "Bonferroni's method",
    "fdr_bh": "the method of Benjamini and Hochberg",
}

# The smallest number that is not written with an exponent.
_SMALLEST: Final = 1e-6


def name_score(score: str) -> str:
    """The name of a score as papers write it.

    >>> name_score("bleu"), name_score("rougeLsum"), name_score("rougeSU4"), name_score("comet")
    ('BLEU', 'ROUGE-Lsum', 'ROUGE-SU4', 'comet')
    """
    return _BLEU.get(score) or _ROUGE.sub("ROUGE-", score)


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


def write_confidence(confidence: float) -> str:
    """Write a confidence in percent.

    >>> write_confidence(0.95), write_confidence(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * confidence:g}%"


def find_p(row: "SystemScore") -> float | None:
    """The p-value that decides: the corrected one if there is one."""
    return row.p_value if row.p_corrected is None else row.p_corrected


def is_clear(row: "SystemScore", confidence: float) -> bool:
    """Whether the test calls the difference from the baseline more than chance."""
    p = find_p(row)
    # The subtraction may end a little below the level: 1 - 0.9 is 0.09999999999999998.
    return p is not None and p <= round(1 - confidence, 12)


def describe_test(comparison: "SystemComparison") -> list[str]:
    """Sentences on the test, its parameters and the samples."""
    tested = [row for row in comparison.rows if row.p_value is not None]
    if comparison.is_exact:
        resamples = f"all {_write_power(comparison.n_resamples)} resamples (exact)"
    else:
        resamples = f"{comparison.n_resamples:,} resamples"
    side = "two-sided"
    if comparison.alternative == "greater":
        side = "one-sided (is the system better?)"
    correction = "p not corrected"
    if comparison.correction is not None:
        name = _CORRECTIONS[comparison.correction]
        tests = "1 test" if len(tested) == 1 else f"{len(tested):,} tests"
        correction = f"p corrected with {name} over {tests}"
    if comparison.convention is not None:
        correction += f", by the convention of {comparison.convention}"
    lines = [
        f"Test against {comparison.baseline}: {_TESTS[comparison.test]}, {resamples}, "
        f"seed {comparison.seed}, {side}, {correction}."
    ]
    if any(row.low is not None or row.delta_low is not None for row in comparison.rows):
        lines.append(
            f"Intervals: {write_confidence(comparison.confidence)}, from "
            f"{comparison.interval_resamples:,} bootstrap resamples."
        )
    clusters = "" if comparison.n_clusters is None else f" in {comparison.n_clusters:,} clusters"
    lines.append(f"Samples: {comparison.n_samples:,}{clusters}.")
    # Signs that are all swapped are as far from 0, on the other side.
    least = (1 if comparison.alternative == "greater" else 2) / comparison.n_resamples
    if comparison.is_exact and least > 1 - comparison.confidence:
        lines.append(f"With so few, no p can be below {write_p(least)}.")
    return lines


def _write_power(number: int) -> str:
    """Write a number, with the power of two that it is."""
    power = number.bit_length() - 1
    return f"2^{power} = {number:,}" if number == 2**power else f"{number:,}"


def describe_difference(row: "SystemScore", comparison: "SystemComparison") -> str:
    """One sentence on a system and a score; empty if nothing was tested.

    The interval is that of the number in the sentence: of how much more, or how much less.
    """
    p, delta = find_p(row), row.delta
    if p is None or delta is None:
        return ""
    score, size = name_score(row.score), delta
    sign = -1 if delta < 0 else 1
    if delta == 0:
        start = f"{row.system} and {comparison.baseline} have the same {score}"
        size = max(abs(row.delta_low or 0), abs(row.delta_high or 0))
    else:
        more = "more" if delta > 0 else "less"
        amount = write_amount(abs(delta), size)
        start = f"{row.system} scores {amount} {score} {more} than {comparison.baseline}"
    facts = []
    if row.delta_low is not None and row.delta_high is not None:
        low, high = sorted((sign * row.delta_low, sign * row.delta_high))
        facts.append(
            f"{write_confidence(comparison.confidence)} interval {write_amount(low, size)} to "
            f"{write_amount(high, size)}"
        )
    shown = write_p(p) if p < 0.0005 else f"= {write_p(p)}"
    facts.append(f"{'p' if row.p_corrected is None else 'corrected p'} {shown}".replace("<", "< "))
    return f"{start} ({', '.join(facts)}): {_judge(row, comparison)}"


def _judge(row: "SystemScore", comparison: "SystemComparison") -> str:
    """What the test says of a difference."""
    is_one_sided = comparison.alternative == "greater"
    if is_clear(row, comparison.confidence):
        if is_one_sided:
            return "a gain of this size is unlikely to be chance (one-sided test)."
        return "a difference of this size is unlikely to be chance."
    verdict = "no clear gain (one-sided test)" if is_one_sided else "no clear difference"
    if row.detectable is None or row.delta is None or abs(row.delta) >= row.detectable:
        return f"{verdict}."
    least = write_amount(row.detectable, row.detectable)
    return f"{verdict}. These samples would show one of {least} or more with a power of 0.8."
