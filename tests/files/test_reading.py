"""What a table of files cannot say: pipes, devices, memory, the same texts from every format."""

import bz2
import gzip
import json
import lzma
import os
import sys
import tracemalloc
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pytest

from bleu_rouge_metric.files.input import FileError, FileFormat
from bleu_rouge_metric.files.samples import read_samples, read_systems
from bleu_rouge_metric.files.shards import list_files, make_shared_choices, plan_shards

from ..support import sample_writers as files
from ..support.sample_writers import error_of
from .test_cases import encode

pytestmark = pytest.mark.usefixtures("own_folder")

TEXTS = ["A plain text.", "", 'With "quotes", commas,', "naïve café 我爱你", "  spaces  "]

# What ``encode`` makes files of.
CONTENTS: dict[str, Any] = {
    **dict.fromkeys(("a.txt", "a.out"), "".join(f"{text}\n" for text in TEXTS)),
    "a.jsonl": [{"prediction": text} for text in TEXTS],
    "a.ndjson": [{"n": 1, "predictions": text} for text in TEXTS],
    "a.json": TEXTS,
    "array.json": json.dumps(TEXTS),
    "objects.json": {"json": [{"n": 1, "prediction": text} for text in TEXTS]},
    "columns.json": {"json": {"predictions": TEXTS}},
    "a.csv": {"csv": [["prediction"], *([text] for text in TEXTS)]},
    "A.CSV": {"csv": [["n", "prediction"], *(["1", text] for text in TEXTS)]},
    "a.tsv": "".join(f"{text}\n" for text in ["only", *TEXTS]),
    "a.parquet": {"parquet": {"prediction": TEXTS, "other": range(len(TEXTS))}},
}


@pytest.mark.parametrize("name", CONTENTS)
def test_every_format_gives_the_same_texts(name: str) -> None:
    Path(name).write_bytes(encode(CONTENTS[name]))
    files.write_lines("references.txt", TEXTS)
    samples = read_samples(name, ["references.txt"])
    assert samples.predictions == samples.references == TEXTS
    assert samples.offsets.tolist() == [0, 1, 2, 3, 4, 5]
    if name != "a.parquet":
        for suffix, compress in ((".gz", gzip.compress), (".XZ", lzma.compress)):
            Path(name + suffix).write_bytes(compress(Path(name).read_bytes()))
            assert read_samples(name + suffix, ["references.txt"]).predictions == TEXTS


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.tsv", "a.json", "a.parquet"])
def test_streams_may_have_any_format(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(name).write_bytes(encode(CONTENTS[name]))
    files.write_lines("references.txt", TEXTS)
    content = Path(name).read_bytes()
    kind = FileFormat({"txt": "text"}.get(name[2:], name[2:]))
    for packed in (content, bz2.compress(content)) if name != "a.parquet" else (content,):
        files.give_stdin(monkeypatch, packed)
        samples = read_samples("-", ["references.txt"], stdin_format=kind)
        assert samples.predictions == TEXTS
    os.mkfifo(f"pipe.{name}")
    writer = Thread(target=Path(f"pipe.{name}").write_bytes, args=(content,))
    writer.start()
    assert read_samples(f"pipe.{name}", ["references.txt"]).predictions == TEXTS
    writer.join()


def test_long_streams_are_read_to_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"text {number}" for number in range(20_000)]
    files.write_jsonl(
        "a.jsonl", [{"doc_id": number, "text": text} for number, text in enumerate(texts)]
    )
    files.write_lines("references.txt", texts)
    files.give_stdin(monkeypatch, Path("a.jsonl").read_bytes())
    options: Any = {"stdin_format": FileFormat.JSONL, "prediction_column": "text"}
    assert read_samples("-", ["references.txt"], **options).predictions == texts


@pytest.mark.parametrize(("suffix", "name"), [(".gz", "gzip"), (".xz", "xz"), (".bz2", "bzip2")])
def test_broken_compression_is_named_with_its_line(suffix: str, name: str) -> None:
    content = b"".join(b"%d\n" % number for number in range(40_000))
    modules: dict[str, Any] = {"gzip": gzip, "xz": lzma, "bzip2": bz2}
    packed = modules[name].compress(content)
    Path(f"a{suffix}").write_bytes(packed[: len(packed) // 2])
    assert error_of(f"a{suffix}").endswith(f": the {name} data is cut off here.")
    half = len(packed) // 2
    Path(f"a{suffix}").write_bytes(packed[:half] + b"\xff" * 1000 + packed[half + 1000 :])
    assert f": the file is not valid {name}: " in error_of(f"a{suffix}")
    # A file may have several frames, and zeros behind them.
    Path(f"a{suffix}").write_bytes(packed + packed + bytes(512))
    assert len(read_samples(f"a{suffix}", [f"a{suffix}"]).predictions) == 80_000
    Path(f"a{suffix}").write_bytes(packed + b"other")
    assert error_of(f"a{suffix}").startswith(f"a{suffix}:40001: the file is not valid {name}: ")


def test_zstandard_is_read_if_the_package_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.txt.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    message = "a.txt.zst: reading zstd needs the package zstandard: pip install zstandard"
    # ``undo`` would leave the working folder of the test too.
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "zstandard", None)
        assert error_of("a.txt.zst") == message
    packer = pytest.importorskip("zstandard").ZstdCompressor()
    content = b"one\n" * 100_000
    Path("a.txt.zst").write_bytes(packer.compress(content) + packer.compress(b"two\n"))
    samples = read_samples("a.txt.zst", ["a.txt.zst"])
    assert (len(samples.predictions), samples.predictions[-1]) == (100_001, "two")
    Path("a.txt.zst").write_bytes(packer.compress(content)[:-5])
    assert error_of("a.txt.zst").endswith(": the zstd data is cut off here.")


def test_csv_fields_may_be_longer_than_the_csv_module_allows() -> None:
    texts = ["one\ntwo\r\nthree", "x" * 200_000]
    files.write_csv("a.csv", [["prediction"], *([text] for text in texts)])
    files.write_parquet("b.parquet", reference=texts)
    samples = read_samples("a.csv", ["b.parquet"])
    assert samples.predictions == samples.references == texts


def test_bad_parquet_is_an_error() -> None:
    files.write_parquet("c.parquet", prediction=["a"] * 100_000)
    content = bytearray(Path("c.parquet").read_bytes())
    content[4:40] = b"\xff" * 36
    Path("c.parquet").write_bytes(content)
    assert error_of("c.parquet").startswith("c.parquet: not a readable Parquet file: ")
    files.write_parquet("g.parquet", prediction=pa.array([b"good", b"caf\xe9"]).view(pa.string()))
    assert error_of("g.parquet") == "g.parquet:2: the text is not UTF-8."


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.tsv", "a.parquet"])
def test_reading_holds_little_more_than_the_texts(name: str) -> None:
    texts = [
        f"sample {number} is about {number % 97} things of no weight" for number in range(15_000)
    ]
    rows = [["prediction", "reference"], *([text, text] for text in texts)]
    content = {
        "a.txt": "\n".join(texts),
        "a.jsonl": [dict(zip(rows[0], row, strict=True)) for row in rows[1:]],
        "a.csv": {"csv": rows},
        "a.tsv": "\n".join(map("\t".join, rows)),
        "a.parquet": {"parquet": {"prediction": texts, "reference": texts}},
    }
    Path(name).write_bytes(encode(content[name]))
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


def test_a_missing_file_names_one_of_a_similar_name() -> None:
    Path("folder").mkdir()
    for name in ("samples.jsonl", "folder/samples.jsonl", "a.txt"):
        Path(name).touch()
    missing = "No such file or directory."
    for name, similar in (
        ("samples.josnl", " Did you mean 'samples.jsonl'?"),
        ("folder/Sample.jsonl", " Did you mean 'folder/samples.jsonl'?"),
        # Most letters of this are those of the suffix.
        ("none.txt", ""),
        ("nowhere/samples.jsonl", ""),
    ):
        assert error_of(name) == f"{name}: {missing}{similar}"
        with pytest.raises(FileError, match=f"^{name}: {missing}"):
            read_samples(name, [])
    assert error_of("zz\nb.txt") == f"zz b.txt: {missing}"
    with pytest.raises(FileError, match=f"^samples.josnl: {missing} Did you mean"):
        read_systems(["samples.josnl"], [], columns=["a", "b"])


@pytest.mark.parametrize("options", [{}, {"prediction_column": "x"}, {"reference_column": "x"}])
def test_a_folder_is_named_with_what_reads_it(options: dict[str, str]) -> None:
    files.write_lines("good.txt", ["a"])
    message = (
        "this is a folder; give a file, or to bleu-rouge score one folder alone, of Parquet or "
        "JSON Lines files with both columns."
    )
    for name in ("folder", "folder.jsonl"):
        Path(name).mkdir()
        assert error_of(name, name, **options) == f"{name}: {message}"
        assert error_of("good.txt", name, **options) == f"{name}: {message}"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no zero device")
@pytest.mark.parametrize("name", ["zero", "zero.jsonl", "zero.csv", "zero.tsv"])
def test_a_line_without_an_end_is_an_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleu_rouge_metric.files.lines.LONGEST_LINE", 1 << 20)
    Path(name).symlink_to("/dev/zero")
    message = "the line is longer than 1,048,576 characters; expected lines of text that end "
    assert error_of(name) == f"{name}:1: {message}with a line feed."
    Path("bomb.txt.gz").write_bytes(gzip.compress(b"a\n" + bytes((1 << 20) + 1)))
    assert error_of("bomb.txt.gz") == f"bomb.txt.gz:2: {message}with a line feed."
    files.write_lines("long.txt", ["a" * ((1 << 20) - 1)])
    assert len(read_samples("long.txt", ["long.txt"]).predictions[0]) == (1 << 20) - 1


def test_a_pipe_is_no_shard() -> None:
    os.mkfifo("pipe.jsonl")
    expected = "pipe.jsonl: a pipe cannot be read by several processes; give files."
    with pytest.raises(FileError, match=f"^{expected}$"):
        list_files("pipe.jsonl")


def test_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert error_of("-") == "<stdin>: standard input is closed."


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named() -> None:
    Path("a.txt").touch(mode=0o000)
    assert error_of("a.txt") == "a.txt: Permission denied."


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_json_that_python_cannot_parse_is_an_error(name: str) -> None:
    Path(name).write_bytes(b"[" * 1_000_000)
    assert error_of(name) == f"{name}:1: the JSON value is nested too deeply."
    Path(name).write_bytes(b"[" + b"9" * 5000 + b"]")
    assert error_of(name) == f"{name}:1: a number in the JSON value is too long."


def test_an_array_cannot_be_cut_into_shards() -> None:
    Path("a.json").write_text('\n[{"prediction": "a"}]\n')
    with pytest.raises(FileError, match=r"^a\.json:2: the line begins a JSON array; "):
        plan_shards(list_files("a.json"), make_shared_choices())


def test_a_long_list_in_a_cell_is_shown_in_part() -> None:
    files.write_lines("p.txt", ["a"])
    files.write_csv("r.csv", [["reference"], [f"['{'word ' * 50_000}',\n 'x']"]])
    assert error_of("p.txt", "r.csv").startswith(
        "r.csv:3: 'reference' is ['word word word word word word word ..., which looks like a list;"
    )
    # Characters that could be read in several ways would take forever.
    files.write_csv("r.csv", [["reference"], ["[" + "1 None, (" * 50_000 + "x]"]])
    read_samples("p.txt", ["r.csv"])
