"""Time the hook of a training loop, and only decoding the ids, which the hook also has to do.

Decoding is done by the usual recipe: the pad replaces -100, then ``batch_decode`` of predictions
and of labels without special tokens. The tokenizer, made from the texts, is a fast one of
transformers. The extra ``training`` is needed.

Then ``forward`` of a metric of torchmetrics, which puts the batches before aside, is timed with the
copies of their tensors that a ``Metric`` makes, and without. The extra ``torchmetrics`` is needed.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from workloads import Call, Row, Table, check_equal, compare, read_workload, run

from bleu_rouge_metric import compute_metrics, load
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


def in_batches(work: Any, size: int, predictions: Ids, labels: Ids) -> None:
    """Call ``work`` batch by batch, and tell it which batch is the last."""
    for start in range(0, len(labels), size):
        part = slice(start, start + size)
        work((predictions[part], labels[part]), compute_result=start + size >= len(labels))


def list_rows(pairs: int) -> Iterator[Row]:
    """List the hook and decoding alone; batches are those of ``batch_eval_metrics=True``."""
    for name in WORKLOADS:
        workload = read_workload(name, pairs)
        tokenizer = make_tokenizer(workload.predictions + workload.references)
        predictions = make_ids(tokenizer, workload.predictions, tokenizer.pad_token_id)
        labels = make_ids(tokenizer, workload.references, -100)
        hook, metric = compute_metrics(tokenizer), load()
        both = (predictions, labels)
        decode_all = partial(decode, tokenizer, *both)

        def score_texts(decode_all: Any = decode_all, metric: Any = metric) -> Any:
            texts, targets = decode_all()
            return metric.compute(predictions=texts, references=targets)

        def decode_batch(batch: Any, *, compute_result: bool, tokenizer: Any = tokenizer) -> None:
            del compute_result
            decode(tokenizer, *batch)

        expected, scores = flatten(score_texts()), hook(both)
        check_equal(name, {key: scores[key] for key in expected}, expected)
        shown = f"{name}, {np.count_nonzero(labels != -100) / pairs:.0f} ids per text"
        others: dict[str, Call] = {
            "decoding alone": decode_all,
            "metric.compute of the decoded texts": score_texts,
        }
        yield Row(f"{shown}, all at once", partial(hook, both), others)
        for size in (64, 8):
            hooked, alone = (
                partial(in_batches, work, size, *both) for work in (hook, decode_batch)
            )
            yield Row(f"{shown}, in batches of {size}", hooked, {"decoding alone": alone})


def list_forward_rows() -> Iterator[Row]:
    """List loops of batches of one pair that log every batch."""
    from torchmetrics import Metric

    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    class Copying(BleuRouge):
        _copy_state_dict = Metric._copy_state_dict  # noqa: SLF001 - what it overrides

    def forward(kind: Any, batches: int) -> None:
        metric = kind("rouge", rouge_types=["rouge1"])
        for _ in range(batches):
            metric(["the cat sat"], ["the cat sat down"])

    for batches in FORWARD_BATCHES:
        ours, copying = (partial(forward, kind, batches) for kind in (BleuRouge, Copying))
        yield Row(f"{batches:,} batches", ours, {"copying tensors": copying})


def main(pairs: int = 2_000, repeats: int = 30) -> Iterator[Table]:
    """Time the hook on ``pairs`` pairs, and forward."""
    yield compare(f"The hook, {pairs:,} pairs", list_rows(pairs), repeats)
    title = "forward of a metric of torchmetrics, one pair per batch"
    yield compare(title, list_forward_rows(), min(repeats, 3))


if __name__ == "__main__":
    run(main)
