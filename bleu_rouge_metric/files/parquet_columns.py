"""Columns of a Parquet file: which types hold texts, and their values row by row."""

from collections.abc import Iterator, Sequence
from typing import Any


def holds_texts(kind: Any, *, allows_lists: bool) -> bool:
    """Whether a ``pyarrow.DataType`` is of texts, or of lists of texts if they are allowed."""
    # pyarrow takes a quarter of a second to import: only those who read Parquet pay for it.
    import pyarrow as pa

    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if allows_lists and any(is_list(kind) for is_list in lists):
        kind = kind.value_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    # string_view came with pyarrow 16; its name can be asked for in any version.
    return str(kind) in ("string", "large_string", "string_view")


def iterate_rows(
    table: Any, columns: Sequence[str], batch_rows: int, *, use_threads: bool = True
) -> Iterator[tuple[Any, ...]]:
    """The Python values of columns, row by row.

    Args:
        table: a ``pyarrow.parquet.ParquetFile``.
        columns: their names; one may be there twice.
        batch_rows: how many rows are held at a time.
        use_threads: whether columns are unpacked at the same time.
    """
    names = list(dict.fromkeys(columns))
    for batch in table.iter_batches(batch_rows, columns=names, use_threads=use_threads):
        arrays = [batch.column(batch.schema.get_field_index(name)) for name in columns]
        for values in zip(*arrays, strict=True):
            yield tuple(value.as_py() for value in values)
