"""The names of ``nltk.translate.gleu_score``."""

from .translate.gleu_score import *  # noqa: F403
