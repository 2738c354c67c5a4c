"""Add a family: its options, and the profiles that have it."""

from collections.abc import Mapping

from ..families import registry
from ..families.score import Score
from . import options, table
from .profiles import DEFAULTS, PROFILES, Profile


def add_family(family: type[Score], convention: str, profiles: Mapping[str, Profile]) -> None:
    """Make a family known to everything that scores.

    Args:
        family: with a name of its own.
        convention: with which its options are checked under profiles that do not have it.
        profiles: by name.
    """
    registry.FAMILIES[family.name] = family
    DEFAULTS[family.name] = convention
    table.OPTIONS.update({option.name: option for option in family.options})
    PROFILES.update(profiles)
    table.option_names.cache_clear()
    options._find_options.cache_clear()  # noqa: SLF001 - options of before lack the rows
