"""Compare the scores of several profiles, and find what is behind every difference.

Each step of ``profile_steps.py`` that changes a score is a difference that an option, or a part of
the arithmetic, explains.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..families.counts import SampleCounts
from ..families.registry import FAMILIES as FAMILIES_BY_NAME
from ..options.arguments import name_arguments
from ..options.plans import Plan
from ..options.profiles import Family
from ..samples.inputs import Samples, check_samples
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from .comparison import Comparison, Difference
from .profile_steps import ARITHMETIC, Plans, Step, plan_comparison, to_change

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

# "bootstrap" draws the same samples for every profile.
_SEED: Final = 0


class Scored(NamedTuple):
    """The scores of one family by name, with what they were made of."""

    scores: dict[str, float]
    counts: SampleCounts
    plan: Plan


@name_arguments
def compare_profiles(
    predictions: object,
    references: object,
    *,
    profiles: Sequence[str] | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Comparison:
    """Score the same samples with several profiles, and find the reasons for the differences.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profiles: names of profiles; None for all that can score the samples: some have only one
            reference per prediction, and some need packages or data that are not installed.
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
        ImportError: a profile that is named, or ``hf``, needs what is not installed.

    >>> comparison = compare_profiles(
    ...     ["the cat sat on the mat"], ["the cat sat on a mat"], profiles=["hf", "sacrebleu"])
    >>> [f"{scores['bleu']:.4f}" for scores in comparison.scores.values()]
    ['0.5373', '53.7285']
    >>> [(step.option, step.new) for step in comparison.differences]
    [('arithmetic', 'percentages, from 0 to 100')]
    """
    plans = plan_comparison(profiles=profiles, **options)
    samples = check_samples(predictions, references)
    return compare_samples(samples, choose_fit(samples, plans) if profiles is None else plans)


def choose_fit(samples: Samples, plans: Plans) -> Plans:
    """Return the plans of the profiles that can score the samples."""
    return {
        name: families
        for name, families in plans.items()
        if all(
            part.find_unfit(samples) is None
            for steps in families.values()
            for part in steps[-1].plan.counting.parts.values()
        )
    }


def compare_samples(samples: Samples, plans: Plans) -> Comparison:
    """Score all steps, and return scores and differences as :func:`compare_profiles` does."""
    comparison = Comparison({}, [])
    warned: set[Family] = set()
    known: list[Scored] = []
    for name, families in plans.items():
        comparison.scores[name] = {}
        for family, steps in families.items():
            before: Scored | None = None
            differences: list[Difference] = []
            for step in steps:
                # Only the first profile of a family warns: the others would mostly repeat it.
                found = _score(samples, step.plan, known, is_warned=family not in warned)
                warned.add(family)
                if before is not None:
                    differences += _differ(name, step, before, found)
                before = found
            # A profile may lack some of the scores that the steps to it have.
            comparison.differences.extend(
                difference for difference in differences if difference.score in found.scores
            )
            comparison.scores[name].update(found.scores)
    return comparison


def _differ(profile: str, step: Step, before: Scored, after: Scored) -> Iterator[Difference]:
    """Iterate over the differences: one for each score that a step changes."""
    for score, old in before.scores.items():
        new = after.scores.get(score, old)
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
    changes = to_change(before.plan), to_change(after.plan)
    return FAMILIES_BY_NAME[family].explain_change(score, *changes, after.counts, values)


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
    (part,) = plan.scoring.parts.values()
    scores = part.score_plainly(counts, plan.scoring.output, _SEED)
    named = {part.name_compared(score): value for score, value in scores.items()}
    known.append(Scored(named, counts, plan))
    return known[-1]
