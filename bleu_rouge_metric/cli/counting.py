"""Names of ``score.py`` and ``messages.py`` for the modules of folders and engines."""

from .messages import name_file
from .score import SAMPLES, Work

__all__ = ["SAMPLES", "Work", "name_file"]
