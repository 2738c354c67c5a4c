"""Lists of hashable tokens → counts of BLEU.

The kernels read texts. Tokens become texts of words with one space between them: the tokens
themselves if they are words, else a number for each distinct token.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import numpy as np

from ...arrays import to_offsets
from ...counting.kernels import count_bleu
from ...counting.pairs import BleuPairs
from ...families.bleu.rules import BleuRules
from ...families.bleu.statistics import (
    BleuStatistics,
    gather_corpus,
    make_statistics,
    prepare_reference_length,
)
from ...samples.inputs import Samples
from ...text.tokenizers import TOKENIZERS

Tokens = Sequence[Hashable]

_WORDS: Final = TOKENIZERS["whitespace"]


def count_corpus(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], rules: BleuRules
) -> BleuStatistics:
    """Count all samples together; the arguments and errors are those of ``corpus_bleu``."""
    if len(hypotheses) == 1:
        # Fast path: equals the lines below, in a fifth of the time.
        pair = count_pair(list_of_references[0], hypotheses[0], rules.counted_order)
        matches, length, lengths = pair
        reference_length = int(prepare_reference_length(rules)(length, lengths))
        return make_statistics(matches, length, reference_length, rules)
    rows = [
        write_texts(references, hypothesis)
        for references, hypothesis in zip(list_of_references, hypotheses, strict=True)
    ]
    samples = Samples(
        [row[0] for row in rows],
        list(chain.from_iterable(row[1:] for row in rows)),
        to_offsets(np.array([len(row) - 1 for row in rows])),
    )
    counts = count_bleu(samples, rules.counted_order, _WORDS)
    return gather_corpus(counts, samples.offsets, rules)


def count_pair(
    references: Sequence[Tokens], hypothesis: Tokens, max_order: int
) -> tuple[list[int], int, list[int]]:
    """Count one sample.

    Returns:
        The matches of each order, the tokens of the hypothesis, and those of each reference.
    """
    text, *others = write_texts(references, hypothesis)
    numbers = _find_pairs(max_order).count(text, others)
    return numbers[:max_order], numbers[max_order], numbers[max_order + 1 :]


# Bound: orders are few.
@lru_cache(maxsize=16)
def _find_pairs(max_order: int) -> BleuPairs:
    return BleuPairs(_WORDS, max_order)


def write_texts(references: Sequence[Tokens], hypothesis: Tokens) -> list[str]:
    """Return a text for the hypothesis and one for each reference, of which the words are tokens.

    Raises:
        KeyError: there is no reference, but a token.
        ValueError: there is neither.
        TypeError: a token is not hashable, or a sequence has no length.

    >>> write_texts([["a", "b"]], ["b"]), write_texts([[3, "3"], [" "]], ["3"])
    (['b', 'a b'], ['0', '1 0', '2'])
    """
    if not len(references):
        message = "A hypothesis has no reference; expected at least one."
        # Parity: NLTK looks the first n-gram up, or takes the minimum of no length.
        raise KeyError(message) if len(hypothesis) else ValueError(message)
    sides = [_list_tokens(tokens) for tokens in (hypothesis, *references)]
    try:
        texts = list(map(" ".join, sides))
    except TypeError:
        texts = []
    if [text.split() for text in texts] == sides:
        return texts
    words: dict[Hashable, str] = {}
    return [
        " ".join([words.setdefault(token, str(len(words))) for token in side]) for side in sides
    ]


def _list_tokens(tokens: Any) -> list[Any]:
    if type(tokens) is list:
        return tokens
    # Parity: NLTK asks for the length, which a generator does not have.
    len(tokens)
    return list(tokens)
