"""The functions of ``nltk.translate.bleu_score``, on lists of any hashable tokens.

The weights, the smoothing and the geometric mean are those of the profile ``nltk``.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import Any, Final

from ...families.bleu.formula import penalise, score_statistics
from ...families.bleu.rules import BleuRules
from ...families.bleu.smoothing import smooth_precisions
from ...families.bleu.statistics import BleuStatistics, prepare_reference_length
from .exact import Fraction
from .smoothing import SmoothingFunction, check_method6, find_method, warn_of_zeros
from .token_counts import Tokens, count_corpus, count_pair

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

_QUARTERS: Final = (0.25, 0.25, 0.25, 0.25)

# Precisions that a function of the caller has smoothed are taken as they are.
_TAKEN: Final = "method1"


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
        KeyError: a sample with tokens has no reference.
        ValueError: a sample without tokens has no reference.
        TypeError: a token is not hashable, or ``smoothing_function`` returns None.
        IndexError: ``method6`` has fewer than three orders.

    >>> corpus_bleu([[["a", "b"]], [["c", "d"]]], [["a", "b"], ["c"]], weights=[(1,), (0.5, 0.5)])
    [0.7165313105737893, 0.5066641486392106]
    """
    if len(list_of_references) != len(hypotheses):
        raise AssertionError(
            f"list_of_references has {len(list_of_references)} items, but hypotheses has "
            f"{len(hypotheses)}; expected the references of each hypothesis."
        )
    sets = _read_weights(weights)
    name, value = find_method(smoothing_function)
    rules = BleuRules(
        "nltk",
        max(map(len, sets)),
        # Parity: the mean of no orders is 1 if another set has one.
        tuple([one or (0,) for one in sets]),
        name or _TAKEN,
        value,
        "closest",
        auto_reweigh=bool(auto_reweigh),
    )
    scores = _score(list_of_references, hypotheses, rules, None if name else smoothing_function)
    return scores[0] if len(sets) == 1 else scores


def modified_precision(references: Iterable[Tokens], hypothesis: Tokens, n: int) -> Fraction:
    """Return the clipped matches of an order over its n-grams, at least 1; it is not reduced.

    Args:
        references: of one sample.
        hypothesis: tokens.
        n: the order, at least 1.

    Raises:
        KeyError: there is no reference, but the hypothesis has an n-gram.
        TypeError: a token is not hashable, or ``n`` is not an integer. NLTK raises ValueError for
            a float.
        ValueError: ``n`` is below 1. NLTK scores n-grams of order 0.

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
    return Fraction(matches[order - 1], length - order + 1)


def closest_ref_length(references: Sequence[Tokens], hyp_len: int) -> int:
    """Return the length of the closest reference, the shorter one of two.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    choose = prepare_reference_length(BleuRules(reference_length="closest"))
    return int(choose(hyp_len, [len(reference) for reference in references]))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the brevity penalty.

    >>> brevity_penalty(13, 12), brevity_penalty(12, 13)
    (0.9200444146293233, 1)
    """
    # Parity: ints where NLTK computes nothing.
    if hyp_len > closest_ref_len:
        return 1
    return penalise(hyp_len, closest_ref_len, "nltk") if hyp_len else 0


def _read_weights(weights: Any) -> list[Any]:
    """Return the sets of weights."""
    try:
        weights[0][0]
    except (TypeError, IndexError):
        weights = [weights]
    # Parity: auto_reweigh compares a tuple, to which no list is equal.
    return [one if isinstance(one, tuple) else list(one) for one in weights]


def _score(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    rules: BleuRules,
    smoothing_function: Callable[..., Any] | None,
) -> list[Any]:
    """Compute one score per set of weights.

    Args:
        list_of_references: the references of each sample.
        hypotheses: as many.
        rules: with the name of the smoothing.
        smoothing_function: of the caller; None for that of the rules.
    """
    if not rules.max_order:
        return [0] * rules.sets_of_weights
    if not len(hypotheses):
        raise ZeroDivisionError("hypotheses is empty; expected at least one sample.")
    statistics = count_corpus(list_of_references, hypotheses, rules)
    if not statistics.matches[0]:
        # Parity: an int.
        return [0] * rules.sets_of_weights
    precisions: Any
    if smoothing_function is None:
        precisions = _smooth(statistics, rules)
    else:
        pairs = zip(statistics.matches, statistics.denominators, strict=True)
        precisions = smoothing_function(
            [Fraction(match, total) for match, total in pairs],
            # Parity: NLTK hands over the last sample.
            references=list_of_references[-1],
            hypothesis=hypotheses[-1],
            hyp_len=statistics.prediction_length,
        )
        if precisions is None:
            raise TypeError("smoothing_function returned None; expected a precision per order.")
    penalty = penalise(statistics.prediction_length, statistics.reference_length, "nltk")
    return score_statistics(statistics, precisions, penalty, rules, leaves_out_orders=False)


def _smooth(statistics: BleuStatistics, rules: BleuRules) -> list[float]:
    """Smooth the precisions; warn and raise as NLTK does."""
    matches = statistics.matches[: rules.max_order]
    if rules.smooth == "method0":
        warn_of_zeros(matches)
    elif rules.smooth == "method6":
        check_method6(matches)
    precisions = smooth_precisions(statistics, rules, 1.0)
    if precisions is None:
        raise ZeroDivisionError("alpha is 0, and the last hypothesis is too short for method6.")
    return precisions
