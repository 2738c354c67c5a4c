"""LCS in Python: compute its length and the matched tokens, with one bit per table cell."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain

from .ngrams import Tokens, count_overlap


def lcs_length(reference: Tokens, prediction: Tokens) -> int:
    """Compute the length of the longest common subsequence of two token sequences.

    >>> lcs_length("a b c d".split(), "b d c".split())
    2
    """
    # Source: Hyyrö (2004), "Bit-Parallel LCS-length Computation Revisited". Bit i of ``row`` is 0
    # exactly when reference[: i + 1] has a longer LCS with the prediction read so far than
    # reference[:i] has; the answer is the number of zeros.
    # Fast path: only tokens that both texts have can match, so other tokens get no bit and no step.
    # And a text is its own LCS, which takes linear time.
    if reference == prediction:
        return len(reference)
    common = set(prediction)
    positions, full = _locate([token for token in reference if token in common])
    row = full
    for matches in map(positions.get, prediction):
        if matches:
            taken = row & matches
            row = (row + taken) | (row - taken)
    return (~row & full).bit_count()


def _locate(tokens: Tokens) -> tuple[dict[Hashable, int], int]:
    """Return for each token the bit mask of its positions, and the mask of all positions."""
    positions: dict[Hashable, int] = {}
    bit = 1
    for token in tokens:
        positions[token] = positions.get(token, 0) | bit
        bit <<= 1
    return positions, bit - 1


def count_union_lcs(
    reference_sentences: Sequence[Tokens],
    prediction_sentences: Sequence[Tokens],
    *,
    clips: bool = True,
) -> int:
    """Count the hits of summary-level ROUGE-L (``rougeLsum``).

    The hits of a reference sentence are its tokens that are in its LCS with any prediction
    sentence. Each token counts at most as often as it occurs in the whole prediction, unless
    ``clips`` is False.

    >>> count_union_lcs(["w1 w2 w3 w4 w5".split()], ["w1 w2 w6 w7 w8".split(),
    ...                                              "w1 w3 w8 w9 w5".split()])
    4
    """
    # Source: Lin (2004), section 3.2, the union LCS.
    # Parity: clipping is not in the paper; ROUGE-1.5.5 and rouge_score._summary_level_lcs do
    # it. They also clip by the counts of the reference, which has no effect: each position of the
    # reference counts at most once.
    # Fast path: equal texts have all of their tokens in common.
    if reference_sentences == prediction_sentences:
        return sum(map(len, reference_sentences))
    union: list[Hashable] = []
    # A repeated prediction sentence adds nothing to the union.
    distinct = list(dict.fromkeys(map(tuple, prediction_sentences)))
    # Fast path: equals a loop over all reference sentences, because equal ones have equal hits. Two
    # texts of 20,000 equal lines take 0.2 s instead of 0.8.
    for reference, times in Counter(map(tuple, reference_sentences)).items():
        positions, full = _locate(reference)
        hits = 0
        for prediction in distinct:
            hits |= _lcs_positions(positions, full, prediction)
        while hits:
            lowest = hits & -hits
            union += [reference[lowest.bit_length() - 1]] * times
            hits ^= lowest
    if not clips:
        # Source: Lin (2004), equations 5 and 6: the hits of the reference sentences are summed, so
        # a token of the prediction may count once for each of them. The sum may exceed the length
        # of the prediction, so the precision may be above 1.
        return len(union)
    return count_overlap(union, list(chain.from_iterable(prediction_sentences)))


def count_pair_words(
    reference_sentences: Sequence[Tokens], prediction_sentences: Sequence[Tokens]
) -> int:
    """Count the distinct words of one LCS of each reference with each prediction sentence.

    >>> count_pair_words([["a"], ["b"]], [["b", "a"]])
    2
    """
    # Parity: of several LCS, rouge 1.0.1 chooses by _recon_lcs: from the ends, an equal pair of
    # words; else the reference goes back if its cell of the LCS table is greater, and else the
    # prediction. This is the choice of rouge_score with the roles of the two texts exchanged.
    words: set[Hashable] = set()
    referred = list(dict.fromkeys(map(tuple, reference_sentences)))
    for prediction in dict.fromkeys(map(tuple, prediction_sentences)):
        positions, full = _locate(prediction)
        hits = 0
        for reference in referred:
            hits |= _lcs_positions(positions, full, reference)
        words.update(word for place, word in enumerate(prediction) if hits >> place & 1)
    return len(words)


def sum_pair_lcs(
    reference_sentences: Sequence[Tokens], prediction_sentences: Sequence[Tokens]
) -> int:
    """Sum the lengths of the LCS of each reference with each prediction sentence.

    >>> sum_pair_lcs([["a"], ["a"]], [["a"], ["a"]])
    4
    """
    predicted = Counter(map(tuple, prediction_sentences)).items()
    referred = Counter(map(tuple, reference_sentences)).items()
    return sum(
        lcs_length(reference, prediction) * times * others
        for prediction, times in predicted
        for reference, others in referred
    )


def _lcs_positions(positions: dict[Hashable, int], full: int, prediction: Tokens) -> int:
    """Return the reference positions of the LCS that rouge_score's tie-breaking picks, as bits."""
    return sum(_walk_back(_list_steps(positions, full, prediction), full))


def list_lcs_pairs(reference: Tokens, prediction: Tokens) -> list[tuple[int, int]]:
    """List the pairs of tokens of the LCS that rouge_score's tie-breaking picks.

    Returns:
        The position in the prediction and that in the reference of each pair, ascending.

    >>> list_lcs_pairs("a b a".split(), "b a b".split())
    [(1, 0), (2, 1)]
    """
    positions, full = _locate(reference)
    # The position in the prediction of each step that is not left out.
    places: list[int] = []
    for place, token in enumerate(prediction):
        if token in positions or (places and prediction[places[-1]] in positions):
            places.append(place)
    bits = _walk_back(_list_steps(positions, full, prediction), full)
    pairs = [
        (place, bit.bit_length() - 1)
        for place, bit in zip(reversed(places), bits, strict=False)
        if bit
    ]
    return pairs[::-1]


def _list_steps(
    positions: dict[Hashable, int], full: int, prediction: Tokens
) -> list[tuple[int, int]]:
    """List the rows of ``lcs_length``, with the positions that are equal to the row's token.

    A row stands for each token of the prediction that the reference has too. Other tokens do not
    change the row; one step without positions represents a run of them.
    """
    steps: list[tuple[int, int]] = []
    row = full
    for matches in map(positions.get, prediction):
        if matches:
            taken = row & matches
            row = (row + taken) | (row - taken)
            steps.append((matches, row))
        elif steps and steps[-1][0]:
            steps.append((0, row))
    return steps


def _walk_back(steps: Sequence[tuple[int, int]], full: int) -> list[int]:
    """Return for each step, from the last one, the bit of the reference position; 0 for none.

    The first steps are left out if no position remains for them.
    """
    # Parity: rouge_score._backtrack_norec. From cell (i, j) of the LCS table t: take an equal pair
    # of tokens; else go back in the prediction if t[i][j - 1] > t[i - 1][j], that is if bit i - 1
    # of row j is 0; else go back in the reference. Going back in the reference stops at the highest
    # bit below i for which one of the first two cases applies.
    bits: list[int] = []
    below = full
    for matches, row in reversed(steps):
        stops = (matches | ~row) & below
        if not stops:
            break
        bit = 1 << (stops.bit_length() - 1)
        if matches & bit:
            bits.append(bit)
            below = bit - 1
        else:
            bits.append(0)
            below = (bit << 1) - 1
    return bits
