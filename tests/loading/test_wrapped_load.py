"""``evaluate.load`` under a wrapper: evaluate's own contract test, partial functions, tracers."""

import doctest
import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import evaluate
import pytest
from evaluate.loading import evaluation_module_factory, import_main_class, load

from ..conftest import METRIC
from .conftest import Environment, check, make_clone, run


def trace(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function as tracers do: an object without code of its own."""

    class Traced:
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    return Traced()


@pytest.mark.parametrize(
    "wrap", [functools.partial, trace, lambda function: Mock(side_effect=function)]
)
def test_a_wrapped_load_gives_the_metric(
    wrap: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "load", wrap(evaluate.load))
    metric = evaluate.load(METRIC, "rouge")
    assert metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"] == 0.8


@pytest.mark.parametrize("wrapper", ["functools.partial(load)", "Mock(side_effect=load)"])
def test_a_wrapped_load_finds_the_package_in_its_folder(
    bare: Environment, tmp_path: Path, wrapper: str
) -> None:
    code = f"""
        import functools
        from unittest.mock import Mock
        load = evaluate.load
        evaluate.load = {wrapper}
        show(evaluate.load("./bleu_rouge_metric"))
    """
    clone = make_clone(tmp_path / "clone")
    check(run(bare, code, clone, tmp_path / "cache"), bare)


def test_the_contract_of_evaluate_for_its_own_metrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What tests/test_metric_common.py of evaluate 0.4.6 asks of every folder in metrics/: a module
    # that is made without evaluate.load, a _compute without **kwargs, and doctests that pass with
    # an evaluate.load that looks into metrics/.
    make_clone(tmp_path / "metrics")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctest, "ELLIPSIS_MARKER", "[...]")
    path = str(Path("metrics", "bleu_rouge_metric"))
    module = import_module(evaluation_module_factory(path, module_type="metric").module_path)
    parameters = inspect.signature(import_main_class(module.__name__)._compute).parameters.values()
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters)

    def load_local(name: str, *args: Any, **kwargs: Any) -> evaluate.Metric:
        return load(str(Path("metrics", name)), *args, **kwargs)

    monkeypatch.setattr(evaluate, "load", Mock(side_effect=load_local))
    results = doctest.testmod(module, raise_on_error=True)
    assert results.failed == 0
    assert results.attempted > 1
