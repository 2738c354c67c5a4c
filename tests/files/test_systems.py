"""Predictions of several systems, and labels of samples, from files of every format."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from bleu_rouge_metric.files.columns import read_labels
from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import name_systems, read_systems
from bleu_rouge_metric.files.shards import list_files

from ..support import sample_writers as files

pytestmark = pytest.mark.usefixtures("own_folder")

A, B, GOLD = ["a one", "", "a three"], ["b one", "b two", "b three"], ["one", "two", "three"]
ROWS = [["a", "b", "gold", "part"], *map(list, zip(A, B, GOLD, "xyx", strict=True))]


@pytest.fixture(params=["csv", "tsv", "jsonl", "json", "parquet", "csv.gz"])
def table(request: pytest.FixtureRequest) -> str:
    """A file with columns of two systems, references and labels."""
    path = f"table.{request.param}"
    if request.param == "parquet":
        files.write_parquet(path, a=A, b=B, gold=GOLD, part=list("xyx"))
    elif request.param in ("jsonl", "json"):
        files.write_jsonl(path, [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]])
    else:
        files.write_csv(path, ROWS, "\t" if request.param == "tsv" else ",")
        if request.param.endswith(".gz"):
            Path(path).write_bytes(gzip.compress(Path(path).read_bytes()))
    return path


def test_columns_of_every_format_give_the_same(table: str) -> None:
    labels = {"--clusters": "part"}
    found = read_systems([table], [], columns=["b", "a"], labels=labels, reference_column="gold")
    assert list(found.systems) == ["b", "a"]
    assert found.paths == {"b": table, "a": table}
    assert found.labels == {"--clusters": ["x", "y", "x"]}
    for name, texts in {"b": B, "a": A}.items():
        samples = found.systems[name]
        assert (samples.predictions, samples.references) == (texts, GOLD)
        assert samples.offsets.tolist() == [0, 1, 2, 3]


def test_references_of_a_file_with_columns_and_of_plain_text(table: str) -> None:
    files.write_lines("a.txt", A)
    files.write_lines("b", B)
    files.write_lines("more.txt", ["more"] * 3)
    found = read_systems(
        ["a.txt", "b"], ["more.txt", table], labels={"-": "part"}, reference_column="gold"
    )
    assert list(found.systems) == ["a", "b"]
    assert found.labels == {"-": ["x", "y", "x"]}
    for samples in found.systems.values():
        assert samples.references == ["more", "one", "more", "two", "more", "three"]
        assert samples.offsets.tolist() == [0, 2, 4, 6]


def test_every_system_in_the_column_of_its_own_file(table: str) -> None:
    files.write_jsonl("other.jsonl", [{"a": text} for text in B])
    found = read_systems(
        [table, "other.jsonl"],
        [table],
        labels={"-": "part"},
        prediction_column="a",
        reference_column="gold",
    )
    assert [samples.predictions for samples in found.systems.values()] == [A, B]
    assert found.systems["other"].references == GOLD
    with pytest.raises(FileError) as caught:
        read_systems([table, "other.jsonl"], [table], prediction_column="a", reference_column="a")
    assert str(caught.value) == (
        f"{table}: the column 'a' holds both the predictions and the references; name two columns "
        "with --prediction-column and --reference-column."
    )


def test_standard_input_of_plain_text_is_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    files.write_lines("b.txt", B)
    files.give_stdin(monkeypatch, "\n".join(A).encode())
    found = read_systems(["b.txt", "-"], ["b.txt"])
    assert found.systems["stdin"].predictions == A


def test_labels_of_a_folder_are_those_of_its_files() -> None:
    Path("folder").mkdir()
    files.write_jsonl("folder/2.jsonl", [{"topic": "c"}])
    files.write_parquet("folder/10.parquet", topic=pa.array(["a", "b"]).dictionary_encode())
    Path("folder/3.jsonl.gz").write_bytes(gzip.compress(b'{"topic": "d"}\n'))
    files.write_jsonl("folder/_hidden.jsonl", [{"topic": "e"}])
    assert read_labels(list_files("folder"), "topic", "--group-by") == ["a", "b", "c", "d"]
    Path("folder/4.jsonl").write_text("")
    with pytest.raises(FileError, match="the file has no labels; expected at least one"):
        read_labels(list_files("folder/4.jsonl"), "topic", "--group-by")


def test_scores_of_a_file_are_in_the_order_of_the_samples() -> None:
    for name, keys in {"one": ["x", "y"], "two": ["y", "x"]}.items():
        rows = [
            {"doc_id": i, "doc": {"key": key}, "target": "t", "resps": [[key]], "share": ord(key)}
            for i, key in enumerate(keys)
        ]
        files.write_jsonl(f"{name}.jsonl", rows)
    with pytest.warns(UserWarning, match="rows are joined by 'key'"):
        found = read_systems(["one.jsonl", "two.jsonl"], [], join="key")
    assert found.systems["two"].predictions == ["x", "y"]
    assert found.scores == {"share": {"one": [120, 121], "two": [120, 121]}}


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.txt", "b.jsonl.gz"], ["a", "b"]),
        (["x/a.txt", "y/b"], ["a", "b"]),
        (["a.txt", "a.csv"], ["a.txt", "a.csv"]),
        (["x/a.txt", "y/a.txt", "b"], ["x/a.txt", "y/a.txt", "b"]),
        (["wmt.en-de.A", "wmt.en-de.B"], ["wmt.en-de.A", "wmt.en-de.B"]),
        ([".hidden", "-"], [".hidden", "stdin"]),
    ],
)
def test_names_are_as_short_as_they_can_be(paths: list[str], names: list[str]) -> None:
    assert name_systems(paths) == names
