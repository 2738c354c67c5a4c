"""Columns of texts that stay in Arrow: pyarrow arrays and columns of a ``datasets.Dataset``.

They are checked and sliced without making Python strings. ``inputs.py`` reads columns that hold
anything else as lists.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

# A pyarrow.Array or pyarrow.ChunkedArray of strings. pyarrow is not imported here: a caller who
# passes an Arrow array has imported it, and other callers need not wait for it.
ArrowTexts = Any

_STRINGS: Final = ("string", "large_string")
_LISTS: Final = ("list<", "large_list<")


def find_arrow(container: object) -> ArrowTexts | None:
    """Return a pyarrow array, or that of a column of a ``datasets.Dataset`` without a format."""
    if type(container).__module__.startswith("pyarrow."):
        return container if hasattr(container, "null_count") else None
    if type(container).__module__.startswith("datasets."):
        source: Any = getattr(container, "source", None)
        # A format or transform of the data set changes what its columns hold. A streaming data set
        # has no attribute ``format``.
        if hasattr(source, "format") and source.format["type"] is None:
            name = container.column_name  # type: ignore[attr-defined]
            return source.select_columns(name).with_format("arrow")[:][name]
    return None


def read_stream(container: object) -> object:
    """Read a column of a streaming data set to its end; return any other container unchanged."""
    if type(container).__name__ != "IterableColumn":
        return container
    rows: list[Any] = list(cast("Iterable[Any]", container))
    if not rows or not type(rows[0]).__module__.startswith("pyarrow."):
        return rows
    import pyarrow as pa

    # Each row is an array of one item.
    return pa.chunked_array([chunk for row in rows for chunk in row.chunks])


def is_texts(array: ArrowTexts) -> bool:
    """Return whether an array holds only strings, without nulls."""
    return str(array.type) in _STRINGS and array.null_count == 0


def find_arrow_references(
    container: object,
) -> tuple[ArrowTexts, NDArray[np.int64] | None] | None:
    """Return the references in the Arrow array of a container, and how many each sample has.

    The counts, int64 of at least 1, are None if each sample has a text in place of a list. The
    result is None without an Arrow array of texts or lists of texts, or if a list is empty.
    """
    array = find_arrow(container)
    if array is None:
        return None
    if is_texts(array):
        return array, None
    if not str(array.type).startswith(_LISTS) or array.null_count:
        return None
    import pyarrow.compute as pc

    texts = pc.list_flatten(array)
    counts = pc.list_value_length(array).to_numpy().astype(np.int64)
    return (texts, counts) if is_texts(texts) and counts.all() else None


def is_arrow(texts: object) -> bool:
    """Return whether texts are an Arrow array rather than a list."""
    return not isinstance(texts, list)


def may_have_list(texts: Any) -> bool:
    """Return whether a text may be a list that is written as text, which has brackets."""
    if not is_arrow(texts):
        return True
    import pyarrow.compute as pc

    # Fast path: a search of brackets with white space around takes ten times as long.
    brackets = pc.starts_with(texts, "["), pc.ends_with(texts, "]")
    return any(pc.any(found).as_py() for found in brackets)


def join(parts: list[Any]) -> Any:
    """Concatenate lists and arrays of texts; an array if all are arrays, else a list."""
    if all(map(is_arrow, parts)):
        import pyarrow as pa

        chunks = [chunk for part in parts for chunk in getattr(part, "chunks", [part])]
        types = {chunk.type for chunk in chunks}
        if len(types) > 1:
            chunks = [chunk.cast(pa.large_string()) for chunk in chunks]
        return pa.chunked_array(chunks, chunks[0].type)
    texts: list[str] = []
    for part in parts:
        texts += list_texts(part)
    return texts


def list_texts(texts: Any) -> list[str]:
    """Return the texts as a list of str."""
    if is_arrow(texts):
        strings: list[str] = texts.to_pylist()
        return strings
    listed: list[str] = texts
    return listed


def read_column(batch: Any, name: str, argument: str) -> Any:
    """Return a column of a batch as it is; ``argument`` names the column, for errors."""
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
    column = batch[name]
    if isinstance(column, pa.Array | pa.ChunkedArray):
        try:
            # Arrow does not check this by default.
            column.validate(full=True)
        except pa.ArrowInvalid as error:
            raise ValueError(
                f"Column {name!r} has bytes that are not UTF-8; decode them with their encoding."
            ) from error
    return column
