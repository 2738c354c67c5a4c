"""Warnings about options of resampling that have no effect."""

from collections.abc import Sequence
from typing import Final

from ..messages import Argument, Message, Remedy, Value, setting
from ..options.options import Options
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..text.warnings import warn_caller

_CONFIDENCE: Final = setting("confidence", 0.95)
_BLEU_REMEDY: Final = Remedy("use ", _CONFIDENCE, ", or leave it out.")
_REMEDY: Final = Remedy(
    *("use ", setting("aggregator", "bootstrap"), " or ", _CONFIDENCE, ", or leave it out.")
)


def warn_if_not_resampled(options: Options, families: Sequence[Family]) -> None:
    """Warn if a number of resamples has no effect on one result."""
    chosen = options.n_resamples
    if chosen != OPTIONS["n_resamples"].default and not options.plan(families).is_resampled:
        given = Argument("n_resamples"), " is ", Value(chosen)
        warn_caller(Message(*given, ", but nothing is resampled; ", _find_remedy(families)))


def warn_of_seed(options: Options, families: Sequence[Family], seed: int) -> None:
    """Warn if a seed that the caller gave has no effect on one result."""
    plan = options.plan(families)
    if plan.has_seed:
        return
    if plan.is_resampled:
        reason, remedy = f"the profile {options.profile!r} has its own seeds", "leave it out."
    else:
        reason, remedy = "nothing is resampled", _find_remedy(families)
    warn_caller(Message(Argument("seed"), " is ", Value(seed), f", but {reason}; ", Remedy(remedy)))


def _find_remedy(families: Sequence[Family]) -> Remedy:
    """Return which option resamples the scores of the families."""
    return _REMEDY if {*families} & {*OPTIONS["aggregator"].families} else _BLEU_REMEDY
