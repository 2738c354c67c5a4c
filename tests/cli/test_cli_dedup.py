"""``bleu-rouge dedup``: near duplicates are removed from files of texts."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.analysis.pairs.duplicates import near_duplicates

from ..support.dedup import (
    FLAGS,
    KEPT,
    LINES,
    NEAREST,
    REJECTED,
    SUMMARY,
    TEXTS,
    dedup,
    fail,
    write_inputs,
)

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_inputs()


def read_rejected(path: str = "rejected.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").split("\n")[:-1]]


def summarize(kept: int, texts: int) -> re.Pattern[str]:
    pairs = r"counted [\d,]+ of [\d,]+ pairs\."
    return re.compile(rf"bleu-rouge: kept {kept} of {texts} texts; {pairs}\n")


def test_lines_of_json_are_kept_byte_for_byte() -> None:
    result = dedup("a.jsonl", *FLAGS, "--output", "kept.jsonl", "--rejected", "rejected.jsonl")
    assert (result.stdout, result.stderr) == ("", SUMMARY)
    assert Path("kept.jsonl").read_bytes() == "".join(LINES[index] for index in KEPT).encode()
    found = near_duplicates(TEXTS, threshold=0.6)
    assert found.kept.tolist() == KEPT
    assert read_rejected() == [
        {
            **json.loads(LINES[index]),
            "line": index + 1,
            "score": found.score[index],
            "nearest_line": nearest + 1,
            "nearest": TEXTS[nearest],
        }
        for index, nearest in zip(REJECTED, NEAREST, strict=True)
    ]


def test_without_output_the_kept_records_go_to_standard_output() -> None:
    result = dedup("a.jsonl", *FLAGS)
    assert result.stdout_bytes == "".join(LINES[index] for index in KEPT).encode()
    assert result.stderr == SUMMARY
    piped = dedup("-", *FLAGS, stdin=Path("a.txt").read_bytes())
    assert piped.stdout_bytes == "".join(TEXTS[index] + "\n" for index in KEPT).encode()
    assert sorted(path.name for path in Path().iterdir()) == ["a.jsonl", "a.txt"]


def test_plain_text_has_the_column_text() -> None:
    dedup("a.txt", *FLAGS, "--output", "kept.txt", "--rejected", "rejected.jsonl")
    assert Path("kept.txt").read_text("utf-8") == "".join(f"{TEXTS[index]}\n" for index in KEPT)
    assert [row["text"] for row in read_rejected()] == [TEXTS[index] for index in REJECTED]


def test_json_texts_without_objects() -> None:
    Path("b.jsonl").write_text('"a b"\n"c"\n"a b"\n', "utf-8")
    result = dedup("b.jsonl", "--rejected", "rejected.jsonl")
    assert result.stdout == '"a b"\n"c"\n'
    assert read_rejected() == [
        {"text": "a b", "line": 3, "score": 1.0, "nearest_line": 1, "nearest": "a b"}
    ]


def test_rows_of_a_table_are_kept_with_their_header() -> None:
    rows = ["id,text\r\n", '1,"a\nb\u2028"\r\n', "2,c\n", '3,"a\nb\u2028"\n']
    Path("b.csv").write_text("".join(rows), "utf-8", newline="")
    result = dedup("b.csv", "--rejected", "rejected.jsonl", "--output", "kept.csv")
    assert summarize(2, 3).fullmatch(result.stderr)
    assert Path("kept.csv").read_bytes() == "".join(rows[:3]).encode()
    Path("b.tsv").write_text('text\n"a b\nc\n"a b\n', "utf-8")
    assert dedup("b.tsv").stdout == 'text\n"a b\nc\n'
    assert read_rejected() == [
        {"id": "3", "text": "a\nb\u2028", "line": 6, "score": 1.0, "nearest_line": 3,
         "nearest": "a\nb\u2028"}
    ]  # fmt: skip


def test_rows_of_parquet_are_kept_with_all_columns() -> None:
    table = pa.table({"text": TEXTS, "at": pa.array(range(5), pa.timestamp("ms"))})
    parquet.write_table(table, "a.parquet")
    dedup("a.parquet", *FLAGS, "--output", "kept.parquet", "--rejected", "rejected.jsonl")
    assert parquet.read_table("kept.parquet").equals(table.take(KEPT))
    assert [(row["text"], row["line"]) for row in read_rejected()] == [
        (TEXTS[index], index + 1) for index in REJECTED
    ]
    assert fail("a.parquet") == (
        "a.parquet: Parquet does not go to standard output; give --output FILE."
    )


def test_files_are_compressed_as_their_names_say() -> None:
    Path("b.jsonl.gz").write_bytes(gzip.compress(Path("a.jsonl").read_bytes()))
    outputs = ("--output", "kept.jsonl.gz", "--rejected", "rejected.jsonl.gz")
    dedup("b.jsonl.gz", *FLAGS, *outputs)
    kept = gzip.decompress(Path("kept.jsonl.gz").read_bytes())
    assert kept == "".join(LINES[index] for index in KEPT).encode()
    assert len(gzip.decompress(Path("rejected.jsonl.gz").read_bytes()).splitlines()) == 2


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_the_kept_file_has_the_encoding_of_the_file(encoding: str) -> None:
    texts = "über a b\nc d\nüber a b\n"
    Path("b.txt").write_bytes(texts.encode(encoding))
    result = dedup("b.txt", "--encoding", encoding, "--rejected", "rejected.jsonl")
    assert result.stdout_bytes == "über a b\nc d\n".encode(encoding)
    assert read_rejected()[0]["nearest"] == "über a b"


def test_half_of_a_surrogate_pair_stays_an_escape() -> None:
    Path("b.jsonl").write_text('{"text": "a \\ud800"}\n' * 2, "utf-8")
    assert dedup("b.jsonl", "--rejected", "rejected.jsonl").stdout == '{"text": "a \\ud800"}\n'
    assert read_rejected()[0]["nearest"] == "a \ud800"


def test_texts_of_another_file_are_compared_with() -> None:
    Path("seeds.txt").write_text("nothing\nSum 1 and 2.\n", "utf-8")
    result = dedup("a.jsonl", "--against", "seeds.txt", *FLAGS, "--rejected", "rejected.jsonl")
    assert result.stdout.splitlines() == [LINES[index].strip("\r\n") for index in (0, 2, 3)]
    assert [(row["line"], row["nearest_line"], row["nearest"]) for row in read_rejected()] == [
        (2, 2, "Sum 1 and 2."),
        (5, 2, "Sum 1 and 2."),
    ]
    Path("b.txt").write_text("Sum 1 and 2.\n", "utf-8")
    assert dedup("b.txt", "--against", "a.txt").stdout == ""


def test_only_texts_of_the_same_group_are_compared() -> None:
    rows = [{"text": "a b", "topic": topic} for topic in (1, 2, 1)]
    Path("b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    expected = "".join(json.dumps(row) + "\n" for row in rows[:2])
    assert dedup("b.jsonl", "--group-by", "topic").stdout == expected
    stdin = Path("b.jsonl").read_bytes()
    piped = dedup("-", "--stdin-format", "jsonl", "--group-by", "topic", stdin=stdin)
    assert piped.stdout == expected
    Path("b.txt").write_text("a b\n" * 3, "utf-8")
    Path("topics.txt").write_text("x\ny\nx\n", "utf-8")
    assert dedup("b.txt", "--group-by", "topics.txt").stdout == "a b\n" * 2
    Path("topics.txt").write_text("x\n", "utf-8")
    assert fail("b.txt", "--group-by", "topics.txt") == (
        "topics.txt: the file has 1 labels, but there are 3 texts; expected one label for each."
    )


def test_flags_are_the_arguments_of_python() -> None:
    texts = ["a cat sits", "a cats sit", "a dog"]
    Path("b.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    stemmed = ("b.txt", "--use-stemmer", "--threshold", "1")
    assert dedup("b.txt", "--threshold", "1", "--inclusive").stdout.count("\n") == 3
    assert dedup(*stemmed).stdout.count("\n") == 3
    assert dedup(*stemmed, "--inclusive").stdout == "a cat sits\na dog\n"
    bleu = ("--score", "bleu", "--profile", "sacrebleu", "--tokenizer", "char")
    for threshold in (10, 60, 90):
        found = near_duplicates(
            texts, threshold=threshold, score="bleu", profile="sacrebleu", tokenizer="char"
        )
        printed = dedup("b.txt", *bleu, "--threshold", str(threshold)).stdout
        assert printed == "".join(f"{texts[index]}\n" for index in found.kept.tolist())
    assert dedup("b.txt", "--score", "rougeL_recall", "--threshold", "0").stdout == "a cat sits\n"
