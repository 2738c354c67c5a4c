"""Warnings about options of resampling that have no effect."""

from collections.abc import Sequence
from typing import Final

from ..messages import format_message
from ..options.options import Options
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..text.warnings import warn_caller

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
