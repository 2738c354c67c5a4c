"""The keywords of ``compare_systems``, for type checkers."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..options.keywords import ComparedKeywords
from ..options.profiles import Family
from ..resampling.draws import Progress
from .systems import SummedScore


class ComparisonKeywords(ComparedKeywords, total=False):
    """All keywords of ``compare_systems`` but ``pairs``, which decides what it returns."""

    baseline: str | None
    test: str | None
    n_resamples: int | None
    confidence: float
    seed: int | None
    alternative: str
    margin: float | Mapping[str, float] | None
    correction: str | None
    clusters: object
    scores: Mapping[str, Mapping[str, Any] | SummedScore] | None
    lower_is_better: Sequence[str]
    convention: str | None
    groups: object
    family: Family | None
    progress: Progress | None
