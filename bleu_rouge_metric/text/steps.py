"""The steps around a tokenizer: a limit of words or bytes before it, stop words and stems after it.

This package does not include the lists of ROUGE-1.5.5. Its stop words (``-s``) are a file of its
distribution; its exceptions of the stemmer (``-m``) are the ``.exc`` files of WordNet.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from ..extras import needs
from ..messages import describe_value, type_error, value_error
from .align import AnyText, join_mapped
from .stemmers import StemCache

# White space separates the words of -l: that of Perl's "\s" on bytes, which is ASCII only. If a
# line begins with white space, its first word is the empty text before it.
_SPACE: Final = " \t\n\r\f\v"
_WORD: Final = re.compile(rf"\A(?=[{_SPACE}]+[^{_SPACE}])|[^{_SPACE}]+")

_EXPECTED: Final = "expected the path of a file or of a folder"

PathLikes = str | PathLike[str] | Iterable[str | PathLike[str]]


@dataclass(frozen=True)
class Truncation:
    """Cuts a text to its first words or bytes, as ROUGE-1.5.5 does; it is called like a function.

    Its options ``-l`` and ``-b`` cut both texts before anything else. With ``-b``, ROUGE-L and
    ROUGE-W also cut each sentence: ``counting/byte_limit.py``. One of the limits is None.
    """

    word_limit: int | None = None
    byte_limit: int | None = None

    def __call__(self, text: AnyText) -> AnyText:
        """Return the first words or bytes of a text, without its empty lines."""
        if isinstance(text, str):
            return "\n".join([text[start:end] for start, end in self._find_lines(text)])
        # Each line but the first one is behind a newline.
        spans = list(self._find_lines(text.text))
        return join_mapped(
            text.slice(*span)
            for index, (start, end) in enumerate(spans)
            for span in ([(start - 1, start)] if index else []) + [(start, end)]
        )

    def _find_lines(self, text: str) -> Iterator[tuple[int, int]]:
        """Iterate over what is kept of the lines that are not empty: start and end."""
        words, size = self.word_limit, self.byte_limit or 0
        start = 0
        for line in text.split("\n"):
            if (words if words is not None else size) <= 0:
                return
            if line:
                if words is not None:
                    ends = [word.end() for word in islice(_WORD.finditer(line), words)]
                    words -= len(ends)
                    yield start, start + (ends[-1] if ends else 0)
                else:
                    yield start, start + len(cut_bytes(line, size))
                    size -= len(line.encode("utf-8", "surrogatepass"))
            start += len(line) + 1


def make_truncation(word_limit: int | None, byte_limit: int | None) -> Truncation | None:
    r"""Return what cuts a text after words (``-l``) or bytes of UTF-8 (``-b``); None without limit.

    >>> make_truncation(3, None)("One two.\nThree four.")
    'One two.\nThree'
    """
    if word_limit is not None and byte_limit is not None:
        raise value_error(
            "{word_limit} is {} and {byte_limit} is {}",
            *(word_limit, byte_limit),
            expected="expected at most one of them, as ROUGE-1.5.5 has it.",
            remedy="Leave one out.",
        )
    has_limit = word_limit is not None or byte_limit is not None
    return Truncation(word_limit, byte_limit) if has_limit else None


def cut_bytes(line: str, limit: int) -> str:
    """Return the characters that lie completely in the first ``limit`` bytes.

    >>> cut_bytes("aé", 2)
    'a'
    """
    data = line.encode("utf-8", "surrogatepass")
    # Go back over the bytes that continue a character: 0b10xxxxxx.
    while limit < len(data) and data[limit] & 0xC0 == 0x80:
        limit -= 1
    return data[:limit].decode("utf-8", "surrogatepass")


@dataclass(frozen=True, eq=False)
class WordForms:
    """The steps from a token to what is counted: stop words are left out, then stems are taken.

    Forms are equal if they have the same stop words and the same object of stems.
    """

    stems: StemCache | None = None
    stop_words: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Return whether tokens have the same forms."""
        if not isinstance(other, WordForms):
            return NotImplemented
        return self.stems is other.stems and self.stop_words == other.stop_words

    def __hash__(self) -> int:
        """Return the hash."""
        return hash((id(self.stems), self.stop_words))

    def apply(self, tokens: list[str]) -> list[str]:
        """Return the forms of tokens, without those that are left out.

        >>> WordForms(stop_words=frozenset(["the"])).apply(["the", "end"])
        ['end']
        """
        if self.stop_words:
            tokens = [token for token in tokens if token not in self.stop_words]
        return tokens if self.stems is None else list(map(self.stems.__getitem__, tokens))


def read_exceptions(paths: PathLikes) -> dict[str, str]:
    """Read base forms by inflected form, from files such as WordNet's ``noun.exc``.

    Each line has an inflected form and its base form; further columns are ignored, as in
    ROUGE-1.5.5. If several lines have the same inflected form, the last one counts.

    Args:
        paths: a file; a folder, whose files named ``*.exc`` are read in the order of their names;
            or a sequence of files and folders.
    """
    base_forms: dict[str, str] = {}
    for path in _list_files(paths):
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise value_error(
                "{stemmer_exceptions}: {} is not UTF-8 ({} at byte {})",
                *(path, error.reason, error.start),
                remedy="save it as UTF-8.",
            ) from error
        for number, line in enumerate(text.split("\n"), 1):
            columns = line.split()
            if len(columns) == 1:
                raise ValueError(
                    f"{path}, line {number}, has one column, {columns[0]!r}; expected an inflected "
                    "form and its base form, as in 'geese goose'."
                )
            if columns:
                base_forms[columns[0]] = columns[1]
    return base_forms


def _list_files(paths: PathLikes) -> Iterator[Path]:
    """Iterate over the files, and over the files of the folders."""
    if not isinstance(paths, str | PathLike | Iterable):
        expected = f"{_EXPECTED}, or several."
        raise TypeError(describe_value("stemmer_exceptions", repr(paths), expected))
    for item in [paths] if isinstance(paths, str | PathLike) else paths:
        if not isinstance(item, str | PathLike):
            given = item, type(item).__name__
            expected = f"{_EXPECTED}."
            raise type_error("{stemmer_exceptions} has {!r} ({})", *given, expected=expected)
        path = Path(fspath(item))
        files = sorted(path.glob("*.exc")) if path.is_dir() else [path]
        if not files:
            raise value_error(
                "{stemmer_exceptions}: the folder {} has no file named *.exc",
                path,
                remedy="give the folder of WordNet's noun.exc, verb.exc, adj.exc and adv.exc.",
            )
        if not (path.is_dir() or path.is_file()):
            raise value_error("{stemmer_exceptions}: there is no file or folder {}.", path)
        yield from files


def resolve_stop_words(choice: str | Iterable[str] | None) -> frozenset[str]:
    """Return the words in lower case, or those that NLTK has for a language; none for None.

    >>> sorted(resolve_stop_words(["the", "of"]))
    ['of', 'the']
    """
    if isinstance(choice, str):
        return frozenset(_read_nltk_list(choice))
    if not isinstance(choice, Iterable | None):
        shown = f"of type {type(choice).__name__}"
        raise TypeError(describe_value("stop_words", shown, "expected a language or the words."))
    words = list(choice or ())
    for index, word in enumerate(words):
        if not isinstance(word, str):
            shown = f"{word!r} ({type(word).__name__})"
            raise TypeError(describe_value(f"stop_words[{index}]", shown, "expected a str."))
    return frozenset(words)


def _read_nltk_list(language: str) -> list[str]:
    with needs("A list of stop words of a language", "languages"):
        from nltk.corpus import stopwords

    try:
        languages = stopwords.fileids()
    except LookupError as error:
        raise value_error(
            "{stop_words} is {!r}, but NLTK's lists of stop words are not installed.",
            language,
            remedy="Run: python -m nltk.downloader stopwords. Or give the words themselves.",
        ) from error
    if language not in languages:
        expected = f"expected the words themselves, or one of {', '.join(sorted(languages))}."
        raise ValueError(describe_value("stop_words", repr(language), expected))
    words: list[str] = stopwords.words(language)
    return words
