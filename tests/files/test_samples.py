"""Samples from files: the same texts from every format."""

import gzip
import json
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pytest

from bleu_rouge_metric.files.lines import FileFormat
from bleu_rouge_metric.files.samples import read_samples
from bleu_rouge_metric.samples.inputs import Samples

from ..support.sample_writers import (
    give_stdin,
    write_csv,
    write_jsonl,
    write_lines,
    write_parquet,
)

pytestmark = pytest.mark.usefixtures("own_folder")

TEXTS = ["A plain text.", "", 'With "quotes", commas\tand tabs', "naïve café 我爱你", "  spaces  "]

WRITERS: dict[str, Callable[[str], None]] = {
    "a.txt": lambda path: write_lines(path, TEXTS),
    "a": lambda path: write_lines(path, TEXTS),
    "a.out": lambda path: write_lines(path, TEXTS),
    "a.jsonl": lambda path: write_jsonl(path, [{"prediction": text} for text in TEXTS]),
    "a.ndjson": lambda path: write_jsonl(path, [{"id": 1, "predictions": text} for text in TEXTS]),
    "a.json": lambda path: write_jsonl(path, TEXTS),
    "array.json": lambda path: write_lines(path, [json.dumps(TEXTS)]),
    "objects.json": lambda path: write_lines(
        path, ["", json.dumps([{"id": 1, "prediction": text} for text in TEXTS], indent=1)]
    ),
    "a.csv": lambda path: write_csv(path, [["prediction"], *([text] for text in TEXTS)]),
    "A.CSV": lambda path: write_csv(path, [["n", "prediction"], *(["1", t] for t in TEXTS)]),
    "a.tsv": lambda path: write_csv(path, [["only"], *([text] for text in TEXTS)], "\t"),
    "a.parquet": lambda path: write_parquet(path, prediction=TEXTS, other=range(len(TEXTS))),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_texts(name: str) -> None:
    WRITERS[name](name)
    write_lines("references.txt", TEXTS)
    samples = read_samples(name, ["references.txt"])
    assert samples.predictions == samples.references == TEXTS
    assert samples.offsets.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "a.parquet"])
def test_gzip_of_every_text_format_gives_the_same_texts(name: str) -> None:
    WRITERS[name](name)
    Path(name + ".gz").write_bytes(gzip.compress(Path(name).read_bytes()))
    write_lines("references.txt", TEXTS)
    assert read_samples(name + ".gz", ["references.txt"]).predictions == TEXTS


@pytest.mark.parametrize(
    ("file_format", "name"), [("text", "a.txt"), ("jsonl", "a.jsonl"), ("parquet", "a.parquet")]
)
def test_standard_input_may_have_any_format(
    file_format: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    WRITERS[name](name)
    write_lines("references.txt", TEXTS)
    give_stdin(monkeypatch, Path(name).read_bytes())
    samples = read_samples("-", ["references.txt"], stdin_format=FileFormat(file_format))
    assert samples.predictions == TEXTS


def test_parquet_comes_through_a_pipe() -> None:
    write_parquet("a.parquet", prediction=TEXTS)
    write_lines("references.txt", TEXTS)
    content = Path("a.parquet").read_bytes()
    os.mkfifo("pipe.parquet")
    writer = Thread(target=Path("pipe.parquet").write_bytes, args=(content,))
    writer.start()
    assert read_samples("pipe.parquet", ["references.txt"]).predictions == TEXTS
    writer.join()


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b"a\nb", ["a", "b"]),
        (b"a\nb\n", ["a", "b"]),
        (b"\n", [""]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\r\n\r\n", ["a", "b\r", ""]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
        ("a\u2028b\x0bc\x85d\x0c\x1ce\rf\n".encode(), ["a\u2028b\x0bc\x85d\x0c\x1ce\rf"]),
        (b"a\0b\n", ["a\0b"]),
    ],
)
def test_lines_end_at_the_line_feed_alone(content: bytes, texts: list[str]) -> None:
    Path("a.txt").write_bytes(content)
    assert read_samples("a.txt", ["a.txt"]).predictions == texts


def test_csv_fields_may_hold_line_breaks_and_be_longer_than_the_csv_module_allows() -> None:
    texts = ["one\ntwo\r\nthree", "x" * 200_000]
    write_csv("a.csv", [["prediction"], *([text] for text in texts)])
    write_parquet("b.parquet", reference=texts)
    samples = read_samples("a.csv", ["b.parquet"])
    assert samples.predictions == samples.references == texts


def test_several_files_and_lists_of_references_are_put_together() -> None:
    write_lines("p.txt", ["p0", "p1", "p2"])
    write_lines("a.txt", ["a0", "a1", "a2"])
    rows = [["b0"], "b1", ["b2", "c2"]]
    write_jsonl("b.jsonl", [{"references": row} for row in rows])
    write_parquet("d.parquet", references=[["d0", "e0"], ["d1"], ["d2"]])
    samples: Samples = read_samples("p.txt", ["a.txt", "b.jsonl", "d.parquet"])
    assert list(samples.by_sample()) == [
        ("p0", ["a0", "b0", "d0", "e0"]),
        ("p1", ["a1", "b1", "d1"]),
        ("p2", ["a2", "b2", "c2", "d2"]),
    ]
    assert list(read_samples("p.txt", ["b.jsonl"]).by_sample())[2] == ("p2", ["b2", "c2"])


def test_columns_are_chosen_by_name_and_by_default() -> None:
    write_csv("a.csv", [["reference", "prediction", "x"], ["r", "p", "x"]])
    assert read_samples("a.csv", ["a.csv"])[:2] == (["p"], ["r"])
    named = read_samples("a.csv", ["a.csv"], prediction_column="x", reference_column="prediction")
    assert named[:2] == (["x"], ["p"])


def test_a_column_goes_to_the_files_that_have_columns() -> None:
    write_lines("a.txt", ["a"])
    write_jsonl("b.jsonl", [{"x": "b", "y": 1}])
    samples = read_samples("a.txt", ["a.txt", "b.jsonl"], reference_column="x")
    assert samples.references == ["a", "b"]


def test_dictionary_encoded_parquet_holds_texts() -> None:
    texts = pa.array(["x", "y", "x"]).dictionary_encode()
    write_parquet("a.parquet", prediction=texts, reference=texts)
    assert read_samples("a.parquet", ["a.parquet"]).references == ["x", "y", "x"]


def test_lone_surrogates_of_json_are_texts() -> None:
    Path("a.jsonl").write_text('"\\ud800"\n', "utf-8")
    assert read_samples("a.jsonl", ["a.jsonl"]).predictions == ["\ud800"]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.parquet"])
def test_reading_holds_little_more_than_the_texts(name: str) -> None:
    texts = [
        f"sample {number} is about {number % 97} things of no weight" for number in range(50_000)
    ]
    if name == "a.txt":
        write_lines(name, texts)
    elif name == "a.jsonl":
        write_jsonl(name, [{"prediction": text, "reference": text} for text in texts])
    elif name == "a.csv":
        write_csv(name, [["prediction", "reference"], *([text, text] for text in texts)])
    else:
        write_parquet(name, prediction=texts, reference=texts)
    size = sum(map(sys.getsizeof, texts))
    read_samples(name, [name])  # what the first reading imports does not count
    tracemalloc.start()
    try:
        samples = read_samples(name, [name])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(samples.references) == len(texts)
    # Predictions and references, two pointers and two counts per sample, and the buffers of a file.
    assert peak < 2 * size * 1.5
