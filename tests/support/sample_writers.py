"""Write files of samples to the working folder, and return the errors of reading them."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_samples


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
