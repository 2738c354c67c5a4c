"""``bleu-rouge meta-evaluate``: metrics compared with ratings by people."""

import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import meta_evaluate

from ..support.commands import invoke
from ..support.sample_writers import write_lines
from ..support.system_files import NEW, OLD, REFERENCES

pytestmark = pytest.mark.usefixtures("own_folder")

SYSTEMS = {"old": OLD, "new": NEW, "same": REFERENCES}
HUMAN = {
    "old": [2, 3, 1, 2, 3, 2, 1, 3],
    "new": [3, 4, 2, 3, 4, 3, 3, 4],
    "same": [5, 4, 5, 5, 4, 5, 3, 5],
}
SCORES = {"words": {name: [len(text.split()) for text in texts] for name, texts in SYSTEMS.items()}}
FILES = ("old.txt", "new.txt", "same.txt", "--references", "references.txt")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    for name, lines in {**SYSTEMS, "references": REFERENCES}.items():
        write_lines(f"{name}.txt", lines)
    for name, value in {
        "human": HUMAN,
        "scores": SCORES,
        "short": {**HUMAN, "new": [1, 2]},
        "others": {"old": HUMAN["old"]},
    }.items():
        Path(f"{name}.json").write_text(json.dumps(value), "utf-8")
    Path("broken.json").write_text("{", "utf-8")


def run(*arguments: str) -> str:
    result = invoke("meta-evaluate", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_the_numbers_are_those_of_python() -> None:
    arguments = ("--scores", "scores.json", "--family", "rouge", "--rouge-type", "rouge1")
    text = run(
        *FILES, "--human", "human.json", *arguments, "--resamples", "30", "--format", "json",
        "--baseline", "words", "--correction", "holm",
    )  # fmt: skip
    expected = meta_evaluate(
        SCORES,
        HUMAN,
        systems=SYSTEMS,
        references=REFERENCES,
        family="rouge",
        rouge_types=["rouge1"],
        n_resamples=30,
        baseline="words",
        correction="holm",
    )
    assert json.loads(text) == json.loads(json.dumps(expected.to_dict()))


@pytest.mark.parametrize("report_format", ["table", "markdown", "latex", "csv"])
def test_scores_alone_are_compared_and_written(report_format: str) -> None:
    text = run(
        "--human", "human.json", "--scores", "scores.json", "--level", "segment", "--grouping",
        "none", "--coefficient", "pearson", "--coefficient", "kendall_c", "--resampled", "items",
        "--resamples", "20", "--format", report_format,
    )  # fmt: skip
    result: Any = meta_evaluate(
        SCORES,
        HUMAN,
        level="segment",
        grouping="none",
        coefficients=["pearson", "kendall_c"],
        resampled="items",
        n_resamples=20,
    )
    if report_format == "csv":
        head, *rows = text.splitlines()
        assert head.startswith("metric,level,coefficient,value,low,high,")
        assert [row.split(",")[3] for row in rows] == [repr(row.value) for row in result.rows]
        return
    written = {"table": str, "markdown": type(result).to_markdown, "latex": type(result).to_latex}
    assert text == written[report_format](result) + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--human", "human.json"],
            "there are no scores; give files of SYSTEMS, or --scores FILE.",
        ),
        (
            ["--human", "human.json", "--scores", "scores.json", "--references", "references.txt"],
            "--references and --systems are given without SYSTEMS; give files.",
        ),
        (
            [*FILES, "--human", "short.json"],
            "short.json: human['new'] has 2 numbers, but there are 8 samples; expected one number "
            "for each.",
        ),
        (
            [*FILES, "--human", "others.json"],
            "others.json: human has the systems 'old'; expected ratings of 'old', 'new', 'same'.",
        ),
        (
            [*FILES, "--human", "broken.json"],
            "broken.json:1: not valid JSON: Expecting property name enclosed in double quotes "
            "(column 2).",
        ),
        (
            [*FILES, "--human", "human.json", "--scores", "human.json"],
            "scores['old'] is of type list; expected "
            '{"name": {"system": [one number for each sample]}}.',
        ),
        (
            [*FILES, "--human", "human.json", "--level", "corpus"],
            "Unknown --level 'corpus'; expected one of 'segment', 'system', 'both'.",
        ),
        (
            [*FILES, "--human", "human.json", "--resamples", "x"],
            "--resamples is 'x'; expected an int.",
        ),
        (
            [*FILES[:2], *FILES[3:], "--human", "human.json"],
            "human.json: human has the systems 'old', 'new', 'same'; expected ratings of 'old', "
            "'new'.",
        ),
        (
            [*FILES, "--human", "human.json", "--baseline", "x"],
            "--baseline is 'x'; expected one of 'bleu', 'rouge1', 'rouge2', 'rougeL', 'rougeLsum'.",
        ),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], message: str) -> None:
    result = invoke("meta-evaluate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"bleu-rouge: {message}\n"
