"""``near_duplicates`` and ``DuplicateIndex`` decide as a comparison with each text that stays."""

import copy
import pickle
from threading import Thread
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from bleu_rouge_metric import (
    DuplicateIndex,
    NearDuplicates,
    PairScorer,
    near_duplicates,
)
from bleu_rouge_metric.analysis.pairs import search

from ...conftest import unfit_texts
from ...support.instructions import POOL, needs_instructions, read_instructions, vary_texts

pytestmark = [*unfit_texts]


class Record(NamedTuple):
    """What is found for one text: as Self-Instruct records it."""

    is_kept: bool
    score: float
    nearest: int
    top: list[tuple[int, float]]
    mean: float


def compare_each(
    texts: list[str],
    *,
    threshold: float = 0.7,
    inclusive: bool = False,
    top: int = 10,
    against: list[str] | None = None,
    order: list[int] | None = None,
    groups: list[Any] | None = None,
    **options: Any,
) -> list[Record]:
    """Compare each text with each of those before it that stay, pair by pair."""
    scorer: Any = PairScorer(options.pop("score", "rougeL"), **options)
    records: dict[int, Record] = {}
    for index in order or range(len(texts)):
        others = dict(enumerate(texts if against is None else against))
        if against is None:
            others = {
                place: others[place]
                for place, record in records.items()
                if record.is_kept and (groups is None or groups[place] == groups[index])
            }
        scores = [(place, scorer(texts[index], text)) for place, text in others.items()]
        best = sorted(scores, key=lambda pair: -pair[1])
        nearest, score = best[0] if best else (-1, 0.0)
        is_near = bool(best) and (score >= threshold if inclusive else score > threshold)
        mean = float(np.mean([score for _, score in scores])) if scores else 0.0
        records[index] = Record(not is_near, score, nearest, best[:top], mean)
    return [records[index] for index in range(len(texts))]


def to_records(found: NearDuplicates) -> list[Record]:
    kept = set(found.kept.tolist())
    tops = [
        [pair for pair in zip(*pairs, strict=True) if pair[0] >= 0]
        for pairs in zip(found.top_nearest.tolist(), found.top_scores.tolist(), strict=True)
    ]
    values = found.score.tolist(), found.nearest.tolist(), tops, found.mean.tolist()
    return [
        Record(index in kept, *record) for index, record in enumerate(zip(*values, strict=True))
    ]


words = st.sampled_from(["a", "b", "c", "d", "e.", "f\n", "Ä"])
texts = st.lists(st.lists(words, max_size=7).map(" ".join), min_size=1, max_size=25)
SEVERAL_BATCHES = [*vary_texts(150, seed=3), "", "", POOL[0]]
# Those that are searched for with an index, and others.
INDEXED: list[dict[str, Any]] = [
    {},
    {"score": "rouge1", "use_stemmer": True},
    {"score": "rougeL", "tokenizer": "char"},
    {"score": "rougeL", "beta": 2.0},
    {"score": "rougeL", "profile": "rouge-1.5.5"},
    {"score": "rouge-l", "profile": "rouge"},
    {"score": "rouge-1", "profile": "rouge"},
    {"score": "ROUGE_L", "profile": "coco"},
]
OTHERS: list[dict[str, Any]] = [
    {"score": "rouge2"},
    {"score": "rougeLsum"},
    {"score": "bleu", "smooth": "exp"},
    {"score": "rouge-l", "profile": "rouge", "exclusive": False},
    {"score": "rouge-l", "profile": "rouge-chinese"},
    {"score": "google_bleu"},
]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("options", [*INDEXED, *OTHERS], ids=str)
@given(
    texts=texts,
    threshold=st.sampled_from([0.0, 0.4, 0.5, 2 / 3, 1.0]),
    inclusive=st.booleans(),
    size=st.sampled_from([7, 64]),
)
@example(texts=SEVERAL_BATCHES, threshold=0.5, inclusive=False, size=7)
@example(texts=SEVERAL_BATCHES, threshold=0.5, inclusive=False, size=64)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
def test_decisions_and_scores_are_those_of_all_pairs(
    texts: list[str], threshold: float, options: dict[str, Any], size: int, *, inclusive: bool
) -> None:
    given_options: Any = {"threshold": threshold, "inclusive": inclusive, "top": 3, **options}
    with patch.object(search, "_BATCH", size):
        found = near_duplicates(texts, **given_options)
    records = compare_each(texts, **given_options)
    assert to_records(found) == records
    assert found.pairs == sum(np.cumsum([0, *(record.is_kept for record in records[:-1])]).tolist())
    assert found.compared <= found.pairs


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("keep", ["first", "last"])
def test_groups_are_filtered_alone(keep: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = vary_texts(60, seed=5) * 2
    groups = [min(4, index % 7) for index in range(120)]
    order = [*range(120)][:: 1 if keep == "first" else -1]
    expected = compare_each(texts, threshold=0.5, groups=groups, order=order, top=2)
    for size in (8, 256):
        monkeypatch.setattr(search, "_BATCH", size)
        found = near_duplicates(texts, threshold=0.5, groups=groups, keep=keep, top=2)
        assert to_records(found) == expected


@pytest.mark.usefixtures("kernel")
def test_texts_are_compared_with_others_alone() -> None:
    texts = [POOL[0], POOL[0], "Write a story about old bees.", "", "Name it."]
    against = [*POOL, "", POOL[0]]
    expected = compare_each(texts, against=against)
    found = near_duplicates(texts, against=against)
    assert to_records(found) == expected
    assert found.nearest.tolist() == [0, 0, 0, 0, 2]
    assert found.kept.tolist() == [3, 4]
    assert found.pairs == 25


def test_most_pairs_are_not_counted() -> None:
    texts = [f"w{index} v{index} u{index}" for index in range(2000)]
    found = near_duplicates(texts, top=1)
    assert found.pairs == 1999 * 1000
    # Those of a batch with each other are.
    assert found.compared < found.pairs / 5


@needs_instructions
def test_instructions_are_filtered_as_self_instruct_does() -> None:
    texts = [*read_instructions(), *vary_texts(150, seed=1), *read_instructions()[:5]]
    scorer = RougeScorer(["rougeL"], use_stemmer=False)
    kept: list[int] = []
    scores: list[float] = []
    for index, text in enumerate(texts):
        found = [scorer.score(text, texts[other])["rougeL"].fmeasure for other in kept]
        scores.append(max(found, default=0.0))
        if scores[-1] <= 0.7:
            kept.append(index)
    ours = near_duplicates(texts)
    assert (ours.kept.tolist(), ours.score.tolist()) == (kept, scores)
    assert sorted([*ours.kept, *ours.rejected]) == list(range(len(texts)))


# texts, arguments, the texts that are kept, the nearest text of each
CASES: list[tuple[Any, dict[str, Any], list[int], list[int]]] = [
    (["a"], {}, [0], [-1]),
    (["", "", "!"], {"threshold": 0.0}, [0, 1, 2], [-1, 0, 0]),
    (["a", "b"], {"threshold": 0, "inclusive": True}, [0], [-1, 0]),
    (["a b c d e", "x", "a b c d e f"], {"keep": "last"}, [1, 2], [2, 2, -1]),
    # Of equal scores the text that was compared first.
    (["q a b c d", "a b c d x", "a b c d y"], {"keep": "last", "threshold": 1}, [0, 1, 2],
     [2, 2, -1]),
    (pa.array(["a b", "a b"]), {}, [0], [-1, 0]),
    (pd.Series(["a b", "a b", "c"], index=[5, 5, 9]), {"groups": pd.Series(list("xyx"))}, [0, 1, 2],
     [-1, -1, 0]),
    ([[1, 2, 3], [1, 2, 3]], {"tokenizer": "ids"}, [0], [-1, 0]),
]  # fmt: skip


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(("texts", "arguments", "kept", "nearest"), CASES)
def test_small_cases(
    texts: Any, arguments: dict[str, Any], kept: list[int], nearest: list[int]
) -> None:
    found = near_duplicates(texts, **arguments)
    assert (found.kept.tolist(), found.nearest.tolist()) == (kept, nearest)


def test_the_result_of_few_texts() -> None:
    found = near_duplicates(["a", "a b", "a"], top=2)
    assert repr(found) == "NearDuplicates(kept 2 of 3 texts, counted 3 pairs)"
    assert found.to_pandas().to_dict("list") == {
        "kept": [True, True, False], "score": [0.0, 2 / 3, 1.0], "nearest": [-1, 0, 0],
    }  # fmt: skip
    assert found.top_nearest.tolist() == [[-1, -1], [0, -1], [0, 1]]
    assert np.isnan(found.top_scores).tolist() == [[True, True], [False, True], [False, False]]
    assert found.mean.tolist() == [0.0, 2 / 3, (1 + 2 / 3) / 2]
    without = near_duplicates(["a", "a b", "a"], top=0)
    assert without.top_nearest.shape == without.top_scores.shape == (3, 0)
    assert without.score.tolist() == found.score.tolist()
    copied = pickle.loads(pickle.dumps(near_duplicates(["a", "a b", "a"])))
    assert (copied.kept.tolist(), copied.mean.tolist()) == ([0, 1], found.mean.tolist())


def test_texts_of_many_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    # The tables of scores are made anew again and again.
    monkeypatch.setattr(search, "_MOST_VALUES", 50)
    monkeypatch.setattr(search, "_BATCH", 5)
    texts = [" ".join(f"w{index % 3}" for index in range(size % 23)) for size in range(0, 300, 7)]
    assert to_records(near_duplicates(texts, top=2)) == compare_each(texts, top=2)


TEXTS = [*vary_texts(60, seed=2), "", "", *POOL, POOL[1]]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    "options",
    [{}, {"score": "rouge1"}, {"score": "rougeLsum"}, {"score": "rouge-l", "profile": "rouge"}],
    ids=str,
)
def test_an_index_decides_as_near_duplicates(options: dict[str, Any]) -> None:
    index = DuplicateIndex(0.5, top=3, with_mean=True, **options)
    whole = near_duplicates(TEXTS, threshold=0.5, top=3, **options)
    kept = whole.kept.tolist()
    for text, record in zip(TEXTS, to_records(whole), strict=True):
        found = index.add_if_new(text)
        top = [(kept[nearest], score) for nearest, score in found.top]
        nearest = -1 if found.nearest < 0 else kept[found.nearest]
        assert (found.is_new, found.score, nearest, top, found.mean) == record
    assert index.texts == [TEXTS[place] for place in kept]


@pytest.mark.usefixtures("kernel")
def test_texts_are_added_without_a_question() -> None:
    index = DuplicateIndex(0.0, inclusive=True, with_mean=True)
    assert index.find("a") == (True, 0.0, -1, [], 0.0)
    index.add(["a b c", "a b c"])
    found = index.find("a b c d")
    assert found == (False, 6 / 7, 0, [(0, 6 / 7), (1, 6 / 7)], 6 / 7)
    assert len(index) == 2
    empty: list[str] = []
    for texts in (empty, iter(empty), (text for text in ["y"])):
        index.add(texts)
    assert index.texts == ["a b c", "a b c", "y"]
    assert DuplicateIndex().find("a").mean is None


@pytest.mark.parametrize("again", [copy.deepcopy, lambda index: pickle.loads(pickle.dumps(index))])
def test_copies_go_on_alone(again: Any) -> None:
    index = DuplicateIndex(0.5, score="rouge1", inclusive=True, top=2, use_stemmer=True)
    for text in TEXTS[:20]:
        index.add_if_new(text)
    other = again(index)
    assert repr(other) == repr(index) == f"DuplicateIndex(0.5, score='rouge1', texts={len(index)})"
    for text in TEXTS[20:40]:
        assert other.add_if_new(text) == index.add_if_new(text)
    assert other.texts == index.texts
    other.add(["one more"])
    assert len(other) == len(index) + 1
    assert again(DuplicateIndex()).texts == []


@pytest.mark.usefixtures("kernel")
def test_an_index_of_token_ids() -> None:
    index = DuplicateIndex(tokenizer="ids")
    ids = [1, 2, 3]
    assert index.add_if_new(ids).is_new
    ids[:] = [9]
    assert list(index.texts) == [(1, 2, 3)]
    assert not index.add_if_new((1, 2, 3, -100)).is_new


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("score", ["rougeL", "rouge2"])
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_tokenizer_that_fails_changes_nothing(score: str, error: type[BaseException]) -> None:
    def tokenize(text: str) -> list[str]:
        if "bad" in text:
            raise error
        return text.split()

    index = DuplicateIndex(score=score, tokenizer=tokenize)
    for number in range(70):
        index.add([f"w{number} x{number} a b c"])
    for call in (index.find, index.add_if_new, lambda text: index.add(["ok", text])):
        with pytest.raises(error):
            call("bad")
    index.add(["alpha beta gamma", "delta epsilon zeta"])
    assert index.find("alpha beta gamma").nearest == 70
    assert index.find("delta epsilon zeta").nearest == 71
    assert index.find("something new here").is_new
    assert len(index) == 72


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("place", ["_search", "_pool"])
def test_an_interrupt_while_a_text_is_added(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index = DuplicateIndex()
    index.add(["a b c", "d e f"])
    part = getattr(index, place)
    add = part.add

    def interrupt(*arguments: Any) -> None:
        add(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(part, "add", interrupt)
    with pytest.raises(KeyboardInterrupt):
        index.add_if_new("g h")
    monkeypatch.undo()
    assert index.add_if_new("i j").is_new
    assert not index.add_if_new("i j").is_new
    assert index.find("i j").nearest == len(index) - 1
    assert index.find("g h").is_new == ("g h" not in index.texts)


@pytest.mark.usefixtures("kernel")
def test_threads_take_turns() -> None:
    index = DuplicateIndex()
    threads = [
        Thread(target=lambda: [index.add_if_new(text) for text in TEXTS * 3]) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert near_duplicates(index.texts).kept.tolist() == [*range(len(index))]
    assert all(not index.find(text).is_new for text in TEXTS if text)
