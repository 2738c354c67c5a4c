"""``xlsum`` and tokenizers of recipes for languages equal the programs that they reproduce."""

import json
import re
import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import compare_profiles, rouge_scores
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, add_stemmer, resolve_tokenizer
from bleu_rouge_metric.text.xlsum import normalize_xlsum, stem_hindi, tokenize_xlsum, xlsum_stems

from ..conftest import require, unfit_texts
from ..support.dictionaries import load_tagger
from ..support.google_adk import GOLDENS, load_original
from ..support.strategies import EVERY_CHARACTER, any_texts, examples

# What the steps treat apart: marks, symbols that are replaced, scripts, signs of Burmese.
PIECES = [
    *("a", "B", "1", "2", " ", "\n", "\t", "\x1c", "\x85", "\xa0", "\u2028", ".", "-", "_", "$"),
    *("\xe9", "\xdf", "\u0130", "\u03a3", "\u65e5", "\u672c", "\U00020000", "\U0002b820", "\uff71"),
    *("\u0301", "\u0302", "\u200b", "\u200d", "\u2581", "\uffed", "\uffe8", "\xa9", "\u20ac"),
    *("\u0915", "\u094d", "\u093f", "\ufffd", "\ud800", "\u0663", "\xb2", "\u2167", "\xab"),
    *("\u0e01", "\u0e34", "\u0e44", "\u1000", "\u1031", "\u102b", "\u103a", "\u1037", "\u1039"),
    *("\u103e", "\u1010", "running", "dying", "\u0915\u0930\u0928\u093e"),
]
hard_texts = any_texts | st.lists(st.sampled_from(PIECES), max_size=20).map("".join)

LANGUAGES = {"xlsum": None, "xlsum-burmese": "burmese"}
SEGMENTED = {"xlsum-chinese": ("jieba", "chinese"), "xlsum-thai": ("pythainlp", "thai")}


@cache
def find_original(language: str | None) -> Callable[[str], list[str]]:
    """Return the tokenization of the original."""
    require("multilingual_rouge")
    from multilingual_rouge import tokenization_wrapper
    from multilingual_rouge.rouge_scorer import MultiTokenizer

    tokenizer = MultiTokenizer(language)
    return lambda text: tokenization_wrapper.tokenize(text, None, tokenizer)


@pytest.mark.extra
@examples(3)
@given(hard_texts)
def test_words_equal_the_originals(text: str) -> None:
    for name, language in LANGUAGES.items():
        assert TOKENIZERS[name](text) == find_original(language)(text)


@pytest.mark.extra
@given(hard_texts)
def test_words_of_lines_equal_the_originals(text: str) -> None:
    require("multilingual_rouge")
    from multilingual_rouge import tokenization_wrapper

    expected = tokenization_wrapper.tokenize(text)
    assert normalize_xlsum(text) == expected
    for name in LANGUAGES:
        sentences = TOKENIZERS[name].of_sentences
        assert sentences is not None
        assert sentences(text) == expected


@pytest.mark.extra
@examples(0.3)
@given(hard_texts)
@pytest.mark.parametrize("name", SEGMENTED)
def test_words_of_segmenters_equal_the_originals(name: str, text: str) -> None:
    package, language = SEGMENTED[name]
    require(package)
    assert resolve_tokenizer("tokenizer", name)(text) == find_original(language)(text)


@pytest.mark.extra
def test_words_equal_the_originals_on_every_code_point() -> None:
    original = find_original(None)
    for start in range(0, len(EVERY_CHARACTER), 4096):
        characters = EVERY_CHARACTER[start : start + 4096]
        # Code points that are newer than Python's tables are letters for the original.
        text = " ".join(f"a{character}1{character} {character}" for character in characters)
        assert tokenize_xlsum(text) == original(text)


def test_a_segmenter_keeps_spaces_as_tokens() -> None:
    require("jieba")
    tokenize = resolve_tokenizer("tokenizer", "xlsum-chinese")
    assert tokenize("你好，世界") == ["你好", " ", "世界"]


@pytest.mark.parametrize(
    ("name", "package", "same", "text"),
    [
        ("zh-jieba", "jieba", "xlsum-chinese", "今天天气很好。\n我们去公园玩。"),
        ("th-pythainlp", "pythainlp", "xlsum-thai", "เด็กไปโรงเรียน\nตอนเช้า"),
        ("ja-unidic-lite", "unidic_lite", "", "今日は天気がいい。\n公園へ行く。"),
        ("my-syllables", "re", "xlsum-burmese", "ကလေးကျောင်းသွားသည်\nကလေးဈေးသွားသည်"),
    ],
)
def test_sentences_have_the_words_of_whole_texts(
    name: str, package: str, same: str, text: str
) -> None:
    require(package)
    tokens = [token for token in TOKENIZERS[name](text) if token.strip()]
    if same:
        assert TOKENIZERS[name](text) == TOKENIZERS[same](text)
    lines = [token for line in text.split("\n") for token in TOKENIZERS[name](line)]
    assert tokens == lines
    assert TOKENIZERS[name].of_sentences is None
    other = text.replace("\n", "")
    found = rouge_scores([text], [other], rouge_types=["rougeL", "rougeLsum"], rouge_tokenizer=name)
    assert found["rougeLsum"].fmeasure[0] > 0.5


@pytest.mark.extra
@examples(2)
@given(hard_texts)
@pytest.mark.parametrize("language", [None, "hindi", "turkish"])
def test_stems_equal_the_originals(language: str | None, text: str) -> None:
    require("multilingual_rouge")
    from multilingual_rouge import tokenization_wrapper
    from multilingual_rouge.rouge_scorer import MultiStemmer

    if language == "turkish":
        require("TurkishStemmer")
    original = find_stemmer(MultiStemmer, language)
    ours = add_stemmer(TOKENIZERS["xlsum"], language or True)
    expected = [original(token) for token in tokenize_xlsum(text)]
    assert ours(text) == expected
    assert ours.of_sentences is not None
    assert ours.of_sentences(text) == tokenization_wrapper.tokenize(text, original)


@cache
def find_stemmer(make: Any, language: str | None) -> Any:
    return make(language)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("करना", "कर"),
        ("लड़कियों", "लड़क"),
        ("जाएंगे", "जा"),
        ("की", "की"),
        ("दी", "दी"),
        ("cats", "cats"),
    ],
)
def test_hindi_stems_by_hand(word: str, stem: str) -> None:
    assert stem_hindi(word) == stem


def test_short_words_are_not_stemmed() -> None:
    stems = xlsum_stems("hindi")
    assert (stems["करे"], stems["करना"]) == ("करे", "कर")
    assert xlsum_stems("porter")["dying"] == "die"


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^Unknown use_stemmer 'klingon'; expected True \(Porter"):
        xlsum_stems("klingon")
    with pytest.raises(ValueError, match=r"'hindi', 'turkish'\. Did you mean 'turkish'\?$"):
        xlsum_stems("turkisch")


def test_missing_lists_of_stop_words_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def words(self, _: str) -> list[str]:
            raise LookupError("stopwords")

    monkeypatch.setattr("nltk.stem.snowball.stopwords", Missing())
    message = (
        "use_stemmer is 'german', and XL-Sum's stemmer for it needs NLTK's lists of stop words, "
        "which are not installed. Run: python -m nltk.downloader stopwords."
    )
    xlsum_stems.cache_clear()
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        xlsum_stems("german")
    # Only those who ask for this profile need the lists.
    samples = ["the cats"], ["the cat"]
    found = compare_profiles(*samples, use_stemmer="english")
    assert {"hf", "rouge_score"} <= found.scores.keys()
    assert "xlsum" not in found.scores
    with pytest.raises(ImportError, match=r"NLTK's lists of stop words"):
        compare_profiles(*samples, profiles=["hf", "xlsum"], use_stemmer="english")


class StopWords(NamedTuple):
    """NLTK's lists of stop words, which need not be installed."""

    listed: list[str]

    def words(self, _: str) -> list[str]:
        return self.listed


def test_an_arabic_stem_depends_on_its_word_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nltk.stem.snowball.stopwords", StopWords([]))
    word, before = "بامدفتم", "نسهإثءعه"
    xlsum_stems.cache_clear()
    alone = xlsum_stems("arabic")[word]
    xlsum_stems.cache_clear()
    stems = xlsum_stems("arabic")
    assert stems[before]
    assert stems[word] == alone
    xlsum_stems.cache_clear()


def test_stop_words_are_not_stemmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nltk.stem.snowball.stopwords", StopWords(["having"]))
    xlsum_stems.cache_clear()
    stems = xlsum_stems("english")
    xlsum_stems.cache_clear()
    assert (stems["having"], stems["running"], stems["was"]) == ("having", "run", "was")


def test_a_missing_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "TurkishStemmer", None)
    message = (
        "The Turkish stemmer of the tokenizer 'xlsum' needs the package TurkishStemmer. Install it "
        "with: pip install TurkishStemmer"
    )
    xlsum_stems.cache_clear()
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        xlsum_stems("turkish")


def test_porter_is_not_for_segmented_words() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        burmese = TOKENIZERS["xlsum-burmese"]
        assert add_stemmer(burmese, stemmer=True) is burmese


# Recipes for Korean and Japanese, and of google-adk.

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PAIRS = {
    "Korean": ("안녕 ㅋ 반가워 오늘 뭐 할래?", "안녕하세요 반가워요 오늘 뭐 먹을래요?"),
    "English in Korean": (" The cats were\nRUNNING ", "the cat runs\n\nand was running"),
    "Japanese": ("今日は天気がいいですね。\n東京へ行く。", "今日の天気は悪い。東京へは行かない。"),
    "Thai": ("เด็กไปโรงเรียนตอนเช้า", "เด็กไปตลาดตอนเย็น"),
    "empty": ("", "a b"),
}


@given(text=any_texts)
def test_the_tokens_of_korouge(text: str) -> None:
    require("korouge_score")
    from korouge_score import tokenizers

    for stemmed in (False, True):
        ours = add_stemmer(TOKENIZERS["korouge"], stemmed)
        assert ours(text) == tokenizers.DefaultTokenizer(stemmed).tokenize(text)


@unfit_texts[0]
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("use_stemmer", [False, True], ids=["words", "stems"])
def test_the_scores_of_korouge(pair: str, *, use_stemmer: bool) -> None:
    require("korouge_score")
    from korouge_score.rouge_scorer import RougeScorer

    prediction, reference = PAIRS[pair]
    expected = RougeScorer(TYPES, use_stemmer=use_stemmer).score(reference, prediction)
    options: dict[str, Any] = {"profile": "rouge_score", "tokenizer": "korouge"}
    options |= {"rouge_types": TYPES, "use_stemmer": use_stemmer}
    found = rouge_scores([prediction], [reference], **options)
    assert {key: [item[0] for item in value] for key, value in found.items()} == {
        key: list(map(float, value)) for key, value in expected.items()
    }


GOLDEN: dict[str, Any] = json.loads(GOLDENS.read_text("utf-8"))


@pytest.mark.parametrize("row", GOLDEN["texts"], ids=lambda row: ascii(row["text"])[:20])
def test_the_goldens_of_google_adk(row: dict[str, Any]) -> None:
    tokenizer = TOKENIZERS["google-adk"]
    assert tokenizer(row["text"]) == row["tokens"]
    assert add_stemmer(tokenizer, stemmer=True)(row["text"]) == row["stems"]


@given(text=any_texts)
def test_the_tokens_of_google_adk(text: str) -> None:
    original = load_original()
    if original is None:
        pytest.skip("google-adk: pip install --no-deps google-adk==2.13.0")
    for stemmed in (False, True):
        ours = add_stemmer(TOKENIZERS["google-adk"], stemmed)
        assert ours(text) == original(use_stemmer=stemmed).tokenize(text)


def test_every_character_of_google_adk() -> None:
    original = load_original()
    if original is None:
        pytest.skip("google-adk: pip install --no-deps google-adk==2.13.0")
    tokenize, tokenizer = original().tokenize, TOKENIZERS["google-adk"]
    for character in EVERY_CHARACTER:
        text = f"a{character}b {character}"
        assert tokenizer(text) == tokenize(text), ascii(character)


@pytest.mark.parametrize("pair", PAIRS)
def test_the_words_of_fugashi(pair: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = load_tagger(monkeypatch)
    for text in PAIRS[pair]:
        assert TOKENIZERS["ja-fugashi"](text) == [word.surface for word in tagger(text)]
