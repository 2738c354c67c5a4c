"""Equal rows share a computation, which changes no number."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.families.bleu.distinct import map_distinct


def compute(columns: list[Any], rows: Any) -> Any:
    """Return a number that all columns decide."""
    total = np.zeros(len(rows))
    for column in columns:
        total = np.sqrt(total + column[rows])
    return total


@given(
    count=st.sampled_from([1, 255, 256, 20_000]),
    most=st.lists(st.sampled_from([0, 1, 30, 3000, 1 << 40]), min_size=1, max_size=4),
    seed=st.integers(0, 99),
)
def test_the_numbers_are_those_of_all_rows(count: int, most: list[int], seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, limit, count, endpoint=True) for limit in most]
    found = map_distinct(columns, lambda rows: compute(columns, rows))
    assert (found == compute(columns, np.arange(count))).all()


@pytest.mark.parametrize(("distinct", "most"), [(5, 5), (1000, 2000)])
def test_equal_rows_are_computed_once(distinct: int, most: int) -> None:
    column = np.arange(30_000) % distinct
    computed = []

    def count(rows: Any) -> Any:
        computed.append(len(rows))
        return column[rows] * 0.5

    assert (map_distinct([column], count) == column * 0.5).all()
    # Some keys have the slot of another one, whose rows are computed each.
    assert distinct <= sum(computed) <= most * 10
