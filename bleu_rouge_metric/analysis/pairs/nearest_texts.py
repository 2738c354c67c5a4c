"""What a search for near duplicates returns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...counting.pools import Ints
from ...extras import needs
from ...families.base import Floats
from ...tables import import_pandas


@dataclass(frozen=True, eq=False, repr=False)
class NearDuplicates:
    """The texts that are kept, and the nearest texts of each text.

    Each text is compared with the texts that were kept before it, or with those of ``against``. It
    can be pickled if the functions among its options can.

    Attributes:
        kept: int64; the indices of the texts that are kept, ascending.
        score: float64, shape (texts,); the highest score; 0 if there is no text to compare with.
        nearest: int64, shape (texts,); the index of the text with this score, of several the one
            that was compared first; -1 for none.
        top_nearest: int64, shape (texts, top); indices of the nearest texts, the nearest first; of
            equal scores the text that was compared first; -1 if there are fewer.
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

    def __repr__(self) -> str:
        kept, texts = len(self.kept), len(self.score)
        return f"NearDuplicates(kept {kept} of {texts} texts, counted {self.compared} pairs)"

    @classmethod
    def of(cls, average: Callable[[], Floats], **values: Any) -> "NearDuplicates":
        """Return a result of these values, with a function that computes the mean scores."""
        found = cls(**values)
        vars(found)["_average"] = average
        return found

    @property
    def rejected(self) -> Ints:
        """Return the indices of the texts that are not kept, ascending."""
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
