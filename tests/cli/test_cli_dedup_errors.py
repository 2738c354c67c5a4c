"""Errors of ``bleu-rouge dedup``: one line, before any work."""

from pathlib import Path

import pytest

from ..support.dedup import fail, write_inputs

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_inputs()


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
        (["a.txt", "--bogus"], "No such option '--bogus'; see bleu-rouge dedup --help."),
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
    monkeypatch.delattr("bleu_rouge_metric.cli.pairs.find_duplicates")
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
