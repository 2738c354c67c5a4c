"""Types of the options, for type checkers and editors: as checked values, and as keywords.

The types of checked values are in the rows of the table. Keywords take more, and type checkers read
no table, so that every option has a line here too; a test compares names and choices with the
table. None stands for the value that the profile has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any, Final, TypedDict

from ..families.bleu.options import BleuOptions
from ..families.bleu.rules import ReferenceLength
from ..families.rouge.options import RougeOptions
from ..families.rouge.rules import Aggregator, MultiReference
from .profiles import ProfileName
from .table import OPTIONS, OutputOptions, TextOptions


@dataclass(frozen=True, kw_only=True)
class OptionRecord(OutputOptions, RougeOptions, BleuOptions, TextOptions):
    """The value of every option, checked, in the order of the table; sequences are tuples.

    Attributes:
        further: the options of families that ``add_family`` added, without their defaults.
    """

    # Not an argument, so that dataclasses.replace works; a mapping has no hash.
    further: Mapping[str, Any] = field(init=False, hash=False)

    def values(self) -> dict[str, Any]:
        """Return the values by name, in the order of the table of options."""
        own, further = vars(self), self.further
        return {
            name: own[name] if name in NAMES else further.get(name, option.default)
            for name, option in OPTIONS.items()
        }


# The options that are attributes.
NAMES: Final = frozenset(item.name for item in fields(OptionRecord) if item.init)

_Function = Callable[[str], list[str]]
_Ids = int | Sequence[int]
_Path = str | PathLike[str]


class _Tokenizer(TypedDict, total=False):
    tokenizer: str | _Function | None


class _Samples(TypedDict, total=False):
    language: str | None
    segmenter: str | _Function | None
    ignore_index: int | None
    pad: _Ids | None
    eos: _Ids | None
    separator: int | None


class _BleuOfOrders(_Samples, total=False):
    bleu_tokenizer: str | _Function | None
    max_order: int | None
    min_order: int | None
    smooth: bool | str | None
    smooth_value: float | None
    reference_length: ReferenceLength | None
    effective_order: bool | None
    auto_reweigh: bool | None
    lowercase: bool | None


class _Bleu(_BleuOfOrders, total=False):
    weights: Sequence[float] | Sequence[Sequence[float]] | None


class _RougeOfTypes(_Samples, total=False):
    rouge_tokenizer: str | _Function | None
    use_stemmer: bool | str | None
    stemmer_exceptions: _Path | Sequence[_Path] | None
    stop_words: str | Sequence[str] | None
    word_limit: int | None
    byte_limit: int | None
    sentence_splitter: str | _Function | None
    multi_reference: MultiReference | None
    beta: float | None
    exclusive: bool | None


class _Rouge(_RougeOfTypes, total=False):
    rouge_types: Sequence[str] | None


class BleuKeywords(_Bleu, _Tokenizer, total=False):
    """Options of ``bleu_score``."""


class RougeKeywords(_Rouge, _Tokenizer, total=False):
    """Options of ``rouge_scores``."""


class RewardKeywords(_BleuOfOrders, _RougeOfTypes, total=False):
    """Options of rewards, whose ``weights`` are those of their scores."""

    profile: ProfileName | None


class TextRewardKeywords(RewardKeywords, _Tokenizer, total=False):
    """Options of rewards that are of texts only."""


class PairKeywords(TextRewardKeywords, _Bleu, total=False):
    """Options of ``PairScorer``, whose scores are named apart."""


class ExplainKeywords(PairKeywords, _Rouge, total=False):
    """Options of ``explain``, which are those that change the scores of a sample."""


class ComparedKeywords(ExplainKeywords, total=False):
    """Options of ``compare_systems``, which has one number per score."""

    aggregator: Aggregator | None


class HookKeywords(RewardKeywords, _Bleu, _Rouge, total=False):
    """Options of ``compute_metrics``, whose tokenizer is that of the model."""

    sentence_bleu: bool | None
    use_aggregator: bool | None
    aggregator: Aggregator | None
    detailed: bool | None
    n_resamples: int | None
    confidence: float | None
    signature: bool | None


class OptionKeywords(HookKeywords, _Tokenizer, total=False):
    """All options: of ``metric.compute``, ``Scorer``, ``Options`` and whatever takes as many."""
