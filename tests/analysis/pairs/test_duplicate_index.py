"""``DuplicateIndex`` decides as ``near_duplicates`` does, text by text."""

import copy
import pickle
from threading import Thread
from typing import Any

import pytest

from bleu_rouge_metric import DuplicateIndex, near_duplicates

from ...conftest import unfit_texts
from ...support.instructions import POOL, vary_texts

pytestmark = [*unfit_texts, pytest.mark.usefixtures("kernel")]

TEXTS = [*vary_texts(60, seed=2), "", "", *POOL, POOL[1]]


@pytest.mark.parametrize(
    "options",
    [{}, {"score": "rouge1"}, {"score": "rougeLsum"}, {"score": "rouge-l", "profile": "rouge"}],
    ids=str,
)
def test_the_loop_is_the_whole(options: dict[str, Any]) -> None:
    index = DuplicateIndex(0.5, top=3, with_mean=True, **options)
    whole = near_duplicates(TEXTS, threshold=0.5, top=3, **options)
    kept = whole.kept.tolist()
    for place, text in enumerate(TEXTS):
        found = index.add_if_new(text)
        assert found.is_new == (place in kept)
        assert found.score == whole.score[place]
        top = [(kept[nearest], score) for nearest, score in found.top]
        expected = zip(whole.top_nearest[place], whole.top_scores[place], strict=True)
        assert top == [pair for pair in expected if pair[0] >= 0]
        assert found.nearest == (-1 if place == 0 else found.top[0][0])
        assert found.mean == whole.mean[place]
    assert index.texts == [TEXTS[place] for place in kept]
    assert len(index) == len(kept)


def test_texts_are_added_without_a_question() -> None:
    index = DuplicateIndex(0.5)
    index.add(["a b c", "a b c"])
    assert len(index) == 2
    found = index.find("a b c d")
    assert (found.is_new, found.nearest, found.mean) == (False, 0, None)
    assert found.top == [(0, 6 / 7), (1, 6 / 7)]
    assert len(index) == 2
    assert index.add_if_new("x").is_new
    assert index.find("x").nearest == 2
    index.add([])
    index.add(iter(()))
    index.add(text for text in ["y"])
    assert index.texts == ["a b c", "a b c", "x", "y"]


def test_an_empty_index() -> None:
    index = DuplicateIndex(0.0, inclusive=True, with_mean=True)
    assert index.find("a") == (True, 0.0, -1, [], 0.0)
    assert index.add_if_new("").is_new
    assert not index.add_if_new("").is_new


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


def test_token_ids() -> None:
    index = DuplicateIndex(tokenizer="ids")
    assert index.add_if_new([1, 2, 3]).is_new
    assert not index.add_if_new((1, 2, 3, -100)).is_new


def test_an_error_changes_nothing() -> None:
    index = DuplicateIndex()
    index.add_if_new("a b c")
    for call in (index.add_if_new, index.find):
        with pytest.raises(TypeError, match=r"^text is 3 \(int\); expected a str\. Nothing is "):
            call(3)
    with pytest.raises(TypeError, match=r"^texts\[1\] is None; expected a str\. "):
        index.add(["x", None])
    with pytest.raises(TypeError, match=r"^texts is one str; expected a sequence of texts\. "):
        index.add("abc")
    assert index.texts == ["a b c"]
    assert not index.add_if_new("a b c").is_new


def test_an_interrupt_changes_nothing() -> None:
    def tokenize(text: str) -> list[str]:
        if "stop" in text:
            raise KeyboardInterrupt
        return text.split()

    index = DuplicateIndex(tokenizer=tokenize)
    index.add_if_new("a b c")
    with pytest.raises(KeyboardInterrupt):
        index.add_if_new("stop")
    assert index.add_if_new("x y").is_new
    assert index.find("x y").nearest == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": 70}, "threshold is 70; expected a number from 0 to 1."),
        ({"score": "rougeX"}, "Unknown rouge type 'rougeX'; expected "),
        ({"top": 1.5}, "top is 1.5; expected an int from 0 to 1,048,576."),
        ({"with_mean": "yes"}, "with_mean is 'yes'; expected True or False."),
        ({"stemmer": True}, "Unknown option 'stemmer'; "),
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        DuplicateIndex(**arguments)
    assert str(raised.value).startswith(message)


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


def test_the_caller_may_change_token_ids() -> None:
    index = DuplicateIndex(tokenizer="ids")
    ids = [1, 2, 3]
    index.add_if_new(ids)
    ids[:] = [9]
    assert list(index.texts) == [(1, 2, 3)]


@pytest.mark.parametrize("score", ["rougeL", "rouge2"])
def test_a_tokenizer_that_fails_changes_nothing(score: str) -> None:
    def tokenize(text: str) -> list[str]:
        if "bad" in text:
            raise RuntimeError("bad")
        return text.split()

    index = DuplicateIndex(score=score, tokenizer=tokenize)
    for number in range(70):
        index.add([f"w{number} x{number} a b c"])
    for call in (lambda: index.find("bad"), lambda: index.add(["ok", "bad"])):
        with pytest.raises(RuntimeError, match="bad"):
            call()
    index.add(["alpha beta gamma", "delta epsilon zeta"])
    assert index.find("alpha beta gamma").nearest == 70
    assert index.find("delta epsilon zeta").nearest == 71
    assert index.find("something new here").is_new
    assert len(index) == 72


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


def test_the_error_of_the_other_kind_of_text() -> None:
    with pytest.raises(TypeError, match=r"^tokenizer is 'ids', but text has texts; "):
        DuplicateIndex(tokenizer="ids").find("abc")
