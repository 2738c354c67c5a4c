"""``Scorer``: errors of merging, scoring and keys; a failed call changes nothing."""

import re
from typing import Any

import pytest

from bleu_rouge_metric import Scorer


def test_a_warning_that_is_an_error_leaves_the_scorer_as_it_was() -> None:
    scorer = Scorer("rouge")
    with pytest.raises(UserWarning, match="leaves nothing"):
        scorer.update(["кот"], ["кот"])
    assert len(scorer) == 0


def test_the_key_of_two_samples_is_found_among_many() -> None:
    scorer = Scorer("bleu", max_order=1)
    texts = ["a b"] * 5000
    scorer.update(texts, texts, keys=range(5000))
    texts[4321] = "a"
    scorer.update(texts, texts, keys=range(5000))
    with pytest.raises(ValueError, match=r"^The key 4321 names two different samples;"):
        scorer.result()


def test_a_key_of_two_different_samples_is_an_error() -> None:
    scorer = Scorer("rouge")
    scorer.update(["a", "b c", "d"], ["a", "b", "d"], keys=[1, 2, 3])
    scorer.update(["a", "b b"], ["a", "b"], keys=[1, 2])
    assert scorer.result()["rouge1"] == pytest.approx(8 / 9)
    scorer.update(["d"], ["d d"], keys=[3])
    expected = (
        "The key 3 names two different samples; expected a unique key for every sample, such "
        "as its index in the data set."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        scorer.result()


@pytest.mark.parametrize("first", [None, [0]])
def test_keys_are_for_all_samples_or_for_none(first: Any) -> None:
    scorer = Scorer()
    scorer.update(["a"], ["a"], keys=first)
    held, given_now = ("have none", "keys") if first is None else ("have keys", "no keys")
    expected = (
        f"The samples held so far {held}, but those given now have {given_now}; give keys for all "
        "samples, or for none."
    )
    second = Scorer()
    second.update(["a"], ["a"], keys=None if first else [0])
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        scorer.update(["a"], ["a"], keys=None if first else [0])
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        scorer.merge(second)
    assert len(scorer) == 1
