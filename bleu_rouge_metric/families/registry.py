"""The families that there are. Their order is that of results."""

from typing import Final

from .base import Family
from .bleu.family import Bleu
from .gleu.family import Gleu
from .rouge.family import Rouge

FAMILIES: Final[dict[str, Family]] = {family.name: family for family in (Bleu(), Gleu(), Rouge())}


def list_tokenizers() -> tuple[str, ...]:
    """Return the names of the options that choose tokenizers, each once."""
    return tuple(dict.fromkeys(family.tokenizer for family in FAMILIES.values()))
