"""Keep a pool of texts without near duplicates, one text after the other."""

from collections.abc import Iterator, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...checks import check_flag, check_range, is_sequence
from ...counting.pools import Ints
from ...messages import rename_arguments
from ...samples.inputs import check_texts
from .duplicates import MOST_TOP, check_threshold, make_pool
from .filter import is_near
from .search import prepare_search

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords

_SETTINGS: Final = ("threshold", "score", "inclusive", "top", "with_mean")


class Neighbors(NamedTuple):
    """What is nearest to a text.

    Attributes:
        is_new: whether no text of the index is a near duplicate of it.
        score: the highest score with a text of the index; 0 if the index is empty.
        nearest: the place in the index of the first text with this score; -1 if it is empty.
        top: the places and scores of the nearest texts, the nearest first.
        mean: the mean score with all texts of the index; None if it was not asked for.
    """

    is_new: bool
    score: float
    nearest: int
    top: list[tuple[int, float]]
    mean: float | None


class DuplicateIndex:
    """An index that rejects near duplicates.

    Loops that generate texts ask it which of them to keep. Decisions and scores are those of a
    comparison with each text of the index, as in ``near_duplicates``. It can be pickled if the
    functions among its options can. Threads take turns. The distinct words of
    rejected texts stay in memory, but not the texts.

    >>> index = DuplicateIndex(threshold=0.7)
    >>> index.add_if_new("Name a colour of the rainbow.").is_new
    True
    >>> found = index.add_if_new("Name one colour of the rainbow.")
    >>> found.is_new, found.nearest, len(index)
    (False, 0, 1)
    """

    def __init__(
        self,
        threshold: float = 0.7,
        *,
        score: str = "rougeL",
        inclusive: bool = False,
        top: int = 10,
        with_mean: bool = False,
        **options: "Unpack[PairKeywords]",
    ) -> None:
        """Check the options, and start without texts.

        Args:
            threshold: of the score: from 0 to 1, or to 100 for the BLEU of sacrebleu. A text with a
                higher score is a near duplicate.
            score: one of ``PairScorer``'s; the texts of the index are its references.
            inclusive: whether a text with exactly this score is a near duplicate too.
            top: how many of the nearest texts are returned, at least 0.
            with_mean: whether the mean of all scores is returned, for which each text is compared
                with each.
            **options: the options of ``PairScorer``, such as ``use_stemmer`` and ``profile``.

        Raises:
            TypeError: an option is unknown.
            ValueError: an argument is out of range.
        """
        self._pool = make_pool(score, dict(options))
        self._settings = (check_threshold(threshold, self._pool), score)
        self._inclusive = check_flag("inclusive", inclusive)
        self._top = check_range("top", top, 0, MOST_TOP)
        self._with_mean = check_flag("with_mean", with_mean)
        self._options = dict(options)
        self._make_search = prepare_search(self._pool)
        self._search = self._make_search()
        # An interrupt may leave the search without a text, or with a part of it.
        self._is_complete = True
        self._texts: list[Any] = []
        self._lock = RLock()

    @property
    def texts(self) -> Sequence[Any]:
        """Return the texts of the index, in the order in which they were added."""
        return self._texts

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        threshold, score = self._settings
        return f"DuplicateIndex({threshold}, score={score!r}, texts={len(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a copy and a pickle are made of."""
        threshold, score = self._settings
        values = (threshold, score, self._inclusive, self._top, self._with_mean)
        settings = dict(zip(_SETTINGS, values, strict=True))
        return _restore, (settings, self._options, self._texts)

    def add(self, texts: Any) -> None:
        """Add texts without comparing them, such as those that people wrote.

        Args:
            texts: sequence of str, or of sequences of token ids with ``tokenizer="ids"``; it may be
                empty.

        Raises:
            TypeError: it is not a sequence, or an item is of a type that cannot be scored; then
                none is added.
        """
        if isinstance(texts, Iterator):
            texts = list(texts)
        if is_sequence(texts) and not texts:
            return
        listed, _ = check_texts("texts", texts)
        with self._lock:
            self._restore_search()
            self._add(self._pool.add("texts", listed), listed)

    def find(self, text: Any) -> Neighbors:
        """Find the nearest texts, without adding the text.

        Args:
            text: a str, or a sequence of token ids.

        Raises:
            TypeError: it is of a type that cannot be scored.
        """
        with self._lock:
            found = self._find(self._read(text))
            self._pool.truncate(len(self))
        return found

    def add_if_new(self, text: Any) -> Neighbors:
        """Add a text unless it is a near duplicate; the argument is that of :meth:`find`."""
        with self._lock:
            place = self._read(text)
            found = self._find(place)
            if found.is_new:
                # Token ids are copied, so that the caller may change them.
                self._add(place, check_texts("texts", [text])[0])
            else:
                self._pool.truncate(len(self))
        return found

    def _read(self, text: Any) -> Ints:
        """Add a text to the pool, whose other texts are those of the index."""
        self._restore_search()
        try:
            return self._pool.add("texts", [text])
        except (TypeError, ValueError) as error:
            rename_arguments(error, {"texts[0]": "text", "texts": "text"})
            raise

    def _add(self, places: Ints, texts: list[Any]) -> None:
        """Add texts of the pool to the index."""
        self._is_complete = False
        self._texts += texts
        self._search.add(places)
        self._is_complete = True

    def _restore_search(self) -> None:
        """Make the pool and the search those of the texts of the index, after an interrupt."""
        self._pool.truncate(len(self))
        if not self._is_complete:
            self._search = self._make_search()
            self._search.add(np.arange(len(self)))
            self._is_complete = True

    def _find(self, place: Ints) -> Neighbors:
        found = self._search.find(place, max(self._top, 1))
        top = [
            (text, score)
            for text, score in zip(found.texts[0].tolist(), found.scores[0].tolist(), strict=True)
            if text >= 0
        ]
        nearest, score = top[0] if top else (-1, 0.0)
        mean = None
        if self._with_mean:
            (scores,) = self._pool.score_block(place, np.arange(len(self))).values()
            mean = float(scores[0].mean()) if len(self) else 0.0
        is_new = not (top and is_near(score, self._settings[0], inclusive=self._inclusive))
        return Neighbors(is_new, score, nearest, top[: self._top], mean)


def _restore(settings: dict[str, Any], options: dict[str, Any], texts: list[Any]) -> DuplicateIndex:
    index = DuplicateIndex(**settings, **options)
    if texts:
        index.add(texts)
    return index
