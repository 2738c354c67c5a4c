"""The result of tests of all pairs of systems, and its representations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...tables import import_pandas
from ..resampled_systems import ResampledSystems
from .ranking_tables import (
    write_latex_ranking,
    write_markdown_ranking,
    write_page_ranking,
    write_plain_ranking,
)
from .ranking_words import describe_ranking


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
    def has_intervals(self) -> bool:
        """Return whether there is an interval of a score."""
        return any(row.low is not None for row in self.rows)

    @property
    def own_p_values(self) -> list[float]:
        """List the p-values of all samples, without those of groups and without a correction."""
        return [pair.p_value for pair in self.pairs if pair.p_value is not None]

    @property
    def scores(self) -> list[str]:
        """Return the names of the scores, in their order."""
        return list(dict.fromkeys(row.score for row in self.rows))

    def sentences(self) -> list[str]:
        """Return one sentence per score: how many pairs differ, and what is the first cluster."""
        return describe_ranking(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in JSON types; rows and pairs are dicts."""
        return {
            **self._list_values(),
            "rows": [row._asdict() for row in self.rows],
            "pairs": [pair._asdict() for pair in self.pairs],
            "groups": {name: group.to_dict() for name, group in self.groups.items()},
            "signature": self.signature(),
        }

    def to_table(self, *, pairs: bool = False) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows; with groups, the first column is the group.

        The rows of all samples come first; their group is None.

        Args:
            pairs: return a row per pair and score, not per system and score.
        """
        if pairs:
            return self._make_table("pairs", SystemPair._fields)
        return self._make_table("rows", RankedSystem._fields)

    def to_pandas(self, *, pairs: bool = False) -> Any:
        """Return a data frame of the rows, or of the pairs; the columns are those of ``to_table``.

        Args:
            pairs: return a row per pair and score, not per system and score.

        Raises:
            ImportError: pandas is not installed.
        """
        head, rows = self.to_table(pairs=pairs)
        return import_pandas().DataFrame(rows, columns=head)

    def to_markdown(self) -> str:
        """Return a table per score in Markdown, how it was computed, and the sentences."""
        return write_markdown_ranking(self)

    def to_latex(self) -> str:
        r"""Return a LaTeX table per score with a caption; it needs ``\usepackage{booktabs}``."""
        return write_latex_ranking(self)

    def __str__(self) -> str:
        """Return a table per score with one line per system, how it was computed, and sentences."""
        return write_plain_ranking(self)

    def _repr_html_(self) -> str:
        return write_page_ranking(self)

    def _own_facts(self) -> dict[str, object]:
        return {"pairs": "all"}
