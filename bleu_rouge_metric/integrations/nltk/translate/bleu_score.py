"""The functions of ``nltk.translate.bleu_score``, on lists of any hashable tokens.

The kernels read texts. Tokens become texts of words with one space between them: the tokens
themselves if they are words, else a number for each distinct token.
"""

import fractions
import math
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, starmap
from operator import index
from typing import Any, Final, NamedTuple

import numpy as np

from ....arrays import to_offsets
from ....counting.kernels import count_bleu
from ....counting.pairs import BleuPairs
from ....families.bleu.statistics import find_closest_length
from ....families.coco_bleu import make_rows
from ....samples.inputs import Samples
from ....text.tokenizer import TOKENIZERS
from ....text.warnings import warn_caller

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

Tokens = Sequence[Hashable]

WORDS: Final = TOKENIZERS["whitespace"]
_QUARTERS: Final = (0.25, 0.25, 0.25, 0.25)


class Fraction(fractions.Fraction):
    """A fraction that keeps its numerator and denominator, so that a smoothing sees the counts.

    >>> precision = Fraction(2, 4)
    >>> precision.numerator, precision.denominator, float(precision)
    (2, 4, 0.5)
    """

    _normalize: bool
    _given: tuple[Any, Any]

    def __new__(  # noqa: PYI034 - Self is in typing since Python 3.11
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> "Fraction":
        """Make a fraction; with ``_normalize`` it is reduced."""
        # Parity: Python 3.12 always reduces what it computes with; before that, NLTK does not.
        options: Any = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        made = super().__new__(cls, numerator, denominator, **options)
        made._normalize, made._given = _normalize, (numerator, denominator)
        return made

    @property
    def numerator(self) -> Any:
        """The numerator as it was given."""
        return super().numerator if self._normalize else self._given[0]

    @property
    def denominator(self) -> Any:
        """The denominator as it was given."""
        return super().denominator if self._normalize else self._given[1]


class _Ratio(NamedTuple):
    """What the methods that compute with counts need of a fraction."""

    numerator: int
    denominator: int


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Any = _QUARTERS,
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Compute BLEU of one sample; the arguments are those of :func:`corpus_bleu`.

    >>> sentence_bleu([["the", "cat", "sat"], ["a", "cat"]], ["a", "cat", "sat"], (0.5, 0.5))
    1.0
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Any = _QUARTERS,
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Compute BLEU of all samples together.

    Args:
        list_of_references: the references of each sample, each a sequence of hashable tokens.
        hypotheses: a sequence of tokens per sample.
        weights: of each order, or several sets of them.
        smoothing_function: a method of :class:`SmoothingFunction`, or a function from the exact
            precisions, ``references``, ``hypothesis`` and ``hyp_len`` to precisions; None for
            ``method0``.
        auto_reweigh: whether equal weights of four orders are adapted to fewer than four tokens.

    Returns:
        A float, or 0 if no token matches; a list with one per set if there are several sets.

    Raises:
        AssertionError: the numbers of samples differ, or ``method6`` has no match of order 3.
        ZeroDivisionError: there is no sample.
        ValueError: a sample has no reference.
        TypeError: a token is not hashable.

    >>> corpus_bleu([[["a", "b"]], [["c", "d"]]], [["a", "b"], ["c"]], weights=[(1,), (0.5, 0.5)])
    [0.7165313105737893, 0.5066641486392106]
    """
    samples = pair_samples(list_of_references, hypotheses)
    try:
        weights[0][0]
    except (TypeError, IndexError):
        weights = [weights]
    order = max(map(len, weights))
    matches, totals, length, reference_length = _count(samples, order)
    if not any(matches[:1]):
        # Parity: an int.
        return [0] * len(weights) if len(weights) > 1 else 0
    smooth = smoothing_function or _DEFAULT
    # Fast path: equals fractions, each of which takes 1 µs.
    make: Any = _Ratio if getattr(smooth, "__func__", None) in _OF_COUNTS else Fraction
    precisions = smooth(
        list(starmap(make, zip(matches, totals, strict=True))),
        # Parity: NLTK hands over the last sample.
        references=list_of_references[-1],
        hypothesis=hypotheses[-1],
        hyp_len=length,
    )
    numbers = [one[0] / one[1] if type(one) is _Ratio else one for one in precisions]
    penalty = brevity_penalty(reference_length, length)
    scores: list[Any] = []
    for own in weights:
        # Parity: a list of four quarters is not equal to the tuple.
        adapts = auto_reweigh and length < 4 and own == _QUARTERS
        pairs = zip([1 / length] * length if adapts else own, numbers, strict=False)
        # Parity: fsum rounds once.
        mean = math.fsum(weight * math.log(number) for weight, number in pairs if number > 0)
        scores.append(penalty * math.exp(mean))
    return scores if len(scores) > 1 else scores[0]


def modified_precision(references: Iterable[Tokens], hypothesis: Tokens, n: int) -> Fraction:
    """Return the clipped matches of an order over its n-grams, at least 1; it is not reduced.

    Args:
        references: of one sample.
        hypothesis: tokens.
        n: the order, from 1 to 1,024.

    Raises:
        TypeError: a token is not hashable, or ``n`` is not an integer.
        ValueError: there is no reference, or ``n`` is below 1. NLTK scores n-grams of order 0.

    >>> precision = modified_precision([["a", "b", "a"]], ["a", "a", "a", "c"], 1)
    >>> precision.numerator, precision.denominator
    (2, 4)
    """
    order = int(index(n))
    if order < 1:
        raise ValueError(f"n is {order}; expected at least 1.")
    # Parity: NLTK does not read the tokens of a text that is shorter than n.
    text, *others = [one if len(one) >= order else () for one in (hypothesis, *references)]
    if not len(text):
        return Fraction(0, 1)
    matches, length, _ = count_pair(others, text, order)
    return Fraction(matches[-1], length - order + 1)


def closest_ref_length(references: Iterable[Tokens], hyp_len: int) -> int:
    """Return the length of the closest reference, the shorter one of two.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return find_closest_length(hyp_len, map(len, references))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the brevity penalty.

    >>> brevity_penalty(13, 12), brevity_penalty(12, 13)
    (0.9200444146293233, 1)
    """
    # Parity: ints where NLTK computes nothing.
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


class SmoothingFunction:
    """The smoothings of Chen and Cherry (2014), as methods on precisions, which are not changed.

    >>> smoothing = SmoothingFunction(epsilon=0.5)
    >>> smoothing.method1([Fraction(1, 2), Fraction(0, 1)])
    [Fraction(1, 2), 0.5]
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        """Store the values: epsilon of ``method1``, alpha of ``method6``, k of 4 and 7."""
        self.epsilon, self.alpha, self.k = epsilon, alpha, k

    def method0(self, p_n: Iterable[Any], *_: Any, **__: Any) -> list[Any]:
        """Warn of orders without a match; the smallest float replaces their precision."""
        precisions = list(p_n)
        for order, one in enumerate(precisions, 1):
            if not one.numerator:
                # Parity: the first line is that of NLTK, which filters of warnings look for.
                warn_caller(
                    f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                    "BLEU is almost 0 then. Use shorter n-grams, or a method of SmoothingFunction."
                )
        return [one if one.numerator else sys.float_info.min for one in precisions]

    def method1(self, p_n: Iterable[Any], *_: Any, **__: Any) -> list[Any]:
        """Add epsilon to matches of 0."""
        return [one if one.numerator else self.epsilon / one.denominator for one in p_n]

    def method2(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Add 1 to the matches and n-grams of each order but the first."""
        added = [Fraction(one.numerator + 1, one.denominator + 1) for one in p_n[1:]]
        return [*p_n[:1], *added]

    def method3(self, p_n: Iterable[Any], *_: Any, **__: Any) -> list[Any]:
        """Count half a match for the first order without one, a quarter for the next."""
        return _halve(p_n, lambda power: 1 / power)

    def method4(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, **_: Any
    ) -> list[Any]:
        """Smooth as ``method3``, in proportion to the logarithm of the length."""
        length = hyp_len or len(hypothesis)
        if length <= 1:
            return list(p_n)
        # Parity: the order of the operations.
        return _halve(p_n, lambda power: 1 / (power * self.k / math.log(length)))

    def method5(self, p_n: Any, references: Any, hypothesis: Any, *_: Any, **__: Any) -> list[Any]:
        """Average each order with its neighbours."""
        # Parity: the order above the last one is order 5 of the last sample.
        precisions = [*p_n, modified_precision(references, hypothesis, 5)]
        below, smoothed = precisions[0] + 1, []
        for one, above in pairwise(precisions):
            below = (below + one + above) / 3
            smoothed.append(below)
        return smoothed

    def method6(self, p_n: Any, references: Any, hypothesis: Any, *_: Any, **__: Any) -> list[Any]:
        """Interpolate orders from 3 with an estimate from the two orders below."""
        smoothed = list(p_n)
        if len(smoothed) < 3:
            raise IndexError("method6 needs at least three orders; give more weights.")
        # Parity: NLTK asserts order 3, though its message says bigrams.
        if not smoothed[2]:
            raise AssertionError("method6 needs a match of order 3; use another smoothing.")
        for start in range(2, len(smoothed)):
            two_below, below, one = smoothed[start - 2 : start + 1]
            expected = below**2 / two_below if two_below else 0
            total = max(len(hypothesis) - start, 0)
            smoothed[start] = (one.numerator + self.alpha * expected) / (total + self.alpha)
        return smoothed

    def method7(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, **_: Any
    ) -> list[Any]:
        """Apply ``method4``, then ``method5``."""
        smoothed = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(smoothed, references, hypothesis, hyp_len)


_DEFAULT: Final = SmoothingFunction().method0
# The methods that compute with counts.
_OF_COUNTS: Final = frozenset(getattr(SmoothingFunction, f"method{n}") for n in range(5))


def _count(
    samples: Sequence[tuple[Sequence[Tokens], Tokens]], order: int
) -> tuple[list[int], list[int], int, int]:
    """Return matches and n-grams of each order, and the lengths of hypotheses and references."""
    if not order:
        return [], [], 0, 0
    if not samples:
        raise ZeroDivisionError("hypotheses is empty; expected at least one sample.")
    if len(samples) == 1:
        # Fast path: equals the lines below, in a fifth of the time.
        matches, length, others = count_pair(*samples[0], order)
        # Parity: a hypothesis that is too short for an order adds 1 to its n-grams.
        totals = [max(length - start, 1) for start in range(order)]
        return matches, totals, length, find_closest_length(length, others)
    texts = make_samples([write_texts(*sample) for sample in samples])
    counts = count_bleu(texts, order, WORDS)
    sums: list[int] = make_rows(counts, texts.offsets).sum(axis=0).tolist()
    lengths = counts.prediction_lengths
    totals = [int(np.maximum(lengths - start, 1).sum(dtype=np.int64)) for start in range(order)]
    return sums[2::2], totals, sums[0], sums[1]


def _halve(p_n: Iterable[Any], share: Callable[[int], float]) -> list[Any]:
    """Give the first order without a match a share of 2, the next one of 4, and so on."""
    smoothed, power = list(p_n), 1
    for place, one in enumerate(smoothed):
        if not one.numerator:
            power *= 2
            smoothed[place] = share(power) / one.denominator
    return smoothed


def pair_samples(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]
) -> list[tuple[Sequence[Tokens], Tokens]]:
    """Return the references of each hypothesis with it."""
    if len(list_of_references) != len(hypotheses):
        lengths = f"{len(list_of_references)} and {len(hypotheses)}"
        raise AssertionError(f"The lengths of list_of_references and hypotheses differ: {lengths}.")
    return list(zip(list_of_references, hypotheses, strict=True))


def make_samples(texts: Sequence[Sequence[str]]) -> Samples:
    """Return samples, each given as the text of a hypothesis and those of its references."""
    offsets = to_offsets(np.array([len(side) - 1 for side in texts]))
    return Samples(
        [side[0] for side in texts], [text for side in texts for text in side[1:]], offsets
    )


def count_pair(
    references: Sequence[Tokens], hypothesis: Tokens, order: int
) -> tuple[list[int], int, list[int]]:
    """Return matches by order, the tokens of the hypothesis, and those of each reference."""
    text, *others = write_texts(references, hypothesis)
    numbers = _find_pairs(order).count(text, others)
    return numbers[:order], numbers[order], numbers[order + 1 :]


# Bound: orders are few.
@lru_cache(maxsize=16)
def _find_pairs(order: int) -> BleuPairs:
    return BleuPairs(WORDS, order)


def write_texts(references: Sequence[Tokens], hypothesis: Tokens) -> list[str]:
    """Return a text for the hypothesis and one for each reference, of which the words are tokens.

    >>> write_texts([["a", "b"]], ["b"]), write_texts([[3, "3"], [" "]], ["3"])
    (['b', 'a b'], ['0', '1 0', '2'])
    """
    if not len(references):
        raise ValueError("A hypothesis has no reference; expected at least one.")
    sides: list[Any] = [
        side if type(side) is list else list(side) for side in (hypothesis, *references)
    ]
    try:
        texts = list(map(" ".join, sides))
    except TypeError:
        texts = []
    if [text.split() for text in texts] == sides:
        return texts
    words: dict[Hashable, str] = {}
    return [
        " ".join([words.setdefault(token, str(len(words))) for token in side]) for side in sides
    ]
