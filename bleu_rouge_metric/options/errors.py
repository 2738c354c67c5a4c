"""Errors for options and arguments that are unknown, or have no effect on what is scored.

The error for a name of another library names ours. The foreign names of an option are in its row;
here are those of the two arguments, of options to which nothing here corresponds, and of flags.
Source: sacrebleu 2.6, NLTK 3.10, rouge_score 0.1.2, evaluate 0.4.6, torchmetrics 1.9,
PyTorch-Ignite, torchtext, transformers, py-rouge 1.1, rouge-metric 1.0.1, the package rouge, and
ROUGE-1.5.5.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

from ..checks import find_closest
from ..messages import Argument, format_message, type_error, value_error
from ..schema import WITH_FLAGS, Foreign
from .profiles import Family, find_profile
from .table import OPTIONS, means_something

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

ARGUMENTS: Final = {
    "predictions": Foreign(
        "hypotheses hypothesis hyps hyp candidates candidate candidate_corpus preds pred pred_lns "
        "sys summaries summary --predictions --prediction-filepattern --input -i -p",
        command="give predictions as the first argument, without a flag",
    ),
    "references": Foreign(
        "list_of_references refs ref targets target tgt_lns labels references_corpus "
        "multi_references --references --target-filepattern -r",
        command="give references after the first argument, without a flag",
    ),
}
_WRONG: Final = {"prediction", "reference"}.union(*(row.names for row in ARGUMENTS.values()))

NOT_NEEDED: Final = {
    "force": "leave it out; it is not needed",
    "num_refs": "leave it out; references are counted automatically",
    "ignore_empty": "drop such samples, or leave it out: an empty text scores 0",
}

# Flags of commands that are not options of a library.
OTHER_FLAGS: Final = {
    ("--metrics", "-m"): "use --family bleu or --family rouge",
    ("-w",): "it is called --width here",
    ("-b", "--quiet", "-q"): "it is called --score-only here",
    ("--short", "-sh"): "use --signature for the line that records how scores were computed",
    ("--detail", "-d"): "use --detailed for precision and recall, or --per-sample FILE",
    ("-f",): "it is called --format here",
    ("-e",): "it is called --encoding here",
    ("--test-set", "-t"): "give files of predictions and references; test sets are not downloaded",
    ("-nr",): NOT_NEEDED["num_refs"],
    ("--output-filename",): "use --format csv > FILE, or --per-sample FILE",
}

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


def list_foreign() -> Iterator[tuple[str, str]]:
    """Iterate over the foreign names, each with what to do instead."""
    for argument, foreign in ARGUMENTS.items():
        for name in foreign.names:
            yield name, f"it is called {argument!r} here"
    for option in OPTIONS.values():
        for foreign in option.foreign:
            use = format_message("use " + foreign.use)
            for name in foreign.names:
                yield name, use if foreign.use else f"it is called {option.name!r} here"
    yield from NOT_NEEDED.items()


def find_remedy(name: str, value: object = None) -> str | None:
    """Return what to do in place of giving a foreign name; None if it is none."""
    for option in OPTIONS.values():
        for foreign in option.foreign if isinstance(value, bool) else ():
            is_ours = option.kind in WITH_FLAGS and name in foreign.names
            if is_ours and (foreign.is_opposite or not foreign.use):
                return f"use {option.name}={value != foreign.is_opposite}"
    return dict(list_foreign()).get(name)


def refuse(option: str, reason: str, remedy: str = "Remove it.") -> NoReturn:
    """Raise TypeError for an option that has no effect on what is computed."""
    raise type_error("{} {}.", Argument(option), reason, remedy=remedy)


def refuse_options(
    given: Mapping[str, Any], names: Collection[str], function: str, purpose: str
) -> None:
    """Raise TypeError for an option that a function does not have; None counts as not given."""
    for name, value in given.items():
        if value is not None and name in names:
            refuse(name, f"does not apply to {function}, which {purpose}", "Use metric.compute.")


def _raise_unknown(keyword: str, value: object = None) -> NoReturn:
    """Raise TypeError for a keyword that is not an option; say what it is called here."""
    if keyword in _ELSEWHERE:
        refuse(keyword, *_ELSEWHERE[keyword])
    if remedy := find_remedy(keyword, value):
        raise TypeError(f"Unknown option {keyword!r}; {remedy}.")
    closest = find_closest(keyword, [*ARGUMENTS, *OPTIONS])
    remedy = f"did you mean {closest!r}?" if closest else f"expected one of {', '.join(OPTIONS)}."
    raise TypeError(f"Unknown option {keyword!r}; {remedy}")


def check_known(keywords: Mapping[str, Any]) -> None:
    """Raise TypeError for a keyword that is not an option."""
    for keyword, value in keywords.items():
        if keyword not in OPTIONS:
            _raise_unknown(keyword, value)


def check_relevance(keywords: Mapping[str, Any], profile: str, families: Sequence[Family]) -> None:
    """Raise TypeError for an option of a family that is not scored, or of other profiles."""
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


def name_arguments(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Decorate a function of samples: a keyword of another library is an error that names ours."""
    wrong = _WRONG.difference(signature(function).parameters)

    @wraps(function)
    def call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        if not wrong.isdisjoint(kwargs):
            _raise_unknown(next(name for name in kwargs if name in wrong))
        return function(*args, **kwargs)

    return call


def refuse_positional(method: str, given: tuple[object, ...], *names: str) -> None:
    """Raise TypeError if a method that takes keywords alone is given other arguments."""
    if given:
        line = ", ".join(f"{name}=..." for name in names)
        raise TypeError(f"{method} takes keywords; use {method}({line}).")
