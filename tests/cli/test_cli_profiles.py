"""The command with profiles: the content of its tables and of its scores per sample."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import evaluate
import pytest

from bleu_rouge_metric import compare_profiles
from bleu_rouge_metric.cli.render import describe_step
from bleu_rouge_metric.options.profiles import PROFILES

from ..support.commands import (
    PREDICTIONS,
    REFERENCES,
    choose_references,
    invoke,
    score,
    score_json,
)

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("samples.jsonl", "samples.jsonl")
TEXTS = {"predictions": PREDICTIONS, "references": REFERENCES}

SACREBLEU = """\
  BLEU            Value
 ───────────────────────
  score         69.1149
  count_1             5
  count_2             4
  total_1             6
  total_2             5
  precision_1   83.3333
  precision_2   80.0000
  bp             0.8465
  sys_len             6
  ref_len             7
"""
SIGNATURE = (
    "profile:sacrebleu|nrefs:1|bleu_tokenizer:13a|max_order:2|smooth:exp|reference_length:closest|"
)


@pytest.fixture
def pair() -> tuple[str, str]:
    Path("p.txt").write_text("the cat sat on the mat\n", "utf-8")
    Path("r.txt").write_text("the cat sat on the red rug\n", "utf-8")
    return "p.txt", "r.txt"


def test_a_table_of_sacrebleu_has_its_keys_and_the_signature_as_a_line(
    pair: tuple[str, str],
) -> None:
    flags = ["--profile", "sacrebleu", "--max-order", "2"]
    assert score(*pair, *flags) == SACREBLEU
    printed = score(*pair, *flags, "--signature")
    assert printed.startswith(SACREBLEU + "\n" + SIGNATURE)
    assert printed.count("\n") == SACREBLEU.count("\n") + 2
    line = printed.splitlines()[-1]
    assert score(*pair, *flags, "--signature", "--format", "csv").endswith(
        f'ref_len,7\nsignature,"{line}"\n' if "," in line else f"ref_len,7\nsignature,{line}\n"
    )
    assert score(*pair, *flags, "--signature", "--format", "markdown").endswith(
        f"| ref\\_len | 7 |\n\n`{line}`\n"
    )
    assert score(*pair, *flags, "--signature", "--format", "latex").endswith(
        f"\\end{{table}}\n% {line}\n"
    )


def test_google_bleu_and_several_weights_are_rows(pair: tuple[str, str]) -> None:
    assert score(*pair, "--profile", "google_bleu") == (
        "  BLEU           Value\n ──────────────────────\n  google_bleu   0.6364\n"
    )
    flags = ["--profile", "nltk", "--weights", "1", "--weights", "0.5,0.5", "--format", "csv"]
    rows = list(csv.reader(io.StringIO(score(*pair, *flags))))
    expected = score_json(*pair, *flags[:-2])
    assert rows[1:5] == [
        ["bleu_1", str(expected["bleu"][0])],
        ["bleu_2", str(expected["bleu"][1])],
        ["precision_1", str(expected["precisions"][0])],
        ["precision_2", str(expected["precisions"][1])],
    ]


@pytest.mark.parametrize("is_detailed", [False, True])
def test_an_interval_is_two_rows(*, is_detailed: bool) -> None:
    flags = ["--family", "rouge", "--rouge-type", "rouge1", "--confidence", "0.9", "--seed", "1"]
    flags += ["--detailed"] * is_detailed
    rows = {name: values for name, *values in map(str.split, score(*FILES, *flags).splitlines())}
    assert rows["ROUGE"] == ["Precision", "Recall"] * is_detailed + ["F-measure"]
    expected = score_json(*FILES, *flags)
    assert list(expected) == ["rouge1", "rouge1_low", "rouge1_high"]
    for name, value in expected.items():
        values = list(value.values()) if is_detailed else [value]
        assert rows[name] == [f"{number:.4f}" for number in values]


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


def test_per_sample_has_a_column_for_every_set_of_weights(metric: evaluate.Metric) -> None:
    flags = ["--profile", "nltk", "--weights", "1", "--weights", "0.5,0.5"]
    score(*FILES, *flags, "--per-sample", "s.csv")
    expected = metric.compute(
        **TEXTS, profile="nltk", weights=[[1], [0.5, 0.5]], sentence_bleu=True
    )["sentence_bleu"]
    header, *rows = csv.reader(io.StringIO(Path("s.csv").read_text("utf-8")))
    assert header == ["index", "sentence_bleu_1", "sentence_bleu_2"]
    assert [list(map(float, row[1:])) for row in rows] == expected


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


def test_a_comparison_is_tables_and_reasons_that_fit_a_terminal() -> None:
    printed = compare()
    lines = printed.splitlines()
    assert max(map(len, lines)) <= 80
    scores, differences = compare_profiles(PREDICTIONS, REFERENCES)
    # A profile lists each reason once, even if it changes many scores.
    for profile in scores:
        if profile == "hf":
            continue
        steps = {describe_step(step) for step in differences if step.profile == profile}
        _, found, text = printed.partition(f"From hf to {profile}:\n")
        assert bool(found) == bool(steps)
        paragraph = " ".join(text.partition("\n\n")[0].split())
        assert all(paragraph.count(reason) == 1 for reason in steps)
        if not steps:
            assert f"\n{profile} gives the same scores as hf.\n" in printed
    flat = " ".join(printed.split())
    for step in differences:
        assert f"{step.score} {step.before:.4f} " in flat
