"""From the options that a caller gives to the values of all options, checked, and their plan."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..families.registry import FAMILIES, find_tokenizer_option, list_tokenizers
from ..families.score import Output
from ..messages import Argument, format_message, get_message, value_error
from ..samples.token_ids import IDS, IdRules, make_id_rules
from ..text.tokenizer import resolve_tokenizer, uses_segmenter
from .plans import Plan
from .profiles import Profile, find_profile, profile_of
from .table import OPTIONS, is_used

Values = dict[str, Any]


def resolve(given: Mapping[str, Any]) -> tuple[Values, Plan]:
    """Return the values of all options, and the plan of all families of the profile.

    Values that have no effect are warned of once all values are checked. None stands for the value
    that the profile has.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range, or a name is unknown.
    """
    profile = find_profile(profile_of(given))
    values = _fill_in(given, profile)
    ids = _make_id_rules(values)
    _check_together(values)
    plan = make_plan(values, profile, ids)
    _check_interval(values, plan)
    for score in plan.scores.values():
        score.warn(values)
    return values, plan


def replan(values: Values) -> Plan:
    """Return the plan of values that are checked already, such as the values of a pickle."""
    profile = find_profile(values["profile"])
    return make_plan(dict(values), profile, _make_id_rules(values))


def _fill_in(given: Mapping[str, Any], profile: Profile) -> Values:
    """Return a value for every option; each is checked alone."""
    shared = given.get("tokenizer")
    if shared is not None:
        resolve_tokenizer("tokenizer", shared)
    values: Values = {}
    tokenizers = list(map(find_tokenizer_option, profile.families))
    for name, option in OPTIONS.items():
        value = given.get(name)
        if value is None and name in tokenizers:
            value = shared
        if value is None:
            value = profile.presets.get(name, option.default)
        if value is not None and option.check is not None:
            value = option.check(name, value)
        # NumPy's numbers become Python's, ready for a signature.
        values[name] = value.item() if isinstance(value, np.generic) else value
    # It is kept as the tokenizers of the families.
    values["tokenizer"] = None
    return values


def _check_together(values: Values) -> None:
    """Raise ValueError for options that exclude each other."""
    if values["confidence"] is not None and not values["use_aggregator"]:
        raise value_error(
            "{confidence} is an interval around one score for all samples, but "
            "{use_aggregator is False}",
            remedy="leave one of the two out.",
        )
    if values["stemmer_exceptions"] is not None and not values["use_stemmer"]:
        raise value_error(
            "{stemmer_exceptions} is given, but {use_stemmer is False}",
            remedy=format_message("use {use_stemmer=True}, or leave the exceptions out."),
        )
    tokenizers = list_tokenizers()
    choices = [values[name] for name in tokenizers]
    if values["segmenter"] is not None and not any(map(uses_segmenter, choices)):
        raise value_error(
            "{segmenter} is given, but only the tokenizer 'unicode' uses one.",
            remedy=format_message("Use {tokenizer='unicode'}, or leave the segmenter out."),
        )
    for name, option in OPTIONS.items():
        if name in tokenizers or option.samples is None or values[name] == option.default:
            continue
        if not is_used(option, choices):
            raise value_error(
                "{} is {!r}, but only the tokenizer 'ids' uses it",
                *(Argument(name), values[name]),
                remedy=format_message("use {tokenizer='ids'}, or leave it out."),
            )
        if option.samples == "texts" and len(option.families) == 1:
            tokenizer = find_tokenizer_option(option.families[0])
            if values[tokenizer] == IDS:
                raise value_error(
                    "{} is {!r}, which is for texts, but {} is 'ids'",
                    *(Argument(name), values[name], Argument(tokenizer)),
                    remedy="leave it out.",
                )


def _check_interval(values: Values, plan: Plan) -> None:
    """Raise ValueError if a score has no interval."""
    if values["confidence"] is None:
        return
    try:
        for score in plan.scores.values():
            score.check_sums()
    except ValueError as error:
        given = values["confidence"], get_message(error)
        raise value_error("{confidence} is {}, but {}", *given) from error


def _make_id_rules(values: Values) -> IdRules:
    """Return which token ids are tokens."""
    return make_id_rules(*(values[name] for name in ("ignore_index", "pad", "eos", "separator")))


def make_plan(values: Values, profile: Profile, ids: IdRules) -> Plan:
    """Return the plan of values, each checked alone; check them together, and normalise them."""
    output = Output(
        per_sample=values["sentence_bleu"],
        use_aggregator=values["use_aggregator"],
        is_mean=values["aggregator"] == "mean",
        n_resamples=values["n_resamples"],
        confidence=values["confidence"],
        detailed=values["detailed"],
        signature=values["signature"],
    )
    # The plans of families that the profile does not have check options only.
    scores = {
        name: FAMILIES[name].plan(values, convention, ids)
        for name, convention in profile.list_conventions().items()
    }
    return Plan.of({name: scores[name] for name in profile.calculates}, ids, output)
