"""Ranks, clusters and letters: by hand, and what must hold for whatever tests say."""

from itertools import combinations

import numpy as np
import pytest

from bleu_rouge_metric.analysis.ranking.ranks import (
    find_clusters,
    find_letters,
    find_rank_ranges,
    write_letter,
)


def _win(size: int, *pairs: tuple[int, int]) -> np.ndarray:
    wins = np.zeros((size, size), dtype=bool)
    for pair in pairs:
        wins[pair] = True
    return wins


def test_five_systems_by_hand() -> None:
    # 0 beats 2, 3 and 4; 1 beats 3 and 4; 2 beats 4; 3 beats 4.
    wins = _win(5, (0, 2), (0, 3), (0, 4), (1, 3), (1, 4), (2, 4), (3, 4))
    assert find_rank_ranges(wins) == [(1, 2), (1, 3), (2, 4), (3, 4), (5, 5)]
    # Of the first four, none is a cluster: 1 does not beat 2.
    assert find_clusters(wins) == [1, 1, 1, 1, 2]
    assert find_letters(wins) == ["a", "ab", "bc", "c", "d"]


def test_without_differences_all_are_one_cluster() -> None:
    wins = _win(3)
    assert find_rank_ranges(wins) == [(1, 3)] * 3
    assert find_clusters(wins) == [1] * 3
    assert find_letters(wins) == ["a"] * 3


def test_with_all_differences_each_is_a_cluster() -> None:
    wins = np.triu(np.ones((30, 30), dtype=bool), 1)
    assert find_rank_ranges(wins) == [(place, place) for place in range(1, 31)]
    assert find_clusters(wins) == list(range(1, 31))
    assert find_letters(wins) == [write_letter(place) for place in range(30)]


@pytest.mark.parametrize("seed", range(30))
def test_letters_are_shared_if_and_only_if_systems_do_not_differ(seed: int) -> None:
    generator = np.random.default_rng(seed)
    size = int(generator.integers(2, 12))
    wins = np.triu(generator.random((size, size)) < generator.random(), 1)
    letters = [set(each) for each in find_letters(wins)]
    for first, second in combinations(range(size), 2):
        assert bool(letters[first] & letters[second]) == (not wins[first, second])
    clusters = find_clusters(wins)
    for upper, lower in combinations(range(size), 2):
        assert clusters[upper] == clusters[lower] or wins[upper, lower]
    for best, worst in find_rank_ranges(wins):
        assert 1 <= best <= worst <= size
