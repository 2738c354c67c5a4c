"""``bleu-rouge dedup``: near duplicates are removed from files of texts."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import Result

from bleu_rouge_metric.analysis.pairs.duplicates import near_duplicates
from bleu_rouge_metric.cli import main, progress
from bleu_rouge_metric.cli.duplicate_flags import PAIR_OPTIONS
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import invoke
from ..support.terminals import Terminal, terminal

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.usefixtures("own_folder")

TEXTS = ["Name a colour.", "Sum 1 and 2.", "Name one colour.", "Löse 我 x y z.", "Sum 1 and 3."]
KEPT, REJECTED, NEAREST = [0, 1, 3], [2, 4], [0, 1]
FLAGS = ("--threshold", "0.6")
SUMMARY = "bleu-rouge: kept 3 of 5 texts; counted 8 of 8 pairs.\n"
OLD = "what took a week to compute\n"
# Every line is JSON in another form, which the command must not change.
LINES = [
    f'{{"id": 1.50, "text": {json.dumps(TEXTS[0])}}}\n',
    f'{{"text":{json.dumps(TEXTS[1])} , "id": 2}}  \n',
    f'{{"text": {json.dumps(TEXTS[2])}}}\r\n',
    f'{{"text": {json.dumps(TEXTS[3], ensure_ascii=False)}, "other": null}}\n',
    f'{{"text": {json.dumps(TEXTS[4])}, "id": 5}}',
]


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    Path("a.jsonl").write_text("".join(LINES), "utf-8", newline="")
    Path("a.txt").write_text("\n".join(TEXTS), "utf-8")


def dedup(*arguments: str, stdin: bytes | None = None) -> Result:
    result = invoke("dedup", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result


def fail(*arguments: str, stdin: bytes | None = None) -> str:
    """Return the one line of a failing command, without its name."""
    result = invoke("dedup", *arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("bleu-rouge: ").removesuffix("\n")


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


@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_rows_of_a_table_are_kept_with_their_header(suffix: str, delimiter: str) -> None:
    rows = ["id,text\r\n", '1,"a\nb\u2028"\r\n', "2,c\n", '3,"a\nb\u2028"\n']
    rows = [row.replace(",", delimiter) for row in rows]
    Path(f"b.{suffix}").write_text("".join(rows), "utf-8", newline="")
    result = dedup(f"b.{suffix}", "--rejected", "rejected.jsonl", "--output", f"kept.{suffix}")
    assert summarize(2, 3).fullmatch(result.stderr)
    assert Path(f"kept.{suffix}").read_bytes() == "".join(rows[:3]).encode()
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


def test_the_options_are_those_of_near_duplicates() -> None:
    for name, option in OPTIONS.items():
        taken = name in PAIR_OPTIONS
        is_scored = option.effect in ("profile", "counts", "scores")
        assert taken == (is_scored and name != "rouge_types"), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.txt"], "none.txt: No such file or directory."),
        (["empty.txt"], "empty.txt: the file has no texts; expected at least one."),
        (["empty.jsonl"], "empty.jsonl: the file has no texts; expected at least one."),
        (
            ["number.jsonl"],
            "number.jsonl:2: 'text' is 5; expected a text.",
        ),
        (
            ["bad.jsonl"],
            "bad.jsonl:2: not valid JSON: Expecting value (column 10).",
        ),
        (["lost.jsonl"], "lost.jsonl:2: the object has no 'text'."),
        (
            ["array.json"],
            "array.json:1: the line begins a JSON array; expected JSON Lines, one object or text a "
            "line. An array of samples becomes that with: jq -c '.[]'",
        ),
        (
            ["two.jsonl"],
            "two.jsonl:1: no column is named 'text' or 'instruction' or 'prediction'; name one "
            "with --column. Columns: 'x', 'y'.",
        ),
        (
            ["two.jsonl", "--column", "z"],
            "two.jsonl:1: no column is named 'z'; name one with --column. Columns: 'x', 'y'.",
        ),
        (
            ["a.txt", "--column", "z"],
            "a.txt: plain text has no columns; leave out --column 'z'.",
        ),
        (["a.txt", "--threshold", "x"], "--threshold is 'x'; expected a number."),
        (["a.txt", "--threshold", "1.5"], "--threshold is 1.5; expected a number from 0 to 1."),
        (["a.txt", "--threshold", "nan"], "--threshold is nan; expected a number from 0 to 1."),
        (
            ["a.txt", "--threshold", "101", "--score", "bleu", "--profile", "sacrebleu"],
            "--threshold is 101; expected a number from 0 to 100.",
        ),
        (
            ["a.txt", "--score", "corpus_bleu"],
            "Unknown score 'corpus_bleu'; expected 'bleu', 'google_bleu' or a ROUGE type such as "
            "'rougeL'.",
        ),
        (
            ["a.txt", "--score", "bleu_recall"],
            "--score has 'bleu_recall'; expected one of bleu.",
        ),
        (
            ["a.txt", "--profile", "nltk"],
            "--profile 'nltk' has no ROUGE; leave it out of --score, or choose another profile.",
        ),
        (
            ["a.txt", "--score", "bleu", "--use-stemmer"],
            "--use-stemmer applies to ROUGE only, but only BLEU was requested. Remove it, or "
            "request both.",
        ),
        (
            ["a.txt", "--against", "b", "--group-by", "c"],
            "--against and --group-by exclude each other; give one of them.",
        ),
        (
            ["a.txt", "--against", "./a.txt"],
            "./a.txt: the texts would be compared with themselves; leave out --against.",
        ),
        (
            ["a.jsonl", "--output", "a.txt/b.jsonl"],
            "a.txt/b.jsonl: cannot be written: Not a directory.",
        ),
        (
            ["a.jsonl", "--output", "./a.jsonl"],
            "./a.jsonl: the file is one of those to score; it would be overwritten.",
        ),
        (
            ["a.jsonl", "--rejected", "a.jsonl"],
            "a.jsonl: the file is one of those to score; it would be overwritten.",
        ),
        (
            ["a.jsonl", "--against", "two.jsonl", "--output", "two.jsonl"],
            "two.jsonl: the file is one of those to score; it would be overwritten.",
        ),
        (
            ["a.txt", "--output", "kept.csv"],
            "kept.csv: the suffix is that of CSV, but the content is plain text; give another "
            "name.",
        ),
        (
            ["a.txt", "--rejected", "rejected.csv"],
            "rejected.csv: the suffix is that of CSV, but the content is JSON Lines; give another "
            "name.",
        ),
        (
            ["a.jsonl", "--output", "b.jsonl", "--rejected", "./b.jsonl"],
            "./b.jsonl: --output and --rejected name the same file; give two.",
        ),
        (
            ["a.txt", "--output", "-"],
            "--output: expected the name of a file, or leave it out for standard output.",
        ),
        (["a.txt", "--rejected", "-"], "--rejected: expected the name of a file."),
        (
            ["named.jsonl", "--rejected", "b.jsonl"],
            "named.jsonl:2: the record has 'score', which --rejected adds; rename it, or leave out "
            "--rejected.",
        ),
        (
            ["a.txt", "--group-by", "topic"],
            "a.txt: plain text has no columns, and there is no file 'topic'; --group-by needs a "
            "column of a file such as .jsonl or .csv, or a file with one label per line.",
        ),
        (
            ["a.jsonl", "--group-by", "topic"],
            "a.jsonl:1: no column is named 'topic'; name one with --group-by. Columns: 'id', "
            "'text'.",
        ),
        (["a.txt", "--bogus"], "No such option: --bogus; see bleu-rouge dedup --help."),
    ],
)
def test_errors_are_one_line_before_any_work(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {
        "empty.txt": "",
        "empty.jsonl": "",
        "number.jsonl": '{"text": "a"}\n{"text": 5}\n',
        "bad.jsonl": '{"text": "a"}\n{"text": x}\n',
        "lost.jsonl": '{"text": "a"}\n{"txt": "b"}\n',
        "array.json": '[{"text": "a"}]',
        "two.jsonl": '{"x": "a", "y": "b"}\n',
        "named.jsonl": '{"text": "a"}\n{"text": "b", "score": 1}\n',
    }.items():
        Path(name).write_text(text, "utf-8")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    monkeypatch.delattr("bleu_rouge_metric.cli.duplicates.find_duplicates")
    assert fail(*arguments) == message
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_two_streams_are_an_error() -> None:
    message = "standard input is given more than once, but plain text has no columns"
    assert fail("-", "--against", "-") == (
        f"<stdin>: {message}; name a format with --stdin-format."
    )
    assert fail("-", "--against", "-", "--stdin-format", "jsonl") == (
        "<stdin>: the texts would be compared with themselves; leave out --against."
    )


def run_with(statement: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run a statement of Python and then the command in a new process."""
    code = f"import os, resource, signal, sys\n{statement}\n"
    code += "from bleu_rouge_metric.cli import main\nmain()\n"
    process = [sys.executable, "-c", code, "dedup", *arguments]
    return subprocess.run(process, capture_output=True, check=False)


OUTPUTS = ("--output", "kept.jsonl", "--rejected", "rejected.jsonl")


def assert_untouched() -> None:
    """Check that both old files are unchanged and that no other file remains."""
    names = ["a.jsonl", "a.txt", "kept.jsonl", "rejected.jsonl"]
    assert sorted(path.name for path in Path().iterdir()) == names
    assert [Path(name).read_text() for name in names[2:]] == [OLD, OLD]


@pytest.fixture
def _old_files() -> None:
    Path("kept.jsonl").write_text(OLD)
    Path("rejected.jsonl").write_text(OLD)


@pytest.mark.usefixtures("_old_files")
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("name", "status", "line"),
    [("SIGINT", 130, b"bleu-rouge: interrupted.\n"), ("SIGTERM", 143, b"")],
)
def test_old_files_stay_if_a_signal_comes_while_new_ones_are_written(
    name: str, status: int, line: bytes, count: int
) -> None:
    # The last file to be opened is the first one to be complete.
    statement = f"""
signal.signal(signal.SIGINT, signal.default_int_handler)
from bleu_rouge_metric.cli import record_files
write = record_files.write_whole
calls = []
def count(path):
    calls.append(path)
    if len(calls) == {count}:
        os.kill(os.getpid(), signal.{name})
    return write(path)
record_files.write_whole = count
"""
    done = run_with(statement, "a.jsonl", *FLAGS, *OUTPUTS)
    if (name, count) == ("SIGTERM", 1):
        status = -15  # nothing is open yet
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", line)
    assert_untouched()


@pytest.mark.usefixtures("_old_files")
def test_old_files_stay_after_an_interrupt_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bleu_rouge_metric.cli.duplicates.find_duplicates", interrupt)
    result = invoke("dedup", "a.jsonl", *OUTPUTS)
    assert (result.exit_code, result.output) == (130, "bleu-rouge: interrupted.\n")
    assert_untouched()


@pytest.mark.usefixtures("_old_files")
def test_both_old_files_stay_if_the_disk_is_full() -> None:
    # Only the rejected records are too many.
    Path("a.jsonl").write_text("".join(LINES[:1]) * 9, "utf-8")
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))"
    done = run_with(limit, "a.jsonl", *OUTPUTS)
    message = b"bleu-rouge: rejected.jsonl: cannot be written: File too large.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", message)
    assert_untouched()


def test_the_reader_of_the_output_may_close_it() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code = [sys.executable, "-m", "bleu_rouge_metric", "dedup", "a.txt", "--rejected", "r.jsonl"]
    done = subprocess.run(code, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr, Path("r.jsonl").exists()) == (141, b"", False)


def test_texts_do_not_steer_the_terminal_and_a_bar_shows_the_time_left(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("b.txt").write_text("evil \x1b[2J text\nanother\n" * 400, "utf-8")
    monkeypatch.setattr(sys, "argv", ["bleu-rouge", "dedup", "b.txt"])
    monkeypatch.setattr(sys, "stdout", terminal.stream)
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    shown = terminal.read()
    assert re.search(r"Comparing .*\d+/800 +texts, +\S+/s, +[\d:-]+ left", shown)
    assert "evil \ufffd[2J text\r\nanother\r\nbleu-rouge: kept 2 of 800 texts;" in shown
