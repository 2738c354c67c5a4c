"""Ranks, clusters and letters of systems, from which pairs differ significantly.

The systems are ordered, the best first. ``wins[i, j]`` says that system i is significantly better
than system j.
"""

from itertools import combinations
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

Wins = NDArray[np.bool_]


def find_rank_ranges(wins: Wins) -> list[tuple[int, int]]:
    """Return the best and the worst rank of each system that the tests leave open.

    >>> find_rank_ranges(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    [(1, 2), (1, 3), (2, 3)]
    """
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


def find_letters(wins: Wins) -> list[str]:
    """Return letters for each system: two systems share one if and only if they do not differ.

    >>> find_letters(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    # Source: Piepho (2004), "An Algorithm for a Letter-Based Representation of All-Pairwise
    # Comparisons": insert and absorb.
    differ = wins | wins.T
    sets = [frozenset(range(len(wins)))]
    for first, second in combinations(range(len(wins)), 2):
        if not differ[first, second]:
            continue
        kept = {one for one in sets if not {first, second} <= one}
        split = {one - {place} for one in sets if one not in kept for place in (first, second)}
        candidates = kept | split
        sets = [one for one in candidates if not any(one < other for other in candidates)]
    sets.sort(key=sorted)
    return [
        "".join(write_letter(index) for index, one in enumerate(sets) if place in one)
        for place in range(len(wins))
    ]


def write_letter(index: int) -> str:
    """Return the letter of a number from 0 up; behind z, letters have a digit.

    >>> write_letter(0), write_letter(27)
    ('a', 'b1')
    """
    cycle, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(cycle) if cycle else "")
