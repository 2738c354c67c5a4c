"""Read what published numbers use: the corpora of ``goldens.py`` by other reference libraries."""

import gzip
import json
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

from .goldens import DATA

PRACTICE: Final = DATA.parent / "data_practice"
_END: Final = ".practice.json.gz"


class Practice(NamedTuple):
    """Some samples of a corpus, and what reference libraries return for them, by their names."""

    predictions: list[str]
    references: list[list[str]]
    results: dict[str, Any]


@cache
def read_practice(corpus: str) -> Practice:
    """Read a corpus."""
    results = json.loads(gzip.decompress((PRACTICE / f"{corpus}{_END}").read_bytes()))
    lines = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8").split("\n")
    samples = {sample["id"]: sample for sample in map(json.loads, filter(None, lines))}
    chosen = [samples[name] for name in results["items"]]
    return Practice(
        [sample["prediction"] for sample in chosen],
        [sample["references"] for sample in chosen],
        results,
    )


def list_corpora(key: str) -> list[str]:
    """Return the names of the corpora with results of a reference library."""
    names = sorted(path.name.removesuffix(_END) for path in PRACTICE.glob(f"*{_END}"))
    return [name for name in names if key in read_practice(name).results]


def each_practice(key: str) -> pytest.MarkDecorator:
    """Run a test once per corpus with results of a reference library; skip it if there is none."""
    corpora = list_corpora(key)
    if not corpora:
        skipped = pytest.mark.skip(reason="the corpora are not at ../shared/data_practice")
        return pytest.mark.parametrize("corpus", [pytest.param("", marks=skipped)])
    return pytest.mark.parametrize("corpus", corpora)
