"""BLEU and ROUGE as a ``Metric`` of torchmetrics, for its loops and those of Lightning.

Its states are the counts of a ``Scorer``. Batches, ranks and merged metrics therefore give scores
bit-identical to those of all samples at once, not the mean of the scores of batches.
"""

from typing import TYPE_CHECKING, Any

from ..extras import needs
from ..families.registry import FAMILIES
from ..messages import rename_arguments
from ..options.errors import check_one_number
from ..options.keywords import OptionKeywords
from ..options.options import Options, write_keywords
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
from ..scoring.results import list_logged
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import TextWarnings
from .torch_states import KEYS, count_nothing, to_tensors

with needs("BleuRouge", "torchmetrics"):
    import torch
    from torchmetrics import Metric

    from .torch_metric import CountMetric, MetricArguments

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BleuRouge"]


class MetricKeywords(OptionKeywords, MetricArguments, total=False):
    """All options, and what every ``Metric`` takes."""


class BleuRouge(CountMetric):
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
        if plan.has_seed and seed is None:
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
        self._counting = plan
        self._texts = TextWarnings()
        if score is not None:
            self._check_score(score)
        self._add_states()

    def _check_score(self, score: str) -> None:
        """Raise ValueError if the options give no such score."""
        scorer = Scorer.from_options(self.options, self.families, self.seed)
        scorer.update_counts(count_nothing(self._counting))
        names = list(list_logged(scorer.result()))
        if score not in names:
            raise ValueError(
                f"score is {score!r}, but the scores of these options are "
                f"{', '.join(map(repr, names))}."
            )

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
        if self._is_filled() and bool(getattr(self, KEYS)) != (checked is not None):
            raise ValueError("Some samples have keys; give keys for all samples, or for none.")
        counts = count_samples(samples, self._counting)
        self._texts.check(samples, counts, self._counting)
        batch = CountedBatch(counts, checked)
        for name, rows in to_tensors(batch, self._counting, self.device).items():
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
            ``profile="sacrebleu"`` is ``bleu`` too. With ``score`` one scalar tensor.

        Raises:
            ValueError: there are no samples, or a key names two different samples.
        """
        self._texts.warn_of_lines(self._counting)
        numbers = list_logged(self.scorer().result())
        dtype = torch.float32 if self.device.type == "mps" else torch.float64
        scores = {
            name: torch.tensor(float(number), dtype=dtype, device=self.device)
            for name, number in numbers.items()
        }
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
        count = 1
        if isinstance(incoming_state, BleuRouge):
            check_same_functions(self.options, incoming_state.options)
            count, incoming_state = incoming_state.update_count, incoming_state.metric_state
        self._append(incoming_state)
        self._note_change(count)

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
