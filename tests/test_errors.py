"""Every error of the package can be pickled: a worker process raises it, and its parent gets it."""

import copy
import importlib
import inspect
import pickle
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from .conftest import ROOT

# A class whose base is an error, which its name says.
_CLASS: Final = re.compile(r"^class (\w+)\(.*(?:Error|Exception|Warning)\)", re.MULTILINE)

# An argument of each type that constructors of errors have.
ARGUMENTS: Final = {"str": "an 'odd'\ntext", "int": 3, "int | None": 7}


def find_errors() -> Iterator[type[Exception]]:
    """Yield every class of errors that the package and the page define."""
    for folder in (ROOT / "bleu_rouge_metric", ROOT / "space"):
        for path in sorted(folder.rglob("*.py")):
            for name in _CLASS.findall(path.read_text("utf-8")):
                parts = path.relative_to(ROOT).with_suffix("").parts
                yield getattr(importlib.import_module(".".join(parts)), name)


ERRORS: Final = {error.__name__: error for error in find_errors()}


def make_error(kind: type[Exception]) -> Exception:
    """Make an error with an argument for every parameter."""
    if not any("__init__" in vars(base) for base in kind.__mro__ if base in ERRORS.values()):
        return kind("a message")
    parameters = inspect.signature(kind).parameters.values()
    return kind(*(ARGUMENTS[inspect.formatannotation(each.annotation)] for each in parameters))


def describe(error: Exception) -> tuple[Any, ...]:
    """Return everything that an error says, with its notes."""
    return type(error), str(error), error.args, vars(error)


def test_the_errors_are_found() -> None:
    assert {"FileError", "SplitError", "UsageError"} <= ERRORS.keys()
    assert all(issubclass(error, Exception) for error in ERRORS.values())


@pytest.mark.parametrize("name", ERRORS)
def test_a_pickled_error_is_the_same_error(name: str) -> None:
    error = make_error(ERRORS[name])
    vars(error)["__notes__"] = ["as add_note, which Python 3.10 lacks, writes them"]
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    sent = [pickle.loads(pickle.dumps(error, protocol)) for protocol in protocols]
    for other in (copy.copy(error), copy.deepcopy(error), *sent):
        assert other is not error
        assert describe(other) == describe(error)
