"""Tokenize by splitting at ASCII punctuation, at white space, or into characters.

``tokenizers.py`` gives these functions their names. Not done here: ``intl`` and ``zh``
(``mteval.py``), ``nltk`` (``treebank.py``), words and characters of any language (``unicode.py``).
"""

import re
import string
from typing import Final

from .mteval import separate_ascii_marks
from .stemmers import porter_stems

_ALPHANUMERIC: Final = (string.ascii_lowercase + string.digits).encode()
_NON_ALPHANUMERIC_TO_SPACE: Final = bytes(
    byte if byte in _ALPHANUMERIC else ord(" ") for byte in range(256)
)
_LOWER_ALPHANUMERIC: Final = bytes(
    _NON_ALPHANUMERIC_TO_SPACE[ord(chr(byte).lower())] if byte < 128 else ord(" ")
    for byte in range(256)
)

_LOWER_ASCII: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

# What 13a replaces before it separates marks, in this order: first lines, then entities.
_LINES: Final = (("<skipped>", ""), ("-\n", ""), ("\n", " "))
# Parity: because of their order, "&amp;lt;" becomes "<".
_ENTITIES: Final = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
REPLACED_BY_13A: Final = (*_LINES, *_ENTITIES)

_WORD_OR_MARK: Final = re.compile(r"[^\W_]+|[^\w\s]|_")


def tokenize_rouge(text: str) -> list[str]:
    """Return the runs of ASCII letters and digits of the lower-cased text.

    Equals the default tokenizer of ``rouge_score`` 0.1.2 without its stemmer. Letters beyond ASCII
    are separators: ``"café"`` becomes ``["caf"]``, and Arabic, Chinese, Hindi, Russian or Thai text
    has no token at all.

    >>> tokenize_rouge("Well-known: 3.5 million!")
    ['well', 'known', '3', '5', 'million']
    """
    # Parity: rouge_score.tokenize.tokenize lower-cases all of Unicode before it filters. So the
    # Kelvin sign U+212A counts as "k", and U+0130 as "i" and a separator.
    # Fast path: equals re.findall("[a-z0-9]+", text.lower()) in 0.4 times the time on XSum
    # sentences. The encoding turns every other character, also a lone surrogate, into one "?".
    kept = text.lower().encode("ascii", "replace").translate(_NON_ALPHANUMERIC_TO_SPACE)
    return kept.decode("ascii").split()


def tokenize_rouge_stemmed(text: str) -> list[str]:
    """Return the tokens of :func:`tokenize_rouge`; stem those of more than three characters.

    Equals ``rouge_score`` 0.1.2 with ``use_stemmer=True``: NLTK's Porter stemmer in its default
    mode. The stem of a token is never empty.

    >>> tokenize_rouge_stemmed("The cats were running")
    ['the', 'cat', 'were', 'run']
    """
    # Fast path: equals calling the stemmer for each word, in a twentieth of the time.
    return list(map(porter_stems().__getitem__, tokenize_rouge(text)))


def lower_ascii(text: str) -> str:
    """Lower-case A to Z alone, as ROUGE-1.5.5 does.

    >>> lower_ascii("ÀB")
    'Àb'
    """
    return text.translate(_LOWER_ASCII)


def tokenize_rouge155(text: str) -> list[str]:
    """Return the runs of ASCII letters and digits, in lower case.

    >>> tokenize_rouge155("A well-known café: $5")
    ['a', 'well', 'known', 'caf', '5']
    """
    # Parity: ROUGE-1.5.5 lower-cases only A to Z; rouge_score lower-cases all of Unicode, so that
    # the Kelvin sign becomes a "k".
    return text.encode("ascii", "replace").translate(_LOWER_ALPHANUMERIC).decode("ascii").split()


def tokenize_13a(text: str) -> list[str]:
    """Return the tokens of the WMT tokenizer ``mteval-v13a``; case is kept.

    Equals the default tokenizer of evaluate's ``bleu`` (and sacrebleu's ``13a``).

    >>> tokenize_13a("It cost $1,000.50, not 2-3 &quot;euros&quot;.")
    ['It', 'cost', '$', '1,000.50', ',', 'not', '2', '-', '3', '"', 'euros', '"', '.']
    """
    for old, new in _LINES:
        text = text.replace(old, new)
    if "&" in text:
        for old, new in _ENTITIES:
            text = text.replace(old, new)
    return separate_ascii_marks(f" {text} ").split()


def tokenize_mteval_v11a(text: str) -> list[str]:
    """Return runs of letters and digits, and single marks, of the lower-cased text.

    Equals what the smoothed BLEU of CodeXGLUE and CodeT5 does to a text. Unlike in
    ``mteval-v11a.pl``, no mark joins words: numbers, entities and words with combining marks are
    split.

    >>> tokenize_mteval_v11a("Return self.max_len (1.5 by default)")
    ['return', 'self', '.', 'max', '_', 'len', '(', '1', '.', '5', 'by', 'default', ')']
    """
    # Parity: CodeXGLUE puts spaces around every mark but "_" before it applies the rules of
    # mteval-v11a, of which only the separation of "_" still has an effect.
    return _WORD_OR_MARK.findall(text.lower())


def tokenize_whitespace(text: str) -> list[str]:
    r"""Split at white space, as ``str.split`` does.

    >>> tokenize_whitespace("Paris  is\tfair.")
    ['Paris', 'is', 'fair.']
    """
    return text.split()


def tokenize_space(text: str) -> list[str]:
    """Split at every single space, as ``str.split(" ")`` does.

    Two spaces have an empty token between them, an empty text is one empty token, and no other
    white space separates tokens.

    >>> tokenize_space("Paris  is fair.")
    ['Paris', '', 'is', 'fair.']
    """
    # Parity: pycocoevalcap 1.2 splits so for ROUGE-L, but not for BLEU.
    return text.split(" ")


def tokenize_char(text: str) -> list[str]:
    """Return every character that is not white space; for languages written without spaces.

    >>> tokenize_char("我 爱你")
    ['我', '爱', '你']
    """
    return list("".join(text.split()))


def split_newline(text: str) -> list[str]:
    r"""Split a text only at ``"\n"`` into its non-empty lines.

    >>> split_newline("First sentence.\n\nSecond one.")
    ['First sentence.', 'Second one.']
    """
    # Parity: rouge_score.rouge_scorer.RougeScorer.score splits only at "\n"; U+2028, "\r" and
    # "\v" stay inside a sentence.
    return [sentence for sentence in text.split("\n") if sentence]
