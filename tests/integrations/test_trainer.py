"""The hook under the real Trainer and Seq2SeqTrainer, alone and as two ranks."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from datasets import Dataset

from bleu_rouge_metric import compute_metrics, load
from bleu_rouge_metric.scoring.results import flatten

from ..conftest import ROOT, require
from ..support.errors import list_warnings
from ..support.on_ranks import describe_error, run_on_ranks
from .test_training_sizes import REPEATS

torch: Any = require("torch")
transformers: Any = require("transformers")
require("accelerate")

from ..support.echo import Echo, change, join_prompt, read_samples  # noqa: E402

# Of transformers, about itself, and of texts that do not fit.
pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore")]

# Not a multiple of the samples of a step, neither for one rank nor for two.
SAMPLES, BATCH = 21, 4
# Scores of which the last ones depend on the order of the samples.
OPTIONS: dict[str, Any] = {"seed": 3, "confidence": 0.9, "n_resamples": 50}
TOKENIZER, DATA = read_samples(SAMPLES)


class Run(NamedTuple):
    """One evaluation; ``preprocess``: logits become ids; ``is_stream``: the data has no length."""

    kind: str  # the name of the trainer, or "causal"
    arguments: Mapping[str, Any] = {}
    preprocess: bool = False
    is_stream: bool = False


GENERATE = {"predict_with_generate": True}
BATCHES = {"batch_eval_metrics": True}
A_LIST = {"eval_do_concat_batches": False}
# Each rank reads the whole stream and takes its share: batches of other widths cannot be sent.
STREAM = {"accelerator_config": {"dispatch_batches": False}}
RUNS = [
    Run("Seq2SeqTrainer", GENERATE),
    Run("Seq2SeqTrainer", GENERATE | BATCHES),
    Run("Seq2SeqTrainer", GENERATE | A_LIST, preprocess=True),
    Run("Seq2SeqTrainer", GENERATE | STREAM, is_stream=True),
    Run("Seq2SeqTrainer"),
    Run("Trainer", BATCHES),
    Run("Trainer", A_LIST),
    Run("Trainer", STREAM, is_stream=True),
    Run("Trainer", preprocess=True),
    Run("Trainer", BATCHES, preprocess=True),
    Run("causal"),
    Run("causal", BATCHES, preprocess=True),
]


def make_trainer(run: Run, folder: Path, data: Any, **hook_options: Any) -> Any:
    """Make the trainer of a run with the hook."""
    is_seq2seq, causal = run.kind == "Seq2SeqTrainer", run.kind == "causal"
    hook = compute_metrics(TOKENIZER, causal=causal, **OPTIONS, **hook_options)
    name = "Seq2SeqTrainer" if is_seq2seq else "Trainer"
    samples = [join_prompt(sample) for sample in data] if causal else data
    return getattr(transformers, name)(
        model=Echo(TOKENIZER, DATA, causal=causal),
        args=getattr(transformers, f"{'Seq2Seq' * is_seq2seq}TrainingArguments")(
            str(folder / "trainer"),
            per_device_eval_batch_size=BATCH,
            report_to="none",
            use_cpu=True,
            disable_tqdm=True,
            **run.arguments,
        ),
        processing_class=TOKENIZER,
        data_collator=transformers.DataCollatorForSeq2Seq(TOKENIZER),
        compute_metrics=hook,
        preprocess_logits_for_metrics=hook.preprocess_logits_for_metrics
        if run.preprocess
        else None,
        eval_dataset=Dataset.from_list(samples).to_iterable_dataset() if run.is_stream else samples,
    )


def expect(prefix: str, *places: int | None) -> dict[str, float]:
    """Score what the model says of some samples, or of all, without a trainer."""
    labels = [sample["labels"] for sample in DATA[slice(*(places or (None,)))]]
    said = [change(torch.tensor(ids)).tolist() for ids in labels]
    texts, references = (
        TOKENIZER.batch_decode(rows, skip_special_tokens=True) for rows in (said, labels)
    )
    metric = load(seed=OPTIONS["seed"])
    options = {name: value for name, value in OPTIONS.items() if name != "seed"}
    scores = flatten(metric.compute(predictions=texts, references=references, **options))
    assert 0.2 < scores["bleu"] < scores["rouge1"] < 0.95
    scores["gen_len"] = sum(map(len, said)) / len(said)
    return {f"{prefix}_{name}": value for name, value in scores.items()}


def check_run(run: Run, folder: Path, ranks: int) -> None:
    """Evaluate with the number of samples, and twice without, which may cause one warning."""
    found = make_trainer(run, folder, DATA, num_samples=SAMPLES).evaluate()
    assert expect("eval").items() <= found.items()
    trainer = make_trainer(run, folder, DATA)
    # Why num_samples is there; if it changes, the manual should say so.
    repeats = ranks > 1 and (run.kind == "Seq2SeqTrainer" or run.is_stream)
    warned = [REPEATS.format(24, 2)] if repeats else []
    assert list_warnings(trainer.evaluate, trainer.evaluate, pattern="num_samples") == warned


# Start and stop of each set of samples. Two ranks fill 9 samples up to 16.
SETS = ({"all": (0, 21), "some": (5, 14)}, {"some": (5, 14), "more": (3, 19)})
PREDICTED = (16, 21)
TWO_FIT = "16 samples came, and more than one of num_samples=[5, 9, 16] fits: 9 and 16."


def check_sets(folder: Path, ranks: int) -> None:
    """Score a dict of sets and what is predicted, by their sizes, or by a function."""
    for run, sets, is_list in product(RUNS[:2], SETS, (True, False)):
        sizes = [stop - start for start, stop in (*sets.values(), PREDICTED)]
        data = {name: DATA[slice(*places)] for name, places in sets.items()}
        trainer: Any = None

        def count_samples() -> int:
            return len(trainer.callback_handler.eval_dataloader.dataset)  # noqa: B023

        num_samples = sizes if is_list else count_samples
        trainer = make_trainer(run, folder, data, num_samples=num_samples)
        if ranks > 1 and num_samples == [9, 16, 5]:
            assert describe_error(trainer.evaluate).startswith(TWO_FIT)
            continue
        found = trainer.evaluate()
        for name, places in sets.items():
            assert expect(f"eval_{name}", *places).items() <= found.items()
        found = trainer.predict(DATA[slice(*PREDICTED)]).metrics
        assert expect("test", *PREDICTED).items() <= found.items()


def check_ranks(_: int, folder: Path) -> None:
    transformers.utils.logging.set_verbosity_error()
    for run in RUNS:
        check_run(run, folder, 2)
    check_sets(folder, 2)


@pytest.mark.parametrize("run", RUNS, ids=range(len(RUNS)))
def test_the_scores_are_those_of_compute(run: Run, tmp_path: Path) -> None:
    check_run(run, tmp_path, 1)


def test_one_hook_scores_a_dict_of_sets_and_predict_of_another_size(tmp_path: Path) -> None:
    check_sets(tmp_path, 1)


def test_the_scores_of_ranks_are_those_of_compute(tmp_path: Path) -> None:
    run_on_ranks(tmp_path, check_ranks)


def test_the_example_trains_and_prints_the_scores_of_every_epoch(tmp_path: Path) -> None:
    quiet = {"HF_HUB_OFFLINE": "1", "COLUMNS": "100", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "train_summarization.py")],
        cwd=tmp_path,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert list(tmp_path.iterdir()) == []
    assert "8 summaries that it did not learn from" in done.stdout
    rows = [re.findall(r"\d+\.\d\d", line) for line in done.stdout.splitlines()]
    table = [list(map(float, row)) for row in rows if row]
    epochs, _, bleu, rouge_1, _, _, lengths = zip(*table, strict=True)
    assert epochs == tuple(range(1, 13))
    assert max(rouge_1[-3:]) > 1.5 * rouge_1[0] > 0
    assert all(0 < score < 100 for score in bleu)
    assert all(1 <= length <= 32 for length in lengths)
