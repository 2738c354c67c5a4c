"""Profiles: named presets of options, each equal to one reference bit for bit.

A profile says which of the two families it has, how its library calculates, and which value an
option has if the caller gives none. An option that is given overrides the profile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..checks import check_choice

Family = Literal["bleu", "rouge"]
FAMILIES: Final[tuple[Family, ...]] = ("bleu", "rouge")

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
    families: tuple[Family, ...]
    presets: Mapping[str, Any] = field(default_factory=dict)
    bleu: Literal["hf", "sacrebleu", "nltk", "google_bleu"] = "hf"
    rouge: Literal["exact", "rouge-1.5.5", "lin2004"] = "exact"


PROFILES: Final[dict[str, Profile]] = {
    "hf": Profile(reference="evaluate 0.4.6, bleu and rouge", families=FAMILIES),
    "rouge_score": Profile(
        reference="rouge_score 0.1.2",
        families=("rouge",),
        presets={"detailed": True},
    ),
    "sacrebleu": Profile(
        reference="sacrebleu 2.6.0",
        families=("bleu",),
        presets={"smooth": "exp", "reference_length": "closest"},
        bleu="sacrebleu",
    ),
    "nltk": Profile(
        reference="NLTK 3.10, bleu_score",
        families=("bleu",),
        presets={
            "smooth": "none",
            "reference_length": "closest",
            "bleu_tokenizer": "whitespace",
        },
        bleu="nltk",
    ),
    "google_bleu": Profile(
        reference="evaluate 0.4.6, google_bleu",
        families=("bleu",),
        bleu="google_bleu",
    ),
    "rouge-1.5.5": Profile(
        reference="ROUGE-1.5.5.pl",
        families=("rouge",),
        presets={
            "rouge_types": ("rouge1", "rouge2", "rougeL", "rougeSU4"),
            "rouge_tokenizer": "rouge-1.5.5",
            "multi_reference": "micro",
            "aggregator": "bootstrap",
            "detailed": True,
        },
        rouge="rouge-1.5.5",
    ),
    "lin2004": Profile(
        reference="Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries",
        families=("rouge",),
        presets={"multi_reference": "jackknife", "detailed": True},
        rouge="lin2004",
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
    if family not in (None, *FAMILIES):
        raise ValueError(f"family is {family!r}; expected 'bleu', 'rouge' or None for both.")
    return [name for name in FAMILIES if family in (None, name)]


def profile_of(keywords: Mapping[str, Any]) -> Any:
    """Return the name of the profile among options; ``hf`` if none is given."""
    name = keywords.get("profile")
    return "hf" if name is None else name


def choose_families(name: str, families: Sequence[Family]) -> list[Family]:
    """Return the families that are asked for and that the profile has.

    Raises:
        ValueError: there is none.
    """
    scored = [family for family in families if family in find_profile(name).families]
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
