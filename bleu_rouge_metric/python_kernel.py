"""The Python kernel: every count of BLEU and ROUGE, in plain Python.

It needs no compiler, so it is what a bare ``evaluate.load`` of the Space runs, and it judges the
compiled kernel in the tests: both give the same numbers on every input. Shapes and meanings are
those of ``counts.py``, which chooses between the two.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .inputs import Samples
from .rouge_types import RougePlan
from .sentences import SentenceSplitter, split_newline
from .skip_bigrams import count_skip_bigrams, count_skip_overlap
from .tokenization import SEPARATING_LINES, Tokenizer
from .weighted_lcs import MOST_TOKENS, count_weighted_union, run_values, weighted_lcs

Tokens = Sequence[Hashable]


def count_bleu(
    samples: Samples, max_order: int, tokenize: Tokenizer
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Matches, prediction lengths and reference lengths, as ``counts.BleuCounts`` has them.

    Args:
        samples: predictions with one or more references each.
        max_order: the longest n-gram counted, at least 1.
        tokenize: from a text to its tokens.
    """
    matches: list[int] = []
    prediction_lengths: list[int] = []
    reference_lengths: list[int] = []
    for prediction, references in samples.by_sample():
        tokens = tokenize(prediction)
        reference_tokens = [tokenize(reference) for reference in references]
        matches += count_clipped_matches(tokens, reference_tokens, max_order)
        prediction_lengths.append(len(tokens))
        reference_lengths += map(len, reference_tokens)
    return (
        np.array(matches, dtype=np.int64).reshape(-1, max_order),
        np.array(prediction_lengths, dtype=np.int64),
        np.array(reference_lengths, dtype=np.int64),
    )


def count_rouge(
    samples: Samples, plan: RougePlan, tokenize: Tokenizer, split_sentences: SentenceSplitter
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Hits and totals of every pair of a prediction with one of its references.

    Args:
        samples: predictions with one or more references each.
        plan: what to count.
        tokenize: from a text to its tokens.
        split_sentences: from a text to its non-empty sentences.

    Returns:
        int64, shape (pairs, plan.columns, 3): hits, total of the prediction, total of the
        reference; and float64, shape (pairs, weights, 3): the sum of f over the runs of hits,
        tokens of the prediction, the sum of f over the reference sentences. With ``plan.paper``
        the last array has the weighted LCS and the tokens of both texts. Its hits are -1 where a
        sentence has more tokens than ``MOST_TOKENS``.
    """
    # Fast path: equals tokenizing the whole text as well; a tenth of the time of several lines.
    joins = split_sentences is split_newline and tokenize in SEPARATING_LINES

    def tokenize_text(text: str) -> _Text:
        """Tokens of the text, and those of its sentences where they are wanted."""
        if not plan.needs_sentences:
            return _Text(tokenize(text), [])
        sentences = split_sentences(text)
        if sentences == [text]:
            tokens = tokenize(text)
            return _Text(tokens, [tokens])
        tokenized = [tokenize(sentence) for sentence in sentences]
        return _Text(list(chain.from_iterable(tokenized)) if joins else tokenize(text), tokenized)

    integers: list[int] = []
    weighted: list[float] = []
    for prediction, references in samples.by_sample():
        text = tokenize_text(prediction)
        ngrams_by_order = [list_ngrams(text.tokens, order) for order in plan.orders]
        for reference in references:
            reference_text = tokenize_text(reference)
            for order, ngrams in zip(plan.orders, ngrams_by_order, strict=True):
                reference_ngrams = list_ngrams(reference_text.tokens, order)
                integers.append(count_overlap(ngrams, reference_ngrams))
                integers.append(len(ngrams))
                integers.append(len(reference_ngrams))
            integers += _count_lcs(text, reference_text, plan)
            integers += _count_skip_bigrams(text.tokens, reference_text.tokens, plan)
            for weight in plan.weights:
                weighted += _count_weighted(text, reference_text, weight, paper=plan.paper)
    return (
        np.array(integers, dtype=np.int64).reshape(len(samples.references), plan.columns, 3),
        np.array(weighted, dtype=np.float64).reshape(-1, len(plan.weights), 3)
        if plan.weights
        else np.empty((len(samples.references), 0, 3)),
    )


class _Text(NamedTuple):
    """A text as tokens, and as those of its sentences where they are wanted."""

    tokens: list[str]
    sentences: list[list[str]]


def _count_lcs(prediction: _Text, reference: _Text, plan: RougePlan) -> Iterator[int]:
    """The columns of the LCS and of the union LCS."""
    lcs = None
    if plan.lcs:
        lcs = lcs_length(reference.tokens, prediction.tokens)
        yield from (lcs, len(prediction.tokens), len(reference.tokens))
    if plan.summary:
        is_one_pair = prediction.sentences == [prediction.tokens] and reference.sentences == [
            reference.tokens
        ]
        if lcs is not None and is_one_pair:
            # Fast path: equals count_union_lcs, which is one LCS then; most sentence corpora take
            # it. The tokens are compared since those of a text need not be those of its one
            # sentence: "-\n" at its end is a hyphen of the sentence alone.
            yield lcs
        else:
            clips = not plan.paper
            yield count_union_lcs(reference.sentences, prediction.sentences, clips=clips)
        yield sum(map(len, prediction.sentences))
        yield sum(map(len, reference.sentences))


def _count_skip_bigrams(prediction: Tokens, reference: Tokens, plan: RougePlan) -> Iterator[int]:
    """The columns of the skip-bigrams, and of the unigrams that go with them."""
    for reach in plan.reaches:
        yield count_skip_overlap(prediction, reference, reach)
        yield count_skip_bigrams(len(prediction), reach)
        yield count_skip_bigrams(len(reference), reach)
    if plan.heads:
        yield count_overlap(prediction[:-1], reference[:-1])
        yield len(prediction[:-1])
        yield len(reference[:-1])


def _count_weighted(
    prediction: _Text, reference: _Text, weight: float, *, paper: bool
) -> tuple[float, float, float]:
    """The three numbers of one weight."""
    sentences = [prediction.tokens] if paper else prediction.sentences
    reference_sentences = [reference.tokens] if paper else reference.sentences
    if max(map(len, chain(sentences, reference_sentences)), default=0) > MOST_TOKENS:
        return -1.0, 0.0, 0.0
    values = run_values(weight)
    tokens = float(sum(map(len, sentences)))
    if paper:
        wlcs = weighted_lcs(reference.tokens, prediction.tokens, values)
        return wlcs, tokens, float(len(reference.tokens))
    hits, base = count_weighted_union(reference_sentences, sentences, values)
    return hits, tokens, base


def list_ngrams(tokens: Tokens, order: int) -> Tokens:
    """All n-grams of the tokens, in order; the tokens themselves where ``order`` is 1.

    >>> list_ngrams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    if order == 1:
        return tokens
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def count_overlap(prediction: Tokens, reference: Tokens) -> int:
    """Size of the intersection of two multisets.

    >>> count_overlap(["the", "the", "cat"], ["the", "cat", "cat"])
    2
    """
    remaining: dict[Hashable, int] = {}
    for item in reference:
        remaining[item] = remaining.get(item, 0) + 1
    return _take(prediction, remaining)


def _take(items: Iterable[Hashable], remaining: dict[Hashable, int]) -> int:
    """How many of the items can be taken from what remains; takes them."""
    taken = 0
    for item in items:
        count = remaining.get(item)
        if count:
            taken += 1
            remaining[item] = count - 1
    return taken


def count_clipped_matches(
    prediction: Tokens, references: Sequence[Tokens], max_order: int
) -> list[int]:
    """N-gram matches of BLEU for orders 1 to ``max_order``.

    An n-gram of the prediction matches at most as often as it occurs in the one reference that
    has it most often.

    >>> count_clipped_matches("the the the".split(), ["the cat".split(), "the the".split()], 2)
    [2, 1]
    """
    matches: list[int] = []
    for order in range(1, max_order + 1):
        limits: dict[Hashable, int] = {}
        for reference in references:
            counts: dict[Hashable, int] = {}
            for ngram in list_ngrams(reference, order):
                counts[ngram] = counts.get(ngram, 0) + 1
            if limits:
                for ngram, count in counts.items():
                    if count > limits.get(ngram, 0):
                        limits[ngram] = count
            else:
                limits = counts
        matches.append(_take(list_ngrams(prediction, order), limits))
        if not matches[-1]:
            # No match of this order, so none of a longer one.
            matches += [0] * (max_order - order)
            break
    return matches


def lcs_length(reference: Tokens, prediction: Tokens) -> int:
    """Length of the longest common subsequence of two token sequences.

    Returns:
        An int in ``[0, min(len(reference), len(prediction))]``.

    >>> lcs_length("a b c d".split(), "b d c".split())
    2
    """
    # Source: Hyyrö (2004), "Bit-Parallel LCS-length Computation Revisited". Bit i of ``row`` is 0
    # exactly when reference[: i + 1] has a longer LCS with the prediction read so far than
    # reference[:i] has; the answer is the number of zeros.
    # Fast path: only tokens of both texts can match, so the others get no bit and no step.
    common = set(prediction)
    positions, full = _locate([token for token in reference if token in common])
    row = full
    for matches in map(positions.get, prediction):
        if matches:
            taken = row & matches
            row = (row + taken) | (row - taken)
    return (~row & full).bit_count()


def _locate(tokens: Tokens) -> tuple[dict[Hashable, int], int]:
    """For each token the bit mask of its positions, and the mask of all positions."""
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
    """Hits of summary-level ROUGE-L (``rougeLsum``).

    For each reference sentence, the tokens that are in its LCS with any prediction sentence; each
    token counts at most as often as it occurs in the whole prediction, unless ``clips`` is False.

    >>> count_union_lcs(["w1 w2 w3 w4 w5".split()], ["w1 w2 w6 w7 w8".split(),
    ...                                              "w1 w3 w8 w9 w5".split()])
    4
    """
    # Source: Lin (2004), section 3.2, the union LCS.
    # Parity: clipping is not in the paper; ROUGE-1.5.5 and rouge_score._summary_level_lcs do
    # it. They clip by the counts of the reference too, which never bind: a reference position is
    # in one sentence and counts once.
    union: list[Hashable] = []
    # A sentence that a model repeats adds nothing to the union.
    distinct = list(dict.fromkeys(map(tuple, prediction_sentences)))
    for reference in reference_sentences:
        positions, full = _locate(reference)
        hits = 0
        for prediction in distinct:
            hits |= _lcs_positions(positions, full, prediction)
        while hits:
            lowest = hits & -hits
            union.append(reference[lowest.bit_length() - 1])
            hits ^= lowest
    if not clips:
        return len(union)
    return count_overlap(union, list(chain.from_iterable(prediction_sentences)))


def _lcs_positions(positions: dict[Hashable, int], full: int, prediction: Tokens) -> int:
    """Which reference positions are in the LCS that rouge_score's tie-breaking picks, as bits.

    Args:
        positions: for each token of the reference the bit mask of its positions.
        full: the mask of all positions.
        prediction: tokens of one prediction sentence.
    """
    # The rows of lcs_length, one per token of the prediction that the reference has too. Tokens
    # that it has not leave the row as it is; one step without matches stands for a run of them.
    steps: list[tuple[int, int]] = []
    row = full
    for matches in map(positions.get, prediction):
        if matches:
            taken = row & matches
            row = (row + taken) | (row - taken)
            steps.append((matches, row))
        elif steps and steps[-1][0]:
            steps.append((0, row))

    # Parity: rouge_score._backtrack_norec. From cell (i, j) of the LCS table t: take an equal pair
    # of tokens; else go back in the prediction if t[i][j - 1] > t[i - 1][j], that is if bit i - 1
    # of row j is 0; else go back in the reference. The highest bit below i where one of the first
    # two applies is where going back in the reference stops.
    hits = 0
    below = full
    for matches, row in reversed(steps):
        stops = (matches | ~row) & below
        if not stops:
            break
        bit = 1 << (stops.bit_length() - 1)
        if matches & bit:
            hits |= bit
            below = bit - 1
        else:
            below = (bit << 1) - 1
    return hits
