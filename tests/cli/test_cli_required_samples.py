"""``bleu-rouge required-samples``: how many samples a test set needs."""

import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import SampleSize, required_samples

from ..support.commands import invoke
from ..support.sample_writers import write_lines
from ..support.system_files import NEW, OLD, REFERENCES

pytestmark = pytest.mark.usefixtures("own_folder")

SYSTEMS = {"old": OLD * 3, "new": NEW[1:] * 3 + NEW[:3], "third": NEW * 3}
LABELS = [str(number) for number in range(24)]
FILES = ("old.txt", "new.txt", "--references", "references.txt")
# Quick, and the same in both.
STUDIES = ("--studies", "200", "--rouge-type", "rouge1")


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    for name, lines in {**SYSTEMS, "references": REFERENCES * 3, "labels": LABELS}.items():
        write_lines(f"{name}.txt", lines)
    for name in ("old", "new", "references"):
        write_lines(f"short_{name}.txt", {**SYSTEMS, "references": REFERENCES}[name][:8])


def run(*arguments: str) -> str:
    result = invoke("required-samples", *arguments, *STUDIES)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def expect(*names: str, **keywords: Any) -> SampleSize:
    systems = {name: SYSTEMS[name] for name in names}
    return required_samples(
        systems, references=REFERENCES * 3, rouge_types=["rouge1"], n_resamples=200, **keywords
    )


def test_the_number_is_that_of_python() -> None:
    text = run(
        *FILES, "--difference", "0.05", "--score", "rouge1", "--power", "0.9", "--tests", "2",
        "--alternative", "greater", "--clusters", "labels.txt", "--seed", "4", "--format", "json",
    )  # fmt: skip
    size = expect(
        "old",
        "new",
        difference=0.05,
        score="rouge1",
        power=0.9,
        n_tests=2,
        alternative="greater",
        clusters=LABELS,
        seed=4,
    )
    assert json.loads(text) == json.loads(json.dumps(size.to_dict()))
    assert size.n_clusters == size.n_samples


def test_points_of_100_are_those_of_percent() -> None:
    size = expect("old", "new", difference=0.05)
    text = run(*FILES, "--difference", "5", "--percent")
    assert text.splitlines()[0] == "samples  power"
    assert "a difference of 5 BLEU points between new and old with a power of 0.8" in text
    assert f"needs about {size.n_samples:,} samples (" in text


def test_one_of_several_systems_is_named() -> None:
    files = ("old.txt", "new.txt", "third.txt", *FILES[2:])
    text = run(*files, "--difference", "0.05", "--system", "third", "--format", "markdown")
    assert text == expect("old", "third", difference=0.05).to_markdown() + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["short_old.txt", "short_new.txt", "--references", "short_references.txt"],
            "SYSTEMS has 8 samples; expected at least 20 to estimate how much they differ.",
        ),
        (
            ["old.txt", *FILES[2:]],
            "old.txt: there is only one system; give two or more files before --references, or one "
            "with columns and their names with --systems.",
        ),
        (
            ["old.txt", "new.txt", "third.txt", *FILES[2:]],
            "--system is None; expected one of 'new', 'third'.",
        ),
        ([*FILES, "--score", "x"], "--score is 'x'; expected one of 'bleu', 'rouge1'."),
        (
            [*FILES, "--difference", "0"],
            "--difference is 0.0; expected a number above 0, in the units of the score.",
        ),
        ([*FILES, "--difference", "x"], "--difference is 'x'; expected a number."),
        (
            [*FILES, "--power", "80"],
            "--power is 80; expected a number above 0 and below 1, such as 0.8.",
        ),
        ([*FILES, "--baseline", "x"], "--baseline is 'x'; expected one of 'old', 'new'."),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], message: str) -> None:
    difference = [] if "--difference" in arguments else ["--difference", "0.1"]
    result = invoke("required-samples", *arguments, *difference, *STUDIES)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"bleu-rouge: {message}\n"


def test_a_wrong_value_is_found_before_files_are_read() -> None:
    Path("old.txt").unlink()
    result = invoke("required-samples", *FILES, "--difference", "0.1", "--power", "2")
    assert result.stderr == (
        "bleu-rouge: --power is 2; expected a number above 0 and below 1, such as 0.8.\n"
    )
