"""Errors for options that are unknown, or have no effect on what is scored."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NoReturn

from ..checks import find_closest
from ..messages import Argument, type_error, value_error
from .foreign import find_remedy
from .profiles import Family, find_profile
from .table import OPTIONS, means_something

# Arguments of some functions that are not options.
_ELSEWHERE: Final = {
    "seed": ("does not apply to compute", "Pass it to evaluate.load(..., seed=...)."),
    "groups": (
        "does not apply here",
        "Pass it to metric.compute or Scorer.result, which score the samples of each label.",
    ),
    "percent": (
        "does not apply here",
        "Multiply the scores by 100, or use profile='sacrebleu', whose BLEU is from 0 to 100.",
    ),
}

# Why comparisons refuse options of another output.
ONE_NUMBER: Final = "compares one number per score"


def refuse(option: str, reason: str, remedy: str = "Remove it.") -> NoReturn:
    """Raise TypeError for an option that has no effect on what is computed.

    Args:
        option: its name.
        reason: what it does not apply to, behind the name.
        remedy: a sentence.

    >>> refuse("use_stemmer", "applies to ROUGE only, but only BLEU was requested")
    Traceback (most recent call last):
    TypeError: use_stemmer applies to ROUGE only, but only BLEU was requested. Remove it.
    """
    raise type_error("{} {}.", Argument(option), reason, remedy=remedy)


def refuse_options(
    given: Mapping[str, Any], names: Collection[str], function: str, purpose: str
) -> None:
    """Raise TypeError for an option that a function does not have; None counts as not given.

    Args:
        given: the options.
        names: those that the function does not have.
        function: its name, or what it is about.
        purpose: what it does in place of them.
    """
    for name, value in given.items():
        if value is not None and name in names:
            refuse(name, f"does not apply to {function}, which {purpose}", "Use metric.compute.")


def raise_unknown(keyword: str, names: Sequence[str], value: object = None) -> NoReturn:
    """Raise TypeError for a keyword that is not an option; say what it is called here.

    Args:
        keyword: its name.
        names: of what may be given.
        value: what was given.
    """
    if keyword in _ELSEWHERE:
        refuse(keyword, *_ELSEWHERE[keyword])
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
    has = find_profile(profile).families
    for keyword in keywords:
        own = OPTIONS[keyword].families
        if OPTIONS[keyword].is_of(families):
            continue
        reason = f"applies to {own[0].upper()} only, but"
        if own[0] not in has:
            names = " and ".join(map(str.upper, has))
            refuse(keyword, f"{reason} the profile {profile!r} has only {names}")
        scored = families[0].upper()
        refuse(keyword, f"{reason} only {scored} was requested", "Remove it, or request both.")
    for keyword, value in keywords.items():
        if value is not None and not means_something(keyword, profile):
            refuse(keyword, f"has no effect under the profile {profile!r}")


def check_one_number(values: Mapping[str, object]) -> None:
    """Raise ValueError for an option with which a score is not one number."""
    for name, option in OPTIONS.items():
        value = values[name]
        if option.one_number not in (None, value):
            raise value_error(
                "{} is {}, but a training loop logs one number per score",
                *(Argument(name), value),
                remedy="leave it out, and use metric.compute or Scorer for it.",
            )
