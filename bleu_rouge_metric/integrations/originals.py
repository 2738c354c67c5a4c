"""Names that a library has and its drop-in does not.

To import one is an ImportError that says where it is, and ``hasattr`` is False. Some names come
from the installed library itself.
"""

import sys
from collections.abc import Callable, Collection
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

# By drop-in: the library, what the drop-in has, and the names that the library itself gives.
_DROP_INS: Final[dict[str, tuple[str, str, Collection[str]]]] = {}


def add_drop_in(package: str, content: str, given: Collection[str] = ()) -> Callable[[str], Any]:
    """Register a drop-in of that name, and return the function ``__getattr__`` of its package."""
    _DROP_INS[package] = package.rpartition(".")[2], content, given
    return find_names(package)


def find_names(module: str) -> Callable[[str], Any]:
    """Return the function ``__getattr__`` of a module of a drop-in."""

    def get_name(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            return _find(module, name)
        except ImportError as error:
            raise AttributeError(str(error)) from error

    return get_name


def _find(module: str, name: str) -> Any:
    """Return a name of the installed library; raise ImportError if it is not handed over."""
    package = next(package for package in _DROP_INS if f"{module}.".startswith(f"{package}."))
    library, content, given = _DROP_INS[package]
    path = library + module.removeprefix(package)
    if name not in given:
        raise ImportError(
            f"{name!r} is not in {package}, which has {content}; import it from {path}."
        )
    try:
        source = import_module(path)
    except ModuleNotFoundError:
        message = f"{name!r} comes from {library}, which is not installed: pip install {library}"
        raise ImportError(message) from None
    return getattr(source, name) if hasattr(source, name) else import_module(f"{path}.{name}")


class _Finder(MetaPathFinder, Loader):
    """Find modules of drop-ins that no other finder has found."""

    def find_spec(self, fullname: str, *_paths: object) -> ModuleSpec | None:
        """Return a module with the names of an attribute of its parent, or of the library's."""
        parent, _, name = fullname.rpartition(".")
        if not any(f"{parent}.".startswith(f"{package}.") for package in _DROP_INS):
            return None
        source = vars(sys.modules[parent]).get(name) or _find(parent, name)
        return ModuleSpec(fullname, self, loader_state=source)

    def exec_module(self, module: ModuleType) -> None:
        """Let a module look names up in the other one."""
        source = module.__spec__.loader_state if module.__spec__ else None
        module.__dict__["__getattr__"] = lambda name: getattr(source, name)


sys.meta_path.append(_Finder())
