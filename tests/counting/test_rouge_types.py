"""Names of ROUGE types, and what is counted for them."""

import pytest

from bleu_rouge_metric.counting.rouge_types import (
    ANY_DISTANCE,
    ROUGE_N,
    CountPlan,
    RougeType,
    parse_rouge_type,
    plan_counts,
)

NAMES = "'rouge1' to 'rouge9', 'rougeL', 'rougeLsum', 'rougeW' (or with a weight, 'rougeW-1.2'), "
EXPECTED = f"{NAMES}'rougeS' or 'rougeSU' (or with a gap, 'rougeS4', 'rougeSU4')."


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


# What is probably meant by names that differ in case and signs alone.
MEANT = {
    "rougeLSum": "rougeLsum",
    "rougel": "rougeL",
    "rougeW1.2": "rougeW-1.2",
    "rougeSu4": "rougeSU4",
    "rougeS 4": "rougeS4",
}


@pytest.mark.parametrize(
    "name",
    ["", "rouge", "rouge0", "rouge10", "rouge01", "rouge²", "rougeS4.5", "rougeS٤", "rougeSU4*",
     "rouge1\n", "rougeN", *MEANT],
)  # fmt: skip
def test_an_unknown_name_is_an_error(name: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        parse_rouge_type(name)
    hint = f" Did you mean {MEANT[name]!r}?" if name in MEANT else ""
    assert str(raised.value) == f"Unknown rouge type {name!r}; expected {EXPECTED}{hint}"


@pytest.mark.parametrize(
    "weight",
    ["0", "0.99", "5.01", "-1.2", "nan", "inf", "1e0", "1,2", "", "x", " 1", "1.", "٢", "9" * 999],
)
def test_a_weight_is_a_number_from_1_to_5(weight: str) -> None:
    name = f"rougeW-{weight}"
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        parse_rouge_type(name)
    assert str(raised.value) == (
        f"Rouge type {name!r} has the weight {weight!r}; expected a number from 1 to 5, such as "
        "'rougeW-1.2'."
    )


def test_a_gap_below_0_is_an_error() -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        parse_rouge_type("rougeSU-1")
    assert str(raised.value) == (
        "Rouge type 'rougeSU-1' has the gap -1; expected an int of at least 0, such as 'rougeSU4'. "
        "For any gap write 'rougeSU*'."
    )


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
