"""``xlsum`` and tokenizers of recipes for languages equal the programs that they reproduce."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.corpus import LazyCorpusLoader, WordListCorpusReader

from bleu_rouge_metric import compare_profiles
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, add_stemmer, resolve_tokenizer
from bleu_rouge_metric.text.xlsum import normalize_xlsum, stem_hindi, tokenize_xlsum, xlsum_stems

from ..conftest import require
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
def test_words_of_texts_and_of_lines_equal_the_originals(text: str) -> None:
    require("multilingual_rouge")
    from multilingual_rouge import tokenization_wrapper

    lines = tokenization_wrapper.tokenize(text)
    assert normalize_xlsum(text) == lines
    for name, language in LANGUAGES.items():
        tokenizer = TOKENIZERS[name]
        assert tokenizer(text) == find_original(language)(text)
        assert tokenizer.of_sentences is not None
        assert tokenizer.of_sentences(text) == lines


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
    tokenizer = TOKENIZERS[name]
    if same:
        assert tokenizer(text) == TOKENIZERS[same](text)
    words = [token for token in tokenizer(text) if token.strip()]
    assert words == [token for line in text.split("\n") for token in tokenizer(line)]
    assert tokenizer.of_sentences is None


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


def test_stems_by_hand() -> None:
    words = ["करना", "लड़कियों", "जाएंगे", "की", "दी", "cats"]
    assert [*map(stem_hindi, words)] == ["कर", "लड़क", "जा", "की", "दी", "cats"]
    # Short words are not stemmed.
    stems = xlsum_stems("hindi")
    assert (stems["करे"], stems["करना"]) == ("करे", "कर")
    assert xlsum_stems("porter")["dying"] == "die"


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^Unknown use_stemmer 'klingon'; expected True \(Porter"):
        xlsum_stems("klingon")
    with pytest.raises(ValueError, match=r"'hindi', 'turkish'\. Did you mean 'turkish'\?$"):
        xlsum_stems("turkisch")


def test_missing_lists_of_stop_words_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = LazyCorpusLoader("nowhere", WordListCorpusReader)
    monkeypatch.setattr("nltk.stem.snowball.stopwords", nowhere)
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


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """NLTK's lists of stop words, which need not be installed."""
    words: list[str] = []
    monkeypatch.setattr("nltk.stem.snowball.stopwords", SimpleNamespace(words=lambda _: words))
    xlsum_stems.cache_clear()
    yield words
    xlsum_stems.cache_clear()


def test_an_arabic_stem_depends_on_its_word_alone(listed: list[str]) -> None:
    assert listed == []
    word, before = "بامدفتم", "نسهإثءعه"
    alone = xlsum_stems("arabic")[word]
    xlsum_stems.cache_clear()
    stems = xlsum_stems("arabic")
    assert stems[before]
    assert stems[word] == alone


def test_stop_words_are_not_stemmed(listed: list[str]) -> None:
    listed.append("having")
    stems = xlsum_stems("english")
    assert (stems["having"], stems["running"], stems["was"]) == ("having", "run", "was")


# Recipes for Korean and Japanese, and of google-adk.


@given(text=any_texts)
def test_the_tokens_of_korouge(text: str) -> None:
    require("korouge_score")
    from korouge_score import tokenizers

    for stemmed in (False, True):
        ours = add_stemmer(TOKENIZERS["korouge"], stemmed)
        assert ours(text) == tokenizers.DefaultTokenizer(stemmed).tokenize(text)


GOLDEN: dict[str, Any] = json.loads(GOLDENS.read_text("utf-8"))


@pytest.mark.parametrize("row", GOLDEN["texts"], ids=lambda row: ascii(row["text"])[:20])
def test_the_goldens_of_google_adk(row: dict[str, Any]) -> None:
    tokenizer = TOKENIZERS["google-adk"]
    assert tokenizer(row["text"]) == row["tokens"]
    assert add_stemmer(tokenizer, stemmer=True)(row["text"]) == row["stems"]


@examples(2)
@given(text=any_texts | st.sampled_from(EVERY_CHARACTER).map("a{0}b {0}".format))
def test_the_tokens_of_google_adk(text: str) -> None:
    original = load_original()
    if original is None:
        pytest.skip("google-adk: pip install --no-deps google-adk==2.13.0")
    for stemmed in (False, True):
        ours = add_stemmer(TOKENIZERS["google-adk"], stemmed)
        assert ours(text) == original(use_stemmer=stemmed).tokenize(text)


@pytest.mark.parametrize("text", ["", " The cats\nRUNNING ", "今日は天気がいい。\n東京へ行く。"])
def test_the_words_of_fugashi(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = load_tagger(monkeypatch)
    assert TOKENIZERS["ja-fugashi"](text) == [word.surface for word in tagger(text)]
