"""The command and the page give the same answer to every cell of every kind of file."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.lines import FileError
from bleu_rouge_metric.files.samples import read_samples
from space import files as page
from space.limits import InputError

from ..support.sample_writers import write_csv, write_jsonl

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
        samples = page.read_samples(Path(path), [*map(Path, references)], "prediction", "reference")
    except InputError:
        return None
    return list(zip(*samples, strict=True))


# A cell of CSV or TSV, and the references that it holds; None if it is an error.
CELLS: list[tuple[str, list[str] | None]] = [
    *((cell, [cell]) for cell in ("x", " x ", "NA", "007", "null", "[Music]", "[1] see [2]", "[")),
    *(
        (cell, [cell])
        for cell in ("two\nlines", "two\r\nlines", "a\rb", 'a "b"', "a,b\tc", "x" * 5)
    ),
    ('["a", "b"]', ["a", "b"]),
    *((cell, None) for cell in ('["a", 1]', "['a', 'b']", "[]", "[1]", '["a", null]', '[["a"]]')),
]


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
@pytest.mark.parametrize(("cell", "references"), CELLS)
def test_a_cell_of_text_has_one_answer(
    suffix: str, cell: str, references: list[str] | None
) -> None:
    path = f"s.{suffix}"
    header = ["prediction", "reference"]
    write_csv(path, [header, ["p", cell]], "," if suffix == "csv" else "\t")
    expected = None if references is None else [("p", references)]
    assert ask_command(path) == ask_page(path) == expected


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_carriage_return_alone_ends_no_row(suffix: str) -> None:
    delimiter = "," if suffix == "csv" else "\t"
    Path(f"s.{suffix}").write_bytes("prediction,reference\ra,b\r".replace(",", delimiter).encode())
    assert ask_command(f"s.{suffix}") is ask_page(f"s.{suffix}") is None


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_other_columns_may_be_long(suffix: str) -> None:
    rows = [["prediction", "reference", "other"], ["p", "r", "x" * 200_000]]
    write_csv(f"s.{suffix}", rows, "," if suffix == "csv" else "\t")
    assert ask_command(f"s.{suffix}") == ask_page(f"s.{suffix}") == [("p", ["r"])]


VALUES: list[tuple[Any, list[str] | None]] = [
    *((text, [text]) for text in ("x", "", '["a", "b"]', "[]", "\ud800", "two\nlines")),
    (["a", "b"], ["a", "b"]),
    *((5, None), (1.5, None), (True, None), (None, None), ({}, None), ([], None)),
    *((["a", None], None), (["a", 1], None), ([["a"]], None)),
]


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
@pytest.mark.parametrize(("value", "references"), VALUES)
def test_a_value_of_json_has_one_answer(
    suffix: str, value: Any, references: list[str] | None
) -> None:
    path = f"s.{suffix}"
    row = {"prediction": "p", "reference": value}
    if suffix == "json":
        Path(path).write_text(json.dumps([row], indent=1), "utf-8")
    else:
        write_jsonl(path, [row])
    expected = None if references is None else [("p", references)]
    assert ask_command(path) == ask_page(path) == expected


@pytest.mark.parametrize(
    ("array", "references"),
    [
        (pa.array(["x"]), ["x"]),
        (pa.array(['["a", "b"]']), ['["a", "b"]']),
        (pa.array(["x"], pa.large_string()), ["x"]),
        (pa.array(["x"]).dictionary_encode(), ["x"]),
        (pa.array([["a", "b"]]), ["a", "b"]),
        (pa.array([["a", "b"]], pa.list_(pa.string(), 2)), ["a", "b"]),
        (pa.array([["a", None]]), None),
        (pa.array([[]], pa.list_(pa.string())), None),
        (pa.array([None], pa.string()), None),
        (pa.nulls(1), None),
        (pa.array([5]), None),
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


def test_a_small_json_array_of_many_values_stays_small() -> None:
    row = '{"prediction": "p", "reference": "r", "x": [' + "{}," * 6_000_000 + "{}]}"
    Path("s.json").write_text(f"[{row}]", "utf-8")
    with pytest.raises(InputError) as caught:
        page.read_samples(Path("s.json"), [], "prediction", "reference")
    assert str(caught.value) == (
        "s.json needs more than 512 MB of memory to be read; score fewer rows at a time, or use "
        "the command bleu-rouge, which has no limits."
    )
