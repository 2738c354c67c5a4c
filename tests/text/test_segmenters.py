"""Segmenters by name: the words of their packages, and errors if one is not installed."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import run
from types import SimpleNamespace
from typing import Any

import pytest

from bleu_rouge_metric import Options, rouge_scores
from bleu_rouge_metric.text import external
from bleu_rouge_metric.text.external import SEGMENTERS, load_fugashi, load_mecab, resolve_segmenter
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, resolve_tokenizer

from ..conftest import ROOT, require
from ..support.dictionaries import hide, load_tagger

TEXTS = {
    "jieba": "我们今天去北京大学",
    "fugashi": "今日は天気がいいですね",
    "pythainlp": "เด็กไปโรงเรียนตอนเช้า",
}


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    """Load again what other tests have loaded."""
    for load in (external.load_jieba, external.load_pythainlp, load_fugashi):
        load.cache_clear()
    yield
    load_fugashi.cache_clear()


def load_package(name: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return the words of a package as its manual has them."""
    if name == "fugashi":
        tagger = load_tagger(monkeypatch)
        return lambda text: [word.surface for word in tagger(text)]
    package: Any = require(name)
    split: Callable[[str], list[str]]
    split = package.lcut if name == "jieba" else package.tokenize.word_tokenize
    return split


@pytest.mark.parametrize("name", SEGMENTERS)
def test_the_words_are_those_of_the_package(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    split = load_package(name, monkeypatch)
    words = resolve_segmenter(name)(TEXTS[name])
    assert words == split(TEXTS[name])
    assert 2 < len(words) < len(TEXTS[name])


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_name_is_the_function_of_the_package(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    split = load_package(name, monkeypatch)
    text, other = TEXTS[name], TEXTS[name][:-2]
    options: dict[str, Any] = {"tokenizer": "unicode", "rouge_types": ["rouge1", "rouge2"]}
    for score, expected in zip(
        rouge_scores([text], [other], segmenter=name, **options).values(),
        rouge_scores([text], [other], segmenter=split, **options).values(),
        strict=True,
    ):
        assert score.fmeasure.tolist() == expected.fmeasure.tolist()


def test_a_name_is_in_the_signature_and_read_back() -> None:
    require("jieba")
    options = Options(tokenizer="unicode", segmenter="jieba")
    line = options.write_signature()
    assert "|segmenter:jieba|" in line
    assert Options.from_signature(line) == options


@pytest.mark.parametrize(
    ("name", "package", "install"),
    [
        ("jieba", "jieba", "jieba"),
        ("pythainlp", "pythainlp.tokenize", "pythainlp"),
        ("fugashi", "fugashi", "fugashi unidic-lite"),
    ],
)
def test_a_missing_package_is_an_error(
    name: str, package: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    message = (
        f"The segmenter {name!r} needs a package or a dictionary that is not installed. "
        f"Install it with: pip install {install}"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        Options(tokenizer="unicode", segmenter=name)


def test_a_missing_dictionary_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    require("fugashi")
    hide(monkeypatch, "unidic", "unidic_lite")
    with pytest.raises(ImportError, match=r"pip install fugashi unidic-lite$"):
        resolve_segmenter("fugashi")


def test_the_dictionary_of_a_language_does_not_depend_on_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require("fugashi")
    lite = Path(require("unidic_lite").DICDIR)
    # A UniDic whose dictionary was not downloaded; fugashi alone would take it.
    monkeypatch.setitem(sys.modules, "unidic", SimpleNamespace(DICDIR=str(lite / "missing")))
    load_mecab.cache_clear()
    assert TOKENIZERS["ja-unidic-lite"](TEXTS["fugashi"]) == [
        *("今日", "は", "天気", "が", "いい", "です", "ね")
    ]
    with pytest.raises(ImportError, match=r"python -m unidic download$"):
        resolve_tokenizer("tokenizer", "xlsum-japanese")


def test_jieba_writes_nothing_to_standard_error() -> None:
    require("jieba")
    code = (
        "import logging, bleu_rouge_metric as metric\n"
        "metric.rouge_scores(['我们去'], ['我们去'], language='zh')\n"
        "assert logging.getLogger('jieba').level == logging.DEBUG"
    )
    done = run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (
            "Jieba",
            ValueError,
            "Unknown segmenter 'Jieba'; expected 'jieba', 'fugashi', 'pythainlp' or a callable "
            "str -> list[str]. Did you mean 'jieba'?",
        ),
        (
            3,
            TypeError,
            "segmenter is of type int; expected the name of a segmenter or a callable str -> "
            "list[str].",
        ),
    ],
)
def test_other_values_are_errors(value: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        Options(tokenizer="unicode", segmenter=value)
