"""The command and the page give the same answer to every cell of every kind of file."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_samples
from space.options import InputError
from space.samples import Files, read_texts

from ..support.sample_writers import write_csv, write_jsonl, write_lines

pytestmark = pytest.mark.usefixtures("own_folder")

Answer = list[tuple[str, list[str]]] | None


def ask_command(path: str, *references: str) -> Answer:
    """Return the samples, or None for an error."""
    try:
        return list(read_samples(path, references or [path]).by_sample())
    except FileError:
        return None


def ask_page(path: str, *references: str) -> Answer:
    """Return the samples, or None for an error."""
    try:
        texts = read_texts(Files([path], list(references)))
    except InputError:
        return None
    (predictions,) = texts.predictions.values()
    return list(zip(predictions, texts.references, strict=True))


# Texts of cells, and cells that are errors.
TEXTS = [
    "x",
    " x ",
    "NA",
    "007",
    "null",
    "[Music]",
    "[1]",
    "[1] see [2]",
    "[",
    'a "b"',
    '"c"',
    "x" * 5,
]
WRONG = ['["a", 1]', "['a', 'b']", "[]", '["a", null]', '[["a"]]']


def write_table(path: str, cells: list[str]) -> None:
    """Write a table of references, as its format has them."""
    rows = [["prediction", "reference"], *(["p", cell] for cell in cells)]
    if path.endswith(".csv"):
        write_csv(path, rows)
    else:
        write_lines(path, ["\t".join(row) for row in rows])


@pytest.mark.parametrize("path", ["s.csv", "s.tsv"])
def test_a_cell_has_one_answer(path: str) -> None:
    texts = [*TEXTS, *(["two\nlines", "two\r\nlines", "a,b\tc"] if path == "s.csv" else [])]
    write_table(path, [*texts, '["a", "b"]'])
    expected = [("p", [text]) for text in texts] + [("p", ["a", "b"])]
    assert ask_command(path) == ask_page(path) == expected


@pytest.mark.parametrize("cell", WRONG)
def test_a_list_in_a_cell_has_one_answer(cell: str) -> None:
    write_table("s.csv", [cell])
    assert ask_command("s.csv") is ask_page("s.csv") is None


def test_a_carriage_return_alone_ends_no_row() -> None:
    Path("s.csv").write_bytes(b"prediction,reference\ra,b\r")
    assert ask_command("s.csv") is ask_page("s.csv") is None


def test_values_of_json_have_one_answer() -> None:
    values: list[Any] = ["x", "", "[]", "\ud800", "two\nlines", ["a", "b"]]
    rows = [{"prediction": "p", "reference": value} for value in values]
    write_jsonl("s.jsonl", rows)
    Path("s.json").write_text(json.dumps(rows, indent=1), "utf-8")
    Path("c.json").write_text(json.dumps({"prediction": ["p"] * 6, "reference": values}), "utf-8")
    expected = [("p", value if isinstance(value, list) else [value]) for value in values]
    for path in ("s.jsonl", "s.json", "c.json"):
        assert ask_command(path) == ask_page(path) == expected


@pytest.mark.parametrize("value", [5, None, {}, [], ["a", None], [["a"]], '["a", "b"]'])
def test_a_value_of_json_that_is_no_text_has_one_answer(value: Any) -> None:
    write_jsonl("s.jsonl", [{"prediction": "p", "reference": value}])
    assert ask_command("s.jsonl") is ask_page("s.jsonl") is None


@pytest.mark.parametrize(
    ("array", "references"),
    [
        (pa.array(["x"], pa.large_string()), ["x"]),
        (pa.array(["x"]).dictionary_encode(), ["x"]),
        (pa.array([["a", "b"]]), ["a", "b"]),
        (pa.array([["a", "b"]], pa.list_(pa.string(), 2)), ["a", "b"]),
        (pa.array(['["a", "b"]']), None),
        (pa.array([["a", None]]), None),
        (pa.array([[]], pa.list_(pa.string())), None),
        (pa.array([None], pa.string()), None),
        (pa.nulls(1), None),
        (pa.array([b"x"]), None),
    ],
)
def test_a_value_of_parquet_has_one_answer(array: pa.Array, references: list[str] | None) -> None:
    parquet.write_table(pa.table({"prediction": ["p"], "reference": array}), "s.parquet")
    expected = None if references is None else [("p", references)]
    assert ask_command("s.parquet") == ask_page("s.parquet") == expected


def test_arrays_of_texts_have_one_answer() -> None:
    Path("p.json").write_text('["p",\n "q"]', "utf-8")
    Path("r.json").write_text('["r", "s"]', "utf-8")
    Path("r.txt").write_text("t\nu\n", "utf-8")
    files = ("p.json", "r.json", "r.txt")
    expected = [("p", ["r", "t"]), ("q", ["s", "u"])]
    assert ask_command(*files) == ask_page(*files) == expected
