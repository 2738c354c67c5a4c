"""``bleu-rouge buckets``: what it prints is what ``compare_buckets`` and the lists find."""

import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import compare_buckets, ngram_differences

from ..support.commands import invoke
from ..support.sample_writers import write_lines
from ..support.system_files import (
    COLUMNS,
    FILES,
    OLD,
    REFERENCES,
    SYSTEMS,
    TOPICS,
    write_files,
)
from ..support.tool_results import comet_compare, write_json

pytestmark = pytest.mark.usefixtures("own_folder")

NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6]


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_files()
    write_lines("numbers.txt", list(map(str, NUMBERS)))
    write_lines("text.txt", OLD)


def run(*arguments: str) -> str:
    """Return what the command prints."""
    result = invoke("buckets", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


# Flags, and the keywords that they stand for.
CASES: list[tuple[list[str], dict[str, Any]]] = [
    (["--edges", "8,10"], {"edges": [8, 10]}),
    (["--by", "label", "--label", "topics.txt"], {"by": "label", "labels": TOPICS}),
    (
        ["--by", "label", "--label", "numbers.txt", "--edges", "2,4.5"],
        {"by": "label", "labels": NUMBERS, "edges": [2, 4.5]},
    ),
    (
        ["--by", "frequency", "--text", "text.txt", "--edges", "1,3"],
        {"by": "frequency", "text": OLD, "edges": [1, 3]},
    ),
    (
        ["--by", "order", "--max-order", "2", "--correction", "holm", "--clusters", "topics.txt"],
        {"by": "order", "max_order": 2, "correction": "holm", "clusters": TOPICS},
    ),
    (
        ["--by", "order", "--test", "bootstrap", "--confidence", "0.9", "--alternative", "greater"],
        {"by": "order", "test": "bootstrap", "confidence": 0.9, "alternative": "greater"},
    ),
    (
        ["--by", "order", "--baseline", "new", "--seed", "3", "--family", "rouge"],
        {"by": "order", "baseline": "new", "seed": 3, "family": "rouge"},
    ),
]


@pytest.mark.parametrize(("flags", "keywords"), CASES, ids=str)
def test_json_is_what_compare_buckets_finds(flags: list[str], keywords: dict[str, Any]) -> None:
    expected = compare_buckets(SYSTEMS, REFERENCES, n_resamples=50, **keywords).to_dict()
    found = json.loads(run(*FILES, *flags, "--resamples", "50", "--format", "json"))
    assert found == json.loads(json.dumps(expected))


def test_json_is_what_ngram_differences_finds() -> None:
    flags = ["--kind", "missed", "--limit", "3", "--lowest-order", "2", "--system", "new"]
    flags += ["--resamples", "50", "--seed", "1", "--confidence", "0.9", "--lowercase"]
    expected = ngram_differences(
        SYSTEMS,
        REFERENCES,
        kind="missed",
        limit=3,
        lowest_order=2,
        system="new",
        n_resamples=50,
        seed=1,
        confidence=0.9,
        lowercase=True,
    )
    found = run(*FILES, "--by", "ngram", *flags, "--format", "json")
    assert json.loads(found) == json.loads(json.dumps(expected.to_dict()))


def test_columns_and_result_files_of_other_programs_are_read() -> None:
    flags = ["--by", "order", "--resamples", "50"]
    expected = run(*FILES, *flags)
    assert run(*COLUMNS, *flags) == expected
    write_json("comet.json", comet_compare())
    assert run("comet.json", *flags) == expected
    labelled = run(*COLUMNS, "--by", "label", "--label", "topic", "--resamples", "50")
    assert labelled == run(*FILES, "--by", "label", "--label", "topics.txt", "--resamples", "50")


@pytest.mark.parametrize("by", ["length", "order"])
def test_percent_multiplies_scores_of_every_kind(by: str) -> None:
    flags = [*FILES, "--by", by, "--resamples", "50", "--format", "json"]
    plain, percent = (json.loads(run(*flags, *more)) for more in ([], ["--percent"]))
    for before, after in zip(plain["rows"], percent["rows"], strict=True):
        assert after["value"] == 100 * before["value"]
        assert after["scale"] == 100
        assert after["p_value"] == before["p_value"]
    sacrebleu = [
        *FILES,
        "--by",
        by,
        "--resamples",
        "50",
        "--format",
        "json",
        "--profile",
        "sacrebleu",
    ]
    values = [row["value"] for row in json.loads(run(*sacrebleu))["rows"]]
    assert (max(values) > 1) == (by == "length")


@pytest.mark.parametrize("by", ["frequency", "ngram"])
def test_every_format(by: str) -> None:
    flags = [*FILES, "--by", by, "--resamples", "50", "--format"]
    assert (
        run(*flags, "csv").splitlines()[0].split(",")[0]
        == {
            "frequency": "bucket",
            "ngram": "ngram",
        }[by]
    )
    assert run(*flags, "markdown").startswith("**")
    assert run(*flags, "latex").startswith(r"\begin{table}")
    assert "Intervals: 95%" in run(*flags, "table")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [*FILES, "--by", "words"],
            "Unknown --by 'words'; expected one of 'length', 'label', 'frequency', 'order', "
            "'ngram'. Did you mean 'order'?",
        ),
        (
            [*FILES, "--edges", "a"],
            "--edges is 'a'; expected a number.",
        ),
        (
            [*FILES, "--edges", "3,2"],
            "--edges is [3, 2]; expected ascending numbers, such as [10, 20, 30].",
        ),
        (
            [*FILES, "--by", "order", "--edges", "3"],
            "--edges does not apply if --by is 'order'; leave it out, or choose 'length' or "
            "'label' or 'frequency'.",
        ),
        (
            [*FILES, "--by", "label"],
            "--by is 'label', but --label is missing; give one per sample.",
        ),
        (
            [*FILES, "--label", "topics.txt"],
            "--label does not apply if --by is 'length'; leave it out, or choose 'label'.",
        ),
        (
            [*FILES, "--by", "label", "--label", "topics.txt", "--edges", "3"],
            "--label is 'news'; expected a number. --edges needs it.",
        ),
        (
            [*FILES, "--by", "frequency", "--text", "absent.txt"],
            "absent.txt: No such file or directory.",
        ),
        (
            [*FILES, "--limit", "3"],
            "--limit does not apply to --by length; leave it out.",
        ),
        (
            [*FILES, "--by", "ngram", "--test", "bootstrap"],
            "--test does not apply to --by ngram; leave it out.",
        ),
        (
            [*FILES, "--by", "ngram", "--limit", "0"],
            "--limit is 0; expected an int from 1 to 1,000.",
        ),
        (
            [*FILES, "--by", "ngram", "--lowest-order", "7"],
            "--lowest-order is 7; expected an int from 1 to 4.",
        ),
        (
            [*FILES, "--by", "ngram", "--kind", "match"],
            "Unknown --kind 'match'; expected one of 'matched', 'novel', 'missed'. Did you mean "
            "'matched'?",
        ),
        ([*FILES, "--baseline", "A"], "--baseline is 'A'; expected one of 'old', 'new'."),
        ([*FILES, "--resamples", "0"], "--resamples is 0; expected an int from 1 to 1,000,000."),
        (
            ["old.txt", *FILES[2:]],
            "old.txt: there is only one system; give two or more files "
            "before --references, or one with columns and their names with --systems.",
        ),
    ],
    ids=str,
)
def test_wrong_flags(arguments: list[str], message: str) -> None:
    result = invoke("buckets", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"bleu-rouge: {message}\n"


def test_empty_predictions_are_warned_of() -> None:
    Path("empty.txt").write_text("\n" * 8, "utf-8")
    result = invoke("buckets", "old.txt", "empty.txt", *FILES[2:], "--by", "order")
    assert result.stderr.startswith("bleu-rouge: warning: ")
    assert result.exit_code == 0
