"""Test all pairs of systems on one set of samples, and rank the systems by what the tests say."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from ...resampling.draws import Progress
from ...resampling.pair_tests import find_level
from ..significance_design import Design
from ..significance_parts import Part, describe_resamples
from ..significance_tests import compare_samples, run_tests
from ..system_scores import SystemScores, describe_runs
from .ranks import find_clusters, find_letters, find_rank_ranges
from .system_ranking import RankedSystem, SystemPair, SystemRanking


def rank_part(part: Part, design: Design, n_parts: int, progress: Progress | None) -> SystemRanking:
    """Test all pairs of systems on one set of samples, without a correction and without ranks.

    Args:
        part: the samples.
        design: how they are tested.
        n_parts: how many sets of samples are tested; a correction is over all of them.
        progress: called with how many resamples are done and how many there are.
    """
    names, gathered = part.counted.names, part.gather(design)
    places = list(combinations(range(len(names)), 2))
    rows = _make_rows(names, gathered)
    pairs = _make_pairs(names, gathered, places)
    facts = part.describe(design)
    if part.untested_reason is None:
        n_tests = n_parts * len(pairs)
        tested = run_tests(gathered, places, design, n_tests, progress)
        rows = [
            row._replace(low=float(low), high=float(high))
            for row, low, high in zip(rows, tested.low.T.flat, tested.high.T.flat, strict=True)
        ]
        changes = [
            tested.describe((index % len(places), index // len(places)), pair.delta, pair.scale)
            for index, pair in enumerate(pairs)
        ]
        pairs = [pair._replace(**each) for pair, each in zip(pairs, changes, strict=True)]
        facts |= describe_resamples(tested)
    rows = _sort_rows(rows, gathered[0].signs)
    return SystemRanking(
        rows=tuple(rows), pairs=tuple(pairs), convention=design.convention, **facts
    )


def _make_rows(names: Sequence[str], gathered: Sequence[SystemScores]) -> list[RankedSystem]:
    """Make the rows with all that needs no resampling; the systems of one score after the other."""
    return [
        RankedSystem(
            name,
            score,
            scores.values[score],
            scale=scores.scales[score],
            **describe_runs(scores, score),
        )
        for score in gathered[0].values
        for name, scores in zip(names, gathered, strict=True)
    ]


def _make_pairs(
    names: Sequence[str], gathered: Sequence[SystemScores], places: Sequence[tuple[int, int]]
) -> list[SystemPair]:
    """Make the pairs with all that needs no resampling; the pairs of one score after the other."""
    pairs = []
    for score, scale in gathered[0].scales.items():
        for baseline, system in places:
            facts: dict[str, Any] = compare_samples(gathered[system], gathered[baseline], score)
            pairs.append(SystemPair(names[system], names[baseline], score, scale=scale, **facts))
    return pairs


def _sort_rows(rows: Sequence[RankedSystem], signs: dict[str, int]) -> list[RankedSystem]:
    """Sort the systems of each score, the best first; equal ones keep their order."""
    order = list(signs)
    return sorted(rows, key=lambda row: (order.index(row.score), -signs[row.score] * row.value))


def add_ranks(ranking: SystemRanking) -> SystemRanking:
    """Add ranks, clusters and letters, from the corrected p-values of the pairs."""
    if ranking.untested_reason is not None:
        return ranking
    level = find_level(ranking.confidence)
    rows: list[RankedSystem] = []
    for score in ranking.scores:
        ranked = [row for row in ranking.rows if row.score == score]
        places = {row.system: place for place, row in enumerate(ranked)}
        wins = np.zeros((len(ranked), len(ranked)), dtype=bool)
        for pair in ranking.pairs:
            if pair.score == score and pair.p_corrected is not None and pair.p_corrected <= level:
                # The rows are sorted: of two systems that differ, the upper one is better.
                wins[tuple(sorted((places[pair.system], places[pair.baseline])))] = True
        facts = zip(
            ranked, find_rank_ranges(wins), find_clusters(wins), find_letters(wins), strict=True
        )
        rows += [
            row._replace(rank_low=best, rank_high=worst, cluster=cluster, letters=letters)
            for row, (best, worst), cluster, letters in facts
        ]
    return replace(ranking, rows=tuple(rows))
