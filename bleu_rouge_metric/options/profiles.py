"""Profiles: named presets of options, each equal to one reference bit for bit.

A profile says which of the two families it has, how its library calculates, and which value an
option has if the caller gives none. An option that is given overrides the profile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..checks import check_choice
from ..families import BLEU, GLEU, REGISTRY, ROUGE
from ..families.base import Family as FamilyObject

Family = Literal["bleu", "rouge"]
FAMILIES: Final[tuple[Family, ...]] = ("bleu", "rouge")

# How a family that a profile has not checks the values of its options all the same.
DEFAULTS: Final[dict[FamilyObject, str]] = {BLEU: "hf", ROUGE: "exact"}

DEFAULT_ROUGE_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What a profile stands for.

    Attributes:
        reference: the program, or the paper, whose numbers it gives.
        families: the families that the reference has.
        presets: the values of options, if they are not the defaults of ``table.py``.
        bleu: whose arithmetic BLEU follows: order of operations, scale, output keys.
        rouge: whose formulas ROUGE follows.
    """

    reference: str
    calculates: Mapping[FamilyObject, str]
    presets: Mapping[str, Any] = field(default_factory=dict)

    @property
    def families(self) -> tuple[Any, ...]:
        """What callers ask for its families by."""
        return tuple(family.group for family in self.calculates)

    def calculate_all(self) -> dict[FamilyObject, str]:
        """Its families, and others whose options are checked with them."""
        others = {f: c for f, c in DEFAULTS.items() if f.group not in self.families}
        found = {**self.calculates, **others}
        return dict(sorted(found.items(), key=lambda item: list(REGISTRY).index(item[0].name)))


PROFILES: Final[dict[str, Profile]] = {
    "hf": Profile(reference="evaluate 0.4.6, bleu and rouge", calculates={BLEU: "hf", ROUGE: "exact"}),
    "rouge_score": Profile(
        reference="rouge_score 0.1.2",
        calculates={ROUGE: "exact"},
        presets={"detailed": True},
    ),
    "sacrebleu": Profile(
        reference="sacrebleu 2.6.0",
        calculates={BLEU: "sacrebleu"},
        presets={"smooth": "exp", "reference_length": "closest"},
    ),
    "nltk": Profile(
        reference="NLTK 3.10, bleu_score",
        calculates={BLEU: "nltk"},
        presets={
            "smooth": "none",
            "reference_length": "closest",
            "bleu_tokenizer": "whitespace",
        },
    ),
    "google_bleu": Profile(
        reference="evaluate 0.4.6, google_bleu",
        calculates={GLEU: ""},
    ),
    "rouge-1.5.5": Profile(
        reference="ROUGE-1.5.5.pl",
        calculates={ROUGE: "rouge-1.5.5"},
        presets={
            "rouge_types": ("rouge1", "rouge2", "rougeL", "rougeSU4"),
            "rouge_tokenizer": "rouge-1.5.5",
            "multi_reference": "micro",
            "aggregator": "bootstrap",
            "detailed": True,
        },
    ),
    "lin2004": Profile(
        reference="Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries",
        calculates={ROUGE: "lin2004"},
        presets={"multi_reference": "jackknife", "detailed": True},
    ),
}


def find_profile(name: object) -> Profile:
    """Return the profile of this name.

    Raises:
        TypeError: the name is no str.
        ValueError: there is no such profile.
    """
    return PROFILES[check_choice("profile", name, PROFILES)]


def check_family(family: object) -> list[Family]:
    """Return the families that are asked for by the name of one, or by None for both.

    Raises:
        ValueError: it is no family.
    """
    if family not in (None, *FAMILIES, *(known.group for known in REGISTRY.values())):
        raise ValueError(f"family is {family!r}; expected 'bleu', 'rouge' or None for both.")
    return list(FAMILIES) if family is None else [family]  # type: ignore[list-item]


def profile_of(keywords: Mapping[str, Any]) -> Any:
    """Return the name of the profile among options; ``hf`` if none is given."""
    name = keywords.get("profile")
    return "hf" if name is None else name


def choose_families(name: str, families: Sequence[Family]) -> list[Family]:
    """Return the families that are asked for and that the profile has.

    Raises:
        ValueError: there is none.
    """
    has = find_profile(name).families
    # Fewer words for "all": what callers give by default.
    scored = [*has] if tuple(families) == FAMILIES else [f for f in families if f in has]
    if not scored:
        asked = families[0]
        others = ", ".join(
            repr(other) for other, profile in PROFILES.items() if asked in profile.families
        )
        raise ValueError(
            f"profile {name!r} has no {asked.upper()}, but only {asked.upper()} was requested; "
            f"expected one of {others}."
        )
    return scored
