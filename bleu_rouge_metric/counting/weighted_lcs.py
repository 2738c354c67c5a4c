"""Weighted LCS in Python, for ROUGE-W: the only count that is not an integer.

A run of k consecutive matches counts f(k) = k ** w. So if two common subsequences have the same
length, the one with the longer runs counts more (Lin 2004, section 4). The compiled kernel does the
same operations on the same doubles in the same order.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from .ngrams import Tokens

# The most tokens of a sentence; a longer sentence would take minutes in Python.
MOST_TOKENS: Final = 65_535

# How many rows of moves are in memory at once; a row has a byte per token of the prediction.
_BLOCK: Final = 1024

# These replace tokens that the other sentence does not have. They are equal neither to a token nor
# to each other.
_NO_ROW: Final = object()
_NO_COLUMN: Final = object()

# By column: the score, and the length of the run of matches that ends there. The first column comes
# before the first token.
_Row = tuple[list[float], list[int]]

_UP, _LEFT, _MATCH = range(3)


@lru_cache(maxsize=16)
def run_values(weight: float) -> tuple[float, ...]:
    """Return f(0) to f(65535), the values of runs of consecutive matches.

    >>> run_values(2.0)[:4]
    (0.0, 1.0, 4.0, 9.0)
    """
    # Both kernels use this table, because another power function may differ in the last digit.
    return tuple(float(length) ** weight for length in range(MOST_TOKENS + 1))


def weighted_lcs(reference: Tokens, prediction: Tokens, values: Sequence[float]) -> float:
    """Compute the weighted LCS of two token sequences.

    Args:
        reference: tokens.
        prediction: tokens.
        values: f(0), f(1) and so on, at least up to f of the shorter length.

    Returns:
        A float in ``[0, f(min(len(reference), len(prediction)))]``, except for rounding.

    >>> weighted_lcs("a b c d x".split(), "a b c d y".split(), run_values(2.0))
    16.0
    >>> weighted_lcs("a x b y c d".split(), "a b c d".split(), run_values(2.0))
    6.0
    """
    rows = _tokens_at(_collapse(reference, prediction), reference, _NO_COLUMN)
    columns = _tokens_at(_collapse(prediction, reference), prediction, _NO_ROW)
    row = _first_row(columns)
    for start in range(0, len(rows), _BLOCK):
        row, _ = _fill(row, rows[start : start + _BLOCK], columns, values)
    return row[0][-1]


def count_weighted_union(
    reference_sentences: Sequence[Tokens],
    prediction_sentences: Sequence[Tokens],
    values: Sequence[float],
) -> tuple[float, float]:
    """Count the hits and the base of summary-level ROUGE-W as ROUGE-1.5.5 does.

    Args:
        reference_sentences: tokens by sentence.
        prediction_sentences: tokens by sentence.
        values: f(0), f(1) and so on, at least up to f of the longest sentence's length.

    >>> count_weighted_union(["a b c".split()], ["a b".split(), "c".split()], run_values(2.0))
    (9.0, 9.0)
    """
    left = Counter(chain.from_iterable(prediction_sentences))
    # A repeated prediction sentence adds nothing to the union.
    distinct = list(dict.fromkeys(map(tuple, prediction_sentences)))
    hits = base = 0.0
    for reference in reference_sentences:
        base += values[len(reference)]
        union: set[int] = set()
        for prediction in distinct:
            union.update(hit_pairs(reference, prediction, values))
        counted = [position for position in sorted(union) if take(reference[position], [left])]
        for run in list_runs(counted, union):
            hits += values[len(run)]
    return hits, base


def take(token: Hashable, left: Sequence[Counter[Any]]) -> bool:
    """Return whether a hit counts; then there is one less of its token in each text that clips.

    Args:
        token: of the hit.
        left: how often each token is left in each text that clips the hits.
    """
    if not all(tokens[token] for tokens in left):
        return False
    for tokens in left:
        tokens[token] -= 1
    return True


def list_runs(counted: Sequence[int], union: Collection[int]) -> Iterator[list[int]]:
    """Iterate over the runs of hits in a reference sentence that ROUGE-1.5.5 adds.

    Args:
        counted: positions of the hits that are not clipped, in order.
        union: positions of all hits.

    >>> list(list_runs([0, 1, 4], {0, 1, 3, 4, 5}))
    [[0, 1]]
    """
    # Parity: ROUGE-1.5.5 clips by the remaining tokens of the prediction, and adds a run when its
    # last token is counted. If the last token is clipped, the run goes on with the next hit of the
    # sentence; if there is none, the run is lost.
    run: list[int] = []
    for position in counted:
        run.append(position)
        if position + 1 not in union:
            yield run
            run = []


def hit_pairs(reference: Tokens, prediction: Tokens, values: Sequence[float]) -> dict[int, int]:
    """Return the pairs of the weighted LCS that ROUGE-1.5.5's tie-breaking picks."""
    positions = _collapse(reference, prediction)
    other_positions = _collapse(prediction, reference)
    rows = _tokens_at(positions, reference, _NO_COLUMN)
    columns = _tokens_at(other_positions, prediction, _NO_ROW)
    starts = range(0, len(rows), _BLOCK)
    kept = [_first_row(columns)]
    for start in starts[:-1]:
        kept.append(_fill(kept[-1], rows[start : start + _BLOCK], columns, values)[0])
    hits: dict[int, int] = {}
    column = len(columns)
    for start in reversed(starts):
        # The moves of a block are computed again here, to save memory.
        _, moves = _fill(kept.pop(), rows[start : start + _BLOCK], columns, values)
        row = len(moves)
        while row and column:
            move = moves[row - 1][column]
            row -= move != _LEFT
            column -= move != _UP
            if move == _MATCH:
                hits[positions[start + row]] = other_positions[column]
    return hits


def _collapse(tokens: Tokens, other: Tokens) -> list[int]:
    """Return the positions of tokens that the other sentence has; -1 for each run of others."""
    # Fast path: equals a row, or column, for each token. After a row without a match, a second one
    # changes neither the scores nor the way back, so a run of them needs only one. A CNN/DailyMail
    # pair takes 162 µs instead of 284.
    known = set(other)
    positions: list[int] = []
    for position, token in enumerate(tokens):
        if token in known:
            positions.append(position)
        elif not positions or positions[-1] >= 0:
            positions.append(-1)
    return positions


def _tokens_at(positions: Sequence[int], tokens: Tokens, mark: object) -> list[Hashable]:
    """Return the tokens at the positions, and the mark for -1."""
    return [tokens[position] if position >= 0 else mark for position in positions]


def _first_row(columns: list[Hashable]) -> _Row:
    return [0.0] * (len(columns) + 1), [0] * (len(columns) + 1)


def _fill(
    row: _Row, tokens: list[Hashable], columns: list[Hashable], values: Sequence[float]
) -> tuple[_Row, list[bytearray]]:
    """Fill the rows after a row; return the last one, and for each the moves to its cells."""
    # Source: Lin (2004), section 4, the dynamic program of WLCS.
    scores, runs = row
    moves: list[bytearray] = []
    for token in tokens:
        above, runs_above = scores, runs
        scores, runs = [0.0] * len(above), [0] * len(above)
        row_moves = bytearray(len(above))
        before = 0.0
        for column, other in enumerate(columns, 1):
            if token == other:
                run = runs_above[column - 1]
                # The order of these operations decides which of two equal paths is chosen.
                before = above[column - 1] + values[run + 1] - values[run]
                runs[column] = run + 1
                row_moves[column] = _MATCH
            elif above[column] >= before:
                # Parity: ROUGE-1.5.5 goes up if both are equal; so does rouge_score's LCS.
                before = above[column]
            else:
                row_moves[column] = _LEFT
            scores[column] = before
        moves.append(row_moves)
    return (scores, runs), moves
