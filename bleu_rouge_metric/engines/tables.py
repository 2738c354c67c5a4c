"""Convert counts of samples to Arrow tables, one row per sample, and back.

``engines/__init__.py`` describes the columns. Their types are simple ones that Arrow, Parquet,
Spark and ``datasets`` all have: int64, lists of int64 and, only for ROUGE-W, lists of double.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..families.counts import Layout, SampleCounts, from_arrays, shrink
from ..families.registry import FAMILIES
from ..messages import value_error
from ..options.options import Options
from ..options.profiles import Family
from ..options.same_counts import hash_counts
from ..samples.arrow_columns import is_list, to_int64

KEY: Final = "key"
LOST: Final = "lost"
_FINGERPRINT: Final = "counted_with"


_REMEDY: Final = "Give reduce_counts the options that count_batch had."


class CountColumns(NamedTuple):
    """Which columns the counts of some options have.

    Attributes:
        layouts: the arrays by name.
        options: the options that decide the counts, in one line.
        digest: a hash of them.
        families: that are counted, for errors.
    """

    layouts: Mapping[str, Layout]
    options: str
    digest: bytes

    @property
    def fingerprint(self) -> int:
        """Return a 64-bit hash of the options."""
        return int.from_bytes(self.digest, "little", signed=True)

    def columns(self) -> dict[str, tuple[str, int | None, Layout]]:
        """Return each column: its array, its place there (None for the whole), the layout."""
        return {
            column: (name, place if layout.is_split else None, layout)
            for name, layout in self.layouts.items()
            for place, column in enumerate(layout.columns)
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all columns except ``key``, in order."""
        return (_FINGERPRINT, LOST, *self.columns())


def plan_columns(options: Options, families: Sequence[Family]) -> CountColumns:
    """Return the columns for those of the families that the profile has.

    >>> plan_columns(Options(rouge_types=["rouge1"]), ["rouge"]).names
    ('counted_with', 'lost', 'rouge1')
    """
    layouts = options.plan(families).counting.layouts
    line = options.counting_signature(families)
    return CountColumns(layouts, line, hash_counts(options, families))


def make_schema(columns: CountColumns, *, has_key: bool) -> Any:
    """Make the ``pyarrow.Schema`` of a table of counts."""
    import pyarrow as pa

    known = columns.columns()

    def kind(name: str) -> Any:
        if name not in known:
            return pa.int64()
        _, _, layout = known[name]
        if not layout.row and layout.per == "sample":
            return pa.int64()
        return pa.list_(pa.float64() if layout.is_float else pa.int64())

    names = [*([KEY] if has_key else []), *columns.names]
    return pa.schema([(name, kind(name)) for name in names])


class KeyedCounts(NamedTuple):
    """The content of a table.

    Attributes:
        counts: counts of any number of samples.
        lost: int64, shape (samples,); marks of ``warnings.py``.
        keys: int64, shape (samples,); None if there are no keys.
    """

    counts: SampleCounts
    lost: NDArray[np.int64]
    keys: NDArray[np.int64] | None


def to_table(samples: KeyedCounts, columns: CountColumns) -> Any:
    """Convert counts to a ``pyarrow.Table``.

    Args:
        samples: counts, marks and keys of the samples.
        columns: columns of the options that the samples were counted with.
    """
    import pyarrow as pa

    counts, lost, keys = samples
    pairs = to_offsets(counts.reference_counts)
    arrays: list[Any] = [] if keys is None else [pa.array(keys)]
    arrays += [pa.array(np.full(len(lost), columns.fingerprint)), pa.array(lost)]
    for name, place, layout in columns.columns().values():
        array = counts[name]
        values = array if place is None else array[:, place]
        if not layout.row and layout.per == "sample":
            arrays.append(pa.array(values.astype(np.int64)))
            continue
        width = math.prod(values.shape[1:])
        offsets = pairs if layout.per == "reference" else np.arange(len(pairs))
        arrays.append(_to_lists(values, width * offsets))
    return pa.Table.from_arrays(arrays, schema=make_schema(columns, has_key=keys is not None))


def _to_lists(values: NDArray[Any], offsets: NDArray[np.int64]) -> Any:
    """Make an Arrow array of lists; list ``i`` has the values from offset ``i`` to ``i + 1``."""
    import pyarrow as pa

    total, most = int(offsets[-1]), np.iinfo(np.int32).max
    if total > most:
        raise ValueError(
            f"A batch has {total} counts in one column; expected at most {most}. Count smaller "
            "batches."
        )
    dtype = np.float64 if values.dtype == np.float64 else np.int64
    flat = np.ascontiguousarray(values, dtype=dtype).reshape(-1)
    return pa.ListArray.from_arrays(offsets.astype(np.int32), pa.array(flat))


def from_table(table: Any, columns: CountColumns) -> KeyedCounts:
    """Convert a table back to the counts that :func:`to_table` was given.

    Args:
        table: a ``pyarrow.Table``; columns that are not counts are ignored.
        columns: columns of the options that the samples were counted with.

    Raises:
        TypeError: a column has another type.
        ValueError: a column of counts is missing, not expected, or has lists of another length.
    """
    _check_names(table.schema.names, columns.names)
    if not table.num_rows:
        # The empty columns of a dict have no type.
        table = make_schema(columns, has_key=KEY in table.schema.names).empty_table()
    if (_read_integers(table, _FINGERPRINT) != columns.fingerprint).any():
        raise ValueError(
            f"Column {_FINGERPRINT!r} of the counts says that they were made with other options "
            f"than these: {columns.options}. {_REMEDY}"
        )
    keys = _read_integers(table, KEY) if KEY in table.schema.names else None
    known = columns.columns()
    lists: dict[str, _Lists] = {}
    widths: dict[str, int] = {}
    for column, (_, place, layout) in known.items():
        if layout.per == "reference":
            lists[column] = _read_lists(table, column, layout)
            widths[column] = math.prod(layout.row if place is None else layout.row[1:])
    counts = _count_references(lists, widths)
    references = int(counts.sum())
    arrays: dict[str, Any] = {"reference_counts": counts}
    for name, layout in columns.layouts.items():
        if layout.per == "sample":
            (column,) = layout.columns
            read = _read_row if layout.row else _read_whole
            arrays[name] = shrink(read(table, column, layout))
            continue
        parts = [lists[column].values for column in layout.columns]
        kind = np.float64 if layout.is_float else np.int64
        if not layout.is_split:
            array = parts[0].reshape(references, *layout.row)
        elif parts:
            array = np.stack([part.reshape(-1, *layout.row[1:]) for part in parts], axis=1)
        else:
            array = np.zeros((references, *layout.row))
        array = array.astype(kind, copy=False)
        arrays[name] = array if layout.is_float else shrink(array)
    lost = _read_integers(table, LOST)
    return KeyedCounts(from_arrays(arrays, columns.layouts), lost, keys)


def _read_whole(table: Any, column: str, _: Layout) -> NDArray[np.int64]:
    return _read_integers(table, column)


class _Lists(NamedTuple):
    """A column of lists.

    Attributes:
        values: values of all lists, one list after the other.
        lengths: int64, shape (rows,); lengths of the lists.
    """

    values: NDArray[Any]
    lengths: NDArray[np.int64]


def _read_lists(table: Any, name: str, layout: Layout) -> _Lists:
    """Read a column of lists of numbers; raise an error if it holds anything else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table.column(name)
    is_number = pa.types.is_floating if layout.is_float else pa.types.is_integer
    if not is_list(column.type) or not is_number(column.type.value_type):
        number = "double" if layout.is_float else "int64"
        raise TypeError(_type_error(name, column, f"list<{number}>"))
    values = pc.list_flatten(column)
    _check_nulls(name, column.null_count + values.null_count)
    lengths = pc.list_value_length(column).to_numpy().astype(np.int64)
    if layout.is_float:
        return _Lists(values.to_numpy().astype(np.float64), lengths)
    return _Lists(to_int64(values, _name_column(name)), lengths)


def _read_integers(table: Any, name: str) -> NDArray[np.int64]:
    """Read a column of integers; raise TypeError or ValueError if it holds anything else."""
    import pyarrow as pa

    column = table.column(name)
    if not pa.types.is_integer(column.type):
        raise TypeError(_type_error(name, column, "int64"))
    _check_nulls(name, column.null_count)
    return to_int64(column, _name_column(name))


def _read_row(table: Any, column: str, layout: Layout) -> NDArray[np.int64]:
    """Read a list of counts a sample; raise ValueError if fewer were counted."""
    found, widths = _read_lists(table, column, layout)
    needed = layout.row[0]
    width = int(widths[0]) if len(widths) else needed
    if not layout.fits([width]) or (widths != width).any():
        raise value_error(
            "Column {!r} of the counts has {} orders; {max_order} and {smooth} ask for {}.",
            *(column, widths.min(), needed),
            remedy=_REMEDY,
        )
    # More orders may have been counted for a smoothing that is not used now.
    rows: NDArray[np.int64] = layout.fit(column, found.reshape(-1, width))
    return rows


def _count_references(lists: dict[str, _Lists], widths: dict[str, int]) -> NDArray[np.int64]:
    """Count the references of each sample; all columns must agree.

    Args:
        lists: columns by name; at least one.
        widths: how many numbers each column has per reference.
    """
    found: dict[str, NDArray[np.int64]] = {}
    for name, column in lists.items():
        counts, rest = np.divmod(column.lengths, widths[name])
        wrong = (rest > 0) | (counts == 0)
        if wrong.any():
            numbers = "a number" if widths[name] == 1 else f"{widths[name]} numbers"
            raise ValueError(
                f"Column {name!r} of the counts has a list of {column.lengths[wrong.argmax()]} "
                f"numbers; expected {numbers} for every reference, and at least one reference."
            )
        found[name] = counts
    first = next(iter(found))
    for name, counts in found.items():
        if not np.array_equal(counts, found[first]):
            raise ValueError(
                f"Columns {first!r} and {name!r} of the counts differ in how many references the "
                "samples have; expected rows as count_batch made them."
            )
    return found[first]


def _check_names(names: Sequence[str], expected: Sequence[str]) -> None:
    """Raise ValueError unless each expected column occurs once, and no other column of counts."""
    for name in expected:
        if names.count(name) != 1:
            number = "more than one" if name in names else "no"
            columns = ", ".join(map(repr, names)) or "none"
            raise ValueError(
                f"The counts have {number} column {name!r}, which {_option_of(name)} asks for. "
                f"{_REMEDY} Columns: {columns}."
            )
    for name in names:
        option = _option_of(name)
        if option is not None and name not in expected:
            raise ValueError(
                f"The counts have the column {name!r}, which {option} does not ask for. {_REMEDY}"
            )


def _option_of(name: str) -> str | None:
    """Return the options that decide whether a column exists; None if it is not one of counts."""
    if name in (_FINGERPRINT, LOST):
        return "count_schema"
    asked = (family.find_option(name) for family in FAMILIES.values())
    return next((option for option in asked if option), None)


def _name_column(name: str) -> str:
    return f"Column {name!r} of the counts"


def _type_error(name: str, column: Any, expected: str) -> str:
    return (
        f"{_name_column(name)} is of type {column.type}; expected {expected}, as "
        "count_schema has it."
    )


def _check_nulls(name: str, nulls: int) -> None:
    if nulls:
        raise ValueError(f"{_name_column(name)} has nulls; count_batch makes none.")
