"""What a search for near duplicates returns."""

from collections.abc import Callable
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np

from ...counting.pools import Ints
from ...extras import needs
from ...families.base import Floats
from ...tables import import_pandas


@dataclass(frozen=True, eq=False)
class NearDuplicates:
    """The texts that stay, and the nearest texts of each.

    Each text is compared with the texts that stay before it, or with the texts of ``against``.

    Attributes:
        kept: int64; the indices of the texts that stay, ascending.
        score: float64, shape (texts,); the highest score; 0 if there is no text to compare with.
        nearest: int64, shape (texts,); the index of the first text with this score; -1 for none.
        top_nearest: int64, shape (texts, top); indices of the nearest texts, the nearest first and
            of equal scores the first text first; -1 if there are fewer.
        top_scores: float64, shape (texts, top); their scores; NaN if there are fewer.
        pairs: how many pairs of texts these are.
        compared: how many of them were counted; the tokens that texts share ruled out the others.
    """

    kept: Ints
    score: Floats
    nearest: Ints
    top_nearest: Ints
    top_scores: Floats
    pairs: int
    compared: int
    average: InitVar[Callable[[], Floats]]

    def __post_init__(self, average: Callable[[], Floats]) -> None:
        vars(self)["_average"] = average

    @property
    def rejected(self) -> Ints:
        """Return the indices of the texts that do not stay, ascending."""
        return np.setdiff1d(np.arange(len(self.score)), self.kept)

    @property
    def mean(self) -> Floats:
        """Return the mean score of each text, float64, shape (texts,); 0 without others.

        It is ``numpy.mean`` of the scores in the order of the texts. All pairs are counted for it,
        when it is first asked for.
        """
        cache = vars(self)
        if "_mean" not in cache:
            cache["_mean"] = cache["_average"]()
        means: Floats = cache["_mean"]
        return means

    def to_pandas(self) -> Any:
        """Return a data frame with a row per text and the columns kept, score and nearest.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_pandas().DataFrame(self._list_columns())

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Table`` with the columns of :meth:`to_pandas`.

        Raises:
            ImportError: pyarrow is not installed.
        """
        with needs("to_arrow", "pyarrow"):
            import pyarrow as pa
        return pa.table(self._list_columns())

    def _list_columns(self) -> dict[str, Any]:
        is_kept = np.zeros(len(self.score), dtype=bool)
        is_kept[self.kept] = True
        return {"kept": is_kept, "score": self.score, "nearest": self.nearest}
