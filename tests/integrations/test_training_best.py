"""The numbers by which people choose a checkpoint: sacrebleu's BLEU, and ROUGE beside it."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import compute_metrics

from ..conftest import require
from ..support.processes import run_python
from ..support.toy_tokenizer import (
    GENERATED,
    LABELS,
    PAD,
    PREDICTIONS,
    REFERENCES,
    TEXTS,
    ToyTokenizer,
    pad_rows,
)

TOKENIZER = ToyTokenizer()
IDS = pad_rows(PREDICTIONS, PAD, -100)
LABEL_IDS = pad_rows(LABELS, -100)


@pytest.mark.parametrize("percent", [False, True])
def test_the_profile_of_sacrebleu_gives_its_number_as_bleu(*, percent: bool) -> None:
    sacrebleu = require("sacrebleu")
    hook = compute_metrics(TOKENIZER, profile="sacrebleu", percent=percent, prefix="test_")
    scores = hook((IDS, LABEL_IDS))
    expected = sacrebleu.corpus_bleu(TEXTS, [REFERENCES]).score
    assert 1 < expected < 100
    assert scores["test_bleu"] == scores["test_score"] == expected
    assert scores["test_gen_len"] == GENERATED / len(TEXTS)


def test_the_recipe_gives_the_numbers_of_both_libraries() -> None:
    sacrebleu, rouge_score = require("sacrebleu"), require("rouge_score.rouge_scorer")
    hook = compute_metrics(TOKENIZER, percent=True, smooth="exp", reference_length="closest")
    scores = hook((IDS, LABEL_IDS))
    # evaluate's BLEU is a power of fractions, sacrebleu's one of percentages: they are rounded at
    # other steps, so a few of the last bits may differ.
    expected = sacrebleu.corpus_bleu(TEXTS, [REFERENCES]).score
    assert scores["bleu"] == pytest.approx(expected, rel=4e-15, abs=0)
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = rouge_score.RougeScorer(types)
    pairs = [scorer.score(target, text) for target, text in zip(REFERENCES, TEXTS, strict=True)]
    for name in types:
        mean = math.fsum(pair[name].fmeasure for pair in pairs) / len(pairs)
        assert scores[name] == mean * 100


CHOICES: dict[str, dict[str, Any]] = {
    "bleu": {"profile": "sacrebleu"},
    "eval_bleu": {"percent": True, "smooth": "exp", "reference_length": "closest"},
    "rougeL": {"percent": True},
    "eval_rougeL": {"family": "rouge"},
}


@pytest.mark.extra
def test_a_trainer_keeps_the_checkpoint_with_the_best_score(tmp_path: Path) -> None:
    for library in ("torch", "transformers", "accelerate"):
        require(library)
    support = Path(__file__).parent.parent / "support"
    done = run_python(
        f"""
        import json, sys
        from pathlib import Path
        sys.path.insert(0, {str(support)!r})
        from trainer_runs import *
        logging.set_verbosity_error()
        folder = Path({str(tmp_path)!r})
        news = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
        tokenizer = build_tokenizer([text for item in news for text in item.values()])
        samples = read_samples(tokenizer, causal=False)
        arguments = dict(
            GENERATE, learning_rate=1e-2, num_train_epochs=4, per_device_train_batch_size=4,
            eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
        )
        outcomes = {{}}
        for name, options in {CHOICES!r}.items():
            run = Run(is_seq2seq=True, arguments=dict(arguments, metric_for_best_model=name))
            model, _ = build_models(tokenizer)
            trainer = make_trainer(
                run, model, tokenizer, folder / name, compute_metrics(tokenizer, **options),
                train_dataset=samples, eval_dataset=samples,
            )
            trainer.train()
            history = [row for row in trainer.state.log_history if "eval_loss" in row]
            outcomes[name] = [
                history, trainer.state.best_metric, trainer.state.best_model_checkpoint,
                trainer.evaluate(),
            ]
        (folder / "outcomes.json").write_text(json.dumps(outcomes))
        """,
        HF_HUB_OFFLINE="1",
        OMP_NUM_THREADS="1",
        CUDA_VISIBLE_DEVICES="",
    )
    assert done.returncode == 0, done.stderr[-4000:]
    outcomes = json.loads((tmp_path / "outcomes.json").read_text())
    for name, (history, best, checkpoint, loaded) in outcomes.items():
        key = f"eval_{name.removeprefix('eval_')}"
        scores = {row["step"]: row[key] for row in history}
        assert len(scores) == 4
        assert best == max(scores.values()) > 0
        assert scores[int(Path(checkpoint).name.removeprefix("checkpoint-"))] == best
        assert loaded[key] == best
    history = outcomes["bleu"][0]
    assert all(row["eval_bleu"] == row["eval_score"] for row in history)
