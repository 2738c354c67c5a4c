"""Find out how many samples belong to an evaluation, and how many are repeats.

If ranks need a full last batch, they fill it with the first samples of the data set, in order; they
repeat a small data set several times. Only these repeats are left out.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from ..messages import count_noun
from .trainer_arrays import Pairs

_EXPECTED: Final = (
    "expected None, the number of samples of the evaluation set, a list of the numbers of several "
    "sets, or a function that returns the number."
)
_REMEDY: Final = (
    "Give num_samples=len(dataset) of the dataset that is evaluated; for several datasets a list "
    "of all their lengths"
)


def make_sizes(num_samples: object) -> Callable[[], Sequence[int]]:
    """Return a function that returns the possible sizes, ascending; none if they are unknown."""
    if callable(num_samples):
        return lambda: (_check_size("num_samples()", num_samples()),)
    sizes: set[int] = set()
    if isinstance(num_samples, list | tuple):
        if not num_samples:
            raise ValueError(f"num_samples is {num_samples}; {_EXPECTED}")
        sizes = {_check_size(f"num_samples[{index}]", one) for index, one in enumerate(num_samples)}
    elif num_samples is not None:
        sizes = {_check_size("num_samples", num_samples)}
    return lambda: sorted(sizes)


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
    """Find which of several sizes an evaluation has, batch by batch; ``samples`` came so far."""

    def __init__(self, sizes: Sequence[int]) -> None:
        """Begin with the possible sizes, ascending; none if every sample counts."""
        self._sizes = sizes
        # The sizes that no sample contradicts so far.
        self._possible = list(sizes)
        # Ranks repeat at most one batch, so it is enough to keep the first batch.
        self._first: Pairs = []
        self._last: Pairs = []
        self.samples = 0

    @property
    def certain(self) -> int:
        """Return how many samples so far are certainly not repeats."""
        return min([self.samples, *self._possible])

    def add(self, batch: Pairs) -> None:
        """Remove the sizes that a batch contradicts; raise ValueError if none remains."""
        self._first = self._first or batch
        for size in tuple(self._possible):
            problem = self._find_difference(batch, size)
            if problem:
                self._possible.remove(size)
                if not self._possible:
                    raise ValueError(f"num_samples is {self._show()}, but {problem}")
        self.samples += len(batch)
        self._last = batch[-1:] or self._last

    def _find_difference(self, batch: Pairs, size: int) -> str:
        """Return why samples beyond a size are not repeats of the first ones; "" if they are."""
        for place, (prediction, label) in enumerate(batch, self.samples):
            if place < size:
                continue
            origin, remedy = (place - size) % size, "."
            if origin >= len(self._first):
                reason = "ranks repeat no more than one batch each"
            elif label != self._first[origin][1]:
                reason = "its labels differ"
            elif prediction != self._first[origin][0]:
                reason = "its prediction differs"
                remedy = ". If only sampling or rounding makes it another, leave num_samples out."
            else:
                continue
            return (
                f"sample {place} came too, and it is not sample {origin} again, with which ranks "
                f"fill their last batch: {reason}. {_REMEDY}{remedy}"
            )
        return ""

    def find_repeat(self, ranks: int) -> int | None:
        """Return the first sample whose labels the last sample has; None if there is none.

        Ranks that repeat samples have the same number each, and the last sample is then one of the
        first batch of all ranks. Predictions of a sample may differ, after sampling or rounding.
        None if the number of samples is known.
        """
        if self._sizes or ranks < 2 or self.samples % ranks or not self._last:
            return None
        labels = [label for _, label in self._first[: self.samples - 1]]
        last = self._last[0][1]
        return labels.index(last) if last in labels else None

    def decide(self) -> int:
        """Return the size, after the last batch; raise ValueError unless there is one."""
        if not self._sizes:
            return self.samples
        fits = [size for size in self._possible if size <= self.samples]
        came = f"{count_noun(self.samples, 'sample')} came"
        if not fits:
            raise ValueError(
                f"{came}, but num_samples is {self._show()}: some were lost, "
                f"or another dataset was evaluated. {_REMEDY}, and leave "
                "dataloader_drop_last False."
            )
        if len(fits) > 1:
            raise ValueError(
                f"{came}, and more than one of num_samples={self._show()} "
                f"fits: {' and '.join(map(str, fits))}. The samples beyond the smaller number are "
                "the first ones again, and these may be repeats of ranks or a part of the larger "
                "dataset. Let num_samples be a function that returns the size of the dataset that "
                "is evaluated at present."
            )
        return fits[0]

    def _show(self) -> str:
        """Return the sizes for errors: one number, or a list."""
        return str(self._sizes[0] if len(self._sizes) == 1 else list(self._sizes))
