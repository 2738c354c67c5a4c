"""The command with profiles: the content of its tables and of its scores per sample."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import evaluate
import pytest

from bleu_rouge_metric import compare_profiles
from bleu_rouge_metric.options.profiles import PROFILES

from ..support.commands import (
    PREDICTIONS,
    REFERENCES,
    choose_references,
    invoke,
    score,
)

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("samples.jsonl", "samples.jsonl")
TEXTS = {"predictions": PREDICTIONS, "references": REFERENCES}


def flatten(scores: dict[str, Any]) -> dict[str, float]:
    """Give each number a name, as in the tables."""
    found: dict[str, float] = {}
    for name, value in scores.items():
        if isinstance(value, dict):
            found.update({f"{name}_{part}": number for part, number in value.items()})
        elif isinstance(value, list):
            numbers = enumerate(value, 1)
            found.update({f"{name.removesuffix('s')}_{order}": number for order, number in numbers})
        else:
            found[name] = value
    return found


def write_texts(profile: str) -> tuple[list[str], dict[str, Any]]:
    """Write the samples that a profile can score; return their files, and the texts."""
    texts = {"predictions": PREDICTIONS, "references": choose_references(profile)}
    rows = zip(*texts.values(), strict=True)
    lines = (json.dumps({"prediction": text, "references": others}) for text, others in rows)
    Path("texts.jsonl").write_text("\n".join(lines), "utf-8")
    return ["texts.jsonl", "texts.jsonl"], texts


@pytest.mark.parametrize("profile", PROFILES)
def test_csv_holds_every_number_of_a_profile(profile: str, metric: evaluate.Metric) -> None:
    files, texts = write_texts(profile)
    expected = flatten(metric.compute(**texts, profile=profile))
    rows = list(csv.reader(io.StringIO(score(*files, "--profile", profile, "--format", "csv"))))
    assert rows[0] == ["score", "value"]
    assert [(name, json.loads(value)) for name, value in rows[1:]] == list(expected.items())
    table = score(*files, "--profile", profile, "--format", "markdown")
    assert all(f"| {key.split('_')[0]}" in table for key in expected)


@pytest.mark.parametrize("profile", PROFILES)
def test_per_sample_holds_the_scores_of_a_profile(profile: str, metric: evaluate.Metric) -> None:
    # Scores of all samples together are left out.
    flags = ["--signature", "--confidence", "0.9"] if "rouge" in PROFILES[profile].families else []
    files, texts = write_texts(profile)
    result = invoke("score", *files, "--profile", profile, "--per-sample", "s.jsonl", *flags)
    others = [line for line in result.stderr.splitlines() if "too narrow" not in line]
    assert (result.exit_code, others) == (0, [])
    has_bleu = "bleu" in PROFILES[profile].families
    options = {"sentence_bleu": True} if has_bleu else {}
    if "rouge" in PROFILES[profile].families:
        options["use_aggregator"] = False
    expected = metric.compute(**texts, profile=profile, **options)
    columns: dict[str, list[float]] = {"index": list(range(len(PREDICTIONS)))}
    for name, value in expected.items():
        if name == "sentence_bleu" and profile == "coco":
            columns.update(zip(expected, value, strict=False))
        elif name == "sentence_bleu" or (name[:5].lower() == "rouge" and isinstance(value, list)):
            columns[name] = value
        elif name.startswith("rouge"):
            columns.update({f"{name}_{part}": numbers for part, numbers in value.items()})
    rows = [json.loads(line) for line in Path("s.jsonl").read_text("utf-8").splitlines()]
    assert rows == [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def compare(*flags: str) -> str:
    """Return what ``bleu-rouge compare-profiles`` prints for the examples."""
    result = invoke("compare-profiles", *FILES, *flags)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_comparison_is_that_of_the_library() -> None:
    found = json.loads(compare("--format", "json"))
    expected = compare_profiles(PREDICTIONS, REFERENCES)
    assert found == {
        "scores": expected.scores,
        "differences": [step._asdict() for step in expected.differences],
    }
    flags = ["--profile", "hf", "--profile", "nltk", "--rouge-type", "rouge3", "--tokenizer"]
    found = json.loads(compare(*flags, "char", "--format", "json"))
    options: dict[str, Any] = {"rouge_types": ["rouge3"], "tokenizer": "char"}
    expected = compare_profiles(PREDICTIONS, REFERENCES, profiles=["hf", "nltk"], **options)
    assert found["scores"] == expected.scores
    flags = ["--use-stemmer", "--sentence-splitter", "pysbd", "--rouge-type", "rougeLsum"]
    found = json.loads(compare(*flags, "--format", "json"))
    options = {"use_stemmer": True, "sentence_splitter": "pysbd", "rouge_types": ["rougeLsum"]}
    assert found["scores"] == compare_profiles(PREDICTIONS, REFERENCES, **options).scores
