"""A ranking of systems in words: one sentence per score."""

from typing import TYPE_CHECKING

from ...resampling.pair_tests import find_level
from ..system_words import name_score, write_confidence, write_count

if TYPE_CHECKING:
    from .system_ranking import RankedSystem, SystemRanking


def describe_ranking(ranking: "SystemRanking") -> list[str]:
    """Return one sentence per score: how many pairs differ, and what the first cluster is."""
    if ranking.untested_reason is not None:
        return []
    level = find_level(ranking.confidence)
    lines = []
    for score in ranking.scores:
        pairs = [pair for pair in ranking.pairs if pair.score == score]
        clear = sum(pair.p_corrected is not None and pair.p_corrected <= level for pair in pairs)
        rows = [row for row in ranking.rows if row.score == score]
        lines.append(
            f"{name_score(score)}: {clear:,} of {write_count(len(pairs), 'pair')} "
            f"{'differs' if clear == 1 else 'differ'} at the level "
            f"{write_confidence(level)}; {_describe_best(rows)}."
        )
    return lines


def _describe_best(rows: "list[RankedSystem]") -> str:
    """Say which systems are better than all others."""
    best = [row.system for row in rows if row.cluster == 1]
    if len(best) == len(rows):
        return "no system is better than all systems below it"
    if len(best) == 1:
        return f"{best[0]} is better than each other system"
    names = f"{', '.join(best[:-1])} and {best[-1]}"
    return f"{names} are each better than all other systems"
