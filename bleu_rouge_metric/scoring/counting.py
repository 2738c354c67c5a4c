"""From checked samples to their counts, in portions, by the plan of the options."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

import numpy as np

from ..families.counts import SampleCounts, concatenate_counts, from_arrays
from ..messages import Argument, format_message, get_message, type_error, value_error
from ..options.plans import Plan
from ..samples.inputs import Samples
from ..samples.token_ids import IdRules
from ..text.sentences import SentenceSplitter, SplitError
from ..text.tokenizer import Tokenizer

# Samples counted at a time: what the counting of a portion needs is given back after it.
_PORTION: Final = 1 << 14

# Bound of a cache of tokens: with 256 texts of 8,192 characters, tokens of about four characters
# and their lists take 30 MB.
_MOST_TEXTS: Final = 256
_LONGEST_TEXT: Final = 8192

_Step = TypeVar("_Step", Tokenizer, SentenceSplitter)


def count_samples(samples: Samples, plan: Plan) -> SampleCounts:
    """Return counts of all the samples, for the families of the plan."""
    portions = list(count_portions(samples, plan))
    return portions[0] if len(portions) == 1 else concatenate_counts(portions)


def count_portions(
    samples: Samples, plan: Plan, portion_size: int = _PORTION
) -> Iterator[SampleCounts]:
    """Iterate over counts of one portion of the samples after the other, in order."""
    check_kind(plan, are_ids=samples.are_ids)
    for check in plan.checks:
        check(samples)
    count = len(samples.predictions)
    for start in range(0, count, portion_size):
        portion = samples if count <= portion_size else samples.select(start, start + portion_size)
        if samples.are_ids:
            portion = _keep_ids(portion, plan.ids, start)
        yield _count_portion(portion, plan, start)


def check_kind(plan: Plan, *, are_ids: bool) -> None:
    """Raise TypeError for texts of which token ids are counted, or the reverse."""
    for score in plan.scores.values():
        if score.uses_ids == are_ids:
            continue
        if score.uses_ids:
            raise type_error(
                "{tokenizer is 'ids'}, but {predictions} has texts",
                remedy="leave it out, or give sequences of ints.",
            )
        raise type_error(
            "{predictions} has sequences of token ids, but {} is {!r}, which is for texts",
            *(Argument(score.tokenizer_option), score.choice),
            remedy=format_message("use {tokenizer='ids'}, or decode the ids."),
        )


def _count_portion(samples: Samples, plan: Plan, start: int) -> SampleCounts:
    """Return counts of a portion whose first sample has the index ``start``."""
    arrays: dict[str, Any] = {"reference_counts": np.diff(samples.offsets)}
    try:
        for part in plan.scores.values():
            arrays.update(part.count(part.prepare(samples)))
    except SplitError as error:
        place = _find_place(samples, error.text, start)
        raise value_error("{}: {}", place, get_message(error)) from error
    return from_arrays(arrays, plan.layouts)


def _find_place(samples: Samples, text: str, start: int) -> str | Argument:
    """Name the sample that has a text, or begins with it under a limit; the first is ``start``."""
    for index, (prediction, references) in enumerate(samples.by_sample(), start):
        if prediction.startswith(text):
            return Argument(f"predictions[{index}]")
        if any(reference.startswith(text) for reference in references):
            return Argument(f"references[{index}]")
    return "A text"


def _keep_ids(samples: Samples, rules: IdRules, start: int) -> Samples:
    """Return samples without ids that are not tokens; the first has the index ``start``."""
    owners = np.repeat(range(len(samples.predictions)), np.diff(samples.offsets)).tolist()
    places = zip(samples.references, owners, strict=True)
    predictions: list[Any] = [
        rules.keep(ids, f"predictions[{index}]")
        for index, ids in enumerate(samples.predictions, start)
    ]
    references: list[Any] = [rules.keep(ids, f"references[{start + i}]") for ids, i in places]
    return samples._replace(predictions=predictions, references=references)


def cache_tokens(plan: Plan, most_texts: int | None = _MOST_TEXTS) -> Plan:
    """Return a plan whose Python tokenizers and splitters keep the results of the last texts."""
    cache = partial(_cache_results, most_texts)
    return plan._replace(
        scores={
            name: score if score.uses_ids else score.map_steps(cache)
            for name, score in plan.scores.items()
        }
    )


def _cache_results(most_texts: int | None, step: _Step) -> _Step:
    """Return a step that keeps the results of the last texts; callers must not change them."""
    function = step.function
    cached = lru_cache(maxsize=most_texts)(function)
    return replace(
        step,
        function=lambda text: cached(text) if len(text) <= _LONGEST_TEXT else function(text),
    )
