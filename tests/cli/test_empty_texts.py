"""Empty cells and lines of files are one warning for each column, with the first row."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.empty_texts import warn_of_empty_texts

from ..support.commands import invoke

REST = "; nothing matches an empty text.\n"
OPTIONS = ["--rouge-type", "rouge1", "--family", "rouge"]


def warn(*arguments: str, command: str = "score") -> str:
    """Return what a command that succeeds prints on standard error."""
    result = invoke(command, *arguments)
    assert result.exit_code == 0
    return result.stderr


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a b", "a b"), ("", "c"), ("d", "d")], f"1 of 3 predictions is empty, row 2{REST}"),
        (
            [("a", "a"), ("", "c"), (" ", "d")],
            f"2 of 3 predictions are empty, first in row 2{REST}",
        ),
        ([("a", "a"), ("b", "c"), ("d", "")], f"1 of 3 rows has an empty reference, row 3{REST}"),
    ],
)
def test_cells_of_a_table(tmp_path: Path, rows: list[tuple[str, str]], message: str) -> None:
    for name, separator in (("samples.csv", ","), ("samples.tsv", "\t")):
        path = tmp_path / name
        lines = [("prediction", "reference"), *rows]
        path.write_text("".join(f"{separator.join(row)}\n" for row in lines))
        assert warn(str(path), *OPTIONS) == f"bleu-rouge: warning: {message}"


def test_one_of_several_references(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    rows = [("a", ["a", "b"]), ("b", ["", " "]), ("c", ["c", ""])]
    path.write_text("".join(json.dumps({"prediction": p, "references": r}) + "\n" for p, r in rows))
    expected = f"2 of 3 rows have an empty reference, first in row 2{REST}"
    assert warn(str(path), *OPTIONS) == f"bleu-rouge: warning: {expected}"


def test_lines_of_text(tmp_path: Path) -> None:
    for name in ("predictions.txt", "references.txt"):
        (tmp_path / name).write_text("a b\n\nc\n")
    paths = [str(tmp_path / name) for name in ("predictions.txt", "references.txt")]
    assert warn(*paths, *OPTIONS) == (
        f"bleu-rouge: warning: 1 of 3 predictions is empty, row 2{REST}"
        f"bleu-rouge: warning: 1 of 3 rows has an empty reference, row 2{REST}"
    )


def test_the_rows_of_a_folder_are_counted(tmp_path: Path) -> None:
    for name, prediction in (("1.jsonl", "a"), ("2.jsonl", ""), ("3.jsonl", " ")):
        row = {"prediction": prediction, "reference": ["a", ""]}
        (tmp_path / name).write_text(json.dumps(row) + "\n")
    assert warn(str(tmp_path), *OPTIONS) == (
        f"bleu-rouge: warning: 2 of 3 predictions are empty{REST}"
        f"bleu-rouge: warning: 3 of 3 rows have an empty reference{REST}"
    )


def test_letters_of_a_folder(tmp_path: Path) -> None:
    row = {"prediction": "Die Prüfung für Gäste", "reference": "Sie hört zu"}
    for name in ("1.jsonl", "2.jsonl"):
        (tmp_path / name).write_text(json.dumps(row) + "\n")
    assert warn(str(tmp_path), *OPTIONS) == (
        "bleu-rouge: warning: The 'rouge' tokenizer keeps only ASCII letters and digits, so that "
        "words with other letters lose letters; use --rouge-tokenizer unicode, which finds the "
        "words of every language.\n"
    )


def test_bleu_of_a_folder_and_of_a_file(tmp_path: Path) -> None:
    row = {"prediction": "a b c", "reference": "a b c"}
    path = tmp_path / "1.jsonl"
    path.write_text(json.dumps(row) + "\n")
    for given in (path, tmp_path):
        assert warn(str(given), "--family", "bleu") == (
            "bleu-rouge: warning: BLEU is 0: the prediction is too short for a 4-gram; use "
            "--effective-order, or --max-order 3.\n"
        )


def test_the_system_is_named(tmp_path: Path) -> None:
    path = tmp_path / "systems.csv"
    path.write_text("one,two,reference\na b,a,a b\nc,,c\nd,d,d\n")
    arguments = [str(path), "--system-columns", "one", "--system-columns", "two", "--resamples", "9"]
    assert f"warning: 1 of 3 predictions of 'two' is empty, row 2{REST}" in warn(
        *arguments, *OPTIONS, command="compare"
    )


def test_references_that_systems_share_are_one_warning(tmp_path: Path) -> None:
    path = tmp_path / "systems.csv"
    path.write_text("one,two,reference\na b,a,a b\nc,d,\nd,d,d\n")
    arguments = [str(path), "--system-columns", "one,two", "--resamples", "9", *OPTIONS]
    lines = warn(*arguments, command="compare").splitlines(keepends=True)
    found = [line for line in lines if "empty" in line]
    assert found == [f"bleu-rouge: warning: 1 of 3 rows has an empty reference, row 2{REST}"]


@pytest.mark.parametrize("make", [list, pa.array])
def test_texts_of_python_and_of_arrow(make: Callable[[list[str]], Any]) -> None:
    samples = check_samples(make(["a", " ", ""]), make(["", "b", "c"]))
    with pytest.warns(UserWarning) as caught:  # noqa: PT030 - all texts are compared
        warn_of_empty_texts(samples)
    assert [f"{warning.message}\n" for warning in caught] == [
        f"2 of 3 predictions are empty, first in row 2{REST}",
        f"1 of 3 rows has an empty reference, row 1{REST}",
    ]


def test_full_tables_are_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_text("prediction,reference\na b,a\nc,c\n")
    assert warn(str(path), *OPTIONS) == ""
