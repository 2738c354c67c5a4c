"""BLEU and ROUGE as one metric of the Hugging Face ``evaluate`` library, in one file.

Generated from commit COMMIT; do not edit. ``evaluate.load`` downloads only this file from a Space,
so it holds the sources of the package ``bleu_rouge_metric`` as texts, and imports them. If the same
version of the package is installed, the installed package runs. To install it, with its compiled
kernel and its command: pip install git+URL, where URL is the address of this Space.

>>> import evaluate
>>> metric = evaluate.load(__file__)
>>> metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"]
0.8
"""

import ast
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Final

import evaluate

_NAME: Final = "bleu_rouge_metric"
_VERSION: Final = "VERSION"
# The package is a submodule of this module. So a process that unpickles a metric finds it if the
# cache of evaluate is on its path.
_ROOT: Final = f"{__name__}.package"
__path__: list[str] = []

# The text of each module and the line of this file on which it begins, by the module's name below
# the root. Each line is indented by one space, because evaluate looks for imports at the start of
# every line of this file, inside texts too.
_SOURCES: dict[str, tuple[int, str]] = {}


class _Package(MetaPathFinder, InspectLoader):
    """Find and load the modules of the package in the texts."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - of the interface
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        name = fullname.removeprefix(_ROOT)
        if not fullname.startswith(_ROOT) or name not in _SOURCES:
            return None
        is_package = self.is_package(fullname)
        path_below = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
        origin = f"{__file__}{path_below}"
        spec = ModuleSpec(fullname, self, origin=origin, is_package=is_package)
        spec.has_location = True
        return spec

    def is_package(self, fullname: str) -> bool:
        name = fullname.removeprefix(_ROOT)
        return any(other.startswith(f"{name}.") for other in _SOURCES)

    def get_source(self, fullname: str) -> str:
        """Return the source of a module."""
        lines = _SOURCES[fullname.removeprefix(_ROOT)][1].splitlines(keepends=True)[1:]
        return "".join(line.removeprefix(" ") for line in lines)

    def exec_module(self, module: ModuleType) -> None:
        tree = ast.parse(self.get_source(module.__name__))
        # Line numbers are those of this file, so that tracebacks and debuggers show the lines.
        ast.increment_lineno(tree, _SOURCES[module.__name__.removeprefix(_ROOT)][0])
        exec(compile(tree, __file__, "exec"), module.__dict__)  # noqa: S102 - the package itself


def _find_root() -> str:
    """Return the name of the package to import: the installed one, or the one in the texts."""
    spec = find_spec(_NAME)
    if spec is None or not spec.origin or spec.submodule_search_locations is None:
        return _ROOT
    version = import_module(_NAME).__version__
    if version == _VERSION:
        return _NAME
    warnings.warn(
        f"The installed bleu-rouge-metric has version {version}, but this Space holds version "
        f"{_VERSION}. Version {_VERSION} runs now, from the Space's own sources. Install the "
        "version of the Space (pip install -U git+URL, where URL is the address of the Space), or "
        "load the installed version with bleu_rouge_metric.load().",
        stacklevel=2,
    )
    return _ROOT


# The sources are inserted here.

sys.meta_path.append(_Package())
BleuRougeMetric: type[evaluate.Metric] = import_module(
    f"{_find_root()}.integrations.evaluate_metric"
).BleuRougeMetric
