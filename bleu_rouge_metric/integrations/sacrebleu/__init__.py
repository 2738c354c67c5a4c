"""BLEU of sacrebleu 2.6 under its names, with this package's counts.

A program changes one line: ``from bleu_rouge_metric.integrations import sacrebleu``, or ``from
bleu_rouge_metric.integrations.sacrebleu.metrics import BLEU``. Names, the order of arguments,
numbers, signatures, log records and types of errors are the same.

The tokenizers that need a model or a dictionary call the installed sacrebleu.

Not done here: chrF and TER, the command, downloads of test sets, and the private methods of
``BLEU``. If a subclass overrides a method, such as ``compute_bleu`` or ``_preprocess_segment``, the
other methods do not call it. ``sacrebleu.significance.PairedTest`` needs the private methods; use
``compare_systems`` of this package instead.
"""

from functools import partial
from typing import Final

from . import compat, metrics
from .compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
from .metrics import BLEU
from .metrics.base import SACREBLEU_VERSION
from .missing import raise_missing

__all__ = [
    "BLEU",
    "__version__",
    "compat",
    "corpus_bleu",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
]

__version__: Final = SACREBLEU_VERSION

__getattr__ = partial(raise_missing, __name__)
