"""``dedup`` and ``pick``: what they print is what Python returns.

Most of what they print is in ``cases``; here are bytes that a script cannot hold.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.analysis.pairs.candidates import select_best, select_consensus
from bleu_rouge_metric.analysis.pairs.duplicates import near_duplicates

from ..support.commands import (
    FLAGS,
    KEPT,
    LINES,
    NEAREST,
    REJECTED,
    SUMMARY,
    TEXTS,
    dedup,
    invoke,
    write_inputs,
)

pytestmark = pytest.mark.usefixtures("own_folder")


def test_lines_of_json_are_kept_byte_for_byte() -> None:
    write_inputs()
    result = dedup("a.jsonl", *FLAGS, "--output", "kept.jsonl", "--rejected", "rejected.jsonl")
    assert (result.stdout, result.stderr) == ("", SUMMARY)
    kept = "".join(LINES[index] for index in KEPT).encode()
    assert Path("kept.jsonl").read_bytes() == kept == dedup("a.jsonl", *FLAGS).stdout_bytes
    found = near_duplicates(TEXTS, threshold=0.6)
    assert found.kept.tolist() == KEPT
    rejected = Path("rejected.jsonl").read_text("utf-8").splitlines()
    assert list(map(json.loads, rejected)) == [
        {
            **json.loads(LINES[index]),
            "line": index + 1,
            "score": found.score[index],
            "nearest_line": nearest + 1,
            "nearest": TEXTS[nearest],
        }
        for index, nearest in zip(REJECTED, NEAREST, strict=True)
    ]


def test_rows_of_a_table_are_kept_with_their_header() -> None:
    rows = ["id,text\r\n", '1,"a\nb\u2028"\r\n', "2,c\n", '3,"a\nb\u2028"\n']
    Path("b.csv").write_text("".join(rows), "utf-8", newline="")
    dedup("b.csv", "--rejected", "rejected.jsonl", "--output", "kept.csv")
    assert Path("kept.csv").read_bytes() == "".join(rows[:3]).encode()
    (rejected,) = map(json.loads, Path("rejected.jsonl").read_text("utf-8").split("\n")[:-1])
    places = {"line": 6, "score": 1.0, "nearest_line": 3, "nearest": "a\nb\u2028"}
    assert rejected == {"id": "3", "text": "a\nb\u2028", **places}


def test_rows_of_parquet_keep_their_types() -> None:
    table = pa.table({"text": TEXTS, "at": pa.array(range(5), pa.timestamp("ms"))})
    parquet.write_table(table, "a.parquet")
    dedup("a.parquet", *FLAGS, "--output", "kept.parquet")
    assert parquet.read_table("kept.parquet").equals(table.take(KEPT))


CANDIDATES = [["a dog ran", "the cat sat", "a cat sat"], ["é one"], ["x y", "x y z", "x y"]]
ANSWERS = [["the cat sat down", "a dog ran off"], ["é two"], ["x y z"]]


@pytest.mark.parametrize("score", ["bleu", "rougeL", "google_bleu"])
@pytest.mark.parametrize("method", ["best", "consensus"])
def test_candidates_are_those_that_python_chooses(method: str, score: str) -> None:
    rows = zip(CANDIDATES, ANSWERS, strict=True)
    lines = [json.dumps({"candidates": texts, "references": others}) for texts, others in rows]
    Path("a.jsonl").write_text("\n".join(lines), "utf-8")
    best: Any = select_best(CANDIDATES, ANSWERS, score)
    chosen: Any = best if method == "best" else select_consensus(CANDIDATES, score)
    scores = best.scores if method == "best" else chosen.expected
    result = invoke("pick", "a.jsonl", "--score", score, "--method", method)
    picked = zip(chosen.index.tolist(), chosen.texts, scores, strict=True)
    assert list(map(json.loads, result.stdout.splitlines())) == [
        {"index": index, "text": text, "score": values[index]} for index, text, values in picked
    ]
    assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
