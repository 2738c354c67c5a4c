"""Check the options of BLEU's arithmetic, and make rules of them.

Libraries differ in what they do after the n-grams are counted: the order of floating-point
operations, weights, smoothing, reference length, effective order. These options can be combined
freely. If all of them are those of one library, the score is exactly the score of this library.
"""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, Final, Literal, NamedTuple, cast, get_args

import numpy as np

from ...checks import check_choice, check_flag, check_range
from ...messages import Argument, count_noun, describe_value, format_message, value_error

Arithmetic = Literal["hf", "sacrebleu", "nltk"]
ReferenceLength = Literal["shortest", "closest", "average", "longest"]

ARITHMETICS: Final[tuple[Arithmetic, ...]] = get_args(Arithmetic)
REFERENCE_LENGTHS: Final[tuple[ReferenceLength, ...]] = get_args(ReferenceLength)

# A larger order is a typing error, which would fill the memory.
LARGEST_ORDER: Final = 100

# The error allowed for each weight: a number with six digits, rounded or cut off. The sum may
# differ from 1 by this error times the number of weights: (0.333333, 0.333333, 0.333333) means
# thirds.
_TOLERANCE: Final = 1e-6

# The default and the least value of smoothings that take a value. An epsilon, k or alpha of 0
# smooths nothing, but method4 divides by its k. The defaults are those of sacrebleu and of NLTK's
# SmoothingFunction. Whole numbers are ints, because NLTK computes exact fractions from them.
_PARAMETERS: Final[dict[str, tuple[float, float]]] = {
    "floor": (0.1, 0),
    "add-k": (1, 0),
    "method1": (0.1, 0),
    "method4": (5, 1e-6),
    "method6": (5, 0),
    "method6-corrected": (5, 0),
    "method7": (5, 1e-6),
    "method7-corrected": (5, 1e-6),
}
_LARGEST_PARAMETER: Final = 1e6

SMOOTHINGS: Final = (
    *("none", "add-one", "floor", "add-k", "exp"),
    *(f"method{number}" for number in range(8)),
    *(f"method{number}-corrected" for number in (5, 6, 7)),
)

# Smoothings of NLTK that use counts of the last sample of a corpus; each has a corrected kin.
LAST_SAMPLE_SMOOTHINGS: Final = ("method5", "method6", "method7")


class BleuRules(NamedTuple):
    """How n-gram counts become BLEU; :func:`make_bleu_rules` makes checked rules.

    The attributes are options of their names, but for two. ``arithmetic`` is the library whose
    order of operations, scale, early exits, denominators and output keys are used: ``hf`` is
    evaluate's ``bleu``. ``weights`` are sets, each with at most ``max_order`` weights that sum to
    1; several sets make several scores, and None is for equal weights of all orders.
    """

    arithmetic: Arithmetic = "hf"
    max_order: int = 4
    weights: tuple[tuple[float, ...], ...] | None = None
    smooth: str = "none"
    smooth_value: float | None = None
    reference_length: ReferenceLength = "shortest"
    effective_order: bool | None = None
    auto_reweigh: bool = False

    @property
    def counted_order(self) -> int:
        """Return the order of the longest n-gram that must be counted.

        >>> BleuRules(smooth="method5").counted_order
        5
        """
        if self.smooth in ("method5-corrected", "method7-corrected"):
            return self.max_order + 1
        if self.smooth in ("method5", "method7"):
            # Parity: NLTK's SmoothingFunction.method5 always uses 5-grams.
            return max(self.max_order, 5)
        return self.max_order

    @property
    def parameter(self) -> float:
        """Return the value of the smoothing, or its default; 0 if the smoothing takes no value."""
        default, _ = _PARAMETERS.get(self.smooth, (0, 0))
        return default if self.smooth_value is None else self.smooth_value

    @property
    def sets_of_weights(self) -> int:
        """Return the number of scores: one for each set of weights."""
        return len(self.weights or (None,))

    def leaves_out_orders(self, *, is_sentence: bool) -> bool:
        """Return whether orders are left out for which no prediction is long enough."""
        if self.effective_order is None:
            # Parity: sacrebleu's sentence_bleu has use_effective_order=True, corpus_bleu False.
            return is_sentence and self.arithmetic == "sacrebleu"
        return self.effective_order


def make_bleu_rules(
    *,
    arithmetic: object = "hf",
    max_order: object = None,
    weights: object = None,
    smooth: object = None,
    smooth_value: object = None,
    reference_length: object = None,
    effective_order: object = None,
    auto_reweigh: object = False,
) -> BleuRules:
    """Check options, and make rules of them; None is the default of the arithmetic's library.

    >>> make_bleu_rules(arithmetic="nltk", weights=[0.5, 0.5]).max_order
    2
    """
    library = cast("Arithmetic", check_choice("arithmetic", arithmetic, ARITHMETICS))
    if max_order is not None:
        if isinstance(max_order, Integral) and not isinstance(max_order, bool):
            max_order = int(max_order)
        max_order = check_range("max_order", cast("int", max_order), 1, LARGEST_ORDER)
    sets = None if weights is None else _check_weights(weights, max_order)
    order = max_order or (4 if sets is None else max(map(len, sets)))
    if effective_order is not None:
        effective_order = check_flag("effective_order", effective_order)
    if reference_length is None:
        reference_length = "shortest" if library == "hf" else "closest"
    smoothing = _check_smooth(smooth, library)
    return BleuRules(
        library,
        order,
        sets,
        smoothing,
        None if smooth_value is None else _check_smooth_value(smooth_value, smoothing),
        cast(
            "ReferenceLength", check_choice("reference_length", reference_length, REFERENCE_LENGTHS)
        ),
        effective_order,
        check_flag("auto_reweigh", auto_reweigh),
    )


def check_bleu_rules(
    values: dict[str, Any], arithmetic: str, most: int = LARGEST_ORDER
) -> BleuRules:
    """Return the rules of values of all options, and write normalised values back."""
    names = (
        *("max_order", "weights", "smooth", "smooth_value", "reference_length"),
        *("effective_order", "auto_reweigh"),
    )
    rules = make_bleu_rules(arithmetic=arithmetic, **{name: values[name] for name in names})
    for name in ("max_order", "smooth", "smooth_value", "effective_order"):
        values[name] = getattr(rules, name)
    if rules.weights is not None:
        values["weights"] = rules.weights if rules.sets_of_weights > 1 else rules.weights[0]
    check_range("max_order", rules.max_order, 1, most)
    check_range("min_order", values["min_order"], 1, rules.max_order)
    return rules


def check_one_set(rules: BleuRules, reason: str) -> None:
    """Raise ValueError if there are several sets of weights; the reason says why one is needed."""
    if rules.sets_of_weights > 1:
        expected = f"expected one, because {reason}."
        given = rules.sets_of_weights
        raise value_error("{weights} has {} sets", given, expected=expected)


def _check_smooth(smooth: object, arithmetic: Arithmetic) -> str:
    """Return the name of the smoothing."""
    if smooth is None:
        # Parity: sacrebleu's BLEU has the default smooth_method="exp".
        return "exp" if arithmetic == "sacrebleu" else "none"
    if isinstance(smooth, bool | np.bool_):
        return "add-one" if smooth else "none"
    if not isinstance(smooth, str):
        # NLTK's smoothings are methods.
        name = getattr(smooth, "__name__", "")
        expected = f"expected True, False or the name of a smoothing: {', '.join(SMOOTHINGS)}."
        meant = Argument("smooth", "=", name)
        remedy = format_message("Use {}.", meant) if name in SMOOTHINGS else ""
        raise TypeError(describe_value("smooth", repr(smooth), expected, remedy))
    return check_choice("smooth", smooth, SMOOTHINGS)


def _check_smooth_value(value: object, smooth: str) -> float:
    """Return the value of the smoothing; an int stays an int."""
    if smooth not in _PARAMETERS:
        raise value_error(
            "{smooth_value} is {!r}, but {smooth} {!r} takes no value",
            *(value, smooth),
            remedy=f"leave it out, or choose one of {', '.join(_PARAMETERS)}.",
        )
    _, least = _PARAMETERS[smooth]
    limits = least, _LARGEST_PARAMETER
    expected = format_message(
        "expected a number from {:g} to {:,.0f} for {smooth} {!r}.", *limits, smooth
    )
    return _check_number("smooth_value", value, limits, expected)


def _check_number(name: str, value: object, limits: tuple[float, float], expected: str) -> float:
    """Return a number within limits as a Python int or float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(describe_value(name, repr(value), expected))
    number = int(value) if isinstance(value, Integral) else float(value)
    if not limits[0] <= number <= limits[1]:
        raise ValueError(describe_value(name, str(value), expected))
    return number


def _check_weights(weights: object, max_order: int | None) -> tuple[tuple[float, ...], ...]:
    """Return the sets of weights as tuples of floats."""
    rows = _to_list("weights", weights)
    if isinstance(rows[0], Real) and not isinstance(rows[0], bool):
        return (_check_weight_set("weights", rows, max_order, is_alone=True),)
    named = [(name := f"weights[{index}]", _to_list(name, row)) for index, row in enumerate(rows)]
    is_alone = len(rows) == 1
    sets = tuple(_check_weight_set(*each, max_order, is_alone=is_alone) for each in named)
    longest = max(map(len, sets))
    if max_order is not None and longest < max_order:
        raise value_error(
            "The longest set of weights has {}, but {max_order} is {}",
            *(count_noun(longest, "value"), max_order),
            remedy=format_message(
                "give one set a weight for every order, or leave {max_order} out."
            ),
        )
    return sets


def _to_list(name: str, values: object) -> list[object]:
    """Return the items of a list, tuple or array, of which there is at least one."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | dict | set):
        raise TypeError(describe_value(name, repr(values), "expected a sequence of numbers."))
    items = list(values)
    if not items:
        raise ValueError(describe_value(name, "empty", "expected one weight per order."))
    return items


def _check_weight_set(
    name: str, values: list[object], max_order: int | None, *, is_alone: bool
) -> tuple[float, ...]:
    """Check one set of weights; one of several sets may have fewer weights than orders."""
    size = Argument(name), count_noun(len(values), "value")
    if max_order is None and len(values) > LARGEST_ORDER:
        raise value_error("{} has {}", *size, expected=f"expected at most {LARGEST_ORDER}.")
    is_short = is_alone and len(values) < (max_order or 0)
    if max_order is not None and (len(values) > max_order or is_short):
        raise value_error(
            "{} has {}, but {max_order} is {}",
            *(*size, max_order),
            remedy=format_message("give one weight per order, or leave {max_order} out."),
        )
    limits, expected = (0, 1 + _TOLERANCE), "expected a number from 0 to 1."
    found = tuple(
        float(_check_number(f"{name}[{index}]", value, limits, expected))
        for index, value in enumerate(values)
    )
    total = math.fsum(found)
    if abs(total - 1) > _TOLERANCE * len(found):
        remedy = f"divide each by {total}" if total else "make one of them greater than 0"
        ends = {"expected": "expected 1:", "remedy": f"{remedy}."}
        raise value_error("{} sums to {}", Argument(name), total, **ends)
    return found
