"""Texts of many languages: the tokenizer ``rouge`` scores them 0, other tokenizers do not."""

import numpy as np
import pytest

from bleu_rouge_metric import bleu_score, rouge_scores

from ..conftest import require, unfit_texts
from ..parity.goldens import CORPORA, read_golden

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


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("corpus", "zeros"),
    [
        ("flores_en_ar", 25),
        ("flores_en_hi", 24),
        ("flores_en_th", 24),
        ("flores_en_ru", 22),
        ("wmt21_en_zh_2refs", 61),
        ("wmt22_en_ja", 75),
    ],
)
def test_unicode_words_score_what_the_rouge_tokenizer_scores_zero(corpus: str, zeros: int) -> None:
    if corpus not in CORPORA:
        pytest.skip("the corpora are not at ../shared/data")
    golden = read_golden(corpus)
    before = rouge_scores(golden.predictions, golden.references, rouge_types=TYPES)
    after = rouge_scores(
        golden.predictions, golden.references, rouge_types=TYPES, tokenizer="unicode"
    )
    # The others have common numbers or Latin names, which are all that the tokenizer keeps.
    assert np.count_nonzero(before["rouge1"].fmeasure == 0) == zeros
    assert after["rouge1"].fmeasure.min() > 0
    assert after["rougeL"].fmeasure.min() > 0
    assert all(score.fmeasure.mean() > 0.1 for score in after.values())


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [
        ("unicode", 3 / 4),  # das, grosse, haus
        ("whitespace", 0),
        ("rouge", 4 / 9),  # "große" becomes "gro" and "e": das, haus of 4 and 5 tokens
    ],
)
def test_case_and_punctuation_are_no_difference_to_unicode(tokenizer: str, expected: float) -> None:
    predictions, references = ["Das GROSSE Haus, dort"], ["das große Haus hier"]
    scores = rouge_scores(predictions, references, rouge_types=["rouge1"], tokenizer=tokenizer)
    assert scores["rouge1"].fmeasure[0] == pytest.approx(expected)  # one rounding of 2PR / (P + R)


def test_bleu_of_chinese_with_its_tokenizer() -> None:
    # 男 孩 去 学 校 。 against 男 孩 去 市 场 。: 4 of 6 characters.
    score = bleu_score(["男孩去学校。"], [["男孩去市场。"]], tokenizer="zh", max_order=1)
    assert score.precisions == [4 / 6]


def test_japanese_words_of_an_analyser() -> None:
    require("ipadic")
    # 今日 は 天気 が いい against 今日 は 雨 です: 2 of 5 and 2 of 4.
    scores = rouge_scores(
        ["今日は天気がいい"], ["今日は雨です"], rouge_types=["rouge1"], tokenizer="ja-mecab"
    )
    assert scores["rouge1"].precision.tolist() == [2 / 5]
    assert scores["rouge1"].recall.tolist() == [2 / 4]
