"""Samples for the page of ``app.py``, and its functions."""

import csv
import json
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

PREDICTION = "Paris is not the capital of France"
REFERENCE = "Paris is the biggest French city"
OPTIONS: tuple[Any, ...] = (4, "", "", ["rouge1", "rouge2"], "", "", False, "", "hf", "")
SAMPLES = [
    (PREDICTION, [REFERENCE]),
    ("I like <b>tea</b>, said she.", ["She said: I like tea.", "I like <b>tea</b>, said he."]),
    ("", ["Nothing was said."]),
]


def write_samples(folder: Path, suffix: str) -> Path:
    """Write SAMPLES to a file with the columns "prediction" and "reference"."""
    path = folder / f"samples{suffix}"
    columns = {"prediction": [p for p, _ in SAMPLES], "reference": [r for _, r in SAMPLES]}
    if suffix == ".parquet":
        pq.write_table(pa.table(columns), path)
    elif suffix == ".json":
        rows = [{"prediction": p, "reference": r} for p, r in SAMPLES]
        path.write_text(json.dumps(rows, indent=1), encoding="utf-8-sig")
    elif suffix == ".jsonl":
        rows = [{"prediction": p, "reference": r if len(r) > 1 else r[0]} for p, r in SAMPLES]
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8-sig")
    else:
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            # TSV has no quotes.
            no_quotes: Any = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
            writer = csv.writer(file, **(no_quotes if suffix == ".tsv" else {}))
            writer.writerow(columns)
            writer.writerows((p, json.dumps(r) if len(r) > 1 else r[0]) for p, r in SAMPLES)
    return path


def pair(page: Any, prediction: Any, *references: Any, options: tuple[Any, ...] = OPTIONS) -> Any:
    """Return the scores of a pair; a message is raised as ``InputError``."""
    return page.score_texts(prediction, list(references), page.Choices(*options))


def score(page: Any, *paths: Path, options: tuple[Any, ...] = OPTIONS) -> Any:
    """Return the scores of a file, and of files of references."""
    first, *others = map(str, paths)
    columns = ("prediction", "reference")
    return page.score_uploads(first, others or None, columns, page.Choices(*options))[1]


def read(page: Any, *paths: Path) -> Any:
    """Return the samples of a file, and of files of references."""
    return page.read_samples(paths[0], paths[1:], "prediction", "reference")


def wait_for_file(path: Path) -> str:
    """Wait until the browser has saved a file; return its text and delete it.

    Chromium reserves the name with an empty file and renames the complete one over it.
    """
    deadline = time.monotonic() + 30
    while not path.is_file() or path.stat().st_size == 0:
        assert time.monotonic() < deadline, f"{path.name} was not saved"
        time.sleep(0.05)
    text = path.read_text("utf-8")
    path.unlink()
    return text
