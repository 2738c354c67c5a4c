"""The hook: compute flat scores from what a training loop passes.

It keeps batches of an evaluation until there are enough of them to decode and count them together.
After that it keeps only their counts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

from ..options.options import write_keywords
from ..options.signature import sign_strip
from ..samples.inputs import check_samples
from ..scoring.ranks import find_rank
from ..scoring.results import list_logged, scale
from ..scoring.scorer import Scorer
from ..text.strip import strip_samples
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

# Each call of decoding and counting has a fixed cost, so batches wait until they have this many
# samples.
_PORTION: Final = 4096


class HookRules(NamedTuple):
    """How a hook scores.

    Attributes:
        make_scorer: makes an empty scorer of the options.
        decode: from ids to texts, one per sample; None if the ids themselves are scored.
        dropped: ids that are not tokens; the first one marks positions without a label.
        pads: other ids that ``gen_len`` does not count.
        prefix: prefix of the names of all scores.
        factor: what scores are multiplied by, 1 or 100.
        make_sizes: returns the sizes that an evaluation may have; none if they are unknown.
        strip: the pattern of what is removed from texts; None for nothing.
        causal: whether a position of logits predicts the next label; None if the user has not
            said so.
    """

    make_scorer: Callable[[], Scorer]
    decode: Callable[[TokenRows], list[str]] | None
    dropped: Sequence[int]
    pads: Sequence[int]
    prefix: str
    factor: int
    make_sizes: Callable[[], Sequence[int]]
    strip: re.Pattern[str] | None
    causal: bool | None


@dataclass
class _Evaluation:
    """The state of one evaluation.

    Attributes:
        scorer: scorer of the counted samples.
        size: finds the number of samples; None before the first sample.
        waiting: batches that are not counted yet.
        generated: number of ids of all counted predictions.
    """

    scorer: Scorer
    size: EvaluationSize | None = None
    waiting: list[Batch] = field(default_factory=list)
    generated: int = 0


class ComputeMetrics:
    """A hook for ``Trainer`` and ``Seq2SeqTrainer``, created by ``compute_metrics``.

    It may be called once with a whole evaluation, or batch by batch with ``compute_result``, as
    ``batch_eval_metrics=True`` does; then it keeps a few integers per sample until the last batch.
    If an evaluation is interrupted between batches, ``reset`` discards its batches.
    """

    def __init__(self, rules: HookRules) -> None:
        self._rules = rules
        self._has_shifted = False
        self._stripped: set[str] = set()  # names of the warnings about texts that became empty
        self._has_warned = self._has_warned_of_repeats = False
        self.reset()

    def __repr__(self) -> str:
        rules, scorer = self._rules, self._held.scorer
        own = {
            "family": scorer.families[0] if len(scorer.families) == 1 else None,
            "prefix": rules.prefix or None,
            "percent": rules.factor > 1 or None,
            "causal": rules.causal,
            "strip": rules.strip and rules.strip.pattern,
        }
        given = {name: value for name, value in own.items() if value is not None}
        shown = {**given, **scorer.options.to_keywords(scorer.families)}
        samples = len(scorer) + sum(batch.n_samples for batch in self._held.waiting)
        return f"<ComputeMetrics({write_keywords(shown)}): {samples:,} samples>"

    def reset(self) -> None:
        """Discard the batches of an interrupted evaluation."""
        self._held = _Evaluation(self._rules.make_scorer())

    def __call__(
        self,
        prediction: object,
        compute_result: bool | None = None,  # noqa: FBT001 - as Trainer calls it
    ) -> dict[str, float]:
        """Score a whole evaluation, or add a batch and score after the last one.

        Args:
            prediction: an ``EvalPrediction``, or a pair of predictions and labels: NumPy arrays or
                torch tensors. Predictions are ids of shape (samples, length), or logits of shape
                (samples, length, vocabulary); labels are ids. Of a tuple, the first item is used.
                Ids that are -100 or the tokenizer's pad are left out.
            compute_result: None for a whole evaluation; True for the last batch; False for any
                other batch.

        Returns:
            Python floats by name. The last one is ``gen_len``, the mean number of ids of a
            prediction. An empty dict before the last batch.

        Raises:
            TypeError: labels are missing, or a value is not an array.
            ValueError: shapes do not match, or the number of samples contradicts ``num_samples``.
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

    def signature(self) -> str:
        """Return one line that records how the scores are computed, with the seed of resampling.

        ``Options.from_signature`` parses it.
        """
        scorer = self._rules.make_scorer()
        # A label is one reference.
        line = scorer.options.write_signature(
            scorer.families, reference_counts=[1], seed=scorer.seed
        )
        return sign_strip(line, self._rules.strip)

    def preprocess_logits_for_metrics(self, logits: Any, labels: Any) -> Array:
        """Convert logits to ids, for the argument of ``Trainer`` with this name.

        ``Trainer`` then keeps one integer per position, not one float for every id of the
        vocabulary.

        Args:
            logits: floats, shape (samples, length, vocabulary), or a tuple whose first item they
                are. Generated ids are returned unchanged.
            labels: ids, shape (samples, length); None if there are none.

        Returns:
            Ids, shape (samples, length), at the positions of their labels; -100 if the label is
            -100.

        Raises:
            ValueError: ids are given with ``causal=True``, or positions and labels differ in
                number.
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
        """Add the samples of a prediction to an evaluation."""
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
        """Warn once if labels look like labels of a causal language model."""
        ignored = self._rules.dropped[0]
        if begin_unlabelled(labels, ignored):
            self._has_warned = True
            warn_caller(
                f"The labels of all samples begin with {ignored}, like those of a causal language "
                "model over its prompt, but causal is not set: every prediction is compared with "
                "the label of its own position. Give causal=True if the predictions are logits of "
                "such a model, causal=False if they are generated or already shifted."
            )

    def _warn_of_repeats(self, size: EvaluationSize, samples: int) -> None:
        """Warn once if ranks seem to have repeated samples, whose number is not known."""
        _, ranks = find_rank()
        origin = size.find_repeat(ranks)
        if origin is not None:
            self._has_warned_of_repeats = True
            warn_caller(
                f"There are {ranks} ranks, and the last of {samples:,} samples has the labels of "
                f"sample {origin}. Ranks of Seq2SeqTrainer, and those of any trainer with an "
                "IterableDataset, repeat the first samples to fill the last batch, and repeated "
                "samples count several times. Give num_samples=len(dataset) of the dataset that "
                "is evaluated; then only repeats are left out."
            )

    def _count(self, evaluation: _Evaluation, stop: int) -> None:
        """Count the waiting samples up to sample ``stop`` of the evaluation; keep the rest."""
        waiting = Batch(*map(join_rows, zip(*evaluation.waiting, strict=True)))
        ready = stop - len(evaluation.scorer)
        predictions, labels = waiting.select(0, ready)
        evaluation.waiting = [waiting.select(ready)]
        if not ready:
            return
        evaluation.generated += predictions.count_others(self._rules.pads)
        decode, pattern = self._rules.decode, self._rules.strip
        if decode is None:
            evaluation.scorer.update(predictions.to_lists(), labels.to_lists())
            return
        # A label that looks like a list is one text all the same; it is only warned of.
        samples = check_samples(decode(predictions), [[text] for text in decode(labels)])
        if pattern is not None:
            samples = strip_samples(samples, pattern, self._stripped)
        evaluation.scorer.update_samples(samples)

    def _result(self, evaluation: _Evaluation) -> dict[str, float]:
        """Return the scores of an evaluation, as a training loop logs them."""
        samples = 0 if evaluation.size is None else evaluation.size.decide()
        if evaluation.size is not None and not self._has_warned_of_repeats:
            self._warn_of_repeats(evaluation.size, samples)
        if evaluation.waiting:
            self._count(evaluation, samples)
        scores = list_logged(scale(evaluation.scorer.result(), self._rules.factor))
        scores["gen_len"] = evaluation.generated / samples
        return {f"{self._rules.prefix}{name}": float(value) for name, value in scores.items()}
