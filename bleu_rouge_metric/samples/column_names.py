"""Name the column to give in place of a whole data frame, data set, table or dict."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from ..checks import find_closest
from ..messages import Argument, format_message


def has_columns(container: object) -> bool:
    """Whether a container is a table; iterating over it gives its rows, or names of columns."""
    return hasattr(container, "columns") or hasattr(container, "column_names")


def name_column(place: str, container: Any) -> str:
    """Return what to give in place of a container, for the end of an error.

    >>> name_column("predictions", {"id": [1], "prediction": ["a"]})
    "one column: predictions=data['prediction']"
    """
    if isinstance(container, AbstractSet):
        return "a list"
    if isinstance(container, Mapping):
        for split, table in container.items():
            if has_columns(table):
                column = _choose_column(place, table)
                given = Argument(place, "="), split, column
                return format_message("one column of a split: {}data[{!r}][{!r}]", *given)
    column = _choose_column(place, container)
    return format_message("one column: {}data[{!r}]", Argument(place, "="), column)


def _choose_column(place: str, container: Any) -> str:
    """Return the name of the column that is most like the argument, else of the first one."""
    columns = container
    for attribute in ("columns", "column_names"):
        columns = getattr(container, attribute, columns)
    # A streaming data set may not know its columns.
    names = [name for name in (() if columns is None else columns) if isinstance(name, str)]
    return find_closest(place, names) or next(iter(names), place)
