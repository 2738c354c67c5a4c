"""Show a progress bar on the terminal, for work that takes longer than a second."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

# Seconds of work before the bar appears.
_PATIENCE: Final = 1.0


@contextmanager
def show_progress(
    total: int, name: str = "samples", verb: str = "Scoring"
) -> Iterator[Callable[[int], None]]:
    """Show on standard error how much of the work is done.

    The bar appears after a second, only on a terminal, and disappears at the end of the block.

    Args:
        total: how many items there are.
        name: name of the items.
        verb: what is done with them.

    Yields:
        A function to call with the number of items done since the last call.

    >>> with show_progress(10) as advance:
    ...     advance(4)
    """
    with show_steps(name, verb) as show:
        done = 0

        def advance(more: int) -> None:
            nonlocal done
            done += more
            show(done, total)

        yield advance


@contextmanager
def show_steps(name: str, verb: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress as ``show_progress`` does, of work whose total is known only while it is done.

    Yields:
        A function to call with the number of items that are done, and how many there are.
    """
    console = Console(stderr=True)
    bar = Progress(
        TextColumn(verb),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{name},"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        transient=True,
        # Text that a library prints meanwhile must not appear above the bar.
        redirect_stdout=False,
    )
    task = bar.add_task("", total=None)
    # Do not ask rich: because of the environment (FORCE_COLOR) it may treat a pipe as a terminal.
    has_terminal = sys.stderr is not None and sys.stderr.isatty() and not console.is_dumb_terminal
    start = monotonic()

    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if has_terminal and not bar.live.is_started and monotonic() - start > _PATIENCE:
            bar.start()

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
