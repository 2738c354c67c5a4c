"""Find the tokenizers that the compiled kernel has with the same characters as in Python.

Some tokenizers depend on a version of Unicode: that of Python, and that of the ``regex`` package.
The kernel knows several versions of the former and one of the latter. With any other version, texts
are tokenized in Python.
"""

from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer
from ..text.truncation import Truncation
from ..text.unicode import VERSIONS, has_gaps
from ..text.warnings import warn_caller
from ..text.word_forms import WordForms

if TYPE_CHECKING:
    import bleu_rouge_kernel

# native_kernel.py says why it is missing.
with suppress(ImportError):
    import bleu_rouge_kernel


def find_tokenization(tokenizer: Tokenizer) -> "bleu_rouge_kernel.Tokenization | None":
    """Return what the kernel tokenizes texts with; None if only Python has the tokenizer.

    Warns, once in a process, if the kernel has the tokenizer for other versions of Unicode only.
    """
    if tokenizer.kernel_name is None:
        return None
    tables = (*tokenizer.tables, *(["unicode"] if tokenizer.lowercase else []))
    version = _find_version(tokenizer.kernel_name, tables)
    if version is None:
        return None
    return _make_tokenization(
        tokenizer.kernel_name,
        version,
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
    version: int,
    lowercase: bool,  # noqa: FBT001 - a key of the cache
    truncation: Truncation,
    forms: WordForms | None,
) -> "bleu_rouge_kernel.Tokenization":
    return bleu_rouge_kernel.Tokenization(
        name,
        version,
        lowercase,
        truncation.word_limit or 0,
        truncation.byte_limit or 0,
        None if forms is None else bleu_rouge_kernel.WordForms(lambda word: forms.apply([word])),
    )


@cache
def _find_version(name: str, tables: tuple[str, ...]) -> int | None:
    """Return the version of Unicode for a tokenizer of the kernel; None if it has another one."""
    problems = [problem for problem in map(describe_other_table, tables) if problem]
    if problems:
        warn_caller(
            f"The compiled kernel cannot be used for the tokenizer {name!r}: "
            f"{' and '.join(problems)}. Texts are tokenized in Python, with the same scores, which "
            "takes longer."
        )
        return None
    known = bleu_rouge_kernel.UNICODE_VERSIONS
    return _read_version(VERSIONS["unicode"]()) if "unicode" in tables else known[-1]


def describe_other_table(name: str) -> str:
    """Return how a table of this Python differs from those of the kernel; empty if it does not.

    Args:
        name: a key of ``VERSIONS``.
    """
    known = bleu_rouge_kernel.UNICODE_VERSIONS
    if name == "unicode" and _read_version(VERSIONS[name]()) not in known:
        first, last = (f"{version // 10}.{version % 10}" for version in (known[0], known[-1]))
        return (
            f"it has the characters of Unicode {first} to {last}, and this Python those of "
            f"{VERSIONS[name]()}"
        )
    if name == "regex" and not has_gaps(bleu_rouge_kernel.BREAK_GAPS):
        return (
            f"it has the words of Unicode {bleu_rouge_kernel.BREAK_VERSION}, and the package regex "
            f"{VERSIONS[name]()} those of another version"
        )
    return ""


def _read_version(text: str) -> int:
    """Return a version of Unicode as the kernel has it: 151 for 15.1.0."""
    major, minor = text.split(".")[:2]
    return int(major) * 10 + int(minor)
