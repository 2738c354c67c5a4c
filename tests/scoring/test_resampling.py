"""Resampling: every line has the seed of its numbers, and intervals of BLEU are percentiles."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Options, Scorer, compare_systems, compute_metrics, load
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.resampling.student import widen_tail

from ..support.commands import score_json
from ..support.toy_tokenizer import LABELS, PAD, PREDICTIONS, ToyTokenizer, pad_rows
from .test_scorer import PREDICTIONS as MANY
from .test_scorer import REFERENCES as MANY_REFERENCES
from .test_scorer import fill

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
    "result": use_result,
    "engine": use_engine,
    "hook": use_hook,
    "file": use_command,
    "folder": partial(use_command, path="folder"),
}


@pytest.fixture
def _files(own_folder: None) -> None:  # noqa: ARG001
    pairs = zip(PREDICTED, REFERENCES, strict=True)
    lines = [json.dumps({"prediction": text, "reference": other}) for text, other in pairs]
    Path("samples.jsonl").write_text("\n".join(lines))
    Path("folder").mkdir()
    Path("folder/1.jsonl").write_text("\n".join(lines[:2]))
    Path("folder/2.jsonl").write_text(lines[2])


@pytest.mark.usefixtures("_files")
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


SEED, RESAMPLES = 7, 60

# The name of the score of BLEU, and options.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "hf": ("bleu", {}),
    "sacrebleu": ("score", {"profile": "sacrebleu"}),
    "sacrebleu's floor": ("score", {"profile": "sacrebleu", "smooth": "floor", "lowercase": True}),
    "nltk": ("bleu", {"profile": "nltk", "weights": (0.5, 0.25, 0.25)}),
    "method 4": ("bleu", {"profile": "nltk", "smooth": "method4"}),
    "method 5": ("bleu", {"profile": "nltk", "smooth": "method5-corrected"}),
    "method 7": ("bleu", {"profile": "nltk", "smooth": "method7-corrected"}),
    "reweighed": ("bleu", {"profile": "nltk", "auto_reweigh": True, "smooth": "method1"}),
    "google": ("google_bleu", {"profile": "google_bleu"}),
    "google's longer n-grams": ("google_bleu", {"profile": "google_bleu", "min_order": 2}),
}


def resample(scorer: Scorer, name: str, samples: int) -> list[float]:
    """The scores of the samples that each resample draws, one after the other."""
    counts, scores = scorer.counts(), []
    generator = np.random.default_rng([SEED, 1])
    for _ in range(RESAMPLES):
        drawn = Scorer.from_options(scorer.options, scorer.families)
        drawn.update_counts(select_counts(counts, generator.integers(0, samples, samples)))
        scores.append(drawn.result()[name])
    return scores


@pytest.mark.parametrize("confidence", [0.95, 0.5])
@pytest.mark.parametrize(("name", "options"), CASES.values(), ids=CASES)
def test_bounds_are_percentiles_of_scores_of_resamples(
    name: str, options: dict[str, Any], confidence: float
) -> None:
    scorer = fill(Scorer("bleu", **options, seed=SEED, n_resamples=RESAMPLES), [5, 30])
    cut = 100 * widen_tail((1 - confidence) / 2, len(MANY))
    assert cut < 50 * (1 - confidence)
    resampled = resample(fill(Scorer("bleu", **options), []), name, len(MANY))
    assert len(set(resampled)) > RESAMPLES / 2
    low, high = np.percentile(resampled, [cut, 100 - cut]).tolist()
    plain = fill(Scorer("bleu", **options), []).result()
    scores = scorer.result(confidence=confidence)
    assert scores == {**plain, f"{name}_low": low, f"{name}_high": high}
    assert list(scores)[:3] == [name, f"{name}_low", f"{name}_high"]


def test_the_mean_length_of_references_has_an_interval() -> None:
    options: dict[str, Any] = {"reference_length": "average"}
    resampled = resample(fill(Scorer("bleu", **options), []), "bleu", len(MANY))
    scorer = fill(Scorer("bleu", **options, seed=SEED, n_resamples=RESAMPLES), [])
    scores: dict[str, Any] = scorer.result(confidence=0.9)
    # A mean is no integer: it is summed in parts of a token, 2 ** -20.
    cut = 100 * widen_tail(0.05, len(MANY))
    expected = np.percentile(resampled, [cut, 100 - cut]).tolist()
    assert [scores["bleu_low"], scores["bleu_high"]] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("profile", ["hf", "sacrebleu", "nltk", "google_bleu", "codexglue"])
def test_they_are_those_of_compare_systems(profile: Any) -> None:
    rows = compare_systems(
        {"a": MANY, "b": MANY[::-1]},
        MANY_REFERENCES,
        profile=profile,
        seed=SEED,
        n_resamples=RESAMPLES,
        confidence=0.8,
        test="bootstrap",
    ).rows
    row = next(row for row in rows if row.system == "a" and not row.score.startswith("rouge"))
    scorer = fill(Scorer("bleu", profile=profile, seed=SEED), [])
    scores = scorer.result(confidence=0.8, n_resamples=RESAMPLES)
    assert list(scores.values())[:3] == [row.value, row.low, row.high]


def test_rouge_keeps_its_own() -> None:
    options: dict[str, Any] = {"confidence": 0.9, "n_resamples": 20, "seed": 4}
    both = fill(Scorer(**options, sentence_bleu=True), []).result()
    # Single samples have no interval.
    assert "sentence_bleu_low" not in both
    assert len(both.pop("sentence_bleu")) == len(MANY)
    bleu, rouge = (fill(Scorer(family, **options), []).result() for family in ("bleu", "rouge"))
    assert both == {**bleu, **rouge}
    assert list(both) == [*bleu, *rouge]
