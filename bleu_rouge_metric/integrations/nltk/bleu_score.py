"""The names of ``nltk.translate.bleu_score``."""

from .translate.bleu_score import *  # noqa: F403
