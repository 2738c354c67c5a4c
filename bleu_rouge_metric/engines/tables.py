"""Convert counts of samples to Arrow tables, one row per sample, and back.

``engines/__init__.py`` describes the columns. Their types are simple ones that Arrow, Parquet,
Spark and ``datasets`` all have: int64, lists of int64 and, only for ROUGE-W, lists of double.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..counting.kernels import BleuCounts, RougeCounts, is_weighted
from ..counting.rouge_types import parse_rouge_type
from ..options.options import Options
from ..options.profiles import Family
from ..samples.arrow_columns import is_list, to_int64
from ..scoring.sample_counts import SampleCounts, shrink

KEY: Final = "key"
LOST: Final = "lost"
_FINGERPRINT: Final = "counted_with"

_MATCHES: Final = "bleu_matches"
_PREDICTION_LENGTH: Final = "bleu_prediction_length"
_REFERENCE_LENGTHS: Final = "bleu_reference_lengths"
_BLEU: Final = (_MATCHES, _PREDICTION_LENGTH, _REFERENCE_LENGTHS)
_OVERLAP: Final = "google_bleu"

# Hits, total of the prediction, total of the reference.
_TRIPLE: Final = 3

_REMEDY: Final = "Give reduce_counts the options that count_batch had."


class CountColumns(NamedTuple):
    """Which columns the counts of some options have.

    Attributes:
        bleu_order: how many orders ``bleu_matches`` has; 0 if BLEU is not counted.
        overlaps: names of the columns of ``google_bleu``, by order.
        rouge_types: names of the columns of ROUGE.
        options: the options that decide the counts, in one line.
    """

    bleu_order: int
    overlaps: tuple[str, ...]
    rouge_types: tuple[str, ...]
    options: str

    @property
    def fingerprint(self) -> int:
        """Return a 64-bit hash of the options."""
        digest = blake2b(self.options.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little", signed=True)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all columns except ``key``, in order."""
        bleu = _BLEU if self.bleu_order else ()
        return (_FINGERPRINT, LOST, *bleu, *self.overlaps, *self.rouge_types)


def plan_columns(options: Options, families: Sequence[Family]) -> CountColumns:
    """Return the columns for those of the families that the profile has.

    >>> plan_columns(Options(rouge_types=["rouge1"]), ["rouge"]).names
    ('counted_with', 'lost', 'rouge1')
    """
    plan = options.plan(families).counting
    overlaps = plan.bleu is not None and plan.bleu.overlaps
    order = 0 if plan.bleu is None else plan.bleu.max_order
    return CountColumns(
        0 if overlaps else order,
        tuple(f"{_OVERLAP}_{number}" for number in range(1, order + 1)) if overlaps else (),
        () if plan.rouge is None else plan.rouge.types,
        options.counting_signature(families),
    )


def make_schema(columns: CountColumns, *, has_key: bool) -> Any:
    """Make the ``pyarrow.Schema`` of a table of counts."""
    import pyarrow as pa

    def kind(name: str) -> Any:
        if name in (KEY, _FINGERPRINT, LOST, _PREDICTION_LENGTH):
            return pa.int64()
        return pa.list_(pa.float64() if is_weighted(name) else pa.int64())

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
    if counts.bleu is not None:
        starts = np.arange(len(pairs)) * columns.bleu_order
        arrays += [
            _to_lists(counts.bleu.matches, starts),
            pa.array(counts.bleu.prediction_lengths.astype(np.int64)),
            _to_lists(counts.bleu.reference_lengths, pairs),
        ]
    if counts.overlap is not None:
        by_order = np.moveaxis(counts.overlap, 1, 0)
        arrays += [_to_lists(triples, _TRIPLE * pairs) for triples in by_order]
    if counts.rouge is not None:
        triples_of = map(counts.rouge.of, columns.rouge_types)
        arrays += [_to_lists(triples, _TRIPLE * pairs) for triples in triples_of]
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
    triples = (*columns.overlaps, *columns.rouge_types)
    widths = {_REFERENCE_LENGTHS: 1} if columns.bleu_order else {}
    widths.update(dict.fromkeys(triples, _TRIPLE))
    lists = {name: _read_lists(table, name) for name in widths}
    counts = _count_references(lists, widths)

    def stack(names: Sequence[str]) -> NDArray[Any]:
        """Stack the triples of several columns, shape (pairs, columns, 3)."""
        if not names:
            return np.zeros((int(counts.sum()), 0, _TRIPLE))
        return np.stack([lists[name].values.reshape(-1, _TRIPLE) for name in names], axis=1)

    bleu = overlap = rouge = None
    if columns.bleu_order:
        bleu = BleuCounts(
            shrink(_read_matches(table, columns.bleu_order)),
            shrink(_read_integers(table, _PREDICTION_LENGTH)),
            shrink(lists[_REFERENCE_LENGTHS].values),
        )
    if columns.overlaps:
        overlap = shrink(stack(columns.overlaps))
    if columns.rouge_types:
        weighted = [name for name in columns.rouge_types if is_weighted(name)]
        integers = [name for name in columns.rouge_types if not is_weighted(name)]
        rouge = RougeCounts(
            columns.rouge_types, shrink(stack(integers).astype(np.int64)), stack(weighted)
        )
    lost = _read_integers(table, LOST)
    return KeyedCounts(SampleCounts(bleu, overlap, rouge, counts), lost, keys)


class _Lists(NamedTuple):
    """A column of lists.

    Attributes:
        values: values of all lists, one list after the other.
        lengths: int64, shape (rows,); lengths of the lists.
    """

    values: NDArray[Any]
    lengths: NDArray[np.int64]


def _read_lists(table: Any, name: str) -> _Lists:
    """Read a column of lists of numbers; raise an error if it holds anything else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table.column(name)
    is_number = pa.types.is_floating if is_weighted(name) else pa.types.is_integer
    if not is_list(column.type) or not is_number(column.type.value_type):
        number = "double" if is_weighted(name) else "int64"
        raise TypeError(_type_error(name, column, f"list<{number}>"))
    values = pc.list_flatten(column)
    _check_nulls(name, column.null_count + values.null_count)
    lengths = pc.list_value_length(column).to_numpy().astype(np.int64)
    if is_weighted(name):
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


def _read_matches(table: Any, order: int) -> NDArray[np.int64]:
    """Read matches, shape (samples, order); raise ValueError if fewer orders were counted."""
    matches, widths = _read_lists(table, _MATCHES)
    width = int(widths[0]) if len(widths) else order
    if width < order or (widths != width).any():
        raise ValueError(
            f"Column {_MATCHES!r} of the counts has {widths.min()} orders; max_order and smooth "
            f"ask for {order}. {_REMEDY}"
        )
    # More orders may have been counted for a smoothing that is not used now.
    return matches.reshape(-1, width)[:, :order]


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
    if name in _BLEU:
        return "family or profile"
    if name.startswith(f"{_OVERLAP}_"):
        return "profile or max_order"
    try:
        parse_rouge_type(name)
    except ValueError:
        return None
    return "family, profile or rouge_types"


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
