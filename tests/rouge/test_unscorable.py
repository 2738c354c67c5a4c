"""Texts that the packages ``rouge`` and ``rouge-chinese`` cannot score."""

import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import PairScorer, Scorer, load
from bleu_rouge_metric.families.rouge_package.unscorable import MOST_STEPS, count_steps, is_too_deep

from ..conftest import require, unfit_texts
from ..support.rouge_package import PROFILES, score

pytestmark = list(unfit_texts)


@pytest.mark.parametrize(
    ("reference", "prediction", "steps"),
    [
        ("a b c", "a b c", 3),
        ("x", "y z", 2),
        ("y z", "x", 1),
        ("x a", "y y a", 3),
        ("a", "y y a", 1),
        ("a x", "y a y", 3),
        ("x a", "a", 1),
    ],
)
def test_steps_until_a_sentence_is_used_up(reference: str, prediction: str, steps: int) -> None:
    assert count_steps(reference.split(), prediction.split()) == steps


words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(words, words)
def test_steps_are_those_of_going_back(reference: list[str], prediction: list[str]) -> None:
    table = np.zeros((len(reference) + 1, len(prediction) + 1), int)
    for i, word in enumerate(reference, 1):
        for j, other in enumerate(prediction, 1):
            longer = max(table[i - 1, j], table[i, j - 1])
            table[i, j] = table[i - 1, j - 1] + 1 if word == other else longer
    i, j, steps = len(reference), len(prediction), 0
    while i and j:
        is_equal = reference[i - 1] == prediction[j - 1]
        drops_reference = not is_equal and table[i - 1, j] > table[i, j - 1]
        i -= is_equal or drops_reference
        j -= not drops_reference
        steps += 1
    assert count_steps(reference, prediction) == steps


def test_samples_that_the_library_cannot_score_are_a_warning() -> None:
    short, long = (" ".join(map(str, range(MOST_STEPS + more))) for more in (0, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert score(short, short, "rouge-l")[0] == 1.0
        # Without the LCS nothing recurses; nor do the other library and short sentences.
        assert score(long, long, "rouge-1")[0] == 1.0
        assert score(long, long, "rouge-l", profile="rouge-chinese")[0] == 1.0
        assert score(f"{short}. {short}", f"{short}. {short}", "rouge-l")[0] == 1.0
    message = (
        "rouge 1.0.1 raises an error for 1 of 2 samples. Here, sentences of too many words (in 1), "
        "for which it raises RecursionError, are scored like all others."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(message)}$"):
        found = load().compute(predictions=[short, long], references=[short, long], profile="rouge")
    assert found["rouge-l"]["f"] == 0.999999995


def test_many_short_sentences_are_checked_in_linear_time() -> None:
    class Words(list[str]):
        """A sentence that counts how often it is read."""

        reads = 0

        def split(self) -> "Words":
            return self

        def __len__(self) -> int:
            Words.reads += 1
            return super().__len__()

    text = "x" * 2 * MOST_STEPS
    sentences: Any = [Words(["a"]) for _ in range(300)]
    assert not is_too_deep(text, text, lambda _: sentences)
    assert Words.reads <= 4 * len(sentences)


EMPTY = ["", ".", "...", " ", "\n", ". ", "\u3000", "a"]


def is_refused(library: Any, text: str) -> bool:
    try:
        library.get_scores(text, "a")
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("profile", PROFILES)
def test_texts_without_sentences_are_counted_in_the_warning(profile: str) -> None:
    library = require(PROFILES[profile]).Rouge()
    failed = sum(is_refused(library, text) for text in EMPTY)
    assert failed
    name = {"rouge": "rouge 1.0.1", "rouge-chinese": "rouge-chinese 1.0.3"}[profile]
    message = (
        f"{name} raises an error for {failed} of {len(EMPTY)} samples. Here, texts without a "
        f"sentence (in {failed}) score 0."
    )
    sides = EMPTY, ["a"] * len(EMPTY)
    options: Any = {"profile": profile}
    for predictions, references in (sides, sides[::-1]):
        with pytest.warns(UserWarning, match=f"^{re.escape(message)}$"):
            found: Any = load().compute(
                predictions=predictions, references=references, use_aggregator=False, **options
            )
        assert found["rouge-1"]["f"][0] == 0
    for tokenizer in ("whitespace", "unicode"):
        with pytest.warns(UserWarning, match=r" raises an error for 1 of 1 samples\. "):
            assert PairScorer("rouge-1", tokenizer=tokenizer, **options)("", "a") == 0


def test_both_reasons_are_one_warning() -> None:
    long = " ".join(map(str, range(MOST_STEPS + 1)))
    message = (
        "rouge 1.0.1 raises an error for 3 of 4 samples. Here, texts without a sentence (in 2) "
        "score 0 and sentences of too many words (in 1), for which it raises RecursionError, are "
        "scored like all others."
    )
    scorer = Scorer(profile="rouge")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scorer.update(["a", "", long, "a"], ["a", long, long, "."])
    assert [str(warning.message) for warning in caught] == [message]
