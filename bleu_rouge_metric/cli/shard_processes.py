"""Count shards with several processes of this machine.

Python reads JSON with one thread, which takes longer than to count what was read. So each process
reads and counts one shard after the other, and sends tables of counts through a pipe. They come out
in the order of the shards: scores, errors and warnings are those of one process.
"""

import os
import signal
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import current_thread, main_thread
from typing import Any, Final, NamedTuple

import pyarrow as pa

from ..counting.threads import VARIABLE, count_threads
from ..files.lines import FileError
from ..files.shards import Shard
from ..options.options import Options
from ..options.profiles import Family
from ..text.warnings import MOST_LOOKED_AT, SentenceLines, collect_warnings, warn_caller
from .shard_counts import count_shard, look_at_first, pack_table, unpack_table

# A process is started for each so many bytes of files: it counts them in about a second, and its
# start takes half a second.
BYTES_OF_PROCESS: Final = 1 << 25

# Windows cannot.
_CAN_BLOCK: Final = hasattr(signal, "pthread_sigmask")


class _End(NamedTuple):
    """The last message about a shard.

    Attributes:
        is_settled: what ``SentenceLines`` knows behind the shard.
        warnings: what was warned of.
    """

    is_settled: bool
    warnings: Sequence[str]


# A message about a shard: the counts of some of its rows; or its end, or the error that ended it.
_Message = bytes | _End | Exception


class _Worker(NamedTuple):
    """A process, and this end of the pipe to it."""

    process: BaseProcess
    pipe: "Connection[Any, Any]"


def choose_processes(shards: Sequence[Shard], size: int) -> int:
    """Return how many processes count the shards; 1 if more would take longer.

    Args:
        shards: all shards.
        size: of their files, in bytes.

    Raises:
        ValueError: ``BLEU_ROUGE_THREADS`` is not valid.
    """
    return max(1, min(count_threads(), len(shards), size // BYTES_OF_PROCESS))


def count_in_processes(
    shards: Sequence[Shard],
    options: Options,
    families: Sequence[Family],
    lines: SentenceLines,
    processes: int,
) -> Iterator[Any]:
    """Iterate over what ``count_shards`` does.

    Args:
        shards: in the order of the samples.
        options: checked options.
        families: families to count.
        lines: checks the samples for sentences.
        processes: how many processes count.

    Raises:
        FileError: the first shard that cannot be counted has it; or a process was ended.
    """
    look_at_first(shards, lines)
    received: list[deque[_Message]] = [deque() for _ in shards]
    with _start_workers(processes, options, families) as workers:
        # Arrow imports pandas when it first converts something. This conversion heeds Ctrl-C
        # meanwhile, but those of tables would lose it.
        pa.array(())
        messages = _receive(shards, workers, is_settled=lines.is_settled)
        for waiting in received:
            message: _Message = b""
            while not isinstance(message, _End):
                while not waiting:
                    number, message = next(messages)
                    received[number].append(message)
                message = waiting.popleft()
                if isinstance(message, Exception):
                    raise message
                yield unpack_table(message) if isinstance(message, bytes) else None
            lines.is_settled |= message.is_settled
            for warning in message.warnings:
                warn_caller(warning)


@contextmanager
def _start_workers(
    processes: int, options: Options, families: Sequence[Family]
) -> Iterator[list[_Worker]]:
    """Start processes that count shards; they are ended behind the block, whatever they do."""
    context = get_context("spawn")
    workers: list[_Worker] = []
    try:
        for _ in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_run_worker, args=(theirs, options, families), daemon=True
            )
            with _interrupts_held_back():
                process.start()
                # Else the pipe would stay open when the process has ended.
                theirs.close()
                workers.append(_Worker(process, ours))
        yield workers
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block, in which a process starts that never sees it.

    So the new process is known when this one, which ends all others, is interrupted.
    """
    if current_thread() is not main_thread():  # the only thread that is interrupted
        yield
        return
    came: list[int] = []
    # Other threads may take the signal, so that to block it is not enough. A new process has the
    # signals blocked that its parent has.
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    if _CAN_BLOCK:
        # Python would start it with the first process, and unblock the signal behind it.
        resource_tracker.ensure_running()
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if _CAN_BLOCK:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _receive(
    shards: Sequence[Shard], workers: Sequence[_Worker], *, is_settled: bool
) -> Iterator[tuple[int, _Message]]:
    """Iterate over the messages of all processes, as they come, with the numbers of their shards.

    Every process gets a shard whenever it has none, until there is an error.
    """
    left = deque(shards)
    busy: dict[Any, tuple[_Worker, Shard]] = {}

    def hand_out(worker: _Worker) -> None:
        if left:
            shard = left.popleft()
            busy[worker.pipe] = worker, shard
            # A process that has ended is found when it is read from.
            with suppress(OSError):
                worker.pipe.send((shard, is_settled))

    for worker in workers:
        hand_out(worker)
    while busy:
        for ready in wait(list(busy)):
            worker, shard = busy[ready]
            try:
                message: _Message = worker.pipe.recv()
            except (EOFError, OSError):
                message = _explain_end(worker.process, shard)
            yield shard.number, message
            if not isinstance(message, bytes):
                del busy[ready]
                if isinstance(message, Exception):
                    left.clear()
                hand_out(worker)


def _explain_end(process: BaseProcess, shard: Shard) -> FileError:
    """Return the error for a process that ended in the middle of a shard."""
    process.join()
    return FileError(
        shard.path,
        f"the process that counted it was ended (exit code {process.exitcode}); if memory ran out, "
        f"set {VARIABLE} to a smaller number of processes.",
    )


def _run_worker(pipe: "Connection[Any, Any]", options: Options, families: Sequence[Family]) -> None:
    """Count the shards that come through the pipe until it is closed; runs in a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # There is a process for every processor.
    os.environ[VARIABLE] = "1"
    with suppress(EOFError, OSError):
        while True:
            shard, is_settled = pipe.recv()
            lines = SentenceLines(MOST_LOOKED_AT, is_settled=is_settled)
            for message in _count(shard, options, families, lines):
                pipe.send(message)


def _count(
    shard: Shard, options: Options, families: Sequence[Family], lines: SentenceLines
) -> Iterator[_Message]:
    """Iterate over the messages about a shard."""
    with collect_warnings() as warnings:
        try:
            for table in count_shard(shard, options, families, lines):
                yield pack_table(table)
        except (FileError, ImportError) as error:
            yield error
        except Exception:  # noqa: BLE001 - a fault of the program, to be shown by its main process
            yield RuntimeError(traceback.format_exc())
        else:
            yield _End(lines.is_settled, warnings)
