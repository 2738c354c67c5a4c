"""Read the scores of the implementations behind published numbers, for the first of the samples."""

import gzip
import json
from functools import cache
from typing import Any, NamedTuple

import pytest

from .goldens import DATA

_ROOT = DATA.parent / "data_practice"
_ENDING = ".practice.json.gz"
_NAMES = sorted(path.name.removesuffix(_ENDING) for path in _ROOT.glob(f"*{_ENDING}"))


class Practice(NamedTuple):
    """Texts of a corpus, and their scores by each implementation."""

    predictions: list[str]
    references: list[list[str]]
    scores: dict[str, Any]


@cache
def read_practice(corpus: str) -> Practice:
    """Read the samples of a corpus that have scores."""
    scores = json.loads(gzip.decompress((_ROOT / f"{corpus}{_ENDING}").read_bytes()))
    text = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8")
    samples = {
        sample["id"]: sample for line in text.split("\n") if line for sample in [json.loads(line)]
    }
    chosen = [samples[name] for name in scores["items"]]
    return Practice(
        [sample["prediction"] for sample in chosen],
        [sample["references"] for sample in chosen],
        scores,
    )


def each_practice(key: str) -> pytest.MarkDecorator:
    """Run a test once per corpus with scores of a library; skip it if there is no corpus.

    Args:
        key: of the scores.
    """
    corpora = [name for name in _NAMES if key in read_practice(name).scores]
    if not corpora:
        skipped = pytest.mark.skip(reason="the scores are not at ../shared/data_practice")
        return pytest.mark.parametrize("corpus", [pytest.param("", marks=skipped)])
    return pytest.mark.parametrize("corpus", corpora)
