"""The hook itself: from what a training loop hands over to flat scores.

It holds the batches of an evaluation until they are enough to be decoded and counted at once, and
keeps the counts alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

from ..scoring.results import Value, flatten
from ..scoring.scorer import Scorer
from ..text.warnings import warn_caller
from .token_rows import TokenRows, join_rows
from .trainer_arrays import (
    Array,
    Batch,
    align_ids,
    begin_unlabelled,
    is_logits,
    make_batch,
    read_arrays,
    refuse_causal_ids,
    take_first,
)
from .trainer_sizes import EvaluationSize

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
        make_sizes: gives the sizes that an evaluation may have; none if that is not known.
        causal: whether a position of logits predicts the label behind it; None if the user has not
            said it.
    """

    make_scorer: Callable[[], Scorer]
    decode: Callable[[TokenRows], list[str]] | None
    dropped: Sequence[int]
    pads: Sequence[int]
    prefix: str
    is_percent: bool
    make_sizes: Callable[[], Sequence[int]]
    causal: bool | None


@dataclass
class _Evaluation:
    """What has come of one evaluation.

    Attributes:
        scorer: of the samples that are counted.
        size: of the samples that came; None before the first.
        waiting: batches that are not counted.
        generated: ids of all predictions that are.
    """

    scorer: Scorer
    size: EvaluationSize | None = None
    waiting: list[Batch] = field(default_factory=list)
    generated: int = 0


class ComputeMetrics:
    """A hook of ``Trainer`` and ``Seq2SeqTrainer``; ``compute_metrics`` makes it.

    It may be called once with a whole evaluation, or batch by batch with ``compute_result``, as
    ``batch_eval_metrics=True`` does; then it holds a few integers a sample until the last batch.
    Where an evaluation is broken off between batches, ``reset`` forgets those that came.
    """

    def __init__(self, rules: HookRules) -> None:
        self._rules = rules
        self._has_shifted = False
        self._has_warned = False
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
            ValueError: shapes do not fit, or the samples are not as many as ``num_samples``.
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

        Raises:
            ValueError: there are ids with ``causal=True``, or not one position for every label.
        """
        logits, labels = take_first(logits), take_first(labels)
        causal = self._rules.causal is True
        if not is_logits(logits):
            if causal:
                refuse_causal_ids(logits)
            return logits
        self._has_shifted = causal
        return align_ids(logits.argmax(-1), labels, self._rules.dropped[0], causal=causal)

    def _update(self, evaluation: _Evaluation, prediction: object) -> None:
        """Adds the samples of a prediction to an evaluation."""
        if evaluation.size is None:
            evaluation.size = EvaluationSize(self._rules.make_sizes())
        rules = self._rules
        for predictions, labels in read_arrays(prediction):
            if rules.causal is None and not self._has_warned:
                self._warn_of_prompt(labels)
            batch = make_batch(
                predictions,
                labels,
                rules.dropped,
                causal=rules.causal is True,
                has_shifted=self._has_shifted,
            )
            evaluation.size.add(batch)
            evaluation.waiting.append(batch)
            if evaluation.size.certain - len(evaluation.scorer) >= _PORTION:
                self._count(evaluation, evaluation.size.certain)

    def _warn_of_prompt(self, labels: NDArray[Any]) -> None:
        """Warns once if labels look like those of a causal language model."""
        ignored = self._rules.dropped[0]
        if begin_unlabelled(labels, ignored):
            self._has_warned = True
            warn_caller(
                f"The labels of all samples begin with {ignored}, like those of a causal language "
                "model over its prompt, but causal is not set: every prediction is compared with "
                "the label of its own position. Give causal=True if the predictions are logits of "
                "such a model, causal=False if they are generated or already shifted."
            )

    def _count(self, evaluation: _Evaluation, stop: int) -> None:
        """Counts the samples that wait, up to ``stop`` of the evaluation; the others wait on."""
        waiting = Batch(*map(join_rows, zip(*evaluation.waiting, strict=True)))
        ready = stop - len(evaluation.scorer)
        predictions, labels = waiting.select(0, ready)
        evaluation.waiting = [waiting.select(ready)]
        if not ready:
            return
        evaluation.generated += predictions.count_others(self._rules.pads)
        decode = self._rules.decode
        if decode is None:
            evaluation.scorer.update(predictions.to_lists(), labels.to_lists())
        else:
            evaluation.scorer.update(decode(predictions), decode(labels))

    def _result(self, evaluation: _Evaluation) -> dict[str, float]:
        """The scores of an evaluation, as a loop logs them."""
        samples = 0 if evaluation.size is None else evaluation.size.decide()
        if evaluation.waiting:
            self._count(evaluation, samples)
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
