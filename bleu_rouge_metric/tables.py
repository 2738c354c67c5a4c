"""Tables of results: HTML for notebooks, and data frames of pandas.

pandas is imported only when a data frame is asked for.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def write_html(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    caption: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Write a table in HTML; every text is escaped.

    Args:
        head: names of the columns.
        rows: cells of each row; a float has four decimals, anything else is its ``str``.
        caption: what is above the table; empty for none.
        notes: lines below the table.

    >>> write_html(["a"], [[0.5], ["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>0.5000</td></tr>\
<tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(show(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    end = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f"<table>{title}<thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>{end}"


def show(value: object) -> str:
    """Write a value for a reader: floats with four decimals, also inside of lists.

    >>> show(1 / 3), show([0.5, 1.0]), show(12), show("exp")
    ('0.3333', '0.5000, 1.0000', '12', 'exp')
    """
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(show, value))
    return str(value)


def import_pandas() -> Any:
    """Return the module pandas.

    Raises:
        ImportError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "to_pandas needs pandas, which is not installed; use pip install pandas."
        ) from error
    return pd
