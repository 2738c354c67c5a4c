"""The check that every item is a str, with and without the compiled kernel, and lists as texts."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.samples import items as item_checks
from bleu_rouge_metric.samples.items import (
    are_texts,
    are_texts_python,
    find_list_as_text,
    find_suspects,
    find_suspects_python,
)


class Text(str):
    """A str with a type of its own, such as ``numpy.str_``."""

    __slots__ = ()


@pytest.mark.parametrize("check", [are_texts, are_texts_python])
@pytest.mark.parametrize("count", [0, 1, 256, 257, 1000])
def test_every_item_has_to_be_a_str(check: Callable[[list[object]], bool], count: int) -> None:
    texts: list[object] = ["", "é", Text("नमस्ते"), "\ud800"] * count
    assert check(texts[:count])
    for wrong in (None, b"a", 1, ["a"]):
        for place in {0, count // 2, count}:
            assert not check([*texts[:place], wrong, *texts[place:count]])


@pytest.mark.parametrize("find", [find_suspects, find_suspects_python])
def test_suspects_are_short_or_begin_with_a_bracket(find: Callable[[list[str]], list[int]]) -> None:
    suspects = ["", "None", "नमस", " \n [a, b, c]", "\u2003[é \ud800 नमस्ते]", "[\U0001f600......"]
    others = ["a, b]", "    a [b]", "     ", "नमस्ते", "\U0001f600 [....", Text("]abcd")]
    texts = [text for pair in zip(suspects, others, strict=True) for text in pair]
    assert find(texts) == list(range(0, len(texts), 2))


@given(st.lists(st.text("[ \n\u2003aé\ud800\U0001f600", max_size=9)))
def test_both_ways_find_the_same_suspects(texts: list[str]) -> None:
    assert find_suspects(texts) == find_suspects_python(texts)


def test_without_the_compiled_kernel_texts_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_are_texts_compiled", "_find_suspects_compiled"):
        monkeypatch.setattr(item_checks, name, None)
    assert are_texts(["a", "b"])
    assert not are_texts(["a", None])
    assert find_suspects(["a", "abcde"]) == [0]


LISTS = [
    *("['a b']", "['a' 'b'\n 'c']", " ['a', nan, None] \n", "[[], ['a'], ['b', 1]]"),
    *("""["it's", 'a "b"']""", '["a", "b\\\\"]', '["\\/", "\\ud83d"]', "[{'a': 'b'}]"),
    *("[np.str_('a'), (\"b\", 'c')]", "[array(['a'], dtype=object)]", "[b'a', u'b', r'c']"),
    "[" + "'a', " * 100_000 + "]",
]
OTHERS = [
    *("", "[]", "[2020]", "[12, 15]", "[Music]", "[sic] he 'said' [so]", "['a', 'b'", "'a', 'b']"),
    *("['a'] and ['b']", "{'a': ['b']}", "[it's]", "[" + "'" * 100_001 + "]"),
    "[" * 100_000 + "]",
]


@pytest.mark.parametrize("text", [*LISTS, *OTHERS], ids=lambda text: text[:20])
def test_a_list_of_texts_is_found(text: str) -> None:
    assert find_list_as_text(["a", text, text]) == (1 if text in LISTS else None)
