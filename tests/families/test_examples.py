"""Scores worked by hand: the equations of ``examples.txt``, with both kernels."""

import math
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from bleu_rouge_metric import bleu_score, brevity_penalty, load, rouge_scores
from bleu_rouge_metric.families.bleu.rules import make_bleu_rules

from ..conftest import unfit_texts
from ..support.bleu_references import corpus_score, score_texts
from ..support.references import score

pytestmark = [*unfit_texts, pytest.mark.usefixtures("kernel")]

LINES: Final = (Path(__file__).parent / "examples.txt").read_text("utf-8").splitlines()


def bleu(prediction: str, references: list[str], **options: Any) -> Any:
    return bleu_score([prediction], [references], **options)


def part(name: str, prediction: str, references: list[str], **options: Any) -> Any:
    return corpus_score([(prediction, references)], **options)[name]


def rouge(prediction: str, references: list[str], name: str, **options: Any) -> tuple[float, ...]:
    found = rouge_scores([prediction], [references], rouge_types=[name], **options)[name]
    return tuple(float(each[0]) for each in found)


def code(prediction: str, references: list[str]) -> list[float]:
    metric: Any = load("bleu")
    texts = {"predictions": [prediction], "references": [references]}
    found = metric.compute(**texts, profile="codexglue")
    return [found["bleu"], *found["precisions"]]


NAMES: Final[dict[str, Any]] = {
    "exp": math.exp,
    "log": math.log,
    "tiny": sys.float_info.min,
    "approx": pytest.approx,
    "bleu": bleu,
    "part": part,
    "rouge": rouge,
    "code": code,
    "package": score,
    "bleu_score": bleu_score,
    "brevity_penalty": brevity_penalty,
    "corpus_score": corpus_score,
    "score_texts": score_texts,
    "make_bleu_rules": make_bleu_rules,
    "PARIS": ["Paris is the biggest French city"],
    "LARGEST": "Paris is the largest city in France",
    "FRANCE": "Paris is the capital of France",
    "CAPITAL": "Paris is not the capital of France",
    "FOX": "The quick brown fox jumps on the log.",
    "LAZY": "The quick brown fox jumps over the lazy dog.",
    "PAPINENI": [
        "It is a guide to action that ensures that the military will forever heed Party commands.",
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party.",
        "It is the practical guide for the army always to heed the directions of the party.",
    ],
    "FIRST": "It is a guide to action which ensures that the military always obeys the commands of "
    "the party.",
    "SECOND": "It is to insure the troops forever hearing the activity guidebook that party "
    "direct.",
}


@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith("#")])
def test_a_score_by_hand(line: str) -> None:
    found, expected = line.split(" == ")
    assert eval(found, NAMES) == eval(expected, NAMES)
