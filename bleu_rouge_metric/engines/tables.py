"""Convert counts of samples to Arrow tables, one row per sample, and back.

Columns and their types follow from the layouts of the arrays (``families/counts.py``): no family is
named here. Arrow, Parquet, Spark and ``datasets`` all have the types: int64, lists of int64 and
lists of double.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from numbers import Number
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..extras import needs
from ..families.counts import Layout, SampleCounts, from_arrays, shrink
from ..options.options import Options
from ..options.profiles import Family
from ..options.same_counts import hash_counts
from ..samples.arrow_columns import is_list, to_arrow, to_int64

with needs("bleu_rouge_metric.engines", "pyarrow"):
    import pyarrow as pa
    import pyarrow.compute as pc

KEY: Final = "key"
LOST: Final = "lost"
_FINGERPRINT: Final = "counted_with"

_REMEDY: Final = "Give reduce_counts the options that count_batch had."


class Column(NamedTuple):
    """An Arrow column of counts."""

    array: str  # name of its array
    place: int | None  # which item of a row of the array it has; None for whole rows
    layout: Layout  # of the array

    @property
    def width(self) -> int:
        """Return how many numbers it has per row of the array."""
        return math.prod(self.layout.row if self.place is None else self.layout.row[1:])

    @property
    def type(self) -> Any:
        """Return its Arrow type."""
        number = pa.float64() if self.layout.is_float else pa.int64()
        is_number = self.layout.per == "sample" and not self.layout.row
        return number if is_number else pa.list_(number)


class CountColumns(NamedTuple):
    """The columns of the counts of some options."""

    layouts: Mapping[str, Layout]  # the arrays by name
    columns: Mapping[str, Column]  # by name, in order
    options: str  # those that decide the counts, in one line
    fingerprint: int  # a 64-bit hash of them

    def make_schema(self, *, has_key: bool) -> Any:
        """Return the ``pyarrow.Schema`` of a table."""
        names = [*([KEY] if has_key else []), _FINGERPRINT, LOST]
        counts = {name: column.type for name, column in self.columns.items()}
        return pa.schema({**dict.fromkeys(names, pa.int64()), **counts})


def plan_columns(options: Options, families: Sequence[Family]) -> CountColumns:
    """Return the columns for those of the families that the profile has.

    >>> list(plan_columns(Options(rouge_types=["rouge1"]), ["rouge"]).columns)
    ['rouge1']
    """
    layouts = options.plan(families).layouts
    columns = {
        column: Column(name, place if layout.is_split else None, layout)
        for name, layout in layouts.items()
        for place, column in enumerate(layout.columns)
    }
    fingerprint = int.from_bytes(hash_counts(options, families), "little", signed=True)
    return CountColumns(layouts, columns, options.counting_signature(families), fingerprint)


def to_table(
    counts: SampleCounts,
    lost: NDArray[np.int64],
    keys: NDArray[np.int64] | None,
    columns: CountColumns,
) -> Any:
    """Convert counts, marks and keys, of shape (samples,), to a ``pyarrow.Table``."""
    references = to_offsets(counts.reference_counts)
    arrays: list[Any] = [] if keys is None else [pa.array(keys)]
    arrays += [pa.array(np.full(len(lost), columns.fingerprint)), pa.array(lost)]
    for column in columns.columns.values():
        array = counts[column.array]
        numbers = array if column.place is None else array[:, column.place]
        if column.type == pa.int64():
            arrays.append(pa.array(numbers.astype(np.int64)))
        else:
            rows = references if column.layout.per == "reference" else np.arange(len(references))
            arrays.append(_to_lists(numbers, column.width * rows))
    schema = columns.make_schema(has_key=keys is not None)
    return pa.Table.from_arrays(arrays, schema=schema)


def _to_lists(numbers: NDArray[Any], offsets: NDArray[np.int64]) -> Any:
    """Make an Arrow array of lists; list ``i`` has the numbers from offset ``i`` to ``i + 1``."""
    total, most = int(offsets[-1]), np.iinfo(np.int32).max
    if total > most:
        raise ValueError(
            f"A batch has {total} counts in one column; expected at most {most}. Count smaller "
            "batches."
        )
    dtype = np.float64 if numbers.dtype == np.float64 else np.int64
    flat = np.ascontiguousarray(numbers, dtype=dtype).reshape(-1)
    return pa.ListArray.from_arrays(offsets.astype(np.int32), pa.array(flat))


def from_table(
    table: Any, columns: CountColumns
) -> tuple[SampleCounts, NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the counts, marks and keys of a ``pyarrow.Table``; other columns are ignored."""
    names = table.schema.names
    schema = columns.make_schema(has_key=KEY in names)
    for name in schema.names:
        if names.count(name) != 1:
            raise ValueError(
                f"The counts have {'more than one' if name in names else 'no'} column {name!r}, "
                f"which these options need. {_REMEDY} "
                f"Columns: {', '.join(map(repr, names)) or 'none'}."
            )
    if not table.num_rows:
        # The empty columns of a dict have no type.
        table = schema.empty_table()
    numbers, lengths = {}, {}
    for name, kind in zip(schema.names, schema.types, strict=True):
        numbers[name], lengths[name] = _read_numbers(table.column(name), name, kind)
        if name == _FINGERPRINT and (numbers[name] != columns.fingerprint).any():
            raise ValueError(
                f"Column {name!r} of the counts says that they were made with other options than "
                f"these: {columns.options}. {_REMEDY}"
            )
    references = _count_references(lengths, columns)
    arrays: dict[str, Any] = {"reference_counts": references}
    for name, layout in columns.layouts.items():
        rows = table.num_rows if layout.per == "sample" else int(references.sum())
        parts = [
            numbers[column].reshape(rows, len(numbers[column]) // max(1, rows))
            for column in layout.columns
        ]
        array = np.hstack([np.empty((rows, 0), layout.dtypes[0]), *parts])
        if rows and layout.may_be_wider:
            # More may have been counted for a smoothing that is not used now.
            array = layout.fit(f"Column {layout.columns[0]!r} of the counts", array)
        array = array.reshape(rows, *layout.row)
        arrays[name] = array if layout.is_float else shrink(array)
    return from_arrays(arrays, columns.layouts), numbers[LOST], numbers.get(KEY)


def _read_numbers(column: Any, name: str, kind: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return all numbers of a column and, if the type is a list, the lengths of its lists."""
    subject, expected = f"Column {name!r} of the counts", _name_type(kind)
    if _name_type(column.type) != expected:
        raise TypeError(
            f"{subject} is of type {column.type}; expected {expected}, as count_schema has it."
        )
    flat = pc.list_flatten(column) if is_list(kind) else column
    if column.null_count or flat.null_count:
        raise ValueError(f"{subject} has nulls; count_batch makes none.")
    lengths = pc.list_value_length(column).to_numpy() if is_list(kind) else ()
    numbers = to_int64(flat, subject) if "int64" in expected else flat.to_numpy().astype(np.float64)
    return numbers, np.array(lengths, np.int64)


def _name_type(kind: Any) -> str:
    """Return the name of an Arrow type: the same for numbers of any width and lists of any kind."""
    if is_list(kind):
        return f"list<{_name_type(kind.value_type)}>"
    names = {"int64": pa.types.is_integer, "double": pa.types.is_floating}
    return next((name for name, is_of in names.items() if is_of(kind)), str(kind))


def _count_references(
    lengths: Mapping[str, NDArray[np.int64]], columns: CountColumns
) -> NDArray[np.int64]:
    """Return how many references each sample has; all columns must agree."""
    first, counts = "", np.empty(0, np.int64)
    for name, column in columns.columns.items():
        found, rest = np.divmod(lengths[name], column.width)
        if column.layout.per == "sample":
            if (lengths[name] != lengths[name][:1]).any():
                raise ValueError(
                    f"Column {name!r} of the counts has lists of different lengths; expected rows "
                    "as count_batch made them."
                )
            continue
        wrong = (rest > 0) | (found == 0)
        if wrong.any():
            numbers = "a number" if column.width == 1 else f"{column.width} numbers"
            raise ValueError(
                f"Column {name!r} of the counts has a list of {lengths[name][wrong.argmax()]} "
                f"numbers; expected {numbers} for every reference, and at least one reference."
            )
        if first and not np.array_equal(found, counts):
            raise ValueError(
                f"Columns {first!r} and {name!r} of the counts differ in how many references the "
                "samples have; expected rows as count_batch made them."
            )
        first, counts = first or name, found
    return counts


def read_tables(counts: Any) -> Iterator[Any]:
    """Iterate over the tables of counts, which may have any form that ``reduce_counts`` accepts."""
    if isinstance(counts, pa.Table | pa.RecordBatch | Mapping) or _is_pandas(counts):
        counts = [counts]
    for table in counts:
        kind, remedy = type(table).__name__, ""
        if isinstance(table, Mapping):
            if not any(isinstance(value, Number) for value in table.values()):
                yield pa.table(
                    {name: to_arrow(column, name, "numbers") for name, column in table.items()}
                )
                continue
            kind, remedy = f"{kind} of single numbers", " Use pyarrow.Table.from_pylist(counts)."
        elif isinstance(table, pa.Table | pa.RecordBatch):
            yield pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
            continue
        elif _is_pandas(table):
            remedy = " Use pyarrow.Table.from_pandas(...)."
        raise TypeError(
            f"counts holds a {kind}; expected pyarrow.Tables, RecordBatches or dicts of lists, as "
            f"count_batch makes them.{remedy}"
        )


def _is_pandas(table: object) -> bool:
    """Return whether the value is a data frame of pandas."""
    return hasattr(table, "iloc")
