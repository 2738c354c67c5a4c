"""Rewrite a text and remember, for each character, where it comes from in the text as given.

Tokenizers lower-case, normalize and replace before they split. A ``MappedText`` goes through the
same steps, so that a token of the rewritten text is a slice of the original.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from unicodedata import combining, normalize


@dataclass(frozen=True)
class MappedText:
    """A rewritten text.

    Attributes:
        text: the text after all steps so far.
        starts: for each character of it, where its piece of the original begins.
        ends: for each character of it, where its piece of the original ends.

    >>> mapped = MappedText.of("say &quot;Hi").replace("&quot;", '"').map_characters(str.lower)
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

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters from ``start`` to ``end``, at least one, come from."""
        return self.starts[start], self.ends[end - 1]

    def slice(self, start: int, end: int) -> "MappedText":
        """Return the part from ``start`` to ``end``."""
        return MappedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def strip_end(self) -> "MappedText":
        """Return the text without white space at its end."""
        return self.slice(0, len(self.text.rstrip()))

    def replace(self, old: str, new: str) -> "MappedText":
        """Do as ``str.replace``: each new character comes from all of the old ones."""
        pieces: list[MappedText] = []
        at = 0
        while (found := self.text.find(old, at)) >= 0:
            pieces.append(self.slice(at, found))
            pieces.append(_spread(new, self.span(found, found + len(old))))
            at = found + len(old)
        return join_mapped([*pieces, self.slice(at, len(self.text))]) if pieces else self

    def map_characters(self, change: Callable[[str], str]) -> "MappedText":
        """Return ``change`` of the text, which turns each character into one or more.

        The change may look at the neighbours of a character, but only to choose another one, as
        ``str.lower`` does with the Greek sigma at the end of a word.
        """
        changed = change(self.text)
        if len(changed) == len(self.text):
            return MappedText(changed, self.starts, self.ends)
        widths = [len(change(character)) for character in self.text]
        return MappedText(changed, _repeat(self.starts, widths), _repeat(self.ends, widths))

    def normalize(self) -> "MappedText":
        """Return the text in the form NFKC; what is composed together comes from all its parts."""
        if self.text.isascii():
            return self
        pieces: list[MappedText] = []
        for start, end in _list_segments(self.text):
            segment = self.text[start:end]
            changed = normalize("NFKC", segment)
            is_same = changed == segment
            pieces.append(
                self.slice(start, end) if is_same else _spread(changed, self.span(start, end))
            )
        return join_mapped(pieces)


def join_mapped(pieces: Sequence[MappedText]) -> MappedText:
    """Return the pieces one behind the other."""
    return MappedText(
        "".join(piece.text for piece in pieces),
        list(chain.from_iterable(piece.starts for piece in pieces)),
        list(chain.from_iterable(piece.ends for piece in pieces)),
    )


def _spread(text: str, span: tuple[int, int]) -> MappedText:
    """Return a text whose characters all come from one piece of the original."""
    return MappedText(text, [span[0]] * len(text), [span[1]] * len(text))


def _repeat(values: Sequence[int], times: Sequence[int]) -> list[int]:
    return list(chain.from_iterable(map(repeat, values, times)))


def _list_segments(text: str) -> Iterator[tuple[int, int]]:
    """Iterate over the segments of a text that the form NFKC changes independently.

    >>> list(_list_segments("cafe\u0301s"))
    [(0, 1), (1, 2), (2, 3), (3, 5), (5, 6)]
    """
    # A character begins a segment if it is not a mark that could change places with one before it,
    # and if the segment before does not compose with it, as letters of Hangul do.
    start = 0
    for index, character in enumerate(text[1:], 1):
        if not character.isascii():
            if combining(normalize("NFKD", character)[0]):
                continue
            before = text[start:index]
            apart = normalize("NFKC", before) + normalize("NFKC", character)
            if normalize("NFKC", before + character) != apart:
                continue
        yield start, index
        start = index
    if text:
        yield start, len(text)
