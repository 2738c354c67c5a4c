"""Test whether the difference between systems is real, for every BLEU and ROUGE.

Samples are counted once, and their whole numbers are resampled; the tests and their literature
stand in ``resampling/paired.py``. Koehn (2004) brought the paired bootstrap to BLEU, and Riezler
and Maxwell (2005) approximate randomization. Dror et al. (2018) say which test suits which score.
Card et al. (2020) say why a test set must be large enough for the differences that are looked for.
"""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Floats, Progress
from ..resampling.paired import (
    Correction,
    approximate_randomization,
    bootstrap,
    bootstrap_p_values,
    correct,
)
from ..scoring.labels import Labels, check_labels
from ..scoring.sample_counts import select_counts
from .sacrebleu_convention import CONVENTION_PROFILE, check_convention, compare_by_sacrebleu
from .significance_design import Design, check_design, check_outside_scores
from .system_comparison import SystemComparison, SystemScore
from .system_counts import CountedSystems, count_systems
from .system_scores import SystemScores, gather_scores

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import ComparedKeywords
    from ..options.profiles import Family

# The probability to find a difference that is there (Cohen 1988).
_POWER: Final = 0.8


def compare_systems(
    systems: Mapping[str, Any],
    references: object = None,
    *,
    baseline: str | None = None,
    test: str = "approximate_randomization",
    n_resamples: int | None = None,
    confidence: float = 0.95,
    seed: int | None = 12345,
    alternative: str = "two-sided",
    correction: str | None = None,
    clusters: object = None,
    scores: Mapping[str, Mapping[str, Any]] | None = None,
    convention: str | None = None,
    groups: object = None,
    family: "Family | None" = None,
    progress: Progress | None = None,
    **options: "Unpack[ComparedKeywords]",
) -> SystemComparison:
    """Compare systems on the same samples: scores, intervals, and tests of the differences.

    Args:
        systems: mapping of names to predictions, two or more; or to ``Scorer`` objects, which have
            counted the same samples.
        references: one item a sample, a str or a sequence of str; left out for scorers.
        baseline: the system that the others are compared with; None for the first.
        test: ``approximate_randomization`` or ``bootstrap`` (paired).
        n_resamples: from 1 to 1,000,000; None for 10,000 in approximate randomization and 1,000 in
            the bootstrap. With few samples, approximate randomization tries all ways to swap.
        confidence: of the intervals, above 0 and below 1. They are percentiles of the bootstrap.
        seed: from 0 to 2 ** 32 - 1; None to draw one, which the signature says.
        alternative: ``two-sided``, or ``greater``: only a higher score than the baseline's counts.
        correction: of all p-values together: ``holm``, ``bonferroni``, ``fdr_bh`` or None.
        clusters: one label a sample, such as its document; whole clusters are swapped or drawn.
        scores: numbers of other metrics: ``{"comet": {"A": [...], "B": [...]}}``, one a sample.
        convention: ``sacrebleu`` for the p-values and intervals of that program (BLEU alone).
        groups: one label a sample; each group is compared alone as well.
        family: ``bleu`` or ``rouge`` for one alone; None for all that the profile has.
        progress: called with how many resamples are done and how many there are.
        **options: options of ``metric.compute`` that change scores, such as ``profile``,
            ``rouge_types``, ``tokenizer`` and ``smooth``.

    Returns:
        A row for each score and system. BLEU of a sample, which wins, ties, losses and the effect
        size compare, is its sentence BLEU.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, or systems, references, clusters or scores do not fit
            together.

    >>> same, other = ["the cat sat on the mat"] * 9, ["the cat sat on a mat"] * 9
    >>> comparison = compare_systems({"A": same, "B": same}, other, rouge_types=["rougeL"])
    >>> [(row.system, row.p_value) for row in comparison.rows if row.score == "rougeL"]
    [('A', None), ('B', 1.0)]
    """
    design = check_design(
        test=test,
        n_resamples=n_resamples,
        confidence=confidence,
        seed=seed,
        alternative=alternative,
        correction=correction,
        convention=convention,
        draw=secrets.randbits(32),
    )
    keywords: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    # Scorers have a profile already.
    if convention is not None and references is not None:
        keywords.setdefault("profile", CONVENTION_PROFILE)
    counted = count_systems(systems, references, baseline=baseline, family=family, options=keywords)
    samples = len(counted.counts[0].reference_counts)
    labels = None if clusters is None else check_labels("clusters", clusters, samples)
    if labels is not None and len(labels.names) < 2:
        raise ValueError(
            f"clusters has the one label {labels.names[0]!r}; expected at least 2 to resample."
        )
    outside = check_outside_scores(scores, counted.names, samples)
    parts = [] if groups is None else _list_groups(check_labels("groups", groups, samples))
    if design.convention is not None:
        check_convention(counted, clusters=clusters, scores=scores)
    numbers = None if labels is None else labels.numbers
    whole = _compare(counted, design, numbers, outside, progress)
    found: dict[str, SystemComparison] = {}
    for name, indices in parts:
        chosen = [select_counts(counts, indices) for counts in counted.counts]
        part = None if numbers is None else np.unique(numbers[indices], return_inverse=True)[1]
        found[name] = _compare(
            counted._replace(counts=chosen),
            design,
            part,
            [{score: row[indices] for score, row in rows.items()} for rows in outside],
            progress,
        )
    return replace(whole, groups=found)


def _list_groups(labels: Labels) -> list[tuple[str, NDArray[np.int64]]]:
    """List the groups with the indices of their samples; raise ValueError if one is too small."""
    parts = list(zip(labels.names, labels.list_indices(), strict=True))
    for name, indices in parts:
        if len(indices) < 2:
            raise ValueError(f"The group {name!r} has 1 sample; expected at least 2 to resample.")
    return parts


def _compare(
    counted: CountedSystems,
    design: Design,
    clusters: NDArray[np.int64] | None,
    outside: list[dict[str, Floats]],
    progress: Progress | None,
) -> SystemComparison:
    """Compare systems that are counted."""
    plan = counted.options.plan(counted.families).scoring
    gathered = gather_scores(counted.counts, outside, plan, design.seed, clusters)
    n_resamples, is_exact = design.n_resamples, False
    if design.convention is not None:
        rows = compare_by_sacrebleu(counted, gathered, design, progress)
        rows = [_describe(row, gathered, counted.names) for row in rows]
    else:
        rows, n_resamples, is_exact = _test(counted.names, gathered, design, progress)
    reference_counts = counted.counts[0].reference_counts
    return SystemComparison(
        rows=tuple(_correct(rows, design.correction)),
        baseline=counted.names[0],
        test=design.test,
        n_resamples=n_resamples,
        is_exact=is_exact,
        seed=design.seed,
        confidence=design.confidence,
        alternative=design.alternative,
        correction=design.correction,
        convention=design.convention,
        n_samples=len(reference_counts),
        n_clusters=None if clusters is None else int(clusters.max()) + 1,
        options=counted.options.write_signature(
            counted.families, reference_counts=reference_counts, seed=design.seed
        ),
        interval_resamples=0
        if design.convention is not None and design.swaps
        else design.interval_resamples,
        counted=counted,
    )


def _test(
    names: list[str], gathered: list[SystemScores], design: Design, progress: Progress | None
) -> tuple[list[SystemScore], int, bool]:
    """Compute values, intervals and p-values; also how many resamples, and whether these are all.

    Returns:
        The rows, without a correction: all systems of the first score, then those of the next.
    """
    tables = [scores.table for scores in gathered]
    intervals = design.interval_resamples
    total = intervals + (design.n_resamples if design.swaps else 0)

    def report(offset: int) -> Progress | None:
        return progress and (lambda done, _: progress(offset + done, total))

    resampled = bootstrap(tables, intervals, design.seed, report(0))
    n_resamples, is_exact = intervals, False
    if design.swaps:
        p_values, n_resamples, is_exact = approximate_randomization(
            tables,
            design.n_resamples,
            design.seed,
            design.alternative,
            report(intervals),
        )
    else:
        observed = np.array([table.score_all() for table in tables])
        p_values = bootstrap_p_values(resampled, observed, design.alternative)
    tail = 50 * (1 - design.confidence)
    low, high = np.percentile(resampled, [tail, 100 - tail], axis=2)
    deltas = resampled[1:] - resampled[0]
    delta_low, delta_high = np.percentile(deltas, [tail, 100 - tail], axis=2)
    errors = deltas.std(axis=2, ddof=1) if intervals > 1 else np.zeros(deltas.shape[:2])
    detectable = _count_errors(design) * errors
    rows = []
    for score, name in enumerate(gathered[0].values):
        for system, scores in enumerate(gathered):
            row = SystemScore(
                names[system],
                name,
                scores.values[name],
                float(low[system, score]),
                float(high[system, score]),
                *(None,) * 10,
            )
            if system:
                place = system - 1, score
                row = row._replace(
                    delta_low=float(delta_low[place]),
                    delta_high=float(delta_high[place]),
                    p_value=float(p_values[place]),
                    detectable=float(detectable[place]),
                )
            rows.append(_describe(row, gathered, names))
    return rows, n_resamples, is_exact


def _count_errors(design: Design) -> float:
    """Return how many standard errors a difference must have to be found with the power of 0.8."""
    # Source: Miller (2024), and any textbook: the quantile of the test and that of the power. The
    # standard error is that of the bootstrap, which holds for BLEU and for clusters too.
    level = 1 - design.confidence
    if design.alternative == "two-sided":
        level /= 2
    normal = NormalDist()
    return normal.inv_cdf(1 - level) + normal.inv_cdf(_POWER)


def _describe(row: SystemScore, gathered: list[SystemScores], names: list[str]) -> SystemScore:
    """Add what needs no resampling: the difference, and how the samples differ."""
    baseline, ours = gathered[0], gathered[names.index(row.system)]
    if ours is baseline:
        return row
    differences = ours.samples[row.score] - baseline.samples[row.score]
    spread = float(differences.std(ddof=1))
    return row._replace(
        delta=row.value - baseline.values[row.score],
        wins=int(np.count_nonzero(differences > 0)),
        ties=int(np.count_nonzero(differences == 0)),
        losses=int(np.count_nonzero(differences < 0)),
        effect_size=float(differences.mean()) / spread if spread else None,
    )


def _correct(rows: list[SystemScore], correction: Correction | None) -> list[SystemScore]:
    """Correct the p-values of all rows together."""
    tested = [index for index, row in enumerate(rows) if row.p_value is not None]
    if correction is None:
        return rows
    p_values = correct(np.array([rows[index].p_value for index in tested]), correction)
    corrected = dict(zip(tested, p_values.tolist(), strict=True))
    return [row._replace(p_corrected=corrected.get(index)) for index, row in enumerate(rows)]
