"""The result of tests of all pairs of systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from ...resampling.pair_tests import find_level
from ...tables import Report, Table, import_pandas
from ..system_comparison import ResampledSystems
from ..system_words import (
    choose_decimals,
    find_p,
    name_score,
    write_confidence,
    write_count,
    write_value,
)
from .ranks import find_clusters, find_letters, find_rank_ranges

_LETTERS_NOTE: Final = "Systems that share a letter do not differ significantly."


class RankedSystem(NamedTuple):
    """One score of one system, and its place among all systems.

    Attributes:
        system: name of the system.
        score: ``bleu``, ``google_bleu``, a ROUGE type, or the name of an outside score.
        value: the score of all samples, from 0 to ``scale``.
        low: lower end of the interval of the value; None if there is none.
        high: upper end of the interval of the value.
        rank_low: the best rank that the tests leave open: 1 and the number of systems that are
            significantly better; None if nothing was tested.
        rank_high: the worst rank: the number of systems, less those that are significantly worse.
        cluster: from 1 for the best; each system of a cluster is significantly better than all
            systems of the clusters below.
        letters: two systems have a letter in common if and only if they do not differ
            significantly.
        scale: the score of a perfect system, 1 or 100; None for an outside score.
        runs: how many runs the system has, if there are several; the value is their mean.
        run_std: standard deviation of the scores of the runs.
    """

    system: str
    score: str
    value: float
    low: float | None = None
    high: float | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    cluster: int | None = None
    letters: str | None = None
    scale: int | None = None
    runs: int | None = None
    run_std: float | None = None


class SystemPair(NamedTuple):
    """The difference of one score between two systems; the numbers are those of ``SystemScore``.

    Attributes:
        system: name of the one system.
        baseline: name of the other.
        score: name of the score.
        delta: the value of the system minus the baseline's.
        delta_low: lower end of the interval of ``delta``.
        delta_high: upper end of the interval of ``delta``.
        p_value: how probable a difference as large as this one is if the systems do not differ.
        p_corrected: ``p_value`` corrected for all pairs and scores, and all groups.
        wins: samples in which the system is better.
        ties: samples in which both score the same.
        losses: samples in which the system is worse.
        effect_size: mean of the differences between samples over their standard deviation.
        detectable: the smallest difference that is found with a power of 0.8.
        scale: the score of a perfect system, 1 or 100; None for an outside score.
        run_share: share of the variance of the difference that comes from runs, not from samples.
        delta_error: standard error of ``delta``.
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
        notes = [] if self.untested_reason is not None else [_LETTERS_NOTE]
        findings = [] if self.untested_reason is not None else map(self._describe, self.scores)
        return self._report(list(map(self._make_table, self.scores)), *notes, findings=[*findings])

    def _make_table(self, score: str) -> Table:
        """Return a row per system, the best first: its value, its ranks, cluster and letters."""
        rows = [row for row in self.rows if row.score == score]
        decimals = choose_decimals(rows)
        lines = []
        for row in rows:
            ranks = dict.fromkeys(str(rank or "") for rank in (row.rank_low, row.rank_high))
            place = "-".join(ranks), str(row.cluster or ""), row.letters or ""
            lines.append([row.system, write_value(row, decimals), *place])
        return Table(["", name_score(score), "rank", "cluster", "letters"], lines)

    def _describe(self, score: str) -> str:
        """Say how many pairs differ, and what the first cluster is."""
        level = find_level(self.confidence)
        pairs = [pair for pair in self.pairs if pair.score == score]
        clear = sum((find_p(pair) or 0) <= level for pair in pairs)
        return (
            f"{name_score(score)}: {clear:,} of {write_count(len(pairs), 'pair')} "
            f"{'differs' if clear == 1 else 'differ'} at the level {write_confidence(level)}; "
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
        return "no system is better than all systems below it"
    if len(best) == 1:
        return f"{best[0]} is better than each other system"
    names = f"{', '.join(best[:-1])} and {best[-1]}"
    return f"{names} are each better than all other systems"


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
