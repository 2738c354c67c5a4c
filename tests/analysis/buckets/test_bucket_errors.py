"""What is wrong with the arguments of a comparison in buckets is one clear error."""

from typing import Any

import pytest

from bleu_rouge_metric import compare_buckets, ngram_differences

from ...support.system_files import REFERENCES, SYSTEMS, TOPICS


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"by": "lengths"},
            "Unknown by 'lengths'; expected one of 'length', 'label', 'frequency', 'order'. Did "
            "you mean 'length'?",
        ),
        (
            {"by": "order", "edges": [1]},
            "edges does not apply if by is 'order'; leave it out, or choose 'length' or 'label' or "
            "'frequency'.",
        ),
        (
            {"labels": TOPICS},
            "labels does not apply if by is 'length'; leave it out, or choose 'label'.",
        ),
        (
            {"text": "a"},
            "text does not apply if by is 'length'; leave it out, or choose 'frequency'.",
        ),
        ({"by": "label"}, "by is 'label', but labels is missing; give one per sample."),
        (
            {"by": "label", "labels": ["all", *TOPICS[1:]]},
            "labels has the label 'all', which the row of all samples has; rename it.",
        ),
        ({"edges": []}, "edges is []; expected ascending numbers, such as [10, 20, 30]."),
        ({"edges": [3, 3]}, "edges is [3, 3]; expected ascending numbers, such as [10, 20, 30]."),
        (
            {"edges": [0, 3]},
            "edges is [0, 3]; expected whole numbers of at least 1, because tokens are counted.",
        ),
        (
            {"edges": [1.5]},
            "edges is [1.5]; expected whole numbers of at least 1, because tokens are counted.",
        ),
        (
            {"by": "label", "labels": list(range(8)), "edges": [float("nan")]},
            "edges[0] is nan; expected a finite number.",
        ),
        (
            {"by": "label", "labels": TOPICS[:3]},
            "labels has 3 labels, but there are 8 samples; expected one label, a str or an int, "
            "for each sample.",
        ),
        (
            {"by": "label", "labels": [1, 2], "edges": [1]},
            "labels has 2 numbers, but there are 8 samples; expected one number for each.",
        ),
        ({"by": "frequency", "text": []}, "text is empty; expected a str or a sequence of str."),
        ({"confidence": 2}, "confidence is 2; expected a float above 0 and below 1, such as 0.95."),
        ({"baseline": "B"}, "baseline is 'B'; expected one of 'old', 'new'."),
        (
            {"by": "order", "clusters": ["a"] * 8},
            "clusters has the one label 'a'; expected at least 2 to resample.",
        ),
    ],
    ids=str,
)
def test_values_of_compare_buckets(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        compare_buckets(SYSTEMS, REFERENCES, **keywords)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"edges": "10"},
            "edges is of type str; expected ascending numbers, such as [10, 20, 30].",
        ),
        ({"edges": ["10"]}, "edges[0] is '10'; expected a number."),
        ({"edges": [True]}, "edges[0] is True; expected a number."),
        (
            {"by": "label", "labels": TOPICS, "edges": [1]},
            "labels[0] is 'news'; expected a number.",
        ),
        (
            {"by": "frequency", "text": 3},
            "text is of type int; expected a str or a sequence of str.",
        ),
        ({"by": "frequency", "text": ["a", None]}, "text[1] is None; expected a str."),
        (
            {"by": "length", "smoth": 1},
            "Unknown option 'smoth'; did you mean 'smooth'?",
        ),
    ],
    ids=str,
)
def test_types_of_compare_buckets(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        compare_buckets(SYSTEMS, REFERENCES, **keywords)
    assert str(caught.value) == message


def test_several_runs_are_an_error() -> None:
    runs = {name: [texts, texts] for name, texts in SYSTEMS.items()}
    for compare in (compare_buckets, ngram_differences):
        with pytest.raises(ValueError, match="systems has several runs of a system"):
            compare(runs, REFERENCES)


def test_token_ids_and_scorers_have_no_words() -> None:
    ids = {"x": [[1, 2], [3]], "y": [[1], [3]]}
    for compare in (compare_buckets, ngram_differences):
        with pytest.raises(TypeError) as caught:
            compare(ids, [[1, 2], [3]], tokenizer="ids")
        assert str(caught.value) == (
            "systems['x'] has token ids; expected texts, whose n-grams are counted."
        )


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"kind": "right"}, "Unknown kind 'right'; expected one of 'matched', 'novel', 'missed'."),
        ({"limit": 0}, "limit is 0; expected an int from 1 to 1,000."),
        ({"lowest_order": 5}, "lowest_order is 5; expected an int from 1 to 4."),
        ({"system": "old"}, "system is 'old'; expected one of 'new'."),
        ({"n_resamples": 0}, "n_resamples is 0; expected an int from 1 to 1,000,000."),
        ({"seed": -1}, "seed is -1; expected an int from 0 to 4294967295, or None to draw one."),
    ],
    ids=str,
)
def test_values_of_ngram_differences(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        ngram_differences(SYSTEMS, REFERENCES, **keywords)
    assert str(caught.value) == message


def test_one_of_three_systems_must_be_named() -> None:
    systems = {**SYSTEMS, "third": SYSTEMS["old"]}
    with pytest.raises(ValueError, match=r"^system is None; expected one of 'new', 'third'\.$"):
        ngram_differences(systems, REFERENCES)
    assert ngram_differences(systems, REFERENCES, system="third").more == ()
