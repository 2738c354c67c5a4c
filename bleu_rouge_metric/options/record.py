"""The record of checked options: their names and the types of their values, for type checkers.

Python's type checkers read no table, so that every option has a line here too; a test compares the
lines with the table. The options of families that ``add_family`` adds are in ``further``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from ..families.bleu.rules import ReferenceLength
from ..families.rouge.rules import MultiReference
from .keywords import Aggregator, ProfileName
from .table import OPTIONS

_Tokenizer = str | Callable[[str], list[str]]
_Ids = int | tuple[int, ...] | None


@dataclass(frozen=True, kw_only=True)
class OptionRecord:
    """The value of every option, checked; sequences are tuples."""

    profile: ProfileName
    language: None
    tokenizer: None
    segmenter: _Tokenizer | None
    bleu_tokenizer: _Tokenizer
    max_order: int
    min_order: int
    weights: tuple[float, ...] | tuple[tuple[float, ...], ...] | None
    smooth: str
    smooth_value: float | None
    reference_length: ReferenceLength
    effective_order: bool | None
    auto_reweigh: bool
    lowercase: bool
    sentence_bleu: bool
    rouge_types: tuple[str, ...]
    rouge_tokenizer: _Tokenizer
    use_stemmer: bool | str
    stemmer_exceptions: tuple[str, ...] | None
    stop_words: str | tuple[str, ...] | None
    word_limit: int | None
    byte_limit: int | None
    sentence_splitter: _Tokenizer
    multi_reference: MultiReference
    beta: float
    exclusive: bool
    use_aggregator: bool
    aggregator: Aggregator
    detailed: bool
    n_resamples: int
    confidence: float | None
    ignore_index: int
    pad: _Ids
    eos: _Ids
    separator: int | None
    signature: bool
    # Not an argument, so that dataclasses.replace works; a mapping has no hash.
    further: Mapping[str, Any] = field(init=False, hash=False)

    def values(self) -> dict[str, Any]:
        """Return the values by name, in the order of the table of options."""
        own = vars(self)
        return {name: own[name] if name in NAMES else self.further[name] for name in OPTIONS}


# The options that have a line above.
NAMES: Final = frozenset(item.name for item in fields(OptionRecord) if item.init)
