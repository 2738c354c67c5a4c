"""Read columns of a Parquet file: check that their types hold texts, and iterate over rows."""

from collections.abc import Iterator, Sequence
from typing import Any


def holds_texts(kind: Any, *, allows_lists: bool) -> bool:
    """Whether a ``pyarrow.DataType`` holds texts, or lists of texts if they are allowed."""
    # Importing pyarrow takes a quarter of a second, so it is imported only to read Parquet.
    import pyarrow as pa

    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if allows_lists and any(is_list(kind) for is_list in lists):
        kind = kind.value_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    # string_view came with pyarrow 16; comparing its name works in every version.
    return str(kind) in ("string", "large_string", "string_view")


def iterate_rows(
    table: Any, columns: Sequence[str], batch_rows: int, *, use_threads: bool = True
) -> Iterator[tuple[Any, ...]]:
    """Iterate over the Python values of columns, row by row.

    Args:
        table: a ``pyarrow.parquet.ParquetFile``.
        columns: names of the columns; a name may occur twice.
        batch_rows: how many rows are held in memory at once.
        use_threads: whether pyarrow decodes columns in parallel.
    """
    names = list(dict.fromkeys(columns))
    for batch in table.iter_batches(batch_rows, columns=names, use_threads=use_threads):
        arrays = [batch.column(batch.schema.get_field_index(name)) for name in columns]
        for values in zip(*arrays, strict=True):
            yield tuple(value.as_py() for value in values)
