"""What a cell of a CSV or TSV file means: one text, or a list of references.

Such a file holds nothing but texts, so a list is written as JSON. What looks like a list and is no
JSON, as pandas writes lists, is an error: its score as a text would be wrong, and nobody would see.
"""

import json
import re
from typing import Any, Final

# What no list of texts, written by JSON, Python, pandas or NumPy, begins without: brackets and
# items that are no texts, and then a quoted text or the end. "[Music]" and "[sic] he said" do not.
# Every character matches in one way, so the time is linear.
_LIST: Final = re.compile(
    r"""\[(?:[\s,\d\[({]|None|nan|array\(|np\.str_\()*(?:[bru]{0,2}["']|\]\Z)""",
)
_MOST_SHOWN: Final = 40


class CellError(ValueError):
    """A cell that holds a list in the wrong place or the wrong form; says how to write it."""


def read_cell(cell: str, *, allows_lists: bool) -> str | list[str]:
    """The text of a cell, or the texts of a list in it.

    Args:
        cell: of a CSV or TSV file, without its quotes.
        allows_lists: whether it may hold several texts, as references may.

    Returns:
        The cell itself; or if it holds a JSON list of texts, these, at least one.

    Raises:
        CellError: the cell looks like a list, and is no JSON list of texts or may not be a list.

    >>> read_cell('["one", "another"]', allows_lists=True)
    ['one', 'another']
    >>> read_cell("[Music]", allows_lists=True)
    '[Music]'
    >>> read_cell("['one', 'another']", allows_lists=True)
    Traceback (most recent call last):
    bleu_rouge_metric.files.cells.CellError: the cell ['one', 'another'] looks like a list; \
expected a JSON list of texts, such as ["one", "another"]. A text that looks like a list is \
written as a list of one.
    """
    stripped = cell.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return cell
    try:
        items: Any = json.loads(stripped)
    except RecursionError:
        items = None
    except ValueError:
        if not _LIST.match(stripped):
            return cell
        items = None
    stripped = " ".join(stripped.split())
    shown = stripped if len(stripped) <= _MOST_SHOWN else f"{stripped[: _MOST_SHOWN - 3]}..."
    if not allows_lists:
        raise CellError(
            f"the cell {shown} looks like a list; a prediction is one text, not in a list. "
            "A text that looks like a list can be read from JSON Lines or Parquet."
        )
    if items and all(isinstance(item, str) for item in items):
        texts: list[str] = items
        return texts
    raise CellError(
        f"the cell {shown} looks like a list; expected a JSON list of texts, such as "
        '["one", "another"]. A text that looks like a list is written as a list of one.'
    )
