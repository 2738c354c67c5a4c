"""``intl``, ``zh``, ``none`` and ``char`` compared with the installed sacrebleu."""

import re
from typing import Any

import pytest
from hypothesis import given
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..parity.goldens import each_corpus, read_golden
from ..support.strategies import EVERY_CHARACTER, any_texts

SACREBLEU: dict[str, Any] = {
    "intl": TokenizerV14International(),  # type: ignore[no-untyped-call]
    "zh": TokenizerZh(),  # type: ignore[no-untyped-call]
    "none": NoneTokenizer(),
    "char": TokenizerChar(),  # type: ignore[no-untyped-call]
}
each_tokenizer = pytest.mark.parametrize("name", SACREBLEU)


def sacrebleu_tokens(name: str, text: str) -> list[str]:
    # sacrebleu counts the words of the text that a tokenizer returns.
    tokens: list[str] = SACREBLEU[name](text).split()
    return tokens


@each_tokenizer
@given(text=any_texts)
def test_tokens_equal_sacrebleus(name: str, text: str) -> None:
    assert TOKENIZERS[name](text) == sacrebleu_tokens(name, text)


@each_tokenizer
def test_tokens_equal_sacrebleus_on_every_code_point(name: str) -> None:
    for start in range(0, len(EVERY_CHARACTER), 4096):
        characters = EVERY_CHARACTER[start : start + 4096]
        # Each between letters, digits and marks, and at the start and end.
        text = "".join(f"{char}1{char}.a{char}" for char in characters)
        assert TOKENIZERS[name](text) == sacrebleu_tokens(name, text)


@each_tokenizer
@each_corpus()
def test_tokens_equal_sacrebleus_on_real_texts(corpus: str, name: str) -> None:
    golden = read_golden(corpus)
    references = (text for sample in golden.references for text in sample)
    for text in (*golden.predictions, *references):
        assert TOKENIZERS[name](text) == sacrebleu_tokens(name, text)


@pytest.mark.parametrize("lowercase", [False, True])
@given(text=any_texts)
def test_a_prepared_text_has_the_tokens_that_sacrebleu_counts(text: str, lowercase: bool) -> None:
    # scoring/counting.py prepares texts in this way in the profile sacrebleu.
    prepared = (text.lower() if lowercase else text).rstrip()
    for name in ("13a", *SACREBLEU):
        metric = BLEU(tokenize=name, lowercase=lowercase)
        assert TOKENIZERS[name](prepared) == metric._preprocess_segment(text).split(), name


def test_a_text_that_ends_in_a_hyphen_and_a_newline_keeps_the_hyphen() -> None:
    assert TOKENIZERS["13a"]("2-\n") == ["2"]
    assert TOKENIZERS["13a"]("2-\n".rstrip()) == ["2", "-"]


def test_no_tokenizer_leaves_white_space_in_a_token() -> None:
    for character in filter(str.isspace, EVERY_CHARACTER):
        for name in SACREBLEU:
            assert not any(re.search(r"\s", token) for token in TOKENIZERS[name](f"a{character}b"))
