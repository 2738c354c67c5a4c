"""Warn about words that lose letters, because a tokenizer keeps only ASCII letters and digits.

Of the German "für" the tokenizers of ROUGE leave "f" and "r", which match in other words. The
warning does not change scores. The check reads few texts, and skips ASCII texts: it takes some 5 µs
for the first batch of English.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ..messages import Argument, format_message
from ..samples.arrow_texts import list_texts
from ..samples.inputs import Samples
from .warnings import MOST_LOOKED_AT, warn_caller

# The name of the warning in a set of warnings that were given.
LETTERS: Final = "letters"

_ASCII: Final = bytes(range(128))
_KEPT: Final = re.compile("[A-Za-z0-9]")
_LETTER: Final = re.compile(r"[^\W\d_]|[\u0300-\u036f]")
# A letter may be followed by its accent.
_WORD: Final = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")

# Measured on texts in 45 languages: French, German, Italian, Polish, Turkish and Vietnamese reach
# both numbers, English and Dutch do not. English reviews that repeat "Café" have one such word.
_LEAST_WORDS: Final = 3
_MOST_CHARACTERS_PER_WORD: Final = 300
# How much of a word is shown.
_MOST_SHOWN: Final = 30


@dataclass
class LetterLosses:
    """Detect whether a tokenizer for ASCII drops letters of many words.

    This is so if at least three different words, and one word per 300 characters, have a letter
    that is not ASCII. The first 32 predictions and as many references are checked; texts of which
    nothing is left are not, because there is another warning about them. Samples may come in
    batches.

    Attributes:
        warned: names of the warnings that were given; several objects may share it.
        looked_at: how many samples were checked.
        characters: how many characters the checked texts have.
        words: all checked words that lose letters.

    >>> losses = LetterLosses()
    >>> losses.read(["Für die Prüfung übte sie", "Sie übt für die Prüfung"])
    >>> losses.has_many, losses.words[:3]
    (True, ['Für', 'Prüfung', 'übte'])
    """

    warned: set[str] = field(default_factory=set)
    looked_at: int = 0
    characters: int = 0
    words: list[str] = field(default_factory=list)

    def add(self, samples: Samples) -> None:
        """Check more samples."""
        left = MOST_LOOKED_AT - self.looked_at
        if left <= 0 or LETTERS in self.warned:
            return
        predictions = list_texts(samples.predictions[:left])
        self.looked_at += len(predictions)
        self.read(predictions)
        self.read(list_texts(samples.references[:left]))

    def read(self, texts: Sequence[str]) -> None:
        """Check more texts."""
        self.characters += sum(map(len, texts))
        others = list(itertools.filterfalse(str.isascii, texts))
        # Fast path: without it nothing changes. It finds texts that have only punctuation beyond
        # ASCII together, in a quarter of the time.
        code = "".join(others).encode("utf-8", "surrogatepass").translate(None, _ASCII)
        if not _LETTER.search(code.decode("utf-8", "surrogatepass")):
            return
        for text in others:
            if not _KEPT.search(text):
                self.characters -= len(text)
                continue
            pieces = " ".join(itertools.filterfalse(str.isascii, text.split()))
            self.words += itertools.filterfalse(str.isascii, _WORD.findall(pieces))

    @property
    def has_many(self) -> bool:
        """Whether so many words lose letters that there is a warning."""
        return (
            self.characters <= _MOST_CHARACTERS_PER_WORD * len(self.words)
            and len(_find_different(self.words)) >= _LEAST_WORDS
        )

    def warn(self, choices: Sequence[tuple[str, object]]) -> bool:
        """Warn, once, if many words lose letters.

        Args:
            choices: options that chose a tokenizer for ASCII, such as ``rouge_tokenizer``, each
                with its value.

        Returns:
            Whether it warned.
        """
        if LETTERS in self.warned or not self.has_many:
            return False
        self.warned.add(LETTERS)
        for option, choice in choices:
            warn_of_letters(option, choice, self.words)
        return True


def warn_of_letters(option: str, choice: object, words: Sequence[str] = ()) -> None:
    """Warn that words lose letters; show three different ones if they are known."""
    shown = [repr(word[:_MOST_SHOWN]) for word in _find_different(words)[:_LEAST_WORDS]]
    which = f"such as {', '.join(shown[:-1])} and {shown[-1]} " if shown else "with other letters "
    warn_caller(
        format_message(
            "The {!r} tokenizer keeps only ASCII letters and digits, so that words {}lose letters",
            *(choice, which),
            remedy=format_message(
                "use {}, which finds the words of every language.",
                Argument(option, "=", "unicode"),
            ),
        )
    )


def _find_different(words: Sequence[str]) -> list[str]:
    """Return different words, in order; words that differ in case alone are the same."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word.casefold(), word)
    return list(first.values())
