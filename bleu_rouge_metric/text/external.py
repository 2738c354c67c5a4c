"""Tokenizers that need a dictionary or a model; they call the installed sacrebleu.

``ja-mecab`` and ``ko-mecab`` are morphological analysers. ``flores101`` (also ``spm``) and
``flores200`` are the SentencePiece models of spBLEU, which sacrebleu downloads on first use. The
tokens equal sacrebleu's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..extras import describe_missing
from ..messages import Argument, value_error


@dataclass(frozen=True)
class SacrebleuTokenizer:
    """A tokenizer of sacrebleu as a function ``str -> list[str]``; the first text loads it.

    Attributes:
        module: name of a module of sacrebleu.
        name: name of a class in this module.
    """

    module: str
    name: str

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        tokens: list[str] = _load(self.module, self.name)(text).split()
        return tokens

    def signature(self) -> str:
        """Return what a signature of sacrebleu calls the tokenizer; some say their version."""
        name: str = _load(self.module, self.name).signature()
        return name


@cache
def _load(module: str, name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(module), name)()


def check_installed(
    option: str, name: str, needs: str, function: Callable[[str], list[str]]
) -> None:
    """Load what a tokenizer needs, before any work.

    Args:
        option: name of the option, for errors.
        name: name of the tokenizer.
        needs: arguments of ``pip install``, for errors.
        function: function of the tokenizer; called with an empty text to load everything.

    Raises:
        ImportError: a library is not installed.
        ValueError: the model is missing.
    """
    try:
        function("")
    # sacrebleu raises RuntimeError if a library is missing, and AssertionError if it finds a wrong
    # dictionary.
    except (ImportError, RuntimeError, AssertionError) as error:
        feature = f"The tokenizer {name!r}"
        raise ImportError(
            describe_missing(feature, "a package or a dictionary that is not installed", needs)
        ) from error
    except OSError as error:
        raise value_error(
            "{} is {!r}, but its SentencePiece model cannot be fetched or read ({}).",
            *(Argument(option), name, error),
            remedy="Connect to the network, or set SACREBLEU to a folder with the model under "
            "models/.",
        ) from error
