"""Plan the steps from the scores of ``hf`` to those of other profiles.

Starting from ``hf``, one option after the other is changed until the options are those of the
profile, then one part of the arithmetic after the other (``reasons.py`` of a family).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..families.family import Change
from ..families.registry import FAMILIES as FAMILIES_BY_NAME
from ..families.registry import find_tokenizer_option
from ..options.language import CHOSEN
from ..options.options import Options
from ..options.plans import CountPlan, Plan, ScorePlan
from ..options.profiles import FAMILIES, PROFILES, Family, find_profile
from ..options.relevance import ONE_NUMBER, check_known, refuse, refuse_options
from ..options.table import OPTIONS, is_relevant, is_used, option_names
from ..text.warnings import collect_warnings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

BASELINE: Final = "hf"
ARITHMETIC: Final = "arithmetic"

# Presets that are not steps: two say what is returned, and "aggregator" means something else in
# each arithmetic.
_NO_STEPS: Final = frozenset({"detailed", "rouge_types", "aggregator"})


class Step(NamedTuple):
    """A changed option, or a part of the arithmetic, and the plan of the family after the change.

    ``new`` is empty for arithmetic of which the scores say what it does.
    """

    option: str
    old: object
    new: object
    plan: Plan


Plans = dict[str, dict[Family, list[Step]]]


def plan_comparison(
    *,
    profiles: Sequence[str] | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Plans:
    """Check the arguments, and plan the steps to every profile, by name and family.

    The arguments and errors are those of :func:`compare_profiles`.
    """
    names = list(PROFILES) if profiles is None else _check_profiles(profiles)
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    _check_options(given, names)
    common: dict[str, Any] = {"detailed": False}
    for family in FAMILIES_BY_NAME.values():
        common |= family.compared
    common |= given

    @cache
    def check_start(profile: str, family: Family) -> Options:
        start = _check(profile, family, common)
        for part in start.plan(FAMILIES).scoring.parts.values():
            part.check_one_score("compare_profiles compares one number per score")
        return start

    def plan_family(name: str, family: Family) -> list[Step]:
        # What hf does not have is not compared with it.
        start = BASELINE if family in find_profile(BASELINE).families else name
        first = check_start(start, family)
        # Only the first options warn: what a preset of another profile leaves without effect, the
        # caller did not choose.
        with collect_warnings():
            return list(_list_steps(name, family, common, first))

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
    for name in find_profile(profile).find_names([family]):
        relevant = dict(FAMILIES_BY_NAME[name].narrow(relevant))
    return Options.from_keywords({**relevant, "profile": profile}, [family])


def _list_steps(
    name: str, family: Family, common: Mapping[str, Any], start: Options
) -> Iterator[Step]:
    """Iterate over the steps from ``hf`` to the profile; the first one is ``hf`` unchanged.

    Args:
        name: of the profile.
        family: of the scores.
        common: options of all profiles.
        start: those of ``hf``, or of the profile if ``hf`` does not have the family.
    """
    end = start if name == start.profile else _check(name, family, common)
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
        last = _check(BASELINE, family, keywords).plan([family])
        yield Step(option, old, new, last)
    if name == start.profile:
        return
    same = end.plan([family])
    if start.aggregator != end.aggregator:
        same = _check(name, family, {**common, "aggregator": start.aggregator}).plan([family])
    (changed,) = find_profile(name).find_names([family])
    for change in FAMILIES_BY_NAME[changed].split_arithmetic(to_change(last), to_change(same)):
        yield Step(ARITHMETIC, "", change.reason, _replan(same, changed, change))
    if start.aggregator != end.aggregator:
        yield Step("aggregator", start.aggregator, end.aggregator, end.plan([family]))


def _find_tokenizer(keywords: Mapping[str, Any], family: Family) -> Any:
    """Return the tokenizer that is given for a family; None for that of the profile."""
    return keywords.get(find_tokenizer_option(family), keywords.get("tokenizer"))


def to_change(plan: Plan) -> Change:
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
        scoring=ScorePlan.of({name: change.scoring}, plan.scoring.output),
    )
