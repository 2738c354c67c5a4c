"""The functions behind the page of ``app.py``: scores, files, and every message."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .conftest import require
from .pages import OPTIONS, PREDICTION, REFERENCE, SAMPLES, bleu_table, rouge_table, write_samples


@pytest.fixture(scope="module")
def page() -> Any:
    require("gradio")
    from space import scores

    return scores


def pair(page: Any, prediction: str, *references: str, options: tuple[Any, ...] = OPTIONS) -> Any:
    boxes = [*references, "", "", "", ""][: page.MAX_REFERENCES]
    return page.score_pair(prediction, len(references), *boxes, *options)


def test_a_pair_has_the_scores_of_the_metric(page: Any, metric: evaluate.Metric) -> None:
    scores = metric.compute(
        predictions=[PREDICTION],
        references=[[REFERENCE, "Paris, France"]],
        rouge_types=["rouge1", "rouge2"],
        detailed=True,
    )
    bleu, rouge, digits = pair(page, PREDICTION, REFERENCE, "Paris, France")
    assert bleu == bleu_table(scores)
    assert rouge == rouge_table(scores)
    assert json.loads(digits) == scores


def test_requests_share_nothing(page: Any) -> None:
    texts = [" ".join(["a"] * (1 + n % 7) + ["b"] * (n % 5)) for n in range(200)]
    alone = [pair(page, text, "a a b b a") for text in texts]
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda text: pair(page, text, "a a b b a"), texts)) == alone


@pytest.mark.parametrize(
    ("prediction", "references", "options", "message"),
    [
        ("a", [""], {}, "Reference 1 is empty; type a text, or choose fewer references."),
        ("a", ["a", " \n"], {}, "Reference 2 is empty; type a text, or choose fewer references."),
        (
            "a" * 20_001,
            ["a"],
            {},
            "The prediction has 20,001 characters; this page scores texts of up to 20,000 "
            "characters.",
        ),
        (
            "a",
            ["a", "b" * 30_000],
            {},
            "Reference 2 has 30,000 characters; this page scores texts of up to 20,000 characters.",
        ),
        (
            "a",
            ["a"],
            {"rouge_types": []},
            "rouge_types is empty; expected at least one type, such as 'rouge1'.",
        ),
        (
            "a",
            ["a"],
            {"use_stemmer": True, "rouge_tokenizer": "13a"},
            "The stemmer works with the ROUGE tokenizer 'rouge' alone; choose that tokenizer, or "
            "untick the stemmer.",
        ),
    ],
)
def test_what_is_wrong_with_a_pair_is_said(
    page: Any, prediction: str, references: list[str], options: dict[str, Any], message: str
) -> None:
    choices = page.Choices(*OPTIONS)._replace(**options)
    with pytest.raises(page.InputError) as caught:
        pair(page, prediction, *references, options=choices)
    assert str(caught.value) == message


GOOD = '{"prediction": "a", "reference": "a"}\n'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "s.txt",
            "a",
            "s.txt is of an unknown kind; expected a name that ends in .csv, .tsv, .jsonl, "
            ".parquet.",
        ),
        ("s.csv", "", "s.csv has no rows; expected one for every sample."),
        ("s.csv", "prediction,reference\n", "s.csv has no rows; expected one for every sample."),
        (
            "s.csv",
            b"prediction,\xff",
            "s.csv is not UTF-8 text; save it as UTF-8 and upload it again.",
        ),
        ("s.csv", 'prediction\n"a', "s.csv cannot be read: line 2, unexpected end of data."),
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
            "Row 1, column 'reference': the list is empty; every sample needs a reference.",
        ),
        (
            "s.csv",
            'prediction,reference\na,"[""b"", null]"',
            "Row 1, column 'reference': the value is missing; fill it in, or remove the row.",
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
            "Line 3 of s.jsonl is no JSON object; expected one such as "
            '{"prediction": "…", "reference": "…"}.',
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": 5, "reference": "a"}',
            "Row 2, column 'prediction': 5 is no text but of type int; write it as a text, for "
            "nothing is converted.",
        ),
        (
            "s.jsonl",
            GOOD + '{"prediction": "a", "reference": ["a", 1.5]}',
            "Row 2, column 'reference': 1.5 is no text but of type float; write it as a text, for "
            "nothing is converted.",
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
        ("s.jsonl", GOOD * 10_001, "s.jsonl has 10,001 rows; this page scores up to 10,000 rows."),
        ("s.csv", "a" * 20_100_000, "s.csv has 20.1 MB; this page reads files of up to 20 MB."),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    page: Any, tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(page.InputError) as caught:
        page.score_file(str(path), "prediction", "reference", "BLEU", *OPTIONS)
    assert str(caught.value) == message


def test_what_is_wrong_with_a_parquet_file_is_said(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"

    def read() -> str:
        with pytest.raises(page.InputError) as caught:
            page.read_samples(path, "prediction", "reference")
        return str(caught.value)

    path.write_text("no Parquet")
    assert read().startswith("s.parquet cannot be read as Parquet: Parquet magic bytes not found")
    pq.write_table(pa.table({"prediction": ["a", None], "reference": [["a"], ["b"]]}), path)
    assert (
        read() == "Row 2, column 'prediction': the value is missing; fill it in, or remove the row."
    )
    pq.write_table(pa.table({"prediction": ["a"] * 10_001}), path)
    assert read() == "s.parquet has 10,001 rows; this page scores up to 10,000 rows."


def test_no_file_is_said(page: Any) -> None:
    with pytest.raises(page.InputError) as caught:
        page.score_file(None, "prediction", "reference", "BLEU", *OPTIONS)
    message = "There is no file yet; upload a CSV, TSV, JSONL or Parquet file first."
    assert str(caught.value) == message


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_file_of_every_kind_is_read(page: Any, tmp_path: Path, suffix: str) -> None:
    samples = page.read_samples(write_samples(tmp_path, suffix), "prediction", "reference")
    assert list(zip(*samples, strict=True)) == SAMPLES


@pytest.mark.parametrize(
    "text", ["NA", "null", "007", "2024-01-01", "[1]", "[Music]", "true", "[["]
)
def test_a_cell_is_the_text_that_it_is(page: Any, tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(f"prediction,reference\n{text},{text}\n")
    assert page.read_samples(path, "prediction", "reference") == ([text], [[text]])


def test_a_lone_surrogate_is_scored_and_shown(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(r'{"prediction": "a \ud800", "reference": "a \ud800"}')
    table = page.score_file(str(path), "prediction", "reference", "rouge1", *OPTIONS)[4]
    assert table.to_numpy().tolist() == [[1, "a ?", "0.0000", "1.0000", "0.0000"]]


def test_the_histogram_counts_every_sample_once(page: Any) -> None:
    scores = [0.0, 0.05, 0.1, 0.3, 0.95, 1.0]
    histogram = page.plot_histogram({"rouge1": scores}, "rouge1")
    assert histogram["samples"].tolist() == [2, 1, 0, 1, 0, 0, 0, 0, 0, 2]
    assert histogram["score"].tolist()[:: page.BINS - 1] == ["0.0–0.1", "0.9–1.0"]
