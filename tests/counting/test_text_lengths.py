"""Both kernels agree on texts that end where a machine word of bits is full."""

import random
from collections.abc import Callable

import pytest

from bleu_rouge_metric.counting.rouge_types import RougePlan
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native
from .test_kernel_counts import assert_kernels_agree

# 8 words is the most for which the compiled LCS has a loop of fixed length.
LENGTHS = (63, 64, 65, 127, 128, 129, 192, 193, 256, 257, 300, 511, 512, 513)
PLANS = [
    RougePlan(tuple(range(1, 10)), lcs=True, summary=True),
    RougePlan((2,), summary=True),
    RougePlan((1, 9), lcs=True, once=True, pairs=True),
]

MakeWord = Callable[[random.Random], str]

# The words of the prediction, and those of its references.
WORDS: dict[str, tuple[MakeWord, MakeWord]] = {
    "few distinct words": (lambda draw: draw.choice("abc"), lambda draw: draw.choice("abd")),
    "many distinct words": (
        lambda draw: str(int(draw.paretovariate(0.6))),
        lambda draw: str(int(draw.paretovariate(0.6))),
    ),
    "one word": (lambda _: "a", lambda _: "a"),
    "no common word": (lambda draw: draw.choice("abc"), lambda draw: draw.choice("def")),
    "all in the reference once": (
        lambda draw: str(draw.randrange(150)),
        lambda draw: str(draw.randrange(300)),
    ),
}


def make_text(draw: random.Random, make_word: MakeWord, tokens: int, longest: int) -> str:
    """Make a text with lines of up to ``longest`` tokens."""
    text = make_word(draw)
    left = draw.randrange(longest)
    for _ in range(tokens - 1):
        text += (" " if left > 0 else "\n") + make_word(draw)
        left = left - 1 if left > 0 else draw.randrange(longest)
    return text


@needs_native
@pytest.mark.parametrize("longest", [30, 1000])
@pytest.mark.parametrize("words", WORDS)
def test_both_kernels_agree_at_the_ends_of_machine_words(words: str, longest: int) -> None:
    draw = random.Random(f"{words} {longest}")
    of_prediction, of_reference = WORDS[words]
    predictions, references = [], []
    for tokens in LENGTHS:
        predictions.append(make_text(draw, of_prediction, tokens, longest))
        references.append(
            [
                make_text(draw, of_reference, length, longest)
                for length in (tokens, draw.randrange(1, 600))
            ]
        )
    assert_kernels_agree(
        check_samples(predictions, references), TOKENIZERS["whitespace"], max_order=9, plans=PLANS
    )


@needs_native
@pytest.mark.parametrize("tokens", [64, 65, 128, 129, 512, 513])
def test_equal_texts_match_in_full(tokens: int) -> None:
    draw = random.Random(tokens)
    for longest in (20, 1000):
        text = make_text(draw, lambda draw: draw.choice("abcdefgh"), tokens, longest)
        assert_kernels_agree(
            check_samples([text], [text]), TOKENIZERS["whitespace"], max_order=9, plans=PLANS
        )
