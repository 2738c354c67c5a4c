"""Warnings about options of resampling that have no effect."""

from collections.abc import Sequence
from typing import Final

from ..options.options import Options
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..text.warnings import warn_caller

_REMEDY: Final = "use aggregator='bootstrap' or confidence=0.95, or leave it out."


def warn_if_not_resampled(options: Options, families: Sequence[Family]) -> None:
    """Warn if a number of resamples has no effect on one result."""
    chosen = options.n_resamples
    if chosen != OPTIONS["n_resamples"].default and not options.plan(families).scoring.resampling:
        warn_caller(f"n_resamples is {chosen}, but nothing is resampled; {_REMEDY}")


def warn_of_seed(options: Options, families: Sequence[Family], seed: int) -> None:
    """Warn if a seed that the caller gave has no effect on one result."""
    resampling = options.plan(families).scoring.resampling
    if resampling == "bootstrap":
        return
    if "rouge" not in families:
        reason = "BLEU is not resampled; leave it out."
    elif resampling:
        reason = f"the profile {options.profile!r} has seeds of its own; leave it out."
    else:
        reason = f"nothing is resampled; {_REMEDY}"
    warn_caller(f"seed is {seed}, but {reason}")
