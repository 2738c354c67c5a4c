"""The classes of ``sacrebleu.metrics`` that are about BLEU."""

from functools import partial
from typing import Final

from ..missing import raise_missing
from .bleu import BLEU
from .scores import BLEUScore

__all__ = ["BLEU", "METRICS", "BLEUScore"]

METRICS: Final = {"BLEU": BLEU}

__getattr__ = partial(raise_missing, __name__)
