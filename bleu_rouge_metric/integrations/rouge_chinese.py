"""The classes of ``rouge-chinese`` 1.0.3, with the same scores.

Change ``from rouge_chinese import Rouge`` to
``from bleu_rouge_metric.integrations.rouge_chinese import Rouge``. As in the library, texts are
words with spaces between them, such as ``" ".join(jieba.cut(text))``.
"""

from typing import ClassVar, Final

from .pltrdy_rouge import PltrdyFiles, PltrdyRouge

__all__ = ["FilesRouge", "Rouge"]

# That of the library.
__version__: Final = "1.0.3"


class Rouge(PltrdyRouge):
    """ROUGE of pairs of texts; ``exclusive`` has no effect on ``rouge-l``.

    >>> Rouge(["rouge-1"]).get_scores("今天 很 好", "今天 好")
    [{'rouge-1': {'r': 1.0, 'p': 0.6666666666666666, 'f': 0.7999999952000001}}]
    """

    _profile: ClassVar[str] = "rouge-chinese"


class FilesRouge(PltrdyFiles):
    """ROUGE of the lines of two files."""

    _rouge: ClassVar[type[PltrdyRouge]] = Rouge
