"""Tokenizers of recipes for languages: tokens and scores equal those of the programs."""

import json
from typing import Any

import pytest
from hypothesis import given

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, add_stemmer, resolve_tokenizer

from ..conftest import require, unfit_texts
from ..support.dictionaries import load_tagger
from ..support.google_adk import GOLDENS, load_original
from ..support.strategies import EVERY_CHARACTER, any_texts

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PAIRS = {
    "Korean": ("안녕 ㅋ 반가워 오늘 뭐 할래?", "안녕하세요 반가워요 오늘 뭐 먹을래요?"),
    "English in Korean": (" The cats were\nRUNNING ", "the cat runs\n\nand was running"),
    "Japanese": ("今日は天気がいいですね。\n東京へ行く。", "今日の天気は悪い。東京へは行かない。"),
    "Thai": ("เด็กไปโรงเรียนตอนเช้า", "เด็กไปตลาดตอนเย็น"),
    "empty": ("", "a b"),
}


def score(name: str, prediction: str, reference: str, **options: Any) -> dict[str, list[float]]:
    """Return precision, recall and F-measure of each type."""
    found = rouge_scores(
        [prediction],
        [reference],
        profile="rouge_score",
        tokenizer=name,
        rouge_types=TYPES,
        **options,
    )
    return {key: [item[0] for item in value] for key, value in found.items()}


def as_lists(scores: Any) -> dict[str, list[float]]:
    """Return scores of rouge_score in the same form."""
    return {key: list(map(float, value)) for key, value in scores.items()}


@pytest.fixture(params=[False, True], ids=["words", "stems"])
def use_stemmer(request: pytest.FixtureRequest) -> bool:
    """Return whether tokens are stemmed."""
    return bool(request.param)


@given(text=any_texts)
def test_the_tokens_of_korouge(text: str) -> None:
    require("korouge_score")
    from korouge_score import tokenizers

    for stemmed in (False, True):
        ours = add_stemmer(TOKENIZERS["korouge"], stemmed)
        assert ours(text) == tokenizers.DefaultTokenizer(stemmed).tokenize(text)


@unfit_texts[0]
@pytest.mark.parametrize("pair", PAIRS)
def test_the_scores_of_korouge(pair: str, *, use_stemmer: bool) -> None:
    require("korouge_score")
    from korouge_score.rouge_scorer import RougeScorer

    prediction, reference = PAIRS[pair]
    expected = RougeScorer(TYPES, use_stemmer=use_stemmer).score(reference, prediction)
    found = score("korouge", prediction, reference, use_stemmer=use_stemmer)
    assert found == as_lists(expected)


def test_korouge_by_hand() -> None:
    tokenize = resolve_tokenizer("tokenizer", "korouge")
    assert tokenize("안녕하세요, 반가워요") == ["안녕하세요,", "반가워요"]
    # White space at an end makes a token, which may match.
    assert tokenize("a ") == ["a", ""]
    assert tokenize("") == [""]


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
def test_the_scores_of_google_adk(pair: str) -> None:
    rouge_scorer = require("rouge_score.rouge_scorer")
    prediction, reference = PAIRS[pair]
    tokenizer = add_stemmer(TOKENIZERS["google-adk"], stemmer=True)
    original = type("Given", (), {"tokenize": staticmethod(tokenizer)})()
    expected = rouge_scorer.RougeScorer(TYPES, tokenizer=original).score(reference, prediction)
    found = score("google-adk", prediction, reference, use_stemmer=True)
    assert found == as_lists(expected)


@pytest.mark.parametrize("pair", PAIRS)
def test_the_scores_of_fugashi_in_rouge_score(pair: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rouge_scorer = require("rouge_score.rouge_scorer")
    tagger = load_tagger(monkeypatch)

    class Words:
        def tokenize(self, text: str) -> list[str]:
            return [word.surface for word in tagger(text)]

    prediction, reference = PAIRS[pair]
    expected = rouge_scorer.RougeScorer(TYPES, tokenizer=Words()).score(reference, prediction)
    assert score("ja-fugashi", prediction, reference) == as_lists(expected)
