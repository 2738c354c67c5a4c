"""Shards: how files are cut, and that all shards together have all rows of the files."""

import errno
import gzip
import json
import re
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.cli import ray_engine, shard_counts
from bleu_rouge_metric.cli.shard_counts import KEYS, count_shard
from bleu_rouge_metric.engines import add_counts
from bleu_rouge_metric.families.counts import to_arrays
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_samples
from bleu_rouge_metric.files.shards import Shard, list_files, make_shared_choices, plan_shards
from bleu_rouge_metric.options.profiles import FAMILIES
from bleu_rouge_metric.text.warnings import SentenceLines

from ..support.commands import error

pytestmark = [
    pytest.mark.usefixtures("own_folder"),
    pytest.mark.filterwarnings("ignore:.*nothing matches an empty text:UserWarning"),
]

# Rows have different lengths, so that a wrong cut is noticed.
ROWS: list[dict[str, Any]] = [
    {"prediction": "word " * (i % 7), "reference": [f"word é {i}", "second"][: 1 + i % 2]}
    for i in range(200)
]


def write_lines(path: str, rows: list[Any], end: str = "\n") -> None:
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + end
    data = text.encode()
    Path(path).write_bytes(gzip.compress(data) if path.endswith(".gz") else data)


def write_parquet(path: str, rows: list[Any], group: int = 30) -> None:
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)


def plan(path: str, prediction: str | None = None, reference: str | None = None) -> list[Shard]:
    return plan_shards(list_files(path), make_shared_choices(path, prediction, reference))


def count(parts: list[Shard], **options: Any) -> Scorer:
    scorer = Scorer(**options)
    for shard in parts:
        add_counts(scorer, count_shard(shard, scorer.options, scorer.families, SentenceLines()))
    return scorer


def assert_same(ours: Scorer, path: str) -> None:
    """Check that the scorer has the samples of the file, in order."""
    theirs = Scorer()
    theirs.update_samples(read_samples(path, [path]))
    expected = to_arrays(theirs.counts())
    for name, array in to_arrays(ours.counts()).items():
        assert np.array_equal(array, expected[name]), name


@pytest.mark.parametrize("size", [1, 100, 101, 1000, 1 << 20])
@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_ranges_of_lines_hold_every_line_once(
    size: int, end: str, mark: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_BYTES", size)
    write_lines("samples.jsonl", ROWS, end)
    path = Path("samples.jsonl")
    path.write_bytes(mark + path.read_bytes())
    parts = plan("samples.jsonl")
    assert (len(parts) == 1) == (size == 1 << 20)
    assert (len(parts) == len(ROWS)) == (size == 1)
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert_same(count(parts), "samples.jsonl")


@pytest.mark.parametrize("rows", [1, 31, 1000])
def test_row_groups_hold_every_row_once(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD_ROWS", rows)
    write_parquet("samples.parquet", ROWS)
    parts = plan("samples.parquet")
    assert [part.rows for part in parts] == {1: [30] * 6 + [20], 31: [60] * 3 + [20], 1000: [200]}[
        rows
    ]
    assert [part.first_row for part in parts[:2]] == {1: [0, 30], 31: [0, 60], 1000: [0]}[rows]
    assert_same(count(parts), "samples.parquet")


@pytest.mark.parametrize("limit", ["_ROWS", "_CHARACTERS"])
@pytest.mark.parametrize("name", ["samples.jsonl", "samples.jsonl.gz", "samples.parquet"])
def test_a_shard_is_counted_portion_by_portion(
    name: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_counts, limit, 70)
    (write_parquet if name.endswith("parquet") else write_lines)(name, ROWS)
    scorer = Scorer()
    (shard,) = plan(name)
    tables = list(count_shard(shard, scorer.options, FAMILIES, SentenceLines()))
    assert len(tables) > 2
    assert sum(map(len, tables)) == len(ROWS)
    assert_same(count([shard]), name)


def test_a_folder_is_its_files_in_the_order_of_their_names() -> None:
    for folder in ("data/b", "data/_temporary", "data/.hidden"):
        Path(folder).mkdir(parents=True)
    write_lines("data/b/part.jsonl.gz", ROWS[120:])
    write_parquet("data/a.parquet", ROWS[:50])
    write_lines("data/ab.ndjson", ROWS[50:120])
    for name in ("data/empty.jsonl", "data/_SUCCESS", "data/.a.crc", "data/_temporary/x.csv"):
        Path(name).touch()
    write_lines("all.jsonl", ROWS)
    parts = plan("data")
    assert [part.path for part in parts] == [
        "data/a.parquet",
        "data/ab.ndjson",
        "data/b/part.jsonl.gz",
    ]
    assert [part.number for part in parts] == [0, 1, 2]
    # Keys restore the order of shards, and a shard that comes twice counts once.
    assert_same(count([parts[2], parts[0], parts[1], parts[0]]), "all.jsonl")


def test_links_to_folders_are_followed_but_not_in_a_circle() -> None:
    Path("data/b").mkdir(parents=True)
    Path("elsewhere").mkdir()
    write_lines("data/a.jsonl", ROWS[:1])
    write_lines("data/b/b.jsonl", ROWS[:1])
    write_lines("elsewhere/c.jsonl", ROWS[:1])
    Path("data/b/back").symlink_to(Path("data").absolute())
    Path("data/c").symlink_to(Path("elsewhere").absolute())
    Path("data/twice").symlink_to(Path("data/b").absolute())
    paths = ["data/a.jsonl", "data/b/b.jsonl", "data/c/c.jsonl", "data/twice/b.jsonl"]
    assert [file.path for file in list_files("data")] == paths


def test_a_folder_that_cannot_be_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("data/b").mkdir(parents=True)
    write_lines("data/a.jsonl", ROWS[:1])
    real = Path.iterdir

    # The mode of the folder is not changed, because root may read every folder.
    def refuse(path: Path) -> Any:
        if path.name == "b":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(FileError) as caught:
        list_files("data")
    assert str(caught.value) == "data/b: Permission denied."


def test_keys_tell_the_shard_and_the_row() -> None:
    write_lines("samples.jsonl", ROWS[:3])
    (shard,) = plan("samples.jsonl")
    (table,) = count_shard(shard._replace(number=2), Scorer().options, FAMILIES, SentenceLines())
    assert table["key"].to_pylist() == [2 * KEYS, 2 * KEYS + 1, 2 * KEYS + 2]


def test_every_file_may_have_columns_of_its_own() -> None:
    Path("data").mkdir()
    write_lines("data/a.jsonl", [{"prediction": "a", "reference": "a"}])
    write_parquet("data/b.parquet", [{"predictions": "a", "references": ["a", "b"]}])
    names = [(part.prediction_column, part.reference_column) for part in plan("data")]
    assert names == [("prediction", "reference"), ("predictions", "references")]


def test_metadata_that_lies_is_an_error() -> None:
    write_parquet("samples.parquet", ROWS)
    (shard,) = plan("samples.parquet")
    with pytest.raises(FileError) as caught:
        count([shard._replace(rows=201)])
    assert str(caught.value) == (
        "samples.parquet: 200 rows were read, but its metadata says 201; write it again."
    )


GOOD = {"prediction": "a", "reference": "b"}
TEXT = "expected a text. Fill it in, or leave the sample out."


@pytest.mark.parametrize(
    "bad",
    [
        {"prediction": None, "reference": "b"},
        {"prediction": "a", "reference": []},
        {"prediction": "a", "reference": ["b", None]},
        {"prediction": "a", "reference": 3},
        {"prediction": "a"},
        "a",
    ],
)
@pytest.mark.parametrize("name", ["samples.jsonl", "samples.jsonl.gz"])
def test_a_wrong_value_is_the_error_of_one_process(
    name: str, bad: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_BYTES", 100)
    write_lines(name, [GOOD] * 20 + [bad] + [GOOD] * 20)
    with pytest.raises(FileError, match=rf"^{name}:21: ") as caught:
        count(plan(name))
    assert f"bleu-rouge: {caught.value}" == error(name, name)


@pytest.mark.parametrize("name", ["samples.jsonl", "samples.parquet"])
def test_a_text_that_cannot_be_counted_is_the_error_of_one_process(name: str) -> None:
    rows = [{"prediction": "a " * 65_536, "reference": "a b"}]
    (write_parquet if name.endswith("parquet") else write_lines)(name, rows)
    with pytest.raises(FileError, match=rf"^{name}: A sentence has more than 65535 ") as caught:
        count(plan(name), family="rouge", rouge_types=["rougeW"])
    flags = ("--family", "rouge", "--rouge-type", "rougeW")
    assert f"bleu-rouge: {caught.value}" == error(name, name, *flags)


@pytest.mark.parametrize("line", [b"{", b"", b'{"prediction": "\xff"}', b"[" * 100_000])
def test_a_wrong_line_is_the_error_of_one_process(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_BYTES", 100)
    good = json.dumps(GOOD).encode()
    Path("samples.jsonl").write_bytes(b"\n".join([*[good] * 20, line, *[good] * 20]))
    with pytest.raises(FileError, match=r"^samples.jsonl:21: ") as caught:
        count(plan("samples.jsonl"))
    assert f"bleu-rouge: {caught.value}" == error("samples.jsonl", "samples.jsonl")


@pytest.mark.parametrize(
    "bad",
    [
        {"prediction": None, "reference": ["b"]},
        {"prediction": "a", "reference": []},
        {"prediction": "a", "reference": ["b", None]},
        {"prediction": "a", "reference": None},
    ],
)
def test_a_wrong_row_is_the_error_of_one_process(bad: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD_ROWS", 10)
    good = {"prediction": "a", "reference": ["b"]}
    write_parquet("samples.parquet", [good] * 20 + [bad] + [good] * 20, group=8)
    with pytest.raises(FileError, match=r"^samples.parquet:21: ") as caught:
        count(plan("samples.parquet"))
    assert f"bleu-rouge: {caught.value}" == error("samples.parquet", "samples.parquet")


def test_text_of_another_encoding_is_the_error_of_one_process() -> None:
    texts = pa.array([b"a", b"\xff"]).view(pa.string())
    parquet.write_table(pa.table({"prediction": ["a", "b"], "reference": texts}), "a.parquet")
    with pytest.raises(FileError) as caught:
        count(plan("a.parquet"))
    assert str(caught.value) == "a.parquet:2: the text is not UTF-8."
    assert error("a.parquet", "a.parquet") == f"bleu-rouge: {caught.value}"


def test_gzip_that_is_cut_off_is_an_error() -> None:
    write_lines("samples.jsonl.gz", [{**GOOD, "id": str(i)} for i in range(5000)])
    data = Path("samples.jsonl.gz").read_bytes()
    Path("samples.jsonl.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(FileError, match=r"^samples.jsonl.gz:\d+: the gzip data is cut off here.$"):
        count(plan("samples.jsonl.gz"))


@pytest.mark.parametrize(
    ("write", "columns", "message"),
    [
        (
            {"a.csv": ""},
            {},
            "data/a.csv: the suffix is neither that of Parquet nor of JSON Lines; a folder and "
            "--engine take .parquet, .jsonl, .ndjson, .json, .jsonl.gz, .ndjson.gz and .json.gz.",
        ),
        ({}, {}, "data: the folder has no files; expected Parquet or JSON Lines."),
        (
            {"a.parquet": "no Parquet"},
            {},
            "data/a.parquet: not a readable Parquet file: Parquet magic bytes not found in footer. "
            "Either the file is corrupted or this is not a parquet file.",
        ),
        (
            {"a.jsonl": '"text"\n'},
            {},
            "data/a.jsonl:1: the line is not an object; expected one with the prediction and the "
            "references.",
        ),
        (
            {"a.jsonl": '{"prediction": "a"}\n'},
            {},
            "data/a.jsonl:1: no column is named 'reference' or 'references'; name one with "
            "--reference-column. Columns: 'prediction'.",
        ),
        (
            {"a.jsonl": '{"prediction": "a", "reference": "a"}\n'},
            {"prediction": "x"},
            "data/a.jsonl:1: no column is named 'x'; name one with --prediction-column. "
            "Columns: 'prediction', 'reference'.",
        ),
        (
            {"a.jsonl": '{"prediction": "a", "reference": "a"}\n'},
            {"prediction": "reference"},
            "data/a.jsonl: the column 'reference' holds both the predictions and the references; "
            "name two columns with --prediction-column and --reference-column.",
        ),
    ],
)
def test_files_that_cannot_be_cut_are_an_error(
    write: dict[str, str], columns: dict[str, str], message: str
) -> None:
    Path("data").mkdir()
    for name, text in write.items():
        (Path("data") / name).write_text(text)
    with pytest.raises(FileError) as caught:
        plan("data", **columns)
    assert str(caught.value) == message


def test_a_parquet_column_that_holds_no_texts_is_an_error() -> None:
    parquet.write_table(pa.table({"prediction": [1], "reference": ["a"]}), "a.parquet")
    with pytest.raises(FileError) as caught:
        plan("a.parquet")
    assert str(caught.value) == (
        "a.parquet: column 'prediction' is of type int64; expected string."
    )


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", "a.csv", "a"])
def test_a_file_that_is_not_there_is_an_error(name: str) -> None:
    with pytest.raises(FileError) as caught:
        plan(name)
    assert str(caught.value) == f"{name}: No such file or directory."
    with pytest.raises(FileError) as caught:
        plan("-")
    assert str(caught.value) == (
        "<stdin>: standard input cannot be read by several processes; give files."
    )


def test_a_cluster_that_does_not_answer_is_an_error_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"ray://localhost:{port}", "auto", "local", ""):
            ray_engine.check_address(address)
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        expected = f"RAY_ADDRESS={address}: the cluster cannot be reached: Connection refused."
        with pytest.raises(FileError, match=f"^{re.escape(expected)}$"):
            ray_engine.check_address(address)
    with pytest.raises(FileError, match="the cluster cannot be reached"):
        ray_engine.check_address("127.0.0.1:99999")
