"""Append scores to a table as columns, in place of one call per row.

``score_table`` accepts the tables of pandas, Polars, Arrow and ``datasets``, and the dicts of
columns that ``datasets.map`` and Ray hand over. It counts the texts of all rows once for all
scores. The scores are bit-identical to those of ``PairScorer``. No library of tables is imported
but pyarrow, for its own tables.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import getitem
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..checks import is_sequence
from ..messages import rename_arguments
from ..samples.inputs import check_samples
from ..scoring.pair_scorer import PairScorer
from ..text.strip import compile_strip, strip_samples

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import PairKeywords

_Table = TypeVar("_Table")
# By name; lists for a dict of lists, otherwise arrays.
Scores = dict[str, NDArray[np.float64] | list[float]]

# What to do with other tables, by the library and the name of the class.
_REMEDIES: Final = {
    ("builtins", "list"): "Make a table of rows with pandas.DataFrame(rows).",
    ("datasets", "DatasetDict"): "Score one split after the other.",
    ("datasets", "IterableDataset"): "Use table.map(score_table, batched=True).",
    ("datasets", "IterableDatasetDict"): "Use table.map(score_table, batched=True).",
    ("polars", "LazyFrame"): "Use score_table(table.collect()).",
    ("pyspark", "DataFrame"): "Score its batches with table.mapInArrow.",
    ("ray", "Dataset"): "Use table.map_batches(score_table).",
}


class Kind(NamedTuple):
    """How the columns of a library's tables are listed, read by name, and appended."""

    list_names: Callable[[Any], Sequence[Any]]
    read: Callable[[Any, Any], Any]
    append: Callable[[Any, Scores], Any]


@overload
def score_table(
    table: dict[str, Any],
    scores: str | Sequence[str] = ...,
    *,
    prediction: Hashable = ...,
    reference: Hashable = ...,
    strip: str | re.Pattern[str] | None = ...,
    **options: "Unpack[PairKeywords]",
) -> dict[str, Any]: ...


@overload
def score_table(
    table: _Table,
    scores: str | Sequence[str] = ...,
    *,
    prediction: Hashable = ...,
    reference: Hashable = ...,
    strip: str | re.Pattern[str] | None = ...,
    **options: "Unpack[PairKeywords]",
) -> _Table: ...


def score_table(
    table: _Table,
    scores: str | Sequence[str] = ("rougeL", "bleu"),
    *,
    prediction: Hashable = "prediction",
    reference: Hashable = "reference",
    strip: str | re.Pattern[str] | None = None,
    **options: "Unpack[PairKeywords]",
) -> _Table:
    """Return a table with a column of floats appended per score, BLEU from 0 to 1 like ROUGE.

    Args:
        table: a DataFrame of pandas or Polars, a ``pyarrow.Table`` or ``RecordBatch``, a
            ``datasets.Dataset``, or a dict of lists or arrays; any number of rows. It is not
            changed. A stream of Arrow, such as a ``RecordBatchReader`` or a relation of DuckDB, is
            read to its end.
        scores: the scores of ``PairScorer``: ``bleu``, ``google_bleu``, a ROUGE type, or a sequence
            of these. Each is the name of its column.
        prediction: name of the column of predictions, a str or, in pandas, a tuple: texts, or
            sequences of token ids with ``tokenizer="ids"``.
        reference: name of the column of references: one per row, or a sequence of several.
        strip: a regular expression; what matches is removed from predictions and references before
            they are scored, and white space left at the ends. The columns stay as they are.
            ``THINKING`` of this package removes ``<think>…</think>``.
        **options: the options of ``PairScorer``, such as ``use_stemmer`` and ``smooth``.

    Returns:
        A table of the same type, with the same rows, columns and index; of a stream a
        ``pyarrow.Table``. In a dict of lists the scores are lists, in a dict of arrays arrays of
        float64.

    Raises:
        TypeError: the table or a cell is of a type that cannot be scored, or an option is unknown.
        ValueError: a score is unknown or a column already, a column is missing, a row has no
            reference, a reference looks like a list, the columns of a dict differ in length, or
            ``strip`` is not a regular expression, or is given for token ids.

    >>> score_table({"prediction": ["a cat", "a dog"], "reference": ["the cat", "a dog"]}, "rouge1")
    {'prediction': ['a cat', 'a dog'], 'reference': ['the cat', 'a dog'], 'rouge1': [0.5, 1.0]}
    """
    try:
        scorer: PairScorer[Any] = PairScorer(
            (scores,) if isinstance(scores, str) else scores, **options
        )
    except (TypeError, ValueError) as error:
        rename_arguments(error, {"score": "scores"})
        raise
    # The same for all batches, which warn once.
    scorer, warned = scorer.options.keep(("score_table", scorer.score), lambda: (scorer, set()))
    pattern = None if strip is None else compile_strip(strip)
    kind, read = _find_kind(table)
    _check_names(kind.list_names(read), prediction, reference, scorer.score)
    predictions, references = kind.read(read, prediction), kind.read(read, reference)
    for name, column in ((prediction, predictions), (reference, references)):
        if not is_sequence(column):
            raise TypeError(
                f"Column {name!r} is one {type(column).__name__}; expected a list or an array with "
                "one item per row. For map of datasets use batched=True."
            )
    arrays = [np.zeros(0)] * len(scorer.score)
    # Engines hand over batches without rows, which a scorer refuses.
    if len(predictions) or len(references):
        try:
            samples = check_samples(predictions, references)
            if pattern is not None:
                samples = strip_samples(samples, pattern, warned)
            arrays = scorer.score_samples(samples)
        except (TypeError, ValueError) as error:
            names = {"predictions": prediction, "references": reference}
            rename_arguments(error, {old: f"table[{new!r}]" for old, new in names.items()})
            raise
    as_lists = kind is _DICT and isinstance(predictions, list)
    columns: Scores = {
        name: array.tolist() if as_lists else array
        for name, array in zip(scorer.score, arrays, strict=True)
    }
    extended: _Table = kind.append(read, columns)
    return extended


def _find_by_class(table: object, rows: Mapping[tuple[str, str], Any]) -> Any:
    """Return the row of the library and the name of a class, or of its first base that has one."""
    names = ((base.__module__.partition(".")[0], base.__name__) for base in type(table).__mro__)
    return next((rows[name] for name in names if name in rows), None)


def _find_kind(table: Any) -> tuple[Kind, Any]:
    """Return how a table is read, and the table; a stream is read into one."""
    kind: Kind | None = _find_by_class(table, _KINDS)
    if kind is not None:
        return kind, table
    # LazyBatch, which map of datasets hands over, is not a dict; DatasetDict is one, of data sets.
    if isinstance(table, Mapping) and not hasattr(table, "column_names"):
        return _DICT, table
    remedy = _find_by_class(table, _REMEDIES)
    if remedy is None and hasattr(table, "__arrow_c_stream__"):
        import pyarrow as pa

        return _ARROW, pa.table(table)
    if remedy is None and hasattr(table, "to_arrow_table"):
        remedy = "Use score_table(table.to_arrow_table())."
    raise TypeError(
        f"table is of type {type(table).__name__}; expected a DataFrame of pandas or Polars, a "
        "pyarrow.Table or RecordBatch, a datasets.Dataset, a relation of DuckDB, or a dict of "
        "columns."
        f"{f' {remedy}' if remedy else ''}"
    )


def _check_names(
    names: Sequence[object], prediction: object, reference: object, scores: Sequence[str]
) -> None:
    """Check that the scored columns are in the table, and that the scores are not."""
    for argument, name in {"prediction": prediction, "reference": reference}.items():
        if not isinstance(name, str | tuple):
            kind = type(name).__name__
            raise TypeError(f"{argument} is of type {kind}; expected the name of a column.")
        if names.count(name) != 1:
            number = "more than one" if name in names else "no"
            raise ValueError(
                f"The table has {number} column {name!r}; name another with {argument}=. "
                f"Columns: {', '.join(map(repr, names)) or 'none'}."
            )
    for name in scores:
        if name in names:
            raise ValueError(
                f"The table already has a column {name!r}, the name of a score; rename or drop it."
            )


def _read_dataset(table: Any, name: str) -> Any:
    """Read a column as Arrow array: a format of the data set may change what its columns hold."""
    return table.select_columns(name).with_format("arrow")[:][name]


def _append_to_arrow(table: Any, scores: Scores) -> Any:
    import pyarrow as pa

    # As append_column, which RecordBatch does not have in every version; metadata is kept.
    schema, arrays = table.schema, list(table.columns)
    for name, column in scores.items():
        schema = schema.append(pa.field(name, pa.float64()))
        arrays.append(pa.array(column))
    return type(table).from_arrays(arrays, schema=schema)


def _append_to_pandas(table: Any, scores: Scores) -> Any:
    levels = table.columns.nlevels
    if levels == 1:
        return table.assign(**scores)
    extended = table.copy(deep=False)
    for name, column in scores.items():
        extended[(name, *[""] * (levels - 1))] = column
    return extended


def _append_to_dataset(table: Any, scores: Scores) -> Any:
    for name, column in scores.items():
        table = table.add_column(name, column)
    return table


def _append_to_dict(table: Any, scores: Scores) -> Any:
    # A copy of a LazyBatch reads the other columns only if somebody asks for them.
    extended = table.copy() if hasattr(table, "copy") else dict(table)
    extended.update(scores)
    return extended


_ARROW: Final = Kind(lambda table: table.schema.names, getitem, _append_to_arrow)
_DICT: Final = Kind(list, getitem, _append_to_dict)

# By the library and the name of the class.
_KINDS: Final = {
    ("datasets", "Dataset"): Kind(
        lambda table: table.column_names, _read_dataset, _append_to_dataset
    ),
    ("pandas", "DataFrame"): Kind(list, getitem, _append_to_pandas),
    ("polars", "DataFrame"): Kind(
        lambda table: table.columns,
        lambda table, name: table[name].to_list(),
        lambda table, scores: table.hstack(type(table)(scores)),
    ),
    ("pyarrow", "RecordBatch"): _ARROW,
    ("pyarrow", "Table"): _ARROW,
}
