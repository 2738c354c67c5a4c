"""Only the first part of an import path changes: names of the libraries below ``integrations``."""

import importlib
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

OURS = "bleu_rouge_metric.integrations."

# Lines of a kind, a module, and names in it.
LINES = Path(__file__).with_name("drop_in_names.txt").read_text("utf-8").splitlines()


def list_names(kind: str) -> list[tuple[str, str]]:
    rows = (line.split() for line in LINES if line.startswith(f"{kind} "))
    return [(module, name) for _, module, *names in rows for name in names]


def import_name(module: str, name: str) -> Any:
    found: dict[str, Any] = {}
    exec(f"from {OURS}{module} import {name}", found)
    return found[name]


@pytest.mark.parametrize(("module", "name"), list_names("here"))
def test_names_lie_at_the_same_path(module: str, name: str) -> None:
    assert getattr(import_module(f"{OURS}{module}"), name) is import_name(module, name)


@pytest.mark.parametrize(("module", "name"), list_names("missing"))
def test_missing_names_are_errors_that_say_where_they_are(module: str, name: str) -> None:
    library = module.partition(".")[0]
    message = rf"^'{name}' is not in {OURS}{library}, which has .*; import it from {module}\.$"
    with pytest.raises(ImportError, match=message):
        import_name(module, name)
    with pytest.raises(ImportError, match=message):
        import_module(f"{OURS}{module}.{name}.{name}")
    found = import_module(f"{OURS}{module}")
    if not module.startswith("pycocoevalcap."):
        with pytest.raises(AttributeError, match=message):
            getattr(found, name)
    assert not hasattr(found, name)


@pytest.mark.parametrize(("module", "name"), list_names("given"))
def test_what_sacrebleu_has_beside_bleu_is_its_own(module: str, name: str) -> None:
    assert import_name(module, name) is getattr(import_module(module), name)


def test_without_sacrebleu_its_names_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "sacrebleu"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    message = "^'CHRF' comes from sacrebleu, which is not installed: pip install sacrebleu$"
    for module in ("sacrebleu", "sacrebleu.metrics"):
        with pytest.raises(ImportError, match=message):
            import_name(module, "CHRF")
        with pytest.raises(AttributeError, match=message):
            _ = import_module(f"{OURS}{module}").CHRF
        assert not hasattr(import_module(f"{OURS}{module}"), "CHRF")
    with pytest.raises(ImportError, match="pip install sacrebleu"):
        import_module(f"{OURS}sacrebleu.metrics.ter")


def test_modules_that_are_not_of_a_drop_in_are_not_found() -> None:
    assert importlib.util.find_spec(f"{OURS}rouges") is None
    module = import_module(f"{OURS}sacrebleu")
    assert not hasattr(module, "__wrapped__")
