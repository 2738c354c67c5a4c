"""Run the real trainers with the hook, in one process or as ranks of torchrun.

``python trainer_runs.py FOLDER`` trains two tiny models first and writes what they predict without
a trainer; every process writes what its hooks received and returned.
"""

import json
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from torch import distributed
from transformers import (
    DataCollatorForSeq2Seq,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    T5Config,
    T5ForConditionalGeneration,
    Trainer,
    TrainingArguments,
    set_seed,
)
from transformers.utils import logging

from bleu_rouge_metric import ComputeMetrics, Scorer, compute_metrics

NEWS = Path(__file__).parent.parent.parent / "examples" / "news.jsonl"
# Not a multiple of the samples of a step, neither for one rank nor for two.
SAMPLES, BATCH = 21, 4
LONGEST = 24
# Sets of samples by name: start and stop. Two ranks fill 9 samples up to 16.
SETS = ({"all": (0, 21), "some": (5, 14)}, {"some": (5, 14), "more": (3, 19)})
PREDICTED = (16, 21)
SPECIAL = ["<pad>", "</s>", "<unk>", "<sum>"]


def build_tokenizer(texts: list[str]) -> Any:
    """Make a tokenizer of words and punctuation."""
    tokenizer = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(
        texts, trainers.WordLevelTrainer(special_tokens=SPECIAL, show_progress=False)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", SPECIAL.index("</s>"))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        additional_special_tokens=["<sum>"],
        model_input_names=["input_ids", "attention_mask"],
    )


def read_samples(tokenizer: Any, *, causal: bool) -> list[dict[str, Any]]:
    """Read samples for an encoder-decoder model or for a causal language model."""
    news = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()[:SAMPLES]]
    samples = [dict(tokenizer(item["article"], text_target=item["summary"])) for item in news]
    if not causal:
        return samples
    joined = []
    for sample in samples:
        prompt = [*sample["input_ids"][:-1], SPECIAL.index("<sum>")]
        ids = prompt + sample["labels"]
        labels = [-100] * len(prompt) + sample["labels"]
        joined.append({"input_ids": ids, "attention_mask": [1] * len(ids), "labels": labels})
    return joined


def train(model: Any, samples: list[dict[str, Any]], tokenizer: Any, steps: int) -> None:
    """Train until the model has learnt half of the samples, so that its scores are not all 0."""
    collate = DataCollatorForSeq2Seq(tokenizer)
    batch = collate(samples[::2])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(steps):
        optimizer.zero_grad()
        model(**batch).loss.backward()
        optimizer.step()
    model.eval()


def build_models(tokenizer: Any) -> tuple[Any, Any]:
    """Make a T5 and a GPT-2 with random weights."""
    set_seed(0)
    ids = {"pad_token_id": 0, "eos_token_id": 1}
    seq2seq = T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(tokenizer),
            d_model=32,
            d_kv=8,
            d_ff=64,
            num_layers=1,
            num_heads=4,
            dropout_rate=0.0,
            decoder_start_token_id=0,
            **ids,
        )
    )
    causal = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_embd=32,
            n_layer=1,
            n_head=4,
            n_positions=128,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=1,
            **ids,
        )
    )
    return seq2seq, causal


def predict_by_hand(seq2seq: Any, causal: Any, tokenizer: Any) -> dict[str, Any]:
    """Predict every sample separately, without padding; return ids and texts by kind."""
    found: dict[str, list[list[int]]] = {"generated": [], "forced": [], "causal": []}
    with torch.no_grad():
        for sample in read_samples(tokenizer, causal=False):
            inputs = {"input_ids": torch.tensor([sample["input_ids"]])}
            generated = seq2seq.generate(**inputs, max_length=LONGEST)[0].tolist()
            found["generated"].append([token for token in generated if token != 0])
            logits = seq2seq(**inputs, labels=torch.tensor([sample["labels"]])).logits[0]
            found["forced"].append(logits.argmax(-1).tolist())
        for sample in read_samples(tokenizer, causal=True):
            prompt = sample["labels"].count(-100)
            logits = causal(input_ids=torch.tensor([sample["input_ids"]])).logits[0]
            found["causal"].append(logits[prompt - 1 : -1].argmax(-1).tolist())
    samples = read_samples(tokenizer, causal=False)
    labels = tokenizer.batch_decode([s["labels"] for s in samples], skip_special_tokens=True)
    texts = {
        kind: tokenizer.batch_decode(rows, skip_special_tokens=True) for kind, rows in found.items()
    }
    return {
        "ids": found,
        "texts": texts,
        "labels": labels,
        "label_ids": [s["labels"] for s in samples],
    }


@contextmanager
def record_texts() -> Iterator[dict[str, list[str]]]:
    """Record the texts that reach a scorer inside the block."""
    texts: dict[str, list[str]] = {"predictions": [], "labels": []}
    update = Scorer.update_samples

    def recorded(scorer: Scorer, samples: Any, keys: object = None) -> None:
        texts["predictions"] += samples.predictions
        texts["labels"] += samples.references
        update(scorer, samples, keys)

    with patch.object(Scorer, "update_samples", recorded):
        yield texts


class Stream(torch.utils.data.IterableDataset[Any]):  # type: ignore[misc]  # of untyped torch
    """A stream of samples."""

    def __init__(self, samples: list[dict[str, Any]]) -> None:
        self.samples = samples

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.samples)


class RecordedHook:
    """The hook; it records how many samples each call has."""

    def __init__(self, hook: ComputeMetrics) -> None:
        self.hook = hook
        self.seen: list[int] = []

    def __call__(self, prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Call the hook and return its result."""
        labels = prediction.label_ids
        self.seen.append(sum(map(len, labels)) if isinstance(labels, list) else len(labels))
        return self.hook(prediction, compute_result)


class Run(NamedTuple):
    """One evaluation.

    Attributes:
        is_seq2seq: whether ``Seq2SeqTrainer`` runs it.
        is_causal: whether the model is the causal language model.
        preprocess: whether logits are converted to ids before the hook.
        is_stream: whether the data set has no length.
        arguments: arguments of the trainer.
    """

    is_seq2seq: bool = False
    is_causal: bool = False
    preprocess: bool = False
    is_stream: bool = False
    arguments: Mapping[str, Any] = {}


GENERATE: dict[str, Any] = {"predict_with_generate": True, "generation_max_length": LONGEST}
BATCHES: dict[str, Any] = {"batch_eval_metrics": True}
A_LIST: dict[str, Any] = {"eval_do_concat_batches": False}
# Each rank reads the whole stream and takes its share: batches of other widths cannot be sent.
STREAM: dict[str, Any] = {"accelerator_config": {"dispatch_batches": False}}
RUNS = {
    "generate": Run(is_seq2seq=True, arguments=GENERATE),
    "generate, batches": Run(is_seq2seq=True, arguments=GENERATE | BATCHES),
    "generate, a list": Run(is_seq2seq=True, arguments=GENERATE | A_LIST),
    "generate, preprocess": Run(is_seq2seq=True, preprocess=True, arguments=GENERATE),
    "generate, a stream": Run(is_seq2seq=True, is_stream=True, arguments=GENERATE | STREAM),
    "Seq2SeqTrainer, logits": Run(is_seq2seq=True),
    "logits": Run(),
    "logits, batches": Run(arguments=BATCHES),
    "logits, a list": Run(arguments=A_LIST),
    "logits, a stream": Run(is_stream=True, arguments=STREAM),
    "logits, preprocess": Run(preprocess=True),
    "logits, preprocess, batches": Run(preprocess=True, arguments=BATCHES),
    "causal": Run(is_causal=True),
    "causal, batches": Run(is_causal=True, arguments=BATCHES),
    "causal, preprocess": Run(is_causal=True, preprocess=True),
    "causal, preprocess, batches": Run(is_causal=True, preprocess=True, arguments=BATCHES),
}

# Runs whose hook is also tried without the number of samples.
WITHOUT_NUMBER = ("generate", "generate, batches", "logits", "logits, batches", "logits, a stream")


def make_trainer(run: Run, model: Any, tokenizer: Any, folder: Path, hook: Any, **more: Any) -> Any:
    """Make the trainer of a run, which calls ``hook`` with its predictions."""
    make_arguments = Seq2SeqTrainingArguments if run.is_seq2seq else TrainingArguments
    return (Seq2SeqTrainer if run.is_seq2seq else Trainer)(
        model=model,
        args=make_arguments(
            str(folder / "trainer"),
            per_device_eval_batch_size=BATCH,
            report_to="none",
            use_cpu=True,
            disable_tqdm=True,
            **run.arguments,
        ),
        processing_class=tokenizer,
        data_collator=DataCollatorForSeq2Seq(tokenizer),
        compute_metrics=hook,
        **more,
    )


def evaluate(run: Run, model: Any, tokenizer: Any, folder: Path) -> dict[str, Any]:
    """Return what the trainer logs, and what the hook received and decoded."""
    samples = read_samples(tokenizer, causal=run.is_causal)
    hook = compute_metrics(tokenizer, num_samples=SAMPLES, causal=run.is_causal)
    recorded = RecordedHook(hook)
    trainer = make_trainer(
        run,
        model,
        tokenizer,
        folder,
        recorded,
        eval_dataset=Stream(samples) if run.is_stream else samples,
        preprocess_logits_for_metrics=hook.preprocess_logits_for_metrics
        if run.preprocess
        else None,
    )
    with record_texts() as texts:
        metrics = trainer.evaluate()
    return {"metrics": metrics, "seen": recorded.seen, **texts}


def collect_warnings(run: Run, model: Any, tokenizer: Any, folder: Path) -> list[str]:
    """Return the warnings of two evaluations by a hook that does not know the number of samples."""
    samples = read_samples(tokenizer, causal=run.is_causal)
    hook = compute_metrics(tokenizer, causal=run.is_causal)
    evaluated = Stream(samples) if run.is_stream else samples
    trainer = make_trainer(run, model, tokenizer, folder, hook, eval_dataset=evaluated)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        trainer.evaluate()
        trainer.evaluate()
    return [str(each.message) for each in caught if "num_samples" in str(each.message)]


def evaluate_sets(
    run: Run,
    model: Any,
    tokenizer: Any,
    folder: Path,
    sets: Mapping[str, tuple[int, int]],
    sizes: list[int] | None,
) -> dict[str, float] | str:
    """Return one hook's scores of a dict of sets and then of ``trainer.predict``, or its error.

    Without ``sizes`` a function asks the trainer for the size of the set.
    """
    samples = read_samples(tokenizer, causal=False)

    def count_samples() -> int:
        return len(trainer.callback_handler.eval_dataloader.dataset)

    trainer: Any = make_trainer(
        run,
        model,
        tokenizer,
        folder,
        compute_metrics(tokenizer, num_samples=sizes or count_samples),
        eval_dataset={name: samples[slice(*places)] for name, places in sets.items()},
    )
    try:
        return {
            **trainer.evaluate(),
            **trainer.predict(samples[slice(*PREDICTED)]).metrics,
        }
    except ValueError as error:
        return str(error)


def main(folder: Path) -> None:
    """Write the results of this process; the first process also writes the expected results."""
    logging.set_verbosity_error()
    torch.set_num_threads(1)  # tiny models: more would only wait for each other
    rank, world = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    news = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    tokenizer = build_tokenizer([text for item in news for text in item.values()])
    seq2seq, causal = build_models(tokenizer)
    if world == "1":
        train(seq2seq, read_samples(tokenizer, causal=False), tokenizer, 60)
        train(causal, read_samples(tokenizer, causal=True), tokenizer, 40)
        torch.save([seq2seq.state_dict(), causal.state_dict()], folder / "weights.pt")
        expected = predict_by_hand(seq2seq, causal, tokenizer)
        (folder / "expected.json").write_text(json.dumps(expected))
    else:
        weights = torch.load(folder / "weights.pt", weights_only=True)
        for model, state in zip((seq2seq, causal), weights, strict=True):
            model.load_state_dict(state)
    outcomes = {
        name: evaluate(run, causal if run.is_causal else seq2seq, tokenizer, folder)
        for name, run in RUNS.items()
    }
    outcomes["warnings"] = {
        name: collect_warnings(RUNS[name], seq2seq, tokenizer, folder) for name in WITHOUT_NUMBER
    }
    outcomes["sets"] = {
        f"{name}: {', '.join(sets)}: {way}": evaluate_sets(
            RUNS[name], seq2seq, tokenizer, folder, sets, sizes
        )
        for name in ("generate", "generate, batches")
        for sets in SETS
        for way, sizes in {
            "list": [stop - start for start, stop in (*sets.values(), PREDICTED)],
            "function": None,
        }.items()
    }
    (folder / f"rank{rank}of{world}.json").write_text(json.dumps(outcomes))
    if distributed.is_initialized():
        # The threads of a process group that is there at exit abort the process, now and then.
        distributed.barrier()
        distributed.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
