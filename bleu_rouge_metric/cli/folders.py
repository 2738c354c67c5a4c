"""Count a folder of files as if it were one file, with memory for a portion of it at a time.

Of little data this process counts each portion, with all processors. Of more, several processes
count: Python reads JSON with one thread, which takes longer than to count what was read. Each of
them reads and counts one shard after the other, and sends tables of counts through a pipe.
``ray_engine.py`` does the same with the processes of several machines.
"""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

import pyarrow as pa

from ..counting.threads import VARIABLE, count_threads
from ..engines import add_counts
from ..files.input import UTF8, FileError, find_file, is_same_path
from ..files.shards import Shard, list_files, make_shared_choices, plan_shards
from ..options.options import Options
from ..options.profiles import Family
from ..scoring.scorer import Scorer
from ..text.warnings import SentenceLines
from .score import SAMPLES, Work
from .shards import End, Message, count_in_worker, count_shards, look_at_first, merge_messages

# One process per this many bytes of files: it counts them in about a second, and its start takes
# half a second.
BYTES_OF_PROCESS: Final = 1 << 25

# Iterates over the tables of the counts of all shards as ``count_shards`` does; () tells that the
# work has begun.
Count = Callable[
    [Sequence[Shard], Options, Sequence[Family], SentenceLines], Generator[Any, None, None]
]


def plan_folder(
    predictions: str,
    references: Sequence[str],
    *,
    count: Count | None = None,
    prediction_column: str | None = None,
    reference_column: str | None = None,
    encoding: str = UTF8,
    delimiter: str | None = None,
    **_: Any,
) -> Work:
    """Plan the shards of a folder, or of a file with both columns; by default for this machine."""
    if len(references) > 1 or not all(is_same_path(path, predictions) for path in references):
        raise FileError(
            references[0],
            f"predictions and references are read from the same files here; give {predictions} "
            "alone, and name its columns with --prediction-column and --reference-column.",
        )
    if encoding != UTF8 or delimiter is not None:
        flag = "--delimiter" if encoding == UTF8 else "--encoding"
        raise FileError(
            predictions, f"shards are Parquet or JSON Lines in UTF-8, not CSV; leave out {flag}."
        )
    files = list_files(predictions)
    choices = make_shared_choices(predictions, prediction_column, reference_column)
    shards = plan_shards(files, choices)
    if all(shard.rows == 0 for shard in shards):
        raise FileError(predictions, "there are no samples; expected at least one.")
    paths = [file.path for file in files]
    rows = [shard.rows for shard in shards if shard.rows is not None]
    has_rows = len(rows) == len(shards)
    if count is None:
        # Files that say how many samples they have are Parquet, which Arrow reads with all threads:
        # two processes took longer than one (bench/folders.py).
        size = sum(status.st_size for path in paths if (status := find_file(path)))
        processes = 1 if has_rows else choose_processes(shards, size)
        parallel = partial(count_in_processes, processes=processes)
        count = count_shards if processes == 1 else parallel
    total, unit = (sum(rows), SAMPLES) if has_rows else (len(shards), "shards")

    def run(scorer: Scorer, advance: Callable[[int], None]) -> None:
        lines = SentenceLines()
        # Close it, so that its workers end before an error is shown.
        with closing(count(shards, scorer.options, scorer.families, lines)) as tables:
            add_counts(scorer, watch(tables, advance))
        if rouge_types := scorer.options.plan(scorer.families).counting.line_types:
            lines.warn(rouge_types)

    def watch(tables: Iterator[Any], advance: Callable[[int], None]) -> Iterator[Any]:
        for table in tables:
            if table:
                yield table
            advance(getattr(table, "num_rows", 0) if has_rows else int(table is None))

    return Work(total, unit, paths, run)


def choose_processes(shards: Sequence[Shard], size: int) -> int:
    """Return how many processes count the shards of so many bytes; 1 if more would take longer."""
    return max(1, min(count_threads(), len(shards), size // BYTES_OF_PROCESS))


def count_in_processes(
    shards: Sequence[Shard],
    options: Options,
    families: Sequence[Family],
    lines: SentenceLines,
    *,
    processes: int,
) -> Generator[Any, None, None]:
    """Iterate over the tables of all shards as ``count_shards`` does."""
    look_at_first(shards, lines)
    # Arrow imports pandas at its first conversion. Ctrl-C interrupts this conversion, but would be
    # lost in those of tables.
    pa.array(())
    with _start_workers(processes, options, families, lines.is_settled) as workers:
        yield from merge_messages(_receive_shards(shards, workers), lines)


Workers = dict[Any, BaseProcess]  # by their pipes


def _receive_shards(
    shards: Sequence[Shard], workers: Workers
) -> Iterator[tuple[Shard, Iterator[Message]]]:
    """Iterate over the shards, each with its messages; a worker counts one after the other.

    An executor of processes does not tell which shard a killed process was counting, and waits
    forever if the process was killed while it sent a result.
    """
    left, idle = deque(shards), list(workers)
    busy: dict[Any, Shard] = {}
    received: dict[int, deque[Message]] = {shard.number: deque() for shard in shards}

    def receive(messages: deque[Message]) -> Iterator[Message]:
        while True:
            while not messages:
                while idle and left:
                    pipe = idle.pop()
                    busy[pipe] = left.popleft()
                    # Receiving from a process that was killed tells of it.
                    with suppress(OSError):
                        pipe.send(busy[pipe])
                for pipe in wait(list(busy)):
                    message = _receive_message(pipe, busy[pipe], workers[pipe])
                    received[busy[pipe].number].append(message)
                    if isinstance(message, End | Exception):
                        del busy[pipe]
                    if isinstance(message, End):
                        idle.append(pipe)
            yield messages.popleft()

    for shard in shards:
        yield shard, receive(received[shard.number])


def _receive_message(pipe: Any, shard: Shard, process: BaseProcess) -> Message:
    """Return the next message of a process about a shard; an error if it was killed."""
    try:
        return pipe.recv()
    except (EOFError, OSError):
        process.join()
        return FileError(
            shard.path,
            f"the process that counted it was ended (exit code {process.exitcode}); if memory ran "
            f"out, set {VARIABLE} to a smaller number of processes.",
        )
    except Exception as error:  # noqa: BLE001 - an error that cannot be unpickled
        return error


@contextmanager
def _start_workers(number: int, *arguments: Any) -> Iterator[Workers]:
    """Start processes, each with a pipe for shards and messages, and end them after the block."""
    context = get_context("spawn")
    workers: Workers = {}
    try:
        with _block_interrupts():
            for _ in range(number):
                pipe, other_end = context.Pipe()
                worker = context.Process(target=_run, args=(other_end, *arguments), daemon=True)
                worker.start()
                workers[pipe] = worker
                # Otherwise the pipe would stay open after the end of the process.
                other_end.close()
        yield workers
    finally:
        for process in workers.values():
            process.terminate()
        for pipe, process in workers.items():
            process.join()
            pipe.close()


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes that the block starts; this one is interrupted, and ends them."""
    # Windows cannot block signals.
    set_mask, before = getattr(signal, "pthread_sigmask", None), None
    if set_mask is not None:
        # Python would start it with the first process, and then unblock the signal.
        resource_tracker.ensure_running()
        before = set_mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if set_mask is not None:
            set_mask(signal.SIG_SETMASK, before)


def _run(pipe: Any, *arguments: Any) -> None:
    """Count the shards that come through the pipe until it is closed; runs in a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            for message in count_in_worker(pipe.recv(), *arguments):
                pipe.send(message)
