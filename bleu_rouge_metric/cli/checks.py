"""Checks that all subcommands make before any work."""

import os
import shutil
from collections.abc import Iterator
from enum import Enum
from typing import TypeVar

from ..checks import check_choice
from ..counting.kernels import current_kernel, find_build_problem
from ..counting.threads import count_threads
from ..families.registry import list_groups
from ..options.profiles import Family, check_family
from ..schema.checks import LARGEST_SEED
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
        raise ValueError(f"seed is {seed}; expected an int from 0 to {LARGEST_SEED}.")
    return seed
