"""The class ``SmoothingFunction`` of ``nltk.translate.bleu_score``.

``corpus_bleu`` computes the methods of this class by name, without fractions. Called directly, or
by a function of the caller, they take and return precisions as in NLTK; the formulas are those of
``families/bleu/smoothing.py``. Values are equal; a fraction of ``method5`` to ``method7`` may be
reduced where NLTK's is not.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from ...families.bleu.rules import BleuRules
from ...families.bleu.smoothing import smooth_fractions, smooth_precisions
from ...families.bleu.statistics import BleuStatistics
from ...text.warnings import warn_caller
from .exact import Fraction
from .token_counts import Tokens, count_pair

# Parity: method5 always uses 5-grams.
_ORDER_ABOVE: Final = 5


class SmoothingFunction:
    """The smoothings of Chen and Cherry (2014), as methods.

    >>> smoothing = SmoothingFunction(epsilon=0.5)
    >>> smoothing.method1([Fraction(1, 2), Fraction(0, 1)])
    [Fraction(1, 2), 0.5]
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        """Store the values.

        Args:
            epsilon: of ``method1``.
            alpha: of ``method6``.
            k: of ``method4`` and ``method7``.
        """
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Warn of orders without a match; the smallest float replaces their precision."""
        precisions = list(p_n)
        warn_of_zeros([precision.numerator for precision in precisions])
        return [one if one.numerator else sys.float_info.min for one in precisions]

    def method1(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Add epsilon to matches of 0."""
        # Parity: a Decimal is an epsilon too, and None raises TypeError if a match is missing.
        return [one if one.numerator else self.epsilon / one.denominator for one in p_n]

    def method2(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Add 1 to the matches and n-grams of each order but the first."""
        added = [Fraction(one.numerator + 1, one.denominator + 1) for one in p_n[1:]]
        return [*p_n[:1], *added]

    def method3(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Count half a match for the first order without one, a quarter for the next."""
        rules = BleuRules("nltk", len(p_n), smooth="method3")
        smoothed: Any = smooth_precisions(_make_statistics(p_n), rules, 1.0)
        return [
            precision if precision.numerator else other
            for precision, other in zip(p_n, smoothed, strict=True)
        ]

    def method4(
        self,
        p_n: Sequence[Any],
        references: Sequence[Tokens],  # noqa: ARG002 - as there
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *_: Any,
        **__: Any,
    ) -> list[Any]:
        """Smooth as ``method3``, in proportion to the logarithm of the length."""
        # Parity: with hyp_len, the hypothesis is not read.
        return self._smooth("method4", p_n, () if hyp_len else hypothesis, hyp_len)

    def method5(
        self,
        p_n: Sequence[Any],
        references: Sequence[Tokens],
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *_: Any,
        **__: Any,
    ) -> list[Any]:
        """Average each order with its neighbours."""
        return self._smooth("method5", p_n, hypothesis, hyp_len, references)

    def method6(
        self,
        p_n: Sequence[Any],
        references: Sequence[Tokens],  # noqa: ARG002 - as there
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *_: Any,
        **__: Any,
    ) -> list[Any]:
        """Interpolate orders from 3 with an estimate from the two orders below.

        Raises:
            AssertionError: order 3 has no match.
            IndexError: there are fewer than three orders.
        """
        check_method6(p_n)
        return self._smooth("method6", p_n, hypothesis, hyp_len)

    def method7(
        self,
        p_n: Sequence[Any],
        references: Sequence[Tokens],
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *_: Any,
        **__: Any,
    ) -> list[Any]:
        """Apply ``method4``, then ``method5``."""
        return self._smooth("method7", p_n, hypothesis, hyp_len, references)

    def _smooth(
        self,
        name: str,
        p_n: Sequence[Any],
        hypothesis: Tokens,
        hyp_len: int | None,
        references: Sequence[Tokens] | None = None,
    ) -> list[Any]:
        """Apply one of methods 4 to 7 to precisions.

        Args:
            name: of the method.
            p_n: precisions.
            hypothesis: the last one of a corpus.
            hyp_len: tokens of all hypotheses; None or 0 for those of the last one.
            references: of the last hypothesis, for a method that counts longer n-grams.

        Raises:
            TypeError: the value of the method is None.
        """
        matches = [0] * _ORDER_ABOVE
        if references is not None:
            matches = count_pair(references, hypothesis, _ORDER_ABOVE)[0]
        value = getattr(self, _VALUES[name]) if name in _VALUES else 0
        if value is None:
            raise TypeError(f"{_VALUES[name]} is None; {name} needs a number.")
        rules = BleuRules("nltk", len(p_n), smooth=name, smooth_value=value)
        statistics = _make_statistics(p_n)._replace(
            prediction_length=hyp_len or len(hypothesis),
            last_matches=matches,
            last_length=len(hypothesis),
        )
        smoothed = smooth_fractions(p_n, statistics, rules)
        if smoothed is None:
            raise ZeroDivisionError("alpha is 0, and the hypothesis is too short for method6.")
        return list(smoothed)


# The attributes that hold the values of the methods.
_VALUES: Final = {"method1": "epsilon", "method4": "k", "method6": "alpha", "method7": "k"}

_METHODS: Final = {
    function: function.__name__
    for function in vars(SmoothingFunction).values()
    if getattr(function, "__name__", "").startswith("method")
}


def find_method(function: Callable[..., Any] | None) -> tuple[str, float | None]:
    """Return the name of a smoothing of this module and its value; an empty name for another.

    >>> find_method(SmoothingFunction(k=7).method4), find_method(len), find_method(None)
    (('method4', 7), ('', None), ('method0', None))
    """
    if not function:
        return "method0", None
    name = _METHODS.get(getattr(function, "__func__", None), "")
    smoothing = getattr(function, "__self__", None)
    if not name or type(smoothing) is not SmoothingFunction:
        return "", None
    if name not in _VALUES:
        return name, None
    value = getattr(smoothing, _VALUES[name])
    # Numbers of other types have their own arithmetic, and None is an error of the method.
    return (name, value) if type(value) in (int, float) else ("", None)


def warn_of_zeros(matches: Sequence[int]) -> None:
    """Warn of each order without a match."""
    for order, number in enumerate(matches, 1):
        if not number:
            # Parity: the first line is that of NLTK, which filters of warnings look for.
            warn_caller(
                f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                "BLEU is almost 0 then. Use shorter n-grams, or a method of SmoothingFunction."
            )


def check_method6(precisions: Sequence[Any]) -> None:
    """Raise an error if method 6 is not defined.

    Args:
        precisions: of each order, or matches.
    """
    # Parity: NLTK asserts order 3, though its message says bigrams.
    if len(precisions) <= 2:
        raise IndexError("method6 needs at least three orders; give more weights.")
    if not precisions[2]:
        raise AssertionError("method6 needs a match of order 3; use another smoothing.")


def _make_statistics(p_n: Sequence[Any]) -> BleuStatistics:
    """Make statistics of precisions; a float has been smoothed, and has no counts."""
    matches = [getattr(precision, "numerator", 1) for precision in p_n]
    totals = [getattr(precision, "denominator", 1) for precision in p_n]
    return BleuStatistics(matches, totals, totals, 0, 0, matches, 0)
