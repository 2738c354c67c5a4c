"""Profiles: named presets of options, each equal to one reference bit for bit.

A profile says which families it has, how its library calculates, and which value an option has if
the caller gives none. An option that is given overrides the profile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..checks import check_choice
from ..families import registry
from ..messages import describe_value, value_error

_Both = Literal["hf", "coco"]
BleuProfile = Literal[_Both, "sacrebleu", "nltk", "google_bleu", "codexglue"]
RougeProfile = Literal[
    _Both, "rouge_score", "xlsum", "rouge", "rouge-chinese", "rouge-1.5.5", "lin2004"
]
ProfileName = Literal[BleuProfile, RougeProfile]

# What callers ask for families by.
Family = Literal["bleu", "rouge"]
BOTH: Final[tuple[Family, ...]] = ("bleu", "rouge")

# The profile that is used if none is given.
DEFAULT: Final = "hf"

# The families whose options are checked if a profile has none of the group, with their convention.
DEFAULTS: Final[dict[str, str]] = {"bleu": "hf", "rouge": "exact"}


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A profile.

    Attributes:
        reference: the program, or the paper, that it equals.
        calculates: by the name of each family that the reference has, whose arithmetic it follows:
            order of operations, scale, output keys, formulas.
        presets: the values of options, if they are not the defaults of ``table.py``.
        percentages: whether its BLEU is from 0 to 100.
    """

    reference: str
    calculates: Mapping[str, str]
    presets: Mapping[str, Any] = field(default_factory=dict)
    percentages: bool = False

    @property
    def families(self) -> tuple[Any, ...]:
        """Return what callers ask for its families by."""
        return tuple(registry.FAMILIES[name].group for name in self.calculates)

    def list_conventions(self) -> dict[str, str]:
        """Return the convention of each of its families, and of others with options to check."""
        families = self.families
        others = {
            name: convention
            for name, convention in DEFAULTS.items()
            if registry.FAMILIES[name].group not in families
        }
        conventions = {**self.calculates, **others}
        return {name: conventions[name] for name in registry.FAMILIES if name in conventions}

    def find_family(self, score: object) -> Any:
        """Return its family that has a score of this name; None if none has."""
        families = (registry.FAMILIES[name] for name in self.calculates)
        return next((family for family in families if family.has_score(score)), None)

    def find_names(self, families: Sequence[str]) -> list[str]:
        """Return the names of its families that callers ask for by these."""
        return [name for name in self.calculates if registry.FAMILIES[name].group in families]


# The presets of ``rouge`` and of ``rouge-chinese``.
_OF_PACKAGES: Final = {
    "rouge_types": ("rouge1", "rouge2", "rougeL"),
    "rouge_tokenizer": "whitespace",
    "detailed": True,
}

PROFILES: Final[dict[str, Profile]] = {
    "hf": Profile(
        reference="evaluate 0.4.6, bleu and rouge", calculates={"bleu": "hf", "rouge": "exact"}
    ),
    "rouge_score": Profile(
        reference="rouge_score 0.1.2",
        calculates={"rouge": "exact"},
        presets={"detailed": True},
    ),
    "sacrebleu": Profile(
        reference="sacrebleu 2.6.0",
        calculates={"bleu": "sacrebleu"},
        presets={"smooth": "exp", "reference_length": "closest"},
        percentages=True,
    ),
    "nltk": Profile(
        reference="NLTK 3.10, bleu_score",
        calculates={"bleu": "nltk"},
        presets={
            "smooth": "none",
            "reference_length": "closest",
            "bleu_tokenizer": "whitespace",
        },
    ),
    "google_bleu": Profile(
        reference="evaluate 0.4.6, google_bleu",
        calculates={"google_bleu": ""},
    ),
    "coco": Profile(
        reference="pycocoevalcap 1.2",
        calculates={"coco_bleu": "", "coco_rouge": ""},
        presets={"bleu_tokenizer": "whitespace", "rouge_tokenizer": "space"},
    ),
    "codexglue": Profile(
        reference="CodeXGLUE's smoothed BLEU-4 (CodeT5, smooth_bleu.py)",
        calculates={"codexglue": ""},
        presets={"bleu_tokenizer": "mteval-v11a"},
        percentages=True,
    ),
    "rouge": Profile(
        reference="rouge 1.0.1 (pltrdy)",
        calculates={"rouge_package": "rouge"},
        presets=_OF_PACKAGES,
    ),
    "rouge-chinese": Profile(
        reference="rouge-chinese 1.0.3",
        calculates={"rouge_package": "rouge-chinese"},
        presets=_OF_PACKAGES,
    ),
    "xlsum": Profile(
        reference="multilingual-rouge 0.0.1 (XL-Sum)",
        calculates={"rouge": "exact"},
        presets={"rouge_tokenizer": "xlsum", "detailed": True},
    ),
    "rouge-1.5.5": Profile(
        reference="ROUGE-1.5.5.pl",
        calculates={"rouge": "rouge-1.5.5"},
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
        calculates={"rouge": "lin2004"},
        presets={"multi_reference": "jackknife", "detailed": True},
    ),
}


def find_profile(name: object) -> Profile:
    """Return the profile of this name; raise TypeError or ValueError if there is none."""
    return PROFILES[check_choice("profile", name, PROFILES)]


def find_profile_with(scores: Sequence[object]) -> str | None:
    """Return the first profile that has all of these scores; None if there is none."""
    profiles = PROFILES.items()
    return next((name for name, item in profiles if all(map(item.find_family, scores))), None)


def check_family(family: object) -> list[Family]:
    """Return the families that are asked for by the name of one, or by None for both."""
    if family not in (None, *BOTH, *(known.group for known in registry.FAMILIES.values())):
        expected = "expected 'bleu', 'rouge' or None for both."
        raise ValueError(describe_value("family", repr(family), expected))
    return list(BOTH) if family is None else [family]  # type: ignore[list-item]


def profile_of(keywords: Mapping[str, Any]) -> Any:
    """Return the name of the profile among options; ``hf`` if none is given."""
    name = keywords.get("profile")
    return DEFAULT if name is None else name


def choose_families(name: str, families: Sequence[Family]) -> list[Family]:
    """Return the families that are asked for and that the profile has; raise if there is none."""
    has = find_profile(name).families
    # Fewer words for "all": what callers give by default.
    scored = [*has] if tuple(families) == BOTH else [f for f in families if f in has]
    if not scored:
        asked = families[0]
        others = ", ".join(
            repr(other) for other, profile in PROFILES.items() if asked in profile.families
        )
        raise value_error(
            "{profile} {!r} has no {}, but only {} was requested",
            *(name, asked.upper(), asked.upper()),
            expected=f"expected one of {others}.",
        )
    return scored
