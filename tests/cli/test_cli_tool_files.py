"""``bleu-rouge compare`` reads result files of other programs, whatever their names are.

Their faults are in ``cases/tool_file_errors.txt``.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric.analysis.compare import compare_systems

from ..support.commands import invoke
from ..support.sample_writers import write_jsonl
from ..support.system_files import (
    FILES,
    REFERENCES,
    SYSTEMS,
    TOPICS,
    compare_json,
    write_files,
)
from ..support.tool_results import (
    COMET,
    MATCHES,
    comet_compare,
    harness_rows,
    list_comet,
    write_json,
)

pytestmark = pytest.mark.usefixtures("own_folder")

QUICK = ("--resamples", "200")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_files()


def expect(**keywords: Any) -> Any:
    """Return what compare_systems finds, as JSON has it."""
    found = compare_systems(SYSTEMS, REFERENCES, n_resamples=200, correction="holm", **keywords)
    return json.loads(json.dumps(found.to_dict()))


@pytest.mark.parametrize("path", ["comet.json", "result", "result.txt", "rows.jsonl"])
def test_a_file_of_comet_has_texts_references_and_scores(path: str) -> None:
    write_json(path, {"out/old.txt": list_comet("old"), "out/new.txt": list_comet("new")})
    expected = expect(scores={"COMET": COMET})
    assert compare_json(path, *QUICK) == expected
    assert {row["score"] for row in expected["rows"]} >= {"bleu", "rougeL", "COMET"}
    assert compare_json("-", *QUICK, stdin=Path(path).read_bytes()) == expected


def test_files_of_comet_for_one_system_each_and_of_comet_compare() -> None:
    for name in SYSTEMS:
        write_json(f"{name}.json", {f"{name}.txt": list_comet(name)})
    write_json("both.json", comet_compare())
    expected = expect(scores={"COMET": COMET})
    assert compare_json("old.json", "new.json", *QUICK) == expected
    assert compare_json("both.json", *QUICK) == expected


def test_a_file_of_comet_gives_scores_of_systems_in_other_files() -> None:
    write_json("both.json", comet_compare())
    assert compare_json(*FILES, "--scores", "both.json", *QUICK) == expect(scores={"COMET": COMET})


@pytest.mark.parametrize("is_array", [False, True])
def test_samples_of_the_harness_are_ordered_by_their_number(is_array: bool) -> None:
    for name in SYSTEMS:
        rows = harness_rows(name)
        # Processes of a run log their samples one after the other.
        rows = [*rows[::2], *rows[1::2]]
        (write_json if is_array else write_jsonl)(f"{name}.jsonl", rows)
    # Corpus BLEU has pairs of texts in place of numbers, and is left out.
    assert compare_json("old.jsonl", "new.jsonl", *QUICK) == expect(scores={"exact_match": MATCHES})
    labels = ["--clusters", "topic", "--group-by", "topic"]
    expected = expect(scores={"exact_match": MATCHES}, clusters=TOPICS, groups=TOPICS)
    assert compare_json("old.jsonl", "new.jsonl", *QUICK, *labels) == expected
    # A file of labels still works, and the references may be in a file too.
    labels = ["--clusters", "topics.txt", "--group-by", "topics.txt"]
    assert compare_json("old.jsonl", "new.jsonl", *FILES[2:], *QUICK, *labels) == expected


def test_a_metric_that_is_computed_here_too_keeps_its_numbers_under_another_name() -> None:
    for name in SYSTEMS:
        rows = [{**row, "metrics": ["rouge1"], "rouge1": 0.5} for row in harness_rows(name)]
        write_jsonl(f"{name}.jsonl", rows)
    found = compare_json("old.jsonl", "new.jsonl", *QUICK, "--family", "rouge")
    values = {row["score"]: row["value"] for row in found["rows"]}
    assert values["file_rouge1"] == 0.5 != values["rouge1"]


def test_scores_that_a_system_lacks_are_left_out_with_a_warning() -> None:
    write_json("new.json", {"new.txt": list_comet("new")})
    result = invoke("compare", "old.txt", "new.json", *QUICK, "--format", "json")
    assert result.stderr == (
        "bleu-rouge: warning: The scores 'COMET' are left out, because 'old' has none.\n"
    )
    assert json.loads(result.stdout) == expect()


def test_systems_of_the_harness_have_the_names_of_its_folders() -> None:
    paths = [f"out/org__{name}/samples_task_2026-01-0{i}.jsonl" for i, name in enumerate(SYSTEMS)]
    for path, name in zip(paths, SYSTEMS, strict=True):
        Path(path).parent.mkdir(parents=True)
        write_jsonl(path, harness_rows(name))
    found = compare_json(*paths, *QUICK, "--family", "bleu")
    assert [row["system"] for row in found["rows"]] == ["org__old", "org__new"] * 2
