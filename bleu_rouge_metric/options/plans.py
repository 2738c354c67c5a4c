"""From the options that a caller gives to the values of all options, checked, and their plan.

A plan says what is counted and scored for each family. Code that reads it never asks for the name
of a profile or of a family.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..families.counts import Layout
from ..families.registry import FAMILIES, find_tokenizer_option, list_tokenizers
from ..families.score import Output, Score, ScoreWarning, Values
from ..messages import Argument, format_message, get_message, value_error
from ..samples.inputs import Samples
from ..samples.token_ids import IDS, IdRules, make_id_rules
from ..text.tokenizer import resolve_tokenizer, uses_segmenter
from .language import describe_unfit
from .profiles import Profile, find_profile, profile_of
from .table import OPTIONS, is_used


class Plan(NamedTuple):
    """What is counted and scored.

    Attributes:
        scores: by the name of each family, in the order of results.
        ids: which token ids are tokens.
        output: what results contain.
        layouts: of all arrays of counts but ``reference_counts``.
        line_types: the scores for which the lines of a text are its sentences.
        checks: what warns of samples, or refuses them, before they are counted.
        warnings: what finds scores of all samples that mislead.
    """

    scores: Mapping[str, Score]
    ids: IdRules
    output: Output
    layouts: Mapping[str, Layout]
    line_types: tuple[str, ...]
    checks: tuple[Callable[[Samples], None], ...]
    warnings: tuple[ScoreWarning, ...]

    @classmethod
    def of(cls, scores: Mapping[str, Score], ids: IdRules, output: Output) -> "Plan":
        """Return the plan of some families."""
        families = scores.values()
        checks = (score.prepare_check() for score in families)
        warnings = (score.prepare_score_warning() for score in families)
        return cls(
            scores,
            ids,
            output,
            layouts={name: row for score in families for name, row in score.layout().items()},
            line_types=tuple(name for score in families for name in score.line_types),
            checks=tuple(check for check in checks if check is not None),
            warnings=tuple(warning for warning in warnings if warning is not None),
        )

    def select(self, names: Sequence[str]) -> "Plan":
        """Return the plan of some of the families, by their names."""
        if [*names] == [*self.scores]:
            return self
        return self.replace_scores({name: self.scores[name] for name in names})

    def replace_scores(self, scores: Mapping[str, Score]) -> "Plan":
        """Return the plan of other scores with the same output."""
        return Plan.of(scores, self.ids, self.output)

    @property
    def families(self) -> tuple[Any, ...]:
        """Return what callers ask for the families by."""
        return tuple(score.group for score in self.scores.values())

    @property
    def names(self) -> list[str]:
        """Return the names of all scores, in the order of results."""
        return [name for score in self.scores.values() for name in score.names]

    @property
    def counts_ids(self) -> bool:
        """Return whether token ids are counted for a family."""
        return any(score.uses_ids for score in self.scores.values())

    @property
    def counted_by(self) -> tuple[object, ...]:
        """Return what decides the counts: two plans with equal ones count the same."""
        return self.ids, *(score.counted_by for score in self.scores.values())

    @property
    def streams(self) -> set[str]:
        """Return which random streams draw resamples; only ``seeded`` has a seed of the caller."""
        streams = (score.find_random_stream(self.output) for score in self.scores.values())
        return {stream for stream in streams if stream is not None}


def resolve(given: Mapping[str, Any]) -> tuple[Values, Plan]:
    """Return the values of all options, and the plan of all families of the profile.

    Values that have no effect are warned of once all values are checked.
    """
    values = _fill_in(given, find_profile(profile_of(given)))
    _make_id_rules(values)
    _check_together(values)
    plan = make_plan(values)
    if values["confidence"] is not None:
        try:
            for score in plan.scores.values():
                score.check_sums()
        except ValueError as error:
            shown = values["confidence"], get_message(error)
            raise value_error("{confidence} is {}, but {}", *shown) from error
    for score in plan.scores.values():
        score.warn(values)
    return values, plan


def _fill_in(given: Mapping[str, Any], profile: Profile) -> Values:
    """Return a value for every option, each checked alone; None stands for that of the profile."""
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
                raise describe_unfit(name, values[name], tokenizer)


def _make_id_rules(values: Values) -> IdRules:
    return make_id_rules(*(values[name] for name in ("ignore_index", "pad", "eos", "separator")))


def make_plan(values: Values) -> Plan:
    """Return the plan of values, each checked alone; check them together, and normalise them."""
    profile, ids = find_profile(values["profile"]), _make_id_rules(values)
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
