"""The modules of ``rouge_score`` 0.1.2 under their names, with this package's counts.

A program changes one line: ``from bleu_rouge_metric.integrations.rouge_score import rouge_scorer,
scoring, tokenizers``. Names, the order of arguments and numbers are the same.

Not done here: log records, the command, n-grams of order 0, and attributes that change later.
"""

from ..originals import add_drop_in
from . import io, rouge_scorer, scoring, tokenize, tokenizers

__all__ = ["io", "rouge_scorer", "scoring", "tokenize", "tokenizers"]

__getattr__ = add_drop_in(__name__, "io, rouge_scorer, scoring, tokenize and tokenizers")
