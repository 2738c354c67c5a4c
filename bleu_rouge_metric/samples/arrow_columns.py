"""Read columns of a batch as checked Arrow arrays: texts, lists of texts, and keys.

Nothing is turned into text: a value that is not a string is an error that names the column and the
remedy.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..messages import format_message, type_error

_STRINGS: Final = ("string", "large_string")
_NO_TEXTS: Final = "Nothing is converted to text."
_NO_IDS: Final = format_message("For lists of token ids use {tokenizer='ids'}.")
_NO_TOKENS: Final = format_message(
    "For lists of tokens join them with spaces and use {tokenizer='whitespace'}."
)
_DROP: Final = 'Drop the row, or give the empty text "" to score it 0.'


def read_texts(batch: Any, name: str, argument: str, *, allows_lists: bool = False) -> Any:
    """Return a column as an Arrow array of strings or, if allowed, of lists of strings.

    ``batch`` is a ``pyarrow.Table``, a ``RecordBatch`` or a dict of columns. ``argument`` names the
    column, for errors.

    Raises:
        TypeError: the column has another type.
        ValueError: there is no such column, or it holds a null or an empty list.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    expected = "string or list<string>" if allows_lists else "string"
    column = _read_column(batch, name, argument, expected)
    if column.null_count:
        raise ValueError(
            f"Column {name!r} has a null in row {_find_null(column)} of the batch; expected a "
            f"text. {_DROP}"
        )
    if not (allows_lists and is_list(column.type)):
        texts = _to_strings(name, column, expected)
        _check_encoding(name, texts)
        return texts
    lengths = _measure_lists(name, column)
    texts = pc.list_flatten(column)
    if texts.null_count:
        row = _find_row(lengths, _find_null(texts))
        raise ValueError(
            f"Column {name!r} has a null in the list in row {row} of the batch; expected texts. "
            "Take it out of the list."
        )
    texts = _to_strings(name, texts, expected, shown=column.type)
    _check_encoding(name, texts, lengths)
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks() if texts.num_chunks != 1 else texts.chunk(0)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), texts)


def read_ids(batch: Any, name: str, argument: str, *, allows_lists: bool = False) -> list[object]:
    """Return a column of lists of ids or, if allowed, of lists of these, which are not checked."""
    expected = "list<int64> or list<list<int64>>" if allows_lists else "list<int64>"
    column = _read_column(batch, name, argument, expected)
    if str(column.type) == "null" and not len(column):
        return []
    inner: Any = column.type.value_type if is_list(column.type) else None
    has_lists = allows_lists and is_list(inner)
    inner = inner.value_type if has_lists else inner
    if column.null_count:
        row = _find_null(column)
        raise ValueError(
            f"Column {name!r} has a null in row {row} of the batch; expected ids. Drop the row, or "
            "give the empty list to score it 0."
        )
    if not (_is_integer(inner) or str(inner) == "null"):
        raise TypeError(
            f"Column {name!r} is of type {column.type}; expected {expected}, since the tokenizer "
            "is 'ids'."
        )
    if has_lists:
        _measure_lists(name, column)
    ids: list[object] = column.to_pylist()
    return ids


def read_keys(batch: Any, name: str) -> NDArray[np.int64]:
    """Return a column of integers as int64; the errors are those of :func:`read_texts`."""
    import pyarrow as pa

    column = _read_column(batch, name, "key_column", "int64")
    if not pa.types.is_integer(column.type):
        raise TypeError(f"Column {name!r} is of type {column.type}; expected int64.")
    if column.null_count:
        raise ValueError(f"Column {name!r} has a null; expected an int, one for every sample.")
    return to_int64(column, f"Column {name!r}")


def to_int64(integers: Any, subject: str) -> NDArray[np.int64]:
    """Convert an Arrow array of integers without nulls to int64; errors name the subject."""
    values = integers.to_numpy()
    most = np.iinfo(np.int64).max
    if values.dtype == np.uint64 and (values > most).any():
        raise ValueError(f"{subject} has {values.max()}; expected int64, which ends at {most}.")
    whole: NDArray[np.int64] = values.astype(np.int64)
    return whole


def _read_column(batch: Any, name: str, argument: str, expected: str) -> Any:
    """Return the column with this name as an Arrow array."""
    import pyarrow as pa

    is_mapping = isinstance(batch, Mapping)
    if not is_mapping and not isinstance(batch, pa.Table | pa.RecordBatch):
        raise TypeError(
            f"batch is of type {type(batch).__name__}; expected a pyarrow.Table or RecordBatch, or "
            "a dict of columns."
        )
    names = list(batch) if is_mapping else batch.schema.names
    if names.count(name) != 1:
        number = "more than one" if name in names else "no"
        columns = ", ".join(map(repr, names)) or "none"
        raise ValueError(
            f"The batch has {number} column {name!r}; name another with {argument}=. "
            f"Columns: {columns}."
        )
    return to_arrow(batch[name], name, expected) if is_mapping else batch.column(name)


def to_arrow(column: Any, name: str, expected: str) -> Any:
    """Convert a column of a dict, an array or a list, to an Arrow array.

    Raises:
        TypeError: the rows have several types, or a type that Arrow does not have.
        ValueError: the column holds an integer of more than 64 bits.
    """
    import pyarrow as pa

    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column
    # An array has two dimensions if it was made from lists of equal length.
    if isinstance(column, np.ndarray) and column.ndim > 1:
        column = column.tolist()
    try:
        return pa.array(column)
    except OverflowError as error:
        raise ValueError(
            f"Column {name!r} has an int that does not fit in 64 bits; expected {expected}."
        ) from error
    except (pa.ArrowException, UnicodeEncodeError) as error:
        reason = " ".join(str(error).split("\n"))
        raise TypeError(
            f"Column {name!r} cannot be read by Arrow; expected {expected}, the same in every row "
            f"({reason})."
        ) from error


def _measure_lists(name: str, column: Any) -> NDArray[Any]:
    """Return the lengths of the lists, shape (rows,); raise ValueError if a list is empty."""
    import pyarrow.compute as pc

    lengths: NDArray[Any] = pc.list_value_length(column).to_numpy()
    if not lengths.all():
        raise ValueError(
            f"Column {name!r} has an empty list in row {lengths.argmin()} of the batch; every "
            "prediction needs at least one reference. Drop the row."
        )
    return lengths


def _to_strings(name: str, column: Any, expected: str, shown: Any = None) -> Any:
    """Return the column as plain Arrow strings; raise TypeError if it does not hold strings."""
    import pyarrow as pa

    if str(column.type) == "null" and not len(column):
        return column.cast(pa.string())
    if not is_string(column.type):
        raise type_error(
            "Column {!r} is of type {}",
            *(name, shown or column.type),
            expected=f"expected {expected}.",
            remedy=_find_remedy(shown or column.type),
        )
    return column if str(column.type) in _STRINGS else column.cast(pa.large_string())


def _check_encoding(name: str, texts: Any, lengths: NDArray[Any] | None = None) -> None:
    """Raise ValueError for a text that is not UTF-8, which Arrow does not check by default.

    ``lengths`` are those of the lists, if the texts are in lists.
    """
    import pyarrow as pa

    try:
        texts.validate(full=True)
    except pa.ArrowInvalid as error:
        place = 0
        try:
            for place, text in enumerate(texts):  # noqa: B007 - the last is the wrong one
                text.as_py()
        except UnicodeDecodeError:
            row = place if lengths is None else _find_row(lengths, place)
            raise ValueError(
                f"Column {name!r} has bytes that are not UTF-8 in row {row} of the batch; decode "
                "them with their own encoding."
            ) from error
        raise


def _find_row(lengths: NDArray[Any], place: int) -> int:
    """Return the index of the list that holds an item; ``place`` counts the items of all lists."""
    return int(np.searchsorted(np.cumsum(lengths), place, side="right"))


def _find_null(column: Any) -> int:
    """Return the row of the first null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    row: int = pc.index(pc.is_null(column), pa.scalar(value=True)).as_py()
    return row


def _find_remedy(kind: Any) -> str:
    """Return what to do about a column that has no texts."""
    inner = kind
    while is_list(inner):
        inner = inner.value_type
    if inner is kind:
        return _NO_TEXTS
    if _is_integer(inner):
        return _NO_IDS
    return _NO_TOKENS if str(inner) in _STRINGS else _NO_TEXTS


def _is_integer(kind: Any) -> bool:
    """Return whether an Arrow type is one of integers."""
    import pyarrow as pa

    return kind is not None and bool(pa.types.is_integer(kind))


def is_string(kind: Any) -> bool:
    """Return whether an Arrow type is a string type of any kind, also of a dictionary."""
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    # string_view came with pyarrow 16; comparing its name works in every version.
    return str(kind) in (*_STRINGS, "string_view")


def is_list(kind: Any) -> bool:
    """Return whether an Arrow type is a list type of any kind."""
    import pyarrow as pa

    checks = pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list
    return kind is not None and any(check(kind) for check in checks)
