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
from bleu_rouge_metric.cli import folders as shard_counts
from bleu_rouge_metric.cli.command import app
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.scoring.results import flatten, scale

from ..support.commands import (
    PREDICTIONS,
    REFERENCES,
    SAMPLES,
    error,
    invoke,
    run_in_process,
    score,
    score_json,
)

pytestmark = pytest.mark.usefixtures("examples_folder")

LABELS = [("law | x", "[bold]news", "law | x", "a\nb")[index % 4] for index in range(len(SAMPLES))]


def write_labelled() -> None:
    """Write the samples with labels to a file, and to a folder of two."""
    rows = zip(SAMPLES, LABELS, strict=True)
    lines = [json.dumps({**sample, "topic": label}) for sample, label in rows]
    Path("labelled.jsonl").write_text("\n".join(lines))
    Path("folder").mkdir()
    Path("folder/1.jsonl").write_text("\n".join(lines[:3]))
    Path("folder/2.jsonl").write_text("\n".join(lines[3:]))


@pytest.mark.parametrize("path", ["labelled.jsonl", "folder"])
@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        (["--family", "bleu", "--profile", "sacrebleu", "--signature"],
         {"family": "bleu", "profile": "sacrebleu", "signature": True}),
        (["--family", "rouge", "--confidence", "0.9", "--seed", "3", "--detailed"],
         {"family": "rouge", "confidence": 0.9, "detailed": True}),
        (["--no-aggregator", "--sentence-bleu"], {"use_aggregator": False, "sentence_bleu": True}),
    ],
)  # fmt: skip
def test_scores_and_groups_are_those_of_python(
    path: str, flags: list[str], options: dict[str, Any], recwarn: pytest.WarningsRecorder
) -> None:
    write_labelled()
    scorer = Scorer(seed=3 if "confidence" in options else None, **options)
    scorer.update(PREDICTIONS, REFERENCES)
    expected: Any = scorer.result(groups=LABELS)
    recwarn.clear()
    found = score_json(path, "--group-by", "topic", *flags)
    assert found == expected
    assert list(found["groups"]) == list(dict.fromkeys(LABELS))
    if "signature" not in options:
        percent = score_json(path, "--group-by", "topic", "--percent", *flags)
        assert percent == scale(expected, 100)
    if "sentence_bleu" in options:
        return
    header, *rows = csv.reader(
        io.StringIO(score(path, "--group-by", "topic", "--format", "csv", *flags))
    )
    assert header == ["score", "value", "group"]
    for label, scores in {"": expected, **expected.pop("groups")}.items():
        signed = [["signature", scores.pop("signature")]] if "signature" in scores else []
        numbers = [[name, str(value)] for name, value in flatten(scores).items()]
        assert [row[:2] for row in rows if row[2] == label] == numbers + signed


def test_shards_and_portions_keep_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    write_labelled()
    flags = ["--sentence-bleu", "--no-aggregator", "--signature"]
    expected = score_json("samples.jsonl", *flags)
    monkeypatch.setattr(shards, "SHARD_BYTES", 1)
    monkeypatch.setattr(shard_counts, "_ROWS", 1)
    assert score_json("folder", *flags) == expected


def test_more_samples_than_a_portion_give_the_scores_of_all() -> None:
    predictions = [f"sample {number} of {number % 7}" for number in range(2500)]
    references = [f"sample {number} of {number % 5}" for number in range(2500)]
    Path("p.txt").write_text("\n".join(predictions), "utf-8")
    Path("r.txt").write_text("\n".join(references), "utf-8")
    scores = score_json("p.txt", "r.txt", "--no-aggregator", "--rouge-type", "rouge2")
    expected = rouge_scores(predictions, references, rouge_types=["rouge2"])["rouge2"].fmeasure
    assert scores["rouge2"] == expected.tolist()
    assert scores["bleu"] == bleu_score(predictions, references).bleu


@pytest.mark.parametrize(("name", "share"), [("p.txt", 1.5), ("data", 0.2)])
def test_scoring_holds_little_more_than_the_texts(
    name: str,
    share: float,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = [f"sample {number} " + "has words and words " * 20 for number in range(6000)]
    Path("p.txt").write_text("\n".join(texts), "utf-8")
    Path("r.txt").write_text("\n".join(reversed(texts)), "utf-8")
    Path("data").mkdir()
    rows = [json.dumps({"prediction": text, "reference": text}) for text in texts]
    for part in range(4):
        Path(f"data/{part}.jsonl").write_text("\n".join(rows), "utf-8")
    size = 2 * sum(map(sys.getsizeof, texts)) * (4 if name == "data" else 1)
    files = [name, *(["r.txt"] if name == "p.txt" else [])]
    flags = ["--max-order", "1", "--rouge-type", "rouge1"]
    run_in_process(monkeypatch, "score", "samples.jsonl", *flags)  # imports
    monkeypatch.setattr(shard_counts, "_CHARACTERS", 1 << 18)
    tracemalloc.start()
    try:
        run_in_process(monkeypatch, "score", *files, *flags, "--per-sample", "s.csv")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "rouge1" in capsys.readouterr().out
    assert peak < share * size


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


def test_a_warning_about_texts_of_a_folder_is_that_of_files() -> None:
    Path("data").mkdir()
    row = json.dumps({"prediction": "我爱你。他来了。", "reference": "One sat. It ran."}) + "\n"
    Path("data/a.jsonl").write_text(row * 3, "utf-8")
    flags = ["--family", "rouge", "--format", "json"]
    one, all_ = (invoke("score", path, *flags) for path in ("data/a.jsonl", "data"))
    assert all_.stdout == one.stdout
    assert "The 'rouge' tokenizer leaves nothing" in all_.stderr
    assert "one sentence per line" in all_.stderr


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
