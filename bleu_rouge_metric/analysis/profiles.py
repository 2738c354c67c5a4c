"""Compare the scores of several profiles, and find what is behind every difference.

Starting from ``hf``, one option after the other is changed until the options are those of the
profile, then one part of the arithmetic after the other (``reasons.py``). Each step that changes a
score is a difference that this option, or this part, explains.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..families.counts import SampleCounts
from ..families.family import Change
from ..families.registry import FAMILIES as FAMILIES_BY_NAME
from ..options.arguments import name_arguments
from ..options.options import Options
from ..options.plans import CountPlan, Plan
from ..options.profiles import FAMILIES, PROFILES, Family, find_profile
from ..options.relevance import ONE_NUMBER, check_known, refuse, refuse_options
from ..options.table import OPTIONS, is_relevant, is_used, option_names
from ..samples.inputs import Samples, check_samples
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from .comparison import Comparison, Difference

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

BASELINE: Final = "hf"
ARITHMETIC: Final = "arithmetic"

# Presets that are not steps: two say what is returned, and "aggregator" means something else in
# each arithmetic.
_NO_STEPS: Final = frozenset({"detailed", "rouge_types", "aggregator"})

# "bootstrap" draws the same samples for every profile.
_SEED: Final = 0


class Step(NamedTuple):
    """A changed option, or a part of the arithmetic, and the plan of the family after the change.

    ``new`` is empty for arithmetic of which the scores say what it does.
    """

    option: str
    old: object
    new: object
    plan: Plan


class Scored(NamedTuple):
    """The scores of one family by name, with what they were made of."""

    scores: dict[str, float]
    counts: SampleCounts
    plan: Plan


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
        **options: options of ``metric.compute`` for all profiles, such as ``rouge_types``,
            ``tokenizer``, ``use_stemmer`` and ``max_order``. The default of ``rouge_types`` is
            rouge1, rouge2, rougeL, rougeLsum, rougeW-1.2, rougeS4 and rougeSU4. A profile ignores
            an option that it does not have. Resamples are drawn with the seed 0.

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
    _check_options(given, names)
    common: dict[str, Any] = {"detailed": False}
    for family in FAMILIES_BY_NAME.values():
        common |= family.compared
    common |= given

    @cache
    def check_start(family: Family) -> Options:
        start = _check(BASELINE, family, common)
        for part in start.plan(FAMILIES).scoring.parts.values():
            part.check_one_score("compare_profiles compares one number per score")
        return start

    return {
        name: {
            family: list(_list_steps(name, family, common, check_start(family)))
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
    if "profile" in options:
        raise TypeError("Unknown option 'profile'; did you mean 'profiles'?")
    refuse_options(options, ["seed", *option_names("output")], "compare_profiles", ONE_NUMBER)
    check_known(options)
    for option in options:
        if not any(is_relevant(option, name, find_profile(name).families) for name in profiles):
            names = ", ".join(map(repr, profiles))
            refuse(
                option,
                f"has no effect under the profiles {names}",
                "Remove it, or compare other profiles.",
            )


def _check(profile: str, family: Family, keywords: Mapping[str, Any]) -> Options:
    """Return the options of one family of a profile; others of its keywords are left out."""
    tokenizers = [_find_tokenizer(keywords, each) for each in (family, *FAMILIES)]
    relevant = {
        option: value
        for option, value in keywords.items()
        # What only the tokenizer of the other family uses is left out.
        if is_relevant(option, profile, [family])
        and is_used(OPTIONS[option], tokenizers) == is_used(OPTIONS[option], tokenizers[:1])
    }
    return Options.from_keywords({**relevant, "profile": profile}, [family])


def _list_steps(
    name: str, family: Family, common: Mapping[str, Any], start: Options
) -> Iterator[Step]:
    """Iterate over the steps from ``hf`` to the profile; the first one is ``hf`` unchanged.

    Args:
        name: of the profile.
        family: of the scores.
        common: options of all profiles.
        start: those of ``hf``.
    """
    end = start if name == BASELINE else _check(name, family, common)
    last = start.plan([family])
    yield Step("", "", "", last)
    keywords = dict(common)
    for option in find_profile(name).presets:
        old, new = getattr(start, option), getattr(end, option)
        if option in _NO_STEPS or old == new or not is_relevant(option, name, [family]):
            continue
        keywords[option] = new
        last = _check(BASELINE, family, keywords).plan([family])
        yield Step(option, old, new, last)
    if name == BASELINE:
        return
    same = end.plan([family])
    if start.aggregator != end.aggregator:
        same = _check(name, family, {**common, "aggregator": start.aggregator}).plan([family])
    (changed,) = find_profile(name).find_names([family])
    for change in FAMILIES_BY_NAME[changed].split_arithmetic(_to_change(last), _to_change(same)):
        yield Step(ARITHMETIC, "", change.reason, _replan(same, changed, change))
    if start.aggregator != end.aggregator:
        yield Step("aggregator", start.aggregator, end.aggregator, end.plan([family]))


def _find_tokenizer(keywords: Mapping[str, Any], family: Family) -> Any:
    """Return the tokenizer that is given for a family; None for that of the profile."""
    return keywords.get(f"{family}_tokenizer", keywords.get("tokenizer"))


def compare_samples(samples: Samples, plans: Plans) -> Comparison:
    """Score all steps, and return scores and differences as :func:`compare_profiles` does."""
    comparison = Comparison({}, [])
    warned: set[Family] = set()
    known: list[Scored] = []
    for name, families in plans.items():
        comparison.scores[name] = {}
        for family, steps in families.items():
            before: Scored | None = None
            for step in steps:
                # Only the first profile of a family warns: the others would mostly repeat it.
                found = _score(samples, step.plan, known, is_warned=family not in warned)
                warned.add(family)
                if before is not None:
                    comparison.differences.extend(_differ(name, step, before, found))
                before = found
            comparison.scores[name].update(found.scores)
    return comparison


def _differ(profile: str, step: Step, before: Scored, after: Scored) -> Iterator[Difference]:
    """Iterate over the differences: one for each score that a step changes."""
    for score, old in before.scores.items():
        new = after.scores[score]
        if old != new:
            reason = _explain(score, step, before, after)
            yield Difference(profile, score, step.option, step.old, reason, old, new)


def _explain(score: str, step: Step, before: Scored, after: Scored) -> object:
    """Return the new value of an option, or what a part of the arithmetic does to a score."""
    if step.option != ARITHMETIC:
        return step.new
    if step.new:
        return step.new
    ((family, _),) = after.plan.scoring.parts.items()
    values = before.scores[score], after.scores[score]
    changes = _to_change(before.plan), _to_change(after.plan)
    return FAMILIES_BY_NAME[family].explain_change(score, *changes, after.counts, values)


def _to_change(plan: Plan) -> Change:
    """Return the two parts of the plan of one family."""
    ((counting, scoring),) = plan.pairs()
    return Change(counting, scoring)


def _replan(plan: Plan, name: str, change: Change) -> Plan:
    """Return the plan of one family with other parts."""
    counting = plan.counting
    if change.counting is not counting.parts[name]:
        counting = CountPlan.of({name: change.counting}, counting.ids)
    return plan._replace(
        counting=counting,
        scoring=plan.scoring._replace(parts={name: change.scoring}),
    )


def _score(samples: Samples, plan: Plan, known: list[Scored], *, is_warned: bool) -> Scored:
    """Return the scores of one family by name; for ROUGE the F-measures.

    Args:
        samples: what is scored.
        plan: of one family.
        known: what was scored before; the new scores are appended.
        is_warned: whether texts that mislead are warned of.
    """
    # Fast path: what is counted and scored again is the same. Plans are equal only if their
    # tokenizers are the same functions.
    for scored in known:
        if scored.plan is plan:
            return scored
    same = (scored.counts for scored in known if scored.plan.counting == plan.counting)
    counts = next(same, None) or count_samples(samples, plan.counting)
    if is_warned:
        warn_of_texts(samples, counts, plan.counting)
    ((name, part),) = plan.scoring.parts.items()
    scores = part.score_plainly(counts, plan.scoring.output, _SEED)
    # GLEU is compared with BLEU.
    group = FAMILIES_BY_NAME[name].group
    named = {group if score == name else score: value for score, value in scores.items()}
    known.append(Scored(named, counts, plan))
    return known[-1]
