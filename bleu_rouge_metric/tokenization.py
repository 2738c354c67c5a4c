"""Tokenizers: a text in, its list of tokens out.

The named tokenizers, and which library's each equals:

* ``rouge``: ``rouge_score`` 0.1.2 (lower case, ASCII letters and digits only);
* ``rouge-1.5.5``: ROUGE-1.5.5.pl (the same but for two characters);
* ``13a``: the tokenizer of evaluate's ``bleu`` and sacrebleu, which follows ``mteval-v13a.pl``;
* ``whitespace``: ``str.split``; ``none``, its name in sacrebleu;
* ``char``: every character that is not white space, as sacrebleu's;
* ``intl``, ``zh``: sacrebleu 2.6 (``sacrebleu_tokenization.py``);
* ``unicode``, ``grapheme``: words and characters of any language (``unicode_words.py``);
* ``ja-mecab``, ``ko-mecab``, ``spm``, ``flores101``, ``flores200``: the installed sacrebleu's
  (``external_tokenizers.py``).

Any callable ``str -> list[str]`` can be given in place of a name. Not done here: sentence
splitting (``sentences.py``).
"""

import string
from collections.abc import Callable
from typing import Final

from .external_tokenizers import EXTERNAL_TOKENIZERS, load_external_tokenizer
from .sacrebleu_tokenization import separate_ascii_marks, tokenize_intl, tokenize_zh
from .stemmers import porter_stems, snowball_stems
from .token_ids import IDS
from .unicode_words import make_unicode_tokenizer, tokenize_grapheme, tokenize_unicode

Tokenizer = Callable[[str], list[str]]

_ALPHANUMERIC: Final = (string.ascii_lowercase + string.digits).encode()
_NON_ALPHANUMERIC_TO_SPACE: Final = bytes(
    byte if byte in _ALPHANUMERIC else ord(" ") for byte in range(256)
)
_LOWER_ALPHANUMERIC: Final = bytes(
    _NON_ALPHANUMERIC_TO_SPACE[ord(chr(byte).lower())] if byte < 128 else ord(" ")
    for byte in range(256)
)


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
    return list(map(porter_stems().__getitem__, tokenize_rouge(text)))


def tokenize_rouge155(text: str) -> list[str]:
    """Runs of ASCII letters and digits, in lower case.

    >>> tokenize_rouge155("A well-known café: $5")
    ['a', 'well', 'known', 'caf', '5']
    """
    # Parity: ROUGE-1.5.5 lowers A to Z alone; rouge_score lowers as Unicode, where the Kelvin sign
    # becomes a "k".
    return text.encode("ascii", "replace").translate(_LOWER_ALPHANUMERIC).decode("ascii").split()


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
    return separate_ascii_marks(f" {text} ").split()


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
# after the other, are the tokens of the text. (13a joins "-\n"; zh and intl
# treat the first and the last character of a text unlike a character beside a newline.)
SEPARATING_LINES: Final = frozenset(
    {
        tokenize_rouge,
        tokenize_rouge_stemmed,
        tokenize_rouge155,
        tokenize_whitespace,
        tokenize_char,
        tokenize_unicode,
        tokenize_grapheme,
    }
)

TOKENIZERS: Final[dict[str, Tokenizer]] = {
    "13a": tokenize_13a,
    "rouge": tokenize_rouge,
    "rouge-1.5.5": tokenize_rouge155,
    "whitespace": tokenize_whitespace,
    "char": tokenize_char,
    "none": tokenize_whitespace,
    "intl": tokenize_intl,
    "zh": tokenize_zh,
    "unicode": tokenize_unicode,
    "grapheme": tokenize_grapheme,
    IDS: tokenize_whitespace,
}

# Every name that resolve_tokenizer knows.
TOKENIZER_NAMES: Final = (*TOKENIZERS, *EXTERNAL_TOKENIZERS)


def resolve_tokenizer(
    option: str,
    choice: str | Tokenizer,
    *,
    stemmer: bool | str = False,
    segmenter: Tokenizer | None = None,
) -> Tokenizer:
    """The function behind a tokenizer name or callable.

    Args:
        option: the option that carried the choice; named in errors.
        choice: from ``TOKENIZER_NAMES``, or a callable from a text to its list of tokens.
        stemmer: True for Porter in the ``rouge`` tokenizer, which others do not have; a language
            of NLTK's Snowball stemmers for the stems of the tokens of any tokenizer.
        segmenter: for ``unicode``: a callable from a run of text without spaces to its words.

    Returns:
        A function ``str -> list[str]``. Around a callable it checks every result. Without a
        language and a segmenter a name of this module's own always gives the same function.

    Raises:
        ValueError: a name or a language is unknown, what an external tokenizer needs is not
            installed, or a segmenter is given to a tokenizer that has none.
        TypeError: the choice is neither a str nor callable, or the segmenter is not callable.
    """
    tokenize = _find_tokenizer(option, choice, segmenter)
    if isinstance(stemmer, str):
        stems = snowball_stems(stemmer)
        return lambda text: list(map(stems.__getitem__, tokenize(text)))
    return tokenize_rouge_stemmed if stemmer and tokenize is tokenize_rouge else tokenize


def _find_tokenizer(option: str, choice: str | Tokenizer, segmenter: Tokenizer | None) -> Tokenizer:
    """``resolve_tokenizer`` without a stemmer."""
    if segmenter is not None:
        if not callable(segmenter):
            raise TypeError(
                f"segmenter is of type {type(segmenter).__name__}; "
                "expected a callable str -> list[str]."
            )
        if choice != "unicode":
            shown = repr(choice) if isinstance(choice, str) else "a callable"
            raise ValueError(
                f"segmenter is given, but {option} is {shown}; only 'unicode' uses a segmenter. "
                f"Use {option}='unicode', or leave the segmenter out."
            )
        return make_unicode_tokenizer(check_callable("segmenter", segmenter, "words"))
    if isinstance(choice, str):
        if choice in TOKENIZERS:
            return TOKENIZERS[choice]
        if choice in EXTERNAL_TOKENIZERS:
            return load_external_tokenizer(option, choice)
        names = ", ".join(map(repr, TOKENIZER_NAMES))
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
