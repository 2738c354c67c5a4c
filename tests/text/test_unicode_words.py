"""Words and grapheme clusters of any language: by Unicode's rules, and laws."""

import unicodedata

import regex
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.text.align import fold_text
from bleu_rouge_metric.text.unicode import (
    make_unicode_tokenizer,
    tokenize_grapheme,
    tokenize_unicode,
)

from ..support.strategies import any_texts

COMPLEX = regex.compile(r"\p{LB=SA}")
WORD = regex.compile(r"[\p{L}\p{N}]")
# The rules of UAX #29 but for those of emoji, which are not words.
BOUNDARY = regex.compile(r"(?wV1)\b|(?<=\u200d)(?=\p{Extended_Pictographic})")

# Characters of every class in the rules of word and cluster boundaries, and of the scripts that
# have their own rules here.
CHARACTERS = [
    *"aZß1٣_ .,:;'\"’·-\n\r\t\v",
    *("\u05d0", "\u05f4", "\u30ab", "\u30fc", "\u3042", "字", "\u0301", "\u0308", "\u0345"),
    *("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\u0600", "\u2028", "\x85", "\u3000"),
    *("\U0001f1e9", "\U0001f1ea", "\U0001f600", "\U0001f3fb", "\U0001f469", "Ⓜ", "\ufe0f", "#"),
    *("ก", "ิ", "ำ", "เ", "ກ", "ຳ", "ក", "្", "ា", "မ", "\u1039", "\u103a", "ာ", "ᩀ", "\u1a60"),
    *("क", "\u094d", "ि", "각", "\u1100", "\u1161", "ﬁ", "㍿", "\u0130", "\ud800", "\U00020000"),
]
mixed_texts = st.lists(st.sampled_from(CHARACTERS), max_size=14).map("".join)
texts = mixed_texts | any_texts


@given(texts)
def test_words_lie_between_the_boundaries_of_uax_29(text: str) -> None:
    # The default rules are not used for scripts that need a dictionary.
    text = fold_text(COMPLEX.sub("", text))
    assert tokenize_unicode(text) == list(filter(WORD.search, BOUNDARY.split(text)))


@given(texts)
def test_only_what_holds_no_letter_and_no_number_is_dropped(text: str) -> None:
    tokens = tokenize_unicode(text)
    assert all(map(WORD.search, tokens))
    rest = fold_text(text)
    for token in tokens:
        dropped, found, rest = rest.partition(token)
        assert found
        assert not WORD.search(dropped)
    assert not WORD.search(rest)


@given(texts)
def test_no_word_of_a_script_without_spaces_ends_inside_a_grapheme_cluster(text: str) -> None:
    text = "".join(COMPLEX.findall(fold_text(text)))
    ends = {match.end() for match in regex.finditer(r"\X", text)}
    place = 0
    for token in tokenize_unicode(text):
        place = text.index(token, place) + len(token)
        assert place in ends


@given(texts)
def test_folding_and_tokenizing_again_change_nothing(text: str) -> None:
    folded = fold_text(text)
    assert fold_text(folded) == unicodedata.normalize("NFKC", folded) == folded
    tokens = tokenize_unicode(text)
    assert tokenize_unicode(folded) == tokens
    assert tokenize_unicode(unicodedata.normalize("NFKC", text)) == tokens
    assert tokenize_unicode("\n".join(tokens)) == tokens


@given(texts)
def test_grapheme_clusters_are_all_but_white_space(text: str) -> None:
    clusters = regex.findall(r"\X", text)
    assert tokenize_grapheme(text) == [cluster for cluster in clusters if not cluster.isspace()]


def test_the_segmenter_is_given_each_run_as_it_stands() -> None:
    runs: list[str] = []

    def segment(run: str) -> list[str]:
        runs.append(run)
        return [run]

    tokenize = make_unicode_tokenizer(segment)
    text = "IBM在東京タワー、ｶﾞｽ 2024年 น้ำดี-ไทย ខ្មែរ မြန်မာ ລາວ Wort"
    tokens = tokenize(text)
    assert runs == [*("在東京タワー", "ｶﾞｽ", "年", "น้ำดี", "ไทย", "ខ្មែរ", "မြန်မာ", "ລາວ")]
    assert tokens == [
        *("ibm", "在東京タワー", "ガス", "2024", "年", fold_text("น้ำดี"), "ไทย", "ខ្មែរ"),
        *("မြန်မာ", "ລາວ", "wort"),
    ]


def test_segments_without_a_letter_or_number_are_dropped() -> None:
    tokenize = make_unicode_tokenizer(lambda run: ["", " ", "。", *run])
    assert tokenize("北京") == ["北", "京"]


@given(texts)
def test_a_segmenter_sees_nothing_but_scripts_without_spaces(text: str) -> None:
    runs: list[str] = []
    tokenize = make_unicode_tokenizer(lambda run: runs.append(run) or [])  # type: ignore[func-returns-value]
    others = tokenize(text)
    assert not any(character.isspace() for run in runs for character in run)
    assert not any(map(COMPLEX.match, others))
    assert all(run in text for run in runs)
