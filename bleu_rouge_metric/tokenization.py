"""Tokenizers: a text in, its list of tokens out.

Four named tokenizers, each equal to the one that a reference library uses:

* ``rouge``: ``rouge_score`` 0.1.2 (lower case, ASCII letters and digits only);
* ``13a``: the tokenizer of evaluate's ``bleu`` and sacrebleu, which follows ``mteval-v13a.pl``;
* ``whitespace``: ``str.split``;
* ``char``: every character that is not white space.

Not done here: sentence splitting (``sentences.py``) and tokenizers for languages that need a
dictionary. Any callable ``str -> list[str]`` can be given in place of a name.
"""

import re
import string
from collections.abc import Callable
from functools import cache
from typing import Final

Tokenizer = Callable[[str], list[str]]
Stemmer = Callable[[str], str]

_ALPHANUMERIC: Final = (string.ascii_lowercase + string.digits).encode()
_NON_ALPHANUMERIC_TO_SPACE: Final = bytes(
    byte if byte in _ALPHANUMERIC else ord(" ") for byte in range(256)
)

_LONGEST_UNSTEMMED: Final = 3

# Bound of the memory of stems: 65,536 words of at most 64 characters, about 16 MB when full. A
# natural text has fewer frequent words than that, and a longer "word" is not worth a place.
_REMEMBERED_STEMS: Final = 1 << 16
_LONGEST_REMEMBERED: Final = 64


def tokenize_rouge(text: str) -> list[str]:
    """Runs of ASCII letters and digits of the lower-cased text.

    Equals the default tokenizer of ``rouge_score`` 0.1.2 without its stemmer. Letters beyond ASCII
    are separators: ``"café"`` becomes ``["caf"]``, and Arabic, Chinese, Hindi, Russian or Thai text
    has no token at all.

    >>> tokenize_rouge("Well-known: 3.5 million!")
    ['well', 'known', '3', '5', 'million']
    """
    # Parity: rouge_score.tokenize.tokenize lowers as Unicode before it filters, so the Kelvin sign
    # U+212A counts as "k" and U+0130 as "i" and a separator.
    # Fast path: equals re.findall("[a-z0-9]+", text.lower()); takes 0.4 times as long on XSum
    # sentences. The encoding turns every other character, lone surrogates too, into one "?".
    kept = text.lower().encode("ascii", "replace").translate(_NON_ALPHANUMERIC_TO_SPACE)
    return kept.decode("ascii").split()


def tokenize_rouge_stemmed(text: str) -> list[str]:
    """Tokens of :func:`tokenize_rouge`, those of more than three characters stemmed.

    Equals ``rouge_score`` 0.1.2 with ``use_stemmer=True``: NLTK's Porter stemmer in its default
    mode. The stem of a token is never empty.

    >>> tokenize_rouge_stemmed("The cats were running")
    ['the', 'cat', 'were', 'run']
    """
    # Fast path: equals a call of the stemmer for each word, in a twentieth of the time.
    return list(map(_remembered_stems().__getitem__, tokenize_rouge(text)))


@cache
def _remembered_stems() -> "_StemMemory":
    """The one memory of stems, shared by all texts."""
    # NLTK takes 0.1 to 0.3 s to import: only those who ask for the stemmer pay for it.
    from nltk.stem.porter import PorterStemmer

    return _StemMemory(PorterStemmer().stem)


class _StemMemory(dict[str, str]):
    """Stems of words by word, within a bound."""

    def __init__(self, stem_word: Stemmer) -> None:
        super().__init__()
        self._stem_word = stem_word

    def __missing__(self, word: str) -> str:
        # Parity: rouge_score stems words of more than three characters.
        stem = self._stem_word(word) if len(word) > _LONGEST_UNSTEMMED else word
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_STEMS:
                self.clear()
            self[word] = stem
        return stem


# Source: mteval-v13a.pl, "language-dependent part". ASCII punctuation other than the apostrophe,
# comma, hyphen and full stop always stands alone.
_SYMBOL: Final = re.compile(
    "([" + re.escape("".join(sorted(set(string.punctuation) - set("',-.")))) + "])"
)
# Parity: evaluate's tokenizer_13a and sacrebleu consume the neighbour together with the mark, so
# that in " ,.5" the full stop stays with the digit. A look-around would separate it.
_POINT_AFTER_NON_DIGIT: Final = re.compile(r"([^0-9])([.,])")
_POINT_BEFORE_NON_DIGIT: Final = re.compile(r"([.,])([^0-9])")
_HYPHEN_AFTER_DIGIT: Final = re.compile(r"([0-9])(-)")


def tokenize_13a(text: str) -> list[str]:
    """Tokens of the WMT tokenizer ``mteval-v13a``; case is kept.

    Equals the default tokenizer of evaluate's ``bleu`` (and sacrebleu's ``13a``).

    >>> tokenize_13a("It cost $1,000.50, not 2-3 &quot;euros&quot;.")
    ['It', 'cost', '$', '1,000.50', ',', 'not', '2', '-', '3', '"', 'euros', '"', '.']
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        # Parity: in this order, so that "&amp;lt;" becomes "<".
        text = text.replace("&quot;", '"').replace("&amp;", "&")
        text = text.replace("&lt;", "<").replace("&gt;", ">")
    text = _SYMBOL.sub(r" \1 ", f" {text} ")
    if "." in text or "," in text:
        text = _POINT_AFTER_NON_DIGIT.sub(r"\1 \2 ", text)
        text = _POINT_BEFORE_NON_DIGIT.sub(r" \1 \2", text)
    if "-" in text:
        text = _HYPHEN_AFTER_DIGIT.sub(r"\1 \2 ", text)
    return text.split()


def tokenize_whitespace(text: str) -> list[str]:
    r"""Words between white space, as ``str.split`` finds them.

    >>> tokenize_whitespace("Paris  is\tfair.")
    ['Paris', 'is', 'fair.']
    """
    return text.split()


def tokenize_char(text: str) -> list[str]:
    """Every character that is not white space; for languages written without spaces.

    >>> tokenize_char("我 爱你")
    ['我', '爱', '你']
    """
    return list("".join(text.split()))


# Tokenizers to which a newline is as good as the end of the text: the tokens of the lines, one line
# after the other, are the tokens of the text. (13a joins "-\n".)
SEPARATING_LINES: Final = frozenset(
    {tokenize_rouge, tokenize_rouge_stemmed, tokenize_whitespace, tokenize_char}
)

TOKENIZERS: Final[dict[str, Tokenizer]] = {
    "13a": tokenize_13a,
    "rouge": tokenize_rouge,
    "whitespace": tokenize_whitespace,
    "char": tokenize_char,
}


def resolve_tokenizer(option: str, choice: str | Tokenizer, *, stem: bool = False) -> Tokenizer:
    """The function behind a tokenizer name or callable.

    Args:
        option: the option that carried the choice; named in errors.
        choice: a key of ``TOKENIZERS``, or a callable from a text to its list of tokens.
        stem: whether ``rouge`` stems its tokens. Other tokenizers have no stemmer.

    Returns:
        A function ``str -> list[str]``. Around a callable it checks every result.

    Raises:
        ValueError: the name is unknown.
        TypeError: the choice is neither a str nor callable.
    """
    if isinstance(choice, str):
        if choice == "rouge" and stem:
            return tokenize_rouge_stemmed
        if choice in TOKENIZERS:
            return TOKENIZERS[choice]
        names = ", ".join(repr(name) for name in TOKENIZERS)
        raise ValueError(
            f"Unknown {option} {choice!r}; expected {names} or a callable str -> list[str]."
        )
    if not callable(choice):
        raise TypeError(
            f"{option} is of type {type(choice).__name__}; "
            "expected the name of a tokenizer or a callable str -> list[str]."
        )
    return check_callable(option, choice, "tokens")


def check_callable(option: str, function: Tokenizer, content: str) -> Tokenizer:
    """The user's function, with each of its results checked to be a list (or tuple) of str.

    Args:
        option: the option that carried the function; named in errors.
        function: called with one text.
        content: what the list holds ("tokens", "sentences"); named in errors.

    Returns:
        A function that raises TypeError where the user's returns anything else.
    """

    def checked(text: str) -> list[str]:
        result = function(text)
        if not isinstance(result, list | tuple):
            raise TypeError(
                f"{option} returned {type(result).__name__} for the text {_shorten(text)}; "
                f"expected a list of str ({content})."
            )
        for index, item in enumerate(result):
            if not isinstance(item, str):
                raise TypeError(
                    f"{option} returned a list whose item {index} is {_shorten(item)} "
                    f"({type(item).__name__}) for the text {_shorten(text)}; "
                    f"expected a list of str ({content})."
                )
        return list(result)

    return checked


def _shorten(value: object) -> str:
    """The ``repr`` of a value, at most 60 characters long."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
