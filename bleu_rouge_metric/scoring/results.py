"""From counts of samples to the dict of scores that ``metric.compute`` returns.

A batch of one sample of plain texts has a fast path, that of ``PairScorer``. The results are the
same; samples that may trigger a warning use the slow path.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..families.counts import SampleCounts
from ..families.registry import FAMILIES
from ..families.score import PairResult, ScoreWarning
from ..options.errors import check_known, refuse
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family, find_profile
from ..options.table import OPTIONS
from ..samples.text_types import find_list_as_text
from ..text.mistakes import MISSING_VALUES

# A number for all samples, a list of one per sample, the three of ROUGE by name, a text, or the
# scores of each group. Type checkers need not know which: options decide it.
Value = Any

# The key of the scores of each group.
GROUPS: Final = "groups"

Number = float | int


def choose_options(
    options: Options, families: Sequence[Family], given: Mapping[str, Any]
) -> Options:
    """Return the options of one result: those of the scorer, and those given by name.

    Raises:
        TypeError: an option is unknown, or decides what is counted.
        ValueError: a value is out of range, or needs longer n-grams than were counted.
    """
    if not given:
        return options
    if "seed" in given:
        refuse("seed", "does not apply to result", "Pass it to Scorer(..., seed=...).")
    check_known(given)
    for name in given:
        if OPTIONS[name].effect == "counts":
            refuse(name, "decides what is counted", "Give it to Scorer(...), not to result.")
    chosen = Options.from_keywords({**options.to_keywords(families), **given}, families)
    counted = options.plan(families).scores
    for name, scoring in chosen.plan(families).scores.items():
        scoring.check_counted(counted[name], chosen)
    return chosen


def score_groups(
    parts: Sequence[tuple[str, SampleCounts]],
    options: Options,
    families: Sequence[Family],
    seed: int,
) -> dict[str, Value]:
    """Return the scores of all samples, the first part, and of the samples of each label.

    All have the same seed of resampling, so that a group has the scores that it has alone. The
    keys are those of each family in the order of the profile, then the signature and the groups;
    the values are Python numbers, ready for JSON.
    """
    plan = options.plan(families)

    def score(counts: SampleCounts) -> dict[str, Value]:
        scores: dict[str, Value] = {}
        for part in plan.scores.values():
            scores.update(part.score(counts, plan.output, seed))
        if plan.output.signature:
            scores["signature"] = options.write_signature(
                families, reference_counts=counts.reference_counts, seed=seed
            )
        return scores

    (_, whole), *groups = parts
    scores = score(whole)
    if groups:
        scores[GROUPS] = {label: score(counts) for label, counts in groups}
    return scores


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


class SinglePair(NamedTuple):
    """The fast path of each family, and what detects scores that mislead."""

    families: tuple[PairResult, ...]
    warnings: tuple[ScoreWarning, ...]

    def score(
        self, prediction: str, references: list[str], warned: Container[str]
    ) -> dict[str, Value] | None:
        """Return the scores of one sample; None for the slow path, as if it may warn."""
        result: dict[str, Value] = {}
        for score_family in self.families:
            values = score_family(prediction, references)
            if values is None:
                return None
            result |= values
        for name, applies, _ in self.warnings:
            if name not in warned and applies(result):
                return None
        return result


def find_single_pair(options: Options, families: Sequence[Family]) -> SinglePair | None:
    """Return the fast path for some options, prepared once; None if there is none."""
    key = "single pair", *families
    found: SinglePair | None = options.keep(key, lambda: _prepare_pair(options.plan(families)))
    return found


def read_pair(predictions: object, references: object) -> tuple[str, list[str]] | None:
    """Return the only sample of lists of plain texts; None if there are others.

    Texts beyond ASCII may be of scripts that the options do not suit, which is warned of. Others
    may not be what their user means: a missing value, a list, one character per line.
    """
    if type(predictions) is not list or type(references) is not list:
        return None
    if len(predictions) != 1 or len(references) != 1:
        return None
    prediction, reference = predictions[0], references[0]
    texts = reference if type(reference) is list else [reference]
    for text in (prediction, *texts):
        if (
            type(text) is not str
            or not text.isascii()
            or (len(text) < 5 and text in MISSING_VALUES)
            or ("\n" in text and text[1:2] == "\n")
            or ("[" in text and find_list_as_text((text,)) is not None)
        ):
            return None
    return (prediction, texts) if texts else None


def _prepare_pair(plan: Plan) -> SinglePair | None:
    """Return the fast path of a plan; None if there is none."""
    output = plan.output
    # A number of resamples without resampling is warned of.
    default = OPTIONS["n_resamples"].default
    if plan.is_resampled or output.n_resamples != default or not output.use_aggregator:
        return None
    if output.signature:
        return None
    families: list[PairResult] = []
    for family in plan.scores.values():
        score_pair = family.pair_result(output)
        if score_pair is None:
            return None
        families.append(score_pair)
    return SinglePair(tuple(families), plan.warnings)
