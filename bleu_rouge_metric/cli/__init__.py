"""The command ``bleu-rouge``."""

import os
import signal
import sys
from importlib.util import find_spec
from typing import Final

from ..extras import needs

__all__ = ["main"]

# What sets the number of threads of OpenBLAS.
_THREADS: Final = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    try:
        _check_installed()
        # Fast path: NumPy would start a thread per processor for products of matrices, which only
        # resampling computes; this takes 0.04 s.
        if not any(name in os.environ for name in _THREADS):
            os.environ[_THREADS[0]] = "1"
        # SIGTERM too runs the cleanup code, and the status is the one that a shell reports.
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        from .command import main as run

        run()
    except KeyboardInterrupt as error:
        sys.stderr.write("bleu-rouge: interrupted.\n")
        raise SystemExit(130) from error


def _check_installed() -> None:
    """End the command with one line if the extra ``cli`` is not installed."""
    try:
        with needs("The command", "cli"):
            for name in ("click", "rich"):
                if find_spec(name) is None:
                    raise ModuleNotFoundError(name=name)
    except ImportError as error:
        sys.stderr.write(f"bleu-rouge: {error}\n")
        raise SystemExit(2) from error
