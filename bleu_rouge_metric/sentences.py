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
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

from .tokenization import check_callable

SentenceSplitter = Callable[[str], list[str]]

_importing_pysbd: Final = Lock()


def split_newline(text: str) -> list[str]:
    r"""Non-empty lines of a text, separated by ``"\n"`` alone.

    >>> split_newline("First sentence.\n\nSecond one.")
    ['First sentence.', 'Second one.']
    """
    # Parity: rouge_score.rouge_scorer.RougeScorer.score splits on "\n" only; U+2028, "\r" and
    # "\v" stay inside a sentence.
    return [sentence for sentence in text.split("\n") if sentence]


# Every name that resolve_sentence_splitter knows, in the words of its errors.
SENTENCE_SPLITTER_NAMES: Final = (
    "'newline', 'punkt', 'punkt-LANGUAGE' (such as 'punkt-german'), 'pysbd', "
    "'pysbd-CODE' (such as 'pysbd-de')"
)


def resolve_sentence_splitter(choice: str | SentenceSplitter) -> SentenceSplitter:
    """The function behind a splitter's name or callable.

    Args:
        choice: a name, or a callable from a text to its sentences.

    Returns:
        A function ``str -> list[str]``; empty sentences are dropped. The same one for the same
        name.

    Raises:
        ValueError: the name or its language is unknown, or what it needs is not installed.
        TypeError: the choice is neither a str nor callable.
    """
    if isinstance(choice, str):
        if choice == "newline":
            return split_newline
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
    return _drop_empty(check_callable("sentence_splitter", choice, "sentences"))


def _drop_empty(split: SentenceSplitter) -> SentenceSplitter:
    """The splitter without its empty sentences."""
    return lambda text: [sentence for sentence in split(text) if sentence]


@cache
def _load_punkt(language: str) -> SentenceSplitter:
    """NLTK's ``sent_tokenize`` of a language, from its data on this machine."""
    from nltk.tokenize.punkt import PunktTokenizer

    try:
        return _drop_empty(PunktTokenizer(language).tokenize)
    except (LookupError, ValueError) as error:
        languages = _list_punkt_languages()
        if not languages:
            raise ValueError(
                "sentence_splitter 'punkt' needs NLTK's data punkt_tab, which is not installed; "
                "use python -m nltk.downloader punkt_tab."
            ) from error
        raise ValueError(
            f"Unknown language {language!r} of sentence_splitter 'punkt'; the installed punkt_tab "
            f"has {', '.join(map(repr, languages))}."
        ) from error


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
    # It keeps the text that it splits: one for each text, so that threads may share the splitter.
    return _drop_empty(lambda text: copy(segmenter).segment(text))
