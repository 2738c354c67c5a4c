"""Tokenizers that need a dictionary or a model, through the sacrebleu that is installed.

``ja-mecab`` and ``ko-mecab`` are morphological analysers; ``flores101`` (also ``spm``) and
``flores200`` are the SentencePiece models of spBLEU, which sacrebleu fetches on first use. Tokens
equal sacrebleu's. Nothing of this is needed by any other tokenizer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class SacrebleuTokenizer:
    """A tokenizer of sacrebleu as a function ``str -> list[str]``; its first text loads it.

    Attributes:
        module: of sacrebleu.
        name: of the class there.
    """

    module: str
    name: str

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text."""
        tokens: list[str] = _load(self.module, self.name)(text).split()
        return tokens


@cache
def _load(module: str, name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(module), name)()


def check_installed(
    option: str, name: str, needs: str, function: Callable[[str], list[str]]
) -> None:
    """Raises ValueError if what a tokenizer needs is not installed, or a model cannot be fetched.

    Args:
        option: the option that carried the name; named in errors.
        name: of the tokenizer.
        needs: what ``pip install`` has to be given.
        function: of the tokenizer; tried on an empty text, so that all is loaded before any work.
    """
    try:
        function("")
    # sacrebleu raises RuntimeError where a library is missing and AssertionError for another
    # dictionary than its own.
    except (ImportError, RuntimeError, AssertionError) as error:
        raise ValueError(
            f"{option} is {name!r}, which needs libraries that are not installed; "
            f"use pip install {needs}."
        ) from error
    except OSError as error:
        raise ValueError(
            f"{option} is {name!r}, but its SentencePiece model cannot be fetched or read "
            f"({error}). Connect to the network, or set SACREBLEU to a folder with the model "
            "under models/."
        ) from error
