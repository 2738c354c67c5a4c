"""What other packages and users bring: tokenizers of sacrebleu, segmenters, and callables.

``ja-mecab`` and ``ko-mecab`` are morphological analysers. ``flores101`` (also ``spm``) and
``flores200`` are the SentencePiece models of spBLEU, which sacrebleu downloads on first use. The
tokens equal sacrebleu's.

Segmenters find the words of scripts without spaces. ``jieba`` (Chinese) and ``pythainlp`` (Thai,
the engine newmm) have their dictionaries with them. ``fugashi`` (Japanese) uses the dictionary that
is installed, as the package itself does: UniDic, or else unidic-lite; the two split some words
differently. What XL-Sum's ROUGE does with these packages is in ``xlsum.py``.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..checks import describe_unknown, find_closest
from ..extras import describe_missing
from ..fork_locks import make_fork_lock
from ..messages import (
    OR_CALLABLE,
    Argument,
    describe_value,
    format_message,
    type_error,
    value_error,
)

Segment = Callable[[str], list[str]]

_importing_jieba: Final = make_fork_lock()


@dataclass(frozen=True)
class SacrebleuTokenizer:
    """A class of a module of ``sacrebleu.tokenizers`` as a function; the first text loads it."""

    module: str
    name: str

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        tokens: list[str] = _load(self.module, self.name)(text).split()
        return tokens

    def signature(self) -> str:
        """Return what a signature of sacrebleu calls the tokenizer; some say their version."""
        name: str = _load(self.module, self.name).signature()
        return name


@cache
def _load(module: str, name: str) -> Any:
    return getattr(import_module(f"sacrebleu.tokenizers.{module}"), name)()


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
    """A segmenter: from a text to its words; ``needs`` are arguments of ``pip install``."""

    function: Segment
    needs: str


SEGMENTERS: Final = {
    "jieba": Segmenter(segment_jieba, "jieba"),
    "fugashi": Segmenter(segment_fugashi, "fugashi unidic-lite"),
    "pythainlp": Segmenter(segment_pythainlp, "pythainlp"),
}


def resolve_segmenter(choice: str | Segment) -> Segment:
    """Return the function of a segmenter that is given by name, or the given function."""
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
    check_installed("segmenter", choice, needs, function)
    return function


def check_installed(option: str, name: str, needs: str, function: Segment) -> None:
    """Load what a tokenizer or a segmenter needs; ``needs`` are arguments of ``pip install``."""
    try:
        function("")
    # sacrebleu and fugashi raise RuntimeError if a library or a dictionary is missing, and
    # sacrebleu raises AssertionError if it finds a wrong dictionary.
    except (ImportError, RuntimeError, AssertionError) as error:
        feature = f"The {'segmenter' if option == 'segmenter' else 'tokenizer'} {name!r}"
        reason = "a package or a dictionary that is not installed"
        raise ImportError(describe_missing(feature, reason, needs)) from error
    except OSError as error:
        raise value_error(
            "{} is {!r}, but its SentencePiece model cannot be fetched or read ({}).",
            *(Argument(option), name, error),
            remedy="Connect to the network, or set SACREBLEU to a folder with the model under "
            "models/.",
        ) from error


def name_function(function: object) -> str:
    """Return the name of a user's function, or of the type of a callable without a name.

    >>> name_function(len)
    'len'
    """
    return str(getattr(function, "__name__", type(function).__name__))


def check_callable(option: str, function: Segment, content: str) -> Segment:
    """Wrap a user's function to raise TypeError unless it returns a list (or tuple) of str.

    ``content`` is what the list holds ("tokens", "sentences"), for errors.
    """
    expected = f"expected a list of str ({content})."

    def checked(text: str) -> list[str]:
        result = function(text)
        if not isinstance(result, list | tuple):
            given = Argument(option), type(result).__name__, _shorten(text)
            raise type_error("{} returned {} for the text {}", *given, expected=expected)
        for index, item in enumerate(result):
            if not isinstance(item, str):
                raise type_error(
                    "{} returned a list whose item {} is {} ({}) for the text {}",
                    *(Argument(option), index, _shorten(item), type(item).__name__),
                    _shorten(text),
                    expected=expected,
                )
        return list(result)

    return checked


def _shorten(value: object) -> str:
    """Return the ``repr`` of a value, cut to at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
