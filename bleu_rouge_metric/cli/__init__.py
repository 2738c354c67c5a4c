"""The command ``bleu-rouge``."""

import os
import sys
from importlib.util import find_spec

from ..extras import needs

__all__ = ["main"]


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    try:
        _check_installed()
        # Fast path: NumPy would start a thread per processor for products of matrices, which only
        # resampling computes; this takes 0.04 s.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
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
