"""The kernel's tokenizers of Unicode compared with Python: folding, words and grapheme clusters."""

import re
import unicodedata
from contextlib import suppress
from functools import partial
from itertools import islice, permutations, product

import pytest
import regex

from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.text.tokenizer import TOKENIZERS as REGISTRY
from bleu_rouge_metric.text.tokenizer import lower_texts
from bleu_rouge_metric.text.unicode import has_gaps

from ..conftest import ROOT, needs_native
from ..support.kernel_tokens import list_kernel_tokenizers, tokenize_natively
from ..support.strategies import EVERY_CHARACTER

with suppress(ImportError):
    import bleu_rouge_kernel

pytestmark = needs_native

TOKENIZERS = {
    name: tokenizer
    for name, tokenizer in list_kernel_tokenizers().items()
    if name in ("unicode", "grapheme", "intl", "zh", "xlsum", "xlsum_line")
}

WORD_BREAKS = [
    *("ALetter", "Hebrew_Letter", "Numeric", "Katakana", "ExtendNumLet", "MidLetter", "MidNum"),
    *("MidNumLet", "Single_Quote", "Double_Quote", "Extend", "Format", "ZWJ", "CR", "LF"),
    *("Newline", "WSegSpace", "Regional_Indicator", "Other"),
]
CLUSTER_BREAKS = [
    *("Prepend", "SpacingMark", "Extend", "L", "V", "T", "LV", "LVT", "Control"),
    *("Regional_Indicator", "ZWJ", "Other"),
]
CATEGORIES = ["L", "M", "N", "P", "S", "Zs", "Cc", "Cf", "Cn"]


def find_characters() -> list[str]:
    """Return characters of every class, and of those that are classes of more than one kind."""
    patterns = [rf"\p{{WB={name}}}" for name in WORD_BREAKS]
    patterns += [rf"\p{{GCB={name}}}" for name in CLUSTER_BREAKS]
    patterns += [rf"(?V1)[\p{{LB=SA}}&&\p{{{name}}}]" for name in CATEGORIES[:3]]
    patterns += [rf"\p{{InCB={name}}}" for name in ("Consonant", "Extend", "Linker")]
    patterns += [rf"\p{{{name}}}" for name in CATEGORIES]
    patterns += [r"\p{Extended_Pictographic}", r"\p{Han}", r"\p{Hiragana}", r"[\u1039\u17d2\u1a60]"]
    found = []
    for pattern in patterns:
        some = filter(regex.compile(pattern).fullmatch, EVERY_CHARACTER)
        found += [character for character, _ in zip(some, "12", strict=False)][-1:]
    return sorted({*found, *"a5_.:,'\"-\n \u05d0\u0e01\u0e40"})


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_classes_of_characters_beside_each_other_have_the_same_tokens(name: str, step: int) -> None:
    characters = find_characters()
    assert len(characters) > 40
    some = ["".join(each) for size in (1, 2) for each in product(characters, repeat=size)]
    some += map("".join, islice(product(characters, repeat=3), 0, None, step))
    tokenize = TOKENIZERS[name]
    assert tokenize_natively(some, name) == [tokenize(text) for text in some]


# Letters and marks that are composed, decomposed, put in order or spelled out.
COMPOSED = "aAıİẛſﬁΐÅ\u212b각\u1100\u1161\u11a8かﾊ\u0c47\u0958ᾷﷺㄱ😀"
MARKS = "\u0301\u0323\u0327\u0345\u3099\u309a\u1161\u11a8\u0338\u0c56\u0f71\u0f73\u200d"


@pytest.mark.parametrize("name", ["unicode", "xlsum", "xlsum_line"])
def test_marks_in_every_order_have_the_same_tokens(name: str) -> None:
    some = [
        first + "".join(marks) + last
        for first in COMPOSED
        for marks in permutations(MARKS, 2)
        for last in ("", "x", "A\u0308")
    ]
    tokenize = TOKENIZERS[name]
    assert tokenize_natively(some, name) == [tokenize(text) for text in some]


def test_a_kernel_belongs_to_the_version_of_unicode_of_its_python() -> None:
    assert unicodedata.unidata_version == bleu_rouge_kernel.UNICODE_VERSION


def test_another_version_of_regex_is_told_by_its_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gaps = bleu_rouge_kernel.BREAK_GAPS
    # As if a version had added one character at the start, or in the middle, of a gap.
    others = ([*gaps[:50], gaps[50] + 1, *gaps[51:]], [*gaps, ord("a")])
    assert [has_gaps(other) for other in others] == [False, False]
    monkeypatch.setattr(bleu_rouge_kernel, "BREAK_GAPS", others[0])
    native_kernel._has_characters_of_regex.cache_clear()
    find = partial(native_kernel.find_tokenization, REGISTRY["grapheme"])
    try:
        with pytest.warns(UserWarning, match="another version of Unicode") as caught:
            assert (find(), find()) == (None, None)
    finally:
        native_kernel._has_characters_of_regex.cache_clear()
    assert len(caught) == 1
    assert native_kernel.find_tokenization(REGISTRY["zh"]) is not None


def test_every_code_point_has_the_same_lower_case() -> None:
    tokenizer = lower_texts(REGISTRY["whitespace"])
    some = [f"a{char}B {char}Σ{char} Σ\u0301. Σ" for char in EVERY_CHARACTER]
    assert tokenize_natively(some, tokenizer) == [tokenizer(text) for text in some]
    long = "".join(EVERY_CHARACTER[::100]) * 3
    assert tokenize_natively([long], tokenizer) == [tokenizer(long)]


# The script that writes the kernel's tables of Unicode ends with one line if they do not fit.


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("_EMPTY", (r"\p{Lu}",), r"breaks.hpp has no class for the characters of \p{Lu}."),
        ("_FIELDS", ((0, ("a", "[ab]")),), "breaks.hpp: U+0061 has two classes: [ab]."),
    ],
)
def test_classes_of_regex_that_do_not_fit(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object, message: str
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "native"))
    tables = pytest.importorskip("unicode_tables", reason="only what was installed is here")
    monkeypatch.setattr(tables, name, value)
    with pytest.raises(SystemExit, match=f"^{re.escape(message)}$"):
        tables.write_breaks()
