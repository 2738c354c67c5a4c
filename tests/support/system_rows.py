"""Comparisons of systems with numbers made by hand, or by other metrics."""

from typing import Any

from bleu_rouge_metric import Options, compare_systems
from bleu_rouge_metric.analysis.results import SystemComparison, SystemScore

OPTIONS = Options(profile="sacrebleu").write_signature()

# A name with what HTML, Markdown, LaTeX and signatures would read as more than a character.
HOSTILE = r"<b>_&|%*[x](y)\^~$#{}"


def baseline(system: str, score: str, value: float, low: float, high: float) -> SystemScore:
    return SystemScore(system, score, value, low, high, *[None] * 10)._replace(scale=100)


def other(**changes: Any) -> SystemScore:
    row = SystemScore(
        *("B", "bleu", 39.3, 38.0, 40.6, 1.2, 0.3, 2.1, 0.0062, None, 50, 10, 40, 0.05, 1.23),
        scale=100,
    )
    return row._replace(**changes)


def compare(*rows: SystemScore, **changes: Any) -> SystemComparison:
    given: dict[str, Any] = {
        "rows": rows or (baseline("A", "bleu", 38.1, 36.9, 39.4), other()),
        "baseline": "A",
        "test": "approximate_randomization",
        "n_resamples": 10000,
        "is_exact": False,
        "seed": 12345,
        "confidence": 0.95,
        "alternative": "two-sided",
        "correction": None,
        "n_tests": None,
        "convention": None,
        "n_samples": 3004,
        "n_clusters": None,
        "untested_reason": None,
        "options": OPTIONS,
        "interval_resamples": 1000,
    }
    return SystemComparison(**{**given, **changes})


def compare_numbers(*scores: Any, **keywords: Any) -> SystemComparison:
    """Compare systems A, B, … by scores of samples: x0, x1, …, each of shape (systems, samples)."""
    names, texts = "ABCDEFGH"[: len(scores[0])], ["a"] * len(scores[0][0])
    outside = {
        f"x{place}": dict(zip(names, each, strict=True)) for place, each in enumerate(scores)
    }
    systems = dict.fromkeys(names, texts)
    # All systems have a Google BLEU of 1.
    chosen: dict[str, Any] = {"profile": "google_bleu", **keywords}
    compared: SystemComparison = compare_systems(systems, texts, scores=outside, **chosen)
    return compared


def row(system: str, score: str, *numbers: float | None) -> SystemScore:
    """Make a row of numbers from 0 to 1: value, low, high, their deltas, p-value, detectable."""
    names = ["value", "low", "high", "delta", "delta_low", "delta_high", "p_value", "detectable"]
    given = dict(zip(names, numbers, strict=True))
    return other(system=system, score=score, scale=1, **given)


TWO_SCORES = compare(
    baseline("A", "bleu", 0.381, 0.369, 0.394)._replace(scale=1),
    row("B", "bleu", 0.393, 0.38, 0.406, 0.012, 0.003, 0.021, 0.0062, 1.23),
    row("C", "bleu", 0.38, 0.37, 0.39, -0.001, -0.006, 0.004, 0.7, 0.0071),
    baseline("A", "rougeL", 0.5, 0.48, 0.52)._replace(scale=1),
    row("B", "rougeL", 0.5, 0.47, 0.53, 0.0, -0.04, 0.04, 1.0, None),
    row("C", "rougeL", 0.4, 0.3, 0.5, -0.1, -0.2, -0.05, 0.0001, 1.23),
)
