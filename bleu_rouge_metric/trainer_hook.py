"""The hook itself: from what a training loop hands over to flat scores.

It holds the batches of an evaluation until they are enough to be decoded and counted at once, and
keeps the counts alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from .scorer import Scorer
from .scoring import Value, flatten
from .token_rows import TokenRows, join_rows
from .trainer_arrays import Array, Batch, align_ids, is_logits, read_batches, take_first

# Decoding and counting have their fixed costs: batches wait until they are so many samples.
_PORTION: Final = 4096

# Values that ``percent`` leaves as they are.
_NO_SCORES: Final = frozenset(
    {
        *("brevity_penalty", "length_ratio", "translation_length", "reference_length"),
        *("counts", "totals", "bp", "sys_len", "ref_len"),
    }
)


class HookRules(NamedTuple):
    """How a hook scores.

    Attributes:
        make_scorer: gives an empty scorer of the options.
        decode: from ids to texts, one a sample; None where the ids themselves are scored.
        dropped: ids that stand for no token; first that of positions without a label.
        pads: ids that ``gen_len`` leaves out beside those.
        prefix: of the names of all scores.
        is_percent: whether scores are given times 100.
        num_samples: how many samples an evaluation has; None where it is not known.
        is_causal: whether a position of logits predicts the label behind it.
    """

    make_scorer: Callable[[], Scorer]
    decode: Callable[[TokenRows], list[str]] | None
    dropped: Sequence[int]
    pads: Sequence[int]
    prefix: str
    is_percent: bool
    num_samples: int | None
    is_causal: bool


@dataclass
class _Evaluation:
    """What has come of one evaluation.

    Attributes:
        scorer: of the samples that are counted.
        waiting: batches that are not.
        samples: in both.
        generated: ids of all their predictions.
        first_labels: of the first batch; None before it.
    """

    scorer: Scorer
    waiting: list[Batch] = field(default_factory=list)
    samples: int = 0
    generated: int = 0
    first_labels: TokenRows | None = None


class ComputeMetrics:
    """A hook of ``Trainer`` and ``Seq2SeqTrainer``; ``compute_metrics`` makes it.

    It may be called once with a whole evaluation, or batch by batch with ``compute_result``, as
    ``batch_eval_metrics=True`` does; then it holds a few integers a sample until the last batch.
    Where an evaluation is broken off between batches, ``reset`` forgets those that came.
    """

    def __init__(self, rules: HookRules) -> None:
        self._rules = rules
        self.reset()

    def reset(self) -> None:
        """Forgets the batches of an evaluation that was broken off."""
        self._held = _Evaluation(self._rules.make_scorer())

    def __call__(
        self,
        prediction: object,
        compute_result: bool | None = None,  # noqa: FBT001 - as Trainer calls it
    ) -> dict[str, float]:
        """Scores of a whole evaluation, or of its batches so far.

        Args:
            prediction: an ``EvalPrediction``, or a pair of predictions and labels: arrays of NumPy
                or tensors of torch. Predictions are ids of shape (samples, length), or logits of
                shape (samples, length, vocabulary); labels are ids. A tuple stands for its first
                item. Whatever is -100 or the tokenizer's pad in ids is left out.
            compute_result: None for a whole evaluation; False for a batch that others follow, True
                for the last one.

        Returns:
            Python floats by name, ``gen_len`` last: how many ids a prediction has on average.
            Nothing before the last batch.

        Raises:
            TypeError: there are no labels, or something is no array.
            ValueError: shapes do not fit, or there are other samples than ``num_samples``.
        """
        if compute_result is None:
            whole = _Evaluation(self._rules.make_scorer())
            self._update(whole, prediction)
            return self._result(whole)
        try:
            self._update(self._held, prediction)
            if not compute_result:
                return {}
            scores = self._result(self._held)
        except BaseException:
            self.reset()
            raise
        self.reset()
        return scores

    def preprocess_logits_for_metrics(self, logits: Any, labels: Any) -> Array:
        """Ids in place of logits, for the argument of ``Trainer`` of that name.

        ``Trainer`` then holds one integer a position, not one float for every id of the vocabulary.

        Args:
            logits: floats, shape (samples, length, vocabulary), or a tuple with them first. Ids
                that were generated stay as they are.
            labels: ids, shape (samples, length); None where there are none.

        Returns:
            Ids, shape (samples, length), in the place of their labels; -100 where the label is.
        """
        logits, labels = take_first(logits), take_first(labels)
        if not is_logits(logits):
            return logits
        return align_ids(
            logits.argmax(-1), labels, self._rules.dropped[0], causal=self._rules.is_causal
        )

    def _update(self, evaluation: _Evaluation, prediction: object) -> None:
        """Adds the samples of a prediction to an evaluation."""
        for batch in read_batches(prediction, self._rules.dropped, causal=self._rules.is_causal):
            if evaluation.first_labels is None:
                evaluation.first_labels = batch.labels
            own = self._cut(batch, evaluation)
            evaluation.waiting.append(own)
            evaluation.samples += own.samples
            evaluation.generated += own.predictions.count_others(self._rules.pads)
            if evaluation.samples - len(evaluation.scorer) >= _PORTION:
                self._count(evaluation)

    def _cut(self, batch: Batch, evaluation: _Evaluation) -> Batch:
        """The batch without the samples beyond ``num_samples``.

        Raises:
            ValueError: one of those is none of the first batch, so that it is no repetition.
        """
        num_samples = self._rules.num_samples
        if num_samples is None:
            return batch
        left = num_samples - evaluation.samples
        beyond = batch.labels.select(left).to_lists()
        if beyond and evaluation.first_labels is not None:
            first = evaluation.first_labels.select(0, num_samples).to_lists()
            if not set(map(tuple, beyond)) <= set(map(tuple, first)):
                raise ValueError(
                    f"More than num_samples={num_samples} samples came, and not only the first "
                    "ones again, with which ranks fill their last batch. Give "
                    "num_samples=len(dataset) of the dataset that is evaluated, and another hook "
                    "for another dataset."
                )
        return batch.select(0, left)

    def _count(self, evaluation: _Evaluation) -> None:
        """Counts the samples that wait, decoded where there is a tokenizer."""
        predictions, labels = map(join_rows, zip(*evaluation.waiting, strict=True))
        evaluation.waiting = []
        if not len(labels.lengths):
            return
        decode = self._rules.decode
        if decode is None:
            evaluation.scorer.update(predictions.to_lists(), labels.to_lists())
        else:
            evaluation.scorer.update(decode(predictions), decode(labels))

    def _result(self, evaluation: _Evaluation) -> dict[str, float]:
        """The scores of an evaluation, as a loop logs them."""
        if evaluation.waiting:
            self._count(evaluation)
        samples, num_samples = evaluation.samples, self._rules.num_samples
        if num_samples is not None and samples < num_samples:
            raise ValueError(
                f"{samples} samples came, but num_samples is {num_samples}: some were lost, or "
                "another dataset was evaluated. Give num_samples=len(dataset) of the dataset "
                "that is evaluated, and leave dataloader_drop_last False."
            )
        scores = flatten(scale(evaluation.scorer.result(), 100 if self._rules.is_percent else 1))
        scores["gen_len"] = evaluation.generated / samples
        return {f"{self._rules.prefix}{name}": float(value) for name, value in scores.items()}


def scale(scores: Mapping[str, Value], factor: int) -> dict[str, Value]:
    """The scores times a factor; lengths, counts and the brevity penalty as they are.

    >>> scale({"bleu": 0.5, "precisions": [1.0, 0.25], "reference_length": 8}, 100)
    {'bleu': 50.0, 'precisions': [100.0, 25.0], 'reference_length': 8}
    """

    def times(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: times(part) for name, part in value.items()}
        return [times(part) for part in value] if isinstance(value, list) else value * factor

    return {name: value if name in _NO_SCORES else times(value) for name, value in scores.items()}
