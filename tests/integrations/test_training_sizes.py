"""``num_samples`` of the hook: repeats of ranks are left out, and nothing else."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import ComputeMetrics, compute_metrics
from bleu_rouge_metric.integrations import trainer

from ..support.toy_tokenizer import PAD
from .test_training import IDS, LABEL_IDS, SAMPLES, TOKENIZER

# Two ranks with batches of two: the last batch is filled with the first samples.
REPEATED = [0, 1, 2, 3, 4, 0, 1, 2]

REMEDY = (
    "Give num_samples=len(dataset) of the dataset that is evaluated; for several datasets a list "
    "of all their lengths"
)
NO_REPEAT = (
    "num_samples is {}, but sample {} came too, and it is not sample {} again, with which ranks "
    "fill their last batch: {}. " + REMEDY
)
LABELS_DIFFER = "its labels differ"
SAMPLED = ". If only sampling or rounding makes it another, leave num_samples out."

Run = Callable[[ComputeMetrics, list[int]], dict[str, float]]


def run_whole(hook: ComputeMetrics, rows: list[int]) -> dict[str, float]:
    return hook((IDS[rows], LABEL_IDS[rows]))


def run_batches(hook: ComputeMetrics, rows: list[int]) -> dict[str, float]:
    """Pass the samples in fours: these are two ranks' batches of two."""
    for at in range(0, len(rows), 4):
        some = rows[at : at + 4]
        scores = hook((IDS[some], LABEL_IDS[some]), compute_result=at + 4 >= len(rows))
    return scores


both_ways = pytest.mark.parametrize("run", [run_whole, run_batches])


def test_what_ranks_repeat_is_left_out() -> None:
    expected = compute_metrics(TOKENIZER)((IDS, LABEL_IDS))
    hook = compute_metrics(TOKENIZER, num_samples=SAMPLES)
    # Padding to another width does not change the samples.
    ids, labels = IDS[REPEATED], np.pad(LABEL_IDS[REPEATED], ((0, 0), (0, 2)), constant_values=PAD)
    assert hook((ids, labels)) == expected
    # The second batch has only repeats.
    assert hook(([ids[:5], ids[5:]], [labels[:5], labels[5:]])) == expected
    assert hook((ids[:5], labels[:5]), compute_result=False) == {}
    assert hook((ids[5:], labels[5:]), compute_result=True) == expected


def test_samples_with_the_labels_of_the_first_but_other_predictions_are_no_repeats() -> None:
    ids, labels = np.array([[7], [8], [9], [9]]), np.array([[7], [8], [7], [8]])
    options: dict[str, Any] = {"pad": 0, "family": "rouge"}
    message = NO_REPEAT.format(2, 2, 0, "its prediction differs") + SAMPLED
    hook = compute_metrics(num_samples=2, **options)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        hook((ids, labels))
    hook((ids[:2], labels[:2]), compute_result=False)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        hook((ids[2:], labels[2:]), compute_result=True)
    for num_samples in (None, 4, [2, 4], lambda: 4):
        hook = compute_metrics(num_samples=num_samples, **options)
        assert hook((ids, labels))["rouge1"] == 0.5


FEWER = (
    "5 samples came, but num_samples is {}: some were lost, or another dataset was evaluated. "
    f"{REMEDY}, and leave dataloader_drop_last False."
)
TWO_SIZES = (
    "8 samples came, and more than one of num_samples=[5, 8, 9] fits: 5 and 8. The samples beyond "
    "the smaller number are the first ones again, and these may be repeats of ranks or a part of "
    "the larger dataset. Let num_samples be a function that returns the size of the dataset that "
    "is evaluated at present."
)


@pytest.mark.parametrize(
    ("num_samples", "rows", "message"),
    [
        (4, [0, 1, 2, 3, 4], NO_REPEAT.format(4, 4, 0, LABELS_DIFFER) + "."),
        # Repeats begin with the first sample, and go on in order.
        (4, [0, 1, 2, 3, 1], NO_REPEAT.format(4, 4, 0, LABELS_DIFFER) + "."),
        (4, [0, 1, 2, 3, 0, 2], NO_REPEAT.format(4, 5, 1, LABELS_DIFFER) + "."),
        ([3, 2], [0, 1, 2, 3], NO_REPEAT.format([2, 3], 3, 0, LABELS_DIFFER) + "."),
        (lambda: 3, [0, 1, 2, 3], NO_REPEAT.format(3, 3, 0, LABELS_DIFFER) + "."),
        (7, range(5), FEWER.format(7)),
        ([7], range(5), FEWER.format(7)),
        ([9, 7, 9], range(5), FEWER.format([7, 9])),
        (lambda: 7, range(5), FEWER.format(7)),
        ([5, 8, 9], REPEATED, TWO_SIZES),
    ],
)
@both_ways
def test_samples_that_do_not_fit_the_number_are_an_error(
    run: Run, num_samples: Any, rows: Sequence[int], message: str
) -> None:
    hook = compute_metrics(TOKENIZER, num_samples=num_samples)
    for _ in range(2):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            run(hook, list(rows))


def test_more_than_one_batch_of_repeats_is_an_error() -> None:
    hook = compute_metrics(TOKENIZER, num_samples=5)
    hook((IDS[:2], LABEL_IDS[:2]), compute_result=False)
    hook((IDS[2:], LABEL_IDS[2:]), compute_result=False)
    message = NO_REPEAT.format(5, 7, 2, "ranks repeat no more than one batch each") + "."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        hook((IDS[:3], LABEL_IDS[:3]), compute_result=True)


@pytest.mark.parametrize("portion", [1, 3, 100])
@both_ways
def test_one_hook_scores_sets_of_several_sizes(
    run: Run, portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_rouge_metric.integrations.trainer._PORTION", portion)
    hook = compute_metrics(TOKENIZER, num_samples=(5, 3, 2))
    for rows in ([0, 1, 2, 3, 4], [2, 3, 4], [3, 1]):
        filled = (rows * 4)[: (len(rows) + 3) // 4 * 4]
        assert run(hook, rows) == run(hook, filled) == run(compute_metrics(TOKENIZER), rows)


@both_ways
def test_a_function_tells_the_size_of_every_evaluation(run: Run) -> None:
    evaluated = [(REPEATED, 5), ([0, 1, 0, 1], 2), ([0, 1, 0, 1], 4), ([2, 3, 4, 2], 3)]
    sizes = iter([size for _, size in evaluated])
    hook = compute_metrics(TOKENIZER, num_samples=lambda: next(sizes))
    for rows, size in evaluated:
        assert run(hook, rows) == run_whole(compute_metrics(TOKENIZER), rows[:size])


REPEATS = (
    "There are 2 ranks, and the last of {} samples has the labels of sample {}. Ranks of "
    "Seq2SeqTrainer, and those of any trainer with an IterableDataset, repeat the first samples to "
    "fill the last batch, and repeated samples count several times. Give num_samples=len(dataset) "
    "of the dataset that is evaluated; then only repeats are left out."
)


@pytest.mark.parametrize(
    ("ranks", "num_samples", "rows", "origin"),
    [
        # Of two ranks with three samples each, and of a set that is smaller than a batch.
        *((2, None, REPEATED, 2), (2, None, [0, 2, 1, 3, 4, 0], 0), (2, None, [0, 1, 0, 1], 1)),
        # One process, whose data may have a sample twice; and a number that is known.
        *((1, None, REPEATED, None), (2, 5, REPEATED, None), (2, 8, REPEATED, None)),
        # All samples once, as of Trainer.
        *((2, None, [0, 1, 2, 3, 4], None), (2, None, [0, 1, 2, 3], None)),
        # As many on every rank is impossible, so nothing was repeated.
        *((2, None, [0, 1, 2, 3, 0], None), (3, None, REPEATED, None)),
    ],
)
@both_ways
def test_repeats_of_ranks_are_warned_of_once_if_the_number_is_unknown(
    run: Run,
    ranks: int,
    num_samples: int | None,
    rows: list[int],
    origin: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trainer, "find_rank", lambda: (0, ranks))
    hook = compute_metrics(TOKENIZER, num_samples=num_samples)
    own = num_samples or len(rows)
    expected = run(compute_metrics(TOKENIZER, num_samples=lambda: own), rows)
    if origin is not None:
        with pytest.warns(UserWarning, match=f"^{re.escape(REPEATS.format(len(rows), origin))}$"):
            assert run(hook, rows) == expected
    # Warnings are errors.
    assert run(hook, rows) == expected
