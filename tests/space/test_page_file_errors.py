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
        ("s.csv", "", "s.csv: the file is empty; expected a header of column names."),
        ("s.csv", "prediction,reference\n", "s.csv has no rows; expected one for every sample."),
        (
            "s.csv",
            b"prediction,\xff",
            "s.csv, line 1: byte 12 of the line is 0xff, which is not UTF-8; save the file as "
            "UTF-8.",
        ),
        (
            "s.csv",
            'prediction,reference\n"a',
            "s.csv, line 2: not valid CSV: unexpected end of data. A field that begins with a "
            "quotation mark ends with one; those inside it are doubled.",
        ),
        (
            "s.csv",
            "prediction,reference,reference\n1,2,3",
            "s.csv, line 1: more than one column is named 'reference'; rename all but one of them "
            "in the file, or name another with the menus above. Columns: 'prediction', "
            "'reference', 'reference'.",
        ),
        (
            "s.csv",
            "prediction,reference\na,b\na,b,c",
            "s.csv, line 3: the row has 3 fields; the header has 2. Put a text that holds a "
            "delimiter between double quotes.",
        ),
        (
            "s.tsv",
            "prediction\ttarget\na\tb",
            "s.tsv, line 1: no column is named 'reference'; name one with the menus above. "
            "Columns: 'prediction', 'target'.",
        ),
        (
            "s.csv",
            "prediction,reference\na,[]",
            "s.csv, line 2: 'reference' is [], which looks like a list; " + LISTS,
        ),
        (
            "s.csv",
            'prediction,reference\na,"[""b"", null]"',
            "s.csv, line 2: 'reference' is [\"b\", null], which looks like a list; " + LISTS,
        ),
        (
            "s.csv",
            "prediction,reference\na,\"['b', 'c']\"",
            "s.csv, line 2: 'reference' is ['b', 'c'], which looks like a list; " + LISTS,
        ),
        (
            "s.tsv",
            "prediction\treference\n['a']\tb",
            "s.tsv, line 2: 'prediction' is ['a'], which looks like a list; expected a text; take "
            "one text of the list, without brackets and quotation marks.",
        ),
        (
            "s.jsonl",
            b"\xff",
            "s.jsonl, line 1: byte 1 of the line is 0xff, which is not UTF-8; save the file as "
            "UTF-8.",
        ),
        (
            "s.jsonl",
            GOOD + "{'a'",
            "s.jsonl, line 2: not valid JSON: Expecting property name enclosed in double quotes "
            "(column 2).",
        ),
        (
            "s.jsonl",
            GOOD + "[]",
            "s.jsonl, line 2: the line is a list; expected an object, as in line 1.",
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": 5, "reference": "a"}',
            "s.jsonl, line 2: 'prediction' is 5; expected a text.",
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": "a", "reference": ["a", 1.5]}',
            "s.jsonl, line 2: 'reference'[1] is 1.5; expected a text.",
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": "a"}',
            "s.jsonl, line 2: the object has no 'reference'.",
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
    assert refuse().startswith(
        "s.parquet: not a readable Parquet file: Parquet magic bytes not found"
    )
    pq.write_table(pa.table({"prediction": ["a", None], "reference": [["a"], ["b"]]}), path)
    assert refuse() == (
        "s.parquet, line 2: 'prediction' is null; expected a text. Fill it in, or leave the sample "
        "out."
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
            "r.txt has 1 line, and another file has more; expected one line for every sample in "
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
