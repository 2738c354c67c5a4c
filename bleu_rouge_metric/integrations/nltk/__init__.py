"""BLEU of NLTK 3.10 under its names, with this package's counts.

A program changes one line: ``from bleu_rouge_metric.integrations.nltk.bleu_score import
sentence_bleu, SmoothingFunction``. Names, the order of arguments, numbers, warnings and types of
errors are the same.

Not done here: the rest of NLTK.
"""

from . import bleu_score

__all__ = ["bleu_score"]
