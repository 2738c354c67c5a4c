"""Split a text into its non-empty sentences, for ROUGE-Lsum.

* ``newline`` is what ``rouge_score`` and evaluate do: each line is one sentence. Nothing else
  separates sentences; ``"<n>"`` and ``". "`` do not.
* ``punkt`` and ``punkt-LANGUAGE`` (``punkt-german``) are NLTK's ``sent_tokenize``, which
  ``rouge_score`` uses with ``split_summaries=True``; they need NLTK's ``punkt_tab`` data.
* ``pysbd`` and ``pysbd-CODE`` (``pysbd-de``) are the rules of the package ``pysbd``.

The default language of ``punkt`` and ``pysbd`` is English. A newline by itself does not make them
split. Any callable ``str -> list[str]`` can be given instead of a name.

``FULL_STOPS`` and ``CHINESE`` are the rules of the packages ``rouge`` 1.0.1, which ends a sentence
at every full stop, also in "3.14", and ``rouge-chinese`` 1.0.3, which ends it behind a Chinese full
stop and some other marks. In both, white space separates words, and a sentence of white space alone
has one word, the empty one.
"""

import re
import warnings
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..checks import describe_unknown, find_closest
from ..extras import needs
from ..fork_locks import make_fork_lock
from ..messages import OR_CALLABLE, describe_value, format_message, value_error
from ..samples.token_ids import IDS
from .external import check_callable, name_function
from .steps import Truncation

Split = Callable[[str], list[str]]

_importing_pysbd: Final = make_fork_lock()

# pysbd takes 0.5 to 1.5 s for a text of 20,000 characters, four times as long for twice as many.
# For each of what looks like the number of a list item, such as "1." or "i.", it may read the text
# several times: 3 s for 10,000 characters of these alone.
_SECONDS_PER_SQUARE: Final = 1.5 / 20_000**2
_SECONDS_PER_ITEM: Final = 1e-7
_ITEM: Final = re.compile(r"(?<!\S)(?:[A-Za-z]|\d\d?)\.(?!\S)")
SLOW_SECONDS: Final = 1.5
_MOST_SECONDS: Final = 60


def estimate_seconds(text: str) -> float:
    """Return how many seconds pysbd may take for a text, at most."""
    items = sum(1 for _ in _ITEM.finditer(text))
    return _SECONDS_PER_SQUARE * len(text) ** 2 + _SECONDS_PER_ITEM * items * len(text)


@dataclass(frozen=True)
class SentenceSplitter:
    """A sentence splitter and its properties; it can be called like its function.

    Attributes:
        name: name in options; for a user's callable the name of the function.
        function: from a text to its non-empty sentences.
        takes_lines: whether the sentences are the non-empty lines of the text.
        truncation: what cuts the text before it is split; None if nothing does. ``function`` does
            so.
        is_quadratic: whether its time grows with the square of the length of the text.
    """

    name: str
    function: Split
    takes_lines: bool = False
    is_quadratic: bool = False
    truncation: Truncation | None = None

    def __call__(self, text: str) -> list[str]:
        """Return the sentences of a text."""
        return self.function(text)


class SplitError(ValueError):
    """A sentence splitter failed at a text."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to pickle the error, whose ``args`` lack the text."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


def split_newline(text: str) -> list[str]:
    r"""Split a text only at ``"\n"`` into its non-empty lines.

    >>> split_newline("First sentence.\n\nSecond one.")
    ['First sentence.', 'Second one.']
    """
    # Parity: rouge_score.rouge_scorer.RougeScorer.score splits only at "\n"; U+2028, "\r" and
    # "\v" stay inside a sentence.
    return [sentence for sentence in text.split("\n") if sentence]


NEWLINE: Final = SentenceSplitter("newline", split_newline, takes_lines=True)


# All names that resolve_sentence_splitter accepts, for errors.
SENTENCE_SPLITTER_NAMES: Final = (
    "'newline', 'punkt', 'punkt-LANGUAGE' (such as 'punkt-german'), 'pysbd', "
    "'pysbd-CODE' (such as 'pysbd-de')"
)


def resolve_sentence_splitter(choice: str | Split) -> SentenceSplitter:
    """Return the splitter for a name or callable, without empty sentences; one per name."""
    if isinstance(choice, str):
        if choice == "newline":
            return NEWLINE
        kind, dash, language = choice.partition("-")
        if kind == "punkt" and bool(dash) == bool(language):
            return _load_punkt(language or "english")
        if kind == "pysbd" and bool(dash) == bool(language):
            return _load_pysbd(language or "en")
        expected = format_message("expected {}{}.", SENTENCE_SPLITTER_NAMES, OR_CALLABLE)
        meant = find_closest(choice, ("newline", "punkt", "pysbd"))
        raise ValueError(describe_unknown("sentence_splitter", choice, expected, meant))
    if not callable(choice):
        expected = format_message("expected the name of a splitter{}.", OR_CALLABLE)
        shown = f"of type {type(choice).__name__}"
        raise TypeError(describe_value("sentence_splitter", shown, expected))
    checked = check_callable("sentence_splitter", choice, "sentences")
    return SentenceSplitter(name_function(choice), _drop_empty(checked))


def _drop_empty(split: Split) -> Split:
    """Make a splitter that drops empty sentences."""
    return lambda text: [sentence for sentence in split(text) if sentence]


@cache
def _load_punkt(language: str) -> SentenceSplitter:
    """Load NLTK's ``sent_tokenize`` for a language, from NLTK's data on this machine."""
    with needs("The sentence splitter 'punkt'", "languages"):
        from nltk.tokenize.punkt import PunktTokenizer

    # The name becomes part of a path, and older versions of NLTK follow "..".
    if not language.isalpha():
        raise _unknown_punkt(language)
    try:
        split = PunktTokenizer(language).tokenize
    except (LookupError, ValueError) as error:
        raise _unknown_punkt(language) from error
    return SentenceSplitter(f"punkt-{language}", _drop_empty(split))


def _unknown_punkt(language: str) -> ValueError:
    """Return the error for a language for which NLTK has no data."""
    languages = _list_punkt_languages()
    if not languages:
        return ValueError(
            format_message(
                "{sentence_splitter} 'punkt' needs NLTK's data punkt_tab, which is not installed",
                remedy="use python -m nltk.downloader punkt_tab.",
            )
        )
    return ValueError(
        format_message(
            "Unknown language {!r} of {sentence_splitter} 'punkt'",
            language,
            expected=f"the installed punkt_tab has {', '.join(map(repr, languages))}.",
        )
    )


def _list_punkt_languages() -> list[str]:
    """List the languages of the punkt_tab that NLTK finds first; empty if there is none."""
    import nltk

    try:
        folder = Path(str(nltk.data.find("tokenizers/punkt_tab/")))
    except LookupError:
        return []
    return sorted(path.name for path in folder.glob("*/"))


@cache
def _load_pysbd(code: str) -> SentenceSplitter:
    """Load the rules of pysbd for a language."""
    # Only one thread at a time, because all threads share the warning filters.
    with (
        needs("The sentence splitter 'pysbd'", "languages"),
        _importing_pysbd,
        warnings.catch_warnings(),
    ):
        # Python 3.12 warns about escapes in pysbd's patterns when it compiles them.
        warnings.simplefilter("ignore")
        import pysbd
        from pysbd.languages import LANGUAGE_CODES
    if code not in LANGUAGE_CODES:
        raise value_error(
            "Unknown language {!r} of {sentence_splitter} 'pysbd'",
            code,
            expected=f"it has {', '.join(map(repr, sorted(LANGUAGE_CODES)))}.",
        )
    segmenter = pysbd.Segmenter(language=code, clean=False)

    def split(text: str) -> list[str]:
        seconds = estimate_seconds(text)
        if seconds > _MOST_SECONDS:
            message = format_message(
                "{sentence_splitter} 'pysbd' may take {:,.0f} s for a text of {:,} characters",
                *(seconds, len(text)),
                expected=f"at most {_MOST_SECONDS} s are allowed.",
                remedy="Use 'punkt', or put a newline between sentences and use 'newline'.",
            )
            raise SplitError(message, text)
        try:
            # A segmenter stores the text that it splits, so threads must not share one.
            return [sentence for sentence in copy(segmenter).segment(text) if sentence]
        except Exception as error:  # pysbd's regular expressions fail in many ways
            reason = f"{type(error).__name__}: {error}"
            message = format_message("{sentence_splitter} 'pysbd' fails with {}", reason)
            raise SplitError(message, text) from error

    return SentenceSplitter(f"pysbd-{code}", split, is_quadratic=True)


def make_id_splitter(separator: int | None) -> SentenceSplitter:
    """Make the sentence splitter of token ids: separators are between two sentences.

    >>> make_id_splitter(2)((7, 8, 2, 9))
    [(7, 8), (9,)]
    """

    def split(ids: Any) -> list[Any]:
        runs = groupby(ids, key=lambda number: number == separator)
        return [tuple(run) for is_separator, run in runs if not is_separator]

    return SentenceSplitter(IDS, split)


def split_full_stops(text: str) -> list[str]:
    """Split a text at each full stop into its non-empty sentences.

    >>> split_full_stops("It is 3.14. Or so...")
    ['It is 3', '14', ' Or so']
    """
    # Parity: Rouge._get_scores of rouge 1.0.1. A newline ends no sentence.
    return [sentence for sentence in text.split(".") if sentence]


# Parity: Rouge.cut_sent of rouge_chinese 1.0.3 breaks texts by these marks, one after the other. A
# match takes the character behind the break too, so that the next match begins behind it. Each
# has marks without which it does not match.
_BREAKS: Final = (
    ("。！？?", re.compile(r"([。！？?])([^”’])")),
    (("......",), re.compile(r"(\.{6})([^”’])")),
    (("……",), re.compile(r"(…{2})([^”’])")),
    ("”’", re.compile(r"([。！？?][”’])([^，。！？?])")),
)


def split_chinese(text: str) -> list[str]:
    """Split a text behind Chinese marks, and at newlines, into its non-empty sentences.

    >>> split_chinese("你 好 。 再 见 ！”他 说")
    ['你 好 。', ' 再 见 ！”', '他 说']
    >>> split_chinese("吗？？好")
    ['吗？', '？好']
    """
    for marks, pattern in _BREAKS:
        # Fast path: without one of the marks nothing matches. Two texts of 20 words take 25 µs less
        # (bench/rouge_package.py).
        if any(mark in text for mark in marks):
            text = pattern.sub(r"\1\n\2", text)
    return [sentence for sentence in text.rstrip().split("\n") if sentence]


class SentenceRules(NamedTuple):
    """How a library splits a text into sentences.

    ``blank`` is a word that no sentence can have. It stands for the empty word, which is the only
    word of a sentence of white space.
    """

    split: Split
    blank: str

    def write_lines(self, text: str, *, keeps_blank: bool) -> str:
        r"""Return a text with one sentence per line; a sentence of white space may be left out.

        >>> FULL_STOPS.write_lines("A\nb. C. ", keeps_blank=True)
        'A b\n C\n.'
        """
        blank = self.blank if keeps_blank else ""
        sentences = self.split(text)
        return "\n".join(
            [blank if line.isspace() else line.replace("\n", " ") for line in sentences]
        )


FULL_STOPS: Final = SentenceRules(split_full_stops, ".")

# No sentence has three of these in a row: unless the first of them ends a match, a match begins
# with it and breaks the row; if it does, the next match begins with the second one.
CHINESE: Final = SentenceRules(split_chinese, "。。。")
