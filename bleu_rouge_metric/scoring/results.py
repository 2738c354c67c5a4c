"""From counts of samples to the dict of scores that ``metric.compute`` returns."""

from collections.abc import Mapping
from typing import Any, Final

from ..families.counts import SampleCounts
from ..families.registry import FAMILIES
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import find_profile

# A number for all samples, a list of one per sample, the three of ROUGE by name, a text, or the
# scores of each group. Type checkers need not know which: options decide it.
Value = Any

# The key of the scores of each group.
GROUPS: Final = "groups"

Number = float | int


def score_counts(counts: SampleCounts, plan: Plan, seed: int = 0) -> dict[str, Value]:
    """Return the dict of ``metric.compute``, but for the signature.

    Args:
        counts: of all samples.
        plan: of the options that the samples were counted with.
        seed: of the random streams of resampling.

    Returns:
        The keys of the profile's BLEU, then ``sentence_bleu`` if it is asked for, then the ROUGE
        types in their order; BLEU and each type with its interval if one is asked for. Python
        numbers, ready for JSON.
    """
    result: dict[str, Value] = {}
    for part in plan.scores.values():
        result.update(part.score(counts, plan.output, seed))
    return result


def flatten(scores: Mapping[str, Value]) -> dict[str, Number]:
    """One name per number: ``precision_1`` to the maximal order, ``rouge1_recall`` and so on.

    >>> flatten({"bleu": 0.5, "precisions": [1.0, 0.25], "rouge1": {"precision": 1.0}})
    {'bleu': 0.5, 'precision_1': 1.0, 'precision_2': 0.25, 'rouge1_precision': 1.0}
    """
    numbers: dict[str, Number] = {}
    for name, value in scores.items():
        if isinstance(value, dict):
            numbers.update({f"{name}_{part}": number for part, number in value.items()})
        elif isinstance(value, list):
            singular = name.removesuffix("s")
            numbers.update({f"{singular}_{order}": number for order, number in enumerate(value, 1)})
        else:
            numbers[name] = value
    return numbers


def list_logged(scores: Mapping[str, Value]) -> dict[str, Number]:
    """Return the numbers that a training loop logs: those of ``flatten``, and BLEU as ``bleu``.

    A loop that looks for BLEU finds it under one name, also in the profile ``sacrebleu``, which
    calls it ``score``.

    >>> list_logged({"score": 50.0, "precisions": [100.0, 25.0]})
    {'bleu': 50.0, 'score': 50.0, 'precision_1': 100.0, 'precision_2': 25.0}
    """
    numbers = flatten(scores)
    aliases = {
        name: numbers[key]
        for family in FAMILIES.values()
        for key, name in family.aliases.items()
        if key in numbers
    }
    return {**aliases, **numbers}


def choose_factor(options: Options, *, percent: bool) -> int:
    """Return what scores are multiplied by: 100 for percentages, or 1."""
    # Parity: the scores of sacrebleu and CodeXGLUE are percentages already.
    return 100 if percent and not find_profile(options.profile).percentages else 1


def scale(scores: Mapping[str, Value], factor: int) -> dict[str, Value]:
    """Multiply the scores by a factor, but not lengths, counts and the brevity penalty.

    >>> scale({"bleu": 0.5, "precisions": [1.0, 0.25], "reference_length": 8}, 100)
    {'bleu': 50.0, 'precisions': [100.0, 25.0], 'reference_length': 8}
    """
    facts = {GROUPS, "signature"}.union(*(family.facts for family in FAMILIES.values()))

    def times(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: times(part) for name, part in value.items()}
        return [times(part) for part in value] if isinstance(value, list) else value * factor

    scaled = {name: value if name in facts else times(value) for name, value in scores.items()}
    if GROUPS in scores:
        scaled[GROUPS] = {label: scale(part, factor) for label, part in scores[GROUPS].items()}
    return scaled
