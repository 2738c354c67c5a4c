"""Fixtures that every test module may use."""

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import evaluate
import pytest

ROOT = Path(__file__).parent.parent
METRIC = str(ROOT / "bleu_rouge_metric")


def require(module: str) -> ModuleType:
    """An optional library; where it is missing the test is skipped, or fails in CI."""
    if os.environ.get("CI"):
        return importlib.import_module(module)
    found: ModuleType = pytest.importorskip(module)
    return found


@pytest.fixture(scope="session", autouse=True)
def _fresh_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Caches of evaluate that no earlier run has left anything in."""
    # evaluate's cache key leaves out what follows a "#" on a line: an old cache may hold old code.
    with pytest.MonkeyPatch.context() as patch:
        modules = tmp_path_factory.mktemp("modules")
        metrics = tmp_path_factory.mktemp("metrics")
        patch.setenv("HF_MODULES_CACHE", str(modules))
        patch.setenv("HF_METRICS_CACHE", str(metrics))
        patch.setattr("evaluate.config.HF_MODULES_CACHE", modules)
        patch.setattr("evaluate.config.HF_METRICS_CACHE", metrics)
        yield


@pytest.fixture
def metric() -> evaluate.Metric:
    """The metric of both families, as ``evaluate.load`` gives it; a new one for each test."""
    return evaluate.load(METRIC)


@pytest.fixture
def bleu() -> evaluate.Metric:
    """The metric with the configuration "bleu"."""
    return evaluate.load(METRIC, "bleu")


@pytest.fixture
def rouge() -> evaluate.Metric:
    """The metric with the configuration "rouge"."""
    return evaluate.load(METRIC, "rouge")
