"""Counted samples that threads add, and that nobody waits for while they are joined or sorted."""

from ..fork_locks import make_fork_lock
from .batches import CountedBatch, add_batch, order_batches


class SampleStore:
    """Batches of counted samples, all with keys or all without.

    Attributes:
        batches: a tuple that is replaced, and never changed, when samples are added.
    """

    # Of all stores, and a fork waits for it: it is held for a moment, to replace the batches. They
    # never change, so it is not held while all are joined or sorted.
    _lock = make_fork_lock()

    def __init__(self, batches: tuple[CountedBatch, ...] = ()) -> None:
        self.batches = batches

    def __len__(self) -> int:
        """Count the samples; one that came twice under a key counts twice until all are ordered."""
        return sum(batch.n_samples for batch in self.batches)

    def add(self, *batches: CountedBatch) -> None:
        """Append batches.

        Raises:
            ValueError: samples with keys would meet samples without.
        """
        with self._lock:
            for batch in batches:
                self.check_keyed(batch.keys is not None)
                self.batches = add_batch(self.batches, batch)

    def replace(self, *batches: CountedBatch) -> None:
        """Hold other batches instead; what another thread joins or sorts does not come back."""
        with self._lock:
            self.batches = batches

    def check_keyed(self, is_keyed: bool) -> None:  # noqa: FBT001 - the only argument
        """Raise ValueError if samples with keys would meet samples without."""
        batches = self.batches
        if batches and (batches[0].keys is not None) != is_keyed:
            held, given = ("have none", "keys") if is_keyed else ("have keys", "no keys")
            raise ValueError(
                f"The samples held so far {held}, but those given now have {given}; "
                "give keys for all samples, or for none."
            )

    def order(self) -> CountedBatch:
        """Return all samples in their order; keep them so, unless others were added meanwhile.

        Raises:
            ValueError: there are no samples, or a key names two different samples.
        """
        batches = self.batches
        if not batches:
            raise ValueError("There are no samples; give some to update first.")
        batch = order_batches(batches)
        with self._lock:
            if self.batches is batches:
                self.batches = (batch,)
        return batch
