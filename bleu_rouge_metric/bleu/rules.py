"""What the options say about the arithmetic of BLEU, checked.

Everything that libraries decide in different ways once the n-grams are counted: order of
floating-point operations, weights, smoothing, reference length, effective order. Any choice of one
may stand beside any choice of another; where they are those of a library, the score is its double.
"""

from numbers import Integral
from typing import Final, Literal, NamedTuple, cast, get_args

import numpy as np

from ..checks import check_choice, check_flag
from .weights import LARGEST_ORDER, check_weights, to_number

Arithmetic = Literal["hf", "sacrebleu", "nltk"]
ReferenceLength = Literal["shortest", "closest", "average", "longest"]

ARITHMETICS: Final[tuple[Arithmetic, ...]] = get_args(Arithmetic)
REFERENCE_LENGTHS: Final[tuple[ReferenceLength, ...]] = get_args(ReferenceLength)


class _Parameter(NamedTuple):
    """The value that a smoothing takes: what it is where none is given, and its range."""

    default: float
    least: float
    most: float = 1e6


# Smoothings that take a value. An epsilon, a k and an alpha of 0 smooth nothing; method4 divides
# by its k. Defaults of sacrebleu and of NLTK's SmoothingFunction; whole numbers are ints, with
# which NLTK calculates exact fractions.
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


class BleuRules(NamedTuple):
    """How n-gram counts become BLEU; :func:`make_bleu_rules` checks what it is made from.

    Attributes:
        arithmetic: whose order of operations, scale, early exits, denominators and output keys:
            ``hf`` is evaluate's ``bleu``.
        max_order: the longest n-gram that is scored, from 1 to 100.
        weights: of the orders from 1 up; each set is at most ``max_order`` long, is not negative
            and sums to 1; several sets make several scores. None for the mean of all orders.
        smooth: one of ``SMOOTHINGS``: evaluate's ``add-one``, those of sacrebleu, those of NLTK.
            NLTK's method5 to method7 take counts of the last sample for those of the corpus;
            "corrected" takes those of the corpus.
        smooth_value: of the smoothing; None for its default.
        reference_length: which of the references of a sample the brevity penalty compares with;
            ``closest`` is the shorter one on a tie.
        effective_order: leave out the orders that no prediction is long enough for. None for what
            the library does: sacrebleu does so for a sentence, not for a corpus; the others never.
        auto_reweigh: NLTK's: predictions of fewer than 4 tokens, all together, get equal weights
            for as many orders as there are tokens, where the weights are those of four equal ones.
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
        """The longest n-gram that must be counted.

        >>> BleuRules(smooth="method5").counted_order
        5
        """
        if self.smooth in ("method5-corrected", "method7-corrected"):
            return self.max_order + 1
        if self.smooth in ("method5", "method7"):
            # Parity: NLTK, SmoothingFunction.method5 looks at 5-grams whatever the order.
            return max(self.max_order, 5)
        return self.max_order

    @property
    def parameter(self) -> float:
        """The value of the smoothing, or its default; 0 for one that takes none."""
        if self.smooth_value is not None:
            return self.smooth_value
        return _PARAMETERS[self.smooth].default if self.smooth in _PARAMETERS else 0

    def leaves_out_orders(self, *, is_sentence: bool) -> bool:
        """Whether orders are left out that no prediction is long enough for."""
        if self.effective_order is None:
            # Parity: sacrebleu, sentence_bleu has use_effective_order=True, corpus_bleu False.
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
    """Rules from what a caller gave; None stands for the default of the arithmetic's library.

    Args:
        arithmetic: ``hf``, ``sacrebleu`` or ``nltk``.
        max_order: from 1 to 100; where None, the length of the longest set of weights, or 4.
        weights: one weight per order, or several such sets.
        smooth: a name, True (evaluate's ``add-one``) or False; where None, ``exp`` for sacrebleu
            and nothing for the others.
        smooth_value: of ``floor``, ``add-k``, ``method1`` (epsilon), ``method4`` and ``method7``
            (k), ``method6`` (alpha).
        reference_length: ``shortest``, ``closest``, ``average`` or ``longest``; where None,
            ``shortest`` for evaluate and ``closest`` for the others.
        effective_order: True, False or None.
        auto_reweigh: True or False.

    Raises:
        TypeError: a value is of a wrong type.
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


def _check_order(max_order: object) -> int:
    """The longest order as an int."""
    if isinstance(max_order, bool) or not isinstance(max_order, Integral):
        raise TypeError(f"max_order is {max_order!r}; expected an int from 1 to {LARGEST_ORDER}.")
    order = int(max_order)
    if not 1 <= order <= LARGEST_ORDER:
        raise ValueError(f"max_order is {order}; expected an int from 1 to {LARGEST_ORDER}.")
    return order


def _check_smooth(smooth: object, arithmetic: Arithmetic) -> str:
    """The name of the smoothing."""
    if smooth is None:
        # Parity: sacrebleu, BLEU: smooth_method="exp".
        return "exp" if arithmetic == "sacrebleu" else "none"
    if isinstance(smooth, bool | np.bool_):
        return "add-one" if smooth else "none"
    if not isinstance(smooth, str):
        raise TypeError(
            f"smooth is {smooth!r}; expected True, False or the name of a smoothing: "
            f"{', '.join(SMOOTHINGS)}."
        )
    return check_choice("smooth", smooth, SMOOTHINGS)


def _check_smooth_value(value: object, smooth: str) -> float:
    """The value of the smoothing; an int stays one."""
    if smooth not in _PARAMETERS:
        raise ValueError(
            f"smooth_value is {value!r}, but smooth {smooth!r} takes no value; leave it out, or "
            f"choose one of {', '.join(_PARAMETERS)}."
        )
    _, least, most = _PARAMETERS[smooth]
    expected = f"expected a number from {least:g} to {most:,.0f} for smooth {smooth!r}."
    number = to_number(value)
    if number is None:
        raise TypeError(f"smooth_value is {value!r}; {expected}")
    if not least <= number <= most:
        raise ValueError(f"smooth_value is {value}; {expected}")
    return number
