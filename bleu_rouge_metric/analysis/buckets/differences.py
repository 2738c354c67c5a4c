"""List the n-grams that one system gets right and another does not.

compare-mt (Neubig et al. 2019) orders n-grams by a smoothed share, (a + 1) / (a + b + 2), where a
and b are how often the two systems have them right. So do these lists; they add an interval of the
difference a - b, from the bootstrap of samples.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...checks import check_choice, check_range
from ...options.options import Options
from ...options.profiles import check_family
from ...options.relevance import ONE_NUMBER, check_known, refuse_options
from ...options.table import option_names
from ...resampling.draws import Floats, bootstrap_weights, sum_columns
from ...resampling.student import standard_errors, student_quantile
from ...schema.checks import check_confidence, check_resamples, choose_seed
from ..systems import choose_system
from .ngrams import (
    Ngram,
    Ngrams,
    check_texts,
    first_counting,
    hold,
    hold_systems,
    list_sample_ngrams,
)
from .results import NgramDifference, NgramDifferences

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family

NGRAM_KINDS: Final = ("matched", "novel", "missed")

_MOST: Final = 1_000


def ngram_differences(
    systems: Mapping[str, Any],
    references: object,
    *,
    system: str | None = None,
    baseline: str | None = None,
    kind: str = "matched",
    lowest_order: int = 1,
    limit: int = 10,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int | None = 12345,
    family: "Family | None" = None,
    **options: "Unpack[ComparedKeywords]",
) -> NgramDifferences:
    """List the n-grams that a system has right more often than the baseline, and less often.

    Words are those of the tokenizer of BLEU, or of ``family``. An n-gram is right as often as it
    matches: at most as often as it occurs in the reference that has it most often.

    Args:
        systems: mapping of names to predictions, two or more.
        references: one item per sample, a str or a sequence of str.
        system: whose n-grams are compared with those of the baseline; None for the only other one.
        baseline: None for the first.
        kind: ``matched``, ``novel`` (n-grams of a prediction that the references do not have, or
            not as often) or ``missed`` (n-grams of the references that a prediction does not have,
            or not as often).
        lowest_order: of the n-grams, from 1 to the ``max_order`` of BLEU, which is the highest.
        limit: how many n-grams each list has at most, from 1 to 1,000.
        n_resamples: of the bootstrap, from 1 to 1,000,000.
        confidence: of the intervals, above 0 and below 1. The n-grams are chosen because they
            differ most, so that their differences are larger than on other samples: the intervals
            do not correct that.
        seed: from 0 to 2 ** 32 - 1; None to draw one.
        family: ``bleu`` or ``rouge``, whose tokenizer finds words.
        **options: of ``metric.compute``, such as ``tokenizer``, ``lowercase`` and ``max_order``.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, the system is unknown or not named, or systems and
            references do not fit together.

    >>> systems = {"A": ["a cat", "the cat"], "B": ["a dog", "the dog"]}
    >>> found = ngram_differences(systems, ["a dog", "the dog"], max_order=1)
    >>> [(row.ngram, row.system, row.baseline, row.reference) for row in found.more], found.less
    ([(('dog',), 2, 0, 2)], ())
    """
    check_choice("kind", kind, NGRAM_KINDS)
    check_range("limit", limit, 1, _MOST)
    check_resamples("n_resamples", n_resamples)
    level = float(check_confidence("confidence", confidence))
    drawn = choose_seed(seed)
    held = hold_systems(systems, baseline)
    base, system = next(iter(held)), choose_system(list(held), system)
    check_known(options)
    refuse_options(options, option_names("output"), "ngram_differences", ONE_NUMBER)
    families = check_family(family)
    checked = Options.from_keywords(options, families)
    check_range("lowest_order", lowest_order, 1, checked.max_order)
    samples = check_texts({name: held[name] for name in (base, system)}, hold(references))
    counting = first_counting(checked, families)
    orders = range(lowest_order, checked.max_order + 1)

    def read(name: str, what: str) -> Iterator[Ngrams]:
        """Iterate over the n-grams of a kind of each sample."""
        return (getattr(one, what) for one in list_sample_ngrams(samples[name], counting, orders))

    ours, theirs = _sum(read(system, kind)), _sum(read(base, kind))
    more, less = _list_more(ours, theirs)[:limit], _list_more(theirs, ours)[:limit]
    listed = [*more, *less]
    # Kept texts are smaller than kept n-grams, so that these are counted again.
    differences = _tabulate(read(system, kind), listed) - _tabulate(read(base, kind), listed)
    margins = _find_margins(differences, n_resamples, level, drawn)
    totals = _sum(read(base, "reference"))
    rows = [
        NgramDifference.of(ngram, [counts[ngram] for counts in (ours, theirs, totals)], margin)
        for ngram, margin in zip(listed, margins, strict=True)
    ]
    return NgramDifferences(
        system=system,
        baseline=base,
        kind=kind,
        more=tuple(rows[: len(more)]),
        less=tuple(rows[len(more) :]),
        n_samples=len(differences),
        n_resamples=n_resamples,
        confidence=level,
        seed=drawn,
    )


def _sum(counts: Iterator[Ngrams]) -> Ngrams:
    """Sum the counts of all samples."""
    total: Ngrams = Counter()
    for one in counts:
        total.update(one)
    return total


def _list_more(ours: Ngrams, theirs: Ngrams) -> list[Ngram]:
    """List the n-grams of which the first counts are higher, by the smoothed share of these.

    Of equal shares, the larger difference comes first, then the alphabet decides.
    """

    def key(ngram: Ngram) -> tuple[float, int, Ngram]:
        mine, other = ours[ngram], theirs[ngram]
        # Source: compare-mt 0.2.10, stat_utils.extract_salient_features, with alpha = 1.
        return -(mine + 1) / (mine + other + 2), other - mine, ngram

    return sorted((ngram for ngram in ours if ours[ngram] > theirs[ngram]), key=key)


def _tabulate(counts: Iterator[Ngrams], ngrams: Sequence[Ngram]) -> NDArray[np.int64]:
    """Return how often each sample has each of some n-grams, shape (samples, n-grams)."""
    places = {ngram: place for place, ngram in enumerate(ngrams)}
    rows = []
    for one in counts:
        row = [0] * len(ngrams)
        for ngram in one.keys() & places.keys():
            row[places[ngram]] = one[ngram]
        rows.append(row)
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(ngrams))


def _find_margins(
    differences: NDArray[np.int64], n_resamples: int, confidence: float, seed: int
) -> list[float | None]:
    """Return half of the width of the interval of each sum; None if it cannot be resampled.

    Args:
        differences: of each sample, shape (samples, n-grams).
        n_resamples: how many.
        confidence: of the intervals.
        seed: of the random stream.
    """
    samples, ngrams = differences.shape
    if samples < 2 or n_resamples < 2 or not ngrams:
        return [None] * ngrams
    blocks = bootstrap_weights(samples, n_resamples, seed)
    resampled: Floats = np.concatenate([sum_columns(block, [differences]) for block in blocks])
    margins = standard_errors(resampled.T, samples)
    margins *= student_quantile((1 + confidence) / 2, samples - 1)
    found: list[float | None] = margins.tolist()
    return found
