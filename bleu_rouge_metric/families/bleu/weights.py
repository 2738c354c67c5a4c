"""Check the weights of BLEU's n-gram orders."""

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Final

import numpy as np

from ...messages import Argument, describe_value, format_message, value_error

# A larger order is a typing error, which would fill the memory.
LARGEST_ORDER: Final = 100

# The error allowed for each weight: a number with six digits, rounded or cut off. The sum may
# differ from 1 by this error times the number of weights: (0.333333, 0.333333, 0.333333) means
# thirds.
_TOLERANCE: Final = 1e-6

_EXPECTED: Final = "expected one weight per order."


def check_weights(weights: object, max_order: int | None) -> tuple[tuple[float, ...], ...]:
    """Return the sets of weights as tuples of floats."""
    rows = _to_list("weights", weights)
    if not rows:
        raise ValueError(describe_value("weights", "empty", _EXPECTED))
    if to_number(rows[0]) is not None:
        return (_check_weight_set("weights", rows, max_order, is_alone=True),)
    sets = tuple(
        _check_weight_set(
            f"weights[{index}]",
            _to_list(f"weights[{index}]", row),
            max_order,
            is_alone=len(rows) == 1,
        )
        for index, row in enumerate(rows)
    )
    longest = max(map(len, sets))
    if max_order is not None and longest < max_order:
        raise value_error(
            "The longest set of weights has {}, but {max_order} is {}",
            *(_count_values(longest), max_order),
            remedy=format_message(
                "give one set a weight for every order, or leave {max_order} out."
            ),
        )
    return sets


def _count_values(number: int) -> str:
    return f"{number} value{'' if number == 1 else 's'}"


def _check_weight_set(
    name: str, values: Sequence[object], max_order: int | None, *, is_alone: bool
) -> tuple[float, ...]:
    """Check one set of weights; one of several sets may have fewer weights than orders."""
    if not values:
        raise ValueError(describe_value(name, "empty", _EXPECTED))
    size = Argument(name), _count_values(len(values))
    if max_order is None and len(values) > LARGEST_ORDER:
        expected = f"expected at most {LARGEST_ORDER}."
        raise value_error("{} has {}", *size, expected=expected)
    is_short = is_alone and len(values) < (max_order or 0)
    if max_order is not None and (len(values) > max_order or is_short):
        raise value_error(
            "{} has {}, but {max_order} is {}",
            *(*size, max_order),
            remedy=format_message("give one weight per order, or leave {max_order} out."),
        )
    expected = "expected a number from 0 to 1."
    found: list[float] = []
    for index, value in enumerate(values):
        number = to_number(value)
        if number is None:
            raise TypeError(describe_value(f"{name}[{index}]", repr(value), expected))
        if not 0 <= number <= 1 + _TOLERANCE:
            raise ValueError(describe_value(f"{name}[{index}]", str(value), expected))
        found.append(float(number))
    total = math.fsum(found)
    if abs(total - 1) > _TOLERANCE * len(found):
        remedy = f"divide each by {total}" if total else "make one of them greater than 0"
        ends = {"expected": "expected 1:", "remedy": f"{remedy}."}
        raise value_error("{} sums to {}", Argument(name), total, **ends)
    return tuple(found)


def _to_list(name: str, values: object) -> list[object]:
    """Return the items of a list, tuple or array."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | dict | set):
        raise TypeError(describe_value(name, repr(values), "expected a sequence of numbers."))
    return list(values)


def to_number(value: object) -> float | None:
    """Return a number (NaN and infinity too) as a Python int or float; None for other types."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return None
    return int(value) if isinstance(value, Integral) else float(value)
