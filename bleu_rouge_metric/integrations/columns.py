"""Append scores to a table as columns, in place of one call per row.

``score_table`` accepts the tables of pandas, Polars, Arrow and ``datasets``, and the dicts of
columns that ``datasets.map`` and Ray hand over. It counts the texts of all rows once for all
scores. The scores are bit-identical to those of ``PairScorer``. No library of tables is imported
but pyarrow, for its own tables.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..messages import rename_arguments
from ..samples.inputs import Samples, check_samples
from ..scoring.pair_scorer import PairScorer
from ..text.strip import compile_strip, strip_samples
from .column_errors import check_columns, check_names, describe_table, find_by_class, name_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import PairKeywords

_Table = TypeVar("_Table")
# By name; lists for a dict of lists, otherwise arrays.
Scores = dict[str, NDArray[np.float64] | list[float]]


class Kind(NamedTuple):
    """How tables of a library are read and extended.

    Attributes:
        list_names: returns the names of the columns of a table, in order.
        read: returns a column of a table by its name.
        append: returns a table with more columns, by name.
    """

    list_names: Callable[[Any], Sequence[Any]]
    read: Callable[[Any, Any], Any]
    append: Callable[[Any, Scores], Any]


@overload
def score_table(
    table: dict[str, Any],
    scores: str | Sequence[str] = ...,
    *,
    prediction: str | tuple[Any, ...] = ...,
    reference: str | tuple[Any, ...] = ...,
    strip: str | re.Pattern[str] | None = ...,
    **options: "Unpack[PairKeywords]",
) -> dict[str, Any]: ...


@overload
def score_table(
    table: _Table,
    scores: str | Sequence[str] = ...,
    *,
    prediction: str | tuple[Any, ...] = ...,
    reference: str | tuple[Any, ...] = ...,
    strip: str | re.Pattern[str] | None = ...,
    **options: "Unpack[PairKeywords]",
) -> _Table: ...


def score_table(
    table: _Table,
    scores: str | Sequence[str] = ("rougeL", "bleu"),
    *,
    prediction: str | tuple[Any, ...] = "prediction",
    reference: str | tuple[Any, ...] = "reference",
    strip: str | re.Pattern[str] | None = None,
    **options: "Unpack[PairKeywords]",
) -> _Table:
    """Return a table with a column of floats appended per score, BLEU from 0 to 1 like ROUGE.

    Args:
        table: a DataFrame of pandas or Polars, a ``pyarrow.Table`` or ``RecordBatch``, a
            ``datasets.Dataset``, or a dict of lists or arrays; any number of rows. It is not
            changed. A ``pyarrow.RecordBatchReader`` or a relation of DuckDB is read to its end.
        scores: the scores of ``PairScorer``: ``bleu``, ``google_bleu``, a ROUGE type, or a sequence
            of these. Each is the name of its column.
        prediction: name of the column of predictions: texts, or sequences of token ids with
            ``tokenizer="ids"``. A tuple for columns of pandas with several levels.
        reference: name of the column of references: one per row, or a sequence of several.
        strip: a regular expression; what matches is removed from predictions and references before
            they are scored, and white space left at the ends. The columns stay as they are.
            ``THINKING`` of this package removes ``<think>…</think>``.
        **options: the options of ``PairScorer``, such as ``use_stemmer`` and ``smooth``.

    Returns:
        A table of the same type, with the same rows, columns and index; a ``pyarrow.Table`` for a
        reader or a relation. In a dict of lists the scores are lists, in a dict of arrays arrays of
        float64.

    Raises:
        TypeError: the table or a cell is of a type that cannot be scored, or an option is unknown.
        ValueError: a score is unknown or a column already, a column is missing, a row has no
            reference, a reference looks like a list, the columns of a dict differ in length, or
            ``strip`` is not a regular expression, or is given for token ids.

    >>> score_table({"prediction": ["a cat", "a dog"], "reference": ["the cat", "a dog"]}, "rouge1")
    {'prediction': ['a cat', 'a dog'], 'reference': ['the cat', 'a dog'], 'rouge1': [0.5, 1.0]}
    """
    scorer, warned = _find_scorer((scores,) if isinstance(scores, str) else scores, options)
    pattern = None if strip is None else compile_strip(strip)
    if read_all := find_by_class(table, _READERS):
        table = read_all(table)
    kind = _find_kind(table)
    given = {"prediction": prediction, "reference": reference}
    check_names(kind.list_names(table), given, scorer.score)
    predictions, references = kind.read(table, prediction), kind.read(table, reference)
    check_columns({prediction: predictions, reference: references})
    try:
        # Engines hand over batches without rows, which batch refuses.
        arrays = (
            scorer.score_samples(_check_samples(predictions, references, pattern, warned))
            if len(predictions)
            else [np.zeros(0)] * len(scorer.score)
        )
    except (TypeError, ValueError) as error:
        name_rows(error, prediction, reference)
        raise
    as_lists = kind is _DICT and isinstance(predictions, list)
    columns: Scores = {
        name: array.tolist() if as_lists else array
        for name, array in zip(scorer.score, arrays, strict=True)
    }
    extended: _Table = kind.append(table, columns)
    return extended


def _check_samples(
    predictions: object, references: object, pattern: re.Pattern[str] | None, warned: set[str]
) -> Samples:
    """Return the samples of two columns, without what a pattern matches."""
    samples = check_samples(predictions, references)
    return samples if pattern is None else strip_samples(samples, pattern, warned)


def _find_scorer(
    scores: Sequence[str], options: Mapping[str, Any]
) -> tuple[PairScorer[Any], set[str]]:
    """Return the scorer of these options, the same for all batches, and the warnings given."""
    try:
        made = PairScorer(scores, **options)
    except (TypeError, ValueError) as error:
        rename_arguments(error, {"score": "scores"})
        raise
    found: tuple[PairScorer[Any], set[str]] = made.options.keep(
        ("score_table", made.score), lambda: (made, set())
    )
    return found


def _find_kind(table: object) -> Kind:
    """Return how a table is read; raise TypeError if that is not known."""
    kind: Kind | None = find_by_class(table, _KINDS)
    if kind is not None:
        return kind
    # LazyBatch, which map of datasets hands over, is not a dict; DatasetDict is one, of data sets.
    if isinstance(table, Mapping) and not hasattr(table, "column_names"):
        return _DICT
    raise TypeError(describe_table(table))


def _read(table: Any, name: str) -> Any:
    return table[name]


def _read_polars(table: Any, name: str) -> Any:
    return table[name].to_list()


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


def _append_to_frame(table: Any, scores: Scores) -> Any:
    """Append columns, which are named at the first level if the columns have several."""
    table = table.copy(deep=False)
    others = [""] * (table.columns.nlevels - 1)
    for name, column in scores.items():
        table[(name, *others) if others else name] = column
    return table


def _append_to_dataset(table: Any, scores: Scores) -> Any:
    for name, column in scores.items():
        table = table.add_column(name, column)
    return table


def _append_to_dict(table: Any, scores: Scores) -> Any:
    # A copy of a LazyBatch reads the other columns only if somebody asks for them.
    extended = table.copy() if hasattr(table, "copy") else dict(table)
    for name, column in scores.items():
        extended[name] = column
    return extended


_ARROW: Final = Kind(lambda table: table.schema.names, _read, _append_to_arrow)
_DICT: Final = Kind(list, _read, _append_to_dict)

# What reads a table that is not in memory, by the library and the name of the class.
_READERS: Final[dict[tuple[str, str], Callable[[Any], Any]]] = {
    ("pyarrow", "RecordBatchReader"): lambda reader: reader.read_all(),
    ("_duckdb", "DuckDBPyRelation"): lambda relation: relation.to_arrow_table(),
    ("duckdb", "DuckDBPyRelation"): lambda relation: relation.to_arrow_table(),
}

# By the library and the name of the class.
_KINDS: Final = {
    ("datasets", "Dataset"): Kind(
        lambda table: table.column_names, _read_dataset, _append_to_dataset
    ),
    ("pandas", "DataFrame"): Kind(lambda table: list(table.columns), _read, _append_to_frame),
    ("polars", "DataFrame"): Kind(
        lambda table: table.columns,
        _read_polars,
        lambda table, scores: table.hstack(type(table)(scores)),
    ),
    ("pyarrow", "RecordBatch"): _ARROW,
    ("pyarrow", "Table"): _ARROW,
}
