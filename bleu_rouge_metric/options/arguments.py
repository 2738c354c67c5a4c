"""Errors for arguments that a function does not have, before Python's own.

Python complains of a missing argument first, and so never says that ``hypotheses`` is called
``predictions`` here.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Final, ParamSpec, TypeVar

from .foreign import ARGUMENTS
from .relevance import raise_unknown
from .table import OPTIONS

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_SINGULAR: Final = ("prediction", "reference")
_WRONG: Final = frozenset(_SINGULAR).union(*(foreign.names for foreign in ARGUMENTS.values()))


def name_arguments(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Decorate a function of samples: a keyword of another library is an error that names ours.

    The signature stays as it is, for editors, type checkers and ``help``.

    >>> @name_arguments
    ... def count(predictions, references): ...
    >>> count(hypotheses=["a"], references=["a"])
    Traceback (most recent call last):
    TypeError: Unknown option 'hypotheses'; it is called 'predictions' here.
    """
    wrong = _WRONG.difference(signature(function).parameters)

    @wraps(function)
    def call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        if not wrong.isdisjoint(kwargs):
            name = next(name for name in kwargs if name in wrong)
            raise_unknown(name, list(OPTIONS))
        return function(*args, **kwargs)

    return call


def refuse_positional(method: str, given: tuple[object, ...], *names: str) -> None:
    """Raise TypeError if a method that takes keywords alone is given other arguments.

    >>> refuse_positional("compute", (["a"],), "predictions", "references")
    Traceback (most recent call last):
    TypeError: compute takes keywords; use compute(predictions=..., references=...).
    """
    if given:
        line = ", ".join(f"{name}=..." for name in names)
        raise TypeError(f"{method} takes keywords; use {method}({line}).")
