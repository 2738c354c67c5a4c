"""BLEU and ROUGE as a ``Metric`` of torchmetrics, for its loops and those of Lightning.

Its states are the counts of a ``Scorer``. Batches, ranks and merged metrics therefore give scores
bit-identical to those of all samples at once, not the mean of the scores of batches. States of
other ranks, of checkpoints and of other metrics are checked before they are kept.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import nan
from typing import TYPE_CHECKING, Any, Final, TypedDict

from ..extras import needs
from ..families.registry import FAMILIES
from ..messages import rename_arguments
from ..options.errors import check_one_number
from ..options.keywords import OptionKeywords
from ..options.options import Options, write_keywords
from ..options.plans import Plan
from ..options.profiles import (
    BOTH,
    Family,
    check_family,
    find_profile,
    find_profile_with,
)
from ..options.same_counts import check_same_functions
from ..samples.inputs import check_samples
from ..scoring.batches import CountedBatch, check_keys
from ..scoring.counting import count_samples
from ..scoring.intervals import warn_of_seed
from ..scoring.ranks import check_rank, find_rank, warn_of_repeats
from ..scoring.results import list_logged
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import TextWarnings

with needs("BleuRouge", "torchmetrics"):
    import torch
    from torchmetrics import Metric
    from torchmetrics.utilities.distributed import gather_all_tensors
    from torchmetrics.utilities.exceptions import TorchMetricsUserError

    from .torch_states import (
        FINGERPRINT,
        KEYS,
        RANK,
        check_fingerprint,
        count_nothing,
        fit_rows,
        join_facts,
        keep_fingerprint,
        list_states,
        list_unkeyed,
        make_empty,
        make_fingerprint,
        to_batch,
        to_tensors,
    )

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BleuRouge"]

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


class MetricKeywords(OptionKeywords, MetricArguments, total=False):
    """All options, and what every ``Metric`` takes."""


class BleuRouge(Metric):
    """A torchmetrics ``Metric`` that returns the scores of ``metric.compute``.

    Attributes:
        options: checked; what ``metric.compute`` takes.
        families: the families that are scored.
        score: the one score that is given back; None for all.
        seed: of the random stream of resampling.

    >>> metric = BleuRouge("rouge", rouge_types=["rouge1"])
    >>> metric(["the cat"], ["the cat sat"])  # of the batch; the samples are kept
    {'rouge1': tensor(0.8000, dtype=torch.float64)}
    >>> metric.update(["a dog"], [["the dog", "a cat"]])
    >>> metric.compute()
    {'rouge1': tensor(0.6500, dtype=torch.float64)}
    """

    is_differentiable = False
    higher_is_better = True
    # Counts of a batch are added to those of all: forward counts a text once.
    full_state_update = False
    plot_lower_bound = 0.0

    def __init__(
        self,
        family: Family | None = None,
        *,
        score: str | None = None,
        seed: int | None = None,
        **options: "Unpack[MetricKeywords]",
    ) -> None:
        """Check the options.

        Args:
            family: ``"bleu"`` or ``"rouge"`` for one alone; None for both.
            score: the name of one number of the result, such as ``bleu``, ``rougeL`` or
                ``precision_1``: the result is this number, and no dict, as ``self.log(name,
                metric)`` of Lightning wants it. Without ``family`` only what it needs is counted.
            seed: of the random stream of resampling, below 2 ** 32; the same on every rank.
            **options: the options of ``metric.compute``, but not those that give lists; and those
                of every ``Metric``, such as ``sync_on_compute`` and ``process_group``.

        Raises:
            ImportError: torch or torchmetrics is not installed.
            TypeError: an option is unknown, or a value is of a wrong type.
            ValueError: a value is out of range, an option gives more than one number per score,
                there is no such score, or scores are resampled without a seed.
        """
        given: dict[str, Any] = {**options}
        arguments = MetricArguments.__annotations__
        super().__init__(**{name: given.pop(name) for name in arguments if name in given})
        if score is not None:
            family, given = _choose_counts(score, family, given)
        families = check_family(family)
        self.options = Options.from_keywords(given, families)
        check_one_number(self.options.values())
        plan = self.options.plan(families)
        if "seeded" in plan.streams and seed is None:
            raise ValueError(
                "The options resample, but there is no seed; give one, such as seed=0, so that "
                "every rank and every run draws the same samples."
            )
        # Checks the seed too.
        self.families = plan.families
        self.seed = Scorer.from_options(self.options, self.families, seed or 0).seed
        if seed is not None:
            warn_of_seed(self.options, self.families, seed)
        self.score = score
        self._texts = TextWarnings()
        if score is not None and score not in (names := self._score_nothing()):
            raise ValueError(
                f"score is {score!r}, but the scores of these options are "
                f"{', '.join(map(repr, names))}."
            )
        # First, as collections of torchmetrics 1.4 to 1.6 compare the first state alone.
        fingerprint = make_fingerprint(self.options, self.families)
        self.add_state(FINGERPRINT, default=fingerprint, dist_reduce_fx=keep_fingerprint)
        for name in list_states(self._plan):
            self.add_state(name, default=[], dist_reduce_fx="cat")

    @property
    def _plan(self) -> Plan:
        """Return what is counted; it is not pickled."""
        return self.options.plan(self.families)

    def _score_nothing(self) -> dict[str, float]:
        """Return the scores of no samples, as BLEUScore and ROUGEScore of torchmetrics do."""
        numbers: dict[str, float] = {}
        for family in self.families:
            scorer = Scorer.from_options(self.options, [family], self.seed)
            scorer.update_counts(count_nothing(self.options.plan([family])))
            # BLEU of no text is 0; no mean of nothing is a number.
            value = 0.0 if family == BOTH[0] else nan
            numbers.update(dict.fromkeys(list_logged(scorer.result()), value))
        return numbers

    def update(self, preds: object, target: object, *, keys: object = None) -> None:
        """Add a batch of samples. If this raises, the metric is unchanged.

        Args:
            preds: sequence of str, one per sample; or one str.
            target: sequence of the same length; each item one str or a sequence of str. For one
                str its references: a str or a sequence of str.
            keys: sequence of ints, one per sample, such as its index in the data set. Samples are
                then in the order of their keys, and one that comes again, as those with which a
                ``DistributedSampler`` fills the last ranks, counts once.

        Raises:
            TypeError: an item is of a type that cannot be scored, or a key is not an int.
            ValueError: there is no sample, the lengths differ, or some samples have keys and
                others have none.
        """
        self._check_local()
        if isinstance(preds, str):
            preds, target = [preds], [target]
        try:
            samples = check_samples(preds, target)
        except (TypeError, ValueError) as error:
            rename_arguments(error, {"predictions": "preds", "references": "target"})
            raise
        checked = check_keys(keys, len(samples.predictions))
        if self.reference_counts and bool(getattr(self, KEYS)) != (checked is not None):
            raise ValueError("Some samples have keys; give keys for all samples, or for none.")
        counts = count_samples(samples, self._plan)
        self._texts.check(samples, counts, self._plan)
        batch = CountedBatch(counts, checked)
        for name, rows in to_tensors(batch, self._plan, self.device).items():
            getattr(self, name).append(rows)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch of samples as ``update`` does, and return the scores of the batch.

        If this raises, the metric is unchanged.
        """
        # torchmetrics puts the samples of other batches aside, and would lose them.
        before = {**vars(self), **self._copy_state_dict()}
        try:
            return super().forward(*args, **kwargs)
        except BaseException:
            self.__dict__.update(before)
            raise

    def compute(self) -> Any:
        """Return the scores of the samples of all ranks, and keep the samples.

        Returns:
            Scalar tensors by name, float64 (on ``mps``, which has none, float32): the keys of
            ``metric.compute``, but ``precisions`` is ``precision_1`` to the maximal order, and
            with ``detailed=True`` a score is three, such as ``rouge1_recall``; the ``score`` of
            ``profile="sacrebleu"`` is ``bleu`` too. With ``score`` one scalar tensor. Without
            samples torchmetrics warns, and BLEU is 0 and ROUGE NaN, as those of torchmetrics are.

        Raises:
            ValueError: a key names two different samples.
        """
        self._texts.warn_of_lines(self._plan)
        scorer = self.scorer()
        numbers = list_logged(scorer.result()) if len(scorer) else self._score_nothing()
        dtype = torch.float32 if self.device.type == "mps" else torch.float64
        values = torch.tensor(list(map(float, numbers.values())), dtype=dtype, device=self.device)
        scores = dict(zip(numbers, values, strict=True))
        return scores if self.score is None else scores[self.score]

    def scorer(self) -> Scorer:
        """Return a ``Scorer`` of the samples, for results that are not one number per score.

        They are those of this process, or, in ``metric.sync_context()``, those of all ranks.

        >>> metric = BleuRouge("rouge", rouge_types=["rouge1"])
        >>> metric.update(["the cat", "a dog"], ["the cat sat", "a dog"])
        >>> metric.scorer().result(use_aggregator=False)
        {'rouge1': [0.8, 1.0]}
        """
        return self._read(self.metric_state)

    def merge_state(self, incoming_state: "dict[str, Any] | Metric") -> None:
        """Append the samples of another metric, which is unchanged.

        Args:
            incoming_state: the other, or its states by name, as ``metric_state`` gives them.

        Raises:
            ValueError: it is something else, its options differ, or it has keys and this has none.
        """
        self._check_local()
        states, count = incoming_state, 1
        if isinstance(incoming_state, BleuRouge):
            check_same_functions(self.options, incoming_state.options, self.families)
            states, count = incoming_state.metric_state, incoming_state.update_count
        if not isinstance(states, dict) or states.keys() != self._defaults.keys():
            raise ValueError(
                f"incoming_state is {type(states).__name__}; expected a BleuRouge, or a "
                f"dict of its states: {', '.join(self._defaults)}."
            )
        check_fingerprint(self._defaults[FINGERPRINT], states[FINGERPRINT])
        joined = {
            name: [*getattr(self, name), *fit_rows(name, states[name], layout, self.device)]
            for name, layout in list_states(self._plan).items()
        }
        # Whatever does not fit is an error before anything has changed.
        self._read(joined)
        for name, rows in joined.items():
            setattr(self, name, rows)
        self._computed = None
        self._update_count += count

    def set_dtype(self, dst_type: object) -> "BleuRouge":
        """Return the metric as it is: counts are integers."""
        del dst_type
        return self

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one result or several; see torchmetrics."""
        return self._plot(val, ax)

    def extra_repr(self) -> str:
        """Return the options that were given."""
        family = self.families[0] if len(self.families) == 1 else None
        own = {"family": family, "score": self.score}
        given = {name: value for name, value in own.items() if value is not None}
        return write_keywords({**given, **self.options.to_keywords(self.families)})

    def _read(self, states: Mapping[str, Any]) -> Scorer:
        """Return a scorer of the samples of states."""
        scorer = Scorer.from_options(self.options, self.families, self.seed, self._texts.given)
        batch = to_batch(states, self._plan)
        if batch is not None:
            scorer.update_counts(*batch)
        return scorer

    def _check_local(self) -> None:
        """Raise TorchMetricsUserError if the states are those of all ranks."""
        if self._is_synced:
            raise TorchMetricsUserError(
                "The metric is synced, so that its states are those of all ranks; call unsync "
                "before update and merge_state."
            )

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
        for name, layout in list_states(self._plan).items():
            setattr(self, name, getattr(self, name) or [make_empty(layout, self.device)])
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
        if self._persistent[FINGERPRINT] and not self._is_synced and self.reference_counts:
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
            for name, layout in list_states(self._plan).items():
                setattr(self, name, fit_rows(name, getattr(self, name), layout, self.device))
            self._read(self.metric_state)
        except (TypeError, ValueError) as error:
            errors.append(f"{prefix}{type(self).__name__}: {error}")
            for name, state in held.items():
                setattr(self, name, state)
            return
        # That of the functions is of another process.
        setattr(self, FINGERPRINT, held[FINGERPRINT])
        self._computed = None
        self._update_count = int(bool(self.reference_counts))


def _choose_counts(
    score: object, family: Family | None, options: dict[str, Any]
) -> tuple[Family | None, dict[str, Any]]:
    """Return the family and the options that count what a score needs, unless a family is given."""
    if not isinstance(score, str):
        raise TypeError(
            f"score is {score!r}; expected the name of one score, such as 'rougeL', or none for a "
            "dict of all."
        )
    if family is not None:
        return family, options
    # Parts and bounds of a score, such as rougeL_recall and rougeL_low, are behind its name.
    for name in (score, score.rpartition("_")[0]):
        profile = options.get("profile") or find_profile_with([name])
        if profile and (known := find_profile(profile).find_family(name)) is not None:
            # A score of profiles whose results have its parts is asked for as one number.
            has_parts = name == score and "detailed" in find_profile(profile).presets
            plain = {"detailed": False} if has_parts else {}
            return known.group, {**known.ask([name]), "profile": profile, **plain, **options}
    for other in FAMILIES.values():
        other.check_name(score)
    # BLEU, the first family, returns more than its score: precision_1 and others.
    return BOTH[0], options
