"""Shards: how files are cut, and that all shards together have all rows of the files."""

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.cli.folders import KEYS, count_shard
from bleu_rouge_metric.engines import add_counts
from bleu_rouge_metric.families.counts import to_arrays
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_samples
from bleu_rouge_metric.files.shards import Shard, list_files
from bleu_rouge_metric.options.profiles import BOTH
from bleu_rouge_metric.text.warnings import SentenceLines

from ..support.commands import error
from ..support.sample_writers import GOOD, ROWS, plan, write_rows

pytestmark = [
    pytest.mark.usefixtures("own_folder"),
    pytest.mark.filterwarnings("ignore:.*nothing matches an empty text:UserWarning"),
]


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
@pytest.mark.parametrize(("end", "mark"), [("\n", b""), ("", b"\xef\xbb\xbf")])
def test_ranges_of_lines_hold_every_line_once(
    size: int, end: str, mark: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_BYTES", size)
    rows = ROWS[:60]
    write_rows("samples.jsonl", rows, end)
    path = Path("samples.jsonl")
    path.write_bytes(mark + path.read_bytes())
    parts = plan("samples.jsonl")
    assert (len(parts) == 1) == (size == 1 << 20)
    assert (len(parts) == len(rows)) == (size == 1)
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert_same(count(parts), "samples.jsonl")


@pytest.mark.parametrize(
    ("rows", "sizes"), [(1, [30] * 6 + [20]), (31, [60] * 3 + [20]), (1000, [200])]
)
def test_row_groups_hold_every_row_once(
    rows: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_ROWS", rows)
    write_rows("samples.parquet", ROWS[:200])
    parts = plan("samples.parquet")
    assert [part.rows for part in parts] == sizes
    assert_same(count(parts), "samples.parquet")


@pytest.mark.parametrize("limit", ["rows._BATCH", "folders._ROWS", "folders._BYTES"])
def test_a_shard_is_counted_portion_by_portion(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    is_parquet = limit != "rows._BATCH"
    name = "samples.parquet" if is_parquet else "samples.jsonl.gz"
    package = "cli" if is_parquet else "files"
    monkeypatch.setattr(f"bleu_rouge_metric.{package}.{limit}", 70)
    write_rows(name, ROWS)
    scorer = Scorer()
    (shard,) = plan(name)
    tables = list(count_shard(shard._replace(number=2), scorer.options, BOTH, SentenceLines()))
    assert len(tables) > 2
    assert [key for table in tables for key in table["key"].to_pylist()] == list(
        range(2 * KEYS, 2 * KEYS + len(ROWS))
    )
    assert_same(count([shard]), name)


def test_a_folder_is_its_files_in_the_order_of_their_names() -> None:
    write_rows("data/b/part.jsonl.gz", ROWS[120:])
    write_rows("data/a.parquet", ROWS[:50])
    write_rows("data/ab.ndjson", ROWS[50:120])
    Path("data/_temporary").mkdir()
    for name in ("data/empty.jsonl", "data/_SUCCESS", "data/.a.crc", "data/_temporary/x.csv"):
        Path(name).touch()
    write_rows("all.jsonl", ROWS)
    parts = plan("data")
    paths = ["data/a.parquet", "data/ab.ndjson", "data/b/part.jsonl.gz"]
    assert [(part.number, part.path) for part in parts] == list(enumerate(paths))
    # Keys restore the order of shards, and a shard that comes twice counts once.
    assert_same(count([parts[2], parts[0], parts[1], parts[0]]), "all.jsonl")


def test_links_to_folders_are_followed_but_not_in_a_circle() -> None:
    for name in ("data/a.jsonl", "data/b/b.jsonl", "elsewhere/c.jsonl"):
        write_rows(name, ROWS[:1])
    for link, folder in (("b/back", "data"), ("c", "elsewhere"), ("twice", "data/b")):
        Path("data", link).symlink_to(Path(folder).absolute())
    paths = ["data/a.jsonl", "data/b/b.jsonl", "data/c/c.jsonl", "data/twice/b.jsonl"]
    assert [file.path for file in list_files("data")] == paths


def test_every_file_may_have_columns_of_its_own() -> None:
    write_rows("data/a.jsonl", [GOOD])
    write_rows("data/b.parquet", [{"predictions": "a", "references": ["a", "b"]}])
    names = [(part.prediction_column, part.reference_column) for part in plan("data")]
    assert names == [("prediction", "reference"), ("predictions", "references")]


GOOD_LINE = json.dumps(GOOD).encode()
LONG_TEXT = {"prediction": "a " * 65_536, "reference": ["a b"]}
ROUGE_W = {"family": "rouge", "rouge_types": ["rougeW"]}
IS_TEXT = ": A sentence has more than 65535 "
ALL = ("samples.jsonl", "samples.jsonl.gz", "samples.parquet")


@pytest.mark.parametrize(
    ("bad", "names", "start"),
    [
        ({"prediction": None, "reference": ["b"]}, ALL, ":21: "),
        ({"prediction": "a", "reference": []}, ALL, ":21: "),
        ({"prediction": "a", "reference": ["b", None]}, ALL, ":21: "),
        ({"prediction": "a", "reference": None}, ALL, ":21: "),
        ({"prediction": "a", "reference": 3}, ALL[:2], ":21: "),
        ({"prediction": "a"}, ALL[:2], ":21: "),
        ("a", ALL[:2], ":21: "),
        (b"{", ALL[:1], ":21: "),
        (b'{"prediction": "\xff"}', ALL[:1], ":21: "),
        (b"[" * 100_000, ALL[:1], ":21: "),
        (LONG_TEXT, ALL, IS_TEXT),
        (
            pa.array([b"b"] * 20 + [b"\xff"]).view(pa.string()),
            ALL[2:],
            ":21: the text is not UTF-8",
        ),
    ],
    ids=lambda each: None if isinstance(each, pa.Array) else repr(each)[:40],
)
def test_the_error_of_a_shard_is_that_of_one_process(
    bad: Any, names: tuple[str, ...], start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_BYTES", 100)
    monkeypatch.setattr(shards, "SHARD_ROWS", 10)
    good = {"prediction": "a", "reference": ["b"]}
    for name in names:
        if isinstance(bad, bytes):
            Path(name).write_bytes(b"\n".join([*[GOOD_LINE] * 20, bad, *[GOOD_LINE] * 20]))
        elif isinstance(bad, pa.Array):
            parquet.write_table(pa.table({"prediction": ["a"] * 21, "reference": bad}), name)
        else:
            write_rows(name, [good] * 20 + [bad] + [good] * 20, group=8)
        flags = ("--family", "rouge", "--rouge-type", "rougeW") if start == IS_TEXT else ()
        with pytest.raises(FileError) as caught:
            count(plan(name), **(ROUGE_W if flags else {}))
        assert str(caught.value).startswith(f"{name}{start}")
        assert f"bleu-rouge: {caught.value}" == error(name, name, *flags)


def test_gzip_that_is_cut_off_is_an_error() -> None:
    write_rows("samples.jsonl.gz", [{**GOOD, "id": str(i)} for i in range(5000)])
    data = Path("samples.jsonl.gz").read_bytes()
    Path("samples.jsonl.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(FileError, match=r"^samples.jsonl.gz:\d+: the gzip data is cut off here.$"):
        count(plan("samples.jsonl.gz"))


def test_metadata_that_lies_is_an_error() -> None:
    write_rows("samples.parquet", ROWS)
    (shard,) = plan("samples.parquet")
    with pytest.raises(FileError) as caught:
        count([shard._replace(rows=301)])
    assert str(caught.value) == (
        "samples.parquet: 300 rows were read, but its metadata says 301; write it again."
    )


def test_a_folder_that_cannot_be_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # The mode of the folder is not changed, because root may read every folder.
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    write_rows("data/a.jsonl", ROWS[:1])
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(FileError, match=r"^data: Permission denied\.$"):
        list_files("data")
