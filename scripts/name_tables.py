"""Tables of public names, made from the directives of autodoc that describe them.

Each row has a name, the first sentence of its docstring, and the members of a class.
"""

import inspect
import re
from importlib import import_module
from typing import Any

import bleu_rouge_metric

_DIRECTIVE = re.compile(
    r"^\.\. (?P<kind>currentmodule|autofunction|autoclass):: (?P<name>\S+)"
    r"|^ +:members: (?P<members>.+)",
    re.MULTILINE,
)


def list_rows(directives: str) -> list[tuple[str, str]]:
    """Return every function and class with its meaning; a class also with its members.

    Args:
        directives: reStructuredText with ``autofunction`` and ``autoclass``.
    """
    return [
        (
            f"`{name}`",
            " ".join([summarize(value), *([f"Members: {_list(members)}."] if members else [])]),
        )
        for name, value, members in _find(directives)
    ]


def _list(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _find(directives: str) -> list[tuple[str, Any, list[str]]]:
    """Return every name with what it names and its members."""
    module: Any = bleu_rouge_metric
    found: list[tuple[str, Any, list[str]]] = []
    for match in _DIRECTIVE.finditer(directives):
        if match["kind"] == "currentmodule":
            module = import_module(match["name"])
        elif match["kind"]:
            path, _, name = match["name"].rpartition(".")
            value = getattr(import_module(path) if path else module, name)
            found.append((name, value, []))
        else:
            names = match["members"].split(", ")
            found[-1][2].extend(each for each in names if each != "__call__")
    return found


def summarize(value: Any) -> str:
    """Return the first sentence of a docstring as Markdown."""
    paragraph = " ".join(inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0].split())
    sentence = re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0]
    return re.sub(r":\w+:(?=`)", "", sentence).replace("``", "`")
