"""How many of the samples that came belong to an evaluation, and how many are repeats.

Ranks that need a full last batch fill it with the first samples of the data set, in order; a set
that is smaller than what is missing comes again from its start. Nothing else is left out.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from .trainer_arrays import Batch

_EXPECTED: Final = (
    "expected None, the number of samples of the evaluation set, a list of the numbers of several "
    "sets, or a function that returns the number."
)
_REMEDY: Final = (
    "Give num_samples=len(dataset) of the dataset that is evaluated; for several datasets a list "
    "of all their lengths"
)


def make_sizes(num_samples: object) -> Callable[[], tuple[int, ...]]:
    """Make a function that returns the sizes an evaluation may have, in ascending order.

    Args:
        num_samples: the argument of ``compute_metrics``. A function is called at every evaluation.

    Returns:
        The function; its tuple is empty if no size is known.

    Raises:
        TypeError: ``num_samples`` is of another type.
        ValueError: a size is below 1, or a list of sizes is empty.
    """
    if num_samples is None:
        return tuple
    if callable(num_samples):
        return lambda: (_check_size("num_samples()", num_samples()),)
    if isinstance(num_samples, list | tuple):
        if not num_samples:
            raise ValueError(f"num_samples is {num_samples}; {_EXPECTED}")
        given = [
            _check_size(f"num_samples[{index}]", size) for index, size in enumerate(num_samples)
        ]
    else:
        given = [_check_size("num_samples", num_samples)]
    sizes = tuple(sorted(set(given)))
    return lambda: sizes


def _check_size(name: str, size: object) -> int:
    """The size as an int; raises unless it is an integer above 0."""
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        # A data set itself would be long.
        shown = repr(size) if isinstance(size, int | float | str) else f"a {type(size).__name__}"
        raise TypeError(f"{name} is {shown}; {_EXPECTED}")
    if size < 1:
        raise ValueError(f"{name} is {size}; {_EXPECTED}")
    return int(size)


class EvaluationSize:
    """Finds out of which of some sizes an evaluation is, while its batches come.

    Args:
        sizes: ascending; none if every sample counts.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        # Those that no sample contradicts so far.
        self._possible = list(sizes)
        self._first: Batch | None = None
        self._samples = 0

    @property
    def certain(self) -> int:
        """How many of the samples that came are no repeats, whatever comes."""
        return min([self._samples, *self._possible])

    def add(self, batch: Batch) -> None:
        """Removes the sizes that a batch contradicts.

        Raises:
            ValueError: no size is left.
        """
        # No more than what ranks take at once is repeated, so the first batch is enough.
        first = self._first = self._first or batch
        for size in tuple(self._possible):
            start = max(size, self._samples)
            rest = batch.select(start - self._samples)
            problem = _find_difference(rest, first, start, size)
            if problem:
                self._possible.remove(size)
                if not self._possible:
                    raise ValueError(f"num_samples is {self._show()}, but {problem}")
        self._samples += batch.n_samples

    def decide(self) -> int:
        """The size, after the last batch.

        Raises:
            ValueError: more than one size is possible, or none.
        """
        if not self._sizes:
            return self._samples
        fits = [size for size in self._possible if size <= self._samples]
        if not fits:
            raise ValueError(
                f"{self._samples} samples came, but num_samples is {self._show()}: some were lost, "
                f"or another dataset was evaluated. {_REMEDY}, and leave "
                "dataloader_drop_last False."
            )
        if len(fits) > 1:
            raise ValueError(
                f"{self._samples} samples came, and more than one of num_samples={self._show()} "
                f"fits: {' and '.join(map(str, fits))}. The samples beyond the smaller number are "
                "the first ones again, and these may be repeats of ranks or a part of the larger "
                "dataset. Let num_samples be a function that returns the size of the dataset that "
                "is evaluated at present."
            )
        return fits[0]

    def _show(self) -> str:
        """The sizes as they were given."""
        return str(self._sizes[0] if len(self._sizes) == 1 else list(self._sizes))


def _find_difference(rest: Batch, first: Batch, start: int, size: int) -> str:
    """Why samples beyond a size are not the first ones again; "" if they are.

    Args:
        rest: the samples from ``start``.
        first: the first samples of the evaluation.
        start: at least ``size``.
        size: of the evaluation.
    """
    origins = (np.arange(start, start + rest.n_samples) - size) % size
    # Beyond those in ``first`` nothing is repeated.
    known = int(np.argmax(np.append(origins >= first.n_samples, True)))
    expected = first.take(origins[:known])
    labels = rest.labels.find_difference(expected.labels)
    predictions = rest.predictions.find_difference(expected.predictions)
    place = min(labels, predictions)
    if place == rest.n_samples:
        return ""
    remedy = "."
    if place == known:
        reason = "ranks repeat no more than one batch each"
    elif place == labels:
        reason = "its labels differ"
    else:
        reason = "its prediction differs"
        remedy = ". If only sampling or rounding makes it another, leave num_samples out."
    return (
        f"sample {start + place} came too, and it is not sample {origins[place]} again, with which "
        f"ranks fill their last batch: {reason}. {_REMEDY}{remedy}"
    )
