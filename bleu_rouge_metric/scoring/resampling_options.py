"""Warnings about options of resampling that have no effect."""

from collections.abc import Sequence
from typing import Final

from ..options.options import Options
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..text.warnings import warn_caller

_BLEU_REMEDY: Final = "use confidence=0.95, or leave it out."
_REMEDY: Final = "use aggregator='bootstrap' or confidence=0.95, or leave it out."


def warn_if_not_resampled(options: Options, families: Sequence[Family]) -> None:
    """Warn if a number of resamples has no effect on one result."""
    chosen = options.n_resamples
    if chosen != OPTIONS["n_resamples"].default and not options.plan(families).is_resampled:
        warn_caller(f"n_resamples is {chosen}, but nothing is resampled; {_find_remedy(families)}")


def warn_of_seed(options: Options, families: Sequence[Family], seed: int) -> None:
    """Warn if a seed that the caller gave has no effect on one result."""
    plan = options.plan(families)
    if plan.has_seed:
        return
    if plan.is_resampled:
        reason = f"the profile {options.profile!r} has its own seeds; leave it out."
    else:
        reason = f"nothing is resampled; {_find_remedy(families)}"
    warn_caller(f"seed is {seed}, but {reason}")


def _find_remedy(families: Sequence[Family]) -> str:
    """Return which option resamples the scores of the families."""
    return _REMEDY if {*families} & {*OPTIONS["aggregator"].families} else _BLEU_REMEDY
