"""The families that there are. Their order is that of results."""

from typing import Final

from .bleu.family import Bleu
from .coco_bleu import CocoBleu
from .coco_rouge import CocoRouge
from .codexglue import Codexglue
from .gleu import Gleu
from .rouge.family import Rouge
from .rouge_package.family import RougePackage
from .score import Score

FAMILIES: Final[dict[str, type[Score]]] = {
    family.name: family
    for family in (Bleu, Gleu, CocoBleu, Codexglue, Rouge, CocoRouge, RougePackage)
}


def list_tokenizers() -> tuple[str, ...]:
    """Return the names of the options that choose tokenizers, each once."""
    return tuple(dict.fromkeys(family.tokenizer_option for family in FAMILIES.values()))


def find_tokenizer_option(group: str) -> str:
    """Return the name of the option that chooses the tokenizer of a group of families."""
    return next(family.tokenizer_option for family in FAMILIES.values() if family.group == group)


def list_groups() -> list[str]:
    """Return what callers ask for families by, each once."""
    return list(dict.fromkeys(family.group for family in FAMILIES.values()))


def find_family(key: str) -> type[Score] | None:
    """Return the family that has a score of this name, or a bound of it; None if there is none."""
    return next((family for family in FAMILIES.values() if family.owns(key)), None)
