"""Columns of a batch, which is a ``pyarrow`` table or a dict of columns."""

from collections.abc import Mapping
from typing import Any


def read_column(batch: Any, name: str, argument: str) -> Any:
    """Return a column of a batch as it is; ``argument`` names the column, for errors.

    Raises:
        TypeError: the batch is no ``pyarrow.Table``, ``RecordBatch`` or dict of columns.
        ValueError: there is no such column, or it has bytes that are not UTF-8.
    """
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
