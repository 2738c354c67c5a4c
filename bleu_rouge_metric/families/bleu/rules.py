"""Check the options of BLEU's arithmetic, and make rules of them.

Libraries differ in what they do after the n-grams are counted: the order of floating-point
operations, weights, smoothing, reference length, effective order. These options can be combined
freely. If all of them are those of one library, the score is exactly the score of this library.
"""

from numbers import Integral
from typing import Any, Final, Literal, NamedTuple, cast, get_args

import numpy as np

from ...checks import check_choice, check_flag, check_range
from ...messages import Argument, describe_value, format_message, value_error
from .weights import LARGEST_ORDER, check_weights, to_number

Arithmetic = Literal["hf", "sacrebleu", "nltk"]
ReferenceLength = Literal["shortest", "closest", "average", "longest"]

ARITHMETICS: Final[tuple[Arithmetic, ...]] = get_args(Arithmetic)
REFERENCE_LENGTHS: Final[tuple[ReferenceLength, ...]] = get_args(ReferenceLength)


class _Parameter(NamedTuple):
    """The value of a smoothing: its default and its range."""

    default: float
    least: float
    most: float = 1e6


# Smoothings that take a value. An epsilon, k or alpha of 0 smooths nothing, but method4 divides by
# its k. The defaults are those of sacrebleu and of NLTK's SmoothingFunction. Whole numbers are
# ints, because NLTK computes exact fractions from them.
_PARAMETERS: Final = {
    "floor": _Parameter(0.1, 0),
    "add-k": _Parameter(1, 0),
    "method1": _Parameter(0.1, 0),
    "method4": _Parameter(5, 1e-6),
    "method6": _Parameter(5, 0),
    "method6-corrected": _Parameter(5, 0),
    "method7": _Parameter(5, 1e-6),
    "method7-corrected": _Parameter(5, 1e-6),
}

SMOOTHINGS: Final = (
    *("none", "add-one", "floor", "add-k", "exp"),
    *(f"method{number}" for number in range(8)),
    *(f"method{number}-corrected" for number in (5, 6, 7)),
)

# Smoothings of NLTK that use counts of the last sample of a corpus; each has a corrected kin.
LAST_SAMPLE_SMOOTHINGS: Final = ("method5", "method6", "method7")


class BleuRules(NamedTuple):
    """How n-gram counts become BLEU; :func:`make_bleu_rules` makes checked rules.

    Attributes:
        arithmetic: the library whose order of operations, scale, early exits, denominators and
            output keys are used: ``hf`` is evaluate's ``bleu``.
        max_order: the longest n-gram that is scored, from 1 to 100.
        weights: sets of weights of orders 1, 2 and so on; each set has at most ``max_order``
            weights, which are not negative and sum to 1. Several sets make several scores. None for
            equal weights of all orders.
        smooth: one of ``SMOOTHINGS``: ``add-one`` is evaluate's, the others are those of sacrebleu
            and NLTK. For a corpus, NLTK's method5 to method7 use counts of the last sample; the
            "corrected" methods use counts of the corpus.
        smooth_value: value of the smoothing; None for its default.
        reference_length: which reference of a sample the brevity penalty compares with; if two are
            equally close, ``closest`` is the shorter one.
        effective_order: whether orders are left out for which no prediction is long enough. None
            for the behaviour of the library: sacrebleu does so for a sentence, but not for a
            corpus; evaluate and NLTK never do.
        auto_reweigh: NLTK's option: if all predictions together have fewer than 4 tokens, and there
            are four equal weights, as many orders as there are tokens get equal weights.
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
        if self.smooth_value is not None:
            return self.smooth_value
        return _PARAMETERS[self.smooth].default if self.smooth in _PARAMETERS else 0

    @property
    def sets_of_weights(self) -> int:
        """Return the number of scores: one for each set of weights."""
        return 1 if self.weights is None else len(self.weights)

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

    Raises:
        TypeError: a value has a wrong type.
        ValueError: a value is out of range, or a name is unknown.

    >>> make_bleu_rules(arithmetic="nltk", weights=[0.5, 0.5]).max_order
    2
    """
    library = cast("Arithmetic", check_choice("arithmetic", arithmetic, ARITHMETICS))
    if max_order is not None:
        max_order = _check_order(max_order)
    sets = None if weights is None else check_weights(weights, max_order)
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
    """Return the rules of values of all options, and write normalised values back.

    ``most`` is the highest ``max_order``; the errors are those of :func:`make_bleu_rules`.
    """
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


def _check_order(max_order: object) -> int:
    """Return the longest order as an int."""
    if isinstance(max_order, Integral) and not isinstance(max_order, bool):
        max_order = int(max_order)
    return check_range("max_order", max_order, 1, LARGEST_ORDER)


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
    _, least, most = _PARAMETERS[smooth]
    expected = format_message(
        "expected a number from {:g} to {:,.0f} for {smooth} {!r}.", least, most, smooth
    )
    number = to_number(value)
    if number is None:
        raise TypeError(describe_value("smooth_value", repr(value), expected))
    if not least <= number <= most:
        raise ValueError(describe_value("smooth_value", str(value), expected))
    return number
