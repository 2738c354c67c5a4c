"""Results as plain text, Markdown, LaTeX, HTML, CSV, JSON and data frames of pandas.

A result says what it shows, which is a ``Report``: tables, and sentences. The formats are written
here alone. Names come from users and files: no character of a report steers a terminal, and no cell
of CSV is a formula. pandas is imported only when a data frame is asked for.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from .extras import needs

# What steers a terminal: control characters except tabs and line breaks, carriage returns except
# in line breaks, and characters that override the direction of other characters. Lone surrogates
# cannot be written as UTF-8. Joiners are not among them: words and emoji need them.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)

# How a cell begins that spreadsheets take for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

# What Markdown would read as more than a character, and what begins a list.
_MARKDOWN: Final = re.compile(r"[\\`*_\[\]<>|~&$#]|^[-+]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")

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


# Where LaTeX would join two characters to a dash or a quotation mark.
_LIGATURE: Final = re.compile(r"(?<=-)(?=-)|(?<=`)(?=`)|(?<=')(?=')")


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


def align(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the cells with spaces: the first column to the left, the others to the right."""
    widths = [max(map(_measure, column)) for column in zip(*lines, strict=True)]
    aligned = []
    for line in lines:
        gaps = [" " * (width - _measure(cell)) for cell, width in zip(line, widths, strict=True)]
        others = map("".join, zip(gaps[1:], line[1:], strict=True))
        aligned.append([line[0] + gaps[0], *others])
    return aligned


def _measure(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def escape_markdown(text: str) -> str:
    """Return the text in one line of Markdown that shows it as it is."""
    return _MARKDOWN.sub(r"\\\g<0>", make_line(text))


# How LaTeX writes the names of some columns.
_HEADS: Final = {"diff": r"$\Delta$", "p": "$p$", "corrected p": "corrected $p$"}
# Only math has a minus and not a hyphen, and text has no "<" in old encodings.
_SIGNED: Final = re.compile(r"(?<![\w.$-])[-+<]\d[\d.]*(?:e[-+]\d+)?")
_RANGE: Final = re.compile(r"(?<=\d)-(?=\d)")


def _write_math(cell: str) -> str:
    """Return a cell of numbers in LaTeX: signed ones are math, ranges have a longer dash."""
    return _RANGE.sub("--", _SIGNED.sub(r"$\g<0>$", cell))


def escape_latex(text: str) -> str:
    r"""Return the text in one line of LaTeX that shows it as it is.

    >>> escape_latex("50%_[a]")
    '50\\%\\_{[}a{]}'
    """
    escaped = "".join(_LATEX.get(character, character) for character in make_line(text))
    return _LIGATURE.sub("{}", escaped)


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
    """Write a table in HTML; every text is escaped, and a float has four decimals.

    >>> write_html(["a"], [[0.5], ["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>0.5000</td></tr>\
<tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    from html import escape

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


# Plain text that would be wider is cut into several tables.
_WIDTH: Final = 100


class Table(NamedTuple):
    """A table of a report.

    Attributes:
        head: names of the columns.
        rows: cells: texts, and behind them numbers, which no format escapes.
        title: what it shows; empty for none.
        block: how many columns behind the first belong together; wide text is cut there.
        texts: how many columns from the left are texts.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    block: int = 0
    texts: int = 1

    def map(self, escape: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
        """Return the head and the rows with escaped texts."""
        rows = [[*map(escape, row[: self.texts]), *row[self.texts :]] for row in self.rows]
        return list(map(escape, self.head)), rows

    def keep(self, columns: slice) -> "Table":
        """Return the table with the first and with some of the other columns."""
        head, *rows = ([line[0], *line[columns]] for line in (self.head, *self.rows))
        return self._replace(head=head, rows=rows)

    def cut(self) -> list[str]:
        """Return the table in plain text, in as few parts as are narrow enough, if possible."""
        step = self.block or len(self.head)
        blocks = range(1, len(self.head), step)
        for size in range(len(blocks), 0, -1):
            tables = [self.keep(slice(at, at + size * step)) for at in blocks[::size]]
            parts = [write_text(table.head, table.rows) for table in tables]
            if max(map(len, "\n".join(parts).split("\n"))) <= _WIDTH:
                break
        return [f"{make_line(self.title)}\n{part}" if self.title else part for part in parts]


class Report(NamedTuple):
    """What a result shows.

    Attributes:
        tables: of numbers.
        notes: sentences on how they were computed.
        findings: sentences on what they say.
        parts: reports of parts of the data, by what these are called.
    """

    tables: Sequence[Table]
    notes: Sequence[str] = ()
    findings: Sequence[str] = ()
    parts: Mapping[str, "Report"] = MappingProxyType({})

    def to_text(self) -> str:
        """Return the tables, the notes and the findings, and then the parts, in plain text."""
        tables = [text for table in self.tables for text in table.cut()]
        notes = ["\n".join(map(make_line, lines)) for lines in (self.notes, self.findings) if lines]
        parts = [f"{make_line(name)}\n\n{part.to_text()}" for name, part in self.parts.items()]
        return "\n\n".join([*tables, *notes, *parts])

    def to_markdown(self) -> str:
        """Return the same in Markdown; the findings are a list."""
        texts = []
        for table in self.tables:
            head, rows = table.map(escape_markdown)
            rule = [":--", *["--:"] * (len(head) - 1)]
            title = f"**{escape_markdown(table.title)}**\n\n" if table.title else ""
            lines = (f"| {' | '.join(line)} |" for line in [head, rule, *rows])
            texts.append(title + "\n".join(lines))
        texts.append(" ".join(map(escape_markdown, self.notes)))
        texts.append("\n".join(f"- {escape_markdown(line)}" for line in self.findings))
        for name, part in self.parts.items():
            texts += [f"**{escape_markdown(name)}**", part.to_markdown()]
        return "\n\n".join(filter(None, texts))

    def to_latex(self, name: str = "") -> str:
        """Return the tables in LaTeX, with the rules of booktabs; the notes are in the captions."""
        texts = []
        for table in self.tables:
            head, rows = table.map(escape_latex)
            starts = (f"{start}." for start in (name, table.title) if start)
            caption = " ".join(map(escape_latex, [*starts, *self.notes]))
            cells = [[name, *map(_write_math, rest)] for name, *rest in rows]
            top, *lines = (
                rf"{' & '.join(line)} \\"
                for line in [[_HEADS.get(each, each) for each in head], *cells]
            )
            texts.append(
                "\n".join(
                    [
                        r"\begin{table}",
                        r"\centering",
                        rf"\caption{{{caption}}}",
                        rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
                        *(r"\toprule", top, r"\midrule", *lines, r"\bottomrule"),
                        r"\end{tabular}",
                        r"\end{table}",
                    ]
                )
            )
        return "\n\n".join([*texts, *(part.to_latex(at) for at, part in self.parts.items())])

    def to_html(self, name: str = "") -> str:
        """Return all in HTML."""
        from html import escape

        tables = [
            write_html(table.head, table.rows, caption=". ".join(filter(None, [name, table.title])))
            for table in self.tables
        ]
        notes = [f"<p>{escape(note)}</p>" for note in (*self.notes, *self.findings)]
        parts = [part.to_html(at) for at, part in self.parts.items()]
        return make_printable("".join([*tables, *notes, *parts]))


class Result:
    """A dataclass of rows that is shown as its ``report`` says; private fields have no repr."""

    rows: Any

    def report(self) -> Report:
        """Return what is shown: tables, and sentences."""
        raise NotImplementedError

    def sentences(self) -> list[str]:
        """Return what the numbers say, in one sentence each."""
        return list(map(make_line, self.report().findings))

    def to_dict(self) -> dict[str, Any]:
        """Return everything in JSON types; the rows are dicts."""
        shown = (each.name for each in fields(cast("Any", self)) if each.repr)
        return {name: to_json(getattr(self, name)) for name in shown}

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows, with every digit.

        If there are groups, the first column is the group, which is None for all samples.
        """
        return self._list_rows("rows")

    def to_pandas(self) -> Any:
        """Return a data frame of the rows of ``to_table``.

        Raises:
            ImportError: pandas is not installed.
        """
        head, rows = self.to_table()
        return import_pandas().DataFrame(rows, columns=head)

    def to_csv(self) -> str:
        """Return the rows of ``to_table`` as CSV; no cell is a formula of a spreadsheet."""
        head, rows = self.to_table()
        return write_csv([head, *rows])

    def to_markdown(self) -> str:
        """Return tables in Markdown, how they were computed, and what they say."""
        return self.report().to_markdown()

    def to_latex(self) -> str:
        r"""Return LaTeX tables, which need ``\usepackage{booktabs}``, with captions."""
        return self.report().to_latex()

    def __str__(self) -> str:
        """Return tables, how they were computed, and what they say."""
        return self.report().to_text()

    def to_html(self) -> str:
        """Return tables, how they were computed, and what they say, as escaped HTML."""
        return self.report().to_html()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _list_rows(self, name: str) -> tuple[list[str], list[list[Any]]]:
        rows = getattr(self, name)
        head = list(rows[0]._fields) if rows else []
        groups: Mapping[str, Any] = getattr(self, "groups", {})
        if not groups:
            return head, [list(row) for row in rows]
        parts = [(None, self), *groups.items()]
        return ["group", *head], [[at, *row] for at, part in parts for row in getattr(part, name)]

    def _list(self, field: str) -> list[Any]:
        """Return the different values of a field of the rows, in their order."""
        return list(dict.fromkeys(getattr(row, field) for row in self.rows))


def to_json(value: Any) -> Any:
    """Return a value in JSON types."""
    if isinstance(value, Result):
        return value.to_dict()
    if is_dataclass(value):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return to_json(value._asdict())
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def import_pandas() -> Any:
    """Return the module pandas."""
    with needs("to_pandas", "pandas"):
        import pandas as pd
    return pd
