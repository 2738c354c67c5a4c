"""Segmenters: the words of scripts without spaces between words, by the name of a package.

``jieba`` (Chinese) and ``pythainlp`` (Thai, the engine newmm) have their dictionaries with them.
``fugashi`` (Japanese) uses the dictionary that is installed, as the package itself does: UniDic, or
else unidic-lite; the two split some words differently. What XL-Sum's ROUGE does with these packages
is in ``xlsum.py``.
"""

import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..checks import describe_unknown, find_closest
from ..extras import describe_missing
from ..fork_locks import make_fork_lock
from ..messages import OR_CALLABLE, describe_value, format_message

Segment = Callable[[str], list[str]]

_importing_jieba: Final = make_fork_lock()


@cache
def load_jieba() -> Any:
    """Return ``cut`` of jieba, from a text to its words; its dictionary is loaded."""
    import logging

    # Only one thread at a time, because all threads share the warning filters and the level.
    with _importing_jieba, warnings.catch_warnings():
        # Python 3.12 warns about escapes in jieba's patterns, and setuptools about pkg_resources.
        warnings.simplefilter("ignore")
        jieba: Any = import_module("jieba")
        logger = logging.getLogger(jieba.__name__)
        level = logger.level
        # jieba writes four lines about its dictionary to standard error.
        logger.setLevel(logging.WARNING)
        try:
            jieba.initialize()
        finally:
            logger.setLevel(level)
    return jieba.cut


@cache
def load_pythainlp() -> Any:
    """Return ``word_tokenize`` of pythainlp."""
    return import_module("pythainlp.tokenize").word_tokenize


@cache
def load_fugashi(arguments: str) -> Any:
    """Return a tagger of fugashi with arguments of MeCab."""
    return import_module("fugashi").Tagger(arguments)


@cache
def load_mecab(dictionary: str, arguments: str) -> Any:
    """Return a tagger of fugashi with the dictionary of a package, whatever else is installed."""
    folder = Path(import_module(dictionary).DICDIR)
    arguments = f'-r "{folder / "mecabrc"}" -d "{folder}" {arguments}'
    return import_module("fugashi").GenericTagger(arguments)


def segment_jieba(text: str) -> list[str]:
    """Return the words of jieba; a space is a word, too."""
    return list(load_jieba()(text))


def segment_pythainlp(text: str) -> list[str]:
    """Return the words of pythainlp's engine ``newmm``; a space is a word, too."""
    words: list[str] = load_pythainlp()(text, engine="newmm")
    return words


def segment_fugashi(text: str) -> list[str]:
    """Return the words of MeCab."""
    words: list[str] = load_fugashi("-Owakati").parse(text).split()
    return words


class Segmenter(NamedTuple):
    """A segmenter.

    Attributes:
        function: from a text to its words.
        needs: arguments of the ``pip install`` that it needs.
    """

    function: Segment
    needs: str


SEGMENTERS: Final = {
    "jieba": Segmenter(segment_jieba, "jieba"),
    "fugashi": Segmenter(segment_fugashi, "fugashi unidic-lite"),
    "pythainlp": Segmenter(segment_pythainlp, "pythainlp"),
}


def resolve_segmenter(choice: str | Segment) -> Segment:
    """Return the function of a segmenter that is given by name, or the given function.

    Raises:
        ImportError: what the segmenter needs is not installed.
        ValueError: the name is unknown.
        TypeError: the choice is neither a str nor callable.
    """
    if not isinstance(choice, str):
        if not callable(choice):
            expected = format_message("expected the name of a segmenter{}.", OR_CALLABLE)
            shown = f"of type {type(choice).__name__}"
            raise TypeError(describe_value("segmenter", shown, expected))
        return choice
    if choice not in SEGMENTERS:
        expected = format_message("expected {}{}.", ", ".join(map(repr, SEGMENTERS)), OR_CALLABLE)
        meant = find_closest(choice, SEGMENTERS)
        raise ValueError(describe_unknown("segmenter", choice, expected, meant))
    function, needs = SEGMENTERS[choice]
    try:
        function("")
    # fugashi raises RuntimeError without a dictionary.
    except (ImportError, RuntimeError) as error:
        feature = f"The segmenter {choice!r}"
        raise ImportError(
            describe_missing(feature, "a package or a dictionary that is not installed", needs)
        ) from error
    return function
