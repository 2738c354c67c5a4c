"""The benchmarks find their texts in a clone that lacks the corpora."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from .conftest import ROOT


@pytest.fixture
def workloads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The module of the texts, without the corpora."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    module = importlib.import_module("workloads")
    monkeypatch.setattr(module, "DATA", tmp_path / "shared" / "data")
    return module


def test_every_workload_is_generated_without_the_corpora(workloads: ModuleType) -> None:
    for name, corpus in workloads.WORKLOADS.items():
        workload = workloads.read_workload(name, 200)
        assert len(workload.predictions) == len(workload.references) == 200
        assert workload.distinct == len(set(workload.predictions)) == 150
        for text in (workload.predictions[0], workload.references[0]):
            assert len(text.split()) == corpus.words * corpus.lines * corpus.joined
            assert len(text.splitlines()) == corpus.lines * corpus.joined
        shared = set(workload.predictions[0].split()) & set(workload.references[0].split())
        assert shared
        assert workload == workloads.read_workload(name, 200)


def test_a_run_says_that_its_texts_are_generated(workloads: ModuleType) -> None:
    expected = "texts: generated, as long as those of the corpora, which are not at ../shared/data"
    assert workloads.describe_texts() == expected
    workloads.DATA.mkdir(parents=True)
    assert workloads.describe_texts() == "texts: corpora"


def test_systems_are_those_of_the_examples_without_the_corpora(
    workloads: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sacrebleu")
    significance = importlib.import_module("significance")
    monkeypatch.setattr(significance, "CORPUS", workloads.DATA / "systems.jsonl.gz")
    systems, references = significance.read_systems(100)
    assert list(systems) == ["first", "words12", "words15"]
    assert {len(texts) for texts in (*systems.values(), references)} == {100}
