"""How metrics are compared with people: the arguments of ``meta_evaluate``, checked."""

import secrets
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple, cast, get_args

from ...checks import check_choice, is_sequence
from ...messages import format_message, type_error, value_error
from ...resampling.corrections import Correction
from ...schema.checks import check_confidence, check_resamples, check_seed
from .calibration import check_pairs
from .coefficients import CALIBRATED, COEFFICIENTS
from .intervals import RESAMPLED, Resampled
from .levels import GROUPINGS, LEVELS, Grouping, group_texts
from .paired_tests import SWAPPED, Swapped
from .rated_systems import RatedSystems

_CORRELATIONS: Final = ("pearson", "spearman", "kendall_b")

# What other libraries and papers call them.
_FOREIGN: Final = {
    "kendall": "kendall_b",
    "kendalltau": "kendall_b",
    "tau": "kendall_b",
    "acc_eq": "accuracy",
    "pairwise_accuracy": "accuracy",
}

# With fewer systems, every correlation of systems is -1, 1 or undefined.
_FEWEST_SYSTEMS: Final = 3


class Plan(NamedTuple):
    """What is computed; the fields are documented at ``meta_evaluate``."""

    levels: tuple[str, ...]
    grouping: Grouping
    coefficients: tuple[str, ...] | None
    resampled: Resampled
    swapped: Swapped | None
    n_resamples: int
    confidence: float
    seed: int
    correction: Correction | None

    def list_coefficients(self, level: str) -> list[str]:
        """Return the coefficients of a level."""
        if self.coefficients is not None:
            return list(self.coefficients)
        if level == "system":
            return [*_CORRELATIONS, "accuracy"]
        return [*_CORRELATIONS, *([CALIBRATED] if self.grouping == "item" else [])]


def check_plan(
    *,
    level: object,
    grouping: object,
    coefficients: object,
    resampled: object,
    swapped: object,
    n_resamples: object,
    confidence: object,
    seed: object,
    correction: object,
) -> Plan:
    """Check the arguments that need no data."""
    name = check_choice("level", level, LEVELS)
    chosen = None
    if coefficients is not None:
        known = [*COEFFICIENTS, CALIBRATED]
        if not is_sequence(coefficients):
            raise type_error(
                "{coefficients} is {!r}",
                coefficients,
                expected=f"expected a sequence of {', '.join(map(repr, known))}.",
            )
        items: Any = coefficients
        names = [check_choice("coefficients", item, known, foreign=_FOREIGN) for item in items]
        chosen = tuple(dict.fromkeys(names))
        if not chosen:
            raise value_error("{coefficients} is empty", remedy="name at least one.")
    if correction is not None:
        check_choice("correction", correction, get_args(Correction))
    given = check_seed(seed)
    return Plan(
        ("system", "segment") if name == "both" else (name,),
        cast("Grouping", check_choice("grouping", grouping, GROUPINGS)),
        chosen,
        cast("Resampled", check_choice("resampled", resampled, RESAMPLED)),
        None if swapped is None else cast("Swapped", check_choice("swapped", swapped, SWAPPED)),
        check_resamples("n_resamples", n_resamples),
        float(check_confidence("confidence", confidence)),
        secrets.randbits(32) if given is None else given,
        cast("Correction | None", correction),
    )


def check_size(plan: Plan, rated: RatedSystems, level: str) -> None:
    """Raise unless there are enough systems, and not too many pairs of texts."""
    n_systems = len(rated.systems)
    if "system" in plan.levels and n_systems < _FEWEST_SYSTEMS:
        raise value_error(
            "{level} is {!r}, but there are {} systems",
            level,
            n_systems,
            expected=f"expected at least {_FEWEST_SYSTEMS} to correlate.",
            remedy=format_message("Use {level='segment'}."),
        )
    if "segment" in plan.levels and CALIBRATED in plan.list_coefficients("segment"):
        check_pairs(*group_texts(rated.ratings, plan.grouping).shape)


def list_pairs(metrics: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Return the pairs of metrics to compare: the metric, then the other."""
    if baseline is None:
        return [(second, first) for first, second in combinations(range(len(metrics)), 2)]
    if baseline not in metrics:
        raise value_error(
            "{baseline} is {!r}",
            baseline,
            expected=f"expected one of {', '.join(map(repr, metrics))}.",
        )
    place = metrics.index(baseline)
    return [(other, place) for other in range(len(metrics)) if other != place]
