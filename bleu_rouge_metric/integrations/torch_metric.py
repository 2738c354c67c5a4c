"""A ``Metric`` of torchmetrics whose states are counts of samples: the base of ``BleuRouge``.

States of other ranks, of checkpoints and of other metrics are checked before they are kept.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypedDict

import torch
from torchmetrics import Metric
from torchmetrics.utilities.distributed import gather_all_tensors
from torchmetrics.utilities.exceptions import TorchMetricsUserError

from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..scoring.ranks import check_rank, find_rank, warn_of_repeats
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import TextWarnings
from .torch_states import (
    FINGERPRINT,
    RANK,
    check_fingerprint,
    fit_rows,
    join_facts,
    keep_fingerprint,
    list_dtypes,
    list_unkeyed,
    make_empty,
    make_fingerprint,
    to_batch,
)

_WITHOUT_SAMPLES: Final = (
    "Lightning saves the states of rank 0 only. Save while the metric has no samples, or call "
    "metric.persistent(False) before. To load the rest of this checkpoint, remove the states of "
    "the metric from it."
)


class MetricArguments(TypedDict, total=False):
    """What every ``Metric`` of torchmetrics takes."""

    compute_on_cpu: bool
    dist_sync_on_step: bool
    process_group: Any
    dist_sync_fn: Callable[..., Any] | None
    distributed_available_fn: Callable[[], bool] | None
    sync_on_compute: bool
    compute_with_cache: bool


class CountMetric(Metric):
    """A ``Metric`` that keeps counts; a subclass checks the options and calls ``_add_states``.

    Attributes:
        options: that the samples are counted with.
        families: the families that are scored.
        seed: of the random stream of resampling.
    """

    options: Options
    families: tuple[Family, ...]
    seed: int
    _counting: Plan
    _texts: TextWarnings

    def _add_states(self) -> None:
        """Add the states of the counts to the metric, without samples."""
        # First, as collections of torchmetrics 1.4 to 1.6 compare the first state alone.
        fingerprint = make_fingerprint(self.options, self.families)
        self.add_state(FINGERPRINT, default=fingerprint, dist_reduce_fx=keep_fingerprint)
        for name in list_dtypes(self._counting):
            self.add_state(name, default=[], dist_reduce_fx="cat")

    def _read(self, states: Mapping[str, Any]) -> Scorer:
        """Return a scorer of the samples of states."""
        scorer = Scorer.from_options(self.options, self.families, self.seed, self._texts.given)
        batch = to_batch(states, self._counting)
        if batch is not None:
            scorer.update_counts(*batch)
        return scorer

    def _append(self, states: object) -> None:
        """Append states by name; raise ValueError if they are none of these options."""
        if not isinstance(states, dict) or states.keys() != self._defaults.keys():
            raise ValueError(
                f"incoming_state is {type(states).__name__}; expected a BleuRouge, or a "
                f"dict of its states: {', '.join(self._defaults)}."
            )
        check_fingerprint(self._defaults[FINGERPRINT], states[FINGERPRINT])
        joined = {
            name: [
                *getattr(self, name),
                *fit_rows(name, states[name], self._counting, self.device),
            ]
            for name in list_dtypes(self._counting)
        }
        # Whatever does not fit is an error before anything has changed.
        self._read(joined)
        for name, rows in joined.items():
            setattr(self, name, rows)

    def _is_filled(self) -> bool:
        return bool(self.reference_counts)

    def _check_local(self) -> None:
        """Raise TorchMetricsUserError if the states are those of all ranks."""
        if self._is_synced:
            raise TorchMetricsUserError(
                "The metric is synced, so that its states are those of all ranks; call unsync "
                "before update and merge_state."
            )

    def _note_change(self, updates: int) -> None:
        """Forget a result that was kept, and say that there are samples."""
        self._computed = None
        self._update_count += updates

    @contextmanager
    def sync_context(self, *args: Any, **kwargs: Any) -> Iterator[None]:
        """Synchronise the states for a block; after an error in it they are local again too."""
        try:
            with super().sync_context(*args, **kwargs):
                yield
        except BaseException:
            if self._is_synced and kwargs.get("should_unsync", True):
                self.unsync()
            raise

    def _sync_dist(
        self, dist_sync_fn: Callable[..., Any] = gather_all_tensors, process_group: Any = None
    ) -> None:
        # First what has the same shape on every rank, so that other options are an error on all.
        own = join_facts(self.metric_state)
        gathered = dist_sync_fn(own, group=process_group or self.process_group)
        keep_fingerprint(gathered)
        # Batches of one step, which forward gathers, are of one size on every rank.
        if self._should_unsync:
            warn_of_repeats(list_unkeyed(gathered), self._texts.given)
        # A rank without samples takes part with no rows, of the type that the others have.
        for name in list_dtypes(self._counting):
            if not getattr(self, name):
                setattr(self, name, [make_empty(name, self._counting, self.device)])
        super()._sync_dist(dist_sync_fn, process_group)

    def _copy_state_dict(self) -> dict[str, Any]:
        # Fast path: equals copies of all tensors, which are never changed in place. 500 calls of
        # forward take a tenth of the time (bench/training.py).
        return {
            name: state if isinstance(state, torch.Tensor) else list(state)
            for name, state in self.metric_state.items()
        }

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: Any) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        # States without samples, and those of all ranks, are the same on every rank.
        if self._persistent[FINGERPRINT] and not self._is_synced and self._is_filled():
            destination[prefix + RANK] = torch.tensor(find_rank())

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *others: Any) -> None:
        rank = state_dict.pop(prefix + RANK, None)
        held = self._copy_state_dict()
        is_given = any(prefix + name in state_dict for name in self._defaults)
        super()._load_from_state_dict(state_dict, prefix, *others)
        if not is_given:
            return
        # The last argument is torch's list of errors, which it raises together.
        errors = others[-1]
        try:
            if rank is not None:
                made_on, ranks = rank.tolist()
                check_rank(made_on, ranks, _WITHOUT_SAMPLES)
            check_fingerprint(self._defaults[FINGERPRINT], getattr(self, FINGERPRINT))
            for name in list_dtypes(self._counting):
                rows = fit_rows(name, getattr(self, name), self._counting, self.device)
                setattr(self, name, rows)
            self._read(self.metric_state)
        except (TypeError, ValueError) as error:
            errors.append(f"{prefix}{type(self).__name__}: {error}")
            for name, state in held.items():
                setattr(self, name, state)
            return
        # That of the functions is of another process.
        setattr(self, FINGERPRINT, held[FINGERPRINT])
        self._update_count = 0
        self._note_change(int(self._is_filled()))
