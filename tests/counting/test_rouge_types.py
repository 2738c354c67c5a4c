"""Names of ROUGE types, and what is counted for them; wrong names are in ``options/errors.txt``."""

import pytest

from bleu_rouge_metric.counting.rouge_types import (
    ANY_DISTANCE,
    ROUGE_N,
    CountPlan,
    RougeType,
    parse_rouge_type,
    plan_counts,
)


@pytest.mark.parametrize(
    ("name", "expected", "canonical"),
    [
        ("rouge2", RougeType("n", order=2), "rouge2"),
        ("rougeL", RougeType("l"), "rougeL"),
        ("rougeLsum", RougeType("lsum"), "rougeLsum"),
        ("rougeW", RougeType("w", weight=1.2), "rougeW-1.2"),
        ("rougeW-1", RougeType("w", weight=1.0), "rougeW-1"),
        ("rougeW-5", RougeType("w", weight=5.0), "rougeW-5"),
        ("rougeW-2.50", RougeType("w", weight=2.5), "rougeW-2.5"),
        ("rougeS", RougeType("s", gap=None), "rougeS*"),
        ("rougeS*", RougeType("s", gap=None), "rougeS*"),
        ("rougeS0", RougeType("s", gap=0), "rougeS0"),
        ("rougeS04", RougeType("s", gap=4), "rougeS4"),
        ("rougeSU", RougeType("su", gap=None), "rougeSU*"),
        ("rougeSU12", RougeType("su", gap=12), "rougeSU12"),
        (f"rougeS{'9' * 5000}", RougeType("s", gap=ANY_DISTANCE), f"rougeS{ANY_DISTANCE}"),
    ],
)
def test_a_name_has_a_type_and_that_a_canonical_name(
    name: str, expected: RougeType, canonical: str
) -> None:
    assert parse_rouge_type(name) == expected
    assert expected.name == canonical
    assert parse_rouge_type(canonical) == expected


def test_a_plan_counts_each_thing_once() -> None:
    names = ["rougeSU4", "rougeS4", "rougeW-2", "rouge3", "rougeS*", "rougeW", "rougeS", "rougeL"]
    types = [parse_rouge_type(name) for name in names]
    plan, columns = plan_counts(types, lin2004=False)
    assert plan == CountPlan(
        (3,), lcs=True, skip_distances=(5, ANY_DISTANCE), unigrams_but_last=True, weights=(1.2, 2.0)
    )
    assert columns == [(2, 4), (2,), (1,), (0,), (3,), (0,), (3,), (1,)]
    assert plan.columns == 5


def test_the_paper_counts_all_unigrams_with_skip_bigrams() -> None:
    types = [parse_rouge_type(name) for name in ("rougeLsum", "rougeSU4", "rouge2")]
    plan, columns = plan_counts(types, lin2004=True)
    assert plan == CountPlan((1, 2), summary=True, skip_distances=(5,), lin2004=True)
    assert columns == [(2,), (3, 0), (1,)]


@pytest.mark.parametrize("name", ROUGE_N)
def test_ngrams_and_lcs_alone_need_no_sentences(name: str) -> None:
    types = [parse_rouge_type(other) for other in (name, "rougeL", "rougeS")]
    assert not plan_counts(types, lin2004=False)[0].needs_sentences
    weighted = [parse_rouge_type("rougeW")]
    assert plan_counts(weighted, lin2004=False)[0].needs_sentences
    assert not plan_counts(weighted, lin2004=True)[0].needs_sentences
