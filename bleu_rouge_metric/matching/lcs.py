"""Find which tokens are in the LCS of a prediction and a reference, and which of them count."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..counting.lcs import list_lcs_pairs
from ..counting.weighted_lcs import hit_pairs, list_runs, run_values, take

# A position in the prediction, and one in the reference.
Pair = tuple[int, int]


@dataclass(frozen=True)
class Run:
    """Consecutive hits of ROUGE-W.

    Attributes:
        positions: in the reference, or in its sentence.
        value: f of their number.
    """

    positions: tuple[int, ...]
    value: float


@dataclass(frozen=True)
class Lcs:
    """The LCS of the whole texts.

    If there are several of the same length, it is the one that ``rouge_score`` goes back along.

    Attributes:
        reference: index of the reference.
        pairs: positions of equal tokens, in the prediction and in the reference, ascending.
        runs: of the paper's ``rougeW``: which of them follow each other in both texts.
    """

    reference: int
    pairs: tuple[Pair, ...]
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True)
class SentenceLcs:
    """The LCS of a sentence of the reference with a sentence of the prediction.

    Attributes:
        sentence: index of the sentence of the prediction.
        pairs: positions in that sentence and in the sentence of the reference, ascending.
    """

    sentence: int
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class UnionSentence:
    """The union LCS of one sentence of the reference.

    Attributes:
        sentence: index of the sentence of the reference.
        lcs: its LCS with each sentence of the prediction that has one.
        counted: positions in any of these that count.
        clipped: the other positions: the tokens of the prediction are used up.
        runs: of ``rougeW``: the counted positions that are added together; empty for other types.
            Counted positions that ROUGE-1.5.5 loses are in none.
    """

    sentence: int
    lcs: tuple[SentenceLcs, ...]
    counted: tuple[int, ...]
    clipped: tuple[int, ...]
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class UnionLcs:
    """The union LCS with a reference, sentence by sentence.

    Attributes:
        reference: index of the reference.
        sentences: one for each sentence of the reference.
    """

    reference: int
    sentences: tuple[UnionSentence, ...]


def find_lcs(
    prediction: Sequence[str], reference: Sequence[str], index: int, weight: float | None = None
) -> Lcs:
    """Find the LCS of the forms of two whole texts; ``weight`` is w of the paper's ROUGE-W."""
    values = None if weight is None else run_values(weight)
    pairs = _find_pairs(reference, prediction, values)
    runs: list[list[int]] = []
    before = None
    for here, there in pairs:
        # Source: Lin (2004), section 4: a run is consecutive in both texts.
        if before == (here - 1, there - 1):
            runs[-1].append(there)
        else:
            runs.append([there])
        before = here, there
    return Lcs(index, tuple(pairs), _value_runs(runs, values))


def find_union(
    prediction: Sequence[Sequence[str]],
    reference: Sequence[Sequence[str]],
    clips: Sequence[Sequence[str]],
    weight: float | None,
) -> Iterator[UnionSentence]:
    """Iterate over the union LCS of each sentence of a reference; ``weight`` is w of ROUGE-W.

    Each token counts at most as often as it is in each of ``clips``, the forms of some texts.
    """
    values = None if weight is None else run_values(weight)
    left = [Counter(forms) for forms in clips]
    for index, sentence in enumerate(reference):
        found = [
            SentenceLcs(number, tuple(_find_pairs(sentence, other, values)))
            for number, other in enumerate(prediction)
        ]
        union = sorted({there for lcs in found for _, there in lcs.pairs})
        counted = [position for position in union if take(sentence[position], left)]
        runs = _value_runs(list_runs(counted, set(union)), values)
        clipped = tuple(sorted(set(union) - set(counted)))
        with_pairs = tuple(lcs for lcs in found if lcs.pairs)
        yield UnionSentence(index, with_pairs, tuple(counted), clipped, runs)


def _value_runs(runs: Iterable[Sequence[int]], values: Sequence[float] | None) -> tuple[Run, ...]:
    """Return runs with their values by length; none for the plain LCS."""
    return () if values is None else tuple(Run(tuple(run), values[len(run)]) for run in runs)


def _find_pairs(
    reference: Sequence[str], prediction: Sequence[str], values: Sequence[float] | None
) -> list[Pair]:
    if values is None:
        return list_lcs_pairs(reference, prediction)
    return sorted((here, there) for there, here in hit_pairs(reference, prediction, values).items())
