"""The tokenizers of the compiled kernel, for tests that compare them with their Python twins."""

from contextlib import suppress
from typing import TYPE_CHECKING

from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.native_kernel import find_tokenization
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer
from bleu_rouge_metric.text.unicode import has_gaps

from ..conftest import is_native_missing

with suppress(ImportError):
    import bleu_rouge_kernel

if TYPE_CHECKING:
    import bleu_rouge_kernel


def list_kernel_tokenizers() -> dict[str, Tokenizer]:
    """Return the tokenizers of the kernel by their name there."""
    if is_native_missing:
        return {}
    rows = (
        row
        for base in TOKENIZERS.values()
        for row in (base, base.stemmed, base.of_sentences)
        if row is not None and ("regex" not in row.tables or has_gaps(bleu_rouge_kernel.BREAK_GAPS))
    )
    return {row.kernel_name: row for row in rows if row.kernel_name}


def make_tokenization(name: str | Tokenizer) -> "bleu_rouge_kernel.Tokenization":
    """Return a tokenizer of the kernel, by its name there or for a tokenizer."""
    tokenizer = list_kernel_tokenizers()[name] if isinstance(name, str) else name
    tokenization = find_tokenization(tokenizer)
    assert tokenization is not None
    return tokenization


def tokenize_natively(texts: list[str], name: str | Tokenizer) -> list[list[str]]:
    """Return the tokens of texts as the kernel counts them."""
    column = native_kernel.make_text_column(texts)
    return [
        [token.decode("utf-8", "surrogatepass") for token in tokens]
        for tokens in bleu_rouge_kernel.tokenize(column, make_tokenization(name))
    ]
