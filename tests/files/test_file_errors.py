"""Samples from files: every fault is one line that says where."""

import gzip
import os
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from bleu_rouge_metric.files.lines import FileError
from bleu_rouge_metric.files.samples import read_samples
from bleu_rouge_metric.files.shards import list_files
from bleu_rouge_metric.files.systems import read_systems

from ..support.sample_writers import (
    error_of,
    error_of_bytes,
    give_stdin,
    write_csv,
    write_jsonl,
    write_lines,
    write_parquet,
)

pytestmark = pytest.mark.usefixtures("own_folder")


def test_a_file_that_cannot_be_opened_is_named() -> None:
    Path("folder").mkdir()
    assert error_of("nothing.txt") == "nothing.txt: No such file or directory."
    assert error_of("folder.parquet/x") == "folder.parquet/x: No such file or directory."
    assert error_of("a\nb.txt") == "a b.txt: No such file or directory."


def test_a_missing_file_names_one_of_a_similar_name() -> None:
    Path("folder").mkdir()
    for name in ("samples.jsonl", "folder/samples.jsonl", "a.txt"):
        Path(name).touch()
    missing = "No such file or directory."
    assert error_of("samples.josnl") == (f"samples.josnl: {missing} Did you mean 'samples.jsonl'?")
    assert error_of("folder/Sample.jsonl") == (
        f"folder/Sample.jsonl: {missing} Did you mean 'folder/samples.jsonl'?"
    )
    # Most letters of these are those of the suffix.
    assert error_of("none.txt") == f"none.txt: {missing}"
    for name in ("samples.josnl", "folder/Sample.jsonl", "none.txt", "nowhere/samples.jsonl"):
        with pytest.raises(FileError, match=f"^{name}: {missing}"):
            read_samples(name, [])
    with pytest.raises(FileError, match=f"^samples.josnl: {missing} Did you mean"):
        read_systems(["samples.josnl"], [], columns=["a", "b"])


@pytest.mark.parametrize("options", [{}, {"prediction_column": "x"}, {"reference_column": "x"}])
def test_a_folder_is_named_with_what_reads_it(options: dict[str, str]) -> None:
    Path("folder").mkdir()
    Path("folder.jsonl").mkdir()
    write_lines("good.txt", ["a"])
    message = (
        "this is a folder; give a file, or to bleu-rouge score one folder alone, of Parquet or "
        "JSON Lines files with both columns."
    )
    for name in ("folder", "folder.jsonl"):
        assert error_of(name, name, **options) == f"{name}: {message}"
        assert error_of("good.txt", name, **options) == f"{name}: {message}"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no zero device")
@pytest.mark.parametrize("name", ["zero", "zero.jsonl", "zero.csv"])
def test_a_line_without_an_end_is_an_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleu_rouge_metric.files.lines.LONGEST_LINE", 1 << 20)
    Path(name).symlink_to("/dev/zero")
    message = "the line is longer than 1,048,576 bytes; expected lines of text that end with a "
    assert error_of(name) == f"{name}:1: {message}line feed."
    Path("bomb.txt.gz").write_bytes(gzip.compress(b"a\n" + bytes((1 << 20) + 1)))
    assert error_of("bomb.txt.gz") == f"bomb.txt.gz:2: {message}line feed."
    write_lines("long.txt", ["a" * ((1 << 20) - 1)])
    assert len(read_samples("long.txt", ["long.txt"]).predictions[0]) == (1 << 20) - 1


def test_a_pipe_is_read_only_once() -> None:
    os.mkfifo("pipe.jsonl")
    Path("link.jsonl").symlink_to("pipe.jsonl")
    message = "the pipe is given more than once; it can be read only once."
    assert error_of("pipe.jsonl", "pipe.jsonl") == f"pipe.jsonl: {message}"
    assert error_of("pipe.jsonl", "link.jsonl") == f"link.jsonl: {message}"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named() -> None:
    Path("a.txt").touch(mode=0o000)
    assert error_of("a.txt") == "a.txt: Permission denied."


def test_text_that_is_not_utf8_is_named_with_its_line() -> None:
    message = (
        "byte 4 of the line is 0xe9, which is not UTF-8; save the file as UTF-8, or name its "
        "encoding with --encoding."
    )
    for name, content in (
        ("a.txt", b"good\n\ncaf\xe9\n"),
        ("a.csv", b'prediction\n"two\ncaf\xe9"\n'),
        ("a.jsonl", b'"good"\n"good"\n"ca\xe9"\n'),
    ):
        assert error_of_bytes(name, content) == f"{name}:3: {message}"
    assert error_of_bytes("b.txt", "text".encode("utf-16")) == (
        "b.txt:1: the file is UTF-16; save it as UTF-8, or use --encoding utf-16."
    )


def test_bad_gzip_is_named_with_its_line() -> None:
    assert error_of_bytes("a.txt.gz", b"plain text\n") == (
        "a.txt.gz:1: the file is not valid gzip: Not a gzipped file (b'pl')."
    )
    whole = gzip.compress(b"".join(b"%d\n" % number for number in range(20_000)), mtime=0)
    assert error_of_bytes("b.txt.gz", whole[: len(whole) // 2]).endswith(
        ": the gzip data is cut off here."
    )
    broken = whole[:200] + b"\xff" * 100 + whole[300:]
    assert "the file is not valid gzip: Error -3 while decompressing data" in error_of_bytes(
        "c.txt.gz", broken
    )
    assert error_of_bytes("d.parquet.gz", b"") == (
        "d.parquet.gz: a Parquet file is compressed inside; "
        ".parquet.gz is neither read nor written."
    )


def test_empty_files_are_errors() -> None:
    message = "the file has no samples; expected at least one."
    assert error_of_bytes("a.txt", b"") == f"a.txt: {message}"
    assert error_of_bytes("b.txt", b"\xef\xbb\xbf") == f"b.txt: {message}"
    assert error_of_bytes("a.jsonl", b"") == f"a.jsonl: {message}"
    assert error_of_bytes("a.txt.gz", b"") == f"a.txt.gz: {message}"
    assert error_of_bytes("a.csv", b"prediction\n") == f"a.csv: {message}"
    assert error_of_bytes("b.csv", b"") == (
        "b.csv: the file is empty; expected a header of column names."
    )
    write_parquet("a.parquet", prediction=pa.array([], pa.string()))
    assert error_of("a.parquet") == f"a.parquet: {message}"


def test_different_lengths_name_the_end_of_the_shorter_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_lines("two.txt", ["a", "b"])
    write_lines("three.txt", ["a", "b", "c"])
    write_csv("two.csv", [["x"], ["a\nb"], ["c"]])
    assert error_of("three.txt", "two.txt") == (
        "two.txt:2: the file ends after sample 2, but three.txt has 3 samples."
    )
    assert error_of("two.txt", "three.txt") == (
        "two.txt:2: the file ends after sample 2, but three.txt has 3 samples."
    )
    assert error_of("three.txt", "three.txt", "two.csv") == (
        "two.csv:4: the file ends after sample 2, but three.txt has 3 samples."
    )
    name_format = "Name the format of a table on standard input with --stdin-format."
    give_stdin(monkeypatch, b"a\n")
    assert error_of("-", "two.txt") == (
        f"<stdin>:1: the file ends after sample 1, but two.txt has 2 samples. {name_format}"
    )
    give_stdin(monkeypatch, b"a\nb\nc\n")
    assert error_of("two.txt", "-") == (
        f"two.txt:2: the file ends after sample 2, but <stdin> has 3 samples. {name_format}"
    )


def test_standard_input_is_read_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert error_of("-", "-") == (
        "<stdin>: standard input is given more than once, but plain text has no columns; name a "
        "format with --stdin-format."
    )
    monkeypatch.setattr(sys, "stdin", None)
    assert error_of("-") == "<stdin>: standard input is closed."


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "is an empty list; every prediction needs at least one reference."),
        (None, "is null; expected a text or a list of texts. Fill it in, or leave the sample out."),
        ({"a": 1}, "is an object; expected a text or a list of texts."),
    ],
)
def test_bad_references_are_named_with_their_line(value: object, message: str) -> None:
    write_jsonl("a.jsonl", [{"references": "a"}, {"references": value}])
    write_lines("p.txt", ["a", "b"])
    assert error_of("p.txt", "a.jsonl") == f"a.jsonl:2: 'references' {message}"


def test_a_bad_item_of_a_list_of_references_is_named_with_its_index() -> None:
    write_jsonl("a.jsonl", [{"references": ["a", None]}])
    write_parquet("b.parquet", references=[["a"], ["b", None]])
    write_lines("p.txt", ["a"])
    assert error_of("p.txt", "a.jsonl") == "a.jsonl:1: 'references'[1] is null; expected a text."
    assert error_of("p.txt", "b.parquet") == (
        "b.parquet:2: 'references'[1] is null; expected a text."
    )


QUOTES = "Put a text that holds a delimiter between double quotes."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"prediction,x\na,b\nc\n",
            "3: the row has 1 field; the header has 2. " + QUOTES,
        ),
        (
            b"prediction\na,b\n",
            "2: the row has 2 fields; the header has 1. " + QUOTES,
        ),
        (
            b"prediction\na\n\n",
            "3: the row has 0 fields; the header has 1. " + QUOTES,
        ),
        (b'prediction\n"a\nb\n', "3: not valid CSV: unexpected end of data."),
        (b'prediction\n"a"b\n', "2: not valid CSV: ',' expected after '\"'."),
        (
            b"x,y\na,b\n",
            "1: no column is named 'prediction' or 'predictions'; "
            "name one with --prediction-column. Columns: 'x', 'y'.",
        ),
        (
            b"prediction,prediction\na,b\n",
            "1: more than one column is named 'prediction'; rename all but one of them in the "
            "file, or name another with --prediction-column. Columns: 'prediction', 'prediction'.",
        ),
    ],
)
def test_bad_csv_is_named_with_its_line(content: bytes, message: str) -> None:
    assert error_of_bytes("a.csv", content) == f"a.csv:{message}"


def test_bad_tsv_is_named_with_its_line() -> None:
    assert error_of_bytes("a.tsv", b'prediction\n"a"b\n') == (
        "a.tsv:2: not valid TSV: '\t' expected after '\"'."
    )


def test_a_named_column_that_is_not_there_is_an_error() -> None:
    write_csv("a.csv", [["x", "y"], ["a", "b"]])
    write_jsonl("a.jsonl", ["a"])
    write_lines("good.txt", ["a"])
    assert error_of("a.csv", prediction_column="z") == (
        "a.csv:1: no column is named 'z'; name one with --prediction-column. Columns: 'x', 'y'."
    )
    assert error_of("good.txt", "a.csv", reference_column="z") == (
        "a.csv:1: no column is named 'z'; name one with --reference-column. Columns: 'x', 'y'."
    )
    assert error_of("a.jsonl", prediction_column="z") == (
        "a.jsonl:1: the line is a text; expected an object with 'z'."
    )
    assert error_of("good.txt", prediction_column="z") == (
        "good.txt: plain text has no columns; leave out --prediction-column 'z'."
    )


def test_bad_parquet_is_an_error() -> None:
    write_lines("good.txt", ["a"])
    assert error_of_bytes("a.parquet", b"no Parquet at all") == (
        "a.parquet: not a readable Parquet file: Parquet magic bytes not found in footer. "
        "Either the file is corrupted or this is not a parquet file."
    )
    assert error_of_bytes("b.parquet", b"").startswith("b.parquet: not a readable Parquet file: ")
    write_parquet("c.parquet", prediction=["a"] * 100_000)
    content = bytearray(Path("c.parquet").read_bytes())
    content[4:40] = b"\xff" * 36
    assert error_of_bytes("c.parquet", bytes(content)).startswith(
        "c.parquet: not a readable Parquet file: "
    )
    write_parquet("d.parquet", prediction=[1, 2])
    assert error_of("d.parquet") == (
        "d.parquet: column 'prediction' is of type int64; expected string."
    )
    assert error_of("good.txt", "d.parquet") == (
        "d.parquet: column 'prediction' is of type int64; expected string or list<string>."
    )
    write_parquet("e.parquet", prediction=["a", None])
    assert error_of("e.parquet") == (
        "e.parquet:2: 'prediction' is null; expected a text. Fill it in, or leave the sample out."
    )
    write_parquet("f.parquet", x=["a"], y=["b"])
    assert error_of("f.parquet") == (
        "f.parquet: no column is named 'prediction' or 'predictions'; "
        "name one with --prediction-column. Columns: 'x', 'y'."
    )
    bad = pa.array([b"good", b"caf\xe9"]).view(pa.string())
    write_parquet("g.parquet", prediction=bad)
    assert error_of("g.parquet") == "g.parquet:2: the text is not UTF-8."


def test_a_column_is_not_compared_with_itself() -> None:
    write_jsonl("a.jsonl", [{"prediction": "a"}])
    assert error_of("a.jsonl", "a.jsonl") == (
        "a.jsonl:1: no column is named 'reference' or 'references'; "
        "name one with --reference-column. Columns: 'prediction'."
    )
    write_csv("a.csv", [["x", "y"], ["a", "b"]])
    with pytest.raises(FileError) as caught:
        read_samples("a.csv", ["a.csv"], prediction_column="x", reference_column="x")
    assert str(caught.value) == (
        "a.csv: the column 'x' holds both the predictions and the references; "
        "name two columns with --prediction-column and --reference-column."
    )


@pytest.mark.parametrize("header", ["prediction;reference", "prediction\treference"])
def test_a_header_with_another_separator_is_an_error(header: str) -> None:
    write_lines("p.txt", ["a"])
    assert error_of_reference("p.txt", f"{header}\na;b\n") == (
        f"r.csv:1: the header is one column, {header!r}; "
        "expected columns separated by commas in .csv and by tabs in .tsv; name others with "
        "--delimiter."
    )


def error_of_reference(predictions: str, content: str) -> str:
    Path("r.csv").write_text(content, "utf-8")
    return error_of(predictions, "r.csv")


def test_two_columns_with_default_names_are_an_error() -> None:
    write_jsonl("a.jsonl", [{"prediction": "a", "reference": "b", "references": ["c"]}])
    assert error_of("a.jsonl", "a.jsonl") == (
        "a.jsonl:1: there are columns named 'reference' and 'references'; name one with "
        "--reference-column. Columns: 'prediction', 'reference', 'references'."
    )


def test_a_pipe_is_not_read_by_several_processes() -> None:
    os.mkfifo("pipe.jsonl")
    with pytest.raises(FileError) as caught:
        list_files("pipe.jsonl")
    message = "pipe.jsonl: a pipe cannot be read by several processes; give files."
    assert str(caught.value) == message
