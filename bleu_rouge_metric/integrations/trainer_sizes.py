"""Find out how many samples belong to an evaluation, and how many are repeats.

If ranks need a full last batch, they fill it with the first samples of the data set, in order; they
repeat a small data set several times. Only these repeats are left out.
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
    """Return a function that returns the sizes an evaluation may have, ascending; none if unknown.

    ``num_samples`` is the argument of ``compute_metrics``; a function is called at every
    evaluation.
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
    """Return the size as an int; raise an error unless it is an integer above 0."""
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        # The repr of other types, such as a data set, may be long.
        shown = repr(size) if isinstance(size, int | float | str) else f"a {type(size).__name__}"
        raise TypeError(f"{name} is {shown}; {_EXPECTED}")
    if size < 1:
        raise ValueError(f"{name} is {size}; {_EXPECTED}")
    return int(size)


class EvaluationSize:
    """Find which of several sizes an evaluation has, batch by batch.

    Args:
        sizes: possible sizes, ascending; empty if every sample counts.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        # The sizes that no sample contradicts so far.
        self._possible = list(sizes)
        self._first: Batch | None = None
        self._last: Batch | None = None
        self._samples = 0

    @property
    def certain(self) -> int:
        """Return how many samples so far are certainly not repeats."""
        return min([self._samples, *self._possible])

    def add(self, batch: Batch) -> None:
        """Remove the sizes that a batch contradicts; raise ValueError if none remains."""
        # Ranks repeat at most one batch, so it is enough to keep the first batch.
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
        self._last = batch if batch.n_samples else self._last

    def find_repeat(self, ranks: int) -> int | None:
        """Return the first sample whose labels the last sample has; None if there is none.

        Ranks that repeat samples have the same number each, and the last sample is then one of the
        first batch of all ranks. Predictions of a sample may differ, after sampling or rounding.
        None if the number of samples is known.
        """
        if self._sizes or ranks < 2 or self._samples % ranks or not (self._first and self._last):
            return None
        first = self._first.labels.to_lists()[: self._samples - 1]
        last = self._last.labels.to_lists()[-1]
        return first.index(last) if last in first else None

    def decide(self) -> int:
        """Return the size, after the last batch; raise ValueError unless there is one."""
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
        """Return the sizes for errors: one number, or a list."""
        return str(self._sizes[0] if len(self._sizes) == 1 else list(self._sizes))


def _find_difference(rest: Batch, first: Batch, start: int, size: int) -> str:
    """Return why samples beyond a size are not repeats of the first ones; "" if they are.

    Args:
        rest: the samples from index ``start`` on.
        first: the first samples of the evaluation.
        start: index of the first sample of ``rest``, at least ``size``.
        size: assumed size of the evaluation.
    """
    origins = (np.arange(start, start + rest.n_samples) - size) % size
    # Only the samples in ``first`` can be repeated.
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
