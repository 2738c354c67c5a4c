"""A fraction that keeps its numerator and denominator: ``nltk.translate.bleu_score.Fraction``."""

import fractions
import sys
from typing import Any


class Fraction(fractions.Fraction):
    """A fraction that is not reduced, so that a smoothing sees the counts.

    >>> precision = Fraction(2, 4)
    >>> precision.numerator, precision.denominator, float(precision)
    (2, 4, 0.5)
    """

    __slots__ = ("_normalize", "_original_denominator", "_original_numerator")

    _normalize: bool
    _original_denominator: Any
    _original_numerator: Any

    def __new__(  # noqa: PYI034 - Self is in typing since Python 3.11
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> "Fraction":
        """Make a fraction; with ``_normalize`` it is reduced.

        Raises:
            ZeroDivisionError: the denominator is 0.
        """
        # Parity: Python 3.12 always reduces what it computes with; before that, NLTK does not.
        options: Any = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        made = super().__new__(cls, numerator, denominator, **options)
        made._normalize = _normalize
        made._original_numerator = numerator
        made._original_denominator = denominator
        return made

    @property
    def numerator(self) -> Any:
        """The numerator as it was given."""
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        """The denominator as it was given."""
        return super().denominator if self._normalize else self._original_denominator
