"""Convert counts of samples to Arrow tables, one row per sample, and back; and mark their texts.

Columns and their types follow from the layouts of the arrays (``families/counts.py``): no family is
named here. Arrow, Parquet, Spark and ``datasets`` all have the types: int64, lists of int64 and
lists of double.

The machine that has the texts marks each sample with an empty text, or one that loses its tokens or
letters. The process that gathers the counts adds the marks up, and warns once of all samples.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..extras import needs
from ..families.counts import Layout, SampleCounts, from_arrays, shrink
from ..families.registry import list_tokenizers
from ..messages import Argument, format_message
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..options.same_counts import hash_counts
from ..samples.inputs import Samples
from ..text.mistakes import (
    MISSING_VALUES,
    MOST_TOKENS,
    warn_of_empty_predictions,
    warn_of_empty_references,
)
from ..text.scripts import LetterLosses, warn_of_letters
from ..text.warnings import find_short_texts, warn_of_vanished

with needs("bleu_rouge_metric.engines", "pyarrow"):
    import pyarrow as pa
    import pyarrow.compute as pc

KEY: Final = "key"
LOST: Final = "lost"
_FINGERPRINT: Final = "counted_with"

_REMEDY: Final = "Give reduce_counts the options that count_batch had."

# The bits that mark a sample whose prediction, or a reference, is empty or a missing value; those
# of tokenizers are lower.
_VALUES: Final = tuple(enumerate(sorted(MISSING_VALUES)))
_PREDICTIONS: Final = {"": 1 << 4, **{value: 1 << 40 + place for place, value in _VALUES}}
_REFERENCES: Final = {"": 1 << 5, **{value: 1 << 50 + place for place, value in _VALUES}}


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


def _list_marks() -> dict[str, tuple[int, int]]:
    """Return the bits by the option that chooses the tokenizer.

    The first marks a sample in a text of which it finds no token, the second the samples of a batch
    in which it drops letters of many words.

    >>> _list_marks()
    {'bleu_tokenizer': (1, 4), 'rouge_tokenizer': (2, 8)}
    """
    # Each tokenizer behind the first two has two bits behind those of empty texts.
    bits = (
        (1 << place, 4 << place) if place < 2 else (4 << 2 * place, 8 << 2 * place)
        for place, _ in enumerate(list_tokenizers())
    )
    return dict(zip(list_tokenizers(), bits, strict=True))


def mark_texts(samples: Samples, counts: SampleCounts, plan: Plan) -> NDArray[np.int64]:
    """Return the marks of the samples: int64, shape (samples,), sums of bits."""
    marks = np.zeros(len(counts.reference_counts), dtype=np.int64)
    if samples.are_ids:
        return marks
    letters: LetterLosses | None = None
    for place, score in enumerate(plan.scores.values()):
        tokenizer, totals = score.plain_tokenizer, score.count_tokens(counts)
        lost, dropped = _list_marks()[score.tokenizer_option]
        if tokenizer.keeps_ascii:
            if letters is None:
                letters = LetterLosses()
                letters.add(samples)
            if letters.has_many:
                marks |= dropped
        # Only the first looks for missing values, which have few tokens.
        most = 0 if place else MOST_TOKENS
        predictions = find_short_texts(samples.predictions, totals[0], most)
        references = find_short_texts(samples.references, totals[1], most)
        owners = samples.offsets.searchsorted(list(references), side="right") - 1
        for rows, suspects, numbers, bits in (
            (list(predictions), predictions, totals[0], _PREDICTIONS),
            (owners.tolist(), references, totals[1], _REFERENCES),
        ):
            for row, (index, text) in zip(rows, suspects.items(), strict=True):
                if text in MISSING_VALUES or not text.strip():
                    marks[row] |= bits[text.strip()]
                elif not (numbers[index] or tokenizer(text)):
                    marks[row] |= lost
    return marks


class MarkCounts:
    """How many samples have each mark."""

    def __init__(self) -> None:
        self._samples = 0
        self._marked: Counter[int] = Counter()

    def add(self, marks: NDArray[np.int64]) -> None:
        """Add the marks of more samples."""
        self._samples += len(marks)
        kinds = (_PREDICTIONS.values(), _REFERENCES.values())
        for mark in (*chain(*_list_marks().values()), *chain(*kinds), *map(sum, kinds)):
            self._marked[mark] += int(np.count_nonzero(marks & mark))

    def warn(self, options: Options) -> None:
        """Warn once of empty texts, and for each tokenizer that drops letters or whole texts.

        The warning names both tokenizers that may help. The warning of ``text/warnings.py`` names
        the better one, but this needs the texts, which are not available here.
        """
        for bits, warn in (
            (_PREDICTIONS, warn_of_empty_predictions),
            (_REFERENCES, warn_of_empty_references),
        ):
            if found := self._marked[sum(bits.values())]:
                kinds = [kind for kind, bit in bits.items() if self._marked[bit]]
                warn(found, self._samples, kinds=kinds)
        values = options.values()
        for option, (lost, dropped) in _list_marks().items():
            if self._marked[dropped]:
                warn_of_letters(option, values[option])
            elif number := self._marked[lost]:
                remedy = format_message(
                    "use {}, which finds the words of every language, or 'char' to count "
                    "characters that are not letters or digits.",
                    Argument(option, "=", "unicode"),
                )
                warn_of_vanished(option, values[option], number, self._samples, remedy)
