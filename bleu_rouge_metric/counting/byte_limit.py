"""Count ROUGE-L and ROUGE-W as ROUGE-1.5.5 does with its option ``-b``.

With ``-b`` the program cuts a text in two ways. It cuts the whole text, and it cuts each sentence
separately, so that the sentences together may be longer than the limit. ROUGE-L and ROUGE-W compare
the cut sentences. But they clip the hits by the tokens of the cut whole text, and the precision
divides by the number of these tokens. The kernels know only one cut of a text, so these pairs are
counted here, in Python.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..text.sentences import NEWLINE, SentenceSplitter
from ..text.steps import cut_bytes
from ..text.tokenizer import Tokenizer
from .kernels import RougeCounts, check_lengths, count_rouge
from .pools import Batch
from .rouge_types import parse_rouge_type
from .weighted_lcs import MOST_TOKENS, hit_pairs, list_runs, run_values, take

Tokens = Sequence[str]


def count_rouge_of_bytes(
    samples: Batch,
    rouge_types: Sequence[str],
    tokenizer: Tokenizer,
    split_sentences: SentenceSplitter,
    byte_limit: int,
) -> RougeCounts:
    """Count as ``count_rouge`` does, but ``rougeLsum`` and ``rougeW`` as with ``-b``.

    The tokenizer is that of ``make_rouge_tokenizer`` with the same limit.
    """
    types = {name: parse_rouge_type(name) for name in rouge_types}
    # ROUGE-L is counted as ROUGE-W with weight 1 in which every run has one token.
    limited = {
        name: item.weight if item.kind == "w" else None
        for name, item in types.items()
        if item.kind in ("lsum", "w")
    }
    others = [name for name in types if name not in limited]
    counted = count_rouge(samples, others, tokenizer, NEWLINE) if others else None
    rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in limited}
    tokenize, split = tokenizer.function, split_sentences.function
    tokenize_sentence = (tokenizer.of_sentences or tokenizer).function
    for prediction, references in samples.by_sample():
        for reference in references:
            pair = _Pair(
                *(tokenize(text) for text in (prediction, reference)),
                *(
                    [
                        tokenize_sentence(sentence)
                        for sentence in cut_sentences(split(text), byte_limit)
                    ]
                    for text in (prediction, reference)
                ),
            )
            for name, weight in limited.items():
                rows[name].append(_count_pair(pair, weight))
    columns: dict[str, NDArray[Any]] = {
        name: np.array(triples, np.float64) for name, triples in rows.items()
    }
    if counted is not None:
        columns |= {name: counted.of(name) for name in others}
    weighted = [columns[name] for name in types if types[name].kind == "w"]
    counts = RougeCounts(
        tuple(rouge_types),
        _stack([columns[name] for name in types if types[name].kind != "w"], samples, np.int64),
        _stack(weighted, samples, np.float64),
    )
    if weighted:
        check_lengths(counts.weighted, samples)
    return counts


class _Pair(NamedTuple):
    """Tokens of both cut whole texts, and of their cut sentences."""

    prediction: Tokens
    reference: Tokens
    prediction_sentences: Sequence[Tokens]
    reference_sentences: Sequence[Tokens]


def _stack(columns: Sequence[NDArray[Any]], samples: Batch, kind: type) -> NDArray[Any]:
    """Stack columns to shape (pairs, columns, 3)."""
    if not columns:
        return np.empty((samples.n_pairs, 0, 3), kind)
    return np.stack(columns, axis=1).astype(kind)


def _count_pair(pair: _Pair, weight: float | None) -> tuple[float, float, float]:
    """Count hits, tokens of the prediction, and the sum of f(length) over reference sentences.

    As in the kernels, -1 hits mean that a sentence has more tokens than ROUGE-W counts.
    """
    sentences = chain(pair.prediction_sentences, pair.reference_sentences)
    longest = max(map(len, sentences), default=0)
    if weight is not None and longest > MOST_TOKENS:
        return -1.0, 0.0, 0.0
    values: Sequence[float] = range(longest + 1) if weight is None else run_values(weight)
    left = [Counter(pair.prediction), Counter(pair.reference)]
    hits = 0.0
    for reference in pair.reference_sentences:
        union: set[int] = set()
        for prediction in pair.prediction_sentences:
            union.update(hit_pairs(reference, prediction, values))
        # Parity: with the limit, the tokens of the reference clip the hits too.
        counted = [position for position in sorted(union) if take(reference[position], left)]
        runs = [[position] for position in counted] if weight is None else list_runs(counted, union)
        for run in runs:
            hits += values[len(run)]
    base = sum(values[len(reference)] for reference in pair.reference_sentences)
    return hits, float(len(pair.prediction)), base


def cut_sentences(sentences: Iterable[str], limit: int) -> Iterator[str]:
    r"""Cut sentences as ROUGE-L and ROUGE-W do with ``-b``.

    >>> list(cut_sentences(["One.", "Two three four.", "Five."], 8))
    ['One.', 'Two thre']
    """
    # Parity: ROUGE-1.5.5 does not sum the lengths of the sentences here. It compares each one with
    # the limit, and stops after the first that reaches it.
    for sentence in sentences:
        yield cut_bytes(sentence, limit)
        if len(sentence.encode("utf-8", "surrogatepass")) >= limit:
            return
