"""Every signature with resampling has its seed as a number, and gives the same numbers again."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Options, Scorer, compute_metrics, load
from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..support.commands import score_json
from ..support.toy_tokenizer import LABELS, PAD, PREDICTIONS, ToyTokenizer, pad_rows

PREDICTED = ["the cat sat", "a dog ran far", "no"]
REFERENCES = ["the cat sat down", "the dog ran", "yes no"]
RULES: dict[str, Any] = {"confidence": 0.8, "n_resamples": 20, "rouge_types": ["rouge1", "rougeL"]}
IDS = pad_rows(PREDICTIONS, PAD), pad_rows(LABELS, -100)

Scores = dict[str, Any]
# From a seed, or None, and options to scores and their signature.
Compute = Callable[..., tuple[Scores, str]]


def use_metric(seed: Any, family: Any = None, **options: Any) -> tuple[Scores, str]:
    metric = load(family, seed=seed)
    scores = metric.compute(predictions=PREDICTED, references=REFERENCES, signature=True, **options)
    assert scores["signature"] == metric.signature()
    return scores, metric.signature()


def use_scorer(seed: Any, **options: Any) -> tuple[Scores, str]:
    scorer = Scorer(seed=seed, **options)
    scorer.update(PREDICTED, REFERENCES)
    return scorer.result(), scorer.signature()


def use_result(seed: Any, **options: Any) -> tuple[Scores, str]:
    """The interval is asked for at the end."""
    late = {name: options.pop(name) for name in ("confidence", "n_resamples")}
    scorer = Scorer(seed=seed, **options)
    scorer.update(PREDICTED, REFERENCES)
    scores: Scores = scorer.result(signature=True, **late)
    return scores, scores["signature"]


def use_engine(seed: Any, **options: Any) -> tuple[Scores, str]:
    batch = {"prediction": PREDICTED, "reference": REFERENCES}
    scorer = reduce_counts(count_batch(batch, **options), seed=seed, **options)
    return scorer.result(), scorer.signature()


def use_hook(seed: Any, **options: Any) -> tuple[Scores, str]:
    hook = compute_metrics(ToyTokenizer(), seed=seed, **options)
    scores = hook(IDS)
    assert hook(IDS) == scores
    ids, labels = IDS
    assert hook((ids[:2], labels[:2]), compute_result=False) == {}
    assert hook((ids[2:], labels[2:]), compute_result=True) == scores
    return scores, hook.signature()


def use_command(seed: Any, path: str = "samples.jsonl", **options: Any) -> tuple[Scores, str]:
    flags = [f"--confidence={options['confidence']}", f"--n-resamples={options['n_resamples']}"]
    flags += [f"--rouge-type={name}" for name in options["rouge_types"]]
    flags += [] if seed is None else [f"--seed={seed}"]
    scores = score_json(path, *flags, "--signature")
    return scores, scores["signature"]


USES = {
    "metric": use_metric,
    "scorer": use_scorer,
    "result": use_result,
    "engine": use_engine,
    "hook": use_hook,
    "file": use_command,
    "folder": partial(use_command, path="folder"),
}


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    pairs = zip(PREDICTED, REFERENCES, strict=True)
    lines = [json.dumps({"prediction": text, "reference": other}) for text, other in pairs]
    Path("samples.jsonl").write_text("\n".join(lines))
    Path("folder").mkdir()
    Path("folder/1.jsonl").write_text("\n".join(lines[:2]))
    Path("folder/2.jsonl").write_text(lines[2])


@pytest.mark.parametrize("given", [None, 0, np.uint32(7)], ids=["drawn", "zero", "NumPy"])
@pytest.mark.parametrize("compute", USES.values(), ids=USES)
def test_the_seed_of_the_line_gives_the_numbers_again(compute: Compute, given: Any) -> None:
    scores, line = compute(given, **RULES)
    (written,) = re.findall(r"\|seed:(\d+)\|", line)
    assert given is None or int(written) == given
    keywords = Options.from_signature(line).to_keywords()
    read = {name: keywords[name] for name in RULES}
    assert {**read, "rouge_types": [*read["rouge_types"]]} == RULES
    assert compute(int(written), **read) == (scores, line)
    # The seed decides some of the numbers.
    assert any(compute(seed, **read)[0] != scores for seed in range(1, 9))


@pytest.mark.parametrize("profile", ["hf", "sacrebleu", "nltk", "google_bleu"])
def test_bleu_alone_has_a_seed_too(profile: str) -> None:
    options = {"profile": profile, "confidence": 0.8, "n_resamples": 5, "max_order": 1}
    score: Any = partial(use_metric, family="bleu", **options)
    scores, line = score(None)
    (seed,) = re.findall(r"\|seed:(\d+)\|", line)
    assert score(int(seed)) == (scores, line)
    plain = {name: value for name, value in scores.items() if name != "signature"}
    assert any(not plain.items() <= score(seed)[0].items() for seed in range(9))


def test_the_hook_of_a_metric_has_its_seed() -> None:
    metric = load("rouge")
    line = metric.compute_metrics(ToyTokenizer(), confidence=0.9).signature()
    assert f"|seed:{metric.seed}|" in line
    assert "|nrefs:1|" in line
    assert "smooth" not in line


def test_without_resampling_there_is_no_seed() -> None:
    assert "seed" not in Scorer(seed=3).signature()
    assert "seed" not in Options(confidence=0.9).write_signature()
    number: Any = np.uint32(3)
    assert "|seed:3|" in Options(confidence=0.9).write_signature(seed=number)


def test_an_own_seed_of_a_line_is_checked() -> None:
    expected = r"^seed is Generator.*; expected an int from 0 to 4294967295, or None to draw one\.$"
    generator: Any = np.random.default_rng(1)
    for make in (load, Scorer, compute_metrics):
        with pytest.raises(TypeError, match=expected):
            make(seed=generator)
    with pytest.raises(TypeError, match=expected):
        Options(confidence=0.9).write_signature(seed=generator)
