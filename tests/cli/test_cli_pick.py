"""``bleu-rouge pick``: one of several candidates, by consensus or by references."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import Result
from pyarrow import parquet

from bleu_rouge_metric.analysis.pairs.candidates import select_best, select_consensus

from ..support.commands import invoke

pytestmark = pytest.mark.usefixtures("own_folder")

GROUPS = [["a dog ran", "the cat sat", "a cat sat"], ["é one"], ["x y", "x y z", "x y"]]
REFERENCES = [["the cat sat down", "a dog ran off"], ["é two"], ["x y z"]]
TOTAL = 7
HOW = {
    "consensus": "by their mean {} against each other (minimum Bayes risk)",
    "best": "by their {} against the references (best of n)",
}


def write(name: str, **columns: Sequence[Any]) -> None:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write("alone.jsonl", id=[1, 2, 3], candidates=GROUPS)
    write("both.jsonl", candidates=GROUPS, references=REFERENCES)


def pick(*arguments: str, stdin: bytes | None = None) -> Result:
    result = invoke("pick", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result


def read(text: str) -> list[dict[str, Any]]:
    return list(map(json.loads, text.splitlines()))


def summarize(method: str, score: str) -> str:
    return f"bleu-rouge: picked 3 of {TOTAL} candidates {HOW[method].format(score)}.\n"


def choose(method: str, score: str, **options: Any) -> list[dict[str, Any]]:
    """Return what Python chooses."""
    chosen: Any
    if method == "best":
        chosen = select_best(GROUPS, REFERENCES, score, **options)
        scores = chosen.scores
    else:
        chosen = select_consensus(GROUPS, score, **options)
        scores = chosen.expected
    return [
        {"index": index, "text": text, "score": values[index]}
        for index, text, values in zip(chosen.index.tolist(), chosen.texts, scores, strict=True)
    ]


@pytest.mark.parametrize("score", ["bleu", "rougeL", "google_bleu"])
@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("consensus", ["alone.jsonl"]),
        ("consensus", ["both.jsonl", "--method", "consensus"]),
        ("best", ["both.jsonl"]),
        ("best", ["both.jsonl", "--method", "BEST", "--reference-column", "references"]),
        ("best", ["both.jsonl", "--reference-column", "references"]),
    ],
)
def test_candidates_are_those_that_python_chooses(
    method: str, arguments: list[str], score: str
) -> None:
    result = pick(*arguments, "--score", score)
    assert read(result.stdout) == choose(method, score)
    assert result.stderr == summarize(method, score)


def test_options_reach_the_scores() -> None:
    flags = ("--score", "rouge1", "--stemmer", "english", "--tokenizer", "unicode")
    expected = choose("best", "rouge1", use_stemmer="english", tokenizer="unicode")
    assert read(pick("both.jsonl", *flags).stdout) == expected


def test_texts_alone_are_one_per_line() -> None:
    result = pick("alone.jsonl", "--format", "text", "--score", "rouge1")
    texts = [row["text"] for row in choose("consensus", "rouge1")]
    assert result.stdout == "".join(f"{text}\n" for text in texts)


def test_a_file_gets_what_standard_output_gets() -> None:
    for flags in (["--format", "jsonl"], ["--format", "text"], []):
        expected = pick("both.jsonl", *flags)
        result = pick("both.jsonl", *flags, "--output", "picked.txt")
        assert (result.stdout, result.stderr) == ("", expected.stderr)
        assert Path("picked.txt").read_bytes() == expected.stdout_bytes


def test_other_formats_have_lists_too() -> None:
    expected = pick("both.jsonl").stdout
    stdin = Path("both.jsonl").read_bytes()
    assert pick("-", "--stdin-format", "jsonl", stdin=stdin).stdout == expected
    rows = [json.loads(line) for line in stdin.splitlines()]
    Path("b.json").write_text(json.dumps(rows), "utf-8")
    parquet.write_table(pa.table({"candidates": GROUPS, "references": REFERENCES}), "b.parquet")
    cells = [[json.dumps(row[name]) for name in rows[0]] for row in rows]
    lines = ["candidates\treferences", *("\t".join(row) for row in cells)]
    Path("b.tsv").write_text("\n".join(lines), "utf-8")
    for name in ("b.json", "b.parquet", "b.tsv"):
        assert pick(name).stdout == expected


def test_columns_may_have_other_names() -> None:
    write(
        "b.jsonl", samples=GROUPS, answers=[texts[0] for texts in REFERENCES], reference=[1, 2, 3]
    )
    flags = ("--column", "samples", "--score", "rouge1")
    result = pick("b.jsonl", *flags, "--reference-column", "answers")
    chosen = select_best(GROUPS, [texts[0] for texts in REFERENCES], "rouge1")
    assert [row["index"] for row in read(result.stdout)] == chosen.index.tolist()
    assert read(pick("b.jsonl", *flags, "--method", "consensus").stdout) == choose(
        "consensus", "rouge1"
    )


def test_half_of_a_surrogate_pair_stays_an_escape() -> None:
    write("b.jsonl", candidates=[["a \ud800"]])
    printed = pick("b.jsonl", "--score", "rouge1").stdout
    assert printed == '{"index": 0, "text": "a \\ud800", "score": 1.0}\n'
