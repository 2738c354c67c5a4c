"""Counts of ROUGE-L and ROUGE-W as ROUGE-1.5.5 has them under its option ``-b``.

There the program has other sentences (``rouge155.make_splitter``) than the text that it cuts as a
whole has, but clips hits by the tokens of that text, and divides by those too on the side of the
prediction. The kernels know one cut of a text alone, so these pairs are counted here, in Python.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .counts import RougeCounts, count_rouge
from .inputs import Samples
from .rouge155 import make_splitter
from .rouge_types import parse_rouge_type
from .tokenization import Tokenizer
from .weighted_lcs import _hit_positions, run_values

Tokens = Sequence[str]


def count_rouge_of_bytes(
    samples: Samples, rouge_types: Sequence[str], tokenize: Tokenizer, byte_limit: int
) -> RougeCounts:
    """What ``count_rouge`` gives, with ``rougeLsum`` and ``rougeW`` as under ``-b``.

    Args:
        samples: predictions with one or more references each.
        rouge_types: names of distinct types.
        tokenize: from a text to the tokens of its first bytes: ``rouge155.make_tokenizer`` with
            the same limit.
        byte_limit: at least 1.
    """
    split_sentences = make_splitter(byte_limit=byte_limit)
    types = {name: parse_rouge_type(name) for name in rouge_types}
    # ROUGE-L is ROUGE-W whose runs count their length.
    limited = {
        name: item.weight if item.kind == "w" else 1.0
        for name, item in types.items()
        if item.kind in ("lsum", "w")
    }
    others = [name for name in types if name not in limited]
    counted = count_rouge(samples, others, tokenize, split_sentences) if others else None
    rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in limited}
    for prediction, references in samples.by_sample():
        for reference in references:
            pair = _Pair(
                *(tokenize(text) for text in (prediction, reference)),
                *(
                    [tokenize(sentence) for sentence in split_sentences(text)]
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
    return RougeCounts(
        tuple(rouge_types),
        _stack([columns[name] for name in types if types[name].kind != "w"], samples, np.int64),
        _stack([columns[name] for name in types if types[name].kind == "w"], samples, np.float64),
    )


class _Pair(NamedTuple):
    """Tokens of both texts, cut as a whole, and of the sentences that ROUGE-L has of them."""

    prediction: Tokens
    reference: Tokens
    prediction_sentences: Sequence[Tokens]
    reference_sentences: Sequence[Tokens]


def _stack(columns: Sequence[NDArray[Any]], samples: Samples, kind: type) -> NDArray[Any]:
    """Shape (pairs, columns, 3)."""
    if not columns:
        return np.empty((len(samples.references), 0, 3), kind)
    return np.stack(columns, axis=1).astype(kind)


def _count_pair(pair: _Pair, weight: float) -> tuple[float, float, float]:
    """Hits, tokens of the prediction, and the sum of f(length) over the reference sentences."""
    values = run_values(weight)
    left = Counter(pair.prediction), Counter(pair.reference)
    hits = 0.0
    for reference in pair.reference_sentences:
        union: set[int] = set()
        for prediction in pair.prediction_sentences:
            union |= _hit_positions(reference, prediction, values)
        # Parity: as in ROUGE-W without a limit, a run is added up when its last token is counted.
        # Here the tokens of the reference run out too.
        run = 0
        for position in sorted(union):
            token = reference[position]
            if left[0][token] > 0 and left[1][token] > 0:
                for tokens in left:
                    tokens[token] -= 1
                run += 1
                if weight == 1 or position + 1 not in union:
                    hits += values[run]
                    run = 0
    base = sum(values[len(reference)] for reference in pair.reference_sentences)
    return hits, float(len(pair.prediction)), base
