"""A plan can be pickled, so that it can be given to other processes."""

import pickle

import pytest

from bleu_rouge_metric import Options
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.options.profiles import PROFILES

# The first profile of each family.
FIRST = {name: each for each in reversed(PROFILES) for name in PROFILES[each].calculates}


def test_each_family_has_a_profile() -> None:
    assert FIRST.keys() == FAMILIES.keys()


@pytest.mark.parametrize("profile", sorted({*FIRST.values()}))
def test_a_plan_of_every_family_is_pickled(profile: str) -> None:
    plan = Options.from_keywords({"profile": profile}).plan(PROFILES[profile].families)
    again = pickle.loads(pickle.dumps(plan))
    assert [*again.scores] == [*plan.scores]
    assert again.layouts == plan.layouts
