"""The corpora of real system outputs, with the scores that the reference libraries gave them."""

import gzip
import json
from functools import cache
from typing import Any, NamedTuple

import pytest

from ..conftest import ROOT

DATA = ROOT.parent / "shared" / "data"
CORPORA = [path.name.removesuffix(".golden.json.gz") for path in DATA.glob("*.golden.json.gz")]

# The goldens' names of tokenizers, and ours.
TOKENIZERS = {"default": "rouge", "13a": "13a", "split": "whitespace", "char": "char"}


class Golden(NamedTuple):
    """Texts of a corpus and what the references made of them."""

    predictions: list[str]
    references: list[list[str]]
    scores: dict[str, Any]


@cache
def read_golden(corpus: str) -> Golden:
    """One corpus by name."""
    text = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8")
    samples = [json.loads(line) for line in text.split("\n") if line]
    scores = json.loads(gzip.decompress((DATA / f"{corpus}.golden.json.gz").read_bytes()))
    return Golden(
        [sample["prediction"] for sample in samples],
        [sample["references"] for sample in samples],
        scores,
    )


def each_corpus() -> pytest.MarkDecorator:
    """Runs a test once per corpus, or skips it with the reason where there is none."""
    if not CORPORA:
        skipped = pytest.mark.skip(reason="the corpora are not at ../shared/data")
        return pytest.mark.parametrize("corpus", [pytest.param("", marks=skipped)])
    return pytest.mark.parametrize("corpus", sorted(CORPORA))
