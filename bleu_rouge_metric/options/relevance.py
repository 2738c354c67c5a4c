"""Errors for options that are unknown, or have no effect on what is scored."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from ..checks import find_closest
from .foreign import find_remedy
from .profiles import Family, find_profile
from .table import OPTIONS, means_something

# Arguments of some functions that are no options.
_ELSEWHERE: Final = {
    "seed": "'seed' is not an option of compute; pass it to evaluate.load(..., seed=...).",
    "groups": "'groups' is not an option here; pass it to metric.compute or Scorer.result, which "
    "score the samples of each label.",
    "percent": "'percent' is not an option here; multiply the scores by 100, or use "
    "profile='sacrebleu', whose BLEU is from 0 to 100.",
}


def raise_unknown(keyword: str, names: Sequence[str], value: object = None) -> NoReturn:
    """Raise TypeError for a keyword that is none of the options; say what it is called here.

    Args:
        keyword: its name.
        names: of what may be given.
        value: what was given.
    """
    if keyword in _ELSEWHERE:
        raise TypeError(_ELSEWHERE[keyword])
    if remedy := find_remedy(keyword, value):
        raise TypeError(f"Unknown option {keyword!r}; {remedy}.")
    closest = find_closest(keyword, ["predictions", "references", *names])
    remedy = f"did you mean {closest!r}?" if closest else f"expected one of {', '.join(names)}."
    raise TypeError(f"Unknown option {keyword!r}; {remedy}")


def check_known(keywords: Mapping[str, Any]) -> None:
    """Raise TypeError for a keyword that is not an option."""
    for keyword, value in keywords.items():
        if keyword not in OPTIONS:
            raise_unknown(keyword, list(OPTIONS), value)


def check_relevance(keywords: Mapping[str, Any], profile: str, families: Sequence[Family]) -> None:
    """Raise TypeError for an option of a family that is not scored, or of other profiles.

    Args:
        keywords: names of options, with their values; one that is None is the profile's.
        profile: its name.
        families: the families that are scored.
    """
    scored = families[0].upper()
    for keyword in keywords:
        own = OPTIONS[keyword].families
        if OPTIONS[keyword].is_of(families):
            continue
        reason = f"{keyword!r} applies to {own[0].upper()} only, but"
        if len(find_profile(profile).families) == 1:
            raise TypeError(f"{reason} the profile {profile!r} has only {scored}; remove it.")
        raise TypeError(f"{reason} only {scored} was requested; remove it, or request both.")
    for keyword, value in keywords.items():
        if value is not None and not means_something(keyword, profile):
            raise TypeError(f"{keyword!r} has no effect under the profile {profile!r}; remove it.")


def check_one_number(values: Mapping[str, object]) -> None:
    """Raise ValueError for an option with which a score is not one number."""
    for name, option in OPTIONS.items():
        value = values[name]
        if option.one_number not in (None, value):
            raise ValueError(
                f"{name} is {value}, but a training loop logs one number per score; leave it out, "
                "and use metric.compute or Scorer for it."
            )
