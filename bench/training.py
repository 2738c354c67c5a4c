"""Time the hook of a training loop, and only decoding the ids, which the hook also has to do.

Decoding is done by the usual recipe: the pad replaces -100, then ``batch_decode`` of predictions
and of labels without special tokens. The tokenizer, made from the texts, is a fast one of
transformers. The extra ``training`` is needed.

Then ``forward`` of a metric of torchmetrics, which puts the batches before aside, is timed with the
copies of their tensors that a ``Metric`` makes, and without. The extra ``torchmetrics`` is needed.
"""

import sys
from functools import partial
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table
from workloads import Call, Workload, best_times, make_table, print_tables, read_workload

from bleu_rouge_metric import ComputeMetrics, compute_metrics, load
from bleu_rouge_metric.scoring.results import flatten

WORKLOADS: Final = ("XSum", "CNN/DailyMail, by lines")
FORWARD_BATCHES: Final = (100, 500)

Ids = NDArray[np.int64]


def make_tokenizer(texts: list[str]) -> Any:
    """Make a tokenizer of bytes and their pairs, as GPT-2 and BART have."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=8000,
        special_tokens=["<pad>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    pad, eos = "<pad>", "</s>"
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=pad, eos_token=eos)


def make_ids(tokenizer: Any, texts: list[str], filler: int) -> Ids:
    """Encode texts as from a model or collator: ids, the end, padding; shape (pairs, most)."""
    rows = [[*ids, tokenizer.eos_token_id] for ids in tokenizer(texts)["input_ids"]]
    width = max(map(len, rows))
    return np.array([row + [filler] * (width - len(row)) for row in rows])


def decode(tokenizer: Any, predictions: Ids, labels: Ids) -> list[list[str]]:
    """Decode predictions and labels with the usual recipe."""
    return [
        tokenizer.batch_decode(
            np.where(ids == -100, tokenizer.pad_token_id, ids), skip_special_tokens=True
        )
        for ids in (predictions, labels)
    ]


def decode_batches(tokenizer: Any, size: int, predictions: Ids, labels: Ids) -> None:
    """Decode in the same way, batch by batch."""
    for start in range(0, len(labels), size):
        part = slice(start, start + size)
        decode(tokenizer, predictions[part], labels[part])


def check(workload: Workload, tokenizer: Any, predictions: Ids, labels: Ids) -> None:
    """Stop if the hook's scores differ from the scores of the decoded texts."""
    texts = decode(tokenizer, predictions, labels)
    expected = flatten(load().compute(predictions=texts[0], references=texts[1]))
    found = compute_metrics(tokenizer)((predictions, labels))
    if {name: found[name] for name in expected} != expected:
        sys.exit(f"{workload.name}: the hook's scores are not those of the texts.")


def score_texts(metric: Any, tokenizer: Any, predictions: Ids, labels: Ids) -> object:
    """Score as a loop does without the hook."""
    texts = decode(tokenizer, predictions, labels)
    return metric.compute(predictions=texts[0], references=texts[1])


def score_batches(hook: ComputeMetrics, size: int, predictions: Ids, labels: Ids) -> None:
    """Score as ``Trainer`` does with ``batch_eval_metrics=True``."""
    for start in range(0, len(labels), size):
        batch = predictions[start : start + size], labels[start : start + size]
        hook(batch, compute_result=start + size >= len(labels))


def time_hook(pairs: int, repeats: int) -> Table:
    """Make a table with a row per workload and batch size."""
    table = make_table(
        f"{pairs:,} pairs",
        *("texts", "ids per text", "in batches of", "decoding alone, ms", "the hook, ms"),
        *("the hook / decoding", "metric.compute of the decoded texts / decoding"),
    )
    for name in WORKLOADS:
        workload = read_workload(name, pairs)
        tokenizer = make_tokenizer(workload.predictions + workload.references)
        predictions = make_ids(tokenizer, workload.predictions, tokenizer.pad_token_id)
        labels = make_ids(tokenizer, workload.references, -100)
        check(workload, tokenizer, predictions, labels)
        hook, metric = compute_metrics(tokenizer), load()
        both = (predictions, labels)
        length = f"{np.count_nonzero(labels != -100) / pairs:.0f}"
        alone, ours, recipe = best_times(
            [
                partial(decode, tokenizer, *both),
                partial(hook, both),
                partial(score_texts, metric, tokenizer, *both),
            ],
            repeats,
        )
        table.add_row(name, length, "all", *show(alone, ours), f"{recipe / alone:.2f}")
        for size in (64, 8):
            alone, ours = best_times(
                [
                    partial(decode_batches, tokenizer, size, *both),
                    partial(score_batches, hook, size, *both),
                ],
                repeats,
            )
            table.add_row(name, length, str(size), *show(alone, ours), "")
    return table


def show(alone: float, ours: float) -> tuple[str, str, str]:
    """Write the milliseconds of both, and their ratio."""
    return f"{alone * 1e3:,.1f}", f"{ours * 1e3:,.1f}", f"{ours / alone:.2f}"


def call_forward(kind: Any, batches: int) -> None:
    """Score batches of one pair as a loop does that logs every batch."""
    metric = kind("rouge", rouge_types=["rouge1"])
    for _ in range(batches):
        metric(["the cat sat"], ["the cat sat down"])


def time_forward(repeats: int) -> Table:
    """Make a table with a row per number of batches."""
    from torchmetrics import Metric

    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    class Copying(BleuRouge):
        _copy_state_dict = Metric._copy_state_dict  # noqa: SLF001 - what it overrides

    table = make_table(
        "forward of a metric of torchmetrics, one pair per batch",
        *("batches", "copying tensors, ms", "BleuRouge, ms", "BleuRouge / copying"),
    )
    for batches in FORWARD_BATCHES:
        works: list[Call] = [partial(call_forward, kind, batches) for kind in (Copying, BleuRouge)]
        table.add_row(f"{batches:,}", *show(*best_times(works, repeats)))
    return table


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of each workload.")] = 2_000,
    repeats: Annotated[int, typer.Option(help="Runs of each; the fastest counts.")] = 30,
) -> None:
    """Print the cost of the hook compared with only decoding, and that of forward."""
    print_tables((time_hook(pairs, repeats), time_forward(min(repeats, 3))))


if __name__ == "__main__":
    typer.run(main)
