"""The classes of ``rouge-chinese`` 1.0.3, with the same scores.

Change ``from rouge_chinese import Rouge`` to ``from bleu_rouge_metric.integrations.rouge_chinese
import Rouge``. As in the library, texts are words with spaces between them, such as ``"
".join(jieba.cut(text))``.
"""

from typing import Final

from ..originals import add_drop_in
from .rouge import FilesRouge, Rouge

__all__ = ["FilesRouge", "Rouge"]

# That of the library.
__version__: Final = "1.0.3"

__getattr__ = add_drop_in(__name__, "Rouge, FilesRouge and the functions of rouge_score")
