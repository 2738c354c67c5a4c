"""The command ``bleu-rouge``."""

from .command import main

__all__ = ["main"]
