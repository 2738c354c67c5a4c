"""ROUGE of the packages ``rouge`` and ``rouge-chinese``: by hand, and beside the packages."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import PairScorer, Scorer, explain, load, use_kernel
from bleu_rouge_metric.families.rouge_package.types import score_triple, score_triples
from bleu_rouge_metric.matching.lcs import UnionLcs

from ..conftest import require, unfit_texts
from ..support.references import PROFILES, compute

pytestmark = list(unfit_texts)


numbers = st.integers(0, 2**40)
# A text without a total has no hits.
triples = st.tuples(numbers, numbers, numbers).map(lambda row: row if all(row) else (0, *row[1:]))


@given(st.lists(triples, min_size=1, max_size=9))
def test_the_formulas_of_one_and_of_many_samples_are_equal(rows: list[Any]) -> None:
    many = np.stack(score_triples(np.array(rows)), axis=1)
    assert [score_triple(*row) for row in rows] == [tuple(row) for row in many.tolist()]


def test_the_mean_is_summed_from_the_left() -> None:
    predictions, references = ["a"] * 3 + ["a b c"] * 7, ["a b"] * 3 + ["a d e"] * 7
    metric = load()
    found = metric.compute(predictions=predictions, references=references, profile="rouge")
    values = [0.6666666622222223] * 3 + [0.33333332833333334] * 7
    total: float = 0
    for value in values:
        total += value
    assert found["rouge-1"]["f"] == total / 10


# Texts that the packages cannot score.

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


# Options and errors.


def test_types_are_those_of_the_library_by_both_names() -> None:
    names = ["rouge5", "rouge-l", "rouge-1", "rougeL"]
    assert list(compute("a", "a", rouge_types=names)) == ["rouge-5", "rouge-l", "rouge-1"]


def test_several_references_are_an_error_before_anything_is_counted() -> None:
    message = (
        "references[1] has 2 texts, but profile 'rouge' compares with one reference; give one "
        "reference per prediction, or choose another profile."
    )
    metric = load()

    def tokenize(text: str) -> list[str]:
        raise AssertionError(text)

    options: Any = {"profile": "rouge", "tokenizer": tokenize}
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        metric.compute(predictions=["a", "b"], references=[["a"], ["b", "c"]], **options)
    with pytest.raises(ValueError, match=f"^{re.escape(message.replace('[1]', '[0]'))}$"):
        PairScorer("rouge-l")("a", ["a", "b"])


@pytest.mark.usefixtures("kernel")
def test_token_ids_have_sentences_by_separator() -> None:
    options: Any = {"profile": "rouge", "tokenizer": "ids", "separator": 9}
    found = load().compute(predictions=[[2, 1]], references=[[1, 2, 9, 1]], **options)
    assert found == compute("2 1", "1 2. 1")


# Explanations.


def test_an_explanation_shows_what_counts() -> None:
    found = explain("the cat the. cat sat", "the sat cat. cat", profile="rouge")
    (matches,) = found.matches["rouge-1"]
    assert (matches.hits, matches.total, matches.reference_totals) == (3, 3, (3,))
    by_word = {match.forms[0]: match for match in matches.matched}
    assert by_word["the"].counted == ((0,),)
    assert by_word["the"].clipped == ((2,),)
    (union,) = found.lcs["rouge-l"]
    assert isinstance(union, UnionLcs)
    # "cat" of the second sentence is counted in the first one.
    assert [sentence.counted for sentence in union.sentences] == [(0, 2), ()]
    assert [sentence.clipped for sentence in union.sentences] == [(), (0,)]
    assert [pair.hits for pair in found.rouge["rouge-l"].references] == [2]
    assert found.notes[0] == "rouge-2 is 0: no 2-gram of the prediction occurs in a reference."
    repeated = explain("the cat the", "the the", profile="rouge", exclusive=False)
    assert repeated.matches["rouge-1"][0].hits == 2


def test_a_blank_sentence_has_a_place() -> None:
    found = explain("a b. ", " ", profile="rouge")
    assert [(token.start, token.form) for token in found.prediction.tokens][2:] == [(4, "")]
    assert found.rouge["rouge-1"].references[0].hits == 1


def test_full_stops_are_dropped_by_the_split_and_other_tokens_have_their_places() -> None:
    found = explain("a 3.14 b.", "a", profile="rouge")
    note = "The split into sentences drops 2 characters of the prediction: '.'."
    assert [line for line in found.notes if "drops" in line] == [note]
    quoted = explain('say "hi" &amp; go', "say", profile="rouge", tokenizer="nltk").prediction
    assert [token.text for token in quoted.tokens][1:4] == ['"', "hi", '"']
    escaped = explain("x &amp; y", "x", profile="rouge", tokenizer="13a").prediction
    assert [token.text for token in escaped.tokens] == ["x", "&amp;", "y"]


@pytest.mark.parametrize("profile", PROFILES)
def test_chinese_without_words_is_a_warning_that_names_jieba(profile: str) -> None:
    message = r'pass words with spaces between them: " "\.join\(jieba\.cut\(text\)\)\.$'
    with pytest.warns(UserWarning, match=message):
        compute("今天天气非常好我们去公园", "今天天气很好我们去公园", profile=profile)


def test_scores_that_a_profile_does_not_have_are_named() -> None:
    listed = "'rouge-1', 'rouge-2', 'rouge-3', 'rouge-4', 'rouge-5' or 'rouge-l'"
    for name in ("rouge-6", "rougeL", "blue"):
        message = f"profile 'rouge' has no score {name!r}; expected {listed}."
        with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
            PairScorer(name, profile="rouge")
    with pytest.raises(ValueError, match=r"Did you mean 'rouge-l'\?$"):
        PairScorer("rougeL", profile="rouge")


# Beside the packages.

PIECES = ["a", "b", "c", "the", " ", "  ", ".", "\n", "。", "？", "?", "”", "……", "......", "，"]
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("profile", PROFILES)
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_scores_of_any_texts_equal_the_library(
    profile: str, pairs: list[tuple[str, str]], *, exclusive: bool
) -> None:
    names = ["rouge-1", "rouge-2", "rouge-5", "rouge-l"]
    library = require(PROFILES[profile]).Rouge(names, exclusive=exclusive)
    given_options: Any = {"profile": profile, "rouge_types": names, "exclusive": exclusive}
    scorer = Scorer(**given_options)
    expected: list[Any] = []
    for prediction, reference in pairs:
        try:
            expected += library.get_scores(prediction, reference)
        except ValueError:
            continue
        with use_kernel("python" if len(expected) % 2 else "native"):
            scorer.update([prediction], [reference])
    if expected:
        found: Any = scorer.result(use_aggregator=False)
        assert [
            {name: {key: values[index] for key, values in found[name].items()} for name in names}
            for index in range(len(expected))
        ] == expected
