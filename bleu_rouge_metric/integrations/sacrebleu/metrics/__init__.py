"""The classes of ``sacrebleu.metrics`` that are about BLEU."""

from typing import Final

from ...originals import find_names
from .bleu import BLEU, BLEUScore

__all__ = ["BLEU", "METRICS", "BLEUScore"]

METRICS: Final = {"BLEU": BLEU}

__getattr__ = find_names(__name__)
