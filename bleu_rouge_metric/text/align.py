"""Find the tokens of a text in the text as it was given: character offsets for explanations.

Tokenizers lower-case, normalize and replace before they split. A ``MappedText`` goes through the
same functions as a ``str``, and says which characters of the original each of its characters comes
from. The tokens of a tokenizer are searched for, in order, in what it makes of the text before it
splits it (``Tokenizer.rewrite``). For the tokenizers that need no other library, every token has
its place.

A callable, or a tokenizer of another library, may rewrite a text in ways that are not known here.
Its tokens are searched for in the text as it is; if one of them is not there, all are searched for
in the text after NFKC and case folding, and folded themselves. A token that is not there either has
no place: an empty slice behind the token before it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final, TypeVar
from unicodedata import combining, normalize

if TYPE_CHECKING:
    from .tokenizer import Tokenizer

Span = tuple[int, int]

# What SentencePiece writes for a space before a word.
_SPACE_MARK: Final = "\u2581"
# What the Tokenizer of OpenNMT, which XL-Sum uses, writes for a space that a mark combines with.
SPACE_OF_MARKS: Final = "\uff050020"

# Bound of a table by character: 65,536 characters, about 6 MB when full; a text has few.
_MOST_CHARACTERS: Final = 1 << 16
# Runs of fewer marks are left to unicodedata: the longest takes 0.2 ms.
_LONG_RUN: Final = 256
_NOT_ASCII: Final = re.compile(f"(?<![^\\x00-\\x7f])[^\\x00-\\x7f]{{{_LONG_RUN},}}")
_MARKS: Final = re.compile("M+")


class CharacterTable(dict[int, str]):
    """A bounded table for ``str.translate`` that is filled on first use."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        super().__init__()
        self._translate = translate

    def __missing__(self, code_point: int) -> str:
        if len(self) >= _MOST_CHARACTERS:
            self.clear()
        translated = self[code_point] = self._translate(chr(code_point))
        return translated


# "M" for characters that are marks after decomposition; they have no other parts.
_MARK_TABLE: Final = CharacterTable(
    lambda character: "M" if combining(normalize("NFKD", character)[0]) else " "
)


def normalize_nfkc(text: str) -> str:
    """Return the form NFKC of a text, as ``unicodedata.normalize`` does, but in linear time."""
    # unicodedata sorts a run of marks by insertion: 40,000 marks take 4 s. In a sorted run nothing
    # moves, and the sorted decomposition of a run has the same form.
    if _NOT_ASCII.search(text):
        kinds = text.translate(_MARK_TABLE)
        if "M" * _LONG_RUN in kinds:
            pieces: list[str] = []
            at = 0
            for run in _MARKS.finditer(kinds):
                start, end = run.span()
                marks = "".join(normalize("NFKD", mark) for mark in text[start:end])
                pieces += (text[at:start], *sorted(marks, key=combining))
                at = end
            text = "".join([*pieces, text[at:]])
    return normalize("NFKC", text)


@dataclass(frozen=True)
class MappedText:
    """A rewritten text.

    Attributes:
        text: the text after all steps so far.
        starts: for each character of it, where its piece of the original begins.
        ends: for each character of it, where its piece of the original ends.

    >>> mapped = MappedText.of("say &quot;Hi").replace("&quot;", '"').lower()
    >>> mapped.text, mapped.span(4, 5)
    ('say "hi', (4, 10))
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, text: str) -> "MappedText":
        """Return a text that is not rewritten yet."""
        return cls(text, range(len(text)), range(1, len(text) + 1))

    def span(self, start: int, end: int) -> Span:
        """Return where the characters from ``start`` to ``end``, at least one, come from."""
        return self.starts[start], self.ends[end - 1]

    def slice(self, start: int, end: int) -> "MappedText":
        """Return the part from ``start`` to ``end``."""
        return MappedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def rstrip(self) -> "MappedText":
        """Return the text without white space at its end."""
        return self.slice(0, len(self.text.rstrip()))

    def replace(self, old: str, new: str) -> "MappedText":
        """Do as ``str.replace``: each new character comes from all of the old ones."""
        pieces: list[MappedText] = []
        at = 0
        while (found := self.text.find(old, at)) >= 0:
            pieces.append(self.slice(at, found))
            pieces.append(self._write(new, found, found + len(old)))
            at = found + len(old)
        return join_mapped([*pieces, self.slice(at, len(self.text))]) if pieces else self

    def lower(self) -> "MappedText":
        """Do as ``str.lower``."""
        return self.map_characters(str.lower)

    def casefold(self) -> "MappedText":
        """Do as ``str.casefold``."""
        return self.map_characters(str.casefold)

    def translate(self, table: Mapping[int, str | int]) -> "MappedText":
        """Do as ``str.translate``."""
        return self.map_characters(lambda text: text.translate(table))

    def map_characters(self, change: Callable[[str], str]) -> "MappedText":
        """Return ``change`` of the text, which changes each character alone.

        The change may look at the neighbours of a character, but only to choose another one, as
        ``str.lower`` does with the Greek sigma at the end of a word.
        """
        changed = change(self.text)
        if len(changed) == len(self.text):
            return MappedText(changed, self.starts, self.ends)
        widths = [len(change(character)) for character in self.text]
        starts, ends = (
            list(chain.from_iterable(map(repeat, places, widths)))
            for places in (self.starts, self.ends)
        )
        return MappedText(changed, starts, ends)

    def normalize(self) -> "MappedText":
        """Return the form NFKC of the text; what is composed together comes from all its parts."""
        if self.text.isascii():
            return self
        pieces: list[MappedText] = []
        for start, end in _list_segments(self.text):
            segment = self.text[start:end]
            changed = normalize_nfkc(segment)
            is_same = changed == segment
            pieces.append(self.slice(start, end) if is_same else self._write(changed, start, end))
        return join_mapped(pieces)

    def _write(self, text: str, start: int, end: int) -> "MappedText":
        """Return a text whose characters all come from those from ``start`` to ``end``."""
        place = self.span(start, end)
        return MappedText(text, [place[0]] * len(text), [place[1]] * len(text))


AnyText = TypeVar("AnyText", str, MappedText)


def join_mapped(pieces: Iterable[MappedText]) -> MappedText:
    """Return the pieces one behind the other."""
    pieces = list(pieces)
    return MappedText(
        "".join(piece.text for piece in pieces),
        list(chain.from_iterable(piece.starts for piece in pieces)),
        list(chain.from_iterable(piece.ends for piece in pieces)),
    )


def _list_segments(text: str) -> Iterator[Span]:
    """Iterate over the segments of a text that the form NFKC changes independently."""
    # A character begins a segment if it is not a mark that could change places with one before it,
    # and if the segment before does not compose with it, as letters of Hangul do.
    start = 0
    for index, character in enumerate(text[1:], 1):
        if not character.isascii():
            if _MARK_TABLE[ord(character)] == "M":
                continue
            before = text[start:index]
            apart = normalize_nfkc(before) + normalize("NFKC", character)
            if normalize_nfkc(before + character) != apart:
                continue
        yield start, index
        start = index
    if text:
        yield start, len(text)


def normalize_text(text: AnyText) -> AnyText:
    """Return the form NFKC of a text."""
    return normalize_nfkc(text) if isinstance(text, str) else text.normalize()


def fold_text(text: AnyText) -> AnyText:
    """Normalize a text to the compatibility form NFKC, and fold its case.

    Folding a folded text changes nothing.

    >>> fold_text("Ｆｕｌｌ ﬁve STRASSE Straße")
    'full five strasse strasse'
    """
    if (text if isinstance(text, str) else text.text).isascii():
        return text.lower()
    # Source: The Unicode Standard, section 3.13, D145 and D146. Case folding may produce characters
    # that NFKC would compose, so NFKC is applied before and after.
    return normalize_text(normalize_text(text).casefold())


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


def align_tokens(text: str, mapped: MappedText, tokenizer: "Tokenizer") -> list[Token]:
    """Return the tokens of a text with their places; ``mapped`` is what the tokenizer gets of it.

    >>> from .tokenizer import TOKENIZERS
    >>> tokens = align_tokens("A &amp; B", MappedText.of("A &amp; B"), TOKENIZERS["13a"])
    >>> tokens[1]
    Token(text='&amp;', start=2, end=7, form='&')
    """
    tokens = tokenizer(mapped.text)
    placed = tokenizer.place and _place_known(tokens, mapped, tokenizer.place(mapped.text))
    return [
        Token(text[start:end], start, end, token)
        for (start, end), token in zip(
            placed or _find_spans(tokens, mapped, tokenizer), tokens, strict=True
        )
    ]


def _find_spans(tokens: Sequence[str], mapped: MappedText, tokenizer: "Tokenizer") -> list[Span]:
    """Return the place of each token in the original."""
    searched = [token.removeprefix(SPACE_OF_MARKS) for token in tokens]
    found = list(_search(searched, tokenizer.rewrite(mapped) if tokenizer.rewrite else mapped))
    # An empty token has no place; that it has none does not change how others are searched for.
    if any(span is None and token for span, token in zip(found, tokens, strict=True)):
        folded = [fold_text(token.replace(_SPACE_MARK, "")) for token in tokens]
        found = list(_search(folded, fold_text(mapped)))
    spans: list[Span] = []
    end = mapped.starts[0] if mapped.text else 0
    for span in found:
        spans.append(span or (end, end))
        end = spans[-1][1]
    return spans


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


def _place_known(
    tokens: Sequence[str], mapped: MappedText, placed: Sequence[tuple[str, int, int]]
) -> list[Span] | None:
    """Return known places of tokens, or of their parts; None if they are of other tokens."""
    if [form for form, _, _ in placed] != tokens:
        # "coco" splits some tokens again: those with a no-break space, which keep their characters.
        placed = [piece for token in placed for piece in _split_token(mapped.text, *token)]
        if [form for form, _, _ in placed] != tokens:
            return None
    return [mapped.span(start, end) for _, start, end in placed]


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
