"""Families that are added at run time: their rows, and the profiles that have them."""

from collections.abc import Mapping, Sequence

from ..families.base import Family, register
from . import options, table
from .option import Option
from .profiles import DEFAULTS, PROFILES, Profile


def add_family(
    family: Family, convention: str, rows: Sequence[Option], profiles: Mapping[str, Profile]
) -> None:
    """Make a family, its options and its profiles known."""
    register(family)
    DEFAULTS[family] = convention
    table.OPTIONS.update({row.name: row for row in rows})
    PROFILES.update(profiles)
    table.option_names.cache_clear()
    options._find_options.cache_clear()
