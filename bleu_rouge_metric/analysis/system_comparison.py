"""What a comparison of systems gives back, and how it shows itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class SystemScore(NamedTuple):
    """One score of one system, and its difference from the baseline's.

    Everything that compares with the baseline is None for the baseline itself.

    Attributes:
        system: name of the system.
        score: ``bleu``, ``google_bleu``, a ROUGE type, or the name of an outside score.
        value: the score of all samples; in percent only BLEU with the profile ``sacrebleu``, and
            an outside score if it is.
        low: lower end of the interval of the value; None if there is none.
        high: upper end of the interval of the value.
        delta: the value minus the baseline's.
        delta_low: lower end of the interval of ``delta``.
        delta_high: upper end of the interval of ``delta``.
        p_value: how probable a difference as large as this one is if the systems do not differ.
        p_corrected: ``p_value`` corrected for the number of tests; None without a correction.
        wins: samples in which the system scores more than the baseline.
        ties: samples in which both score the same.
        losses: samples in which the system scores less.
        effect_size: mean of the differences between samples over their standard deviation.
        detectable: the smallest difference that these samples would show with a power of 0.8.
        mean: of the resampled scores; only with ``convention="sacrebleu"``.
    """

    system: str
    score: str
    value: float
    low: float | None
    high: float | None
    delta: float | None
    delta_low: float | None
    delta_high: float | None
    p_value: float | None
    p_corrected: float | None
    wins: int | None
    ties: int | None
    losses: int | None
    effect_size: float | None
    detectable: float | None
    mean: float | None = None


@dataclass(frozen=True, kw_only=True)
class SystemComparison:
    """Scores of several systems on the same samples, and tests of their differences.

    Attributes:
        rows: all systems of the first score, the baseline among them, then those of the next.
        baseline: the system that the others are compared with.
        test: ``approximate_randomization`` or ``bootstrap``.
        n_resamples: how many resamples the test made; if it is exact, all there are.
        is_exact: whether the test went through all resamples there are.
        seed: of the random stream.
        confidence: of the intervals; a difference is called clear if p is at most 1 minus this.
        alternative: ``two-sided``, or ``greater`` if only a higher score counts.
        correction: ``holm``, ``bonferroni``, ``fdr_bh``, or None.
        convention: ``sacrebleu`` if p-values and intervals are those of that program, else None.
        n_samples: number of samples.
        n_clusters: number of clusters; None if every sample stands for itself.
        options: the signature of the options of the scores.
        interval_resamples: number of bootstrap resamples behind the intervals.
        groups: the comparisons of the groups alone, by name; empty if none were asked for.
    """

    rows: tuple[SystemScore, ...]
    baseline: str
    test: str
    n_resamples: int
    is_exact: bool
    seed: int
    confidence: float
    alternative: str
    correction: str | None
    convention: str | None
    n_samples: int
    n_clusters: int | None
    options: str
    interval_resamples: int
    groups: Mapping[str, "SystemComparison"] = field(default_factory=dict)
