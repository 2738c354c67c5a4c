"""Match the n-grams and skip-bigrams of a prediction with those of its references."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ..counting.ngrams import count_skip_bigrams

# Positions of the tokens of one n-gram, or of the two of a skip-bigram.
Positions = tuple[int, ...]

Kind = Literal["n-grams", "skip-bigrams"]

# Where each n-gram of a text is, in order.
Occurrences = dict[tuple[str, ...], list[Positions]]

# A text with more skip-bigrams is not explained: their list would take seconds and much memory.
MOST_SKIP_BIGRAMS: Final = 200_000


@dataclass(frozen=True)
class Match:
    """An n-gram that the prediction and a reference have.

    Attributes:
        forms: its tokens, as they are compared.
        reference: index of the reference whose count clips it: in BLEU the first of those that have
            it most often.
        counted: where it is in the prediction, as often as it counts.
        clipped: where else it is in the prediction: more often than in the reference.
        reference_counted: where it is in the reference, as often as it counts.
        reference_clipped: where else it is in the reference: more often than in the prediction.
    """

    forms: tuple[str, ...]
    reference: int
    counted: tuple[Positions, ...]
    clipped: tuple[Positions, ...]
    reference_counted: tuple[Positions, ...]
    reference_clipped: tuple[Positions, ...]


@dataclass(frozen=True)
class Unmatched:
    """An n-gram that only one side has.

    Attributes:
        forms: its tokens, as they are compared.
        reference: index of the reference that has it; None for an n-gram of the prediction.
        positions: where it is.
    """

    forms: tuple[str, ...]
    reference: int | None
    positions: tuple[Positions, ...]


@dataclass(frozen=True)
class Matches:
    """The n-grams of one order, or the skip-bigrams, of a prediction and of references.

    Attributes:
        kind: ``n-grams`` or ``skip-bigrams``.
        order: n of the n-grams; 2 for skip-bigrams.
        reference: index of the one reference; None for BLEU, which clips by all of them.
        hits: how many count.
        total: how many the prediction has.
        reference_totals: how many each of the references has.
        matched: what both sides have.
        missed: what a reference has and the prediction has not.
        novel: what the prediction has and no reference has.
    """

    kind: Kind
    order: int
    reference: int | None
    hits: int
    total: int
    reference_totals: tuple[int, ...]
    matched: tuple[Match, ...]
    missed: tuple[Unmatched, ...]
    novel: tuple[Unmatched, ...]


def find_ngrams(forms: Sequence[str], order: int) -> Occurrences:
    """Return where each n-gram is."""
    places = (tuple(range(start, start + order)) for start in range(len(forms) - order + 1))
    return _group(forms, places)


def find_skip_bigrams(forms: Sequence[str], distance: int, name: str) -> Occurrences:
    """Return where each skip-bigram is; raise ValueError, with ``name``, if there are too many."""
    count = count_skip_bigrams(len(forms), distance)
    if count > MOST_SKIP_BIGRAMS:
        raise ValueError(
            f"{name} has {count:,} skip-bigrams; explain lists at most {MOST_SKIP_BIGRAMS:,}. Use "
            "a type with a gap, such as 'rougeSU4', or explain a part of the text."
        )
    return _group(
        forms,
        (
            (first, second)
            for first in range(len(forms))
            for second in range(first + 1, min(first + distance + 1, len(forms)))
        ),
    )


def _group(forms: Sequence[str], places: Iterator[Positions]) -> Occurrences:
    found: Occurrences = {}
    for positions in places:
        found.setdefault(tuple(forms[position] for position in positions), []).append(positions)
    return found


def match_occurrences(
    kind: Kind,
    order: int,
    prediction: Occurrences,
    references: Mapping[int, Occurrences],
    *,
    together: bool = False,
) -> Matches:
    """Match what a prediction has with what one reference has, or several that clip together."""
    matched: list[Match] = []
    novel: list[Unmatched] = []
    for forms, places in prediction.items():
        # The first one, if several references have it most often.
        reference = max(references, key=lambda index: len(references[index].get(forms, ())))
        others = references[reference].get(forms, [])
        if not others:
            novel.append(Unmatched(forms, None, tuple(places)))
            continue
        count = min(len(places), len(others))
        parts = places[:count], places[count:], others[:count], others[count:]
        matched.append(Match(forms, reference, *map(tuple, parts)))
    missed = [
        Unmatched(forms, index, tuple(places))
        for index, occurrences in references.items()
        for forms, places in occurrences.items()
        if forms not in prediction
    ]
    return Matches(
        kind=kind,
        order=order,
        reference=None if together else next(iter(references)),
        hits=sum(len(match.counted) for match in matched),
        total=_count(prediction),
        reference_totals=tuple(map(_count, references.values())),
        matched=tuple(matched),
        missed=tuple(missed),
        novel=tuple(novel),
    )


def match_ngrams(
    prediction: Sequence[str], reference: Sequence[str], index: int, order: int
) -> Matches:
    """Match the n-grams of a prediction with those of the reference of an index."""
    ngrams = find_ngrams(prediction, order)
    return match_occurrences("n-grams", order, ngrams, {index: find_ngrams(reference, order)})


def match_together(
    prediction: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> tuple[Matches, ...]:
    """Match the n-grams of each order with those of all references, which clip together."""
    return tuple(
        match_occurrences(
            "n-grams",
            order,
            find_ngrams(prediction, order),
            {index: find_ngrams(forms, order) for index, forms in enumerate(references)},
            together=True,
        )
        for order in range(1, max_order + 1)
    )


def _count(occurrences: Occurrences) -> int:
    return sum(map(len, occurrences.values()))
