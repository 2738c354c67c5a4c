"""The words of ``nltk``: tokens of the Penn Treebank's style, as ``word_tokenize`` finds them.

Equals NLTK 3.10's ``word_tokenize(text, preserve_line=True)``, which takes the text as one
sentence: only a full stop at the end of the text becomes a token of its own. It loads no model. Not
done here: splitting a text into sentences first, which ``word_tokenize`` does by default.
"""

import re
from functools import cache
from typing import Any, Final

# What may follow the full stop that ends a text, mixed with spaces.
_CLOSING: Final = " ])}>\"'»”’"

_OPENING_MARKS: Final = re.compile("[«“‘„]|`+")
_OPENING_QUOTES: Final = re.compile(r"""(?<=[ <({[])(?:''|")""")
_LAST_POINT: Final = re.compile("[,:]$")
_MARKS: Final = re.compile(r"[!?;@#$%&\u2012-\u2015]|\.\.+")
_APOSTROPHE_BEFORE_SPACE: Final = re.compile("(?<=[^'])' ")
_BRACKETS: Final = re.compile(r"[][{}()<>*]|--")
_CLOSING_MARKS: Final = re.compile("[»”’]|''")
# Clitics at the end of a word. Those of the second pattern are separated afterwards.
# Parity: so both clitics of "who'll's" are separated, but "I'd've" becomes "I'd" and "'ve".
_SHORT_CLITICS: Final = re.compile(r"(?<=[^' ])'[DMSdms]?(?= )")
_LONG_CLITICS: Final = re.compile(r"(?<=[^' ])(?:'(?:ll|LL|re|RE|ve|VE)|n't|N'T)(?= )")
_JOINED_WORDS: Final = re.compile(
    r"\b(?:cannot|d'ye|gimme|gonna|gotta|lemme|more'n|wanna(?=\s))\b", re.IGNORECASE
)
# Parity: one after the other, so that both words of "'tis'twas" are split.
_JOINED_IT: Final = [re.compile(rf"(?<= )('t)({verb})\b", re.IGNORECASE) for verb in ("is", "was")]


def tokenize_nltk(text: str) -> list[str]:
    r"""Return words, clitics and marks; quotation marks become ``\`\``` and ``''``.

    >>> tokenize_nltk("They'll say \"don't\", for $3.88.")
    ['They', "'ll", 'say', '``', 'do', "n't", "''", ',', 'for', '$', '3.88', '.']
    """
    patterns = compile_treebank()
    return _separate_clitics(_separate_marks(text, *patterns[:2]), patterns[2]).split()


@cache
def compile_treebank() -> tuple[Any, Any, Any]:
    """Compile the patterns: an apostrophe before a word, a comma before no digit, white space."""
    # Parity: NLTK 3.10 uses the library regex for these, whose letters, digits and white space
    # differ from those of re: a combining mark is in a word, U+001C to U+001F are not white space.
    import regex

    return (
        regex.compile(r"(?<!\w)'(?=\w)(?!(?:d|ll|m|n|re|s|t|ve)\b)", regex.IGNORECASE),
        # Parity: the next character is consumed, so that the second comma of ",,a" stays with "a".
        regex.compile(r"([,:])(\D)"),
        regex.compile(r"\s+"),
    )


def _separate_marks(text: str, apostrophe: Any, point: Any) -> str:
    """Put spaces around punctuation, and rewrite quotation marks that open."""
    text = _OPENING_MARKS.sub(r" \g<0> ", text)
    if text.startswith('"'):
        text = "``" + text[1:]
    text = text.replace("``", " `` ")
    text = _OPENING_QUOTES.sub(" `` ", text)
    text = apostrophe.sub("' ", text)
    text = _separate_last_stop(text)
    text = point.sub(r" \1 \2", text)
    text = _LAST_POINT.sub(r" \g<0> ", text)
    text = _MARKS.sub(r" \g<0> ", text)
    # Parity: before brackets are separated, so that the apostrophe of "a')" is not.
    text = _APOSTROPHE_BEFORE_SPACE.sub(" ' ", text)
    return _BRACKETS.sub(r" \g<0> ", text)


def _separate_last_stop(text: str) -> str:
    """Put spaces around the full stop that ends a text, and nothing but closing marks follows."""
    stop = text.rfind(".")
    if stop < 1 or text[stop - 1] == ".":
        return text
    after = text[stop + 1 :]
    behind = after.lstrip(_CLOSING)
    if behind and compile_treebank()[2].fullmatch(behind) is None:
        return text
    return f"{text[:stop]} . {after[: len(after) - len(behind)]} "


def _separate_clitics(text: str, white_space: Any) -> str:
    """Rewrite quotation marks that close, and put spaces before clitics and in joined words."""
    text = _CLOSING_MARKS.sub(r" \g<0> ", f" {text} ").replace('"', " '' ")
    text = white_space.sub(" ", text)
    text = _LONG_CLITICS.sub(r" \g<0>", _SHORT_CLITICS.sub(r" \g<0>", text))
    text = _JOINED_WORDS.sub(_split_word, text)
    for pattern in _JOINED_IT:
        text = pattern.sub(r"\1 \2 ", text)
    return text


def _split_word(match: re.Match[str]) -> str:
    """Split two words that are written as one, before the apostrophe or behind three letters."""
    word = match[0]
    cut = word.find("'") if "'" in word else 3
    return f" {word[:cut]} {word[cut:]} "
