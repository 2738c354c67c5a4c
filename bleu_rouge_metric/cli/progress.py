"""A progress bar on the terminal, for work that takes longer than a second."""

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

# Seconds of work that pass without a bar.
_PATIENCE: Final = 1.0


@contextmanager
def show_progress(total: int, name: str = "samples") -> Iterator[Callable[[int], None]]:
    """A function to tell how much more is done; a bar on standard error shows it.

    The bar comes after a second, goes with the end of the block, and is shown on a terminal alone.

    Args:
        total: how many there are.
        name: of what there is.

    Yields:
        A function of the number that were done since the last call.

    >>> with show_progress(10) as advance:
    ...     advance(4)
    """
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("Scoring"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{name},"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        transient=True,
        # Nothing that a library prints there meanwhile is to come out above the bar.
        redirect_stdout=False,
    )
    task = bar.add_task("", total=total)
    # The environment can make rich take a pipe for a terminal (FORCE_COLOR), so it is not asked.
    has_terminal = sys.stderr is not None and sys.stderr.isatty() and not console.is_dumb_terminal
    start = monotonic()

    def advance(done: int) -> None:
        bar.advance(task, done)
        if has_terminal and not bar.live.is_started and monotonic() - start > _PATIENCE:
            bar.start()

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()
