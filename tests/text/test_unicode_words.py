"""Words and grapheme clusters of any language: worked by hand, by Unicode's rules, and laws."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.text.align import fold_text
from bleu_rouge_metric.text.unicode import (
    make_unicode_tokenizer,
    tokenize_grapheme,
    tokenize_unicode,
)

from ..conftest import unfit_texts
from ..support.strategies import EVERY_CHARACTER, any_texts
from ..support.textbook_words import split_words

COMPLEX = regex.compile(r"\p{LB=SA}")
WORD = regex.compile(r"[\p{L}\p{N}]")

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
    segments = split_words(text) if text else []
    assert "".join(segments) == text
    assert tokenize_unicode(text) == list(filter(WORD.search, segments))


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


def test_folding_each_code_point_again_changes_nothing() -> None:
    for character in EVERY_CHARACTER:
        folded = fold_text(character)
        assert fold_text(folded) == folded


def test_every_letter_and_number_leaves_a_token() -> None:
    for character in EVERY_CHARACTER:
        # Some Arabic "letters" are ligatures of only marks, which NFKC splits.
        if WORD.search(fold_text(character)):
            assert tokenize_unicode(character)


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


# Texts of many languages, which the tokenizer ``rouge`` scores 0.

pytestmark = [*unfit_texts]

# Written for this test: a sentence, and another one with about half of its words.
PAIRS = {
    "Arabic": ("ذهب الولد إلى المدرسة صباحاً", "ذهب الولد إلى السوق مساءً"),
    "Hindi": ("लड़का सुबह स्कूल गया।", "लड़का शाम को बाज़ार गया।"),
    "Thai": ("เด็กไปโรงเรียนตอนเช้า", "เด็กไปตลาดตอนเย็น"),
    "Khmer": ("ក្មេងប្រុសទៅសាលារៀន", "ក្មេងប្រុសទៅផ្សារ"),
    "Lao": ("ເດັກໄປໂຮງຮຽນ", "ເດັກໄປຕະຫຼາດ"),
    "Burmese": ("ကလေးကျောင်းသွားသည်", "ကလေးဈေးသွားသည်"),
    "Russian": ("Мальчик пошёл утром в школу", "Мальчик пошёл вечером на рынок"),
    "Greek": ("Το αγόρι πήγε στο σχολείο", "Το αγόρι πήγε στην αγορά"),
    "Hebrew": ("הילד הלך לבית הספר בבוקר", "הילד הלך לשוק בערב"),
    "Chinese": ("男孩早上去学校。", "男孩晚上去市场。"),
    "Japanese": ("男の子は朝学校へ行った。", "男の子は夜市場へ行った。"),
    "Korean": ("소년은 아침에 학교에 갔다", "소년은 저녁에 시장에 갔다"),
    "Tamil": ("சிறுவன் காலையில் பள்ளிக்கு சென்றான்", "சிறுவன் மாலையில் சந்தைக்கு சென்றான்"),
}
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@pytest.mark.parametrize("language", PAIRS)
@pytest.mark.parametrize("tokenizer", ["unicode", "grapheme"])
def test_a_language_that_rouge_scores_zero_has_scores(language: str, tokenizer: str) -> None:
    prediction, reference = PAIRS[language]
    types = ["rouge1", "rougeL"]
    assert rouge_scores([prediction], [reference], rouge_types=types)[
        "rouge1"
    ].fmeasure.tolist() == [0]
    for score in rouge_scores(
        [prediction], [reference], rouge_types=types, tokenizer=tokenizer
    ).values():
        assert 0.2 < score.fmeasure[0] < 1
    for score in rouge_scores(
        [prediction], [prediction], rouge_types=types, tokenizer=tokenizer
    ).values():
        assert score.fmeasure.tolist() == [1]
