"""Check the columns that ``score_table`` is given; errors name the column and the row."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..checks import is_sequence
from ..messages import Argument, Message, get_message

_TABLES: Final = (
    "expected a DataFrame of pandas or Polars, a pyarrow.Table or RecordBatch, a datasets.Dataset, "
    "a relation of DuckDB, or a dict of columns."
)

# What to do with other tables, by the library and the name of the class.
_REMEDIES: Final = {
    ("_duckdb", "DuckDBPyConnection"): "Use score_table(connection.sql(query).to_arrow_table()).",
    ("duckdb", "DuckDBPyConnection"): "Use score_table(connection.sql(query).to_arrow_table()).",
    ("builtins", "list"): "Make a table of rows with pandas.DataFrame(rows).",
    ("datasets", "DatasetDict"): "Score one split after the other.",
    ("datasets", "IterableDataset"): "Use table.map(score_table, batched=True).",
    ("datasets", "IterableDatasetDict"): "Use table.map(score_table, batched=True).",
    ("polars", "LazyFrame"): "Use score_table(table.collect()).",
    ("pyspark", "DataFrame"): "Score its batches with table.mapInArrow.",
    ("ray", "Dataset"): "Use table.map_batches(score_table).",
}

_PLACE: Final = re.compile(r"(predictions|references)((?:\[\d+\])*)")


def find_by_class(table: object, rows: Mapping[tuple[str, str], Any]) -> Any:
    """Return the row of the class of a value, or of its first base that has one; else None.

    Args:
        table: any value.
        rows: by the library of a class and its name, so that no library is imported.

    >>> find_by_class([1], {("builtins", "list"): "a list"})
    'a list'
    """
    names = ((base.__module__.partition(".")[0], base.__name__) for base in type(table).__mro__)
    return next((rows[name] for name in names if name in rows), None)


def describe_table(table: object) -> str:
    """Return the error for a value that is not a table, or a table that is not in memory."""
    remedy = find_by_class(table, _REMEDIES)
    if remedy is None and hasattr(table, "to_arrow_table"):
        remedy = "Use score_table(table.to_arrow_table())."
    end = f" {remedy}" if remedy else ""
    return f"table is of type {type(table).__name__}; {_TABLES}{end}"


def check_names(
    names: Sequence[object], columns: Mapping[str, object], scores: Sequence[str]
) -> None:
    """Check the names of columns.

    Args:
        names: of the columns of a table.
        columns: names of those that are scored, by the argument that names them.
        scores: names of those that are appended.

    Raises:
        TypeError: a name is neither a str nor a tuple.
        ValueError: a column is missing or comes twice, or a score is a column already.
    """
    shown = ", ".join(map(repr, names)) or "none"
    for argument, name in columns.items():
        if not isinstance(name, str | tuple):
            kind = type(name).__name__
            raise TypeError(f"{argument} is of type {kind}; expected the name of a column.")
        if names.count(name) != 1:
            number = "more than one" if name in names else "no"
            raise ValueError(
                f"The table has {number} column {name!r}; name another with {argument}=. "
                f"Columns: {shown}."
            )
    taken = {*names, *(name[0] for name in names if isinstance(name, tuple) and not any(name[1:]))}
    for name in scores:
        if name in taken:
            raise ValueError(
                f"The table already has a column {name!r}, the name of a score; rename or drop it."
            )


def check_columns(columns: Mapping[Any, Any]) -> None:
    """Check the columns of a dict, by name: each has the same number of rows.

    Raises:
        TypeError: a column is not a list or an array.
        ValueError: the columns differ in length.
    """
    for name, column in columns.items():
        if not is_sequence(column):
            shown = f"one {type(column).__name__}"
            raise TypeError(
                f"Column {name!r} is {shown}; expected a list or an array with one item per row. "
                "For map of datasets use batched=True."
            )
    (first, rows), *others = ((name, len(column)) for name, column in columns.items())
    for name, count in others:
        if count != rows:
            raise ValueError(
                f"Column {name!r} has {count} rows, but column {first!r} has {rows}; expected the "
                "same number."
            )


def name_rows(error: Exception, prediction: object, reference: object) -> None:
    """Write columns and rows into an error about predictions and references.

    Args:
        error: of a check; one whose message has no parts stays as it is.
        prediction: name of the column of predictions.
        reference: name of the column of references.

    >>> error = TypeError(Message([Argument("references[3][0]"), " is None."]))
    >>> name_rows(error, "output", "target")
    >>> error
    TypeError("Item 0 of row 3 of column 'target' is None.")
    """
    message = get_message(error)
    if not isinstance(message, Message):
        return
    names = {"predictions": prediction, "references": reference}

    def name_place(part: Any) -> Any:
        place = _PLACE.fullmatch(part.name) if isinstance(part, Argument) else None
        if place is None:
            return part
        words = f"column {names[place[1]]!r}"
        for depth, index in enumerate(re.findall(r"\d+", place[2])):
            words = f"{'item' if depth else 'row'} {index} of {words}"
        is_start = message.startswith(part.name)
        return part._replace(name=words[0].upper() + words[1:] if is_start else words)

    error.args = (message.map(name_place),)
