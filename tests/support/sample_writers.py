"""Write files of samples to the working folder, read their errors, and plan their shards."""

import csv
import gzip
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_samples
from bleu_rouge_metric.files.shards import Shard, list_files, make_shared_choices, plan_shards


def write_jsonl(path: str, rows: Sequence[object]) -> None:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def write_csv(path: str, rows: Sequence[Sequence[str]], delimiter: str = ",") -> None:
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


def write_parquet(path: str, **columns: object) -> None:
    parquet.write_table(pa.table(columns), path)


def write_lines(path: str, texts: Sequence[str]) -> None:
    Path(path).write_bytes("".join(text + "\n" for text in texts).encode())


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))


def error_of(predictions: str, *references: str, **options: str) -> str:
    """Return the text of the error of reading the files."""
    if not references:
        Path("good.txt").touch()
    with pytest.raises(FileError) as caught:
        read_samples(predictions, references or ["good.txt"], **options)  # type: ignore[arg-type]
    return str(caught.value)


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
