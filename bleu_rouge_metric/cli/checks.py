"""Checks that all subcommands make before any work."""

import os
import shutil
from collections.abc import Iterator
from enum import Enum
from inspect import signature
from typing import Any, Final, TypeVar

from ..checks import check_choice
from ..counting.kernels import current_kernel, find_build_problem
from ..counting.threads import count_threads
from ..families.registry import list_groups
from ..files.input import UTF8, FileFormat, check_delimiter, check_encoding
from ..messages import describe_value
from ..options.profiles import Family, check_family
from ..schema.checks import LARGEST_SEED
from ..version import __version__
from .messages import NAME, one_line_warnings, print_report, usage_errors
from .option_flags import to_int

_Choice = TypeVar("_Choice", bound=Enum)


def read_choice(flag: str, text: str, choices: type[_Choice]) -> _Choice:
    """Return the choice that a flag names, in capitals or not; raise ValueError for another."""
    names = [choice.value for choice in choices]
    name = text.lower()
    return choices(name if name in names else check_choice(flag, text, names))


def read_families(name: str | None) -> list[Family]:
    """Return the families that ``--family`` asks for; raise ValueError for another."""
    if name is None:
        return check_family(None)
    groups = list_groups()
    return check_family(
        name.lower() if name.lower() in groups else check_choice("--family", name, groups)
    )


def check_environment() -> None:
    """Raise if a variable of the environment asks for a kernel or threads that cannot be had."""
    current_kernel()
    count_threads()


def check_file_flags(
    *,
    prediction_column: str | None = None,
    reference_column: str | None = None,
    stdin_format: str = "text",
    encoding: str = UTF8,
    delimiter: str | None = None,
    join: str | None = None,
    no_join: bool = False,
    system: str | None = None,
    translator: str | None = None,
) -> dict[str, Any]:
    """Return the keywords of ``read_samples`` for flags of files; raise ValueError for bad ones."""
    return {
        "prediction_column": prediction_column,
        "reference_column": reference_column,
        "stdin_format": read_choice("--stdin-format", stdin_format, FileFormat),
        "encoding": check_encoding(encoding),
        "delimiter": None if delimiter is None else check_delimiter(delimiter),
        "join": join,
        "no_join": no_join,
        "system": system,
        "translator": translator,
    }


# The names of its parameters.
FILE_FLAGS: Final = tuple(signature(check_file_flags).parameters)


def check_engine(name: str) -> bool:
    """Return True for the engine that there is; raise ValueError for another."""
    from .flags import EngineChoice

    return read_choice("--engine", name, EngineChoice) is EngineChoice.RAY


def print_version() -> None:
    """Print the version, the kernel in use and why it is not the compiled one."""
    with usage_errors(), one_line_warnings():
        check_environment()
    lines = [f"{NAME} {__version__} ({current_kernel()} kernel)", *explain_kernel()]
    print_report(lambda: "\n".join(lines) + "\n")


def explain_kernel() -> Iterator[str]:
    """Iterate over lines that say why the compiled kernel is not in use; none if it could be."""
    if problem := find_build_problem():
        yield problem
        names = (os.environ.get("CXX", "c++"), "c++", "g++", "clang++", "cl")
        compiler = next(filter(None, map(shutil.which, names)), None)
        if compiler is None:
            yield "No C++ compiler is on the path (c++, g++, clang++, cl, or CXX)."
        else:
            yield f"{compiler} is on the path; pip install -v prints why it builds no kernel."


def check_seed_flag(text: str) -> int:
    """Return the seed; raise ValueError unless NumPy accepts it."""
    seed = to_int("seed", text)
    if not 0 <= seed <= LARGEST_SEED:
        expected = f"expected an int from 0 to {LARGEST_SEED}."
        raise ValueError(describe_value("seed", str(seed), expected))
    return seed
