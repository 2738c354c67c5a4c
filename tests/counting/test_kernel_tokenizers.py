"""The kernel's tokenizers compared with the Python tokenizers."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ..conftest import is_native_missing, needs_native
from ..parity.goldens import DATA, real_texts
from ..support.kernel_tokens import list_kernel_tokenizers, make_tokenization, tokenize_natively
from ..support.strategies import EVERY_CHARACTER, examples

if not is_native_missing:
    import bleu_rouge_kernel

pytestmark = needs_native

TOKENIZERS = list_kernel_tokenizers()

# Strings that matter to the rules of the tokenizers, so that generated texts have them often.
PIECES = [
    *" \t\n\r\v\f\x1c\x1f\x85\xa0\u1680\u2000\u200a\u2028\u202f\u205f\u3000",
    *"0159.,-'\"!$&;<>@[`{~\x00\x7f",
    *"aZkKiI\u212a\u0130\u0131éßΣς我\u200b\ufeff\ud800\udfff😀",
    *("<skipped>", "-\n", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skip", "ped>"),
    *"\u05d0\u05f4ㄱ각\u1100\u1161ァー゛あ字ก\u0e40\u0e34\u0e33က\u1039\u103a\u0301\u0327\u200d\ufe0f🇩🇪👩🏽",
    *"_:·٣．²ﬁ㍿ſ€–。「％\ufeff\u00ad▁\uffed\u0928\u094d\u093f\u0600\u17d2",
    *("\u0e01\u0e34", "x\u0323", "\u09c7\u09be", "\u0345", "\u0f71", "\u0f73", "\u11a8", "か", "ﾊ"),
    *("word", "Running", "1,000.50", "...", ",.", "internationalisation", "a" * 16, "a" * 17),
]

texts = st.one_of(
    st.lists(st.sampled_from(PIECES)).map("".join),
    st.lists(st.sampled_from(" .,-\n5a")).map("".join),
    st.text(st.characters()),
    st.text(st.characters(codec="ascii"), min_size=50),
)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=texts)
@example(text="")
@example(text=" ,.5")
@example(text="5.,5 5.,.5 a.,5 a.,.5 5--6 -5-6 5.-6 1.2,3")
@example(text="-<skipped>\n")
@example(text="<skip<skipped>ped>&am&amp;p;lt;")
@examples(5)
def test_generated_texts_have_the_same_tokens(name: str, text: str) -> None:
    assert tokenize_natively([text], name) == [TOKENIZERS[name](text)]


BEYOND_ASCII = (
    *("\x80", "\xa0", "\xff", "\u0100", "\u07ff", "\u0800", "\ud7ff", "\ud800", "\udbff", "\udc00"),
    *("\udfff", "\ue000", "\uffff", "\U00010000", "\U0001f600", "\U0010ffff", "\ud83d\ude00"),
)
# Runs of ASCII of every length, up to more than is copied at once.
ASCII_RUNS = ["a b\x00c, d5.e\x7ff"[:length] for length in range(16)]
STARTS, ENDS = ["", "a", "5", ".", "a" * 61, "a" * 62, "a " * 31], ["", "5", "b", "."]
# What is repeated, what is before and after it, and how often it is repeated.
REPEATED: dict[str, tuple[Any, ...]] = {
    "at the end of a block of 64 bytes": (
        ["a ", "5.", "-", ",.", "\u3000", "é", "x\u2028", "\u212a", "&"],
        *(STARTS, ENDS, range(1, 70, 3)),
    ),
    "in a str of each width": (BEYOND_ASCII, ASCII_RUNS, ASCII_RUNS, (1, 2, 9)),
    "10,000 times": (
        ["a", "a ", ".", "5.", "y", "\u3000", "我", "-\n", "<", "\ud800"], [""], [""], [10_000]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("kind", REPEATED)
def test_repeated_pieces_have_the_same_tokens(name: str, kind: str) -> None:
    pieces, *rest = REPEATED[kind]
    for piece in pieces:
        some = [before + piece * times + after for before, after, times in product(*rest)]
        assert tokenize_natively(some, name) == [TOKENIZERS[name](text) for text in some]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_every_code_point_has_the_same_tokens(name: str) -> None:
    some = [f"a{char}b {char}5{char}" for char in EVERY_CHARACTER]
    assert tokenize_natively(some, name) == [TOKENIZERS[name](text) for text in some]


def test_real_texts_have_the_same_tokens() -> None:
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not there")
    some = [text for text in real_texts() if text]
    for name, tokenize in TOKENIZERS.items():
        assert tokenize_natively(some, name) == [tokenize(text) for text in some]


def test_bytes_that_are_no_utf_8_are_read_without_harm() -> None:
    # Arrow strings may not be UTF-8. Their tokens are undefined, but reading them must be safe.
    generator = random.Random(1)
    leads = b"\xc2\xc4\xe1\xe2\xe3\xed\xf0\xff\x80\xbf a"
    for _ in range(300):
        data = bytes(generator.choices(leads, k=generator.randrange(140)))
        for name in TOKENIZERS:
            chunk = np.frombuffer(data, np.uint8), np.array([0, len(data)])
            column = bleu_rouge_kernel.TextColumn.of_arrow([chunk])
            (tokens,) = bleu_rouge_kernel.tokenize(column, make_tokenization(name))
            # A character may be folded to 18 others, and xlsum writes what a mark is combined with.
            assert sum(map(len, tokens)) <= len(data) * 18


def test_the_memory_of_stems_gives_what_the_stemmer_gives() -> None:
    generator = random.Random(3)
    words = [
        "".join(generator.choices("abelsnigy", k=generator.randrange(1, 19))) for _ in range(9)
    ]
    text = " ".join(generator.choices(words, k=5000))
    text += " ".join("".join(generator.choices("aelsy", k=6)) for _ in range(20_000))
    assert tokenize_natively([text], "rouge_stemmed") == [TOKENIZERS["rouge_stemmed"](text)]
