"""The hook under the real Trainer and Seq2SeqTrainer, alone and as two ranks of torchrun.

What is expected was predicted sample by sample, without a trainer, padding or batches.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import load
from bleu_rouge_metric.scoring.results import flatten

from ..conftest import ROOT, require, unfit_texts
from .test_training_sizes import REPEATS

for library in ("torch", "transformers", "accelerate"):
    require(library)

pytestmark = pytest.mark.extra

RUNS = str(Path(__file__).parent.parent / "support" / "trainer_runs.py")
PROCESSES = ["rank0of1", "rank0of2", "rank1of2"]
# Kinds of predictions, and the runs that have them.
KINDS = {
    "generated": [
        *("generate", "generate, batches", "generate, a list", "generate, preprocess"),
        "generate, a stream",
    ],
    "forced": [
        *("Seq2SeqTrainer, logits", "logits", "logits, batches", "logits, a list"),
        *("logits, a stream", "logits, preprocess", "logits, preprocess, batches"),
    ],
    "causal": ["causal", "causal, batches", "causal, preprocess", "causal, preprocess, batches"],
}
SAMPLES = 21
# Start and stop of each set of samples.
SETS = {"eval_all": (0, 21), "eval_some": (5, 14), "eval_more": (3, 19), "test": (16, 21)}


def run(*arguments: str, cwd: Path) -> str:
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **quiet, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("trainers")
    for launcher in ("", "-m torch.distributed.run --standalone --nproc_per_node=2"):
        run(*launcher.split(), RUNS, str(folder), cwd=ROOT)
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}


def score(outcomes: dict[str, Any], kind: str, *places: int | None) -> dict[str, float]:
    """Score what was predicted without a trainer for some samples, or for all."""
    expected, part = outcomes["expected"], slice(*(places or (None,)))
    texts, labels = expected["texts"][kind][part], expected["labels"][part]
    scores = flatten(load().compute(predictions=texts, references=labels))
    lengths = list(map(len, expected["ids"][kind][part]))
    return {**scores, "gen_len": sum(lengths) / len(lengths)}


@unfit_texts[1]
@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in KINDS[kind]])
def test_every_sample_is_decoded_once_in_order_and_the_scores_are_those_of_compute(
    kind: str, name: str, process: str, outcomes: dict[str, Any]
) -> None:
    expected, found = outcomes["expected"], outcomes[process][name]
    assert len(expected["labels"]) == SAMPLES
    assert found["predictions"] == expected["texts"][kind]
    assert found["labels"] == expected["labels"]
    scores = score(outcomes, kind)
    assert 0.2 < scores["bleu"] < scores["rouge1"] < 0.9
    assert {key: found["metrics"][f"eval_{key}"] for key in scores} == scores


@pytest.mark.parametrize(
    ("name", "alone", "ranks"),
    [
        ("generate", 21, 24),
        ("generate, batches", 21, 24),
        ("Seq2SeqTrainer, logits", 21, 24),
        ("generate, a stream", 21, 24),
        ("logits, a stream", 21, 24),
        ("logits", 21, 21),
        ("causal, batches", 21, 21),
    ],
)
def test_ranks_of_some_trainers_repeat_the_first_samples(
    name: str, alone: int, ranks: int, outcomes: dict[str, Any]
) -> None:
    # Why num_samples is there; where it changes, the manual should say so.
    arrived = [sum(outcomes[p][name]["seen"]) for p in PROCESSES]
    assert arrived == [alone, ranks, ranks]


def test_the_hook_warns_where_ranks_repeat_samples_and_the_number_is_unknown(
    outcomes: dict[str, Any],
) -> None:
    message = REPEATS.format(24, 2)
    for process in PROCESSES:
        repeats = [] if process == "rank0of1" else [message]
        assert outcomes[process]["warnings"] == {
            "generate": repeats,
            "generate, batches": repeats,
            "logits": [],
            "logits, batches": [],
            "logits, a stream": repeats,
        }


@unfit_texts[1]
@pytest.mark.parametrize("way", ["list", "function"])
@pytest.mark.parametrize("name", ["generate", "generate, batches"])
@pytest.mark.parametrize("process", PROCESSES)
def test_one_hook_scores_a_dict_of_sets_and_predict_of_another_size(
    process: str, name: str, way: str, outcomes: dict[str, Any]
) -> None:
    for sets in ("all, some", "some, more"):
        logged = outcomes[process]["sets"][f"{name}: {sets}: {way}"]
        if process != "rank0of1" and way == "list" and sets == "some, more":
            # The 9 samples of one set with the repeats of ranks are as many as the other set has.
            assert logged.startswith(
                "16 samples came, and more than one of num_samples=[5, 9, 16] fits: 9 and 16."
            )
            continue
        for prefix in [*(f"eval_{part}" for part in sets.split(", ")), "test"]:
            scores = score(outcomes, "generated", *SETS[prefix])
            assert {key: logged[f"{prefix}_{key}"] for key in scores} == scores


def test_the_example_trains_and_prints_the_scores_of_every_epoch(tmp_path: Path) -> None:
    printed = run(str(ROOT / "examples" / "train_summarization.py"), cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert "8 summaries that it did not learn from" in printed
    rows = [re.findall(r"\d+\.\d\d", line) for line in printed.splitlines()]
    table = [list(map(float, row)) for row in rows if row]
    epochs, _, bleu, rouge_1, _, _, lengths = zip(*table, strict=True)
    assert epochs == tuple(range(1, 13))
    assert max(rouge_1[-3:]) > 1.5 * rouge_1[0] > 0
    assert all(0 < score < 100 for score in bleu)
    assert all(1 <= length <= 32 for length in lengths)
