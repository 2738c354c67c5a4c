"""The command and the page give the same answer to every cell of every kind of file."""

import csv
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_samples
from space.options import InputError
from space.samples import Files, read_texts

pytestmark = pytest.mark.usefixtures("own_folder")


def ask(*files: str) -> list[tuple[str, list[str]]] | None:
    """Return the samples of the command and of the page, which are equal; None for an error."""
    path, *references = files
    answer = seen = None
    with suppress(FileError):
        answer = list(read_samples(path, references or [path]).by_sample())
    with suppress(InputError):
        texts = read_texts(Files([path], references))
        (predictions,) = texts.predictions.values()
        seen = list(zip(predictions, texts.references, strict=True))
    assert seen == answer
    return answer


def write(path: str, values: list[Any]) -> None:
    """Write a file of references, as its format has them."""
    cells = [["prediction", "reference"], *(["p", value] for value in values)]
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        if path.endswith("csv"):
            csv.writer(file).writerows(cells)
        elif path.endswith("tsv"):
            file.writelines("\t".join(row) + "\n" for row in cells)
        elif path == "c.json":
            json.dump({"prediction": ["p"] * len(values), "reference": values}, file)
        else:
            rows = [{"prediction": "p", "reference": value} for value in values]
            text = "".join(f"{json.dumps(row)}\n" for row in rows)
            file.write(text if path == "s.jsonl" else json.dumps(rows, indent=1))


CELLS = ["x", " x ", "NA", "007", "null", "[Music]", "[1]", "[1] see [2]", "[", 'a "b"', '"c"']
VALUES: list[Any] = ["x", "", "[]", "\ud800", "two\nlines", ["a", "b"]]
# Each of these is an error.
WRONG_CELLS = ['["a", 1]', "['a', 'b']", "[]", '["a", null]', '[["a"]]']
WRONG_VALUES: list[Any] = [5, None, {}, [], ["a", None], [["a"]], '["a", "b"]']


@pytest.mark.parametrize(
    ("path", "values", "wrong"),
    [
        ("s.csv", [*CELLS, "two\nlines", "two\r\nlines", "a,b\tc"], WRONG_CELLS),
        ("s.tsv", CELLS, []),
        ("s.jsonl", VALUES, WRONG_VALUES),
        *((path, VALUES, []) for path in ("s.json", "c.json")),
    ],
)
def test_a_cell_has_one_answer(path: str, values: list[Any], wrong: list[Any]) -> None:
    write(path, values)
    assert ask(path) == [("p", value if isinstance(value, list) else [value]) for value in values]
    for value in wrong:
        write(path, [value])
        assert ask(path) is None


@pytest.mark.parametrize(
    ("array", "references"),
    [
        (pa.array(["x"], pa.large_string()), ["x"]),
        (pa.array(["x"]).dictionary_encode(), ["x"]),
        (pa.array([["a", "b"]], pa.list_(pa.string(), 2)), ["a", "b"]),
        (pa.array(['["a", "b"]']), None),
        (pa.array([["a", None]]), None),
        (pa.array([[]], pa.list_(pa.string())), None),
        (pa.nulls(1), None),
        (pa.array([b"x"]), None),
    ],
)
def test_a_value_of_parquet_has_one_answer(array: pa.Array, references: list[str] | None) -> None:
    parquet.write_table(pa.table({"prediction": ["p"], "reference": array}), "s.parquet")
    assert ask("s.parquet") == (None if references is None else [("p", references)])


def test_other_files_have_one_answer() -> None:
    Path("s.csv").write_bytes(b"prediction,reference\ra,b\r")
    assert ask("s.csv") is None
    Path("p.json").write_text('["p",\n "q"]', "utf-8")
    Path("r.json").write_text('["r", "s"]', "utf-8")
    Path("r.txt").write_text("t\nu\n", "utf-8")
    assert ask("p.json", "r.json", "r.txt") == [("p", ["r", "t"]), ("q", ["s", "u"])]
