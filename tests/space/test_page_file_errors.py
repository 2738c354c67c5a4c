"""Files that the page cannot read: the whole text of every message."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ..support.pages import OPTIONS, read, score

LISTS = (
    'expected a JSON list of texts, such as ["one", "another"]. A text that looks like a list is '
    "written as a list of one."
)
GOOD = '{"prediction": "a", "reference": "a"}\n'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "s.doc",
            "a",
            "s.doc is of an unknown kind; expected a name that ends in .csv, .tsv, .jsonl, "
            ".json, .parquet, .txt.",
        ),
        ("s.csv", "", "s.csv has no rows; expected one for every sample."),
        ("s.csv", "prediction,reference\n", "s.csv has no rows; expected one for every sample."),
        (
            "s.csv",
            b"prediction,\xff",
            "s.csv is not UTF-8 text; save it as UTF-8 and upload it again.",
        ),
        (
            "s.csv",
            'prediction,reference\n"a',
            "s.csv cannot be read: line 2, unexpected end of data.",
        ),
        ("s.csv", "a,b,a\n1,2,3", "s.csv has the column 'a' more than once."),
        (
            "s.csv",
            "prediction,reference\na,b\na,b,c",
            "Row 2 has 3 cells, but the header has 2; put a text that holds a delimiter between "
            "double quotes.",
        ),
        (
            "s.tsv",
            "prediction\ttarget\na\tb",
            "s.tsv has no column 'reference'; it has 'prediction', 'target'. Write the names of "
            "your columns into the boxes above.",
        ),
        (
            "s.csv",
            "prediction,reference\na,[]",
            "Row 1, column 'reference': the cell [] looks like a list; " + LISTS,
        ),
        (
            "s.csv",
            'prediction,reference\na,"[""b"", null]"',
            "Row 1, column 'reference': the cell [\"b\", null] looks like a list; " + LISTS,
        ),
        (
            "s.csv",
            "prediction,reference\na,\"['b', 'c']\"",
            "Row 1, column 'reference': the cell ['b', 'c'] looks like a list; " + LISTS,
        ),
        (
            "s.tsv",
            "prediction\treference\n['a']\tb",
            "Row 1, column 'prediction': the cell ['a'] looks like a list; a prediction is a "
            "text, not a list. A text that looks like a list can be read from JSON Lines or "
            "Parquet.",
        ),
        ("s.jsonl", b"\xff", "s.jsonl is not UTF-8 text; save it as UTF-8 and upload it again."),
        (
            "s.jsonl",
            GOOD + "{'a'",
            "Line 2 of s.jsonl is not valid JSON: Expecting property name enclosed in double "
            "quotes: line 1 column 2 (char 1).",
        ),
        (
            "s.jsonl",
            GOOD + "\n[]",
            "Line 3 of s.jsonl is not a JSON object; expected one such as "
            '{"prediction": "…", "reference": "…"}.',
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": 5, "reference": "a"}',
            "Row 2, column 'prediction': 5 is not a text but of type int; write it as a text, for "
            "nothing is converted.",
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": "a", "reference": ["a", 1.5]}',
            "Row 2, column 'reference': 1.5 is not a text but of type float; write it as a text, "
            "for nothing is converted.",
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": "a"}',
            "Row 2, column 'reference': the value is missing; fill it in, or remove the row.",
        ),
        (
            "s.jsonl",
            json.dumps({"prediction": "a" * 20_001, "reference": "a"}),
            "Row 1, column 'prediction': the text has 20,001 characters; this page scores texts of "
            "up to 20,000 characters.",
        ),
        (
            "s.jsonl",
            GOOD * 10_001,
            "s.jsonl has more than 10,000 rows; this page scores up to 10,000 rows.",
        ),
        ("s.csv", "a" * 20_100_000, "s.csv has 20.1 MB; this page reads files of up to 20 MB."),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    page: Any, tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(page.InputError) as caught:
        score(page, path)
    assert str(caught.value) == message


def test_what_is_wrong_with_a_parquet_file_is_said(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"

    def refuse() -> str:
        with pytest.raises(page.InputError) as caught:
            read(page, path)
        return str(caught.value)

    path.write_text("no Parquet")
    assert refuse().startswith("s.parquet cannot be read as Parquet: Parquet magic bytes not found")
    pq.write_table(pa.table({"prediction": ["a", None], "reference": [["a"], ["b"]]}), path)
    assert (
        refuse()
        == "Row 2, column 'prediction': the value is missing; fill it in, or remove the row."
    )
    pq.write_table(pa.table(dict.fromkeys(("prediction", "reference"), ["a"] * 10_001)), path)
    assert refuse() == "s.parquet has more than 10,000 rows; this page scores up to 10,000 rows."


def test_no_file_is_said(page: Any) -> None:
    with pytest.raises(page.InputError) as caught:
        page.score_uploads(None, None, ("a", "b"), page.Choices(*OPTIONS))
    message = (
        "There is no file yet; upload one whose name ends in .csv, .tsv, .jsonl, .json, "
        ".parquet, .txt first."
    )
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"p.txt": "a\n"},
            "p.txt has one prediction per line; upload the references too, as .txt files with one "
            "reference per line.",
        ),
        (
            {"p.txt": "a\n", "r.csv": "reference\na\n"},
            "r.csv is not a .txt file; the references of p.txt are .txt files with one reference "
            "per line.",
        ),
        (
            {"p.txt": "a\nb\n", "r.txt": "a\n"},
            "r.txt has 1 lines, and another file has more; expected one line for every sample in "
            "each file.",
        ),
        (
            {"p.csv": "prediction,reference\na,b\n", "r.txt": "a\n"},
            "r.txt is not read: p.csv has its references in a column. Remove the files of "
            "references; they go with predictions in a .txt file.",
        ),
    ],
)
def test_what_is_wrong_with_text_files_is_said(
    page: Any, tmp_path: Path, files: dict[str, str], message: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(page.InputError) as caught:
        score(page, *(tmp_path / name for name in files))
    assert str(caught.value) == message
