"""Test whether the difference between systems is real, for every BLEU and ROUGE.

Samples are counted once, and their whole numbers are resampled; the tests and their literature
are in ``resampling/tests.py``. Koehn (2004) introduced the bootstrap for BLEU; Riezler and Maxwell
(2005) compare it with approximate randomization. Dror et al. (2018) say which test suits which
score. Card et al. (2020) say why a test set must be large enough for the differences that are
looked for.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, compress
from typing import TYPE_CHECKING, Any, Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ..families.counts import select_counts
from ..matching.texts import join_names
from ..messages import Argument, value_error
from ..options.keywords import ComparedKeywords
from ..options.profiles import Family
from ..resampling.corrections import correct_rows
from ..resampling.draws import Progress
from ..resampling.tests import TOLERANCE, pair_with_first
from ..scoring.intervals import FEWEST_DIFFERENT, share_one_score
from ..scoring.results import check_labels
from .convention import CONVENTION_PROFILE, check_convention, compare_by_sacrebleu
from .design import Design, check_design
from .ranking import RankedSystem, SystemPair, SystemRanking, add_ranks
from .results import SystemComparison, SystemScore
from .system_scores import (
    OutsideScore,
    Part,
    SystemScores,
    check_outside_scores,
    list_parts,
)
from .systems import CountedSystems, check_systems, has_runs
from .testing import PairResults, run_tests
from .wording import name_score

if TYPE_CHECKING:
    from typing_extensions import Unpack


# What a result says of the design and of the samples, under the same names.
_DESIGN_FIELDS: Final = ("test", "seed", "confidence", "alternative", "correction", "convention")
_PART_FIELDS: Final = ("n_samples", "n_clusters", "effective_clusters", "untested_reason")


class ComparisonKeywords(ComparedKeywords, total=False):
    """All keywords of ``compare_systems`` but ``pairs``, which decides what it returns."""

    baseline: str | None
    test: str | None
    n_resamples: int | None
    confidence: float
    seed: int | None
    alternative: str
    correction: str | None
    clusters: object
    scores: Mapping[str, Mapping[str, Any]] | None
    lower_is_better: Sequence[str]
    convention: str | None
    groups: object
    family: Family | None
    progress: Progress | None


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
    correction: str | None = None,
    clusters: object = None,
    scores: Mapping[str, Mapping[str, Any]] | None = None,
    lower_is_better: Sequence[str] = (),
    convention: str | None = None,
    groups: object = None,
    family: Family | None = None,
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
            with several runs, which have no other test.
        n_resamples: from 1 to 1,000,000; None for 10,000 in approximate randomization and 1,000 in
            the others. With few samples, approximate randomization tries all ways to swap.
        confidence: of the intervals, above 0 and below 1. Those of scores are percentiles of the
            bootstrap; those of differences are Student's, from standard errors of the bootstrap.
        seed: from 0 to 2 ** 32 - 1; None to draw one, which the signature contains.
        alternative: ``two-sided``, or ``greater``: only a better score than the baseline's counts.
        correction: of all p-values together, including those of groups: ``holm``, ``bonferroni``,
            ``fdr_bh`` or None. All pairs have ``holm`` in place of None.
        clusters: one label per sample, such as its document; whole clusters are swapped or drawn.
        scores: numbers of other metrics: ``{"comet": {"A": [...], "B": [...]}}``, one per sample.
        lower_is_better: the names of those of ``scores`` for which lower is better, such as error
            rates.
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
    if runs := has_runs(systems):
        for name, value in (("scores", scores), ("convention", convention)):
            if value is not None:
                raise value_error(
                    "{} is given, but the systems have several runs",
                    Argument(name),
                    remedy="leave it out, or give one run of each system.",
                )
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
        has_runs=runs,
    )
    keywords: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    # Scorers have a profile already.
    if convention is not None and references is not None:
        keywords.setdefault("profile", CONVENTION_PROFILE)
    checked = check_systems(systems, references, baseline=baseline, family=family, options=keywords)
    samples, counted = checked.n_samples, checked.counted
    computed = counted.options.plan(counted.families).names
    numbers = check_clusters(clusters, samples)
    outside = check_outside_scores(scores, counted.names, samples, lower_is_better, computed)
    grouped = None if groups is None else check_labels("groups", groups, samples)
    if grouped is not None and "" in grouped.names:
        # In CSV, the rows of all samples have no name of a group.
        raise value_error(
            "{groups} has an empty label",
            expected="expected the name of a group for each sample.",
        )
    if design.convention is not None:
        check_convention(counted.options, clusters=clusters, scores=scores)
    parts = list_parts(samples, numbers, grouped)
    n_pairs = math.comb(len(systems), 2) if design.all_pairs else len(systems) - 1
    n_parts = sum(part.untested_reason is None for part in parts)
    n_tests = n_parts * n_pairs * (len(computed) + len(outside[0]))
    design = design.choose_resamples(parts[0].n_units, n_tests)
    counted = checked.count_all()
    results = _correct(
        [
            compare_part(part, counted, outside, design, n_tests=n_tests, progress=progress)
            for part in parts
        ]
    )
    labels = [] if grouped is None else grouped.names
    changes: dict[str, Any] = {"groups": dict(zip(labels, results[1:], strict=True))}
    return replace(results[0], **changes)


def check_clusters(clusters: object, samples: int) -> NDArray[np.int64] | None:
    """Return the number of the cluster of each sample, from 0 up; None if there are none."""
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


def compare_part(
    part: Part,
    counted: CountedSystems,
    outside: Sequence[Mapping[str, OutsideScore]],
    design: Design,
    *,
    n_tests: int,
    progress: Progress | None,
) -> SystemComparison | SystemRanking:
    """Test systems on one set of samples, without a correction of p-values and without ranks.

    ``n_tests`` is how many p-values a correction is over, those of other parts among them.
    """
    if (chosen := part.indices) is not None:
        counts = [select_counts(each, chosen) for each in counted.counts]
        counted = counted._replace(counts=counts)
        outside = [{name: score.select(chosen) for name, score in each.items()} for each in outside]
    names, gathered = counted.names, part.gather(counted, outside, design.seed)
    systems = range(len(names))
    places = list(combinations(systems, 2)) if design.all_pairs else pair_with_first(len(names))
    facts: dict[str, Any] = {
        **{name: getattr(design, name) for name in _DESIGN_FIELDS},
        **{name: getattr(part, name) for name in _PART_FIELDS},
        "n_resamples": 0,
        "is_exact": False,
        "interval_resamples": 0,
        "options": counted.options.write_signature(
            counted.families,
            reference_counts=counted.counts[0].reference_counts,
            seed=design.seed,
        ),
    }
    tested = None
    if part.untested_reason is None and design.convention is None:
        tested = run_tests(
            gathered,
            places,
            design,
            n_tests=n_tests,
            units=part.effective_clusters,
            progress=progress,
        )
        facts |= {
            name: getattr(tested, name)
            for name in ("n_resamples", "is_exact", "interval_resamples")
        }
        facts["warnings"] = _list_warnings(names, places, gathered, tested, design)
    scores = list(enumerate(gathered[0].values))
    rows = [
        [_describe_system(gathered[place], score, tested, (place, at)) for place in systems]
        for at, score in scores
    ]
    pairs = [
        [
            _describe_pair(gathered[system], gathered[baseline], score, tested, (index, at))
            for index, (baseline, system) in enumerate(places)
        ]
        for at, score in scores
    ]
    if design.all_pairs:
        signs = gathered[0].signs
        ranked = [row for own in rows for row in _rank_rows(own, names, signs[own[0]["score"]])]
        differing = [
            SystemPair(names[system], names[baseline], row["score"], scale=row["scale"], **pair)
            for (row, *_), differences in zip(rows, pairs, strict=True)
            for (baseline, system), pair in zip(places, differences, strict=True)
        ]
        return SystemRanking(rows=tuple(ranked), pairs=tuple(differing), **facts)
    compared = [
        SystemScore(system=name, **row, **pair)
        for own, differences in zip(rows, pairs, strict=True)
        for name, row, pair in zip(names, own, [{}, *differences], strict=True)
    ]
    if design.convention is not None and part.untested_reason is None:
        compared = compare_by_sacrebleu(compared, counted, design, progress)
        intervals = 0 if design.swaps else design.n_resamples
        facts |= {"n_resamples": design.n_resamples, "interval_resamples": intervals}
    return SystemComparison(rows=tuple(compared), baseline=names[0], counted=counted, **facts)


def _list_warnings(
    names: Sequence[str],
    places: Sequence[tuple[int, int]],
    gathered: Sequence[SystemScores],
    tested: PairResults,
    design: Design,
) -> tuple[str, ...]:
    """Return sentences on intervals that are missing or too narrow: samples have equal scores."""
    p = "" if design.swaps else "; its p is that of approximate randomization"
    varying = "samples or runs" if gathered[0].runs else "samples"
    missing = ", no interval and no p" if gathered[0].runs else f" and no interval{p}"
    reasons = (
        "the samples do not vary, so there is no interval",
        f"fewer than {FEWEST_DIFFERENT} samples differ from the most frequent score, so the "
        "interval is too narrow",
        f"the difference does not vary between {varying}, so it has no standard error{missing}",
        f"fewer than {FEWEST_DIFFERENT} samples have another difference than the others, so the "
        "interval is too narrow",
    )
    # The scores, by what is wrong and by the systems or pairs.
    found: dict[tuple[str, str], list[str]] = {}
    for at, score in enumerate(gathered[0].values):
        samples = [scores.samples[score] for scores in gathered]
        alone = [np.isnan(tested.low[place, at]) for place in range(len(names))]
        equal = [
            tested.errors[index, at] >= 0 and np.isnan(tested.margins[index, at])
            for index in range(len(places))
        ]
        pairs = [f"{names[system]} and {names[baseline]}" for baseline, system in places]
        shared = [
            not is_equal and share_one_score(samples[system] - samples[baseline])
            for is_equal, (baseline, system) in zip(equal, places, strict=True)
        ]
        few = [
            not is_alone and share_one_score(own)
            for is_alone, own in zip(alone, samples, strict=True)
        ]
        for reason, applies, who in zip(
            reasons, (alone, few, equal, shared), (names, names, pairs, pairs), strict=True
        ):
            if any(applies):
                listed = _name_some(list(compress(who, applies)))
                found.setdefault((listed, reason), []).append(name_score(score))
    return tuple(
        f"{join_names(scores)} of {systems}: {reason}."
        for (systems, reason), scores in found.items()
    )


def _name_some(names: Sequence[str]) -> str:
    """Name systems or pairs, at most four of them."""
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} others"
    return ", ".join(names) if any(" and " in name for name in names) else join_names(names)


def _rank_rows(rows: Sequence[Mapping[str, Any]], names: Sequence[str], sign: int) -> list[Any]:
    """Return the rows of one score, the best system first."""
    ranked = [
        RankedSystem(system=name, **{key: row[key] for key in row if key != "error"})
        for name, row in zip(names, rows, strict=True)
    ]
    return sorted(ranked, key=lambda row: -sign * row.value)


def _describe_system(
    ours: SystemScores, score: str, tested: PairResults | None, place: tuple[int, int]
) -> dict[str, Any]:
    """Return what a row says of a system alone; ``place`` is that of the system and the score."""
    facts: dict[str, Any] = {
        "score": score,
        "value": ours.values[score],
        "scale": ours.scales[score],
    }
    if ours.runs:
        values = [run.values[score] for run in ours.runs]
        facts |= {"runs": len(values), "run_std": float(np.std(values, ddof=1))}
    return facts if tested is None else {**facts, **tested.describe_system(*place)}


def _describe_pair(
    ours: SystemScores,
    baseline: SystemScores,
    score: str,
    tested: PairResults | None,
    place: tuple[int, int],
) -> dict[str, Any]:
    """Return what a row says of two systems; ``place`` is that of the pair and the score."""
    facts = _compare_samples(ours, baseline, score)
    if tested is not None:
        facts |= tested.describe_pair(*place, facts["delta"], ours.scales[score])
    return facts


def _compare_samples(ours: SystemScores, baseline: SystemScores, score: str) -> dict[str, Any]:
    """Return the difference of a system from a baseline, and in how many samples it is better."""
    sign = ours.signs[score]
    differences = ours.samples[score] - baseline.samples[score]
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    rounding = TOLERANCE * float(np.abs(ours.samples[score]).max())
    return {
        "delta": ours.values[score] - baseline.values[score],
        "wins": int(np.count_nonzero(sign * differences > 0)),
        "ties": int(np.count_nonzero(differences == 0)),
        "losses": int(np.count_nonzero(sign * differences < 0)),
        "effect_size": float(differences.mean()) / spread if spread > rounding else None,
    }


def _correct(
    results: Sequence[SystemComparison | SystemRanking],
) -> list[SystemComparison | SystemRanking]:
    """Correct the p-values of all samples and of all groups together, and rank the systems."""
    correction: Any = results[0].correction
    tables = correct_rows([result.tested for result in results], correction)
    n_tests = sum(row.p_value is not None for rows in tables for row in rows)
    corrected = []
    for result, rows in zip(results, tables, strict=True):
        is_ranking = isinstance(result, SystemRanking)
        changes: dict[str, Any] = {
            "pairs" if is_ranking else "rows": rows,
            "n_tests": None if correction is None else n_tests,
        }
        changed = replace(result, **changes)
        corrected.append(add_ranks(changed) if isinstance(changed, SystemRanking) else changed)
    return corrected
