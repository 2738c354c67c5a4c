"""Texts that are scored against each other; each is tokenized once."""

from typing import Any, Final

import numpy as np

from ...counting.kernels import current_kernel
from ...counting.pools import Ints, Pool, PoolPairs
from ...families.base import Counting, Floats, Scoring
from ...families.counts import SampleCounts, from_pairs
from ...messages import Argument, get_message, rename_arguments, value_error
from ...samples.inputs import Samples, check_texts
from ...scoring.counting import check_kind
from ...scoring.lost_texts import warn_of_lost_texts
from ...scoring.pair_checks import check_options, check_scores
from ...scoring.token_cache import cache_tokens
from ...text.letter_warnings import LetterLosses
from ...text.sentences import SplitError

# What scores of three parts may be asked for, as in ``rougeL_recall``.
PARTS: Final = ("precision", "recall", "fmeasure")

# How many times texts that are added are checked for options that do not suit them.
_CHECKS: Final = 64

# Pairs that are counted at once. A matrix of instructions takes longer with half as many, because
# the threads wait for each other more often, and with twice as many, which the cache does not hold.
_BLOCK: Final = 1 << 17


class ScoredPool:
    """Texts that are compared with each other by one or more scores.

    Attributes:
        names: of the scores, as they were asked for.
        options: checked.
    """

    def __init__(self, score: object, options: dict[str, Any]) -> None:
        """Check the scores and the options.

        Args:
            score: a score of ``PairScorer``, or several; ``_precision``, ``_recall`` or
                ``_fmeasure`` after it selects a part.
            options: those of ``PairScorer``.

        Raises:
            TypeError: an option is unknown, or asks for another output.
            ValueError: a score is unknown, comes twice, or has no such part.
        """
        self.names = check_scores(score)
        bases = tuple(dict.fromkeys(map(find_base, self.names)))
        self.options, self._families = check_options(bases, options)
        self._prepare()
        self._pools = {name: Pool(are_ids=self.are_ids) for name in self._counting.parts}
        self._check_parts()

    def _prepare(self) -> None:
        self._plan = self.options.plan(self._families)
        counting = self._plan.counting
        if current_kernel() == "python":
            # The compiled kernel keeps the tokens itself.
            counting = cache_tokens(counting, most_texts=None)
        self._counting = counting
        self._letters = LetterLosses()
        self._checks = _CHECKS

    def __getstate__(self) -> dict[str, Any]:
        kept = ("names", "options", "_families", "_pools")
        return {name: vars(self)[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()

    @property
    def are_ids(self) -> bool:
        """Return whether the texts are sequences of token ids."""
        return bool(self._plan.counting.of_ids)

    def __len__(self) -> int:
        return len(next(iter(self._pools.values())).texts)

    def add(self, name: str, texts: object) -> Ints:
        """Check texts, and add them.

        Args:
            name: of the argument that has them, for errors.
            texts: sequence of str, or of sequences of token ids with ``tokenizer="ids"``.

        Returns:
            Their indices.

        Raises:
            TypeError: an item is not a text.
            ValueError: there is no text.
        """
        checked, are_ids = check_texts(name, texts)
        first = len(self)
        try:
            check_kind(self._counting, are_ids=are_ids)
            if are_ids:
                rules = self._counting.ids
                checked = [rules.keep(ids, f"{name}[{index}]") for index, ids in enumerate(checked)]
            samples = Samples(checked, checked, np.arange(len(checked) + 1), are_ids)
            for check in self._counting.checks:
                check(samples)
            for family, part in self._counting.parts.items():
                self._pools[family].extend(part.prepare(Pool(checked, are_ids=are_ids)).texts)
            indices = np.arange(first, len(self))
            # Each text is tokenized now, so that no later call meets an error of a tokenizer.
            counts = self._count(indices, np.arange(len(indices) + 1), indices)
            self._warn(samples, counts)
        except BaseException as error:
            self.truncate(first)
            if isinstance(error, SplitError):
                place = _find_place(name, checked, error.text)
                raise value_error("{}: {}", place, get_message(error)) from error
            if isinstance(error, TypeError | ValueError):
                rename_arguments(error, {"predictions": name, "references": name})
            raise
        return indices

    def truncate(self, count: int) -> None:
        """Remove all but the first texts."""
        for pool in self._pools.values():
            pool.truncate(count)

    def score(self, rows: Ints, offsets: Ints, columns: Ints) -> dict[str, Floats]:
        """Return the scores of pairs of texts, by name; the arguments are those of ``PoolPairs``.

        Returns:
            float64, shape (pairs,).
        """
        found = self._score_counts(self._count(rows, offsets, columns))
        return {name: found[name] for name in self.names}

    def score_block(self, rows: Ints, columns: Ints) -> dict[str, Floats]:
        """Return the scores of each of some texts with each of others, by name.

        Args:
            rows: indices of the predictions.
            columns: indices of the references.

        Returns:
            float64, shape (rows, columns).
        """
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

    def find_only(self) -> tuple[Counting, Scoring[Any], Pool]:
        """Return what the family of the only score counts, how it scores, and the texts."""
        ((counting, scoring, texts),) = zip(
            self._counting.parts.values(),
            self._plan.scoring.parts.values(),
            self._pools.values(),
            strict=True,
        )
        return counting, scoring, texts

    def _count(self, rows: Ints, offsets: Ints, columns: Ints) -> SampleCounts:
        arrays: dict[str, Any] = {}
        for family, part in self._counting.parts.items():
            arrays.update(part.count(PoolPairs(self._pools[family], rows, offsets, columns)))
        return from_pairs(arrays, self._counting.layouts, len(columns))

    def _score_counts(self, counts: SampleCounts) -> dict[str, Floats]:
        found: dict[str, Floats] = {}
        for part in self._plan.scoring.parts.values():
            found.update(part.score_details(counts))
        return found

    def _check_parts(self) -> None:
        """Raise ValueError for a part that a score does not have."""
        layouts = self._counting.layouts
        zeros: dict[str, Any] = {
            name: np.zeros((1, *layout.row), layout.dtypes[0]) for name, layout in layouts.items()
        }
        known = self._score_counts(from_pairs(zeros, layouts, 1))
        for name in self.names:
            if name not in known:
                expected = f"expected one of {', '.join(known)}."
                raise value_error("{score} has {!r}", name, expected=expected)

    def _warn(self, samples: Samples, counts: SampleCounts) -> None:
        """Warn once if the options leave nothing of one of the first texts, or drop letters."""
        if not self._checks or samples.are_ids:
            return
        has_warned = warn_of_lost_texts(samples, counts, self._counting, self._letters)
        self._checks = 0 if has_warned else self._checks - 1


def _find_place(name: str, texts: list[str], start: str) -> Argument:
    """Name the first text that has this start, which a limit may have left of it."""
    places = (index for index, text in enumerate(texts) if text.startswith(start))
    return Argument(f"{name}[{next(places, 0)}]")


def find_base(name: Any) -> Any:
    """Return the score of a part, such as ``rougeL`` of ``rougeL_recall``."""
    base, _, part = str(name).rpartition("_")
    return base if part in PARTS and isinstance(name, str) else name
