"""Convert counts of samples to Arrow tables, one row per sample, and back.

Columns and their types follow from the layouts of the arrays (``families/counts.py``): no family is
named here. Arrow, Parquet, Spark and ``datasets`` all have the types: int64, lists of int64 and
lists of double.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..extras import needs
from ..families.counts import Layout, SampleCounts, from_arrays, shrink
from ..options.options import Options
from ..options.profiles import Family
from ..options.same_counts import hash_counts

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
    try:
        column = column.cast(kind)
    except pa.ArrowException as error:
        raise TypeError(
            f"Column {name!r} of the counts is of type {column.type}; expected {kind}, as "
            "count_schema has it."
        ) from error
    flat = pc.list_flatten(column) if pa.types.is_list(kind) else column
    if column.null_count or flat.null_count:
        raise ValueError(f"Column {name!r} of the counts has nulls; count_batch makes none.")
    lengths = pc.list_value_length(column).to_numpy() if pa.types.is_list(kind) else ()
    return flat.to_numpy(), np.array(lengths, np.int64)


def _count_references(
    lengths: Mapping[str, NDArray[np.int64]], columns: CountColumns
) -> NDArray[np.int64]:
    """Return how many references each sample has; raise ValueError unless all columns agree."""
    counts: NDArray[np.int64] | None = None
    for name, column in columns.columns.items():
        own = lengths[name]
        if column.layout.per == "sample":
            is_right = (own == own[:1]).all()
        else:
            found, rest = np.divmod(own, column.width)
            counts = found if counts is None else counts
            is_right = found.all() and not rest.any() and np.array_equal(found, counts)
        if not is_right:
            raise ValueError(
                f"Column {name!r} of the counts has lists of wrong lengths; expected rows as "
                "count_batch made them."
            )
    return np.empty(0, np.int64) if counts is None else counts


def read_tables(counts: Any) -> Iterator[Any]:
    """Iterate over the tables of counts, which may have any form that ``reduce_counts`` accepts."""
    if isinstance(counts, pa.Table | pa.RecordBatch | Mapping):
        counts = [counts]
    for table in counts:
        if isinstance(table, pa.RecordBatch):
            yield pa.Table.from_batches([table])
        elif isinstance(table, Mapping) and all(
            isinstance(column, Iterable) for column in table.values()
        ):
            # An array has two dimensions if it was made from lists of equal length.
            yield pa.table({name: list(column) for name, column in table.items()})
        elif isinstance(table, pa.Table):
            yield table
        else:
            raise TypeError(
                f"counts holds a {type(table).__name__}; expected pyarrow.Tables, RecordBatches or "
                "dicts of lists, as count_batch makes them."
            )
