"""Tables of results: plain text, Markdown, LaTeX, CSV, HTML for notebooks, data frames of pandas.

Names in them come from users and files: no character of a table steers a terminal, and no cell of
CSV is a formula. pandas is imported only when a data frame is asked for.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Final

from .extras import needs

# What steers a terminal: control characters except tabs and line breaks, carriage returns except
# in line breaks, and characters that override the direction of other characters. Lone surrogates
# cannot be written as UTF-8. Joiners are not among them: words and emoji need them.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)

# How a cell begins that spreadsheets take for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

# What Markdown would read as more than a character.
_MARKDOWN: Final = re.compile(r"[\\`*_\[\]<>|~&$#]")

# The same for LaTeX. Behind the end of a row, [ and * would belong to the command before.
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def make_printable(text: str) -> str:
    r"""Return a text that does not steer a terminal: U+FFFD stands for each character that could.

    >>> make_printable("a \x1b[31m cat")
    'a �[31m cat'
    """
    return _UNPRINTABLE.sub("\ufffd", text)


def make_line(text: str) -> str:
    """Return a text in one line that does not steer a terminal."""
    return make_printable(" ".join(text.split()))


def write_text(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in plain text: the first column to the left, the others to the right.

    >>> print(write_text(["", "hf"], [["bleu", "0.5"]]))
           hf
    bleu  0.5
    """
    lines = [list(map(make_line, line)) for line in (head, *rows)]
    return "\n".join("  ".join(cells).rstrip() for cells in align(lines))


def align(lines: Sequence[Sequence[str]], measure: Callable[[str], int] = len) -> list[list[str]]:
    """Return the cells with spaces: the first column to the left, the others to the right.

    Args:
        lines: of the same number of cells.
        measure: returns the width of a cell.
    """
    widths = [max(map(measure, column)) for column in zip(*lines, strict=True)]
    aligned = []
    for line in lines:
        gaps = [" " * (width - measure(cell)) for cell, width in zip(line, widths, strict=True)]
        others = map("".join, zip(gaps[1:], line[1:], strict=True))
        aligned.append([line[0] + gaps[0], *others])
    return aligned


def write_markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Write a table in Markdown, aligned as ``write_text`` does.

    Args:
        head: names of the columns, in Markdown.
        rows: cells of each row, in Markdown.

    >>> print(write_markdown(["", "hf"], [[escape_markdown("a|b"), "0.5"]]))
    |  | hf |
    | :-- | --: |
    | a\|b | 0.5 |
    """
    rule = [":--", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *rows])


def escape_markdown(text: str) -> str:
    """Return the text in one line of Markdown that shows it as it is."""
    return _MARKDOWN.sub(r"\\\g<0>", make_line(text))


_HEADS: Final = {"diff": r"$\Delta$", "p": "$p$"}
# Only math has a minus and not a hyphen, and text has no "<" in old encodings.
_SIGNED: Final = re.compile(r"(?<![\w.$-])[-+<]\d[\d.]*(?:e[-+]\d+)?")


def write_latex(head: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str) -> str:
    r"""Write a table in LaTeX with the rules of booktabs, aligned as ``write_text`` does.

    Args:
        head: names of the columns, in LaTeX; ``diff`` becomes ``$\Delta$``, ``p`` is in italics.
        rows: cells of each row, in LaTeX; behind the first column, signed numbers become math.
        caption: what is above the table, in LaTeX.
    """
    cells = [[name, *(_SIGNED.sub(r"$\g<0>$", cell) for cell in rest)] for name, *rest in rows]
    lines = [
        rf"{' & '.join(line)} \\" for line in [[_HEADS.get(name, name) for name in head], *cells]
    ]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def escape_latex(text: str) -> str:
    r"""Return the text in one line of LaTeX that shows it as it is.

    >>> escape_latex("50%_[a]")
    '50\\%\\_{[}a{]}'
    """
    return "".join(_LATEX.get(character, character) for character in make_line(text))


def write_csv(rows: Iterable[Iterable[object]]) -> str:
    r"""Write rows as CSV, with every digit of a number.

    >>> write_csv([("group", "bleu"), ("=1+1", 0.5)])
    "group,bleu\n'=1+1,0.5\n"
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(guard_cell, row) for row in rows)
    return text.getvalue()


def guard_cell(cell: object) -> object:
    """Return a cell of CSV that no spreadsheet takes for a formula.

    A text that begins as a formula gets an apostrophe before it. The text of a number gets none.

    >>> guard_cell("-1"), guard_cell("@a"), guard_cell(-0.5)
    ('-1', "'@a", -0.5)
    """
    if not (isinstance(cell, str) and cell.startswith(_FORMULA)):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


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


class Tabular:
    """A result that has the columns and rows of a table."""

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return a data frame of the rows of ``to_table``.

        Raises:
            ImportError: pandas is not installed.
        """
        head, rows = self.to_table()
        return import_pandas().DataFrame(rows, columns=head)


def import_pandas() -> Any:
    """Return the module pandas.

    Raises:
        ImportError: pandas is not installed.
    """
    with needs("to_pandas", "pandas"):
        import pandas as pd
    return pd
