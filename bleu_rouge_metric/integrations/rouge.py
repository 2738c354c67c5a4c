"""The classes of ``rouge`` 1.0.1 (by pltrdy), with the same scores.

Change ``from rouge import Rouge`` to ``from bleu_rouge_metric.integrations.rouge import Rouge``.
Texts for which the library raises RecursionError are scored. The functions of its module
``rouge.rouge_score`` are not here.
"""

from typing import ClassVar, Final

from .pltrdy_rouge import PltrdyFiles, PltrdyRouge

__all__ = ["FilesRouge", "Rouge"]

# That of the library.
__version__: Final = "1.0.1"


class Rouge(PltrdyRouge):
    """ROUGE of pairs of texts.

    >>> Rouge(["rouge-l"]).get_scores("the cat", "the cat sat")
    [{'rouge-l': {'r': 0.6666666666666666, 'p': 1.0, 'f': 0.7999999952000001}}]
    """

    _profile: ClassVar[str] = "rouge"


class FilesRouge(PltrdyFiles):
    """ROUGE of the lines of two files."""

    _rouge: ClassVar[type[PltrdyRouge]] = Rouge
