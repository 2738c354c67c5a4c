"""BLEU and GLEU of NLTK 3.10 under their names, with this package's counts.

A program changes the first part of an import line: ``from
bleu_rouge_metric.integrations.nltk.translate.bleu_score import sentence_bleu``. Names, the order of
arguments, numbers and warnings are the same; ``translate`` may be left out.

Not done here: the rest of NLTK.
"""

from ..originals import add_drop_in
from . import translate
from .translate import bleu_score, gleu_score

__all__ = ["bleu_score", "gleu_score", "translate"]

__getattr__ = add_drop_in(__name__, "translate.bleu_score and translate.gleu_score")
