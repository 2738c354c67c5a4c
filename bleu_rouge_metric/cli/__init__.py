"""The command ``bleu-rouge``: in the installed package alone; evaluate.load does not copy it."""

from .command import main

__all__ = ["main"]
