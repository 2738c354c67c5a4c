"""Which files the command takes: one with both columns, a folder, other encodings."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.cli import shards as shard_counts
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.scoring.results import scale

from ..support.commands import (
    FIRST_REFERENCES,
    PREDICTIONS,
    SAMPLES,
    invoke,
    run_in_process,
    score,
    score_json,
)

pytestmark = pytest.mark.usefixtures("examples_folder")

ALL = ["--sentence-bleu", "--no-aggregator", "--signature"]


def write_folder(name: str = "data") -> None:
    """The samples of the examples in a folder of three files."""
    folder = Path(name)
    folder.mkdir()
    rows = [json.dumps(sample) + "\n" for sample in SAMPLES]
    (folder / "a.jsonl").write_text("".join(rows[:2]), "utf-8")
    (folder / "b.jsonl.gz").write_bytes(gzip.compress("".join(rows[2:3]).encode()))
    parquet.write_table(pa.Table.from_pylist(SAMPLES[3:]), folder / "c.parquet")


def write_csv(path: str, encoding: str, delimiter: str) -> None:
    rows = [f'"{p}"{delimiter}"{r}"' for p, r in zip(PREDICTIONS, FIRST_REFERENCES, strict=True)]
    rows = [f"prediction{delimiter}reference", *rows, f'"façade"{delimiter}"façades"']
    Path(path).write_bytes("\n".join(rows).encode(encoding))


def test_a_file_with_both_columns_is_named_once() -> None:
    expected = score_json("samples.jsonl", "samples.jsonl", *ALL)
    assert score_json("samples.jsonl", *ALL) == expected
    parquet.write_table(pa.Table.from_pylist(SAMPLES), "samples.parquet")
    assert score_json("samples.parquet", *ALL) == expected
    columns = ["--prediction-column", "prediction", "--reference-column", "references"]
    assert score_json("samples.jsonl", *columns, *ALL) == expected
    comparison = invoke("compare-profiles", "samples.jsonl", "--format", "json")
    assert json.loads(comparison.stdout)["scores"]["hf"]["bleu"] == expected["bleu"]


def test_standard_input_serves_both_columns() -> None:
    expected = score_json("samples.jsonl", "samples.jsonl", *ALL)
    lines = Path("samples.jsonl").read_bytes()
    for files in (["-"], ["-", "-"]):
        assert score_json(*files, "--stdin-format", "jsonl", *ALL, stdin=lines) == expected
    parquet.write_table(pa.Table.from_pylist(SAMPLES), "samples.parquet")
    content = Path("samples.parquet").read_bytes()
    assert score_json("-", "--stdin-format", "parquet", *ALL, stdin=content) == expected


@pytest.mark.parametrize("arguments", [["data"], ["data", "data/"], ["./data"]])
def test_a_folder_has_the_scores_of_its_files(arguments: list[str]) -> None:
    write_folder()
    expected = score("samples.jsonl", "--format", "json", *ALL, "--per-sample", "one.csv")
    found = score(*arguments, "--format", "json", *ALL, "--per-sample", "all.csv")
    assert found == expected
    assert Path("all.csv").read_bytes() == Path("one.csv").read_bytes()


def test_shards_and_portions_keep_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder()
    expected = score_json("samples.jsonl", *ALL)
    monkeypatch.setattr(shards, "SHARD_BYTES", 1)
    monkeypatch.setattr(shard_counts, "_ROWS", 1)
    assert score_json("data", *ALL) == expected


def test_a_folder_need_not_fit_into_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("data").mkdir()
    text = "has words and words " * 500
    row = json.dumps({"prediction": text, "reference": f"{text} and ends"}) + "\n"
    for name in ("a", "b"):
        Path(f"data/{name}.jsonl").write_text(row * 1000, "utf-8")
    size = sum(path.stat().st_size for path in Path("data").iterdir())
    flags = ["--max-order", "1", "--rouge-type", "rouge1"]
    run_in_process(monkeypatch, "score", "samples.jsonl", *flags)  # imports
    monkeypatch.setattr(shard_counts, "_CHARACTERS", 1 << 20)
    tracemalloc.start()
    try:
        run_in_process(monkeypatch, "score", "data", *flags)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "rouge1" in capsys.readouterr().out
    assert peak < size / 5


def test_a_warning_about_texts_of_a_folder_is_that_of_files() -> None:
    Path("data").mkdir()
    row = json.dumps({"prediction": "我爱你。他来了。", "reference": "One sat. It ran."}) + "\n"
    Path("data/a.jsonl").write_text(row * 3, "utf-8")
    flags = ["--family", "rouge", "--format", "json"]
    one, all_ = (invoke("score", path, *flags) for path in ("data/a.jsonl", "data"))
    assert all_.stdout == one.stdout
    assert "The 'rouge' tokenizer leaves nothing" in all_.stderr
    assert "one sentence per line" in all_.stderr


@pytest.mark.parametrize("delimiter", [",", ";", "tab"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "latin-1", "cp1252"])
def test_encoding_and_delimiter_are_those_that_are_named(encoding: str, delimiter: str) -> None:
    write_csv("plain.csv", "utf-8", ",")
    expected = score_json("plain.csv", *ALL)
    write_csv("other.csv", encoding, "\t" if delimiter == "tab" else delimiter)
    flags = ["--encoding", encoding, "--delimiter", delimiter]
    assert score_json("other.csv", *flags, *ALL) == expected
    content = Path("other.csv").read_bytes()
    assert score_json("-", "--stdin-format", "csv", *flags, *ALL, stdin=content) == expected
    Path("other.csv.gz").write_bytes(gzip.compress(content))
    assert score_json("other.csv.gz", *flags, *ALL) == expected


def test_the_encoding_is_that_of_plain_text_and_json_too() -> None:
    texts = "é\nü\x85b\n"
    rows = "".join(
        json.dumps({"prediction": text, "reference": "é"}, ensure_ascii=False) + "\n"
        for text in ("é", "ü\x85b")
    )
    Path("p.txt").write_text(texts, "utf-8", newline="\n")
    Path("r.txt").write_text("é\né\n", "utf-8")
    expected = score_json("p.txt", "r.txt", "--tokenizer", "char", *ALL)
    Path("p16.txt").write_bytes(texts.encode("utf-16"))
    Path("r16.txt").write_bytes("é\né\n".encode("utf-16"))
    Path("s16.jsonl").write_bytes(rows.encode("utf-16"))
    flags = ["--tokenizer", "char", "--encoding", "utf-16", *ALL]
    assert score_json("p16.txt", "r16.txt", *flags) == expected
    assert score_json("s16.jsonl", *flags) == expected


@pytest.mark.parametrize("flags", [ALL, ["--family", "rouge", "--detailed"]])
def test_percent_multiplies_scores_alone(flags: list[str]) -> None:
    plain = score_json("samples.jsonl", *flags, "--per-sample", "plain.jsonl")
    found = score_json("samples.jsonl", *flags, "--percent", "--per-sample", "percent.jsonl")
    assert found == scale(plain, 100)
    names = "plain.jsonl", "percent.jsonl"
    rows, scaled = (list(map(json.loads, Path(name).read_text().splitlines())) for name in names)
    for row in rows:
        row |= {name: value * 100 for name, value in row.items() if name != "index"}
    assert scaled == rows


def test_percentages_stay_as_they_are() -> None:
    flags = ["--profile", "sacrebleu", "--per-sample"]
    plain = score_json("samples.jsonl", *flags, "plain.csv")
    assert score_json("samples.jsonl", *flags, "percent.csv", "--percent") == plain
    assert Path("plain.csv").read_bytes() == Path("percent.csv").read_bytes()
