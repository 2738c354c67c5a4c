"""The law of combinations: every way from samples and options to scores gives the same.

Pairs of values of all options, of kinds of samples and of families are covered by few combinations;
hypothesis looks for more. A case that is refused is refused by all ways, with the same error.
"""

import linecache
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu_rouge_metric
from bleu_rouge_metric import Options
from bleu_rouge_metric.options.profiles import PROFILES, check_family
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import ONE_REFERENCE
from ..support.strategies import samples
from .cases import IDS, SAMPLES, VALUES, Combination, Cover, cover_pairs
from .ways import GROUPS, IN_PARTS, WHOLE, Case, Group, Way, compute, keep_family

# What is warned of has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

PACKAGE = Path(bleu_rouge_metric.__file__).parent


class Refusal(NamedTuple):
    kind: type[Exception]
    text: str


# Token ids, with those that the values of the options name.
ids = st.lists(st.integers(0, 9), max_size=10)
id_samples = st.lists(st.tuples(ids, st.lists(ids, min_size=1, max_size=3)), min_size=1, max_size=4)


def attempt(way: Way, case: Case) -> Any:
    """Return what a way gives, or its refusal; another error is one of ours."""
    try:
        return way(case)
    except (TypeError, ValueError, ImportError) as error:
        if not is_raised(error):
            raise
        return Refusal(type(error), str(error))


def is_raised(error: Exception) -> bool:
    """Return whether a line of the package raised an error, and not Python or a library."""
    traceback = error.__traceback__
    assert traceback is not None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    file = traceback.tb_frame.f_code.co_filename
    line = linecache.getline(file, traceback.tb_lineno)
    return PACKAGE in Path(file).parents and line.strip().startswith("raise ")


def without_index(result: Any) -> Any:
    """Return a refusal without the index of the sample; another result as it is."""
    if not isinstance(result, Refusal):
        return result
    return result._replace(text=re.sub(r"\[\d+\]", "[]", result.text))


def with_plain_names(result: Any) -> Any:
    """Return a refusal with the names of arguments in place of columns; others as they are."""
    if not isinstance(result, Refusal):
        return result
    column = r"table\['(prediction|reference)'\]|\b(prediction|reference)(?= has | is |\[)"
    return result._replace(
        text=re.sub(column, lambda match: f"{match[1] or match[2]}s", result.text)
    )


def find_faults(group: Group, case: Case) -> Iterator[str]:
    """Iterate over the ways of a group that do not give what its first way gives."""
    first, *others = group.ways
    expected = attempt(first, case)
    own = group.own_refusals + (group.own_words if isinstance(expected, Refusal) else ())
    for way in others:
        found, wanted = map(with_plain_names, (attempt(way, case), expected))
        if way in IN_PARTS:
            found, wanted = without_index(found), without_index(wanted)
        is_own = isinstance(found, Refusal) and any(re.match(text, found.text) for text in own)
        if found != wanted and not is_own:
            yield f"{way.__name__} gives {found}, but {first.__name__} {expected}: {case}"


def check_case(case: Case, checked: set[str]) -> None:
    """Check all groups of ways; those of one family alone once for the same options."""
    faults = list(find_faults(WHOLE, case))
    for family in PROFILES[case.options.get("profile", "hf")].families:
        part = keep_family(case, family)
        if case.family in (None, family) and repr(part) not in checked:
            checked.add(repr(part))
            faults += [fault for group in GROUPS[family] for fault in find_faults(group, part)]
    assert not faults, "\n".join(faults)


def keep_first(references: Any) -> Any:
    """Return the first of several references; a text or one sequence of ids is as it is."""
    is_several = isinstance(references, list) and not isinstance(references[0], int)
    return references[0] if is_several else references


def make_case(made: Combination) -> Case:
    predictions, references = SAMPLES[made.get("samples", "one pair")]
    options = {name: value for name, value in made.items() if name in OPTIONS}
    if made.get("profile") in ONE_REFERENCE:
        references = [keep_first(texts) for texts in references]
    if made.get("confidence") or made.get("aggregator") == "bootstrap":
        options.setdefault("n_resamples", 20)  # the default takes most of the time
    return Case(predictions, references, options, made.get("family"))


def is_accepted(made: Combination) -> bool:
    """Return whether the options of a combination go together and with its samples."""
    case = make_case(made)
    families = check_family(case.family)
    try:
        plan = Options.from_keywords(case.options, families).plan(families)
    except (TypeError, ValueError, ImportError):
        return False
    are_ids = made.get("samples") in IDS
    return all(part.uses_ids == are_ids for part in plan.scores.values())


# What values of options may need to be accepted.
NEEDS: list[tuple[set[str], Combination]] = [
    (
        {"ignore_index", "pad", "eos", "separator", "samples", "tokenizer"},
        {"tokenizer": "ids", "samples": "ids"},
    ),
    ({"segmenter"}, {"tokenizer": "unicode"}),
    ({"stemmer_exceptions"}, {"use_stemmer": True}),
    ({"stemmer_exceptions"}, {"use_stemmer": True, "tokenizer": "unicode"}),
    ({"smooth_value"}, {"smooth": "floor"}),
]


def list_starts(made: Combination) -> Iterator[Combination]:
    """Iterate over what a combination may need to be accepted, profile by profile."""
    needs = [{}, *(need for names, need in NEEDS if not names.isdisjoint(made))]
    return ({**need, "profile": profile} for profile in PROFILES for need in needs)


@cache
def cover() -> Cover:
    choices = {"samples": tuple(SAMPLES), "family": ("bleu", "rouge"), **VALUES}
    return cover_pairs(choices, is_accepted, list_starts)


def test_the_cover_has_every_value() -> None:
    pairs = [pair for made in cover().accepted for pair in made.items()]
    for name, values in VALUES.items():
        missing = [value for value in values if (name, value) not in pairs]
        assert not missing, (name, missing)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_way_gives_the_same_scores(profile: str) -> None:
    cases = [made for made in cover().accepted if made.get("profile", "hf") == profile]
    assert len(cases) > 10
    checked: set[str] = set()
    for made in cases:
        check_case(make_case(made), checked)


# Combinations of many options take slow paths; these are fast, where one option does not forbid it.
@pytest.mark.parametrize("samples", ["one pair", "one pair, several references"])
def test_every_way_gives_the_same_scores_with_one_option(samples: str) -> None:
    checked: set[str] = set()
    for name, values in VALUES.items():
        for value in values:
            made = {"samples": samples, name: value}
            combinations = (
                {"samples": samples, **start, name: value} for start in list_starts(made)
            )
            check_case(make_case(next(filter(is_accepted, combinations))), checked)


def test_every_way_refuses_with_the_same_error() -> None:
    checked: set[str] = set()
    for made in cover().refused:
        case = make_case(made)
        refusal = attempt(compute, case)
        # The error names what does not go together.
        assert isinstance(refusal, Refusal), case
        assert any(name in refusal.text for name in (*made, "predictions")), refusal
        # All ways are tried once per pair of options and error, whatever their values are.
        kind = re.sub(r"'[^']*'|[-+]?[0-9.]+", "", refusal.text)
        error = f"{sorted(made)} {kind}"
        if error not in checked:
            checked.add(error)
            check_case(case, set())


@pytest.mark.parametrize("name", sorted(VALUES.keys() - {"profile"}))
def test_every_way_takes_or_refuses_odd_values(name: str) -> None:
    values: list[Any] = [-1, 0, 1.5, math.nan, 10**30, "klingon", b"x", [], [[]], {}]
    for odd in values:
        check_case(make_case({name: odd}), set())


@given(st.data())
def test_every_way_gives_the_same_scores_of_generated_samples(data: st.DataObject) -> None:
    made = dict(data.draw(st.sampled_from(cover().accepted), label="made"))
    name = data.draw(st.sampled_from(sorted(VALUES)), label="changed")
    made[name] = data.draw(st.sampled_from(VALUES[name]), label="to")
    kind: st.SearchStrategy[Any] = id_samples if made.get("samples") in IDS else samples
    drawn = data.draw(kind, label="samples")
    case = make_case(made)._replace(
        predictions=[prediction for prediction, _ in drawn],
        references=[references for _, references in drawn],
    )
    check_case(case, set())
