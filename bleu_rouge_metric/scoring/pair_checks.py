"""Check the scores and the options of a ``PairScorer``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..checks import find_closest, hint_at
from ..families.registry import FAMILIES
from ..messages import describe_value, format_message, value_error
from ..options.errors import refuse, refuse_options
from ..options.options import Options
from ..options.profiles import DEFAULT, Family, find_profile, find_profile_with
from ..options.table import option_names


def check_scores(score: object) -> tuple[str, ...]:
    """Return the names of the scores."""
    if isinstance(score, str):
        names: tuple[Any, ...] = (score,)
    elif isinstance(score, Iterable) and not isinstance(score, bytes | Mapping):
        names = tuple(score)
    else:
        expected = "expected 'bleu', 'google_bleu', a ROUGE type such as 'rougeL', or a sequence"
        raise TypeError(describe_value("score", repr(score), f"{expected} of these."))
    if not names:
        raise value_error("{score} is empty", expected="expected at least one, such as 'rougeL'.")
    for name in names:
        if names.count(name) > 1:
            raise value_error("{score} has {!r} twice", name, expected="expected it once.")
    return names


def check_options(
    names: Sequence[str], options: dict[str, Any]
) -> tuple[Options, tuple[Family, ...]]:
    """Check the options for these scores, and return them with the families."""
    _check_asked(options)
    if options.get("profile") is None:
        options["profile"] = _choose_profile(names)
    profile = find_profile(options["profile"])
    asked: dict[str, list[str]] = {}
    for name in names:
        family = profile.find_family(name)
        if family is None:
            raise _describe_missing(name, options["profile"])
        asked.setdefault(family.name, []).append(name)
    for key, own in asked.items():
        options.update(FAMILIES[key].ask(own))
    groups: Any = tuple(FAMILIES[key].group for key in profile.calculates if key in asked)
    checked = Options.from_keywords(options, groups)
    plan = checked.plan(groups)
    scored: list[str] = []
    for scoring in plan.scores.values():
        scoring.check_one_score("a pair has one BLEU here")
        scored += scoring.names
    for name in names:
        if name not in scored:
            raise value_error(
                "{score} has {!r}, which these options leave out",
                name,
                expected=f"expected one of {', '.join(scored)}.",
            )
    return checked, plan.families


def _check_asked(options: Mapping[str, Any]) -> None:
    """Raise TypeError for an option that asks for more than one number per pair."""
    if "rouge_types" in options:
        remedy = format_message("Name the types as {score}.")
        refuse("rouge_types", "does not apply to single pairs", remedy)
    asked = option_names("output", "aggregation")
    refuse_options(options, asked, "single pairs", "have one number per score")


def _choose_profile(names: Sequence[str]) -> str:
    """Return the first profile that has all scores."""
    profile = find_profile_with(names)
    if profile is not None:
        return profile
    for name in names:
        if find_profile_with([name]) is None:
            for family in FAMILIES.values():
                family.check_name(name)
            raise ValueError(
                f"Unknown score {name!r}; expected 'bleu', 'google_bleu' or a ROUGE type such as "
                "'rougeL'."
            )
    usual = [name for name in names if find_profile(DEFAULT).find_family(name) is not None]
    other = next(name for name in names if name not in usual[:1])
    raise ValueError(f"{other!r} is the score of another profile; ask for it separately.")


def _describe_missing(name: object, profile: str) -> ValueError:
    """Return the error for a score that a profile does not have."""
    families = [FAMILIES[key] for key in find_profile(profile).calculates]
    group = next((family.group for family in FAMILIES.values() if family.has_score(name)), None)
    if group is not None and all(family.group != group for family in families):
        return value_error(
            "{profile} {!r} has no {}",
            *(profile, group.upper()),
            remedy=format_message("leave it out of {score}, or choose another profile."),
        )
    if group is None:
        for family in families:
            family.check_name(name)
    known = [score for family in families for score in family.list_names()]
    *firsts, last = map(repr, known)
    listed = f"{', '.join(firsts)} or {last}" if firsts else last
    hint = hint_at(find_closest(str(name), known))
    return ValueError(f"profile {profile!r} has no score {name!r}; expected {listed}.{hint}")
