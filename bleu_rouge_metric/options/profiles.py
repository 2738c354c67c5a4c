"""Profiles: named presets of options, each equal to one reference bit for bit.

A profile says which of the two families it has, how its library calculates, and which value every
option has where the caller gives none. Any option that is given goes before the profile.
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
        families: those that the reference has.
        presets: the values of options where they differ from ``DEFAULTS``.
        bleu: whose arithmetic BLEU follows: order of operations, scale, output keys.
        rouge: whose formulas ROUGE follows.
        ignored: options of its families that mean nothing to it.
    """

    reference: str
    families: tuple[Family, ...]
    presets: Mapping[str, Any] = field(default_factory=dict)
    bleu: Literal["hf", "sacrebleu", "nltk", "google_bleu"] = "hf"
    rouge: Literal["exact", "rouge-1.5.5", "lin2004"] = "exact"
    ignored: frozenset[str] = frozenset({"min_order"})


# What every option is where neither the caller nor the profile says otherwise; those that are not
# named are None.
DEFAULTS: Final[Mapping[str, Any]] = {
    "bleu_tokenizer": "13a",
    "min_order": 1,
    "smooth": "none",
    "reference_length": "shortest",
    "auto_reweigh": False,
    "lowercase": False,
    "sentence_bleu": False,
    "rouge_types": DEFAULT_ROUGE_TYPES,
    "rouge_tokenizer": "rouge",
    "use_stemmer": False,
    "sentence_splitter": "newline",
    "multi_reference": "best",
    "beta": 1.0,
    "use_aggregator": True,
    "aggregator": "mean",
    "n_resamples": 1000,
    "detailed": False,
    "ignore_index": -100,
    "signature": False,
}

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
        ignored=frozenset(
            {
                "weights",
                "smooth",
                "smooth_value",
                "reference_length",
                "effective_order",
                "auto_reweigh",
            }
        ),
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


# Options that only one of the two families has; the others belong to both.
_FAMILY_OPTIONS: Final[dict[Family, frozenset[str]]] = {
    "bleu": frozenset(
        {
            "max_order",
            "min_order",
            "weights",
            "smooth",
            "smooth_value",
            "reference_length",
            "effective_order",
            "auto_reweigh",
            "lowercase",
            "bleu_tokenizer",
            "sentence_bleu",
        }
    ),
    "rouge": frozenset(
        {
            "rouge_types",
            "use_stemmer",
            "stemmer_exceptions",
            "stop_words",
            "word_limit",
            "byte_limit",
            "multi_reference",
            "beta",
            "use_aggregator",
            "aggregator",
            "n_resamples",
            "confidence",
            "rouge_tokenizer",
            "sentence_splitter",
            "detailed",
        }
    ),
}


def find_profile(name: object) -> Profile:
    """The profile of this name.

    Raises:
        TypeError: the name is no str.
        ValueError: there is no such profile.
    """
    return PROFILES[check_choice("profile", name, PROFILES)]


def choose_families(name: str, families: Sequence[Family]) -> list[Family]:
    """The families that are scored: those that were asked for and that the profile has.

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
            f"profile {name!r} has no {asked.upper()}, which alone is asked for here; expected "
            f"one of {others}."
        )
    return scored


def is_relevant(keyword: str, profile: str, scored: Sequence[Family]) -> bool:
    """Whether an option means something to what is scored under a profile."""
    return keyword not in foreign_options(scored) | find_profile(profile).ignored


def foreign_options(scored: Sequence[Family]) -> frozenset[str]:
    """Options of the families that are not scored."""
    return frozenset().union(
        *(own for family, own in _FAMILY_OPTIONS.items() if family not in scored)
    )
