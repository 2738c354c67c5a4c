"""What every tokenizer does to texts worked by hand (``tokens.json``), and in how much time."""

import json
import time
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.text.align import MappedText, align_tokens, normalize_nfkc
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

from ..support.kernel_tokens import list_kernel_tokenizers, tokenize_natively

ROWS: Final = {name: row for name, row in TOKENIZERS.items() if not row.needs and name != "ids"}
SENTENCES: Final = TOKENIZERS["xlsum"].of_sentences
assert SENTENCES is not None
BY_NAME: Final = {**ROWS, "xlsum_line": SENTENCES}

CASES: Final = json.loads((Path(__file__).parent / "tokens.json").read_text("utf-8"))


@pytest.mark.parametrize(("name", "text", "tokens"), CASES)
def test_tokens(name: str, text: str, tokens: list[str]) -> None:
    tokenizer = BY_NAME[name]
    assert tokenizer(text) == tokens
    placed = align_tokens(text, MappedText.of(text), tokenizer)
    assert [token.form for token in placed] == tokens
    assert all(token.text == text[token.start : token.end] for token in placed)
    if name in list_kernel_tokenizers():
        assert tokenize_natively([text], name) == [tokens]


# Repeated, each takes long in some program; the first has all marks of one class before the others.
UNITS: Final = [
    *("sort", "e\u0301", "\u0316\u0301", "a\n", "a-\n", "1. ", "&amp;", "\ufdfa", "a"),
    *(" ", ".", "-", "(", "1", "'", '"', "&", "<", "@", "_", "/", "\u00e9", "\u0301"),
    *("\u00ad", "a.", "1.1", "1,", "a-", "a,", "a!", "a1-.", "a--", "<a ", "<!a"),
    *('<a b="', "<a b='", '<a b="x" ', "http://", "www.", "www.1;", "www.1-", "a@"),
    *("a@ ", "a;b", "A&", "X. <!b ", "Inc. ", "555 ", "1/2/", "a_", "'s", "n't"),
    *("cannot", "ea'o", "a1.txt.", ". ", ":)", "\u201c", "\u00abfoo.", "foo.com/"),
    *("\t\u00a0", "A.A-", "a,,,,", "a.b1,", "\U0001f600", "a\u00ad", "X.  ", "x"),
    *("\u5b57", "\u30ab", "\u0e01", "\u0e01\u0e34", "\u05d0\u05f4", "\u200d"),
    *("\U0001f1e9", "\u200d\U0001f469", "\u1100", "\u0915\u094d", "\u0600", "\u17d2"),
    *("\u1780\u17d2", "\u1780\u17d2\u200dx", "\ud800", "\u0130"),
]


def repeat(unit: str, length: int) -> str:
    """Return a text of so many characters."""
    half = length // 2
    return "\u0345" * half + "\u0334" * half if unit == "sort" else (unit * length)[:length]


@pytest.mark.parametrize("tokenizer", BY_NAME.values(), ids=BY_NAME)
def test_repetitions_take_linear_time(tokenizer: Tokenizer) -> None:
    def measure(unit: str, length: int) -> float:
        times: list[float] = []
        while len(times) < 3 and min(times, default=1) > 0.02:
            start = time.process_time()
            tokenizer(repeat(unit, length))
            times.append(time.process_time() - start)
        return min(times)

    # Eight times the text takes eight times as long, or 64 times if the time were quadratic; what
    # takes less than 20 ms cannot be told apart. Time of the processor: that of a busy machine's
    # other processes does not count.
    slow = [unit for unit in UNITS if measure(unit, 8_000) > 0.02]
    for unit in slow:
        assert measure(unit, 8_000) < max(30 * measure(unit, 1_000), 0.02), unit


MARKS: Final = "\u0301\u0316\u0334\u0345\u0323\u05b0\u3099\uff9e\u0344\u0f73\u0f81\u093c\u1e69"
STARTERS: Final = "ae\u00e9\u1100\u1161\u11a8\uac00\u304b\u0b47\u0b56\ufb01\u212b\u0958 "


@given(st.lists(st.tuples(st.sampled_from(MARKS + STARTERS), st.integers(1, 300)), max_size=12))
def test_runs_of_marks_are_normalized_as_unicodedata_does(runs: Any) -> None:
    text = "".join(character * count for character, count in runs)
    mixed = "".join(character for character, _ in runs) * 40
    for each in (text, mixed, text + mixed):
        assert normalize_nfkc(each) == normalize("NFKC", each)
        assert MappedText.of(each).normalize().text == normalize("NFKC", each)
