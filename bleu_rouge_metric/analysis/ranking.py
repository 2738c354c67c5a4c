"""Tests of all pairs of systems, and the ranks and clusters that follow from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..messages import count_noun
from ..resampling.tests import find_level
from ..tables import Report, Table, import_pandas
from .results import ResampledSystems
from .wording import (
    choose_decimals,
    is_clear,
    name_score,
    write_confidence,
    write_value,
)

# ``wins[i, j]``: system i is significantly better than system j; the systems are ordered, the best
# first.
Wins = NDArray[np.bool_]


class RankedSystem(NamedTuple):
    """One score of one system, and its place among all systems.

    The attributes that are not listed here are those of ``SystemScore``.

    Attributes:
        rank_low: the best rank that the tests leave open: 1 and the number of systems that are
            significantly better; None if nothing was tested.
        rank_high: the worst rank: the number of systems, less those that are significantly worse.
        cluster: from 1 for the best; each system of a cluster is significantly better than all
            systems of the clusters below.
    """

    system: str
    score: str
    value: float
    low: float | None = None
    high: float | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    cluster: int | None = None
    scale: int | None = None
    runs: int | None = None
    run_std: float | None = None


class SystemPair(NamedTuple):
    """The difference of one score between two systems.

    The attributes are those of ``SystemScore``; ``baseline`` is the system that was given first.
    """

    system: str
    baseline: str
    score: str
    delta: float
    delta_low: float | None = None
    delta_high: float | None = None
    p_value: float | None = None
    p_corrected: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    effect_size: float | None = None
    detectable: float | None = None
    scale: int | None = None
    run_share: float | None = None
    delta_error: float | None = None


@dataclass(frozen=True, kw_only=True)
class SystemRanking(ResampledSystems):
    """Scores of several systems, tests of all pairs, and the ranks that follow.

    The attributes of how the tests were made are those of ``ResampledSystems``.

    Attributes:
        rows: all systems of the first score, the best first, then those of the next score.
        pairs: all pairs of systems of the first score, then those of the next; in a pair, the
            baseline is the system that was given first.
        groups: the rankings of the groups alone, by name; empty if none were asked for.
    """

    rows: tuple[RankedSystem, ...]
    pairs: tuple[SystemPair, ...]
    groups: Mapping[str, "SystemRanking"] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """Return what is tested, in words that follow "Test"."""
        return "of all pairs"

    @property
    def tested(self) -> Sequence[SystemPair]:
        """Return the rows that have p-values."""
        return self.pairs

    def report(self) -> Report:
        """Return a table per score, how it was computed, and a sentence per score."""
        findings = [] if self.untested_reason is not None else map(self._describe, self.scores)
        return self._report(list(map(self._make_table, self.scores)), findings=[*findings])

    def _make_table(self, score: str) -> Table:
        """Return a row per system, the best first: its value, its ranks and its cluster."""
        rows = [row for row in self.rows if row.score == score]
        decimals = choose_decimals(rows)
        lines = []
        for row in rows:
            ranks = dict.fromkeys(str(rank or "") for rank in (row.rank_low, row.rank_high))
            place = "-".join(ranks), str(row.cluster or "")
            lines.append([row.system, write_value(row, decimals), *place])
        return Table(["", name_score(score), "rank", "cluster"], lines)

    def _describe(self, score: str) -> str:
        """Say how many pairs differ, and what the first cluster is."""
        level = find_level(self.confidence)
        pairs = [pair for pair in self.pairs if pair.score == score]
        clear = sum(is_clear(pair, self.confidence) for pair in pairs)
        differ = "differs" if 1 in (clear, len(pairs)) else "differ"
        return (
            f"{name_score(score)}: {clear:,} of {count_noun(len(pairs), 'pair')} "
            f"{differ} at the level {write_confidence(level)}; "
            f"{_describe_best([row for row in self.rows if row.score == score])}."
        )

    def to_table(self, *, pairs: bool = False) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows, as of a comparison.

        Args:
            pairs: return a row per pair and score, not per system and score.
        """
        return self._list_rows("pairs" if pairs else "rows")

    def to_pandas(self, *, pairs: bool = False) -> Any:
        """Return a data frame of ``to_table``; the arguments and errors are the same."""
        head, rows = self.to_table(pairs=pairs)
        return import_pandas().DataFrame(rows, columns=head)

    def _own_facts(self) -> dict[str, object]:
        return {"pairs": "all"}


def _describe_best(rows: Sequence[RankedSystem]) -> str:
    """Say which systems are better than all others."""
    best = [row.system for row in rows if row.cluster == 1]
    if len(best) == len(rows):
        return "the systems form one cluster"
    if len(best) == 1:
        return f"{best[0]} is better than each other system"
    names = f"{', '.join(best[:-1])} and {best[-1]}"
    return f"{names} are each better than all other systems"


def add_ranks(ranking: SystemRanking) -> SystemRanking:
    """Add ranks and clusters, from the corrected p-values of the pairs."""
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
        places_found = zip(ranked, find_rank_ranges(wins), find_clusters(wins), strict=True)
        rows += [
            row._replace(rank_low=best, rank_high=worst, cluster=cluster)
            for row, (best, worst), cluster in places_found
        ]
    return replace(ranking, rows=tuple(rows))


def find_rank_ranges(wins: Wins) -> list[tuple[int, int]]:
    """Return the best and the worst rank of each system that the tests leave open."""
    # Source: Kocmi et al. (2022), "Findings of the 2022 Conference on Machine Translation", rank
    # ranges: 1 plus the losses, to the number of systems minus the wins.
    best = 1 + wins.sum(axis=0)
    worst = len(wins) - wins.sum(axis=1)
    return list(zip(best.tolist(), worst.tolist(), strict=True))


def find_clusters(wins: Wins) -> list[int]:
    """Return the cluster of each system, from 1 for the best.

    >>> find_clusters(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))
    [1, 1, 2]
    """
    # Source: Bojar et al. (2018), "Findings of the 2018 Conference on Machine Translation": systems
    # are grouped by which of them are significantly better than all systems of lower clusters.
    clusters, cluster = [], 1
    for place in range(len(wins)):
        if place and wins[:place, place:].all():
            cluster += 1
        clusters.append(cluster)
    return clusters
