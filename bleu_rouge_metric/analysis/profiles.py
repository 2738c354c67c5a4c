"""Compare the scores of several profiles, and find the option behind every difference.

Starting from ``hf``, one option after the other is changed until the options are those of the
profile. Each step that changes a score is a difference that this option explains. The rest is
explained by the arithmetic of the profile's library, which ``reasons.py`` describes in words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..options.arguments import name_arguments
from ..options.checks import check_rouge_types
from ..options.options import Options
from ..options.profiles import DEFAULT_ROUGE_TYPES, FAMILIES, PROFILES, Family, find_profile
from ..options.relevance import check_known
from ..options.table import is_relevant, option_names
from ..samples.inputs import Samples, check_samples
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from ..scoring.results import score_counts
from .comparison import Comparison, Difference
from .reasons import explain_arithmetic

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

BASELINE: Final = "hf"
ARITHMETIC: Final = "arithmetic"
COMPARED_ROUGE_TYPES: Final = (*DEFAULT_ROUGE_TYPES, "rougeW-1.2", "rougeS4", "rougeSU4")

# Names of BLEU in the outputs of the profiles.
_BLEU_KEYS: Final = ("bleu", "score", "google_bleu")

# Presets that are not steps: two say what is returned, and "aggregator" means something else in
# each arithmetic.
_NO_STEPS: Final = frozenset({"detailed", "rouge_types", "aggregator"})

# "bootstrap" draws the same samples for every profile.
_SEED: Final = 0


class Step(NamedTuple):
    """A changed option, and all options after the change."""

    option: str
    old: object
    new: object
    options: Options


Plans = dict[str, dict[Family, list[Step]]]


@name_arguments
def compare_profiles(
    predictions: object,
    references: object,
    *,
    profiles: Sequence[str] = tuple(PROFILES),
    **options: "Unpack[OptionKeywords]",
) -> Comparison:
    """Score the same samples with several profiles, and find the reasons for the differences.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profiles: names of profiles.
        **options: options of ``metric.compute`` for all profiles, such as ``rouge_types`` (default
            ``COMPARED_ROUGE_TYPES``), ``tokenizer``, ``use_stemmer`` and ``max_order``. A profile
            ignores an option that it does not have. Resamples are drawn with the seed 0.

    Returns:
        The scores, and the steps between them.

    Raises:
        TypeError: an argument or an item has a wrong type, or an option is unknown or is not an
            option of any of the profiles.
        ValueError: an argument is out of range, or predictions and references differ in length.

    >>> comparison = compare_profiles(
    ...     ["the cat sat on the mat"], ["the cat sat on a mat"], profiles=["hf", "sacrebleu"])
    >>> [f"{scores['bleu']:.4f}" for scores in comparison.scores.values()]
    ['0.5373', '53.7285']
    >>> [(step.option, step.new) for step in comparison.differences]
    [('arithmetic', 'percentages, from 0 to 100')]
    """
    plans = plan_comparison(profiles=profiles, **options)
    return compare_samples(check_samples(predictions, references), plans)


def plan_comparison(
    *,
    profiles: Sequence[str] = tuple(PROFILES),
    **options: "Unpack[OptionKeywords]",
) -> Plans:
    """Check the arguments, and plan the steps to every profile, by name and family.

    The arguments and errors are those of :func:`compare_profiles`.
    """
    names = _check_profiles(profiles)
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    types = check_rouge_types("rouge_types", given.pop("rouge_types", COMPARED_ROUGE_TYPES))
    _check_options(given, names)
    common = {**given, "rouge_types": types, "detailed": False}
    return {
        name: {
            family: list(_list_steps(name, family, common))
            for family in find_profile(name).families
        }
        for name in names
    }


def _check_profiles(profiles: object) -> list[str]:
    """Return the checked names without repetitions."""
    if isinstance(profiles, str):
        raise TypeError(
            f"profiles is the str {profiles!r}; expected a sequence of names. "
            f"Use profiles=[{profiles!r}]."
        )
    if not isinstance(profiles, Iterable):
        raise TypeError(
            f"profiles is of type {type(profiles).__name__}; expected a sequence of names."
        )
    names = list(profiles)
    if not names:
        raise ValueError("profiles is empty; expected at least one profile, such as 'hf'.")
    for name in names:
        find_profile(name)
    return list(dict.fromkeys(names))


def _check_options(options: Mapping[str, Any], profiles: Sequence[str]) -> None:
    """Raise TypeError unless each option belongs to a profile and keeps one number per score."""
    # The comparison has one number for all samples; these options ask for other outputs.
    not_compared = ["seed", *option_names("output")]
    for option in options:
        if option == "profile":
            raise TypeError("Unknown option 'profile'; did you mean 'profiles'?")
        if option in not_compared:
            raise TypeError(
                f"{option!r} is not an option of compare_profiles, which compares one number per "
                "score; use metric.compute."
            )
        check_known({option: None})
        if not any(is_relevant(option, name, find_profile(name).families) for name in profiles):
            raise TypeError(
                f"{option!r} has no effect under the profiles {', '.join(map(repr, profiles))}; "
                "remove it, or compare others."
            )


def _list_steps(name: str, family: Family, common: Mapping[str, Any]) -> Iterator[Step]:
    """Iterate over the steps from ``hf`` to the profile; the first one is ``hf`` unchanged."""

    def check(profile: str, keywords: Mapping[str, Any]) -> Options:
        relevant = {
            option: value
            for option, value in keywords.items()
            if is_relevant(option, profile, [family])
        }
        return Options.from_keywords({**relevant, "profile": profile}, [family])

    start, end = check(BASELINE, common), check(name, common)
    sets = start.plan(FAMILIES).scoring.bleu.weights
    if sets is not None and len(sets) > 1:
        raise ValueError(
            f"weights has {len(sets)} sets; expected one, because compare_profiles compares one "
            "number per score."
        )
    yield Step("", "", "", start)
    keywords = dict(common)
    for option in find_profile(name).presets:
        old, new = getattr(start, option), getattr(end, option)
        if option in _NO_STEPS or old == new or not is_relevant(option, name, [family]):
            continue
        keywords[option] = new
        yield Step(option, old, new, check(BASELINE, keywords))
    if name == BASELINE:
        return
    if start.aggregator == end.aggregator:
        yield Step(ARITHMETIC, "", "", end)
        return
    aggregator = {"aggregator": start.aggregator}
    yield Step(ARITHMETIC, "", "", check(name, {**common, **aggregator}))
    yield Step("aggregator", start.aggregator, end.aggregator, end)


def compare_samples(samples: Samples, plans: Plans) -> Comparison:
    """Score all steps, and return scores and differences as :func:`compare_profiles` does."""
    comparison = Comparison({}, [])
    warned: set[Family] = set()
    for name, families in plans.items():
        comparison.scores[name] = {}
        for family, steps in families.items():
            previous: dict[str, float] = {}
            for step in steps:
                # Only the first profile of a family warns: the others would mostly repeat it.
                found = _score(samples, step.options, family, is_warned=family not in warned)
                warned.add(family)
                comparison.differences.extend(_differ(name, step, previous, found))
                previous = found
            comparison.scores[name].update(previous)
    return comparison


def _differ(
    profile: str, step: Step, before: Mapping[str, float], after: Mapping[str, float]
) -> Iterator[Difference]:
    """Iterate over the differences: one for each score that a step changes."""
    for score, old in before.items():
        new = after[score]
        if old != new:
            is_arithmetic = step.option == ARITHMETIC
            reason = explain_arithmetic(profile, score, old, new) if is_arithmetic else step.new
            yield Difference(profile, score, step.option, step.old, reason, old, new)


def _score(
    samples: Samples, options: Options, family: Family, *, is_warned: bool
) -> dict[str, float]:
    """Return the scores of one family by name; for ROUGE the F-measures."""
    plan = options.plan([family])
    counts = count_samples(samples, plan.counting)
    scores: dict[str, Any] = score_counts(counts, plan.scoring, _SEED)
    if is_warned:
        warn_of_texts(samples, counts, plan.counting)
    if family == "bleu":
        return {"bleu": next(scores[key] for key in _BLEU_KEYS if key in scores)}
    return scores
