"""Read the corpora of real system outputs, with the scores of the reference libraries."""

import gzip
import json
from functools import cache
from typing import Any, NamedTuple

import pytest

from ..conftest import ROOT

DATA = ROOT.parent / "shared" / "data"
CORPORA = [path.name.removesuffix(".golden.json.gz") for path in DATA.glob("*.golden.json.gz")]

# Names of tokenizers in the goldens, and our names.
TOKENIZERS = {"default": "rouge", "13a": "13a", "split": "whitespace", "char": "char"}


class Golden(NamedTuple):
    """Texts of a corpus, and their scores by the reference libraries."""

    predictions: list[str]
    references: list[list[str]]
    scores: dict[str, Any]


@cache
def read_golden(corpus: str) -> Golden:
    """Read a corpus."""
    text = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8")
    samples = [json.loads(line) for line in text.split("\n") if line]
    scores = json.loads(gzip.decompress((DATA / f"{corpus}.golden.json.gz").read_bytes()))
    return Golden(
        [sample["prediction"] for sample in samples],
        [sample["references"] for sample in samples],
        scores,
    )


def each_corpus() -> pytest.MarkDecorator:
    """Run a test once per corpus, or skip it with the reason if there is no corpus."""
    if not CORPORA:
        skipped = pytest.mark.skip(reason="the corpora are not at ../shared/data")
        return pytest.mark.parametrize("corpus", [pytest.param("", marks=skipped)])
    return pytest.mark.parametrize("corpus", sorted(CORPORA))


def real_texts() -> list[str]:
    """Return all texts of all corpora."""
    items = [
        json.loads(line)
        for path in sorted(DATA.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line
    ]
    return [text for item in items for text in (item["prediction"], *item["references"])]
