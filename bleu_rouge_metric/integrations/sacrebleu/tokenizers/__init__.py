"""The tokenizers of ``sacrebleu.tokenizers``."""

from ...originals import find_names
from .tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]

__getattr__ = find_names(__name__)
