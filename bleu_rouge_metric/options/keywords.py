"""Types of the options as keywords, for type checkers and editors.

Python's type checkers read no table, so that every option has a line here too; a test holds the
names and choices against the table. None stands for the value that the profile has.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Literal, TypedDict

from ..families.bleu.options import BleuOfOrders, BleuOptions, BleuOutput
from ..families.rouge.rules import MultiReference

BleuProfile = Literal["hf", "sacrebleu", "nltk"]
RougeProfile = Literal[
    "hf", "rouge_score", "coco", "xlsum", "rouge", "rouge-chinese", "rouge-1.5.5", "lin2004"
]
ProfileName = Literal[BleuProfile, RougeProfile, "google_bleu", "codexglue"]
Aggregator = Literal["mean", "bootstrap"]

_Function = Callable[[str], list[str]]
_Ids = int | Sequence[int]
_Path = str | PathLike[str]


class _Tokenizer(TypedDict, total=False):
    tokenizer: str | _Function | None


class _Shared(TypedDict, total=False):
    language: str | None
    segmenter: str | _Function | None
    ignore_index: int | None
    pad: _Ids | None
    eos: _Ids | None
    separator: int | None


class _BleuOfOrders(_Shared, BleuOfOrders, total=False):
    pass


class _Bleu(_Shared, BleuOptions, total=False):
    pass


class _RougeOfTypes(_Shared, total=False):
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


class PairKeywords(_Bleu, _RougeOfTypes, _Tokenizer, total=False):
    """Options of ``PairScorer``, whose scores are named apart."""

    profile: ProfileName | None


class ExplainKeywords(_Bleu, _Rouge, _Tokenizer, total=False):
    """Options of ``explain``, which are those that change the scores of a sample."""

    profile: ProfileName | None


class RewardKeywords(_BleuOfOrders, _RougeOfTypes, total=False):
    """Options of rewards, whose ``weights`` are those of their scores."""

    profile: ProfileName | None


class TextRewardKeywords(RewardKeywords, _Tokenizer, total=False):
    """Options of rewards that are of texts only."""


class _Scored(_Bleu, _Rouge, total=False):
    profile: ProfileName | None
    aggregator: Aggregator | None


class ComparedKeywords(_Scored, _Tokenizer, total=False):
    """Options of ``compare_systems``, which has one number per score."""


class HookKeywords(_Scored, BleuOutput, total=False):
    """Options of ``compute_metrics``, whose tokenizer is that of the model."""

    use_aggregator: bool | None
    n_resamples: int | None
    confidence: float | None
    detailed: bool | None
    signature: bool | None


class BleuKeywords(_Bleu, _Tokenizer, total=False):
    """Options of ``bleu_score``."""


class RougeKeywords(_Rouge, _Tokenizer, total=False):
    """Options of ``rouge_scores``."""


class OptionKeywords(HookKeywords, _Tokenizer, total=False):
    """All options: of ``metric.compute``, ``Scorer``, ``Options`` and whatever takes as many."""
