"""Read word lists that the user provides: stop words, and exceptions of the stemmer.

This package does not include the lists of ROUGE-1.5.5. Its stop words (``-s``) are a file of its
distribution; its exceptions (``-m``) are the ``.exc`` files of WordNet.
"""

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from ..extras import needs
from ..messages import describe_value, type_error, value_error

_EXPECTED: Final = "expected the path of a file or of a folder"

PathLikes = str | PathLike[str] | Iterable[str | PathLike[str]]


def read_exceptions(paths: PathLikes) -> dict[str, str]:
    """Read base forms by inflected form, from files such as WordNet's ``noun.exc``.

    Each line has an inflected form and its base form; further columns are ignored, as in
    ROUGE-1.5.5. If several lines have the same inflected form, the last one counts.

    Args:
        paths: a file; a folder, whose files named ``*.exc`` are read in the order of their names;
            or a sequence of files and folders.

    Raises:
        TypeError: a path is neither a str nor a path.
        ValueError: a path does not exist, a folder has no ``.exc`` file, or a line has one column.
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
        raise TypeError(
            describe_value("stemmer_exceptions", repr(paths), f"{_EXPECTED}, or several.")
        )
    for item in [paths] if isinstance(paths, str | PathLike) else paths:
        if not isinstance(item, str | PathLike):
            raise type_error(
                "{stemmer_exceptions} has {!r} ({})",
                *(item, type(item).__name__),
                expected=f"{_EXPECTED}.",
            )
        path = Path(fspath(item))
        if path.is_dir():
            files = sorted(path.glob("*.exc"))
            if not files:
                raise value_error(
                    "{stemmer_exceptions}: the folder {} has no file named *.exc",
                    path,
                    remedy="give the folder of WordNet's noun.exc, verb.exc, adj.exc and adv.exc.",
                )
            yield from files
        elif path.is_file():
            yield path
        else:
            reason = "{stemmer_exceptions}: there is no file or folder {}."
            raise value_error(reason, path)


def resolve_stop_words(choice: str | Iterable[str] | None) -> frozenset[str]:
    """Return the stop words that the option ``stop_words`` chooses.

    Args:
        choice: a language for which NLTK has stop words, or the words themselves, in lower case;
            None for no stop words.

    Raises:
        TypeError: the choice is not iterable, or a word is not a str.
        ValueError: NLTK has no list for the language, or its lists are not installed.

    >>> sorted(resolve_stop_words(["the", "of"]))
    ['of', 'the']
    """
    if choice is None:
        return frozenset()
    if isinstance(choice, str):
        return frozenset(_read_nltk_list(choice))
    if not isinstance(choice, Iterable):
        shown = f"of type {type(choice).__name__}"
        raise TypeError(describe_value("stop_words", shown, "expected a language or the words."))
    words = list(choice)
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
