"""Tables of results: plain text, Markdown, LaTeX, HTML for notebooks, and data frames of pandas.

pandas is imported only when a data frame is asked for.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

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


def write_text(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in plain text: the first column to the left, the others to the right.

    >>> print(write_text(["", "hf"], [["bleu", "0.5"]]))
           hf
    bleu  0.5
    """
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    )


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
    return _MARKDOWN.sub(r"\\\g<0>", " ".join(text.split()))


def write_latex(head: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str) -> str:
    """Write a table in LaTeX with the rules of booktabs, aligned as ``write_text`` does.

    Args:
        head: names of the columns, in LaTeX.
        rows: cells of each row, in LaTeX.
        caption: what is above the table, in LaTeX.
    """
    lines = [rf"{' & '.join(line)} \\" for line in [head, *rows]]
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
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


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
