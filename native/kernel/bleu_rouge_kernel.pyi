# Types of the compiled kernel; the headers document each name.

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

VERSION: int
UNICODE_VERSION: str
REGEX_VERSION: str
BREAK_GAPS: tuple[int, ...]

class WordForms:
    def __init__(self, find: Callable[[str], list[str]]) -> None: ...

class Tokenization:
    def __init__(
        self,
        name: str,
        lowercase: bool = False,
        word_limit: int = 0,
        byte_limit: int = 0,
        forms: WordForms | None = None,
    ) -> None: ...

class TextColumn:
    def __init__(self, texts: list[str]) -> None: ...
    def __len__(self) -> int: ...
    @staticmethod
    def of_arrow(chunks: Sequence[tuple[NDArray[np.uint8], NDArray[Any]]]) -> TextColumn: ...

class IdColumn:
    def __init__(
        self,
        tokens: NDArray[np.int64],
        bounds: NDArray[np.int64],
        sentence_tokens: NDArray[np.int64],
        sentence_bounds: NDArray[np.int64],
        ends: NDArray[np.int64],
        ends_bounds: NDArray[np.int64],
    ) -> None: ...
    def __len__(self) -> int: ...

class CountPlan:
    def __init__(
        self,
        orders: Sequence[int],
        lcs: bool,
        summary: bool,
        skip_distances: Sequence[int],
        unigrams_but_last: bool,
        values: NDArray[np.float64],
        lin2004: bool,
        once: bool = False,
        pairs: bool = False,
        clipped: bool = False,
    ) -> None: ...

class PairCounter:
    def __init__(self, tokenization: Tokenization, plan: CountPlan) -> None: ...
    def count(self, prediction: str, references: list[str]) -> list[int] | None: ...

@overload
def count(
    predictions: TextColumn,
    references: TextColumn,
    offsets: NDArray[np.int64],
    tokenization: Tokenization,
    plan: CountPlan,
    threads: int,
    counts: NDArray[np.int64],
    weighted: NDArray[np.float64],
) -> None: ...
@overload
def count(
    predictions: IdColumn,
    references: IdColumn,
    offsets: NDArray[np.int64],
    plan: CountPlan,
    threads: int,
    counts: NDArray[np.int64],
    weighted: NDArray[np.float64],
) -> None: ...
def are_texts(items: list[Any]) -> bool: ...
def find_suspects(items: list[str]) -> list[int]: ...
def tokenize(texts: TextColumn, tokenization: Tokenization) -> list[list[bytes]]: ...
def stem(word: bytes) -> bytes: ...

class TextPool:
    def __init__(self, tokenization: Tokenization | None, has_sentences: bool) -> None: ...
    def add(self, texts: TextColumn | IdColumn) -> None: ...
    def truncate(self, count: int) -> None: ...

class NearestIndex:
    def __init__(self, pool: TextPool, plan: CountPlan) -> None: ...
    def add(self, texts: NDArray[np.int64], kinds: NDArray[np.int64]) -> None: ...
    def search(
        self,
        texts: NDArray[np.int64],
        kinds: NDArray[np.int64],
        values: NDArray[np.float64],
        starts: NDArray[np.int64],
        threads: int,
        places: NDArray[np.int64],
        scores: NDArray[np.int64],
        compared: NDArray[np.int64],
    ) -> None: ...

def count_pool(
    pool: TextPool,
    rows: NDArray[np.int64],
    offsets: NDArray[np.int64],
    columns: NDArray[np.int64],
    plan: CountPlan,
    threads: int,
    counts: NDArray[np.int64],
    weighted: NDArray[np.float64],
) -> None: ...
