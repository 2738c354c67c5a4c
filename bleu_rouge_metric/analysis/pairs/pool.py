"""Texts that are scored against each other, each tokenized once; and the matrix of their scores."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...arrays import to_offsets
from ...checks import check_range
from ...counting.kernels import current_kernel
from ...counting.pools import Ints, Pool, PoolPairs
from ...families.counts import SampleCounts, from_pairs
from ...families.score import Floats, Score
from ...messages import Argument, describe_value, get_message, rename_arguments, value_error
from ...samples.inputs import Samples, check_texts
from ...scoring.counting import cache_tokens, check_kind
from ...scoring.pair_scorer import check_options, check_scores
from ...scoring.text_warnings import warn_of_tokenization
from ...text.scripts import LetterLosses
from ...text.sentences import SplitError
from .groups import Groups

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords

# How many calls of ``add`` may warn of options that do not suit the texts.
_CHECKS: Final = 64

# Pairs that are counted at once. A matrix of instructions takes longer with half as many, because
# the threads wait for each other more often, and with twice as many, which the cache does not hold.
_BLOCK: Final = 1 << 17

# The most rows of a block that may be asked for; any number of texts is below.
_MOST_ROWS: Final = 1 << 40


def score_matrix(
    texts: object,
    others: object = None,
    score: str | Sequence[str] = "rougeL",
    *,
    blocks: int | None = None,
    **options: "Unpack[PairKeywords]",
) -> Any:
    """Return the scores of each text with each other text, BLEU from 0 to 1 like ROUGE.

    Each text is tokenized once. The scores are bit-identical to those of ``PairScorer``.

    Args:
        texts: sequence of str: the predictions, one per row; or of sequences of token ids with
            ``tokenizer="ids"``.
        others: likewise: the references, one per column; None for ``texts``.
        score: a score of ``PairScorer``, or a sequence of several. ``_precision``, ``_recall`` or
            ``_fmeasure`` after a ROUGE type selects this part: ``rougeL_recall``.
        blocks: how many rows to return at a time, if the whole matrix does not fit into memory;
            None for all.
        **options: the options of ``PairScorer``, such as ``profile``, ``use_stemmer`` and
            ``tokenizer``.

    Returns:
        float64, shape (texts, others); a dict of such arrays for several scores. With ``blocks``,
        an iterator over these, of shape (blocks, others); the last one may have fewer rows.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: there is no text, or a score is unknown.

    >>> score_matrix(["a cat", "a dog"], ["a cat sat"], "rouge1")
    array([[0.8],
           [0.4]])
    """
    pool = ScoredPool(score, dict(options))
    height = None if blocks is None else check_range("blocks", blocks, 1, _MOST_ROWS)
    rows = pool.add("texts", texts)
    if isinstance(others, str):
        expected = "expected a sequence of texts, one per column."
        remedy = "Name a score with score=."
        raise TypeError(describe_value("others", "one str", expected, remedy))
    columns = rows if others is None else pool.add("others", others)

    def score_rows(start: int, stop: int) -> Floats | dict[str, Floats]:
        found = pool.score_block(rows[start:stop], columns)
        return found[score] if isinstance(score, str) else found

    if height is None:
        return score_rows(0, len(rows))
    return (score_rows(start, start + height) for start in range(0, len(rows), height))


class ScoredPool:
    """Texts that are compared with each other by one or more scores.

    Attributes:
        names: of the scores, as they were asked for.
    """

    def __init__(self, score: object, options: dict[str, Any]) -> None:
        """Check the scores, which may be parts such as ``rougeL_recall``, and the options."""
        self.names = check_scores(score)
        bases = tuple(dict.fromkeys(map(find_base, self.names)))
        self._options, self._families = check_options(bases, options)
        self._prepare()
        are_ids = self._plan.counts_ids
        self._pools = {name: Pool(are_ids=are_ids) for name in self._plan.scores}
        self._check_parts()

    def _prepare(self) -> None:
        self._plan = self._options.plan(self._families)
        if current_kernel() == "python":
            # The compiled kernel keeps the tokens itself.
            self._plan = cache_tokens(self._plan, most_texts=None)
        self._letters = LetterLosses()
        self._checks = _CHECKS

    def __getstate__(self) -> dict[str, Any]:
        kept = ("names", "_options", "_families", "_pools")
        return {name: vars(self)[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()

    def __len__(self) -> int:
        return len(next(iter(self._pools.values())).texts)

    def add(self, name: str, texts: object) -> Ints:
        """Check the texts, or token ids, of an argument; add them, and return their indices."""
        checked, are_ids = check_texts(name, texts)
        first = len(self)
        try:
            check_kind(self._plan, are_ids=are_ids)
            if are_ids:
                rules = self._plan.ids
                checked = [rules.keep(ids, f"{name}[{index}]") for index, ids in enumerate(checked)]
            samples = Samples(checked, checked, np.arange(len(checked) + 1), are_ids)
            for check in self._plan.checks:
                check(samples)
            for family, part in self._plan.scores.items():
                self._pools[family].extend(part.prepare(Pool(checked, are_ids=are_ids)).texts)
            indices = np.arange(first, len(self))
            # Each text is tokenized now, so that no later call meets an error of a tokenizer.
            counts = self.count(indices, np.arange(len(indices) + 1), indices)
            if self._checks and not are_ids:
                # Warn once if the options leave nothing of one of the first texts, or drop letters.
                warned = warn_of_tokenization(samples, counts, self._plan, self._letters)
                self._checks = 0 if warned else self._checks - 1
        except BaseException as error:
            self.truncate(first)
            if isinstance(error, SplitError):
                # A limit may have left only the start of the text.
                starts = (i for i, text in enumerate(checked) if text.startswith(error.text))
                place = Argument(f"{name}[{next(starts, 0)}]")
                raise value_error("{}: {}", place, get_message(error)) from error
            if isinstance(error, TypeError | ValueError):
                rename_arguments(error, {"predictions": name, "references": name})
            raise
        return indices

    def add_groups(self, name: str, groups: Groups) -> Ints:
        """Add the texts of checked groups, and return their indices."""
        with groups.name_places(name, name):
            return self.add(name, groups.texts)

    def truncate(self, count: int) -> None:
        """Remove all but the first texts."""
        for pool in self._pools.values():
            pool.truncate(count)

    def count(self, rows: Ints, offsets: Ints, columns: Ints) -> SampleCounts:
        """Count pairs of texts; the arguments are those of ``PoolPairs``."""
        arrays: dict[str, Any] = {}
        for family, part in self._plan.scores.items():
            arrays.update(part.count(PoolPairs(self._pools[family], rows, offsets, columns)))
        return from_pairs(arrays, self._plan.layouts, len(columns))

    def score(self, rows: Ints, offsets: Ints, columns: Ints) -> dict[str, Floats]:
        """Return the scores of pairs of texts by name, each of shape (pairs,)."""
        found = self._score_counts(self.count(rows, offsets, columns))
        return {name: found[name] for name in self.names}

    def score_block(self, rows: Ints, columns: Ints) -> dict[str, Floats]:
        """Return the scores of predictions with references, each of shape (rows, columns)."""
        found = {name: np.empty((len(rows), len(columns))) for name in self.names}
        height = max(1, _BLOCK // max(1, min(len(columns), _BLOCK)))
        for left in range(0, len(columns), _BLOCK):
            block = columns[left : left + _BLOCK]
            tiled = np.tile(block, height)
            offsets = np.arange(height + 1) * len(block)
            for top in range(0, len(rows), height):
                some = rows[top : top + height]
                count = len(some)
                pairs = self.score(some, offsets[: count + 1], tiled[: count * len(block)])
                for name, scores in pairs.items():
                    place = found[name][top : top + count, left : left + len(block)]
                    place[:] = scores.reshape(place.shape)
        return found

    def find_only(self) -> tuple[Score, Pool]:
        """Return the family of the only score, and the texts."""
        (score,) = self._plan.scores.values()
        (texts,) = self._pools.values()
        return score, texts

    def _score_counts(self, counts: SampleCounts) -> dict[str, Floats]:
        found: dict[str, Floats] = {}
        for part in self._plan.scores.values():
            found.update(part.score_details(counts))
        return found

    def _check_parts(self) -> None:
        """Raise ValueError for a part that a score does not have."""
        layouts = self._plan.layouts
        zeros: dict[str, Any] = {
            name: np.zeros((1, *layout.row), layout.dtypes[0]) for name, layout in layouts.items()
        }
        known = self._score_counts(from_pairs(zeros, layouts, 1))
        for name in self.names:
            if name not in known:
                expected = f"expected one of {', '.join(known)}."
                raise value_error("{score} has {!r}", name, expected=expected)


def find_base(name: Any) -> Any:
    """Return the score of a part, such as ``rougeL`` of ``rougeL_recall``."""
    base, _, part = str(name).rpartition("_")
    is_part = part in ("precision", "recall", "fmeasure") and isinstance(name, str)
    return base if is_part else name


def pair_with_earlier(sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Pair each text with those before it in its group; return rows, offsets and columns.

    >>> [array.tolist() for array in pair_with_earlier(np.array([3, 2]))]
    [[0, 1, 2, 3, 4], [0, 0, 1, 3, 3, 4], [0, 0, 1, 3]]
    """
    starts = np.repeat(to_offsets(sizes)[:-1], sizes)
    texts = np.arange(len(starts))
    earlier = texts - starts
    offsets = to_offsets(earlier)
    columns = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - starts, earlier)
    return texts, offsets, columns


def split_rows(pairs: Ints) -> Iterator[slice]:
    """Split rows with these numbers of pairs into parts of one row, or of at most ``_BLOCK`` pairs.

    >>> list(split_rows(np.array([100_000, 30_000, 10_000])))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    ends = np.cumsum(pairs)
    start = before = 0
    while start < len(pairs):
        stop = int(np.searchsorted(ends, before + _BLOCK, side="right"))
        stop = max(stop, start + 1)
        yield slice(start, stop)
        start, before = stop, int(ends[stop - 1])
