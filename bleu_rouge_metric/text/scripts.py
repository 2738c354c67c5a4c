"""Warn about texts of languages that a tokenizer is not made for. Warnings do not change scores.

Tokenizers for spaced text do not split scripts without spaces: a whole sentence of Chinese,
Japanese or Thai is then one token, and a score of 0 says nothing about the text. Tokenizers that
keep only ASCII letters and digits leave "f" and "r" of the German "für", which match in other
words.

At most 32 samples of a batch are looked at, and ASCII texts are skipped: a batch of English takes
some 20 µs, and letters 5 µs.
"""

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..messages import Argument, format_message
from ..samples.arrow_texts import list_texts
from ..samples.inputs import Samples
from .tokenizer import Tokenize, Tokenizer
from .warnings import MOST_LOOKED_AT, warn_caller

_KANA: Final = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_SOUTHEAST_ASIAN: Final = {
    "Thai": "\u0e00-\u0e7f",
    "Lao": "\u0e80-\u0eff",
    "Khmer": "\u1780-\u17ff\u19e0-\u19ff",
    "Burmese": "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f",
}
# Patterns, which re compiles on first use: that takes 5 ms.
_UNSPACED: Final = f"[{_KANA}{_HAN}{''.join(_SOUTHEAST_ASIAN.values())}]"

# The first language with characters in the text is its language: Japanese comes before Chinese
# because it also has Chinese characters.
_LANGUAGES: Final = {
    name: f"[{characters}]"
    for name, characters in {"Japanese": _KANA, "Chinese": _HAN, **_SOUTHEAST_ASIAN}.items()
}
_REMEDIES: Final = {"Chinese": "zh", "Japanese": ("ja-mecab", "char")}
_OTHER_REMEDY: Final = ("char", "flores200")
_NONE: Final[Mapping[str, str]] = {}
# Tokenizers of ROUGE that split sentences as they split whole texts.
_SENTENCE_REMEDIES: Final = {
    "Chinese": "zh-jieba",
    "Japanese": "ja-unidic-lite",
    "Thai": "th-pythainlp",
    "Burmese": "my-syllables",
}

# Words of these scripts have fewer characters on average, marks included.
_LONGEST_WORD: Final = 8
# How many characters of a text are checked.
_MOST_CHARACTERS: Final = 1000

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


def warn_if_unsplit(
    samples: Samples,
    option: str,
    tokenizer: Tokenizer,
    remedies: Mapping[str, str] = _NONE,
    *,
    sentence_types: Sequence[str] = (),
) -> bool:
    """Warn if a tokenizer does not split texts of a script without spaces; say whether.

    It warns if at least a tenth of the checked samples have such a prediction or first reference.
    ``remedies`` say what to do in place of another tokenizer, by language; ``sentence_types`` are
    the types for which sentences are split.
    """
    count = len(samples.predictions)
    # The checked samples are spread over the batch, because its languages may be in blocks.
    firsts = samples.list_firsts(slice(None, None, -(-count // MOST_LOOKED_AT)))
    single = tokenizer.of_sentences if sentence_types else None
    how = (tokenizer.function, None) if single is None else (single.function, tokenizer.function)
    found = [
        _find_unsplit(prediction, *how) or _find_unsplit(reference, *how)
        for prediction, reference in firsts
    ]
    languages = Counter(filter(None, found))
    if 10 * languages.total() < len(found) or not languages:
        return False
    language = languages.most_common(1)[0][0]
    share = (
        f", in {languages.total()} of {len(found)} {samples.noun} looked at" if count > 1 else ""
    )
    choice = Argument(option, "=", _REMEDIES.get(language, _OTHER_REMEDY))
    remedy = remedies.get(language) or format_message("use {}.", choice)
    what = "text, which has"
    if sentence_types:
        choice = Argument(option, "=", _SENTENCE_REMEDIES.get(language, "unicode"))
        remedy = format_message("use {}, which splits sentences, too.", choice)
        what, share = "sentences, which have", f" for {' and '.join(sentence_types)}{share}"
    warn_caller(
        format_message(
            "The {!r} tokenizer leaves {} {} no spaces, in one piece{}, so that hardly anything "
            "there can match",
            *(tokenizer.name, language, what, share),
            remedy=remedy,
        )
    )
    return True


def _find_unsplit(
    text: str, tokenize: Tokenize, tokenize_text: Tokenize | None = None
) -> str | None:
    """Return the language of a text mostly in such a script, if the tokenizer hardly splits it.

    With another tokenizer of whole texts, finding half as many words is hardly splitting, too.

    >>> _find_unsplit("我喜欢看书。", str.split), _find_unsplit("我 喜欢 看书 。", str.split)
    ('Chinese', None)
    """
    # Fast path: the regular expression finds nothing in ASCII, and takes 20 times as long.
    if text.isascii():
        return None
    text = text[:_MOST_CHARACTERS]
    characters = len(re.findall(_UNSPACED, text))
    if 2 * characters < len("".join(text.split())) or not characters:
        return None
    tokens = _count_unspaced(tokenize(text))
    words = 0 if tokenize_text is None else _count_unspaced(tokenize_text(text))
    # A single token of more than two characters counts, because no part of it can match.
    is_split = characters <= (2 if tokens == 1 else _LONGEST_WORD * tokens)
    if is_split and (characters <= 2 or 2 * tokens > words):
        return None
    return next(name for name, letters in _LANGUAGES.items() if re.search(letters, text))


def _count_unspaced(tokens: Sequence[str]) -> int:
    """Count the tokens that have a character of such a script."""
    return sum(re.search(_UNSPACED, token) is not None for token in tokens)


@dataclass
class LetterLosses:
    """Detect whether a tokenizer for ASCII drops letters of many words.

    This is so if at least three different words, and one word per 300 characters, have a letter
    that is not ASCII. The first 32 predictions and as many references are checked; texts of which
    nothing is left are not, because there is another warning about them. Samples may come in
    batches; several objects may share the names of the warnings that were given.

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
        """Warn, once, if many words lose letters, and return whether it warned.

        ``choices`` are the options that chose a tokenizer for ASCII, each with its value.
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
