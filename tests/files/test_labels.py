"""Labels of samples from a column of a file or of a folder."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.columns import read_labels
from bleu_rouge_metric.files.input import FileError, FileFormat, InputFile
from bleu_rouge_metric.files.samples import SystemSamples, read_systems
from bleu_rouge_metric.files.shards import list_files

from ..support.sample_writers import give_stdin

pytestmark = pytest.mark.usefixtures("own_folder")

TOPICS = ["law", "news", "law", "café\n|"]


def read(path: str, name: str) -> list[str]:
    """Return the labels of a file or a folder."""
    files = list_files(path) if Path(path).is_dir() else [InputFile.from_path(path)]
    return read_labels(files, name, "--group-by")


def read_with_samples(predictions: str, references: list[str], **options: Any) -> SystemSamples:
    """Read one system and its labels."""
    return read_systems([predictions], references, is_comparison=False, **options)


def write(name: str, labels: Any, column: str = "topic") -> str:
    rows = [{"prediction": "a", column: label} for label in labels]
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    if name.endswith(".parquet"):
        parquet.write_table(pa.table({"prediction": ["a"] * len(rows), column: labels}), name)
    elif name.endswith(".csv"):
        cells = "".join(f'a,"{label}"\n' for label in labels)
        path.write_text(f"prediction,{column}\n{cells}", "utf-8")
    else:
        lines = "\n".join(map(json.dumps, rows)).encode()
        text_of = json.dumps(rows).encode() if name.endswith(".json") else lines
        path.write_bytes(gzip.compress(text_of) if name.endswith(".gz") else text_of)
    return name


@pytest.mark.parametrize(
    "name", ["a.csv", "a.jsonl", "a.jsonl.gz", "a.json", "a.parquet", "no-suffix/a.jsonl"]
)
def test_labels_are_those_of_the_column(name: str) -> None:
    assert read(write(name, TOPICS), "topic") == TOPICS


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.parquet"])
def test_ints_are_labels(name: str) -> None:
    labels = read(write(name, [0, 7, 0]), "topic")
    assert labels == ["0", "7", "0"]
    assert {*map(type, labels)} == {str}


def test_cells_of_a_table_are_texts() -> None:
    assert read(write("a.csv", [1, "01"]), "topic") == ["1", "01"]


def test_categories_are_texts() -> None:
    write("a.parquet", pa.array(["x", "y", "x"]).dictionary_encode())
    assert read("a.parquet", "topic") == ["x", "y", "x"]


def test_a_folder_has_the_labels_of_its_files_in_their_order() -> None:
    write("folder/2.jsonl", ["c"])
    write("folder/10.parquet", ["a", "b"])
    write("folder/_hidden.jsonl", ["d"])
    assert read("folder", "topic") == ["a", "b", "c"]


def test_the_references_have_the_labels_or_else_the_predictions() -> None:
    Path("plain.txt").write_text("a\nb\n")
    Path("topics.txt").write_text("v\nw\n")
    first, second = write("b.jsonl", ["x", "y"]), write("c.jsonl", ["z", "z"])
    for paths, name, labels in (
        (["plain.txt", first, second], "topic", ["x", "y"]),
        ([second, "plain.txt", first], "topic", ["x", "y"]),
        ([first, "plain.txt"], "topic", ["x", "y"]),
        (["plain.txt", "plain.txt"], "topics.txt", ["v", "w"]),
        (["plain.txt", "plain.txt"], write("d.csv", ["x", "y"], "label"), ["x", "y"]),
    ):
        options: Any = (
            {"reference_column": "prediction"} if name == "topic" and len(paths) > 2 else {}
        )
        assert read_with_samples(
            paths[0], paths[1:], labels={"--group-by": name}, **options
        ).labels == {"--group-by": labels}


def test_options_of_text_files_are_those_of_the_samples() -> None:
    Path("a.csv").write_bytes("prediction;reference;topic\na;a;é\n".encode("latin-1"))
    options: Any = {"encoding": "latin-1", "delimiter": ";"}
    found = read_with_samples("a.csv", [], labels={"-": "topic"}, **options)
    assert found.labels == {"-": ["é"]}


EMPTY = "the label is empty; fill it in, or leave the sample out."
KIND = "expected a text or an int."


@pytest.mark.parametrize(
    ("name", "labels", "message"),
    [
        ("a.csv", ["x", ""], f"a.csv:3: {EMPTY}"),
        ("a.jsonl", ["x", ""], f"a.jsonl:2: {EMPTY}"),
        (
            "a.jsonl",
            ["x", None],
            f"a.jsonl:2: 'topic' is null; {KIND} Fill it in, or leave the sample out.",
        ),
        (
            "a.parquet",
            [1, None],
            f"a.parquet:2: 'topic' is null; {KIND} Fill it in, or leave the sample out.",
        ),
        ("a.jsonl", [float("nan")], f"a.jsonl:1: 'topic' is NaN; {KIND}"),
        ("a.jsonl", [0.5], f"a.jsonl:1: 'topic' is 0.5; {KIND}"),
        ("a.jsonl", [True], f"a.jsonl:1: 'topic' is true; {KIND}"),
        ("a.jsonl", [[1]], f"a.jsonl:1: 'topic' is a list; {KIND}"),
        ("a.jsonl", [{"x": 1}], f"a.jsonl:1: 'topic' is an object; {KIND}"),
        (
            "a.jsonl",
            [1, 2, "1"],
            "a.jsonl:3: the label 1 is a text, but that of the first sample, 1, is an int; "
            "expected labels of one kind.",
        ),
        (
            "a.json",
            ["x", 2],
            "a.json:1: the label 2 is an int, but that of the first sample, x, is a text; "
            "expected labels of one kind.",
        ),
        (
            "a.parquet",
            [1.0, None],
            "a.parquet: column 'topic' is of type double; expected string or int.",
        ),
        ("a.parquet", [True], "a.parquet: column 'topic' is of type bool; expected string or int."),
        ("a.jsonl", [], "a.jsonl: the file has no labels; expected at least one."),
    ],
)
def test_what_is_no_label_is_an_error_with_its_line(
    name: str, labels: list[Any], message: str
) -> None:
    with pytest.raises(FileError, match=f"^{re.escape(message)}$"):
        read(write(name, labels), "topic")


def test_labels_of_all_files_of_a_folder_are_of_one_kind() -> None:
    write("folder/1.jsonl", [1])
    write("folder/2.jsonl", ["1"])
    message = (
        "folder/2.jsonl:1: the label 1 is a text, but that of the first sample, 1, is an int; "
        "expected labels of one kind."
    )
    with pytest.raises(FileError, match=f"^{re.escape(message)}$"):
        read("folder", "topic")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "folder/a.jsonl"])
def test_a_column_that_is_not_there_is_an_error(name: str) -> None:
    write(name, ["x"])
    place = name if name == "a.parquet" else f"{name}:1"
    message = (
        f"{place}: no column is named 'domain'; name one with --group-by. "
        "Columns: 'prediction', 'topic'."
    )
    with pytest.raises(FileError, match=f"^{re.escape(message)}$"):
        read(name.split("/", maxsplit=1)[0], "domain")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"topic": "x"}\n{"other": "y"}\n', "a.jsonl:2: the object has no 'topic'."),
        (
            '{"topic": "x"}\n"y"\n',
            "a.jsonl:2: the line is a text; expected an object, as in line 1.",
        ),
    ],
)
def test_a_line_without_a_label_is_an_error(content: str, message: str) -> None:
    Path("a.jsonl").write_text(content)
    with pytest.raises(FileError, match=f"^{re.escape(message)}$"):
        read("a.jsonl", "topic")


def test_plain_text_has_no_columns() -> None:
    message = (
        "a.txt: plain text has no columns, and there is no file 'topic'; --group-by needs a "
        "column of a file such as .jsonl or .csv, or a file with one label per line."
    )
    Path("a.txt").write_text("a\n")
    with pytest.raises(FileError, match=f"^{re.escape(message)}$"):
        read_with_samples("a.txt", ["a.txt"], labels={"--group-by": "topic"})


def test_streams_have_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    content = '{"prediction": "a", "reference": "b", "topic": "x"}\n'
    give_stdin(monkeypatch, content.encode())
    labels = {"--group-by": "topic"}
    found = read_with_samples("-", [], labels=labels, stdin_format=FileFormat.JSONL)
    assert found.systems["stdin"].predictions == ["a"]
    assert found.labels == {"--group-by": ["x"]}
