"""Test whether the difference between systems is real, for every BLEU and ROUGE.

Samples are counted once, and their whole numbers are resampled; the tests and their literature
are in ``resampling/paired.py``. Koehn (2004) introduced the bootstrap for BLEU; Riezler and Maxwell
(2005) compare it with approximate randomization. Dror et al. (2018) say which test suits which
score. Card et al. (2020) say why a test set must be large enough for the differences that are
looked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..messages import Argument, value_error
from ..resampling.draws import Progress
from ..scoring.labels import check_labels
from .ranking.system_ranking import SystemRanking, add_ranks
from .sacrebleu_convention import CONVENTION_PROFILE, check_convention
from .significance_design import check_design
from .significance_parts import Part, compare_part, correct_results, list_parts, rank_part
from .system_comparison import SystemComparison
from .systems import RUN_TEST, SummedScore, check_outside_scores, count_systems, has_runs

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import ComparedKeywords
    from ..options.profiles import Family
    from .comparison_keywords import ComparisonKeywords

_ResultT = TypeVar("_ResultT", bound="SystemComparison | SystemRanking")


@overload
def compare_systems(
    systems: Mapping[str, Any],
    references: object = None,
    *,
    pairs: None = None,
    **keywords: "Unpack[ComparisonKeywords]",
) -> SystemComparison: ...


@overload
def compare_systems(
    systems: Mapping[str, Any],
    references: object = None,
    *,
    pairs: Literal["all"],
    **keywords: "Unpack[ComparisonKeywords]",
) -> SystemRanking: ...


def compare_systems(
    systems: Mapping[str, Any],
    references: object = None,
    *,
    baseline: str | None = None,
    pairs: Literal["all"] | None = None,
    test: str | None = None,
    n_resamples: int | None = None,
    confidence: float = 0.95,
    seed: int | None = 12345,
    alternative: str = "two-sided",
    margin: float | Mapping[str, float] | None = None,
    correction: str | None = None,
    clusters: object = None,
    scores: Mapping[str, Mapping[str, Any] | SummedScore] | None = None,
    lower_is_better: Sequence[str] = (),
    convention: str | None = None,
    groups: object = None,
    family: "Family | None" = None,
    progress: Progress | None = None,
    **options: "Unpack[ComparedKeywords]",
) -> SystemComparison | SystemRanking:
    """Compare systems on the same samples: scores, intervals, and tests of the differences.

    Args:
        systems: mapping of names to predictions, two or more; or to ``Scorer`` objects, which have
            counted the same samples. For several runs per system, such as trainings with several
            seeds, a list of runs, or a mapping of seeds to runs, in place of each.
        references: one item per sample, a str or a sequence of str; left out for scorers.
        baseline: the system that the others are compared with; None for the first.
        pairs: ``all`` to test each system against each other one instead, and to rank them.
        test: ``approximate_randomization``, ``bootstrap``, or ``bootstrap_t`` (Student's t with
            standard errors of the bootstrap); all are paired. None for the first, or for the last
            in a test of non-inferiority or of several runs.
        n_resamples: from 1 to 1,000,000; None for 10,000 in approximate randomization and 1,000 in
            the others. With few samples, approximate randomization tries all ways to swap.
        confidence: of the intervals, above 0 and below 1. Those of scores are percentiles of the
            bootstrap; those of differences are Student's, from standard errors of the bootstrap.
        seed: from 0 to 2 ** 32 - 1; None to draw one, which the signature contains.
        alternative: ``two-sided``; ``greater``: only a better score than the baseline's counts;
            ``noninferior``: the score is not worse by more than ``margin``.
        margin: by how much a score may be worse, 0 or more, in the units of the score; or a mapping
            of each score to its margin.
        correction: of all p-values together, including those of groups: ``holm``, ``bonferroni``,
            ``fdr_bh`` or None. All pairs have ``holm`` in place of None.
        clusters: one label per sample, such as its document; whole clusters are swapped or drawn.
        scores: numbers of other metrics: ``{"comet": {"A": [...], "B": [...]}}``, one per sample;
            or a ``SummedScore`` in place of the inner mapping, for a score that is no mean.
        lower_is_better: the names of those of ``scores`` of which a lower one is better, such as
            error rates.
        convention: ``sacrebleu`` for the p-values and intervals of that program (BLEU only).
        groups: one label per sample; each group is also compared separately.
        family: ``bleu`` or ``rouge`` for one family; None for all that the profile has.
        progress: called with how many resamples are done and how many there are.
        **options: options of ``metric.compute`` that change scores, such as ``profile``,
            ``rouge_types``, ``tokenizer`` and ``smooth``.

    Returns:
        A row for each score and system; with ``pairs="all"`` a ``SystemRanking``. Wins, ties,
        losses and the effect size compare the smoothed sentence BLEU of the samples, as
        ``SystemScore`` describes.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, or systems, references, clusters or scores do not fit
            together.

    >>> same, other = ["the cat sat on the mat"] * 9, ["the cat sat on a mat"] * 9
    >>> comparison = compare_systems({"A": same, "B": same}, other, rouge_types=["rougeL"])
    >>> [(row.system, row.p_value) for row in comparison.rows if row.score == "rougeL"]
    [('A', None), ('B', 1.0)]
    """
    if has_runs(systems):
        for name, value in (("scores", scores), ("convention", convention)):
            if value is not None:
                raise value_error(
                    "{} is given, but the systems have several runs",
                    Argument(name),
                    remedy="leave it out, or give one run of each system.",
                )
        test = RUN_TEST if test is None else test
    design = check_design(
        test=test,
        n_resamples=n_resamples,
        confidence=confidence,
        seed=seed,
        alternative=alternative,
        correction=correction,
        convention=convention,
        pairs=pairs,
        baseline=baseline,
        margin=margin,
    )
    keywords: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    # Scorers have a profile already.
    if convention is not None and references is not None:
        keywords.setdefault("profile", CONVENTION_PROFILE)
    counted = count_systems(systems, references, baseline=baseline, family=family, options=keywords)
    samples = len(counted.counts[0].reference_counts)
    numbers = check_clusters(clusters, samples)
    outside = check_outside_scores(scores, counted.names, samples, lower_is_better)
    grouped = None if groups is None else check_labels("groups", groups, samples)
    if grouped is not None and "" in grouped.names:
        # In CSV, the rows of all samples have no name of a group.
        raise value_error(
            "{groups} has an empty label",
            expected="expected the name of a group for each sample.",
        )
    if design.convention is not None:
        check_convention(counted, clusters=clusters, scores=scores)
    whole = Part(counted, numbers, outside)
    parts = [whole, *([] if grouped is None else list_parts(whole, grouped))]
    n_tested = sum(part.untested_reason is None for part in parts)
    names = [] if grouped is None else grouped.names
    if design.all_pairs:
        rankings = [rank_part(part, design, n_tested, progress) for part in parts]
        return _join(list(map(add_ranks, correct_results(rankings, design.correction))), names)
    compared = [compare_part(part, design, n_tested, progress) for part in parts]
    return _join(correct_results(compared, design.correction), names)


def _join(results: Sequence[_ResultT], names: Sequence[str]) -> _ResultT:
    """Put the results of the groups into that of all samples, which is the first."""
    whole, *others = results
    changes: dict[str, Any] = {"groups": dict(zip(names, others, strict=True))}
    return replace(whole, **changes)


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
