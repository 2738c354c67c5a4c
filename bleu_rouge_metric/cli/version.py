"""Print the version of the command and its kernel."""

import os
import shutil
from collections.abc import Iterator

from ..counting.kernels import current_kernel, find_build_problem
from ..counting.threads import count_threads
from ..version import __version__
from .messages import NAME, one_line_warnings, print_report, usage_errors


def print_version() -> None:
    """Print the version, the kernel in use and why it is not the compiled one."""
    with usage_errors(), one_line_warnings():
        # A variable may ask for a kernel or threads that cannot be had.
        current_kernel()
        count_threads()
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
