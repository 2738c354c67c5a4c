"""Tables of public names, made from the directives of autodoc that describe them.

Each row has the signature, without types, and the first line of the docstring.
"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from typing import Any

import bleu_rouge_metric

_DIRECTIVE = re.compile(
    r"^\.\. (?P<kind>currentmodule|autofunction|autoclass):: (?P<name>\S+)"
    r"|^ +:members: (?P<members>.+)",
    re.MULTILINE,
)


def list_rows(directives: str) -> list[tuple[str, str]]:
    """Return the signature and the meaning of every name.

    Args:
        directives: reStructuredText with ``autofunction`` and ``autoclass``.
    """
    return [(f"`{write_call(name, value)}`", summarize(value)) for name, value in _find(directives)]


def _find(directives: str) -> Iterator[tuple[str, Any]]:
    """Yield every name with what it names; members as ``Class.member``."""
    module: Any = bleu_rouge_metric
    name, value = "", None
    for match in _DIRECTIVE.finditer(directives):
        if match["kind"] == "currentmodule":
            module = import_module(match["name"])
        elif match["kind"]:
            path, _, name = match["name"].rpartition(".")
            value = getattr(import_module(path) if path else module, name)
            yield name, value
        else:
            for member in match["members"].split(", "):
                yield f"{name}.{member}", attrgetter(member)(value)


def write_call(name: str, value: Any) -> str:
    """Write a call of a function or class with its parameters and defaults, without types."""
    if isinstance(value, property):
        return name
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(value).parameters.values()
        if parameter.name != "self"
    ]
    signature = str(inspect.Signature(parameters)).replace("=<factory>", "")
    return f"{name.replace('.__call__', '(...)')}{signature}"


def summarize(value: Any) -> str:
    """Return the first paragraph of a docstring as Markdown."""
    paragraph = inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0]
    return re.sub(r":\w+:(?=`)", "", " ".join(paragraph.split())).replace("``", "`")
