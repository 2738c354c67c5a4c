"""Show a progress bar on the terminal, for work that takes longer than a second."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

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
    bar: Any = None
    # Do not ask rich: because of the environment (FORCE_COLOR) it may treat a pipe as a terminal.
    has_terminal = sys.stderr is not None and sys.stderr.isatty()
    start = monotonic()

    def show(done: int, total: int) -> None:
        nonlocal bar
        if bar is None and has_terminal and monotonic() - start > _PATIENCE:
            bar = _start_bar(name, verb)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


def _start_bar(name: str, verb: str) -> Any:
    """Return a bar of rich on standard error; it shows nothing on a terminal that cannot."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class SpeedColumn(ProgressColumn):
        """Items per second; nothing while no time was measured."""

        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s," if speed else "")

    console = Console(stderr=True)
    bar = Progress(
        TextColumn(verb),
        # Narrow enough for a line of 80 characters.
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn(f"{name},"),
        SpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        transient=True,
        # Text that a library prints meanwhile must not appear above the bar.
        redirect_stdout=False,
    )
    bar.add_task("", total=None)
    if not console.is_dumb_terminal:
        bar.start()
    return bar
