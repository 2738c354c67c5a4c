"""``compare`` and ``compare-profiles``: what they print is what Python finds.

``compare`` reads result files of other programs, whatever their names are. Their faults are in
``cases/tool_file_errors.txt``.
"""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import RankedSystem, bleu_score, compare_profiles, rouge_scores
from bleu_rouge_metric.analysis.compare import compare_systems

from ..support.commands import EXAMPLES, invoke
from ..support.commands import PREDICTIONS as EXAMPLE_PREDICTIONS
from ..support.commands import REFERENCES as EXAMPLE_REFERENCES
from ..support.sample_writers import write_jsonl, write_lines
from ..support.system_files import (
    COMET,
    FILES,
    MATCHES,
    REFERENCES,
    SYSTEMS,
    TOPICS,
    comet_compare,
    compare,
    compare_json,
    harness_rows,
    list_comet,
    write_files,
    write_json,
)

pytestmark = pytest.mark.usefixtures("own_folder")

OUTSIDE = {"comet": {"old": [0.5] * 8, "new": [0.25, 1] * 4}}
QUICK = ("--resamples", "200")
# Flags, and the keywords that they stand for. Several p-values are corrected by default.
CASES = json.loads((Path(__file__).parent / "cases/comparisons.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_files()
    write_json("outside.json", OUTSIDE)


def expect(systems: Any = SYSTEMS, **keywords: Any) -> Any:
    """Return what compare_systems finds, as JSON has it."""
    found = compare_systems(systems, REFERENCES, **{"correction": "holm", **keywords})
    return json.loads(json.dumps(found.to_dict()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["flags"])
def test_json_is_what_compare_systems_finds(case: dict[str, Any]) -> None:
    write_json("outside.json", case["keywords"].get("scores"))
    assert compare_json(*FILES, *case["flags"].split()) == expect(**case["keywords"])


def test_percent_multiplies_what_is_from_0_to_1() -> None:
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
    runs = {
        name: [[*texts[run:], *texts[:run]] for run in range(2)] for name, texts in SYSTEMS.items()
    }
    for name, texts_of_runs in runs.items():
        for run, texts in enumerate(texts_of_runs):
            write_lines(f"{name}-{run}.txt", texts)
    paths = ["old-0.txt", "old-1.txt", "new-0.txt", "new-1.txt", *FILES[2:], "--runs", "2"]
    found = compare_json(*paths, "--baseline", "new")
    assert found == expect(runs, baseline="new")
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
    flags = ["--rouge-type", "rougeL", "--scores", "outside.json"]
    printed = compare(*FILES, *flags)
    assert compare(*FILES, *flags, "--per-sample", "each.csv") == printed
    head, *rows = csv.reader(Path("each.csv").read_text("utf-8").splitlines())
    names = ("sentence_bleu", "rougeL", "comet")
    assert head == ["index", *(f"{system}_{name}" for system in SYSTEMS for name in names)]
    for index, row in enumerate(rows):
        expected = [str(index)]
        for name, texts in SYSTEMS.items():
            pair = [texts[index]], [REFERENCES[index]]
            expected.append(str(bleu_score(*pair).bleu))
            expected.append(str(rouge_scores(*pair)["rougeL"].fmeasure[0]))
            expected.append(str(float(OUTSIDE["comet"][name][index])))
        assert row == expected
    compare(*FILES, *flags, "--per-sample", "each.jsonl", "--percent")
    first = json.loads(Path("each.jsonl").read_text("utf-8").splitlines()[0])
    assert (first["old_rougeL"], first["old_comet"]) == (100 * float(rows[0][2]), 0.5)


COMET_BOTH = {f"out/{name}.txt": list_comet(name) for name in SYSTEMS}


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        *(({path: COMET_BOTH}, [path]) for path in ("c.json", "result", "r.txt", "rows.jsonl")),
        (
            {f"{name}.json": {f"{name}.txt": list_comet(name)} for name in SYSTEMS},
            ["old.json", "new.json"],
        ),
        ({"both.json": comet_compare()}, ["both.json"]),
        ({"both.json": comet_compare()}, [*FILES, "--scores", "both.json"]),
    ],
)
def test_files_of_comet_have_texts_references_and_scores(
    files: dict[str, Any], arguments: Sequence[str]
) -> None:
    for path, value in files.items():
        write_json(path, value)
    expected = expect(scores={"COMET": COMET}, n_resamples=200)
    assert compare_json(*arguments, *QUICK) == expected
    if len(arguments) == 1:
        content = Path(arguments[0]).read_bytes()
        assert compare_json("-", *QUICK, stdin=content) == expected


@pytest.mark.parametrize("is_array", [False, True])
@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--clusters", "topic", "--group-by", "topic"],
        # A file of labels still works, and the references may be in a file too.
        ["--clusters", "topics.txt", "--group-by", "topics.txt", *FILES[2:]],
    ],
)
def test_samples_of_the_harness_are_ordered_by_their_number(
    flags: list[str], *, is_array: bool
) -> None:
    for name in SYSTEMS:
        rows = harness_rows(name)
        # Processes of a run log their samples one after the other.
        rows = [*rows[::2], *rows[1::2]]
        (write_json if is_array else write_jsonl)(f"{name}.jsonl", rows)
    # Corpus BLEU has pairs of texts in place of numbers, and is left out.
    labels = {"clusters": TOPICS, "groups": TOPICS} if flags else {}
    expected = expect(scores={"exact_match": MATCHES}, n_resamples=200, **labels)
    assert compare_json("old.jsonl", "new.jsonl", *QUICK, *flags) == expected


def test_a_metric_that_is_computed_here_too_keeps_its_numbers_under_another_name() -> None:
    # The systems have the names of the harness's folders.
    paths = [f"out/org__{name}/samples_task_2026-01-0{i}.jsonl" for i, name in enumerate(SYSTEMS)]
    for path, name in zip(paths, SYSTEMS, strict=True):
        Path(path).parent.mkdir(parents=True)
        rows = [{**row, "metrics": ["rouge1"], "rouge1": 0.5} for row in harness_rows(name)]
        write_jsonl(path, rows)
    found = compare_json(*paths, *QUICK, "--family", "rouge")
    values = {row["score"]: row["value"] for row in found["rows"]}
    assert values["file_rouge1"] == 0.5 != values["rouge1"]
    assert {row["system"] for row in found["rows"]} == {"org__old", "org__new"}


def test_scores_that_a_system_lacks_are_left_out_with_a_warning() -> None:
    write_json("new.json", {"new.txt": list_comet("new")})
    result = invoke("compare", "old.txt", "new.json", *QUICK, "--format", "json")
    assert result.stderr == (
        "bleu-rouge: warning: The scores 'COMET' are left out, because 'old' has none.\n"
    )
    assert json.loads(result.stdout) == expect(n_resamples=200)


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("", {}),
        ("--profile hf --profile nltk --rouge-type rouge3 --tokenizer char",
         {"profiles": ["hf", "nltk"], "rouge_types": ["rouge3"], "tokenizer": "char"}),
        ("--use-stemmer --sentence-splitter pysbd --rouge-type rougeLsum",
         {"use_stemmer": True, "sentence_splitter": "pysbd", "rouge_types": ["rougeLsum"]}),
    ],
)  # fmt: skip
def test_a_comparison_of_profiles_is_that_of_python(flags: str, options: dict[str, Any]) -> None:
    path = str(EXAMPLES / "samples.jsonl")
    result = invoke("compare-profiles", path, *flags.split(), "--format", "json")
    expected = compare_profiles(EXAMPLE_PREDICTIONS, EXAMPLE_REFERENCES, **options)
    steps = [step._asdict() for step in expected.differences]
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {"scores": expected.scores, "differences": steps}
