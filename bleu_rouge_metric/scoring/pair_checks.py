"""Check the scores and the options of a ``PairScorer``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..counting.rouge_types import parse_rouge_type
from ..options.options import Options
from ..options.profiles import Family, find_profile, profile_of
from ..options.table import option_names

# The score of the profile of this name, and all names of BLEU.
GLEU: Final = "google_bleu"
BLEU_NAMES: Final = ("bleu", GLEU)


def check_scores(score: object) -> tuple[str, ...]:
    """Return the names of the scores."""
    if isinstance(score, str):
        names: tuple[Any, ...] = (score,)
    elif isinstance(score, Iterable) and not isinstance(score, bytes | Mapping):
        names = tuple(score)
    else:
        raise TypeError(
            f"score is {score!r}; expected 'bleu', 'google_bleu', a ROUGE type such as 'rougeL', "
            "or a sequence of these."
        )
    if not names:
        raise ValueError("score is empty; expected at least one, such as 'rougeL'.")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"score has {name!r} twice; expected it once.")
        if name in BLEU_NAMES:
            continue
        if not isinstance(name, str) or not name.startswith("rouge"):
            raise ValueError(
                f"Unknown score {name!r}; expected 'bleu', 'google_bleu' or a ROUGE type such as "
                "'rougeL'."
            )
        parse_rouge_type(name)
    return names


def check_options(
    names: Sequence[str], options: dict[str, Any]
) -> tuple[Options, tuple[Family, ...]]:
    """Check the options for these scores, and return them with the families."""
    _check_asked(options)
    types = [name for name in names if name not in BLEU_NAMES]
    families: list[Family] = ["bleu"] if len(types) < len(names) else []
    if types:
        families.append("rouge")
        options["rouge_types"] = types
    if GLEU in names:
        _choose_gleu(names, options)
    profile = find_profile(profile_of(options))
    for family in families:
        if family not in profile.families:
            raise ValueError(
                f"profile {options['profile']!r} has no {family.upper()}; leave it out of score, "
                "or choose another profile."
            )
    checked = Options.from_keywords(options, families)
    plan = checked.plan(families)
    if "bleu" in names and plan.counting.bleu is not None and plan.counting.bleu.overlaps:
        raise ValueError("The score of the profile 'google_bleu' is 'google_bleu'; use this name.")
    sets = plan.scoring.bleu.weights
    if "bleu" in names and sets is not None and len(sets) > 1:
        raise ValueError(
            f"weights has {len(sets)} sets; expected one, because a pair has one BLEU here."
        )
    return checked, plan.families


def _check_asked(options: Mapping[str, Any]) -> None:
    """Raise TypeError for an option that asks for more than one number per pair."""
    for option in ("rouge_types", *option_names("output", "aggregation")):
        if option in options:
            remedy = (
                "name the types as score"
                if option == "rouge_types"
                else "it returns one number per pair; use metric.compute"
            )
            raise TypeError(f"{option!r} is not an option of PairScorer; {remedy}.")


def _choose_gleu(names: Sequence[str], options: dict[str, Any]) -> None:
    """Choose the profile of ``google_bleu``, or raise ValueError if it is asked for with others."""
    if options.get("profile") is None:
        options["profile"] = GLEU
    if options["profile"] != GLEU or len(names) > 1:
        raise ValueError(
            "'google_bleu' is the score of another profile; create one PairScorer for it "
            "and another for the others."
        )
