"""The command: the same scores as the library, and one line and exit status 2 for every fault."""

import csv
import io
import json
import re
import sys
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Scorer, bleu_score, explain, rouge_scores
from bleu_rouge_metric.cli.command import app
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.scoring.results import flatten, scale

from ..support.commands import (
    PREDICTIONS,
    REFERENCES,
    SAMPLES,
    choose_references,
    invoke,
    run_in_process,
    score,
    score_json,
)

pytestmark = pytest.mark.usefixtures("examples_folder")

LABELS = [("law | x", "[bold]news", "law | x", "a\nb")[index % 4] for index in range(len(SAMPLES))]


def compute(texts: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    scorer = Scorer(**options)
    scorer.update(**texts)
    return scorer.result()


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
def test_scores_and_groups_are_those_of_python(
    path: str, flags: list[str], options: dict[str, Any], recwarn: pytest.WarningsRecorder
) -> None:
    rows = zip(SAMPLES, LABELS, strict=True)
    lines = [json.dumps({**sample, "topic": label}) for sample, label in rows]
    Path("labelled.jsonl").write_text("\n".join(lines))
    Path("folder").mkdir()
    Path("folder/1.jsonl").write_text("\n".join(lines[:3]))
    Path("folder/2.jsonl").write_text("\n".join(lines[3:]))
    scorer = Scorer(seed=3 if "confidence" in options else None, **options)
    scorer.update(PREDICTIONS, REFERENCES)
    expected: Any = scorer.result(groups=LABELS)
    recwarn.clear()
    found = score_json(path, "--group-by", "topic", *flags)
    assert found == expected
    assert list(found["groups"]) == list(dict.fromkeys(LABELS))
    if "signature" not in options:
        percent = score_json(path, "--group-by", "topic", "--percent", *flags)
        assert percent == scale(expected, 100)
    if "sentence_bleu" in options:
        return
    header, *rows_of_csv = csv.reader(
        io.StringIO(score(path, "--group-by", "topic", "--format", "csv", *flags))
    )
    assert header == ["score", "value", "group"]
    for label, scores in {"": expected, **expected.pop("groups")}.items():
        signed = [["signature", scores.pop("signature")]] if "signature" in scores else []
        numbers = [[name, str(value)] for name, value in flatten(scores).items()]
        assert [row[:2] for row in rows_of_csv if row[2] == label] == numbers + signed


@pytest.mark.parametrize("profile", PROFILES)
def test_csv_and_per_sample_hold_every_number_of_a_profile(profile: str) -> None:
    texts: Any = {"predictions": PREDICTIONS, "references": choose_references(profile)}
    rows = zip(*texts.values(), strict=True)
    lines = (json.dumps({"prediction": text, "reference": others}) for text, others in rows)
    Path("texts.jsonl").write_text("\n".join(lines), "utf-8")
    flags = ("texts.jsonl", "--profile", profile)
    expected = flatten(compute(texts, profile=profile))
    head, *numbers = csv.reader(io.StringIO(score(*flags, "--format", "csv")))
    assert head == ["score", "value"]
    assert [(name, json.loads(value)) for name, value in numbers] == list(expected.items())
    table = score(*flags, "--format", "markdown")
    assert all(f"| {key.split('_')[0]}" in table for key in expected)

    # Scores of all samples together are left out.
    families = PROFILES[profile].families
    more = ["--signature", "--confidence", "0.9"] if "rouge" in families else []
    score(*flags, "--per-sample", "s.jsonl", *more)
    options = {"sentence_bleu": True} if "bleu" in families else {}
    if "rouge" in families:
        options["use_aggregator"] = False
    columns: dict[str, list[float]] = {"index": list(range(len(PREDICTIONS)))}
    of_samples = compute(texts, profile=profile, **options)
    for name, value in of_samples.items():
        if name == "sentence_bleu" and profile == "coco":
            columns.update(zip(of_samples, value, strict=False))
        elif name == "sentence_bleu" or (name[:5].lower() == "rouge" and isinstance(value, list)):
            columns[name] = value
        elif name.startswith("rouge"):
            columns.update({f"{name}_{part}": numbers for part, numbers in value.items()})
    written = [json.loads(line) for line in Path("s.jsonl").read_text("utf-8").splitlines()]
    assert written == [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def test_more_samples_than_a_portion_give_the_scores_of_all() -> None:
    predictions = [f"sample {number} of {number % 7}" for number in range(2500)]
    references = [f"sample {number} of {number % 5}" for number in range(2500)]
    Path("p.txt").write_text("\n".join(predictions), "utf-8")
    Path("r.txt").write_text("\n".join(references), "utf-8")
    scores = score_json("p.txt", "r.txt", "--no-aggregator", "--rouge-type", "rouge2")
    expected = rouge_scores(predictions, references, rouge_types=["rouge2"])["rouge2"].fmeasure
    assert scores["rouge2"] == expected.tolist()
    assert scores["bleu"] == bleu_score(predictions, references).bleu


@pytest.mark.parametrize(("name", "share"), [("p.txt", 1.5), ("data", 0.4)])
def test_scoring_holds_little_more_than_the_texts(
    name: str,
    share: float,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = [f"sample {number} " + "has words and words " * 20 for number in range(3000)]
    Path("p.txt").write_text("\n".join(texts), "utf-8")
    Path("r.txt").write_text("\n".join(reversed(texts)), "utf-8")
    Path("data").mkdir()
    rows = [json.dumps({"prediction": text, "reference": text}) for text in texts]
    for part in range(4):
        Path(f"data/{part}.jsonl").write_text("\n".join(rows), "utf-8")
    size = 2 * sum(map(sys.getsizeof, texts)) * (4 if name == "data" else 1)
    files = [name, *(["r.txt"] if name == "p.txt" else [])]
    flags = ["--max-order", "1", "--rouge-type", "rouge1"]
    run_in_process(monkeypatch, "score", "samples.jsonl", *flags)  # imports
    tracemalloc.start()
    try:
        run_in_process(monkeypatch, "score", *files, *flags, "--per-sample", "s.csv")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "rouge1" in capsys.readouterr().out
    assert peak < share * size


@pytest.mark.parametrize("function", ["update_counts", "result"])
def test_an_error_of_the_program_keeps_its_traceback(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(Scorer, function, fail)
    with pytest.raises(ValueError, match=r"^a bug$"):
        app(["score", "samples.jsonl", "samples.jsonl"], standalone_mode=False)


@pytest.mark.parametrize("row", [0, 3])
def test_an_explanation_is_that_of_python(row: int) -> None:
    flags = ("--rouge-type", "rougeL,rougeSU4", "--use-stemmer", "--format", "json")
    found = invoke("explain", "--row", str(row), "samples.jsonl", *flags).stdout
    options: Any = {"rouge_types": ["rougeL", "rougeSU4"], "use_stemmer": True}
    expected = json.dumps(explain(PREDICTIONS[row], REFERENCES[row], **options).to_dict())
    assert found == re.sub(r"references\[(\d)\]", r"reference \1", f"{expected}\n")


def test_a_text_that_is_too_long_for_a_path_is_a_text() -> None:
    flags = ("--rouge-type", "rouge1", "--family", "rouge")
    assert "[a]" in invoke("explain", "a " * 5000, "a " * 5000, *flags).stdout
