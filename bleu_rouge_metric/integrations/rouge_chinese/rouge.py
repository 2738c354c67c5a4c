"""The classes ``Rouge`` and ``FilesRouge`` of ``rouge_chinese.rouge``."""

from typing import ClassVar

from ..rouge import rouge


class Rouge(rouge.Rouge):
    """ROUGE of pairs of texts; ``exclusive`` has no effect on ``rouge-l``.

    >>> Rouge(["rouge-1"]).get_scores("今天 很 好", "今天 好")
    [{'rouge-1': {'r': 1.0, 'p': 0.6666666666666666, 'f': 0.7999999952000001}}]
    """

    _profile: ClassVar[str] = "rouge-chinese"


class FilesRouge(rouge.FilesRouge):
    """ROUGE of the lines of two files."""

    _rouge: ClassVar[type[rouge.Rouge]] = Rouge
