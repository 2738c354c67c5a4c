"""Read a cell of a CSV or TSV file as one text or as a list of references.

These files hold only texts, so a list must be written as JSON. A cell that looks like a list but is
not JSON (pandas writes lists in this way) is an error: if it were scored as a text, the score would
be wrong and nobody would notice.
"""

import json
import re
from typing import Any, Final

# The start of every list of texts that JSON, Python, pandas or NumPy writes: brackets and items
# that are not texts, then a quoted text or the end. "[Music]" and "[sic] he said" do not match.
# Every character can match in only one way, so the time is linear.
_LIST: Final = re.compile(
    r"""\[(?:[\s,\d\[({]|None|nan|array\(|np\.str_\()*(?:[bru]{0,2}["']|\]\Z)""",
)
_MOST_SHOWN: Final = 40


class CellError(ValueError):
    """A cell holds a list where none is allowed or in a wrong form; the message has the remedy."""


def read_cell(cell: str, *, allows_lists: bool) -> str | list[str]:
    """Return the text of a cell, or the texts of the list in it.

    Args:
        cell: a cell of a CSV or TSV file, without its quotes.
        allows_lists: whether the cell may hold several texts: True for references.

    Returns:
        The cell itself, or the texts (at least one) if the cell holds a JSON list of texts.

    Raises:
        CellError: the cell looks like a list, but lists are not allowed or it is not a JSON list of
            texts.

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
            f"the cell {shown} looks like a list; a prediction is a text, not a list. "
            "A text that looks like a list can be read from JSON Lines or Parquet."
        )
    if items and all(isinstance(item, str) for item in items):
        texts: list[str] = items
        return texts
    raise CellError(
        f"the cell {shown} looks like a list; expected a JSON list of texts, such as "
        '["one", "another"]. A text that looks like a list is written as a list of one.'
    )
