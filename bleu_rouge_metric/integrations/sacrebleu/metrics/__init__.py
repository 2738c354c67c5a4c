"""The classes of ``sacrebleu.metrics`` that are about BLEU."""

from .bleu import BLEU
from .scores import BLEUScore

__all__ = ["BLEU", "BLEUScore"]


def __getattr__(name: str) -> object:
    """Raise the error of the package for a name that is not here."""
    from .. import __getattr__ as raise_error

    return raise_error(name)
