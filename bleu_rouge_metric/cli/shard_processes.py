"""Count shards with several processes of this machine.

Python reads JSON with one thread, which takes longer than to count what was read. So each process
reads and counts one shard after the other, and sends tables of counts through a pipe. The tables
are in the order of the shards, so that scores, errors and warnings are those of one process.
"""

import os
import signal
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

import pyarrow as pa

from ..counting.threads import VARIABLE, count_threads
from ..files.input import FileError
from ..files.shards import Shard
from ..options.options import Options
from ..options.profiles import Family
from ..text.warnings import MOST_LOOKED_AT, SentenceLines, collect_warnings, warn_caller
from .shard_counts import count_shard, look_at_first, pack_table, unpack_table

# One process per this many bytes of files: it counts them in about a second, and its start takes
# half a second.
BYTES_OF_PROCESS: Final = 1 << 25


class _End(NamedTuple):
    """The last message about a shard.

    Attributes:
        is_settled: whether ``SentenceLines`` needs no more samples after the shard.
        warnings: the warnings of the shard.
    """

    is_settled: bool
    warnings: Sequence[str]


# A message about a shard: the counts of some of its rows, its end, or the error that ended it.
_Message = bytes | _End | Exception


def choose_processes(shards: Sequence[Shard], size: int) -> int:
    """Return how many processes count the shards; 1 if more would take longer.

    Args:
        shards: all shards.
        size: total size of their files in bytes.

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
    """Iterate over the tables of all shards as ``count_shards`` does.

    Args:
        shards: in the order of the samples.
        options: checked options.
        families: families to count.
        lines: checks the samples for sentences.
        processes: how many processes count.

    Raises:
        FileError: a shard cannot be counted, or the process that counted it was killed. It is the
            error of the first such shard.
    """
    look_at_first(shards, lines)
    # Arrow imports pandas at its first conversion. Ctrl-C interrupts this conversion, but would be
    # lost in those of tables.
    pa.array(())
    received: list[SimpleQueue[_Message]] = [SimpleQueue() for _ in shards]
    with _start_threads(processes, shards, received, options, families, lines.is_settled):
        for messages in received:
            while isinstance(message := messages.get(), bytes):
                yield unpack_table(message)
            if isinstance(message, Exception):
                raise message
            yield None
            lines.is_settled |= message.is_settled
            for warning in message.warnings:
                warn_caller(warning)


@contextmanager
def _start_threads(
    number: int, shards: Sequence[Shard], received: Sequence["SimpleQueue[_Message]"], *args: Any
) -> Iterator[None]:
    """Start threads that receive the messages about all shards from a process each.

    An executor of processes does not tell which shard a killed process was counting, and waits
    forever if the process was killed while it sent a result. The processes are ended after the
    block.
    """
    left = deque(shards)
    processes: list[BaseProcess] = []
    with ThreadPoolExecutor(number, initializer=_block_interrupts) as threads:
        try:
            for _ in range(number):
                threads.submit(_receive, left, received, processes, args)
            yield
        finally:
            left.clear()
            for process in processes:
                process.terminate()


def _block_interrupts() -> None:
    """Block Ctrl-C in this thread, and so in the processes that it starts.

    The main thread is interrupted, and ends the processes. Windows cannot block signals.
    """
    if hasattr(signal, "pthread_sigmask"):
        # Python would start it with the first process, and then unblock the signal.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _receive(
    left: "deque[Shard]",
    received: Sequence["SimpleQueue[_Message]"],
    processes: list[BaseProcess],
    args: Sequence[Any],
) -> None:
    """Start a process, and let it count the shards that are left, one after the other."""
    context = get_context("spawn")
    pipe, other_end = context.Pipe()
    process = context.Process(target=_run_worker, args=(other_end, *args), daemon=True)
    try:
        process.start()
    except Exception as error:  # noqa: BLE001 - raised in the main thread
        received[0].put(error)
        return
    # Otherwise the pipe would stay open after the end of the process.
    other_end.close()
    processes.append(process)
    # Another thread may take the last shard.
    with pipe, suppress(IndexError):
        while True:
            shard = left.popleft()
            for message in _request(pipe, shard, process):
                received[shard.number].put(message)
    process.join()


def _request(
    pipe: "Connection[Any, Any]", shard: Shard, process: BaseProcess
) -> Iterator[_Message]:
    """Send a shard to a process, and iterate over its messages."""
    try:
        pipe.send(shard)
        while isinstance(message := pipe.recv(), bytes):
            yield message
        yield message
    except (EOFError, OSError):
        process.join()
        yield FileError(
            shard.path,
            f"the process that counted it was ended (exit code {process.exitcode}); if memory ran "
            f"out, set {VARIABLE} to a smaller number of processes.",
        )
    except Exception as error:  # noqa: BLE001 - an error that cannot be unpickled
        yield error


def _run_worker(
    pipe: "Connection[Any, Any]",
    options: Options,
    families: Sequence[Family],
    is_settled: bool,  # noqa: FBT001 - positional in the arguments of a process
) -> None:
    """Count the shards that come through the pipe until it is closed; runs in a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # One process runs per processor.
    os.environ[VARIABLE] = "1"
    with suppress(EOFError, OSError):
        while True:
            shard = pipe.recv()
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
        except Exception:  # noqa: BLE001 - an error in the program, which the main process shows
            yield RuntimeError(traceback.format_exc())
        else:
            yield _End(lines.is_settled, warnings)
