"""Tables of public names, made from the directives of autodoc that describe them.

Each row has a name and the first line of its docstring.
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
    """Return every name, with ``(...)`` for a call of an object, and its meaning.

    Args:
        directives: reStructuredText with ``autofunction`` and ``autoclass``.
    """
    return [
        (f"`{name.replace('.__call__', '(...)')}`", summarize(value))
        for name, value in _find(directives)
    ]


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


def summarize(value: Any) -> str:
    """Return the first paragraph of a docstring as Markdown."""
    paragraph = inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0]
    return re.sub(r":\w+:(?=`)", "", " ".join(paragraph.split())).replace("``", "`")
