"""Find near duplicates: texts whose score with a text before them is above a threshold.

Self-Instruct and Alpaca filter instructions this way, and other projects their training data.
``near_duplicates`` goes through a whole list; ``DuplicateIndex`` takes one text after the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from ...checks import check_choice, check_flag, check_number, check_range, is_sequence
from ...counting.pools import Ints
from ...families.score import Floats
from ...fork_locks import make_object_lock
from ...messages import describe_value, rename_arguments, type_error, value_error
from ...samples.inputs import check_texts
from ...scoring.results import check_labels
from ...tables import import_pandas
from .pool import ScoredPool
from .search import Filter, Report, average_scores, prepare_search

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords

_MOST_TOP: Final = 1 << 20


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
        is_kept = np.isin(np.arange(len(self.score)), self.kept)
        columns = {"kept": is_kept, "score": self.score, "nearest": self.nearest}
        return import_pandas().DataFrame(columns)


def near_duplicates(
    texts: object,
    *,
    threshold: float = 0.7,
    score: str = "rougeL",
    against: object = None,
    groups: object = None,
    keep: Literal["first", "last"] = "first",
    inclusive: bool = False,
    top: int = 10,
    **options: "Unpack[PairKeywords]",
) -> NearDuplicates:
    """Find texts that are no near duplicates of one before, by a score from 0 to 1.

    The first text is kept. A later text is rejected if its highest score with a text that was kept
    before it is above the threshold. Decisions and scores are those of a comparison with each of
    these texts. For ``rougeL`` and ``rouge1``, and for ``rouge-l`` and ``rouge-1`` of the profile
    ``rouge``, the pairs that cannot be among the nearest are not counted; other scores are computed
    for all pairs.

    Args:
        texts: sequence of str, such as a list or a column of a table; or of sequences of token ids
            with ``tokenizer="ids"``. Two texts without tokens have the score 0.
        threshold: of the score: from 0 to 1, or to 100 for BLEU of ``profile="sacrebleu"``.
        score: one of ``PairScorer``'s; the texts before are its references.
        against: sequence of texts; compare with these alone, as with a test set, and not with
            each other.
        groups: a label per text, str or int; compare within each group.
        keep: ``"first"``, or ``"last"`` to go through the texts from the last to the first. It has
            no effect with ``against``.
        inclusive: whether a text with exactly this score is rejected too.
        top: how many of the nearest texts are returned, at least 0.
        **options: the options of ``PairScorer``, such as ``use_stemmer`` and ``profile``.

    Returns:
        The texts that are kept, and the nearest texts of each text.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: there is no text, or an argument is out of range.

    >>> found = near_duplicates(["Name a colour.", "Name one colour.", "Sum 1 and 2."],
    ...                         threshold=0.6)
    >>> found.kept.tolist(), found.nearest.tolist(), found.score.tolist()
    ([0, 2], [-1, 0, 0], [0.0, 0.6666666666666666, 0.0])
    """
    return find_duplicates(
        texts,
        threshold=threshold,
        score=score,
        against=against,
        groups=groups,
        keep=keep,
        inclusive=inclusive,
        top=top,
        options=dict(options),
    )


def find_duplicates(
    texts: object,
    *,
    threshold: object,
    score: object,
    against: object = None,
    groups: object = None,
    keep: str = "first",
    inclusive: bool = False,
    top: int = 10,
    options: dict[str, Any],
    report: Report = lambda _: None,
) -> NearDuplicates:
    """Find near duplicates as :func:`near_duplicates` does; ``report`` gets numbers of texts."""
    pool = make_pool(score, options)
    limit = check_threshold(threshold, pool)
    is_last = check_choice("keep", keep, ("first", "last")) == "last"
    most = check_range("top", top, 0, _MOST_TOP)
    check_flag("inclusive", inclusive)
    if against is not None and groups is not None:
        expected = "expected at most one of them."
        raise type_error("{against} and {groups} are both given", expected=expected)
    own = pool.add("texts", texts)
    others = None if against is None else pool.add("against", against)
    parts = [own] if groups is None else check_labels("groups", groups, len(own)).list_indices()
    if is_last:
        parts = [part[::-1] for part in parts]
    decide = partial(_is_near, threshold=limit, inclusive=inclusive)
    filtered = Filter(pool, decide, max(most, 1), report)
    if others is None:
        filtered.compare_with_earlier(parts)
    else:
        filtered.compare(own, others)
    nearest, scores = filtered.nearest.texts[own], filtered.nearest.scores[own]
    if others is not None:
        nearest = np.where(nearest < 0, -1, nearest - len(own))
    found = NearDuplicates(
        kept=np.flatnonzero(filtered.is_kept[own]),
        score=np.nan_to_num(scores[:, 0]),
        nearest=nearest[:, 0],
        top_nearest=nearest[:, :most],
        top_scores=scores[:, :most],
        pairs=filtered.pairs,
        compared=filtered.compared,
    )
    vars(found)["_average"] = partial(
        average_scores, pool, filtered.parts, filtered.is_kept, len(own)
    )
    return found


def make_pool(score: object, options: dict[str, Any]) -> ScoredPool:
    """Return an empty pool with one score."""
    if not isinstance(score, str):
        expected = "expected the name of one score, such as 'rougeL'."
        raise TypeError(describe_value("score", repr(score), expected))
    return ScoredPool(score, options)


def check_threshold(threshold: object, pool: ScoredPool) -> float:
    """Return the threshold; raise unless it is a possible score."""
    scale = pool.find_only()[0].scale
    expected = f"expected a number from 0 to {scale}."
    number = check_number("threshold", threshold, expected)
    if not 0 <= number <= scale:
        raise value_error("{threshold} is {}", threshold, expected=expected)
    return number


def _is_near(scores: Any, threshold: float, *, inclusive: bool) -> Any:
    """Return whether a score, or each of an array, is that of near duplicates."""
    return scores >= threshold if inclusive else scores > threshold


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
    functions among its options can. Threads take turns, and a fork waits for their calls. A call
    that raises, such as one that is interrupted, changes nothing. The distinct words of rejected
    texts stay in memory, but not the texts.

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
            threshold: of the score: from 0 to 1, or to 100 for BLEU of ``profile="sacrebleu"``. A
                text with a higher score is a near duplicate.
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
        self._arguments: dict[str, Any] = {
            "threshold": check_threshold(threshold, self._pool),
            "score": score,
            "inclusive": check_flag("inclusive", inclusive),
            "top": check_range("top", top, 0, _MOST_TOP),
            "with_mean": check_flag("with_mean", with_mean),
            **options,
        }
        self._make_search = prepare_search(self._pool)
        self._search = self._make_search()
        # An interrupt may leave the search with texts that are not in the index.
        self._is_complete = True
        self._texts: list[Any] = []
        self._lock = make_object_lock()

    @property
    def texts(self) -> Sequence[Any]:
        """Return the texts of the index, in the order in which they were added."""
        return self._texts

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        threshold, score = self._arguments["threshold"], self._arguments["score"]
        return f"DuplicateIndex({threshold}, score={score!r}, texts={len(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a copy and a pickle are made of."""
        return _restore, (self._arguments, self._texts)

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
        self._search.add(places)
        # Last, and in one step, so that an interrupt before it adds nothing.
        self._texts += texts
        self._is_complete = True

    def _restore_search(self) -> None:
        """Make the pool and the search those of the texts of the index, after an interrupt."""
        self._pool.truncate(len(self))
        if not self._is_complete:
            self._search = self._make_search()
            self._search.add(np.arange(len(self)))
            self._is_complete = True

    def _find(self, place: Ints) -> Neighbors:
        given = self._arguments
        found = self._search.find(place, max(given["top"], 1))
        pairs = zip(found.texts[0].tolist(), found.scores[0].tolist(), strict=True)
        top = [(text, score) for text, score in pairs if text >= 0]
        nearest, score = top[0] if top else (-1, 0.0)
        mean = None
        if given["with_mean"]:
            (scores,) = self._pool.score_block(place, np.arange(len(self))).values()
            mean = float(scores[0].mean()) if len(self) else 0.0
        is_near = _is_near(score, given["threshold"], inclusive=given["inclusive"])
        return Neighbors(not (top and is_near), score, nearest, top[: given["top"]], mean)


def _restore(arguments: dict[str, Any], texts: list[Any]) -> DuplicateIndex:
    """Return an index of texts."""
    index = DuplicateIndex(**arguments)
    index.add(texts)
    return index
