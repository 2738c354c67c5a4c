"""Rank systems by tests of all their pairs, as the findings of WMT do."""

from typing import TYPE_CHECKING, NamedTuple

from .system_words import is_clear

if TYPE_CHECKING:
    from .system_comparison import SystemComparison


class SystemRank(NamedTuple):
    """The place of one system among the others, for one score.

    Attributes:
        system: name of the system.
        value: its score of all samples.
        best_rank: 1 plus the number of systems that are clearly better.
        worst_rank: the number of systems minus that of the systems that are clearly worse.
        cluster: from 1 up. Each system of a cluster is clearly better than each system of every
            cluster with a larger number.
        better_than: the systems that are clearly worse, in the order of the comparison.
    """

    system: str
    value: float
    best_rank: int
    worst_rank: int
    cluster: int
    better_than: tuple[str, ...]


def rank_systems(comparison: "SystemComparison", score: str) -> list[SystemRank]:
    """Return the rank range and the cluster of each system, the best system first.

    Args:
        comparison: of all pairs.
        score: the name of a score.

    Raises:
        ValueError: the score is unknown, or the systems were compared with a baseline.
    """
    if not comparison.is_ranking:
        raise ValueError(
            f"The systems were compared with the baseline {comparison.baseline!r}; use "
            "compare_systems(..., pairs='all') for ranks."
        )
    if score not in comparison.scores:
        names = ", ".join(map(repr, comparison.scores))
        raise ValueError(f"score is {score!r}; expected one of {names}.")
    values = {row.system: row.value for row in comparison.rows if row.score == score}
    beaten: dict[str, set[str]] = {system: set() for system in values}
    for pair in comparison.pairs:
        if pair.score == score and is_clear(pair, comparison.confidence):
            better, worse = pair.system, pair.baseline
            if pair.delta < 0:
                better, worse = worse, better
            beaten[better].add(worse)
    order = sorted(values, key=lambda system: -values[system])
    clusters = _number_clusters(order, beaten)
    # Source: Kocmi et al. (2022), "Findings of the 2022 Conference on Machine Translation", section
    # 5: the range of ranks goes from the losses plus 1 to the number of systems minus the wins.
    return [
        SystemRank(
            system,
            values[system],
            1 + sum(system in worse for worse in beaten.values()),
            len(order) - len(beaten[system]),
            clusters[system],
            tuple(other for other in values if other in beaten[system]),
        )
        for system in order
    ]


def _number_clusters(order: list[str], beaten: dict[str, set[str]]) -> dict[str, int]:
    """Return the cluster of each system.

    Args:
        order: the systems, the best one first.
        beaten: for each system, those that are clearly worse.
    """
    clusters: dict[str, int] = {}
    number = 1
    for place, system in enumerate(order):
        below = set(order[place:])
        if place > 0 and all(below <= beaten[above] for above in order[:place]):
            number += 1
        clusters[system] = number
    return clusters
