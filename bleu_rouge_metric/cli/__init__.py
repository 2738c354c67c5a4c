"""The command ``bleu-rouge``."""

import sys

from ..extras import needs

__all__ = ["main"]


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    try:
        with needs("The command", "cli"):
            from .command import main as run
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError):
            raise
        sys.stderr.write(f"bleu-rouge: {error}\n")
        raise SystemExit(2) from error
    except KeyboardInterrupt as error:
        sys.stderr.write("bleu-rouge: interrupted.\n")
        raise SystemExit(130) from error
    run()
