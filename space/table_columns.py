"""Choose the columns of a table to read."""

from collections.abc import Sequence
from typing import Final

from .limits import InputError

_MOST_NAMED: Final = 20  # how many columns an error names


def choose_columns(name: str, columns: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the names of the wanted columns in the file.

    Args:
        name: name of the file, for errors.
        columns: names of the columns that the file has.
        wanted: the names to look for; their plurals match too.

    Raises:
        InputError: a column is missing, or two columns have the same name.
    """
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise InputError(f"{name} has the column {column[:40]!r} more than once.")
        seen.add(column)
    return [_choose(name, columns, column) for column in wanted]


def _choose(name: str, columns: Sequence[str], wanted: str) -> str:
    chosen = f"{wanted}s" if wanted not in columns and f"{wanted}s" in columns else wanted
    if chosen not in columns:
        named = ", ".join(repr(column[:40]) for column in columns[:_MOST_NAMED]) or "none"
        if len(columns) > _MOST_NAMED:
            named += f" and {len(columns) - _MOST_NAMED:,} more"
        raise InputError(
            f"{name} has no column {wanted!r}; it has {named}. "
            "Write the names of your columns into the boxes above."
        )
    return chosen
