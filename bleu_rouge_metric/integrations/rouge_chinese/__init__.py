"""The classes and functions of ``rouge-chinese`` 1.0.3, with the same scores.

Change ``from rouge_chinese import Rouge`` to ``from bleu_rouge_metric.integrations.rouge_chinese
import Rouge``. As in the library, texts are words with spaces between them, such as ``"
".join(jieba.cut(text))``. Its modules ``rouge`` and ``rouge_score`` are this module.
"""

import sys
from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar, Final

from ...counting.lcs import lcs_length
from ..originals import add_drop_in
from ..rouge import rouge as base
from ..rouge.rouge_score import f_r_p_rouge_n, multi_rouge_n, pack, rouge_n, split

__all__ = ["FilesRouge", "Rouge", "f_r_p_rouge_n", "multi_rouge_n", "rouge_n"]

# That of the library.
__version__: Final = "1.0.3"

__getattr__ = add_drop_in(__name__, "Rouge, FilesRouge and the functions of rouge_score")

rouge = rouge_score = sys.modules[__name__]


class Rouge(base.Rouge):
    """ROUGE of pairs of texts; ``exclusive`` has no effect on ``rouge-l``.

    >>> Rouge(["rouge-1"]).get_scores("今天 很 好", "今天 好")
    [{'rouge-1': {'r': 1.0, 'p': 0.6666666666666666, 'f': 0.7999999952000001}}]
    """

    _profile: ClassVar[str] = "rouge-chinese"


class FilesRouge(base.FilesRouge):
    """ROUGE of the lines of two files."""

    _rouge: ClassVar[type[base.Rouge]] = Rouge


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
