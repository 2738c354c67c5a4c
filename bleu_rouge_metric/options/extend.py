"""Add a family: its rows of the table of options, and the profiles that have it."""

from collections.abc import Mapping, Sequence

from ..families import registry
from ..families.base import Family
from . import options, table
from .option import Option
from .profiles import DEFAULTS, PROFILES, Profile


def add_family(
    family: Family, convention: str, rows: Sequence[Option], profiles: Mapping[str, Profile]
) -> None:
    """Make a family known to everything that scores.

    Args:
        family: with a name of its own.
        convention: with which its options are checked under profiles that do not have it.
        rows: its options.
        profiles: by name.
    """
    registry.FAMILIES[family.name] = family
    DEFAULTS[family.name] = convention
    table.OPTIONS.update({row.name: row for row in rows})
    PROFILES.update(profiles)
    table.option_names.cache_clear()
    options._find_options.cache_clear()  # noqa: SLF001 - options of before lack the rows
