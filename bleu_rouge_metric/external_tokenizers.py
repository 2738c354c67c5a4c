"""Tokenizers that need a dictionary or a model, through the sacrebleu that is installed.

``ja-mecab`` and ``ko-mecab`` are morphological analysers; ``flores101`` (also ``spm``) and
``flores200`` are the SentencePiece models of spBLEU, which sacrebleu fetches on first use. Tokens
equal sacrebleu's. Nothing of this is needed by any other tokenizer.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple


class _External(NamedTuple):
    """Where sacrebleu has a tokenizer, and what has to be installed for it."""

    module: str
    name: str
    requirement: str


_FLORES101: Final = _External(
    "sacrebleu.tokenizers.tokenizer_spm", "Flores101Tokenizer", "sacrebleu sentencepiece"
)
_EXTERNAL: Final = {
    "ja-mecab": _External(
        "sacrebleu.tokenizers.tokenizer_ja_mecab", "TokenizerJaMecab", '"sacrebleu[ja]"'
    ),
    "ko-mecab": _External(
        "sacrebleu.tokenizers.tokenizer_ko_mecab", "TokenizerKoMecab", '"sacrebleu[ko]"'
    ),
    # Parity: sacrebleu's "spm" is "flores101" under an older name.
    "spm": _FLORES101,
    "flores101": _FLORES101,
    "flores200": _FLORES101._replace(name="Flores200Tokenizer"),
}
EXTERNAL_TOKENIZERS: Final = tuple(_EXTERNAL)


def load_external_tokenizer(option: str, name: str) -> Callable[[str], list[str]]:
    """The tokenizer of that name, ready to be called.

    Args:
        option: the option that carried the name; named in errors.
        name: from ``EXTERNAL_TOKENIZERS``.

    Returns:
        A function ``str -> list[str]``; the same one for the same name.

    Raises:
        ValueError: what it needs is not installed, or a model cannot be fetched.
    """
    try:
        return _load(name)
    # sacrebleu raises RuntimeError where a library is missing and AssertionError for another
    # dictionary than its own.
    except (ImportError, RuntimeError, AssertionError) as error:
        raise ValueError(
            f"{option} is {name!r}, which needs libraries that are not installed; "
            f"use pip install {_EXTERNAL[name].requirement}."
        ) from error
    except OSError as error:
        raise ValueError(
            f"{option} is {name!r}, but its SentencePiece model cannot be fetched or read "
            f"({error}). Connect to the network, or set SACREBLEU to a folder with the model "
            "under models/."
        ) from error


@cache
def _load(name: str) -> Callable[[str], list[str]]:
    from importlib import import_module

    external = _EXTERNAL[name]
    join_tokens: Any = getattr(import_module(external.module), external.name)()

    def tokenize(text: str) -> list[str]:
        tokens: list[str] = join_tokens(text).split()
        return tokens

    return tokenize
