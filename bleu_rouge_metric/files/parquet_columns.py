"""Read columns of a Parquet file: check that their types hold texts, and iterate over rows."""

from collections.abc import Iterator, Sequence
from typing import Any

from ..samples.arrow_columns import is_list, is_string


def holds_texts(kind: Any, *, allows_lists: bool) -> bool:
    """Return whether an Arrow type holds texts, or lists of texts if they are allowed."""
    return is_string(kind.value_type if allows_lists and is_list(kind) else kind)


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
