"""From counts of samples to the dict of scores that ``metric.compute`` returns.

A batch of one sample of plain texts has a fast path, that of ``PairScorer``. The results are the
same; samples that may trigger a warning use the slow path.
"""

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..families.counts import SampleCounts, select_counts, slice_counts
from ..families.registry import FAMILIES
from ..messages import Argument, type_error
from ..options.errors import check_known, refuse
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family, find_profile
from ..options.table import OPTIONS
from ..samples.items import INTS, check_count, check_items, find_list_as_text, read_items
from ..text.mistakes import MISSING_VALUES

# A number for all samples, a list of one per sample, the three of ROUGE by name, a text, or the
# scores of each group. Type checkers need not know which: options decide it.
Value = Any

# The key of the scores of each group.
GROUPS: Final = "groups"

Number = float | int


_LABELS = "one label, a str or an int, for each sample"


class Labels(NamedTuple):
    """The labels of all samples.

    Attributes:
        names: each label once, in the order of first occurrence.
        numbers: int64, shape (samples,); the place of each sample's label in ``names``.
    """

    names: list[str]
    numbers: NDArray[np.int64]

    def list_indices(self) -> list[NDArray[np.int64]]:
        """List for each name the indices of its samples, in order."""
        order = np.argsort(self.numbers, kind="stable")
        counts = np.bincount(self.numbers, minlength=len(self.names))
        return np.split(order, np.cumsum(counts)[:-1])


def check_labels(name: str, labels: object, samples: int) -> Labels:
    """Return the labels, one per sample, as texts; all are of one type, so no two look the same."""
    items: list[Hashable] = read_items(name, labels, _LABELS)
    check_count(name, items, "label", samples, _LABELS)
    check_items(name, items, (str, *INTS), _LABELS)
    for index, item in enumerate(items):
        if isinstance(item, str) != isinstance(items[0], str):
            raise type_error(
                "{} is {!r}, but {} is {!r}",
                *(Argument(f"{name}[{index}]"), item, Argument(f"{name}[0]"), items[0]),
                expected="expected labels of one type, because 1 and '1' would look the same.",
            )
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(item, len(numbers)) for item in items]
    # The text of an Enum of str is its value.
    names = [str.__str__(item) if isinstance(item, str) else str(item) for item in numbers]
    return Labels(names, np.array(codes, dtype=np.int64))


def list_groups(counts: SampleCounts, groups: object) -> list[tuple[str, SampleCounts]]:
    """List all samples, without a label, and then those of each label, in their order."""
    parts = [("", counts)]
    if groups is not None:
        labels = check_labels("groups", groups, len(counts.reference_counts))
        # Selected once, so that the time does not grow with the number of groups.
        ordered = select_counts(counts, np.argsort(labels.numbers, kind="stable"))
        bounds = to_offsets(np.bincount(labels.numbers)).tolist()
        for label, start, stop in zip(labels.names, bounds[:-1], bounds[1:], strict=True):
            parts.append((label, slice_counts(ordered, start, stop)))
    return parts


def choose_options(
    options: Options, families: Sequence[Family], given: Mapping[str, Any]
) -> Options:
    """Return the options of one result: those of the scorer, and those given by name."""
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
    """Return the scores of all samples, the first part, and of the samples of each label."""
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
    """One name per number: ``precision_1`` to the maximal order, ``rouge1_recall`` and so on."""
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
    """Return the numbers that a training loop logs: those of ``flatten``, and BLEU as ``bleu``."""
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
    """Multiply the scores by a factor, but not lengths, counts and the brevity penalty."""
    facts = {GROUPS, "signature"}.union(*(family.facts for family in FAMILIES.values()))

    def times(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: times(part) for name, part in value.items()}
        return [times(part) for part in value] if isinstance(value, list) else value * factor

    scaled = {name: value if name in facts else times(value) for name, value in scores.items()}
    if GROUPS in scores:
        scaled[GROUPS] = {label: scale(part, factor) for label, part in scores[GROUPS].items()}
    return scaled


# From the only sample, and the warnings that were given, to its scores; None for the slow path, as
# if it may warn.
SinglePair = Callable[[str, list[str], Container[str]], dict[str, Value] | None]


def find_single_pair(options: Options, families: Sequence[Family]) -> SinglePair | None:
    """Return the fast path for some options, prepared once; None if there is none."""
    key = "single pair", *families
    score: SinglePair | None = options.keep(key, lambda: _prepare_pair(options.plan(families)))
    return score


def read_pair(predictions: object, references: object) -> tuple[str, list[str]] | None:
    """Return the only sample of lists of plain texts; None if there are others."""
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
            or ("[" in text and find_list_as_text([text]) is not None)
        ):
            return None
    return (prediction, texts) if texts else None


def _prepare_pair(plan: Plan) -> SinglePair | None:
    """Return the fast path of a plan; None if there is none."""
    output, warnings = plan.output, plan.warnings
    # A number of resamples without resampling is warned of.
    default = OPTIONS["n_resamples"].default
    if plan.streams or output.n_resamples != default or not output.use_aggregator:
        return None
    families = [family.pair_result(output) for family in plan.scores.values()]
    known = [score_family for score_family in families if score_family is not None]
    if output.signature or len(known) < len(families):
        return None

    def score(
        prediction: str, references: list[str], warned: Container[str]
    ) -> dict[str, Value] | None:
        result: dict[str, Value] = {}
        for score_family in known:
            values = score_family(prediction, references)
            if values is None:
                return None
            result |= values
        for name, applies, _ in warnings:
            if name not in warned and applies(result):
                return None
        return result

    return score
