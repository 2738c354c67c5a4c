"""Sequences of token ids instead of texts."""

import random
import re
from collections.abc import Callable
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import Scorer, bleu_score, rouge_scores
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.samples.token_ids import make_id_rules

from ..support.toy_tokenizer import pad_rows

PAD, EOS, SEPARATOR, IGNORED = 0, 1, 2, -100
RULES: dict[str, Any] = {"tokenizer": "ids", "pad": PAD, "eos": EOS, "separator": SEPARATOR}


def make_ids(count: int, seed: int) -> list[list[int]]:
    """Make sequences of ids from 3 up."""
    draw = random.Random(seed)
    return [draw.choices(range(3, 9), k=draw.randint(1, 12)) for _ in range(count)]


PREDICTIONS, REFERENCES = make_ids(40, 1), make_ids(40, 2)
FIRST = [f"t{number}" for number in range(40)]


def write(ids: list[int]) -> str:
    """Write the ids as words of letters, which every tokenizer keeps."""
    return " ".join(FIRST[number] for number in ids)


@pytest.mark.parametrize("profile", PROFILES)
def test_ids_count_as_their_words_do(profile: Any, kernel: str) -> None:  # noqa: ARG001
    texts = Scorer(profile=profile, tokenizer="whitespace")
    texts.update(list(map(write, PREDICTIONS)), list(map(write, REFERENCES)))
    ids = Scorer(profile=profile, tokenizer="ids")
    ids.update(PREDICTIONS, REFERENCES)
    assert ids.state_dict()["arrays"] == texts.state_dict()["arrays"]


PACKS: dict[str, Callable[[list[list[int]]], Any]] = {
    "tuple": tuple,
    "iterator": iter,
    "Arrow": pa.array,
    "arrays": lambda rows: [np.array(row, dtype=np.int32) for row in rows],
    "tuples": lambda rows: [tuple(row) for row in rows],
    "NumPy ints": lambda rows: [list(map(np.int64, row)) for row in rows],
}


@pytest.mark.parametrize("name", PACKS)
def test_every_shape_of_ids_is_accepted(name: str, metric: evaluate.Metric) -> None:
    expected = metric.compute(predictions=PREDICTIONS, references=REFERENCES, tokenizer="ids")
    packed = {"predictions": PACKS[name](PREDICTIONS), "references": PACKS[name](REFERENCES)}
    assert metric.compute(**packed, tokenizer="ids") == expected


@pytest.mark.parametrize("start", [[], [PAD], [EOS]])
def test_what_models_pad_is_dropped(start: list[int], metric: evaluate.Metric) -> None:
    expected = metric.compute(predictions=PREDICTIONS, references=REFERENCES, tokenizer="ids")
    found = metric.compute(
        predictions=pad_rows([start + row for row in PREDICTIONS], EOS, PAD),
        references=pad_rows(REFERENCES, EOS, IGNORED),
        **RULES,
    )
    assert found == expected


def test_several_references_are_sequences_of_sequences(metric: evaluate.Metric) -> None:
    both = [[one, other] for one, other in zip(REFERENCES, PREDICTIONS, strict=True)]
    scores = metric.compute(predictions=PREDICTIONS, references=both, tokenizer="ids")
    assert (scores["bleu"], scores["rougeL"]) == (1, 1)
    stacked = np.stack([pad_rows(REFERENCES, EOS, filler) for filler in (IGNORED, PAD)], 1)
    assert metric.compute(predictions=PREDICTIONS, references=stacked, **RULES) == metric.compute(
        predictions=PREDICTIONS, references=REFERENCES, tokenizer="ids"
    )


def test_a_separator_stands_between_sentences_and_is_no_token(kernel: str) -> None:  # noqa: ARG001
    # An LCS over the whole text does not match the second sentence of the reference.
    prediction, reference = [5, 6, SEPARATOR, 3, 4], [3, 4, SEPARATOR, 5, 6]
    scores = rouge_scores([prediction], [reference], **RULES)
    assert scores["rougeL"].fmeasure == [0.5]
    assert scores["rougeLsum"].fmeasure == [1]
    assert scores["rouge1"].recall == [1]
    expected = rouge_scores(["t5 t6\nt3 t4"], ["t3 t4\nt5 t6"])
    assert {name: score.fmeasure for name, score in scores.items()} == {
        name: score.fmeasure for name, score in expected.items()
    }


@given(st.lists(st.integers(0, 6)), st.sets(st.integers(0, 6)), st.sets(st.integers(0, 6)))
def test_ids_are_kept_as_the_rules_say(ids: list[int], pad: set[int], eos: set[int]) -> None:
    kept = make_id_rules(-100, tuple(pad), tuple(eos)).strip([*ids, -100])
    # Each letter is an id: p is the pad, and e is the end.
    line = "".join("e" if i in eos else "p" if i in pad else str(i) for i in ids)
    found = re.fullmatch(r"[ep]*([\dp]*)(?:e.*)?", line)
    assert found is not None
    assert "".join(map(str, kept)) == found[1].replace("p", "")


def test_empty_sequences_are_empty_texts(metric: evaluate.Metric) -> None:
    scores = metric.compute(
        predictions=[[], [3, 4], [PAD]], references=[[3], [3, 4], []], **RULES, use_aggregator=False
    )
    assert scores["rouge1"] == [0, 1, 0]
    assert scores["translation_length"] == 2
    assert metric.compute(predictions=[[]], references=[[3]], tokenizer="ids")["bleu"] == 0


def test_more_than_one_portion_of_ids_is_counted() -> None:
    predictions, references = make_ids(5000, 3), make_ids(5000, 4)
    ids = bleu_score(predictions, references, tokenizer="ids")
    assert ids == bleu_score(list(map(write, predictions)), list(map(write, references)))
    with pytest.raises(ValueError, match=r"^references\[4500\] has the id -7;"):
        bleu_score(
            predictions, [*references[:4500], [[3], [-7]], *references[4501:]], tokenizer="ids"
        )


def test_texts_and_ids_do_not_mix(metric: evaluate.Metric) -> None:
    metric.add(prediction="a", reference="a")
    metric.add(prediction=[1], reference=[1])
    with pytest.raises(ValueError, match=r"^Some of the samples are texts and others token ids"):
        metric.compute()
