"""Warnings about scripts without spaces that a tokenizer does not split."""

import re
from typing import Any

import pyarrow as pa
import pytest

from bleu_rouge_metric import Scorer, bleu_score, load, rouge_scores
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.scripts import warn_if_unsplit
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

CHINESE = "我喜欢在图书馆里看书和学习"
JAPANESE = "私は図書館で本を読むのが好きです"
THAI = "ฉันชอบอ่านหนังสือในห้องสมุด"
LAO = "ຂ້ອຍມັກອ່ານປຶ້ມຢູ່ຫໍສະໝຸດ"
KHMER = "ខ្ញុំចូលចិត្តអានសៀវភៅនៅក្នុងបណ្ណាល័យ"
BURMESE = "ကျွန်တော်စာကြည့်တိုက်မှာစာဖတ်ရတာကြိုက်တယ်"


def write_message(choice: str, language: str, remedy: str, found: int = 1, of: int = 1) -> str:
    share = f", in {found} of {of} samples looked at" if of > 1 else ""
    return (
        f"The {choice!r} tokenizer leaves {language} text, which has no spaces, in one piece"
        f"{share}, so that hardly anything there can match; use bleu_tokenizer={remedy}."
    )


@pytest.mark.parametrize("tokenizer", ["13a", "whitespace", "none", "intl", "nltk"])
@pytest.mark.parametrize(
    ("text", "language", "remedy"),
    [
        (CHINESE, "Chinese", "'zh'"),
        ("我爱你", "Chinese", "'zh'"),
        (JAPANESE, "Japanese", "'ja-mecab' or 'char'"),
        (THAI, "Thai", "'char' or 'flores200'"),
        (LAO, "Lao", "'char' or 'flores200'"),
        (KHMER, "Khmer", "'char' or 'flores200'"),
        (BURMESE, "Burmese", "'char' or 'flores200'"),
    ],
)
def test_bleu_of_an_unspaced_script_is_warned_of(
    tokenizer: str, text: str, language: str, remedy: str
) -> None:
    expected = write_message(tokenizer, language, remedy)
    for pair in ([text], ["a b"]), (["a b"], [[text, "c"]]):
        with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
            bleu_score(*pair, tokenizer=tokenizer)
        assert len(record) == 1
        assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        ("13a", "我 喜欢 在 图书馆 里 看书 和 学习 。"),
        ("13a", "私 は 図書館 で 本 を 読む の が 好き です 。"),
        ("13a", "ฉัน ชอบ อ่าน หนังสือ ใน ห้องสมุด"),
        ("13a", "The city of 北京市 has twenty million people."),
        ("13a", "café, Привет, नमस्ते, 안녕하세요 여러분"),
        ("13a", "你好"),
        ("13a", "。"),
        ("13a", ""),
        ("zh", CHINESE),
        ("char", THAI),
        ("unicode", JAPANESE),
        ("whitespace", "a" * 100),
    ],
)
def test_what_is_split_is_no_warning(tokenizer: str, text: str) -> None:
    bleu_score([text], [text], tokenizer=tokenizer)


@pytest.mark.parametrize(
    ("options", "text", "language", "remedy"),
    [
        ({"rouge_tokenizer": "xlsum-burmese"}, BURMESE, "Burmese", "my-syllables"),
        ({}, CHINESE, "Chinese", "zh-jieba"),
        ({}, "我爱你。\n我们去。", "Chinese", "zh-jieba"),
        ({}, JAPANESE, "Japanese", "ja-unidic-lite"),
        ({}, THAI, "Thai", "th-pythainlp"),
        ({}, KHMER, "Khmer", "unicode"),
    ],
)
def test_sentences_that_xlsum_leaves_unsplit_are_warned_of(
    options: dict[str, Any], text: str, language: str, remedy: str
) -> None:
    name = options.get("rouge_tokenizer", "xlsum")
    expected = (
        f"The {name!r} tokenizer leaves {language} sentences, which have no spaces, in one piece "
        "for rougeLsum, so that hardly anything there can match; use "
        f"rouge_tokenizer={remedy!r}, which splits sentences, too."
    )
    metric: Any = load("rouge")
    texts = {"predictions": [text], "references": [text]}
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
        metric.compute(**texts, profile="xlsum", **options)
    assert len(record) == 1
    # Other types compare whole texts.
    metric.compute(**texts, profile="xlsum", rouge_types=["rouge1", "rougeL"], **options)


@pytest.mark.parametrize("text", ["абв где", "a b c", "你好", "ကျောင်း သား", BURMESE[:2]])
def test_sentences_that_xlsum_splits_are_no_warning(text: str) -> None:
    for name in ("xlsum", "xlsum-burmese", "my-syllables"):
        rouge_scores([text], [text], rouge_tokenizer=name)


def test_a_callable_is_trusted() -> None:
    bleu_score([CHINESE], [CHINESE], tokenizer=lambda text: text.split())


def test_zh_leaves_thai_in_one_piece_too() -> None:
    expected = write_message("zh", "Thai", "'char' or 'flores200'")
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$"):
        bleu_score([THAI], [THAI], tokenizer="zh")


def test_rouge_and_google_bleu_warn_as_well() -> None:
    with pytest.warns(UserWarning, match=r"use rouge_tokenizer='zh'\.$"):
        rouge_scores([CHINESE], [CHINESE], tokenizer="whitespace")
    with pytest.warns(UserWarning, match=r"use bleu_tokenizer='zh'\.$"):
        load("bleu").compute(predictions=[CHINESE], references=[CHINESE], profile="google_bleu")


@pytest.mark.parametrize("make", [list, pa.array, lambda texts: pa.chunked_array([texts])])
def test_a_tenth_of_the_samples_looked_at_is_enough(make: Any) -> None:
    texts = ["a b c"] * 850 + [CHINESE] * 150
    samples = check_samples(make(texts), make(texts))
    # Every 32nd sample is checked, so the place of the language in the data does not matter.
    expected = write_message("13a", "Chinese", "'zh'", found=5, of=32)
    tokenizer = TOKENIZERS["13a"]
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$"):
        assert warn_if_unsplit(samples, "bleu_tokenizer", tokenizer)
    few = ["a b c"] * 19 + [CHINESE]
    assert not warn_if_unsplit(check_samples(make(few), make(few)), "bleu_tokenizer", tokenizer)


def test_a_scorer_warns_once() -> None:
    scorer = Scorer("bleu")
    with pytest.warns(UserWarning, match="leaves Chinese text"):
        scorer.update([CHINESE], [CHINESE])
    scorer.update([CHINESE], [CHINESE])


def test_only_some_of_many_samples_are_tokenized() -> None:
    tokenized: list[str] = []

    def tokenize(text: str) -> list[str]:
        tokenized.append(text)
        return text.split()

    texts = [CHINESE] * 1_000
    with pytest.warns(UserWarning, match="in 32 of 32 samples"):
        warn_if_unsplit(check_samples(texts, texts), "", Tokenizer("words", tokenize))
    assert 0 < len(tokenized) <= 64


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"tokenizer": "char", "stop_words": ["the", "of"]}, "the 'char' tokenizer"),
        ({"stop_words": ["The", "OF"]}, "the 'rouge' tokenizer"),
        ({"tokenizer": list, "stop_words": ["the"]}, "the rouge_tokenizer"),
    ],
    ids=str,
)
def test_stop_words_that_are_no_tokens_are_warned_of(options: dict[str, Any], name: str) -> None:
    expected = (
        f"stop_words has no effect: none of the words is a token of {name}. Write them as its "
        "tokens are, such as in lower case, or use a rouge_tokenizer that finds words."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
        rouge_scores(["the cat"], ["the dog"], **options)
    assert len(record) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"stop_words": ["the", "don't"]},
        {"stop_words": []},
        {"tokenizer": str.split, "stop_words": ["The", "the"]},
        {"tokenizer": "char", "stop_words": ["a"]},
    ],
    ids=str,
)
def test_stop_words_of_which_one_is_a_token_are_no_warning(options: dict[str, Any]) -> None:
    rouge_scores(["the cat"], ["the dog"], **options)
