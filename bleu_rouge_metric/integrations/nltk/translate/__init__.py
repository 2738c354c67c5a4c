"""The names of ``nltk.translate`` that are about BLEU and GLEU."""

from ...originals import find_names
from . import bleu_score, gleu_score
from .bleu_score import sentence_bleu as bleu
from .gleu_score import sentence_gleu as gleu

__all__ = ["bleu", "bleu_score", "gleu", "gleu_score"]

__getattr__ = find_names(__name__)
