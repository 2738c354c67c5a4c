"""The Python kernel: every count of BLEU and ROUGE, in plain Python.

It needs no compiler, so ``evaluate.load`` of the Space runs it if nothing is installed. The tests
compare the compiled kernel with it: both give the same numbers on every input. ``kernels.py``
chooses between the two, and documents the shapes of the counts.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..samples.inputs import Samples
from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer
from .lcs import count_pair_words, count_union_lcs, lcs_length, sum_pair_lcs
from .ngrams import (
    Tokens,
    count_clipped_matches,
    count_distinct,
    count_overlap,
    list_ngrams,
)
from .pools import Batch
from .rouge_types import RougePlan
from .skip_bigrams import count_skip_bigrams, count_skip_overlap
from .weighted_lcs import MOST_TOKENS, count_weighted_union, run_values, weighted_lcs


def count_bleu(
    samples: Samples, max_order: int, tokenizer: Tokenizer
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Count matches, prediction lengths and reference lengths, as in ``kernels.BleuCounts``.

    Args:
        samples: predictions with one or more references each.
        max_order: the longest n-gram counted, at least 1.
        tokenizer: from a text to its tokens.
    """
    tokenize = tokenizer.function
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
    samples: Batch, plan: RougePlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
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
        text = tokenize_text(prediction)
        ngrams_by_order = [list_ngrams(text.tokens, order) for order in plan.orders]
        for reference in references:
            reference_text = tokenize_text(reference)
            for order, ngrams in zip(plan.orders, ngrams_by_order, strict=True):
                reference_ngrams = list_ngrams(reference_text.tokens, order)
                if plan.once:
                    integers += count_distinct(ngrams, reference_ngrams)
                    continue
                integers.append(count_overlap(ngrams, reference_ngrams))
                integers.append(len(ngrams))
                integers.append(len(reference_ngrams))
            integers += _count_lcs(text, reference_text, plan)
            integers += _count_skip_bigrams(text.tokens, reference_text.tokens, plan)
            if plan.pairs:
                integers += _count_pairs(text.sentences, reference_text.sentences, plan)
            for weight in plan.weights:
                weighted += _count_weighted(text, reference_text, weight, lin2004=plan.lin2004)
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


def _count_lcs(prediction: _Text, reference: _Text, plan: RougePlan) -> Iterator[int]:
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


def _count_skip_bigrams(prediction: Tokens, reference: Tokens, plan: RougePlan) -> Iterator[int]:
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
    prediction: Sequence[Tokens], reference: Sequence[Tokens], plan: RougePlan
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
