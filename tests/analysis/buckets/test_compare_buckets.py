"""Buckets of samples and of n-grams: their scores, their intervals, and laws between them."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import (
    BucketComparison,
    bleu_score,
    compare_buckets,
    compare_systems,
)
from bleu_rouge_metric.resampling.corrections import correct

from ...support.system_files import NEW, OLD, REFERENCES, SYSTEMS, TOPICS

# Made so that the counts can be done by hand. "a" occurs 3 times in the text, "dog" once.
TEXT = ["a cat and a dog", "a cat"]
SMALL = {"one": ["a cat sat", "the dog"], "two": ["a a", "a dog"]}
GOLD = ["a cat sat", "a dog"]


def rows_of(found: BucketComparison, bucket: str) -> dict[tuple[str, str], Any]:
    return {(row.system, row.score): row for row in found.buckets[bucket].rows}


def numbers(*values: float | None) -> list[float]:
    """Return values, none of which is None."""
    found = [value for value in values if value is not None]
    assert len(found) == len(values)
    return found


def test_words_of_a_frequency_by_hand() -> None:
    found = compare_buckets(SMALL, GOLD, by="frequency", text=TEXT, edges=[1, 3])
    # The references have "sat" of frequency 0; "cat" and "dog" of 1 and 2; "a" of 3, twice.
    assert (found.unit, found.sizes) == ("words", {"0": 1, "1-2": 2, "3+": 2})
    values = {
        bucket: {key: row.value for key, row in rows_of(found, bucket).items()}
        for bucket in found.buckets
    }
    # "one" has "sat" right and writes "the".
    assert values["0"]["one", "precision"] == 1 / 2
    assert values["0"]["one", "recall"] == 1
    assert values["0"]["one", "fmeasure"] == 2 / 3
    assert values["0"]["two", "fmeasure"] == 0
    assert values["1-2"]["one", "fmeasure"] == 1
    assert values["1-2"]["two", "recall"] == 1 / 2
    # "two" writes "a" three times, of which the references have two, one in each.
    assert values["3+"]["two", "precision"] == 2 / 3
    assert values["3+"]["one", "recall"] == 1 / 2
    # Of 5 words each, "one" has 4 right and "two" 3, of 4.
    whole = {(row.system, row.score): row.value for row in found.comparison.rows}
    assert whole["one", "precision"] == 4 / 5
    assert whole["two", "fmeasure"] == 2 * 3 / (4 + 5)


def test_several_references_clip_together() -> None:
    found = compare_buckets(
        {"one": ["a a b", "c"], "two": ["b", "c"]},
        [["a b", "a a"], ["c", "d"]],
        by="order",
        max_order=1,
    )
    rows = rows_of(found, "1-grams")
    # The union has a twice, b, c and d.
    assert found.sizes == {"1-grams": 5}
    assert rows["one", "precision"].value == 4 / 4
    assert rows["one", "recall"].value == 4 / 5


@pytest.mark.parametrize(
    "options", [{}, {"tokenizer": "char"}, {"lowercase": True}, {"profile": "sacrebleu"}], ids=str
)
def test_precisions_of_orders_are_those_of_bleu(options: dict[str, Any]) -> None:
    several = [[text, f"{other} \n"] for text, other in zip(REFERENCES, NEW, strict=True)]
    found = compare_buckets(SYSTEMS, several, by="order", **options)
    for name, texts in SYSTEMS.items():
        expected = bleu_score(texts, several, **options).precisions
        scale = 100 if options.get("profile") == "sacrebleu" else 1
        values = [rows_of(found, f"{n}-grams")[name, "precision"].value for n in range(1, 5)]
        assert [scale * value for value in values] == pytest.approx(list(expected), rel=1e-15)


def test_buckets_of_lengths_are_groups() -> None:
    found = compare_buckets(SYSTEMS, REFERENCES, edges=[9, 10, 11], correction="holm")
    lengths = [len(text.split()) for text in REFERENCES]
    assert found.sizes == {"10": 8}
    assert lengths == [10] * 8
    texts = [text[: 20 + 3 * index] for index, text in enumerate(REFERENCES)]
    found = compare_buckets(SYSTEMS, texts, edges=[7, 9], correction="holm")
    names = ["0-6" if n < 7 else "7-8" if n < 9 else "9+" for n in map(len, map(str.split, texts))]
    expected = compare_systems(SYSTEMS, texts, groups=names, correction="holm")
    assert list(found.buckets) == ["0-6", "7-8", "9+"]
    assert found.buckets == expected.groups
    assert found.comparison.rows == expected.rows
    assert found.sizes == {name: names.count(name) for name in ("0-6", "7-8", "9+")}


def test_the_length_of_several_references_is_their_mean() -> None:
    references = [["a b", "a b c d"], ["a", "a b"]]
    found = compare_buckets({"x": ["a", "b"], "y": ["a", "b"]}, references, edges=[3])
    assert found.sizes == {"0-2": 1, "3+": 1}
    assert [part.untested_reason for part in found.buckets.values()] == [
        "there is only 1 sample"
    ] * 2
    assert str(found).splitlines()[-1] == (
        "Not tested, because their samples cannot be resampled: 0-2, 3+."
    )


def test_labels_are_buckets_in_their_order_and_numbers_in_ranges() -> None:
    found = compare_buckets(SYSTEMS, REFERENCES, by="label", labels=iter(TOPICS))
    expected = compare_systems(SYSTEMS, REFERENCES, groups=TOPICS)
    assert (found.buckets, list(found.buckets)) == (expected.groups, ["news", "web", "talk"])
    numbers = np.array([0.5, -1, 2, 0.25, 0.5, 3, 7, -2])
    found = compare_buckets(SYSTEMS, REFERENCES, by="label", labels=numbers, edges=[0, 0.5, 3])
    assert found.sizes == {"<0": 2, "0 to <0.5": 1, "0.5 to <3": 3, ">=3": 2}


def test_a_bucket_is_compared_on_the_samples_that_have_its_words() -> None:
    # Half of the samples have no word that the other half has.
    others = {
        name: [f"x{text.replace(' ', ' x')}" for text in texts] for name, texts in SYSTEMS.items()
    }
    gold = [f"x{text.replace(' ', ' x')}" for text in REFERENCES]
    both = {name: texts + others[name] for name, texts in SYSTEMS.items()}
    text = " ".join(gold * 2000)
    found = compare_buckets(both, REFERENCES + gold, by="frequency", text=text, edges=[1])
    alone = compare_buckets(SYSTEMS, REFERENCES, by="order", max_order=1)
    assert found.buckets["0"].rows == alone.buckets["1-grams"].rows
    assert found.buckets["0"].n_samples == 8


def test_intervals_hold_the_value_and_none_is_made_of_equal_systems() -> None:
    found = compare_buckets(SYSTEMS, REFERENCES, by="order", n_resamples=500)
    rows = [row for part in found.buckets.values() for row in part.rows]
    assert len(rows) == 24
    for row in rows:
        low, high = numbers(row.low, row.high)
        assert low <= row.value <= high
    for row in rows[1::2]:
        low, delta, high = numbers(row.delta_low, row.delta, row.delta_high)
        assert low < delta < high
        # All 2 ** 8 ways to swap were tried, so that p is a multiple of 2 ** -8.
        assert (256 * numbers(row.p_value)[0]).is_integer()
    same = compare_buckets({"x": OLD, "y": list(OLD)}, REFERENCES, by="order", n_resamples=500)
    for part in same.buckets.values():
        for row in part.rows[1::2]:
            assert (row.delta, row.p_value, row.delta_low, row.delta_high) == (0, 1, 0, 0)


def test_p_values_of_all_buckets_are_corrected_together() -> None:
    found = compare_buckets(SYSTEMS, REFERENCES, by="order", max_order=2, correction="bonferroni")
    assert found.comparison.n_tests == 9
    parts = [found.comparison, *found.buckets.values()]
    rows = [row for part in parts for row in part.rows if row.p_value is not None]
    p_values = np.array([row.p_value for row in rows])
    assert [row.p_corrected for row in rows] == correct(p_values, "bonferroni").tolist()


def test_clusters_are_drawn_whole_and_do_not_change_values() -> None:
    clusters = [index // 2 for index in range(8)]
    found = compare_buckets(SYSTEMS, REFERENCES, by="order", clusters=clusters)
    plain = compare_buckets(SYSTEMS, REFERENCES, by="order")
    for name, part in found.buckets.items():
        assert (part.n_clusters, plain.buckets[name].n_clusters) == (4, None)
        assert part.n_resamples == 2**4
        for row, other in zip(part.rows, plain.buckets[name].rows, strict=True):
            assert (row.value, row.delta, row.wins) == (other.value, other.delta, other.wins)
    single = compare_buckets(SYSTEMS, REFERENCES, by="order", clusters=list(range(8)))
    assert single.buckets["2-grams"].rows == plain.buckets["2-grams"].rows


def test_iterators_are_read_once() -> None:
    def read(texts: list[str]) -> Iterator[str]:
        yield from texts

    for by in ("length", "order", "frequency"):
        systems = {name: read(texts) for name, texts in SYSTEMS.items()}
        found = compare_buckets(systems, read(REFERENCES), by=by, baseline="new", n_resamples=20)
        expected = compare_buckets(SYSTEMS, REFERENCES, by=by, baseline="new", n_resamples=20)
        assert found == expected
        assert found.comparison.baseline == "new"


def test_words_are_counted_in_the_references_if_no_text_is_given() -> None:
    found = compare_buckets(SYSTEMS, REFERENCES, by="frequency", edges=[5])
    expected = compare_buckets(SYSTEMS, REFERENCES, by="frequency", text=REFERENCES, edges=[5])
    assert found == expected
    assert sum(found.sizes.values()) == sum(len(text.split()) for text in REFERENCES)


def test_a_frequency_that_only_predictions_have_is_said() -> None:
    found = compare_buckets(
        {"one": ["a x", "a"], "two": ["a", "b"]}, ["a b", "a b"], by="frequency", edges=[2]
    )
    assert found.sizes["0-1"] == 0
    assert "No reference has a word of frequency 0-1: only predictions do." in str(found)


def test_tables_have_a_row_per_bucket() -> None:
    found = compare_buckets(SMALL, GOLD, by="frequency", text=TEXT, edges=[1, 3], n_resamples=40)
    lines = str(found).splitlines()
    assert lines[0] == "F-measure by frequency of words"
    head_line = ["frequency", "words", "one", "(baseline)", "two", "diff", "p"]
    assert lines[1].split() == head_line
    assert [line.split()[:2] for line in lines[2:6]] == [
        ["0", "1"],
        ["1-2", "2"],
        ["3+", "2"],
        ["all", "5"],
    ]
    assert "Samples: 2." in lines
    head, rows = found.to_table()
    assert head[:4] == ["bucket", "size", "system", "score"]
    assert [row[:4] for row in rows[6:8]] == [
        ["0", 1, "one", "fmeasure"],
        ["0", 1, "two", "fmeasure"],
    ]
    assert found.to_pandas().shape == (24, len(head))
    title = "**F-measure by frequency of words**"
    assert found.to_markdown().startswith(f"{title}\n\n| frequency | words |")
    latex = found.to_latex()
    assert latex.count(r"\begin{table}") == 3
    assert latex.count(r"& $\Delta$ & $p$ ") >= 3
    assert re.search(r"& \$[-+]\d\.\d{4}\$ & (\$<)?\d\.\d{3}", latex)
    assert found._repr_html_().count("<table>") == 3
    written = json.loads(json.dumps(found.to_dict()))
    assert (written["by"], written["unit"], list(written["groups"])) == (
        "frequency",
        "words",
        ["0", "1-2", "3+"],
    )
