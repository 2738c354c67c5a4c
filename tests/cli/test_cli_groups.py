"""``--group-by``: the scores that Python gives with ``groups``, in every format."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.scoring.results import flatten, scale

from ..support.commands import PREDICTIONS, REFERENCES, SAMPLES, invoke, score, score_json

pytestmark = pytest.mark.usefixtures("examples_folder")

LABELS = [("law | x", "[bold]news", "law | x", "a\nb")[index % 4] for index in range(len(SAMPLES))]
DISTINCT = list(dict.fromkeys(LABELS))


@pytest.fixture(autouse=True)
def _labelled(examples_folder: None) -> None:  # noqa: ARG001
    lines = [
        json.dumps({**sample, "topic": label})
        for sample, label in zip(SAMPLES, LABELS, strict=True)
    ]
    Path("labelled.jsonl").write_text("\n".join(lines))
    Path("folder").mkdir()
    Path("folder/1.jsonl").write_text("\n".join(lines[:3]))
    Path("folder/2.jsonl").write_text("\n".join(lines[3:]))


def score_groups(**options: Any) -> dict[str, Any]:
    seed = 3 if "confidence" in options else None
    scorer = Scorer(seed=seed, **options)
    scorer.update(PREDICTIONS, REFERENCES)
    return scorer.result(groups=LABELS)


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
def test_groups_are_those_of_python(
    path: str, flags: list[str], options: dict[str, Any], recwarn: pytest.WarningsRecorder
) -> None:
    expected = score_groups(**options)
    recwarn.clear()
    found = score_json(path, "--group-by", "topic", *flags)
    assert found == expected
    assert list(found["groups"]) == DISTINCT
    if "signature" not in options:
        assert score_json(path, "--group-by", "topic", "--percent", *flags) == scale(expected, 100)


def test_csv_has_a_column_of_groups() -> None:
    expected: dict[str, Any] = score_groups(signature=True, detailed=True)
    flags = ["--format", "csv", "--signature", "--detailed"]
    text = score("labelled.jsonl", "--group-by", "topic", *flags)
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["score", "value", "group"]
    groups = {"": expected, **expected.pop("groups")}
    for label, scores in groups.items():
        line = scores.pop("signature")
        found = [row[:2] for row in rows if row[2] == label]
        assert found.pop() == ["signature", line]
        assert found == [[name, str(value)] for name, value in flatten(scores).items()]
    assert list(dict.fromkeys(row[2] for row in rows)) == list(groups)


def test_references_may_have_the_labels() -> None:
    found = score_json("predictions.txt", "labelled.jsonl", "--group-by", "topic")
    assert found == score_json("labelled.jsonl", "--group-by", "topic")


def test_standard_input_may_have_the_labels() -> None:
    data = Path("labelled.jsonl").read_bytes()
    found = score_json("-", "--stdin-format", "jsonl", "--group-by", "topic", stdin=data)
    assert found == score_json("labelled.jsonl", "--group-by", "topic")


def test_a_file_of_samples_is_that_of_all_of_them() -> None:
    score("labelled.jsonl", "--group-by", "topic", "--per-sample", "grouped.csv")
    score("labelled.jsonl", "--per-sample", "plain.csv")
    assert Path("grouped.csv").read_text() == Path("plain.csv").read_text()


@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_a_system_that_spreadsheets_take_for_a_formula_is_guarded_in_heads(
    suffix: str, delimiter: str
) -> None:
    rows = [{"=cmd": "a b", "@new": "a", "reference": "a"}] * 2
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    flags = ("--system-columns", "=cmd,@new", "--rouge-type", "rouge1", "--family", "rouge")
    name = f"each.{suffix}"
    result = invoke("compare", "a.jsonl", *flags, "--format", "csv", "--per-sample", name)
    assert (result.exit_code, result.stderr) == (0, "")
    head = Path(name).read_text("utf-8").splitlines()[0]
    assert head == delimiter.join(["index", "'=cmd_rouge1", "'@new_rouge1"])
    cells = [line.split(",")[0] for line in result.stdout.splitlines()]
    assert cells == ["system", "'=cmd", "'@new"]
