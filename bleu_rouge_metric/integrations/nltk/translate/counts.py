"""Lists of hashable tokens → counts of BLEU.

The kernels read texts. Tokens become texts of words with one space between them: the tokens
themselves if they are words, else a number for each distinct token.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ....arrays import to_offsets
from ....counting.kernels import BleuCounts, count_bleu
from ....counting.pairs import BleuPairs
from ....samples.inputs import Samples
from ....text.tokenizer import TOKENIZERS

Tokens = Sequence[Hashable]

_WORDS: Final = TOKENIZERS["whitespace"]


def pair_samples(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]
) -> list[tuple[Sequence[Tokens], Tokens]]:
    """Return the references of each hypothesis with it."""
    if len(list_of_references) != len(hypotheses):
        raise AssertionError(
            f"list_of_references has the references of {len(list_of_references)}, not of "
            f"{len(hypotheses)} hypotheses."
        )
    return list(zip(list_of_references, hypotheses, strict=True))


def count_samples(texts: Sequence[Sequence[str]], order: int) -> BleuCounts:
    """Count samples, each the text of a hypothesis and those of its references."""
    offsets = to_offsets(np.array([len(side) - 1 for side in texts]))
    references = [text for side in texts for text in side[1:]]
    return count_bleu(Samples([side[0] for side in texts], references, offsets), order, _WORDS)


def count_pair(
    references: Sequence[Tokens], hypothesis: Tokens, order: int
) -> tuple[list[int], int, list[int]]:
    """Return matches by order, the tokens of the hypothesis, and those of each reference."""
    text, *others = write_texts(references, hypothesis)
    numbers = _find_pairs(order).count(text, others)
    return numbers[:order], numbers[order], numbers[order + 1 :]


# Bound: orders are few.
@lru_cache(maxsize=16)
def _find_pairs(order: int) -> BleuPairs:
    return BleuPairs(_WORDS, order)


def write_texts(references: Sequence[Tokens], hypothesis: Tokens) -> list[str]:
    """Return a text for the hypothesis and one for each reference, of which the words are tokens.

    >>> write_texts([["a", "b"]], ["b"]), write_texts([[3, "3"], [" "]], ["3"])
    (['b', 'a b'], ['0', '1 0', '2'])
    """
    if not len(references):
        raise ValueError("A hypothesis has no reference; expected at least one.")
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
    return tokens if type(tokens) is list else list(tokens)
