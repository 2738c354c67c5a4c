"""Sentence splitters for ROUGE-Lsum: a text in, its non-empty sentences out.

* ``newline`` is what ``rouge_score`` and evaluate do: one sentence a line. Nothing else separates
  sentences there; ``"<n>"`` and ``". "`` do not.
* ``punkt`` and ``punkt-LANGUAGE`` (``punkt-german``) are NLTK's ``sent_tokenize``, which
  ``rouge_score`` uses with ``split_summaries=True``; they need NLTK's ``punkt_tab`` data.
* ``pysbd`` and ``pysbd-CODE`` (``pysbd-de``) are the rules of the package ``pysbd``.

Without a language they are English. Any callable ``str -> list[str]`` can be given in place of a
name. ``punkt`` and ``pysbd`` do not split at a newline alone.
"""

import warnings
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ..fork_locks import make_fork_lock
from .tokenizers import check_callable, name_function

Split = Callable[[str], list[str]]

_importing_pysbd: Final = make_fork_lock()

# pysbd takes 0.5 to 1.5 s for a text of so many characters, and four times as long for one of twice
# the length.
MOST_PYSBD_CHARACTERS: Final = 20_000


@dataclass(frozen=True)
class SentenceSplitter:
    """A sentence splitter and what is known of it; it can be called like its function.

    Attributes:
        name: as the option has it; of a user's callable the name of the function.
        function: from a text to its sentences, of which none is empty.
        takes_lines: whether the sentences are the lines of the text that are not empty.
        is_quadratic: whether its time grows with the square of the length of the text.
    """

    name: str
    function: Split
    takes_lines: bool = False
    is_quadratic: bool = False

    def __call__(self, text: str) -> list[str]:
        """Sentences of a text."""
        return self.function(text)


class SplitError(ValueError):
    """A splitter that failed at a text.

    Attributes:
        text: that it was given.
    """

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


def split_newline(text: str) -> list[str]:
    r"""Non-empty lines of a text, separated by ``"\n"`` alone.

    >>> split_newline("First sentence.\n\nSecond one.")
    ['First sentence.', 'Second one.']
    """
    # Parity: rouge_score.rouge_scorer.RougeScorer.score splits on "\n" only; U+2028, "\r" and
    # "\v" stay inside a sentence.
    return [sentence for sentence in text.split("\n") if sentence]


NEWLINE: Final = SentenceSplitter("newline", split_newline, takes_lines=True)


# Every name that resolve_sentence_splitter knows, in the words of its errors.
SENTENCE_SPLITTER_NAMES: Final = (
    "'newline', 'punkt', 'punkt-LANGUAGE' (such as 'punkt-german'), 'pysbd', "
    "'pysbd-CODE' (such as 'pysbd-de')"
)


def resolve_sentence_splitter(choice: str | Split) -> SentenceSplitter:
    """The splitter behind a name or callable.

    Args:
        choice: a name, or a callable from a text to its sentences.

    Returns:
        A splitter without empty sentences. The same one for the same name.

    Raises:
        ValueError: the name or its language is unknown, or what it needs is not installed.
        TypeError: the choice is neither a str nor callable.
    """
    if isinstance(choice, str):
        if choice == "newline":
            return NEWLINE
        kind, dash, language = choice.partition("-")
        if kind == "punkt" and bool(dash) == bool(language):
            return _load_punkt(language or "english")
        if kind == "pysbd" and bool(dash) == bool(language):
            return _load_pysbd(language or "en")
        raise ValueError(
            f"Unknown sentence_splitter {choice!r}; expected {SENTENCE_SPLITTER_NAMES} "
            "or a callable str -> list[str]."
        )
    if not callable(choice):
        raise TypeError(
            f"sentence_splitter is of type {type(choice).__name__}; "
            "expected the name of a splitter or a callable str -> list[str]."
        )
    checked = check_callable("sentence_splitter", choice, "sentences")
    return SentenceSplitter(name_function(choice), _drop_empty(checked))


def _drop_empty(split: Split) -> Split:
    """The splitter without its empty sentences."""
    return lambda text: [sentence for sentence in split(text) if sentence]


@cache
def _load_punkt(language: str) -> SentenceSplitter:
    """NLTK's ``sent_tokenize`` of a language, from its data on this machine."""
    from nltk.tokenize.punkt import PunktTokenizer

    # A name is part of a path, and NLTK's older versions follow "..".
    if not language.isalpha():
        raise _unknown_punkt(language)
    try:
        split = PunktTokenizer(language).tokenize
    except (LookupError, ValueError) as error:
        raise _unknown_punkt(language) from error
    return SentenceSplitter(f"punkt-{language}", _drop_empty(split))


def _unknown_punkt(language: str) -> ValueError:
    """The error for a language that NLTK has no data of."""
    languages = _list_punkt_languages()
    if not languages:
        return ValueError(
            "sentence_splitter 'punkt' needs NLTK's data punkt_tab, which is not installed; "
            "use python -m nltk.downloader punkt_tab."
        )
    return ValueError(
        f"Unknown language {language!r} of sentence_splitter 'punkt'; the installed punkt_tab "
        f"has {', '.join(map(repr, languages))}."
    )


def _list_punkt_languages() -> list[str]:
    """The languages of the punkt_tab that NLTK finds first; none where it finds none."""
    import nltk

    try:
        folder = Path(str(nltk.data.find("tokenizers/punkt_tab/")))
    except LookupError:
        return []
    return sorted(path.name for path in folder.glob("*/"))


@cache
def _load_pysbd(code: str) -> SentenceSplitter:
    """The rules of pysbd for a language."""
    try:
        # One thread at a time: the filters of warnings belong to all of them.
        with _importing_pysbd, warnings.catch_warnings():
            # Its patterns hold escapes that Python 3.12 warns about when it compiles them.
            warnings.simplefilter("ignore")
            import pysbd
            from pysbd.languages import LANGUAGE_CODES
    except ImportError as error:
        raise ValueError(
            "sentence_splitter 'pysbd' needs the package pysbd, which is not installed; "
            "use pip install pysbd."
        ) from error
    if code not in LANGUAGE_CODES:
        raise ValueError(
            f"Unknown language {code!r} of sentence_splitter 'pysbd'; it has "
            f"{', '.join(map(repr, sorted(LANGUAGE_CODES)))}."
        )
    segmenter = pysbd.Segmenter(language=code, clean=False)

    def split(text: str) -> list[str]:
        try:
            # It keeps the text that it splits: one for each text, so that threads may share it.
            return [sentence for sentence in copy(segmenter).segment(text) if sentence]
        except Exception as error:  # its regular expressions fail in many ways
            raise SplitError(
                f"sentence_splitter 'pysbd' fails with {type(error).__name__}: {error}", text
            ) from error

    return SentenceSplitter(f"pysbd-{code}", split, is_quadratic=True)
