"""What ``explain`` gives back, and how it shows itself."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from .explanation_lcs import Lcs, UnionLcs
from .explanation_ngrams import Matches
from .explanation_scores import BleuExplanation, GleuExplanation, RougeExplanation
from .explanation_tokens import ExplainedText


@dataclass(frozen=True)
class Explanation:
    """Why a prediction has its scores: plain data.

    Attributes:
        prediction: the text and its tokens.
        references: each text and its tokens.
        matches: by score, which n-grams match. ``bleu``: one item for each order, of
            ``bleu_tokens``. A ROUGE type: one item for each reference, of ``tokens``; ``rougeSU``
            has two, skip-bigrams and unigrams. ``google_bleu``: one for each reference and order.
        lcs: by type (``rougeL``, ``rougeLsum``, ``rougeW``), the LCS with each reference.
        bleu: BLEU as a product; None if it is not scored.
        rouge: by type, the scores of each reference.
        notes: one sentence each: why a score is 0, what the tokenizer drops, and the warnings that
            the library gives for these texts and options.
    """

    prediction: ExplainedText
    references: tuple[ExplainedText, ...]
    matches: dict[str, tuple[Matches, ...]]
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]]
    bleu: BleuExplanation | GleuExplanation | None
    rouge: dict[str, RougeExplanation]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the same as dicts, lists, numbers, texts and None, ready for JSON."""
        plain: dict[str, Any] = _to_plain(self)
        return plain


def _to_plain(value: Any) -> Any:
    """Return a value as what JSON has."""
    if is_dataclass(value):
        return {field.name: _to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _to_plain(value._asdict())
    if isinstance(value, list | tuple):
        return [_to_plain(item) for item in value]
    return value
