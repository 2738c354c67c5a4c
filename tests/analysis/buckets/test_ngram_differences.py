"""The n-grams that one system gets right and another does not."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import NgramDifference, ngram_differences

from ...support.system_files import REFERENCES, SYSTEMS

ONE = ["a cat sat", "a cat ran", "the dog"]
TWO = ["a dog sat", "the cat ran", "a dog"]
GOLD = ["the cat sat", "the cat ran", "a dog"]


def test_lists_by_hand() -> None:
    found = ngram_differences({"one": ONE, "two": TWO}, GOLD, max_order=2)
    counts = [(" ".join(row.ngram), *row[1:5]) for row in found.more]
    assert counts == [
        ("a", 1, 0, 1, 1),
        ("a dog", 1, 0, 1, 1),
        ("the", 1, 0, 2, 1),
        ("the cat", 1, 0, 2, 1),
    ]
    assert [(" ".join(row.ngram), *row[1:5]) for row in found.less] == [
        ("cat sat", 0, 1, 1, -1),
        ("cat", 1, 2, 2, -1),
    ]
    # "one" writes "a" without a match twice, and "the" once.
    novel = ngram_differences({"one": ONE, "two": TWO}, GOLD, max_order=1, kind="novel")
    assert [(row.ngram, row.system, row.baseline) for row in novel.more] == [(("dog",), 1, 0)]
    assert [(row.ngram, row.system, row.baseline) for row in novel.less] == [
        (("the",), 0, 1),
        (("a",), 1, 2),
    ]


def test_the_interval_is_students() -> None:
    row = ngram_differences({"one": ONE, "two": TWO}, GOLD, max_order=1).more[0]
    # One of three samples differs by 1: the unbiased standard error of the sum is 1, and the
    # quantile of Student's t with 2 degrees of freedom 4.30; 1,000 resamples miss it by little.
    assert row.ngram == ("a",)
    assert row.delta_low is not None
    assert row.delta_high is not None
    assert row.delta_high - row.delta == pytest.approx(4.30, rel=0.08)
    assert row.delta_high + row.delta_low == pytest.approx(2 * row.delta)


texts = st.lists(st.lists(st.sampled_from("abc"), max_size=6).map(" ".join), min_size=3, max_size=3)


@given(texts, texts, texts)
def test_counts_are_those_of_a_slow_count(one: list[str], two: list[str], gold: list[str]) -> None:
    def count(predictions: list[str]) -> Counter[tuple[str, ...]]:
        total: Counter[tuple[str, ...]] = Counter()
        for prediction, reference in zip(predictions, gold, strict=True):
            words, others = prediction.split(), reference.split()
            for order in (1, 2):
                left = [tuple(others[i : i + order]) for i in range(len(others) - order + 1)]
                for start in range(len(words) - order + 1):
                    ngram = tuple(words[start : start + order])
                    if ngram in left:
                        left.remove(ngram)
                        total[ngram] += 1
        return total

    found = ngram_differences(
        {"one": one, "two": two}, gold, max_order=2, limit=1000, n_resamples=1, family="bleu"
    )
    ours, theirs = count(two), count(one)
    listed = {row.ngram: (row.system, row.baseline) for row in (*found.more, *found.less)}
    assert listed == {
        ngram: (ours[ngram], theirs[ngram])
        for ngram in ours.keys() | theirs.keys()
        if ours[ngram] != theirs[ngram]
    }
    shares = [(row.system + 1) / (row.system + row.baseline + 2) for row in found.more]
    assert shares == sorted(shares, reverse=True)
    # What one system has right more often, the other lacks more often.
    missed = ngram_differences(
        {"one": one, "two": two},
        gold,
        max_order=2,
        limit=1000,
        n_resamples=1,
        kind="missed",
        family="bleu",
    )
    deltas = {row.ngram: -row.delta for row in (*missed.more, *missed.less)}
    assert deltas == {row.ngram: row.delta for row in (*found.more, *found.less)}


def test_orders_limit_and_family() -> None:
    found = ngram_differences(SYSTEMS, REFERENCES, lowest_order=2, max_order=3, limit=7)
    assert {len(row.ngram) for row in found.more} <= {2, 3}
    assert (len(found.more), found.less) == (7, ())
    stemmed = {"one": ["Cats!"], "two": ["cat?"]}
    words = ngram_differences(stemmed, ["Cats."], family="rouge", use_stemmer=True)
    assert (words.more, words.less) == ((), ())
    cased = ngram_differences({"one": ["Cats !"], "two": ["cats ?"]}, ["Cats ."])
    assert [row.ngram for row in cased.less] == [("Cats",)]
    # A single sample cannot be resampled.
    assert cased.less[0][-2:] == (None, None)


def test_representations() -> None:
    found = ngram_differences({"one": ONE, "two": TWO}, GOLD, max_order=1)
    lines = str(found).splitlines()
    assert lines[0] == "N-grams that two has right more often than one"
    assert lines[1].split() == ["n-gram", "two", "one", "references", "diff"]
    assert lines[2].split()[:5] == ["a", "1", "0", "1", "+1"]
    assert lines[-1] == (
        "Intervals: 95%, from 1,000 bootstrap resamples of 3 samples, seed 12345, not corrected "
        "for the choice of the n-grams."
    )
    head, rows = found.to_table()
    assert head == list(NgramDifference._fields)
    assert [row[0] for row in rows] == ["a", "the", "cat"]
    assert found.to_pandas().shape == (3, 7)
    assert json.loads(json.dumps(found.to_dict()))["less"][0]["ngram"] == ["cat"]
    assert found.to_markdown().count("| n-gram | two | one |") == 2
    latex = found.to_latex()
    assert latex.count(r"\begin{table}") == 2
    assert latex.count(r"& $\Delta$ \\") == 2
    assert re.search(r"& \$-\d+\$ \[", latex)
    assert found._repr_html_().count("<table>") == 2
    for kind, start in (("novel", "N-grams that two has more often"), ("missed", "N-grams of the")):
        other = ngram_differences({"one": ONE, "two": TWO}, GOLD, kind=kind, max_order=1)
        assert str(other).startswith(start)
