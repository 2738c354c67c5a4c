"""Files of samples for the tests of shards, and their shards."""

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyarrow import parquet

from bleu_rouge_metric.files.shards import Shard, list_files, make_shared_choices, plan_shards

# Rows have different lengths, so that a wrong cut is noticed.
ROWS: Final[list[dict[str, Any]]] = [
    {"prediction": "word " * (i % 7), "reference": [f"word é {i}", "second"][: 1 + i % 2]}
    for i in range(300)
]
GOOD: Final = {"prediction": "a", "reference": "b"}


def write_rows(path: str, rows: list[Any], end: str = "\n", group: int = 30) -> None:
    """Write the rows as Parquet, as lines of JSON or, with the suffix ``.gz``, as such gzip."""
    place = Path(path)
    place.parent.mkdir(exist_ok=True, parents=True)
    if path.endswith(".parquet"):
        parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
        return
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + end
    place.write_bytes(gzip.compress(text.encode()) if path.endswith(".gz") else text.encode())


def plan(path: str, prediction: str | None = None, reference: str | None = None) -> list[Shard]:
    """Return the shards of a file or folder."""
    return plan_shards(list_files(path), make_shared_choices(prediction, reference))
