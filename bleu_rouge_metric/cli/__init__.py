"""The command ``bleu-rouge``."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    try:
        from .command import main as run

        run()
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in ("rich", "typer"):
            raise
        sys.stderr.write(
            f'bleu-rouge: {name} is not installed; use pip install "bleu-rouge-metric[cli]".\n'
        )
        raise SystemExit(2) from error
    except KeyboardInterrupt as error:
        sys.stderr.write("bleu-rouge: interrupted.\n")
        raise SystemExit(130) from error
