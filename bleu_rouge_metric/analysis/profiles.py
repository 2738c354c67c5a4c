"""Compare the scores of several profiles, and find what is behind every difference.

Starting from ``hf``, one option after the other is changed until the options are those of the
profile, then one part of the arithmetic after the other (``Family.split_arithmetic``). Each step
that changes a score is a difference.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..families.counts import SampleCounts
from ..families.registry import FAMILIES, find_family, find_tokenizer_option, list_groups
from ..families.score import Score
from ..options.errors import ONE_NUMBER, check_known, name_arguments, refuse, refuse_options
from ..options.language import CHOSEN
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import BOTH, PROFILES, Family, find_profile
from ..options.table import OPTIONS, is_relevant, is_used, option_names
from ..samples.inputs import Samples, check_samples
from ..scoring.counting import count_samples
from ..scoring.text_warnings import warn_of_texts
from ..tables import Report, Result, Table, import_pandas, show, write_text
from ..text.warnings import collect_warnings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

BASELINE: Final = "hf"
ARITHMETIC: Final = "arithmetic"

# "bootstrap" draws the same samples for every profile.
_SEED: Final = 0

# Presets that are not steps: two say what is returned, and "aggregator" means something else in
# each arithmetic.
_NO_STEPS: Final = frozenset({"detailed", "rouge_types", "aggregator"})


class ProfileDifference(NamedTuple):
    """One step from the scores of ``hf`` to the scores of a profile.

    Attributes:
        profile: the profile that the steps lead to.
        score: ``bleu``, or a ROUGE type.
        option: the changed option, or ``arithmetic``.
        old: value of the option before; empty for ``arithmetic``.
        new: value of the option after; for ``arithmetic`` how it differs, in words.
        before: the score before.
        after: the score after.
    """

    profile: str
    score: str
    option: str
    old: object
    new: object
    before: float
    after: float


class ComparisonFrames(NamedTuple):
    """The data frames of a comparison.

    Attributes:
        scores: one row per profile, one column per score; NaN if the profile does not have
            the score.
        differences: one row per step, one column per attribute of ``ProfileDifference``.
    """

    scores: Any
    differences: Any


@dataclass(frozen=True)
class ProfileComparison(Result):
    """The scores of every profile, and the steps that change them.

    ``print`` shows a table of the scores, a notebook shows the steps too.

    Attributes:
        scores: scores by profile and name: ``bleu``, or a ROUGE type (its F-measure). The range is
            that of the profile's library: 0 to 100 for sacrebleu's BLEU, and 0 to 1 for all others.
        differences: the steps from the scores of ``hf`` to the scores of each other profile; a step
            that does not change a score is left out.
    """

    scores: dict[str, dict[str, float]]
    differences: list[ProfileDifference]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over both attributes: ``scores, differences = compare_profiles(...)``."""
        return iter((self.scores, self.differences))

    def report(self) -> Report:
        """Return a table of the scores of each family, and a sentence per step."""
        tables = []
        for group in list_groups():
            names = [
                name
                for name, *_ in self.to_table()[1]
                if (family := find_family(name)) is not None and family.group == group
            ]
            # A profile may lack some of the scores of another.
            columns = {
                profile: [show(scores.get(name, "")) for name in names]
                for profile, scores in self.scores.items()
                if scores.keys() & names
            }
            if columns:
                rows = list(zip(names, *columns.values(), strict=True))
                tables.append(Table([group.upper(), *columns], rows, group.upper()))
        return Report(tables, findings=list(self._list_findings()))

    def _list_findings(self) -> Iterator[str]:
        """Iterate over one sentence per step: what changes, and the scores before and after."""
        for profile in filter(lambda name: name != BASELINE, self.scores):
            changes: dict[str, list[str]] = {}
            for step in self.differences:
                if step.profile == profile:
                    changes.setdefault(describe_step(step), []).append(_describe_change(step))
            for reason, scores in changes.items():
                yield f"From {BASELINE} to {profile}, {reason} ({', '.join(scores)})."
            if not changes:
                yield f"{profile} gives the same scores as {BASELINE}."

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return a row per score and a column per profile; None is for what a profile lacks."""
        names = dict.fromkeys(name for scores in self.scores.values() for name in scores)
        rows = [[name, *(scores.get(name) for scores in self.scores.values())] for name in names]
        return ["score", *self.scores], rows

    def to_pandas(self) -> ComparisonFrames:
        """Return the scores and the differences as data frames.

        Raises:
            ImportError: pandas is not installed.
        """
        pd = import_pandas()
        names = [name for name, *_ in self.to_table()[1]]
        scores = pd.DataFrame(list(self.scores.values()), list(self.scores), names)
        scores.index.name = "profile"
        differences = pd.DataFrame(self.differences, columns=list(ProfileDifference._fields))
        return ComparisonFrames(scores, differences)

    def __str__(self) -> str:
        """Return a table with one line per score and one column per profile."""
        rows = [["" if cell is None else show(cell) for cell in row] for row in self.to_table()[1]]
        return write_text(["", *self.scores], rows)


def describe_step(step: ProfileDifference) -> str:
    """Return what changes a score; the arithmetic has no value before."""
    return f"{step.option}: {'' if step.old == '' else f'{step.old} -> '}{step.new}"


def _describe_change(step: ProfileDifference) -> str:
    """Return a score before and after, or the difference if four decimals do not show it."""
    before, after = show(step.before), show(step.after)
    change = f"{step.after - step.before:+.0e}" if before == after else f"-> {after}"
    return f"{step.score} {before} {change}"


class Step(NamedTuple):
    """A changed option, or a part of the arithmetic, and the plan of the family after the change.

    ``new`` is empty for arithmetic of which the scores say what it does.
    """

    option: str
    old: object
    new: object
    plan: Plan


class _Scored(NamedTuple):
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
    profiles: Sequence[str] | None = None,
    **options: "Unpack[OptionKeywords]",
) -> ProfileComparison:
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


def plan_comparison(
    *, profiles: Sequence[str] | None = None, **options: "Unpack[OptionKeywords]"
) -> Plans:
    """Check the arguments of ``compare_profiles``; plan the steps to each profile, by family."""
    names = list(PROFILES) if profiles is None else _check_profiles(profiles)
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    _check_options(given, names)
    common: dict[str, Any] = {"detailed": False}
    for family in FAMILIES.values():
        common |= family.compared
    common |= given

    @cache
    def check_start(profile: str, family: Family) -> Options:
        start = _choose_options(profile, family, common)
        for score in start.plan(BOTH).scores.values():
            score.check_one_score("compare_profiles compares one number per score")
        return start

    def plan_family(name: str, family: Family) -> list[Step]:
        # What hf does not have is not compared with it.
        start = check_start(BASELINE if family in baseline else name, family)
        # Only the first options warn: what a preset of another profile leaves without effect, the
        # caller did not choose.
        with collect_warnings():
            return list(_list_steps(name, family, common, start))

    baseline = find_profile(BASELINE).families

    plans: Plans = {}
    for name in names:
        try:
            plans[name] = {item: plan_family(name, item) for item in find_profile(name).families}
        except ImportError:  # noqa: PERF203 - a few profiles
            # A stemmer of one profile may need what the others do not.
            if profiles is not None or name == BASELINE:
                raise
    return plans


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


def _choose_options(profile: str, family: Family, keywords: Mapping[str, Any]) -> Options:
    """Return the options of one family of a profile, without the keywords that it does not have."""
    tokenizers = [
        keywords.get(find_tokenizer_option(each), keywords.get("tokenizer"))
        for each in (family, *BOTH)
    ]
    relevant = {
        option: value
        for option, value in keywords.items()
        # What only the tokenizer of the other family uses is left out.
        if is_relevant(option, profile, [family])
        and is_used(OPTIONS[option], tokenizers) == is_used(OPTIONS[option], tokenizers[:1])
    }
    for name in find_profile(profile).find_names([family]):
        relevant = dict(FAMILIES[name].narrow(relevant))
    return Options.from_keywords({**relevant, "profile": profile}, [family])


def _list_steps(
    name: str, family: Family, common: Mapping[str, Any], start: Options
) -> Iterator[Step]:
    """Iterate over the steps of a family from ``start`` to a profile; the first is no change."""
    end = start if name == start.profile else _choose_options(name, family, common)
    last = start.plan([family])
    yield Step("", "", "", last)
    keywords = dict(common)
    options = dict.fromkeys(find_profile(name).presets)
    if keywords.pop("language", None) is not None:
        # What a language chooses depends on the profile. Its stemmer is that of a tokenizer.
        keywords |= {option: getattr(start, option) for option in CHOSEN}
        options = dict.fromkeys((*CHOSEN, *options))
    for option in options:
        old, new = getattr(start, option), getattr(end, option)
        # The stemmer of a language fits only the tokenizer of its recipe, so that it is left out
        # before the tokenizer of a profile without stemmers.
        owner = BASELINE if option == "use_stemmer" else name
        if option in _NO_STEPS or old == new or not is_relevant(option, owner, [family]):
            continue
        keywords[option] = new
        last = _choose_options(BASELINE, family, keywords).plan([family])
        yield Step(option, old, new, last)
    if name == start.profile:
        return
    same = end.plan([family])
    if start.aggregator != end.aggregator:
        kept = {**common, "aggregator": start.aggregator}
        same = _choose_options(name, family, kept).plan([family])
    for score, reason in _only(same).steps(_only(last)):
        yield Step(ARITHMETIC, "", reason, same.replace_scores({score.name: score}))
    if start.aggregator != end.aggregator:
        yield Step("aggregator", start.aggregator, end.aggregator, end.plan([family]))


def _only(plan: Plan) -> Score:
    """Return the scores of the plan of one family."""
    (score,) = plan.scores.values()
    return score


def choose_fit(samples: Samples, plans: Plans) -> Plans:
    """Return the plans of the profiles that can score the samples."""
    return {
        name: families
        for name, families in plans.items()
        if all(
            part.find_unscorable(samples) is None
            for steps in families.values()
            for part in steps[-1].plan.scores.values()
        )
    }


def compare_samples(samples: Samples, plans: Plans) -> ProfileComparison:
    """Score all steps, and return scores and differences as :func:`compare_profiles` does."""
    comparison = ProfileComparison({}, [])
    known: list[_Scored] = []
    for name, families in plans.items():
        comparison.scores[name] = {}
        for steps in families.values():
            scored = [_score(samples, step.plan, known) for step in steps]
            last = scored[-1].scores
            for step, (before, after) in zip(steps[1:], pairwise(scored), strict=True):
                differences = _list_differences(name, step, before, after)
                # A profile may lack some of the scores that the steps to it have.
                comparison.differences.extend(each for each in differences if each.score in last)
            comparison.scores[name].update(last)
    return comparison


def _list_differences(
    profile: str, step: Step, before: _Scored, after: _Scored
) -> Iterator[ProfileDifference]:
    """Iterate over the differences: one for each score that a step changes."""
    for score, old in before.scores.items():
        new = after.scores.get(score, old)
        if old == new:
            continue
        reason = step.new
        if step.option == ARITHMETIC and not reason:
            change = old, new
            reason = _only(after.plan).explain_step(score, _only(before.plan), after.counts, change)
        yield ProfileDifference(profile, score, step.option, step.old, reason, old, new)


def _score(samples: Samples, plan: Plan, known: list[_Scored]) -> _Scored:
    """Return the scores of one family, for ROUGE the F-measures, and append them to ``known``."""
    # Fast path: what is counted and scored again is the same. Plans are equal only if their
    # tokenizers are the same functions.
    for scored in known:
        if scored.plan is plan:
            return scored
    same = (scored.counts for scored in known if scored.plan.counted_by == plan.counted_by)
    counts = next(same, None) or count_samples(samples, plan)
    # Only the first profile of a family warns: the others would mostly repeat it.
    if all(scored.plan.families != plan.families for scored in known):
        warn_of_texts(samples, counts, plan)
    family = _only(plan)
    scores = family.score_plainly(counts, plan.output, _SEED)
    named = {family.name_compared(score): value for score, value in scores.items()}
    known.append(_Scored(named, counts, plan))
    return known[-1]
