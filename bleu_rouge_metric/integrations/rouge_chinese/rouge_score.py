"""ROUGE of lists of sentences: ``rouge_chinese.rouge_score``."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ...counting.lcs import lcs_length
from ..rouge.rouge_score import f_r_p_rouge_n, multi_rouge_n, pack, rouge_n, split

__all__ = ["f_r_p_rouge_n", "multi_rouge_n", "rouge_l_summary_level", "rouge_n"]


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    exclusive: object = None,  # noqa: ARG001 - as in the library
    **_: Any,
) -> dict[str, Any]:
    """Compute ROUGE-L of all words; ``exclusive`` has no effect."""
    ours, theirs = ([*chain(*split(side))] for side in (evaluated_sentences, reference_sentences))
    if not (ours and theirs):
        raise ValueError("Collections must contain at least 1 sentence.")
    return pack(lcs_length(ours, theirs), len(ours), len(theirs), raw_results=raw_results)
