"""Pools of texts that are compared with each other: each text is tokenized once.

A pool keeps what a kernel made of its texts. Pairs of its texts are counted as samples with one
reference each, and all counts are those of ``kernels.py``.

An index finds the nearest texts of many, without counting the hits of every pair. The tokens that
two texts share bound their hits, and so their score. The index lists for each token the texts that
have it, so that one pass over the lists of a text gives the bounds of all. Hits are counted only
where the bound is above the worst of the nearest texts so far. The result is that of a comparison
with each text. The scores of all possible counts are a table, which callers make: nothing is
divided here.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..samples.inputs import Samples
from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer

Ints = NDArray[np.int64]


class Encoded(Protocol):
    """What a kernel made of the texts of a pool."""

    def truncate(self, count: int) -> None:
        """Remove all but the first texts."""


EncodedT = TypeVar("EncodedT", bound=Encoded)


class Pool:
    """Texts, or sequences of token ids, to which more can be added."""

    def __init__(self, texts: Iterable[Any] = (), *, are_ids: bool = False) -> None:
        self.texts: list[Any] = []
        self.are_ids = are_ids
        self._encoded: list[tuple[Tokenizer, SentenceSplitter | None, Encoded]] = []
        self.extend(texts)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_encoded": []}

    def extend(self, texts: Iterable[Any]) -> None:
        """Add texts."""
        # As Samples.by_sample does for a subclass of str.
        self.texts += texts if self.are_ids else map(str.__str__, texts)

    def truncate(self, count: int) -> None:
        """Remove all but the first texts."""
        if len(self.texts) > count:
            del self.texts[count:]
            for _, _, encoded in self._encoded:
                encoded.truncate(count)

    def map_texts(self, function: Callable[[str], str]) -> "Pool":
        """Return a pool with the function applied to each text."""
        return Pool(map(function, self.texts), are_ids=self.are_ids)

    def keep(
        self, tokenizer: Tokenizer, split: SentenceSplitter | None, make: Callable[[], EncodedT]
    ) -> EncodedT:
        """Return what was made of the texts with these steps before, or make it."""
        for other, other_split, encoded in self._encoded:
            if other is tokenizer and other_split is split:
                return cast("EncodedT", encoded)
        made = make()
        self._encoded.append((tokenizer, split, made))
        return made


class PoolPairs(NamedTuple):
    """Pairs of texts of a pool.

    Row ``r`` pairs the prediction ``rows[r]`` with each of the references
    ``columns[offsets[r]:offsets[r + 1]]``; all are indices of texts.

    Attributes:
        pool: the texts.
        rows: int64, shape (rows,).
        offsets: int64, shape (rows + 1,), from 0 to the number of pairs.
        columns: int64, shape (pairs,).
    """

    pool: Pool
    rows: Ints
    offsets: Ints
    columns: Ints

    @property
    def n_pairs(self) -> int:
        """Return the number of pairs."""
        return len(self.columns)

    def by_sample(self) -> Iterator[tuple[str, list[str]]]:
        """Iterate over the prediction of each row with the list of its references."""
        texts = self.pool.texts
        columns, stops = self.columns.tolist(), self.offsets[1:].tolist()
        start = 0
        for row, stop in zip(self.rows.tolist(), stops, strict=True):
            yield texts[row], [texts[column] for column in columns[start:stop]]
            start = stop

    def find_pair(self, index: int) -> tuple[str, str]:
        """Return the prediction and the reference of a pair."""
        row = int(np.searchsorted(self.offsets, index, side="right")) - 1
        return self.pool.texts[self.rows[row]], self.pool.texts[self.columns[index]]

    def to_samples(self) -> Samples:
        """Return the pairs as samples."""
        texts = self.pool.texts
        rows = np.repeat(self.rows, np.diff(self.offsets))
        return Samples(
            [texts[row] for row in rows.tolist()],
            [texts[column] for column in self.columns.tolist()],
            np.arange(len(rows) + 1),
            self.pool.are_ids,
        )


# What kernels count: samples, or pairs of a pool.
Batch = Samples | PoolPairs
# What families prepare before it is counted.
TextsT = TypeVar("TextsT", Samples, Pool)


class ScoreTable(NamedTuple):
    """Scores of all numbers of hits, by the kinds of two texts.

    The score of ``hits`` is ``values[starts[kind of the text, kind of the candidate] + hits]``. It
    never falls if hits are added. Texts of a kind have the same number of tokens that count. After
    each start there are more values than any text has such tokens.

    Attributes:
        values: float64.
        starts: int64, shape (kinds of texts, kinds of candidates).
    """

    values: NDArray[np.float64]
    starts: Ints


class Nearest(NamedTuple):
    """The nearest candidates of some texts.

    Attributes:
        places: shape (texts, most); indices of candidates in the order in which they were added:
            those with the highest score first, and of equal scores the first candidate first. -1
            if there are fewer.
        scores: shape (texts, most); indices of ``ScoreTable.values``; -1 if there are fewer.
        compared: shape (texts,); how many candidates the hits were counted of.
    """

    places: Ints
    scores: Ints
    compared: Ints


class NearestIndex(Protocol):
    """Candidates in which the nearest to a text are searched."""

    def add(self, texts: Ints, kinds: Ints) -> None:
        """Add texts of the pool by their indices; a kind is a column of the tables of scores."""

    def search(self, texts: Ints, kinds: Ints, table: ScoreTable, most: int) -> Nearest:
        """Find the nearest candidates of texts, by their indices; a kind is a row of the table."""
