"""The command: the same scores as the library, and one line and exit status 2 for every fault."""

import csv
import gzip
import io
import json
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import evaluate
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer, bleu_score, rouge_scores
from bleu_rouge_metric.cli.command import app

from ..support.commands import (
    FIRST_REFERENCES,
    PREDICTIONS,
    REFERENCES,
    SAMPLES,
    error,
    run_in_process,
    score,
    score_json,
)

pytestmark = pytest.mark.usefixtures("examples_folder")


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        (
            ["--use-stemmer", "--detailed", "--max-order", "2", "--smooth", "add-one"],
            {"use_stemmer": True, "detailed": True, "max_order": 2, "smooth": True},
        ),
        (
            ["--sentence-bleu", "--no-aggregator", "--signature"],
            {"sentence_bleu": True, "use_aggregator": False, "signature": True},
        ),
        (
            ["--aggregator", "bootstrap", "--n-resamples", "20", "--seed", "7"],
            {"aggregator": "bootstrap", "n_resamples": 20},
        ),
    ],
)
def test_json_is_what_compute_returns(
    flags: list[str], options: dict[str, Any], metric: evaluate.Metric
) -> None:
    metric.seed = 7
    expected = metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options)
    printed = score("samples.jsonl", "samples.jsonl", *flags, "--format", "json")
    assert list(json.loads(printed).items()) == list(expected.items())
    assert printed.count("\n") == 1


def test_standard_input_and_gzip_give_the_same_scores() -> None:
    expected = score_json("samples.jsonl", "samples.jsonl")
    lines = Path("samples.jsonl").read_bytes()
    assert score_json("-", "samples.jsonl", "--stdin-format", "jsonl", stdin=lines) == expected
    assert score_json("predictions.txt", "-", "--stdin-format", "jsonl", stdin=lines) == expected
    text = Path("predictions.txt").read_bytes()
    assert score_json("-", "samples.jsonl", stdin=text) == expected
    Path("predictions.txt.gz").write_bytes(gzip.compress(text))
    assert score_json("predictions.txt.gz", "samples.jsonl") == expected


def test_columns_and_several_files_of_references_give_the_same_scores() -> None:
    with Path("samples.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["output", "gold"])
        writer.writerows(zip(PREDICTIONS, FIRST_REFERENCES, strict=True))
    columns = ["--prediction-column", "output", "--reference-column", "gold"]
    expected = score_json("predictions.txt", "references.txt")
    assert score_json("samples.csv", "samples.csv", *columns) == expected
    twice = score_json("predictions.txt", "references.txt", "samples.csv", *columns[2:])
    assert twice == expected


def test_more_samples_than_a_portion_give_the_scores_of_all() -> None:
    predictions = [f"sample {number} of {number % 7}" for number in range(2500)]
    references = [f"sample {number} of {number % 5}" for number in range(2500)]
    Path("p.txt").write_text("\n".join(predictions), "utf-8")
    Path("r.txt").write_text("\n".join(references), "utf-8")
    scores = score_json("p.txt", "r.txt", "--no-aggregator", "--rouge-type", "rouge2")
    expected = rouge_scores(predictions, references, rouge_types=["rouge2"])["rouge2"].fmeasure
    assert scores["rouge2"] == expected.tolist()
    assert scores["bleu"] == bleu_score(predictions, references).bleu


def test_scoring_holds_little_more_than_the_texts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [f"sample {number} " + "has words and words " * 20 for number in range(6000)]
    Path("p.txt").write_text("\n".join(texts), "utf-8")
    Path("r.txt").write_text("\n".join(reversed(texts)), "utf-8")
    size = 2 * sum(map(sys.getsizeof, texts))
    flags = ["--max-order", "1", "--rouge-type", "rouge1", "--per-sample", "s.csv"]
    run_in_process(monkeypatch, "score", "predictions.txt", "references.txt", *flags)  # imports
    tracemalloc.start()
    try:
        run_in_process(monkeypatch, "score", "p.txt", "r.txt", *flags)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "rouge1" in capsys.readouterr().out
    assert peak < 1.5 * size


def read_rows(name: str) -> list[dict[str, Any]]:
    """Read the rows of a file; numbers become floats."""
    if name.endswith(".parquet"):
        rows: list[dict[str, Any]] = parquet.read_table(name).to_pylist()
        return rows
    content = Path(name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    if ".jsonl" in name:
        return [json.loads(line) for line in text.splitlines()]
    reader = csv.DictReader(io.StringIO(text), delimiter="\t" if ".tsv" in name else ",")
    return [{key: json.loads(value) for key, value in row.items()} for row in reader]


@pytest.mark.parametrize(
    "name", ["s.csv", "s.tsv", "s.jsonl", "s.parquet", "s.csv.gz", "s.tsv.gz", "s.jsonl.gz"]
)
@pytest.mark.parametrize("is_detailed", [False, True])
def test_per_sample_writes_one_row_a_sample(
    name: str, metric: evaluate.Metric, *, is_detailed: bool
) -> None:
    flags = ["--detailed"] * is_detailed
    printed = score("samples.jsonl", "samples.jsonl", "--per-sample", name, *flags)
    assert printed == score("samples.jsonl", "samples.jsonl", *flags)
    expected = metric.compute(
        predictions=PREDICTIONS,
        references=REFERENCES,
        sentence_bleu=True,
        use_aggregator=False,
        detailed=is_detailed,
    )
    columns = {"index": list(range(len(SAMPLES))), "sentence_bleu": expected["sentence_bleu"]}
    for rouge_type in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
        if is_detailed:
            for part, values in expected[rouge_type].items():
                columns[f"{rouge_type}_{part}"] = values
        else:
            columns[rouge_type] = expected[rouge_type]
    rows = read_rows(name)
    assert [list(row) for row in rows] == [list(columns)] * len(SAMPLES)
    assert [list(row.values()) for row in rows] == list(
        map(list, zip(*columns.values(), strict=True))
    )


def test_per_sample_holds_the_family_alone_and_not_the_resamples() -> None:
    files = ["samples.jsonl", "samples.jsonl"]
    score(*files, "--family", "bleu", "--per-sample", "bleu.csv", "--smooth", "exp")
    assert list(read_rows("bleu.csv")[0]) == ["index", "sentence_bleu"]
    score(*files, "--family", "rouge", "--per-sample", "rouge.csv", "--aggregator", "bootstrap")
    rows = read_rows("rouge.csv")
    assert list(rows[0]) == ["index", "rouge1", "rouge2", "rougeL", "rougeLsum"]
    expected = rouge_scores(PREDICTIONS, REFERENCES)["rouge1"].fmeasure.tolist()
    assert [row["rouge1"] for row in rows] == expected


def test_a_text_that_cannot_be_counted_is_one_line() -> None:
    Path("long.txt").write_text("a " * 65_536, "utf-8")
    Path("short.txt").write_text("a b\n", "utf-8")
    line = error("long.txt", "short.txt", "--family", "rouge", "--rouge-type", "rougeW")
    assert line == (
        "bleu-rouge: long.txt: A sentence has more than 65535 tokens, the most that ROUGE-W "
        f"counts: of the prediction that begins with '{'a ' * 20}', or of its reference that "
        "begins with 'a b'. Split it into lines, or leave 'rougeW' out."
    )


@pytest.mark.parametrize("function", ["update_counts", "result"])
def test_an_error_of_the_program_keeps_its_traceback(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(Scorer, function, fail)
    with pytest.raises(ValueError, match=r"^a bug$"):
        app(["score", "samples.jsonl", "samples.jsonl"], standalone_mode=False)
