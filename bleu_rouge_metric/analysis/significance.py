"""Test whether the difference between systems is real, for every BLEU and ROUGE.

Samples are counted once, and their whole numbers are resampled; the tests and their literature
are in ``resampling/paired.py``. Koehn (2004) introduced the bootstrap for BLEU; Riezler and Maxwell
(2005) compare it with approximate randomization. Dror et al. (2018) say which test suits which
score. Card et al. (2020) say why a test set must be large enough for the differences that are
looked for.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..families.counts import select_counts
from ..messages import value_error
from ..resampling.draws import Progress
from ..resampling.paired import Correction, correct
from ..scoring.labels import check_labels
from .sacrebleu_convention import CONVENTION_PROFILE, check_convention
from .significance_design import check_design, check_outside_scores
from .significance_parts import Part, compare_part
from .system_comparison import SystemComparison
from .system_counts import count_systems

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import ComparedKeywords
    from ..options.profiles import Family


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
        references: one item per sample, a str or a sequence of str; left out for scorers.
        baseline: the system that the others are compared with; None for the first.
        test: ``approximate_randomization`` or ``bootstrap`` (paired).
        n_resamples: from 1 to 1,000,000; None for 10,000 in approximate randomization and 1,000 in
            the bootstrap. With few samples, approximate randomization tries all ways to swap.
        confidence: of the intervals, above 0 and below 1. Those of scores are percentiles of the
            bootstrap; those of differences are Student's, from standard errors of the bootstrap.
        seed: from 0 to 2 ** 32 - 1; None to draw one, which the signature contains.
        alternative: ``two-sided``, or ``greater``: only a higher score than the baseline's counts.
        correction: of all p-values together, including those of groups: ``holm``, ``bonferroni``,
            ``fdr_bh`` or None.
        clusters: one label per sample, such as its document; whole clusters are swapped or drawn.
        scores: numbers of other metrics: ``{"comet": {"A": [...], "B": [...]}}``, one per sample.
        convention: ``sacrebleu`` for the p-values and intervals of that program (BLEU only).
        groups: one label per sample; each group is also compared separately.
        family: ``bleu`` or ``rouge`` for one family; None for all that the profile has.
        progress: called with how many resamples are done and how many there are.
        **options: options of ``metric.compute`` that change scores, such as ``profile``,
            ``rouge_types``, ``tokenizer`` and ``smooth``.

    Returns:
        A row for each score and system. Wins, ties, losses and the effect size compare the smoothed
        sentence BLEU of the samples, as ``SystemScore`` describes.

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
    numbers = check_clusters(clusters, samples)
    outside = check_outside_scores(scores, counted.names, samples)
    grouped = None if groups is None else check_labels("groups", groups, samples)
    if design.convention is not None:
        check_convention(counted, clusters=clusters, scores=scores)
    parts = [Part(counted, numbers, outside)]
    if grouped is not None:
        for indices in grouped.list_indices():
            counts = [select_counts(counts, indices) for counts in counted.counts]
            rows = [{score: row[indices] for score, row in rows.items()} for rows in outside]
            part = None if numbers is None else np.unique(numbers[indices], return_inverse=True)[1]
            parts.append(Part(counted._replace(counts=counts), part, rows))
    n_tested = sum(part.untested_reason is None for part in parts)
    compared = [compare_part(part, design, n_tested, progress) for part in parts]
    whole, *others = correct_comparisons(compared, design.correction)
    names = [] if grouped is None else grouped.names
    return replace(whole, groups=dict(zip(names, others, strict=True)))


def check_clusters(clusters: object, samples: int) -> NDArray[np.int64] | None:
    """Return the number of the cluster of each sample, from 0 up; None if there are none.

    Raises:
        TypeError: a label is neither a str nor an int.
        ValueError: there are more or fewer labels than samples, or all are equal.
    """
    if clusters is None:
        return None
    labels = check_labels("clusters", clusters, samples)
    if len(labels.names) < 2:
        raise value_error(
            "{clusters} has the one label {!r}",
            labels.names[0],
            expected="expected at least 2 to resample.",
        )
    return labels.numbers


def correct_comparisons(
    comparisons: Sequence[SystemComparison], correction: Correction | None
) -> list[SystemComparison]:
    """Correct the p-values of all samples and of all groups together."""
    if correction is None:
        return list(comparisons)
    rows = [row for comparison in comparisons for row in comparison.rows]
    p_values = [row.p_value for row in rows if row.p_value is not None]
    corrected = iter(correct(np.array(p_values), correction).tolist())
    return [
        replace(
            comparison,
            rows=tuple(
                row if row.p_value is None else row._replace(p_corrected=next(corrected))
                for row in comparison.rows
            ),
            n_tests=len(p_values),
        )
        for comparison in comparisons
    ]
