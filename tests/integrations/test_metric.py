"""The contract of an ``evaluate`` metric: loading, adding, computing, pickling."""

import inspect
import multiprocessing
import pickle
import re
import time
from functools import partial
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

import bleu_rouge_metric
from bleu_rouge_metric import Options, Scorer, compute_metrics
from bleu_rouge_metric.options.profiles import PROFILES

from ..conftest import METRIC

PREDICTIONS = ["Paris is not the capital of France", "the cat sat on the mat"]
REFERENCES = [["Paris is the biggest French city"], ["a cat sat on a mat", "the cat sat"]]
BLEU_KEYS = [
    *("bleu", "precisions", "brevity_penalty", "length_ratio"),
    *("translation_length", "reference_length"),
]
ROUGE_KEYS = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@pytest.fixture
def expected(metric: evaluate.Metric) -> dict[str, Any]:
    scores: dict[str, Any] = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    return scores


@pytest.mark.quick
def test_the_keys_are_those_of_evaluate_in_their_order(
    bleu: evaluate.Metric, rouge: evaluate.Metric, expected: dict[str, Any]
) -> None:
    assert list(expected) == BLEU_KEYS + ROUGE_KEYS
    texts = {"predictions": PREDICTIONS, "references": REFERENCES}
    assert bleu.compute(**texts) == {name: expected[name] for name in BLEU_KEYS}
    assert rouge.compute(**texts) == {name: expected[name] for name in ROUGE_KEYS}


BAD_SEEDS: list[Any] = ["x", -1, 2.5, True, [1], 2**32, np.float64(1), np.random.default_rng(1)]


@pytest.mark.parametrize("seed", BAD_SEEDS, ids=range(8))
def test_a_bad_seed_is_an_error_at_once(seed: Any) -> None:
    expected = f"seed is {seed!r}; expected an int from 0 to 4294967295, or None to draw one."
    write = Options(confidence=0.9).write_signature
    for make in (partial(evaluate.load, METRIC), Scorer, compute_metrics, write):
        with pytest.raises((TypeError, ValueError), match=f"^{re.escape(expected)}$"):
            make(seed=seed)


@pytest.mark.parametrize("added", [0, 1, 2])
def test_samples_may_be_given_in_any_way(
    metric: evaluate.Metric, expected: dict[str, Any], added: int
) -> None:
    for prediction, reference in zip(PREDICTIONS[:added], REFERENCES[:added], strict=True):
        metric.add(prediction=prediction, reference=reference)
    with pytest.raises(ValueError, match="expected at least one sample"):
        metric.add_batch(predictions=[], references=[])
    assert len(metric) == added
    rest = {"predictions": PREDICTIONS[added:], "references": REFERENCES[added:]}
    assert metric.compute(**(rest if added < 2 else {})) == expected
    assert len(metric) == 0


def test_an_error_leaves_the_samples_as_they_were(
    metric: evaluate.Metric, expected: dict[str, Any]
) -> None:
    metric.add_batch(predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    with pytest.raises(TypeError):
        metric.add(prediction=None, reference="a")
    with pytest.raises(ValueError, match="predictions has 1 sample"):
        metric.add_batch(predictions=["a"], references=["b", "c"])
    with pytest.raises(TypeError):
        metric.compute(predictions=["a"], references=[3])
    with pytest.raises(ValueError, match="max_order is 0"):
        metric.compute(predictions=["a"], references=["b"], max_order=0)
    with pytest.raises(ZeroDivisionError):
        metric.compute(predictions=["a"], references=["b"], tokenizer=lambda _: [str(1 // 0)])
    assert len(metric) == 1
    assert metric.compute(predictions=PREDICTIONS[1:], references=REFERENCES[1:]) == expected
    assert len(metric) == 0


def test_nothing_is_written_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: dict[str, Any]
) -> None:
    monkeypatch.setattr("evaluate.config.HF_METRICS_CACHE", tmp_path)
    metric = evaluate.load(METRIC)
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert metric.compute() == expected
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def _score_rounds_in_process(process_id: int, cache: str, results: Any) -> None:
    """Run one of two processes, which wait for each other in compute only."""
    metric = evaluate.load(
        METRIC, num_process=2, process_id=process_id, experiment_id="rounds", cache_dir=cache
    )
    found: list[Any] = []
    for number in range(4):
        # One process is ahead of the other, and in the next round behind it.
        time.sleep(0.3 * ((number + process_id) % 2))
        options = {"tokenizer": lambda _: [str(1 // 0)]} if number == 1 else {}
        reference = f"{REFERENCES[process_id][0]} {number}"
        metric.add(prediction=PREDICTIONS[process_id], reference=reference)
        try:
            # In round 2 an option is wrong, before anything is shared.
            found.append(metric.compute(**options, max_order=4 if number != 2 else 0))
        except (ValueError, ZeroDivisionError) as error:
            found.append(type(error).__name__)
            # The samples are kept.
            metric = pickle.loads(pickle.dumps(metric))
            assert len(metric) == 1
            metric._batches.clear()
    results.put((process_id, found))


def test_rounds_of_processes_do_not_mix(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    processes = [
        context.Process(target=_score_rounds_in_process, args=(process_id, str(tmp_path), results))
        for process_id in range(2)
    ]
    for process in processes:
        process.start()
    found = dict(results.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    first, last = (
        evaluate.load(METRIC).compute(
            predictions=PREDICTIONS,
            references=[f"{references[0]} {number}" for references in REFERENCES],
        )
        for number in (0, 3)
    )
    assert found[0] == [first, "ZeroDivisionError", "ValueError", last]
    assert found[1] == [None, None, "ValueError", None]
    assert list(tmp_path.rglob("*.arrow")) == []


def test_a_process_that_waits_in_vain_says_so_and_leaves_no_file(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"num_process": 2, "process_id": 1, "timeout": 0.2}
    metric = evaluate.load(METRIC, cache_dir=str(tmp_path), **arguments)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^Expected to find locked file .*-0\.arrow\.lock"):
            metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert list(tmp_path.rglob("*.arrow")) == []


@pytest.mark.parametrize("name", [*PROFILES])
def test_a_profile_is_a_configuration(name: str) -> None:
    texts: dict[str, Any] = {"predictions": PREDICTIONS, "references": PREDICTIONS[::-1]}
    metric = bleu_rouge_metric.load(name, seed=1)
    if name == "rouge":
        # The family, as evaluate has it, not the package of this name.
        expected = bleu_rouge_metric.load(seed=1).compute(**texts)
        assert metric.compute(**texts) == {key: expected[key] for key in ROUGE_KEYS}
        return
    assert metric.signature().startswith(f"profile:{name}|")
    expected = bleu_rouge_metric.load(seed=1)
    scores = metric.compute(**texts)
    assert scores == expected.compute(**texts, profile=name)
    assert metric.signature() == expected.signature()
    assert metric.compute(**texts, profile=name) == scores


def test_metrics_can_be_combined(bleu: evaluate.Metric, rouge: evaluate.Metric) -> None:
    combined = evaluate.combine([bleu, rouge])
    scores = combined.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert list(scores) == BLEU_KEYS + ROUGE_KEYS
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        # Under the names predictions and references.
        combined.add(prediction, reference)
    assert combined.compute() == scores


def test_the_metric_describes_itself(metric: evaluate.Metric) -> None:
    assert metric.name == "bleu_rouge_metric"
    assert "Papineni" in metric.citation
    assert "Lin" in metric.citation
    assert metric.homepage == "https://pypi.org/project/bleu-rouge-metric/"
    assert "rouge_types" in metric.inputs_description
    assert [list(features) for features in metric.features] == [["predictions", "references"]] * 2
    assert "stored examples: 0" in repr(metric)
    assert "use_stemmer" in inspect.getdoc(metric.compute)  # type: ignore[operator]


@pytest.mark.quick
def test_the_installed_package_loads_the_same_metric(expected: dict[str, Any]) -> None:
    metric = bleu_rouge_metric.load(seed=1)
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    assert bleu_rouge_metric.load("bleu").config_name == "bleu"
