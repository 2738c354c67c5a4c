"""``bleu-rouge compare``: what it prints is what ``compare_systems`` finds."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import RankedSystem, bleu_score, rouge_scores
from bleu_rouge_metric.analysis.compare import compare_systems

from ..support.sample_writers import write_lines
from ..support.system_files import (
    FILES,
    REFERENCES,
    SYSTEMS,
    TOPICS,
    compare,
    compare_json,
    write_files,
)

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_files()


OUTSIDE = {"comet": {"old": [0.5] * 8, "new": [0.25, 1] * 4}}

# Flags, and the keywords that they stand for. Several p-values are corrected by default.
CASES = json.loads((Path(__file__).parent / "cases/comparisons.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["flags"])
def test_json_is_what_compare_systems_finds(case: dict[str, Any]) -> None:
    keywords = {"correction": "holm", **case["keywords"]}
    Path("outside.json").write_text(json.dumps(keywords.get("scores")), "utf-8")
    expected = compare_systems(SYSTEMS, REFERENCES, **keywords).to_dict()
    assert compare_json(*FILES, *case["flags"].split()) == json.loads(json.dumps(expected))


def test_percent_multiplies_what_is_from_0_to_1() -> None:
    Path("outside.json").write_text(json.dumps(OUTSIDE), "utf-8")
    flags = ["--scores", "outside.json", "--group-by", "topics.txt"]
    plain, percent = (compare_json(*FILES, *flags, *more) for more in ([], ["--percent"]))
    parts = zip(plain["groups"].values(), percent["groups"].values(), strict=True)
    scaled = {"value", "low", "high", "delta", "delta_low", "delta_high", "detectable", "scale"}
    scaled |= {"error", "delta_error"}
    for before, after in [(plain, percent), *parts]:
        for one, other in zip(before["rows"], after["rows"], strict=True):
            factor = 1 if one["score"] == "comet" else 100
            assert other == {
                name: value * factor if name in scaled and value is not None else value
                for name, value in one.items()
            }
    assert plain["signature"] == percent["signature"]
    sacrebleu = [*FILES, "--profile", "sacrebleu"]
    assert compare_json(*sacrebleu, "--percent") == compare_json(*sacrebleu)


def test_files_are_runs() -> None:
    for name, texts in SYSTEMS.items():
        for run in range(2):
            write_lines(f"{name}-{run}.txt", [*texts[run:], *texts[:run]])
    paths = ["old-0.txt", "old-1.txt", "new-0.txt", "new-1.txt", *FILES[2:], "--runs", "2"]
    runs = {
        name: [[*texts[run:], *texts[:run]] for run in range(2)] for name, texts in SYSTEMS.items()
    }
    expected = compare_systems(runs, REFERENCES, baseline="new", correction="holm").to_dict()
    found = compare_json(*paths, "--baseline", "new")
    assert found == json.loads(json.dumps(expected))
    percent = compare_json(*paths, "--percent", "--baseline", "new")
    assert percent["rows"][0]["run_std"] == 100 * found["rows"][0]["run_std"]


def test_a_ranking_has_every_format() -> None:
    flags = [*FILES, "--pairs", "all", "--family", "bleu", "--percent", "--group-by", "topics.txt"]
    expected = compare_systems(SYSTEMS, REFERENCES, pairs="all", family="bleu", groups=TOPICS)
    found = compare_json(*flags)
    assert found["pairs"][0]["delta"] == 100 * expected.pairs[0].delta
    assert found["rows"][0]["value"] == 100 * expected.rows[0].value
    assert found["groups"]["news"]["rows"][0]["scale"] == 100
    rows = list(csv.reader(io.StringIO(compare(*flags, "--format", "csv"))))
    assert rows[0] == ["group", *RankedSystem._fields]
    assert compare(*flags).splitlines()[0].split()[:3] == ["BLEU", "rank", "cluster"]
    assert compare(*flags, "--format", "latex").startswith(r"\begin{table}")


def test_per_sample_has_a_column_for_each_system_and_score() -> None:
    Path("outside.json").write_text(json.dumps(OUTSIDE), "utf-8")
    flags = ["--rouge-type", "rougeL", "--scores", "outside.json"]
    printed = compare(*FILES, *flags)
    assert compare(*FILES, *flags, "--per-sample", "each.csv") == printed
    with Path("each.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == [
        "index",
        *("old_sentence_bleu", "old_rougeL", "old_comet"),
        *("new_sentence_bleu", "new_rougeL", "new_comet"),
    ]
    for index, row in enumerate(rows[1:]):
        expected = [str(index)]
        for name, texts in SYSTEMS.items():
            pair = [texts[index]], [REFERENCES[index]]
            expected.append(str(bleu_score(*pair).bleu))
            expected.append(str(rouge_scores(*pair)["rougeL"].fmeasure[0]))
            expected.append(str(float(OUTSIDE["comet"][name][index])))
        assert row == expected
    compare(*FILES, *flags, "--per-sample", "each.jsonl", "--percent")
    first = json.loads(Path("each.jsonl").read_text("utf-8").splitlines()[0])
    assert first["old_rougeL"] == 100 * float(rows[1][2])
    assert first["old_comet"] == 0.5
