"""Find the tokenizers that the compiled kernel has with the same characters as in Python.

Some tokenizers depend on the characters of the package ``regex``. The kernel has those of the
package with which it was built. If the installed one has others, texts are tokenized in Python.
"""

from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..text.sentences import SentenceSplitter
from ..text.steps import Truncation, WordForms
from ..text.tokenizer import Tokenizer
from ..text.unicode import VERSIONS, has_gaps
from ..text.warnings import warn_caller

if TYPE_CHECKING:
    import bleu_rouge_kernel

# native_kernel.py says why it is missing.
with suppress(ImportError):
    import bleu_rouge_kernel


def find_tokenization(tokenizer: Tokenizer) -> "bleu_rouge_kernel.Tokenization | None":
    """Return what the kernel tokenizes texts with; None if only Python has the tokenizer.

    Warns, once in a process, if the kernel has the characters of another version of ``regex``.
    """
    if tokenizer.kernel_name is None:
        return None
    if "regex" in tokenizer.tables and not _has_characters_of_regex(tokenizer.kernel_name):
        return None
    return _make_tokenization(
        tokenizer.kernel_name,
        tokenizer.lowercase,
        tokenizer.truncation or Truncation(),
        tokenizer.forms,
    )


def takes_lines(split_sentences: SentenceSplitter, tokenizer: Tokenizer) -> bool:
    """Return whether the sentences are the lines of what the tokenizer leaves of a text."""
    return split_sentences.takes_lines and split_sentences.truncation == tokenizer.truncation


# Bound: a tokenization with forms keeps tables of up to 20 MB, for each thread that counted.
@lru_cache(maxsize=16)
def _make_tokenization(
    name: str,
    lowercase: bool,  # noqa: FBT001 - a key of the cache
    truncation: Truncation,
    forms: WordForms | None,
) -> "bleu_rouge_kernel.Tokenization":
    return bleu_rouge_kernel.Tokenization(
        name,
        lowercase,
        truncation.word_limit or 0,
        truncation.byte_limit or 0,
        None if forms is None else bleu_rouge_kernel.WordForms(lambda word: forms.apply([word])),
    )


@cache
def _has_characters_of_regex(name: str) -> bool:
    """Return whether the installed ``regex`` has the kernel's characters; warn once if not."""
    if has_gaps(bleu_rouge_kernel.BREAK_GAPS):
        return True
    warn_caller(
        f"The compiled kernel cannot be used for the tokenizer {name!r}: it was built with the "
        f"package regex {bleu_rouge_kernel.REGEX_VERSION}, and the installed regex "
        f"{VERSIONS['regex']()} has the characters of another version of Unicode. Texts are "
        "tokenized in Python, with the same scores, which takes longer."
    )
    return False
