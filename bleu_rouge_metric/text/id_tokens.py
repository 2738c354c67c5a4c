"""The tokenizer and the sentence splitter of samples that are sequences of token ids."""

from itertools import groupby
from typing import Any

from ..samples.token_ids import IDS
from .sentences import SentenceSplitter
from .tokenizer import Tokenizer


def make_id_tokenizer(separator: int | None) -> Tokenizer:
    """Make the tokenizer: the tokens are the ids without the separator between sentences.

    >>> make_id_tokenizer(2)((7, 8, 2, 9))
    [7, 8, 9]
    """

    def tokenize(ids: Any) -> list[Any]:
        return [number for number in ids if number != separator]

    return Tokenizer(IDS, tokenize, separator=separator)


def make_id_splitter(separator: int | None) -> SentenceSplitter:
    """Make the sentence splitter: separators are between two sentences.

    >>> make_id_splitter(2)((7, 8, 2, 9))
    [(7, 8), (9,)]
    """

    def split(ids: Any) -> list[Any]:
        runs = groupby(ids, key=lambda number: number == separator)
        return [tuple(run) for is_separator, run in runs if not is_separator]

    return SentenceSplitter(IDS, split)
