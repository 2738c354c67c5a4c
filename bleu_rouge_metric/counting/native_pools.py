"""Pools of texts in the compiled kernel: counts of pairs, and the search for the nearest texts.

The kernel keeps the tokens of the texts as ids, so that each text is tokenized once.
"""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer
from .id_columns import flatten_ids
from .native_kernel import Floats, IdTexts, make_plan, make_text_column, prepare_adding
from .native_tokenizers import find_tokenization, takes_lines
from .nearest import Nearest, ScoreTable
from .pools import Ints, Pool, PoolPairs
from .rouge_types import RougePlan
from .threads import count_threads

if TYPE_CHECKING:
    import bleu_rouge_kernel

# native_kernel.py says why it is missing.
with suppress(ImportError):
    import bleu_rouge_kernel

# Number of texts that the kernel reads at once; a signal waits until they are read.
_POOL_SLICE: Final = 1 << 14


class _EncodedPool:
    """What the kernel made of the texts of a pool, with one tokenizer."""

    def __init__(self, tokenizer: Tokenizer, split: SentenceSplitter | None) -> None:
        self._tokenizer = tokenizer
        self._split = split
        takes_texts = split is None or takes_lines(split, tokenizer)
        tokenization = find_tokenization(tokenizer) if takes_texts else None
        self._takes_texts = tokenization is not None
        self.texts = bleu_rouge_kernel.TextPool(tokenization, split is not None)
        self._count = 0
        self._ids: dict[str, int] = {}

    def read(self, pool: Pool) -> "bleu_rouge_kernel.TextPool":
        """Add the texts that came into the pool since the last time, and return all."""
        # An interrupt may have left texts that are not counted here.
        self.texts.truncate(self._count)
        while self._count < len(pool.texts):
            part = pool.texts[self._count : self._count + _POOL_SLICE]
            self.texts.add(self._make_column(part, are_ids=pool.are_ids))
            self._count += len(part)
        return self.texts

    def truncate(self, count: int) -> None:
        """Remove all but the first texts."""
        self._count = min(self._count, count)
        self.texts.truncate(self._count)

    def _make_column(
        self, texts: list[Any], *, are_ids: bool
    ) -> "bleu_rouge_kernel.TextColumn | bleu_rouge_kernel.IdColumn":
        if are_ids:
            wants_sentences = self._split is not None
            arrays = flatten_ids(texts, self._tokenizer.separator, wants_sentences=wants_sentences)
            return bleu_rouge_kernel.IdColumn(*arrays)
        if self._takes_texts:
            return make_text_column(texts)
        collected = IdTexts(self._ids)
        add = prepare_adding(self._tokenizer, self._split.function if self._split else None)
        for text in texts:
            add(collected, text)
        return collected.column()


def _encode(
    pool: Pool, plan: RougePlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> "bleu_rouge_kernel.TextPool":
    """Return the encoded texts of a pool."""
    split = split_sentences if plan.needs_sentences else None
    return pool.keep(tokenizer, split, lambda: _EncodedPool(tokenizer, split)).read(pool)


def count_pool(
    pairs: PoolPairs, plan: RougePlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> tuple[Ints, Floats]:
    """Count as :func:`count_rouge` does."""
    counts = np.empty((pairs.n_pairs, plan.columns, 3), dtype=np.int64)
    weighted = np.empty((pairs.n_pairs, len(plan.weights), 3))
    bleu_rouge_kernel.count_pool(
        _encode(pairs.pool, plan, tokenizer, split_sentences),
        pairs.rows,
        pairs.offsets,
        pairs.columns,
        make_plan(plan),
        count_threads(),
        counts,
        weighted,
    )
    return counts, weighted


class NativeIndex:
    """The compiled twin of ``nearest.PythonIndex``."""

    def __init__(
        self,
        pool: Pool,
        plan: RougePlan,
        tokenizer: Tokenizer,
        split_sentences: SentenceSplitter,
    ) -> None:
        self._read = partial(_encode, pool, plan, tokenizer, split_sentences)
        self._index = bleu_rouge_kernel.NearestIndex(self._read(), make_plan(plan))

    def add(self, texts: Ints, kinds: Ints) -> None:
        """Add candidates."""
        self._read()
        self._index.add(texts, kinds)

    def search(self, texts: Ints, kinds: Ints, table: ScoreTable, most: int) -> Nearest:
        """Find the nearest candidates of texts."""
        self._read()
        places = np.empty((len(texts), most), dtype=np.int64)
        found = Nearest(places, np.empty_like(places), np.empty(len(texts), dtype=np.int64))
        self._index.search(texts, kinds, *table, count_threads(), *found)
        return found
