"""Check the scores and the options of a ``PairScorer``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..families.registry import FAMILIES
from ..options.options import Options
from ..options.profiles import Family, find_profile, profile_of
from ..options.relevance import refuse, refuse_options
from ..options.table import option_names


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
        if not any(family.has_score(name) for family in FAMILIES.values()):
            raise ValueError(
                f"Unknown score {name!r}; expected 'bleu', 'google_bleu' or a ROUGE type such as "
                "'rougeL'."
            )
    return names


def check_options(
    names: Sequence[str], options: dict[str, Any]
) -> tuple[Options, tuple[Family, ...]]:
    """Check the options for these scores, and return them with the families."""
    _check_asked(options)
    asked = {
        family: own
        for family in FAMILIES.values()
        if (own := [name for name in names if family.has_score(name)])
    }
    for family, own in asked.items():
        for option, value in family.ask(own).items():
            if option == "profile":
                _choose_profile(value, names, options)
            else:
                options[option] = value
    profile = profile_of(options)
    groups: Any = tuple(family.group for family in asked)
    for group in groups:
        if group not in find_profile(profile).families:
            raise ValueError(
                f"profile {profile!r} has no {group.upper()}; leave it out of score, "
                "or choose another profile."
            )
    checked = Options.from_keywords(options, groups)
    plan = checked.plan(groups)
    for name, scoring in plan.scoring.parts.items():
        if FAMILIES[name] not in asked:
            raise ValueError(
                f"The score of the profile {checked.profile!r} is {name!r}; use this name."
            )
        scoring.check_one_score("a pair has one BLEU here")
    return checked, plan.families


def _check_asked(options: Mapping[str, Any]) -> None:
    """Raise TypeError for an option that asks for more than one number per pair."""
    if "rouge_types" in options:
        refuse("rouge_types", "does not apply to PairScorer", "Name the types as score.")
    asked = option_names("output", "aggregation")
    refuse_options(options, asked, "PairScorer", "returns one number per pair")


def _choose_profile(profile: str, names: Sequence[str], options: dict[str, Any]) -> None:
    """Choose the profile of a score that no other has; raise ValueError for more scores."""
    if options.get("profile") is None:
        options["profile"] = profile
    if options["profile"] != profile or len(names) > 1:
        raise ValueError(
            f"{profile!r} is the score of another profile; create one PairScorer for it "
            "and another for the others."
        )
