"""The classes of ``rouge`` 1.0.1 (by pltrdy), with the same scores.

Change ``from rouge import Rouge`` to ``from bleu_rouge_metric.integrations.rouge import Rouge``.
Errors are those of this package. Texts for which the library raises RecursionError are scored.
"""

from typing import Final

from ..originals import add_drop_in
from .rouge import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]

# That of the library.
__version__: Final = "1.0.1"

__getattr__ = add_drop_in(__name__, "Rouge, FilesRouge and the functions of rouge_score")
