"""The Python kernel: every count of BLEU and ROUGE, in plain Python.

It needs no compiler, so ``evaluate.load`` of the Space runs it if nothing is installed. The tests
compare the compiled kernel with it: both give the same numbers on every input. ``kernels.py``
chooses between the two, and documents the shapes of the counts.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer
from .lcs import count_pair_words, count_union_lcs, lcs_length, sum_pair_lcs
from .ngrams import (
    Tokens,
    count_clipped_matches,
    count_distinct,
    count_overlap,
    count_shared,
    count_skip_bigrams,
    count_skip_overlap,
    list_ngrams,
)
from .pools import Batch, Ints, Nearest, Pool, PoolPairs, ScoreTable
from .rouge_types import CountPlan
from .weighted_lcs import MOST_TOKENS, count_weighted_union, run_values, weighted_lcs

# Number of candidates that an index counts together, as in ``nearest.hpp``.
_TOGETHER: Final = 16


def count(
    samples: Batch, plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Count hits and totals of every pair of a prediction with one of its references.

    Args:
        samples: predictions with one or more references each, or pairs of a pool.
        plan: what to count.
        tokenizer: from a text to its tokens.
        split_sentences: from a text to its non-empty sentences.

    Returns:
        int64, shape (pairs, plan.columns, 3): hits, total of the prediction, total of the
        reference; and float64, shape (pairs, weights, 3): the sum of f over the runs of hits,
        tokens of the prediction, the sum of f over the reference sentences. With ``plan.lin2004``
        the second array has the weighted LCS and the tokens of both texts. Its hits are -1 if a
        sentence has more tokens than ``MOST_TOKENS``.
    """
    # Fast path: joining the tokens of the lines equals tokenizing the whole text, in a tenth of the
    # time for a text of several lines.
    joins = split_sentences.takes_lines and tokenizer.keeps_lines
    tokenize, split = tokenizer.function, split_sentences.function
    is_same = tokenizer.of_sentences is None
    tokenize_sentence = (tokenizer.of_sentences or tokenizer).function

    def tokenize_text(text: str) -> _Text:
        """Tokenize the text and, if the plan needs them, its sentences."""
        if not plan.needs_sentences:
            return _Text(tokenize(text), [])
        sentences = split(text)
        if is_same and sentences == [text]:
            tokens = tokenize(text)
            return _Text(tokens, [tokens])
        tokenized = [tokenize_sentence(sentence) for sentence in sentences]
        return _Text(list(chain.from_iterable(tokenized)) if joins else tokenize(text), tokenized)

    integers: list[int] = []
    weighted: list[float] = []
    for prediction, references in samples.by_sample():
        text, others = tokenize_text(prediction), [*map(tokenize_text, references)]
        ngrams = _count_ngrams(text.tokens, [other.tokens for other in others], plan)
        for other, columns in zip(others, ngrams, strict=True):
            integers += columns
            integers += _count_lcs(text, other, plan)
            integers += _count_skip_bigrams(text.tokens, other.tokens, plan)
            if plan.pairs:
                integers += _count_pairs(text.sentences, other.sentences, plan)
            for weight in plan.weights:
                weighted += _count_weighted(text, other, weight, lin2004=plan.lin2004)
    return (
        np.array(integers, dtype=np.int64).reshape(samples.n_pairs, plan.columns, 3),
        np.array(weighted, dtype=np.float64).reshape(-1, len(plan.weights), 3)
        if plan.weights
        else np.empty((samples.n_pairs, 0, 3)),
    )


class _Text(NamedTuple):
    """Tokens of a text and, if the plan needs them, of its sentences."""

    tokens: list[str]
    sentences: list[list[str]]


def _count_ngrams(
    prediction: Tokens, references: Sequence[Tokens], plan: CountPlan
) -> Iterator[list[int]]:
    """Count the columns of the n-grams with each reference."""
    if plan.clipped:
        hits = count_clipped_matches(prediction, references, max(plan.orders))
        for index, reference in enumerate(references):
            yield [
                number
                for order in plan.orders
                for number in (
                    0 if index else hits[order - 1],
                    max(0, len(prediction) - order + 1),
                    max(0, len(reference) - order + 1),
                )
            ]
        return
    count_order = count_distinct if plan.once else count_shared
    ngrams_by_order = [list_ngrams(prediction, order) for order in plan.orders]
    for reference in references:
        columns: list[int] = []
        for order, ngrams in zip(plan.orders, ngrams_by_order, strict=True):
            columns += count_order(ngrams, list_ngrams(reference, order))
        yield columns


def _count_lcs(prediction: _Text, reference: _Text, plan: CountPlan) -> Iterator[int]:
    """Count the columns of the LCS and of the union LCS."""
    lcs = None
    if plan.lcs:
        lcs = lcs_length(reference.tokens, prediction.tokens)
        yield from (lcs, len(prediction.tokens), len(reference.tokens))
    if plan.summary:
        is_one_pair = prediction.sentences == [prediction.tokens] and reference.sentences == [
            reference.tokens
        ]
        if lcs is not None and is_one_pair:
            # Fast path: equals count_union_lcs, which is one LCS if both texts are one sentence, as
            # in most sentence corpora. The tokens of a text may differ from those of its only
            # sentence ("-\n" at its end gives a hyphen only in the sentence), so they are compared.
            yield lcs
        else:
            clips = not plan.lin2004
            yield count_union_lcs(reference.sentences, prediction.sentences, clips=clips)
        yield sum(map(len, prediction.sentences))
        yield sum(map(len, reference.sentences))


def _count_skip_bigrams(prediction: Tokens, reference: Tokens, plan: CountPlan) -> Iterator[int]:
    """Count the columns of the skip-bigrams, and of the unigrams that ROUGE-SU adds to them."""
    for distance in plan.skip_distances:
        yield count_skip_overlap(prediction, reference, distance)
        yield count_skip_bigrams(len(prediction), distance)
        yield count_skip_bigrams(len(reference), distance)
    if plan.unigrams_but_last:
        yield count_overlap(prediction[:-1], reference[:-1])
        yield len(prediction[:-1])
        yield len(reference[:-1])


def _count_pairs(
    prediction: Sequence[Tokens], reference: Sequence[Tokens], plan: CountPlan
) -> Iterator[int]:
    """Count the column of the LCS of all pairs of sentences."""
    if plan.once:
        yield count_pair_words(reference, prediction)
        yield len(set(chain.from_iterable(prediction)))
        yield len(set(chain.from_iterable(reference)))
    else:
        yield sum_pair_lcs(reference, prediction)
        yield sum(map(len, prediction))
        yield sum(map(len, reference))


def _count_weighted(
    prediction: _Text, reference: _Text, weight: float, *, lin2004: bool
) -> tuple[float, float, float]:
    """Count the three numbers of one weight."""
    sentences = [prediction.tokens] if lin2004 else prediction.sentences
    reference_sentences = [reference.tokens] if lin2004 else reference.sentences
    if max(map(len, chain(sentences, reference_sentences)), default=0) > MOST_TOKENS:
        return -1.0, 0.0, 0.0
    values = run_values(weight)
    tokens = float(sum(map(len, sentences)))
    if lin2004:
        wlcs = weighted_lcs(reference.tokens, prediction.tokens, values)
        return wlcs, tokens, float(len(reference.tokens))
    hits, base = count_weighted_union(reference_sentences, sentences, values)
    return hits, tokens, base


class PythonIndex:
    """An index in plain Python; its arguments are those of ``kernels.make_nearest_index``."""

    def __init__(
        self,
        pool: Pool,
        plan: CountPlan,
        tokenizer: Tokenizer,
        split_sentences: SentenceSplitter,
    ) -> None:
        self._pool = pool
        self._plan = plan
        self._tokenizer = tokenizer
        self._split = split_sentences
        self._lists: dict[tuple[str, int], list[int]] = {}
        self._texts: list[int] = []
        self._kinds: list[int] = []

    def add(self, texts: Ints, kinds: Ints) -> None:
        """Add candidates."""
        for text, kind in zip(texts.tolist(), kinds.tolist(), strict=True):
            place = len(self._texts)
            for item in self._list_items(text):
                self._lists.setdefault(item, []).append(place)
            self._texts.append(text)
            self._kinds.append(kind)

    def search(self, texts: Ints, kinds: Ints, table: ScoreTable, most: int) -> Nearest:
        """Find the nearest candidates of texts."""
        found = Nearest(
            np.full((len(texts), most), -1),
            np.full((len(texts), most), -1),
            np.zeros(len(texts), dtype=np.int64),
        )
        for row, (text, kind) in enumerate(zip(texts.tolist(), kinds.tolist(), strict=True)):
            nearest, found.compared[row] = self._search(text, table.starts[kind], table, most)
            if nearest:
                found.places[row, : len(nearest)], found.scores[row, : len(nearest)] = zip(
                    *nearest, strict=True
                )
        return found

    def _list_items(self, text: int) -> Iterator[tuple[str, int]]:
        """Iterate over the items of the bag of a text: occurrences of tokens, or distinct ones."""
        written = self._pool.texts[text]
        if self._plan.needs_sentences:
            tokenize = (self._tokenizer.of_sentences or self._tokenizer).function
            tokens: Sequence[str] = [*chain.from_iterable(map(tokenize, self._split(written)))]
        else:
            tokens = self._tokenizer(written)
        for token, times in Counter(tokens).items():
            for occurrence in range(1 if self._plan.once else times):
                yield token, occurrence

    def _search(
        self, text: int, starts: Ints, table: ScoreTable, most: int
    ) -> tuple[list[tuple[int, int]], int]:
        """Return the place and the score of each of the nearest, and how many were compared."""
        shared = np.zeros(len(self._texts), dtype=np.int64)
        for item in self._list_items(text):
            shared[self._lists.get(item, [])] += 1
        bounds = table.values[starts[self._kinds] + shared]
        nearest: list[tuple[float, int, int]] = []
        compared = place = 0
        while place < len(bounds):
            if len(nearest) == most:
                # Of equal scores the first candidate stays.
                waiting = place + np.flatnonzero(bounds[place:] > -nearest[-1][0])[:_TOGETHER]
            else:
                waiting = np.arange(place, min(place + _TOGETHER, len(bounds)))
            if not len(waiting):
                break
            place = int(waiting[-1]) + 1
            compared += len(waiting)
            for candidate, hits in zip(waiting.tolist(), self._count(text, waiting), strict=True):
                score = int(starts[self._kinds[candidate]]) + hits
                nearest.append((-float(table.values[score]), candidate, score))
            nearest = sorted(nearest)[:most]
        return [(candidate, score) for _, candidate, score in nearest], compared

    def _count(self, text: int, places: Ints) -> list[int]:
        columns = np.array([self._texts[place] for place in places.tolist()])
        offsets = np.array([0, len(columns)])
        pairs = PoolPairs(self._pool, np.array([text]), offsets, columns)
        counts, _ = count(pairs, self._plan, self._tokenizer, self._split)
        hits: list[int] = counts[:, 0, 0].tolist()
        return hits
