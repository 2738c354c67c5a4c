"""Every stored score of pycocoevalcap equals ``metric.compute`` with the profile ``coco``."""

import gzip
import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import evaluate
import pytest

from bleu_rouge_metric.text.tokenizers import TOKENIZERS

from ..conftest import unfit_texts
from .goldens import DATA
from .parity import compare

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]

FOLDER: Final = DATA.parent / "data_practice"
FILES: Final = sorted(path.name for path in FOLDER.glob("*.practice.json.gz"))
NAMES: Final = ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]


class Golden(NamedTuple):
    """Texts, and their scores by pycocoevalcap."""

    predictions: list[str]
    references: list[list[str]]
    scores: dict[str, Any]


def read_golden(file: str) -> Golden:
    scores = json.loads(gzip.decompress((FOLDER / file).read_bytes()))
    corpus = Path(file).name.removesuffix(".practice.json.gz")
    text = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8")
    rows = [json.loads(line) for line in text.split("\n") if line]
    by_id = {row.get("id", index): row for index, row in enumerate(rows)}
    kept = [by_id[item] for item in scores["items"]]
    return Golden([row["prediction"] for row in kept], [row["references"] for row in kept], scores)


def each_file() -> pytest.MarkDecorator:
    if not FILES:
        skipped = pytest.mark.skip(reason="the scores are not at ../shared/data_practice")
        return pytest.mark.parametrize("file", [pytest.param("", marks=skipped)])
    return pytest.mark.parametrize("file", FILES)


def check(
    metric: evaluate.Metric,
    what: str,
    texts: tuple[list[str], list[list[str]]],
    expected: dict[str, Any],
    **options: Any,
) -> None:
    """Compare the corpus values and the scores of every item."""
    given = {"predictions": texts[0], "references": texts[1], "profile": "coco", **options}
    found = metric.compute(**given, sentence_bleu=True)
    compare("coco", f"corpus scores {what}", [found[name] for name in NAMES], expected["Bleu"])
    compare("coco", f"corpus scores {what}", found["ROUGE_L"], expected["ROUGE_L"])
    each = found["sentence_bleu"]
    compare("coco", f"scores of every item {what}", each, expected["Bleu_samples"])
    rouge = metric.compute(**given, use_aggregator=False)["ROUGE_L"]
    compare("coco", f"scores of every item {what}", rouge, expected["ROUGE_L_samples"])


@each_file()
def test_scores_of_texts_as_they_are(metric: evaluate.Metric, file: str) -> None:
    golden = read_golden(file)
    check(metric, "of texts as they are", golden[:2], golden.scores["coco/raw"])


@each_file()
def test_scores_of_tokenized_texts(metric: evaluate.Metric, file: str) -> None:
    expected = read_golden(file).scores.get("coco/ptb")
    if expected is None:
        pytest.skip("a line separator in a text shifts its tokens; none are stored")
    texts = expected["tokens_predictions"], expected["tokens_references"]
    check(metric, "of tokenized texts", texts, expected)


@pytest.mark.skipif("ptb" not in TOKENIZERS, reason="there is no tokenizer 'ptb'")
@each_file()
def test_scores_of_the_whole_pipeline(metric: evaluate.Metric, file: str) -> None:
    golden = read_golden(file)
    expected = golden.scores.get("coco/ptb")
    if expected is None:
        pytest.skip("a line separator in a text shifts its tokens; none are stored")
    check(metric, "with tokenizer='ptb'", golden[:2], expected, tokenizer="ptb")
