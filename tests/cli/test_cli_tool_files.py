"""``bleu-rouge compare`` reads result files of other programs, whatever their names are."""

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
    compare_error,
    compare_json,
    write_files,
)
from ..support.tool_results import (
    COMET,
    MATCHES,
    SACREBLEU,
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


def test_references_of_a_file_replace_those_of_the_results() -> None:
    write_json("a.json", {f"{n}.txt": list_comet(n, has_references=False) for n in SYSTEMS})
    expected = expect(scores={"COMET": COMET})
    assert compare_json("a.json", *FILES[2:], *QUICK) == expected
    assert compare_error("a.json") == (
        "a.json: the references are missing; give a file of references with --references."
    )


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


def test_systems_of_the_harness_have_the_names_of_its_folders() -> None:
    paths = [f"out/org__{name}/samples_task_2026-01-0{i}.jsonl" for i, name in enumerate(SYSTEMS)]
    for path, name in zip(paths, SYSTEMS, strict=True):
        Path(path).parent.mkdir(parents=True)
        write_jsonl(path, harness_rows(name))
    found = compare_json(*paths, *QUICK, "--family", "bleu")
    assert [row["system"] for row in found["rows"]] == ["org__old", "org__new"] * 2


def test_one_of_several_filters_is_chosen() -> None:
    for name in SYSTEMS:
        write_jsonl(f"{name}.jsonl", harness_rows(name, ["strict", "first-word"]))
    flags = [*QUICK, "--family", "rouge", "--rouge-type", "rouge1"]
    found = compare_json("old.jsonl", "new.jsonl", *flags, "--harness-filter", "strict")
    expected = expect(scores={"exact_match": MATCHES}, family="rouge", rouge_types=["rouge1"])
    assert found == expected
    words = compare_json("old.jsonl", "new.jsonl", *flags, "--harness-filter", "first-word")
    assert words["rows"][0]["value"] < expected["rows"][0]["value"]
    assert compare_error("old.jsonl", "new.jsonl") == (
        "old.jsonl: the file has responses of the filters 'strict', 'first-word'; choose one with "
        "--harness-filter."
    )
    assert compare_error("old.jsonl", "new.jsonl", "--harness-filter", "none") == (
        "old.jsonl: the file has no filter 'none'; expected one of 'strict', 'first-word'."
    )
    assert compare_error(*FILES, "--harness-filter", "none") == (
        "old.txt: the file has no filters of samples; leave out --harness-filter 'none'."
    )


def test_several_references_are_a_list_in_python() -> None:
    for name in SYSTEMS:
        rows = harness_rows(name)
        for row in rows:
            row["target"] = str([row["target"], "another one"])
        write_jsonl(f"{name}.jsonl", rows)
    references = [[text, "another one"] for text in REFERENCES]
    expected = compare_systems(
        SYSTEMS, references, n_resamples=200, correction="holm", scores={"exact_match": MATCHES}
    ).to_dict()
    assert compare_json("old.jsonl", "new.jsonl", *QUICK) == json.loads(json.dumps(expected))


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


def test_named_columns_are_read_as_columns() -> None:
    for name in SYSTEMS:
        write_jsonl(f"{name}.jsonl", harness_rows(name))
    flags = ["--prediction-column", "target", *FILES[2:], *QUICK, "--family", "bleu"]
    assert [row["value"] for row in compare_json("old.jsonl", "new.jsonl", *flags)["rows"]] == [
        1,
        1,
    ]


@pytest.mark.parametrize("value", SACREBLEU, ids=["one", "two", "systems", "paired"])
def test_the_output_of_sacrebleu_has_no_texts(value: object) -> None:
    write_json("scores.json", value)
    message = (
        "scores.json: this is the output of sacrebleu, which has scores of a whole corpus and no "
        "texts; give the files of texts that sacrebleu read, with --profile sacrebleu for its "
        "scores."
    )
    assert compare_error("scores.json", *FILES[2:]) == message
    assert compare_error(*FILES, "--scores", "scores.json") == message


def test_an_array_of_ordinary_samples_is_read_as_ever() -> None:
    for name, texts in SYSTEMS.items():
        rows = [{"prediction": text, "system": "a 1"} for text in texts]
        write_json(f"{name}.json", rows)
    assert compare_json("old.json", "new.json", *FILES[2:], *QUICK) == expect()


# What is changed in the first sample of the second system, and what the command says.
COMET_FAULTS: list[tuple[dict[str, Any], str]] = [
    (
        {"mt": None},
        "'mt' of sample 0 of 'new.txt' is null; expected a text. Fill it in, or leave "
        "the sample out.",
    ),
    ({"COMET": "high"}, "'COMET' of sample 0 of 'new.txt' is 'high'; expected a number."),
    (
        {"COMET": 10**400},
        f"'COMET' of sample 0 of 'new.txt' is {10**400}; expected a finite number.",
    ),
    ({"COMET": float("nan")}, "'COMET' of sample 0 of 'new.txt' is nan; expected a finite number."),
    (
        {"ref": "other"},
        "the reference of sample 0 is not that in bad.json; expected the same "
        "samples in the same order.",
    ),
]


@pytest.mark.parametrize(("change", "message"), COMET_FAULTS, ids=str)
def test_faults_in_a_file_of_comet(change: dict[str, Any], message: str) -> None:
    new = list_comet("new")
    new[0].update(change)
    write_json("bad.json", {"old.txt": list_comet("old"), "new.txt": new})
    assert compare_error("bad.json") == f"bad.json: {message}"


def test_other_faults_in_files_of_comet() -> None:
    new = list_comet("new")
    del new[3]["ref"]
    write_json("bad.json", {"old.txt": list_comet("old"), "new.txt": new})
    assert compare_error("bad.json") == (
        "bad.json: sample 3 of 'new.txt' has no 'ref'; run COMET again."
    )
    write_json("bad.json", {**comet_compare(), "reference": REFERENCES[:-1]})
    assert compare_error("bad.json") == (
        "bad.json: 'ref' has 7 values, but 'src' has 8; expected columns of the same rows."
    )
    write_json("one.json", {"old.txt": list_comet("old")})
    assert compare_error("one.json") == (
        "one.json: there is only one system; give two or more files before --references, or one "
        "with columns and their names with --system-columns."
    )
    write_json("short.json", {"new.txt": list_comet("new")[:5]})
    assert compare_error("one.json", "short.json") == (
        "short.json: the file ends after sample 5, but one.json has 8 samples."
    )
    write_json("both.json", comet_compare())
    assert compare_error("both.json", "--scores", "both.json") == (
        "both.json: the files of the systems have scores 'COMET' too; give them once."
    )
    assert compare_error("both.json", "--clusters", "topic") == (
        "both.json: no column is named 'topic'; name one with --clusters. Columns: 'src'."
    )


# What is changed in the second sample of the second system, and what the command says.
HARNESS_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"doc_id": "1"}, "new.jsonl:2: 'doc_id' is '1'; expected an int."),
    ({"doc_id": 0}, "new.jsonl:2: 'doc_id' is 0 for the second time; expected each sample once."),
    (
        {"doc_id": 9},
        "new.jsonl: no row has the doc_id 1, which old.jsonl has; use --no-join to compare row by "
        "row, or --join to name another column.",
    ),
    (
        {"target": "other"},
        "new.jsonl:2: the reference of sample 1 is not that in old.jsonl; "
        "expected the same samples in the same order.",
    ),
    (
        {"filtered_resps": [["a", "b"]]},
        "new.jsonl:2: 'filtered_resps' has 2 responses; expected "
        "one, as the filter take_first leaves it.",
    ),
    (
        {"filtered_resps": [None]},
        "new.jsonl:2: 'filtered_resps' is null; expected a text. Fill it "
        "in, or leave the sample out.",
    ),
    (
        {"arguments": {"gen_args_0": {"arg_0": "question", "arg_1": " yes"}}},
        "new.jsonl:2: the responses are log-likelihoods of given texts, not generated texts; "
        "expected a task with the output type generate_until.",
    ),
    ({"exact_match": None}, "new.jsonl:2: 'exact_match' is None; expected a number."),
]


@pytest.mark.parametrize(("change", "message"), HARNESS_FAULTS, ids=str)
def test_faults_in_a_file_of_the_harness(change: dict[str, Any], message: str) -> None:
    rows = harness_rows("new")
    rows[1].update(change)
    write_jsonl("old.jsonl", harness_rows("old"))
    write_jsonl("new.jsonl", rows)
    assert compare_error("old.jsonl", "new.jsonl") == message


def test_other_faults_in_files_of_the_harness() -> None:
    rows: list[Any] = harness_rows("new")
    write_jsonl("old.jsonl", harness_rows("old"))
    write_jsonl("new.jsonl", [rows[0], {"text": "b"}])
    assert compare_error("old.jsonl", "new.jsonl") == (
        "new.jsonl:2: the line is not a sample of lm-evaluation-harness, as line 1 is."
    )
    Path("new.jsonl").write_text(json.dumps(rows[0]) + "\n{\n", "utf-8")
    assert compare_error("old.jsonl", "new.jsonl") == (
        "new.jsonl:2: the JSON object does not end in its line; expected JSON Lines, one object or "
        "text a line. Objects become that with: jq -c ."
    )
    assert compare_error(*FILES, "--scores", "old.jsonl") == (
        "old.jsonl: this is a file of lm-evaluation-harness; give it as one of the systems."
    )
