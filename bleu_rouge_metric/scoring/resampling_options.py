"""Warnings about options of resampling: without effect, or with too few samples."""

from collections.abc import Sequence
from typing import Final

from ..families.counts import SampleCounts
from ..messages import Message, format_message
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..text.warnings import warn_caller
from .statistics import FEWEST_OTHERS, share_one_score

# The intervals of ROUGE, which are those of rouge_score, hold the true mean in 91% of test sets of
# so many samples, but in 75% of those of 3 (``bench/coverage.py``).
_FEW: Final = 10

_BLEU_REMEDY: Final = format_message("use {confidence=0.95}, or leave it out.")
_REMEDY: Final = format_message(
    "use {aggregator='bootstrap'} or {confidence=0.95}, or leave it out."
)


def warn_if_not_resampled(options: Options, families: Sequence[Family]) -> None:
    """Warn if a number of resamples has no effect on one result."""
    chosen = options.n_resamples
    if chosen != OPTIONS["n_resamples"].default and not options.plan(families).is_resampled:
        reason = "{n_resamples} is {}, but nothing is resampled"
        warn_caller(format_message(reason, chosen, remedy=_find_remedy(families)))


def list_interval_warnings(
    parts: Sequence[tuple[str, SampleCounts]], plan: Plan, confidence: float
) -> list[tuple[str, Message]]:
    """Return warnings that the samples are too few, or too equal, for intervals; each has a key.

    ``parts`` are all samples, without a label, and those of each group.
    """
    few: dict[str, int] = {}
    shared: dict[str, list[str]] = {}
    for label, counts in parts:
        if (samples := len(counts.reference_counts)) < _FEW:
            few[label] = samples
            continue
        names = [
            name
            for part in plan.scores.values()
            for name, scores in part.score_samples(counts).items()
            if share_one_score(scores)
        ]
        if names:
            shared[label] = names
    warnings = []
    if few:
        label, samples = next(iter(few.items()))
        reason = "{confidence} is {}, but intervals from {} sample{}{} are too narrow"
        where = _describe_part(label, len(few))
        message = format_message(
            reason,
            *(confidence, samples, "s" * (samples != 1), where),
            remedy=f"use at least {_FEW} samples.",
        )
        warnings.append(("few samples", message))
    if shared:
        label, names = next(iter(shared.items()))
        reason = (
            "{confidence} is {}, but the intervals of {}{} are too narrow, because fewer than {} "
            "samples differ from the most frequent score"
        )
        where = _describe_part(label, len(shared))
        message = format_message(reason, confidence, ", ".join(names), where, FEWEST_OTHERS)
        warnings.append(("equal samples", message))
    return warnings


def _describe_part(label: str, parts: int) -> str:
    """Return in which group samples are too few or too equal; empty for all samples."""
    if not label:
        return ""
    others = f" and {parts - 1} other{'s' * (parts != 2)}" * (parts > 1)
    return f" in the group {label!r}{others}"


def warn_of_seed(options: Options, families: Sequence[Family], seed: int) -> None:
    """Warn if a seed that the caller gave has no effect on one result."""
    plan = options.plan(families)
    if plan.has_seed:
        return
    if plan.is_resampled:
        reason, remedy = f"the profile {options.profile!r} has its own seeds", "leave it out."
    else:
        reason, remedy = "nothing is resampled", _find_remedy(families)
    warn_caller(format_message("{seed} is {}, but {}", seed, reason, remedy=remedy))


def _find_remedy(families: Sequence[Family]) -> str:
    """Return which option resamples the scores of the families."""
    return _REMEDY if {*families} & {*OPTIONS["aggregator"].families} else _BLEU_REMEDY
