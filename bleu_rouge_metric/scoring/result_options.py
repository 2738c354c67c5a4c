"""The options of one result of a ``Scorer``: those of the scorer, and those that override them."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..options.errors import check_known, refuse
from ..options.options import Options
from ..options.profiles import Family
from ..options.table import OPTIONS


def choose_options(
    options: Options, families: Sequence[Family], given: Mapping[str, Any]
) -> Options:
    """Return the options of one result.

    Args:
        options: those that the samples were counted with.
        families: the families that are scored.
        given: options by name, which override the others.

    Raises:
        TypeError: an option is unknown, or decides what is counted.
        ValueError: a value is out of range, or needs longer n-grams than were counted.
    """
    if not given:
        return options
    if "seed" in given:
        refuse("seed", "does not apply to result", "Pass it to Scorer(..., seed=...).")
    check_known(given)
    for name in given:
        if OPTIONS[name].effect == "counts":
            refuse(name, "decides what is counted", "Give it to Scorer(...), not to result.")
    chosen = Options.from_keywords({**options.to_keywords(families), **given}, families)
    counted = options.plan(families).scores
    for name, scoring in chosen.plan(families).scores.items():
        scoring.check_counted(counted[name], chosen)
    return chosen
