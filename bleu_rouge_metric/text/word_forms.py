"""What tokens become before they are counted: stems, or nothing for stop words."""

from dataclasses import dataclass

from .stemmers import StemCache


@dataclass(frozen=True, eq=False)
class WordForms:
    """The steps from a token to what is counted.

    Forms are equal if they have the same stop words and the same object of stems.

    Attributes:
        stems: stems by token; None if tokens are not stemmed.
        stop_words: tokens that are left out, before stemming.
    """

    stems: StemCache | None = None
    stop_words: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Return whether tokens have the same forms."""
        if not isinstance(other, WordForms):
            return NotImplemented
        return self.stems is other.stems and self.stop_words == other.stop_words

    def __hash__(self) -> int:
        """Return the hash."""
        return hash((id(self.stems), self.stop_words))

    def apply(self, tokens: list[str]) -> list[str]:
        """Return the forms of tokens, without those that are left out.

        >>> WordForms(stop_words=frozenset(["the"])).apply(["the", "end"])
        ['end']
        """
        if self.stop_words:
            tokens = [token for token in tokens if token not in self.stop_words]
        return tokens if self.stems is None else list(map(self.stems.__getitem__, tokens))
