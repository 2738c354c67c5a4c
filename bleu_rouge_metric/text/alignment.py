"""Find the tokens of a text in the text as it was given: character offsets for explanations.

The tokens are those of the tokenizer itself. Each is searched for, in order, in what the tokenizer
makes of the text before it splits it; a ``MappedText`` then says which characters it comes from.
``ptb`` writes tokens anew, such as "-lrb-" for a bracket; it finds their places itself. For the
tokenizers of the registry that need no other library, every token has its place.

A callable, or a tokenizer of another library, may rewrite a text in ways that are not known here.
Its tokens are searched for in the text as it is; if one of them is not there, all are searched for
in the text after NFKC and case folding, and folded themselves. A token that is not there either has
no place: an empty slice behind the token before it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from .basic import REPLACED_BY_13A, lower_ascii, split_newline
from .mapped_text import MappedText, join_mapped
from .ptb.tokenizer import find_tokens
from .tokenizer import Tokenizer, lower_texts
from .tokenizers import TOKENIZERS
from .truncation import Truncation
from .unicode import fold_text
from .xlsum import rewrite_xlsum

Span = tuple[int, int]

# What SentencePiece writes for a space before a word.
_SPACE_MARK: Final = "\u2581"


@dataclass(frozen=True)
class Token:
    """A token and its place.

    Attributes:
        text: ``text[start:end]`` of the text as it was given; empty if the token has no place.
        start: index of its first character.
        end: index behind its last character.
        form: what is compared: lower-cased, stemmed or replaced, as the options say.
    """

    text: str
    start: int
    end: int
    form: str


def align_tokens(text: str, mapped: MappedText, tokenizer: Tokenizer) -> list[Token]:
    """Return the tokens of a text with their places.

    Args:
        text: as it was given.
        mapped: what the tokenizer gets of it.
        tokenizer: from a text to its tokens.

    >>> tokens = align_tokens("A &amp; B", MappedText.of("A &amp; B"), TOKENIZERS["13a"])
    >>> tokens[1]
    Token(text='&amp;', start=2, end=7, form='&')
    """
    tokens = tokenizer(mapped.text)
    return [
        Token(text[start:end], start, end, token)
        for (start, end), token in zip(_find_spans(tokens, mapped, tokenizer), tokens, strict=True)
    ]


def _find_spans(tokens: Sequence[str], mapped: MappedText, tokenizer: Tokenizer) -> list[Span]:
    """Return the place of each token in the original."""
    placed = _place_ptb(tokens, mapped) if tokenizer.name == "ptb" else None
    if placed is not None:
        return placed
    row = TOKENIZERS.get(tokenizer.name)
    is_known = row is not None and tokenizer in (row, row.of_sentences, lower_texts(row))
    rewrite = _REWRITES.get(tokenizer.name) if is_known else None
    found = list(_search(tokens, rewrite(mapped) if rewrite else mapped))
    # An empty token has no place; that it has none does not change how others are searched for.
    if any(span is None and token for span, token in zip(found, tokens, strict=True)):
        folded = [fold_text(token.replace(_SPACE_MARK, "")) for token in tokens]
        found = list(_search(folded, _fold(mapped)))
    spans: list[Span] = []
    end = mapped.starts[0] if mapped.text else 0
    for span in found:
        spans.append(span or (end, end))
        end = spans[-1][1]
    return spans


def _place_ptb(tokens: Sequence[str], mapped: MappedText) -> list[Span] | None:
    """Return the places of the tokens of ``ptb``, or of what is left of them split at white space.

    Returns:
        None if the tokens are neither.
    """
    found = find_tokens(mapped.text)
    if [form for form, _, _ in found] != tokens:
        # "coco" splits some tokens again: those with a no-break space, which keep their characters.
        found = [piece for token in found for piece in _split_token(mapped.text, *token)]
        if [form for form, _, _ in found] != tokens:
            return None
    return [mapped.span(start, end) for _, start, end in found]


def _split_token(text: str, form: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Iterate over the pieces of a token, each with its place."""
    pieces = form.split()
    if len(pieces) == 1:
        yield form, start, end
        return
    for piece in pieces:
        at = text.find(piece, start, end)
        if at < 0:
            yield piece, start, end
        else:
            start = at + len(piece)
            yield piece, at, start


def _search(tokens: Sequence[str], mapped: MappedText) -> Iterator[Span | None]:
    """Iterate over the places of the tokens, each behind the one before; None if it is nowhere."""
    at = 0
    for token in tokens:
        start = mapped.text.find(token, at) if token else -1
        if start < 0:
            yield None
            continue
        at = start + len(token)
        # Fast path: equals mapped.span(start, at), which explanations would call for every token.
        yield mapped.starts[start], mapped.ends[at - 1]


def align_truncation(mapped: MappedText, truncate: Truncation) -> MappedText:
    r"""Return what a limit leaves of a text, with the places of its characters.

    >>> from .truncation import make_truncation
    >>> kept = align_truncation(MappedText.of("a\n\nb c"), make_truncation(2, None))
    >>> kept.text, kept.span(2, 3)
    ('a\nb', (3, 4))
    """
    # The limit drops empty lines, and keeps the first characters of each of the other lines.
    kept = truncate(mapped.text).split("\n")
    pieces: list[MappedText] = []
    at = 0
    for line, whole in zip(kept, split_newline(mapped.text), strict=False):
        start = mapped.text.index(whole, at)
        at = start + len(whole)
        end = start + len(line)
        if pieces:
            pieces.append(mapped.slice(start - 1, start))
        pieces.append(mapped.slice(start, end))
    return join_mapped(pieces)


def align_sentences(mapped: MappedText, sentences: Sequence[str]) -> list[MappedText]:
    """Return the sentences of a text with the places of their characters, each searched in order.

    A sentence that a splitter has rewritten is not there: its characters have no place.
    """
    found: list[MappedText] = []
    at = 0
    for sentence in sentences:
        start = mapped.text.find(sentence, at)
        if start >= 0:
            at = start + len(sentence)
            found.append(mapped.slice(start, at))
        else:
            place = mapped.ends[at - 1] if at else 0
            found.append(MappedText(sentence, [place] * len(sentence), [place] * len(sentence)))
    return found


def _rewrite_13a(mapped: MappedText) -> MappedText:
    for old, new in REPLACED_BY_13A:
        if old in mapped.text:
            mapped = mapped.replace(old, new)
    return mapped


def _rewrite_nltk(mapped: MappedText) -> MappedText:
    """Write quotation marks as the tokenizer does, which keeps all other characters."""
    written = iter("".join(TOKENIZERS["nltk"](mapped.text)))
    characters: list[str] = []
    places: list[Span] = []
    for index, character in enumerate(mapped.text):
        width = 2 if character == '"' else 1
        is_kept = character.isspace()
        characters += [character] if is_kept else islice(written, width)
        places += [mapped.span(index, index + 1)] * width
    starts, ends = ([place[side] for place in places] for side in (0, 1))
    return MappedText("".join(characters), starts, ends)


def _fold(mapped: MappedText) -> MappedText:
    """Do as ``fold_text``."""
    if mapped.text.isascii():
        return mapped.map_characters(str.lower)
    return mapped.normalize().map_characters(str.casefold).normalize()


# What some tokenizers do with a text before they split it; the others keep it. What is put in
# besides, spaces around marks, is in no token.
_REWRITES: Final[Mapping[str, Callable[[MappedText], MappedText]]] = {
    "13a": _rewrite_13a,
    "google-adk": lambda mapped: mapped.normalize().map_characters(str.lower),
    "korouge": lambda mapped: mapped.map_characters(str.lower),
    "mteval-v11a": lambda mapped: mapped.map_characters(str.lower),
    "nltk": _rewrite_nltk,
    "rouge": lambda mapped: mapped.map_characters(str.lower),
    "rouge-1.5.5": lambda mapped: mapped.map_characters(lower_ascii),
    "unicode": _fold,
    **dict.fromkeys(
        (
            *("xlsum", "xlsum-burmese", "xlsum-chinese", "xlsum-japanese", "xlsum-thai"),
            *("my-syllables", "zh-jieba", "ja-unidic-lite", "th-pythainlp"),
        ),
        rewrite_xlsum,
    ),
}
