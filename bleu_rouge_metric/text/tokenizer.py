"""What a tokenizer is: a function with its properties, and the steps around it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from .stemmers import StemCache
from .truncation import Truncation
from .word_forms import WordForms

Tokenize = Callable[[str], list[str]]


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer and its properties; it can be called like its function.

    Attributes:
        name: name in options and messages; for a user's callable the name of the function.
        function: from a text to its tokens.
        kernel_name: name in the compiled kernel; None if only Python has the tokenizer.
        keeps_lines: whether the tokens of a text are the tokens of its lines, one line after the
            other.
        needs: arguments of the ``pip install`` that it needs; empty if it needs nothing. Its
            function loads these packages with the first text.
        load: imports packages that the extra ``languages`` brings; None if it needs none.
        keeps_ascii: whether it keeps only ASCII letters and digits of a text.
        leaves_unsplit: whether it does not split texts of some scripts without spaces.
        stems: Porter stems of the program that the tokenizer comes from; None if there are none.
        stemmed: the tokenizer with these stems.
        segmented: makes the function for a user's segmenter; None if it cannot use a segmenter.
        separator: for token ids, the id between sentences; None if there is none.
        language_stems: the stems of a language; None for those of NLTK's Snowball stemmers.
        of_sentences: the tokenizer of single sentences, if it is another one.
        tables: what its characters depend on, keys of ``VERSIONS``.
        lowercase: whether a text is converted to lower case before it is tokenized. ``function``
            does so, and the compiled kernel too.
        truncation: what cuts a text before it is tokenized, likewise; None if nothing does.
        forms: what the tokens become, likewise; None if they do not change.
    """

    name: str
    function: Tokenize
    kernel_name: str | None = None
    keeps_lines: bool = False
    needs: str = ""
    load: Callable[[], object] | None = None
    keeps_ascii: bool = False
    leaves_unsplit: bool = False
    stems: Callable[[], StemCache] | None = None
    stemmed: "Tokenizer | None" = None
    segmented: Callable[[Tokenize], Tokenize] | None = None
    separator: int | None = None
    language_stems: Callable[[str], StemCache] | None = None
    of_sentences: "Tokenizer | None" = None
    tables: tuple[str, ...] = ()
    lowercase: bool = False
    truncation: Truncation | None = None
    forms: WordForms | None = None

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self.function(text)


def add_steps(
    tokenizer: Tokenizer, truncation: Truncation | None, forms: WordForms | None
) -> Tokenizer:
    """Return a tokenizer with a step before and a step after it, also for its sentences.

    Args:
        tokenizer: a tokenizer without such steps.
        truncation: cuts a text; None to keep all of it.
        forms: what its tokens become; None if they do not change.
    """
    if truncation is None and forms is None:
        return tokenizer
    tokenize, sentences = tokenizer.function, tokenizer.of_sentences

    def tokenize_all(text: str) -> list[str]:
        tokens = tokenize(text if truncation is None else truncation(text))
        return tokens if forms is None else forms.apply(tokens)

    return Tokenizer(
        tokenizer.name,
        tokenize_all,
        tokenizer.kernel_name,
        keeps_lines=tokenizer.keeps_lines and truncation is None,
        of_sentences=None if sentences is None else add_steps(sentences, truncation, forms),
        tables=tokenizer.tables,
        truncation=truncation,
        forms=forms,
    )


# Bound: some tokenizers. Equal options make equal plans if they have the same object.
@lru_cache(maxsize=64)
def lower_texts(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer of texts that are first converted to lower case."""
    tokenize = tokenizer.function
    return replace(tokenizer, function=lambda text: tokenize(text.lower()), lowercase=True)
