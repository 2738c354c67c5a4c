"""Checks that all subcommands make before any work."""

from typing import Any

from ..counting.kernels import current_kernel
from ..counting.threads import count_threads
from ..files.encodings import check_delimiter, check_encoding
from ..options.checks import LARGEST_SEED
from .option_flags import to_int


def check_environment() -> None:
    """Raise if a variable of the environment asks for a kernel or threads that cannot be had."""
    current_kernel()
    count_threads()


def check_text_options(encoding: str, delimiter: str | None) -> dict[str, Any]:
    """The arguments of ``read_samples`` for text files; raises ValueError for bad ones."""
    return {
        "encoding": check_encoding(encoding),
        "delimiter": None if delimiter is None else check_delimiter(delimiter),
    }


def check_seed_flag(text: str) -> int:
    """The seed; raises ValueError unless it is one of NumPy."""
    seed = to_int("seed", text)
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed is {seed}; expected an int from 0 to {LARGEST_SEED}.")
    return seed
