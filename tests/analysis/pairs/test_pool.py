"""``score_matrix`` gives the scores of ``PairScorer``, for any score and kind of text."""

import re
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric import PairScorer, score_matrix
from bleu_rouge_metric.options.profiles import PROFILES

from ...conftest import unfit_texts
from ...support.bleu_references import plain_sums
from ...support.strategies import spaced_texts, words

pytestmark = [*unfit_texts, pytest.mark.usefixtures("kernel")]


@pytest.fixture(autouse=True, scope="module")
def _sums_from_left_to_right() -> Iterator[None]:
    """Let sacrebleu add floats as up to Python 3.11."""
    with plain_sums():
        yield


TEXTS = ["a cat sat.", "the cat sat down\non the mat.", "", "a cat a cat", "Zürich is 3.5 km off"]
OTHERS = ["the cat sat down on a mat.\na cat", "no", "a b c d e f g"]

# Scores of every family; tests/laws compares single pairs under all options.
SCORES = {
    "hf": "bleu rouge1 rouge9 rougeL rougeLsum rougeW-2 rougeS4 rougeSU0",
    **dict.fromkeys(("sacrebleu", "nltk", "codexglue"), "bleu"),
    "google_bleu": "google_bleu",
    **dict.fromkeys(("rouge_score", "xlsum"), "rougeL"),
    "rouge-1.5.5": "rougeLsum rougeSU4",
    "lin2004": "rougeLsum rougeW",
    "coco": "Bleu_1 Bleu_4 ROUGE_L",
    "rouge": "rouge-2 rouge-l",
    "rouge-chinese": "rouge-l",
}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_matrix_has_the_scores_of_single_pairs(profile: Any) -> None:
    for name in SCORES[profile].split():
        scorer = PairScorer(name, profile=profile)
        expected = [[scorer(text, other) for other in OTHERS] for text in TEXTS]
        assert score_matrix(TEXTS, OTHERS, name, profile=profile).tolist() == expected, name


texts = st.lists(st.lists(words, max_size=8).map(" ".join) | spaced_texts, min_size=1, max_size=5)


@given(texts=texts, others=texts, name=st.sampled_from(["rouge1", "rougeL", "rougeLsum", "bleu"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_texts(texts: list[str], others: list[str], name: str) -> None:
    expected = PairScorer(name)
    matrix = score_matrix(texts, others, name)
    assert matrix.tolist() == [[expected(text, other) for other in others] for text in texts]


def test_several_scores_and_their_parts() -> None:
    names = ("rougeL_precision", "bleu", "rouge1_recall", "rougeL", "rougeL_fmeasure")
    found = score_matrix(["a b c"], ["a c", "a b c d"], names)
    assert {name: scores.tolist() for name, scores in found.items()} == dict(
        zip(
            names,
            ([[2 / 3, 1]], [[0, 0]], [[1, 0.75]], [[0.8, 6 / 7]], [[0.8, 6 / 7]]),
            strict=True,
        )
    )
    found = score_matrix(["a b c"], ["a c"], ["rouge-l_recall"], profile="rouge")
    assert found["rouge-l_recall"].tolist() == [[1.0]]


@pytest.mark.parametrize("height", [1, 2, 5, 100])
def test_blocks_of_rows_are_those_of_the_whole(height: int) -> None:
    whole = score_matrix(TEXTS, OTHERS)
    blocks = list(score_matrix(TEXTS, OTHERS, blocks=height))
    assert [len(block) for block in blocks][:-1] == [height] * (len(blocks) - 1)
    assert (np.concatenate(blocks) == whole).all()
    several = next(score_matrix(TEXTS, OTHERS, ["rougeL"], blocks=height))
    assert (several["rougeL"] == blocks[0]).all()


def test_blocks_of_many_columns() -> None:
    others = [f"a w{index % 7} x{index}" for index in range(1 << 15)] + ["a w1", "b"]
    matrix = score_matrix(["a w1", "c"], others, "rouge1")
    assert matrix[:, -2:].tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert matrix[0, [0, 1]].tolist() == [0.4, 0.8]


def test_the_texts_may_be_columns_or_ids() -> None:
    expected = [[2 / 3], [0.0]]
    for texts, others in (
        (pd.Series(["a b", "b"], index=[7, 5]), pa.array(["a"])),
        ((text for text in ["a b", "b"]), np.array(["a"])),
    ):
        assert score_matrix(texts, others).tolist() == expected
    ids = score_matrix([[1, 2], np.array([2])], [[1, -100]], tokenizer="ids")
    assert ids.tolist() == expected


def test_blocks_need_little_memory() -> None:
    texts = [f"w{index} w{index % 50} x" for index in range(2000)]
    tracemalloc.start()
    assert next(iter(score_matrix(texts, blocks=4))).shape == (4, 2000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # All scores take 32 MB.
    assert peak < 15e6


def test_a_sentence_splitter_that_fails_names_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    segmenter = pytest.importorskip("pysbd").Segmenter

    def fail(_: Any, text: str) -> list[str]:
        if "bad" in text:
            raise IndexError("list index out of range")
        return [text]

    monkeypatch.setattr(segmenter, "segment", fail)
    reason = "sentence_splitter 'pysbd' fails with IndexError: list index out of range"
    with pytest.raises(ValueError, match=f"^{re.escape(f'others[1]: {reason}')}$"):
        score_matrix(["a"], ["b", "a bad one"], "rougeLsum", sentence_splitter="pysbd")


@pytest.mark.filterwarnings("default::UserWarning")
def test_texts_without_tokens_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="leaves nothing of 1 of 2 texts"):
        score_matrix(["a cat", "нет"], ["a"])
