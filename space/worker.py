"""Run functions in processes with limited memory, which are killed at a limit of time.

A small input may take long or much memory: a slow tokenizer, a wrong size in a Parquet file. Small
and large requests have workers of their own, so that the small ones never wait for the large ones.
``python -m space.worker`` is a worker: it reads calls as pickles, and writes their answers.
"""

import logging
import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from .options import InputError

MAX_SECONDS: Final = 20
MAX_MEMORY: Final = 1_000  # MB, of one worker
SMALL: Final = 2_000  # characters of a small request
_MOST_KEPT: Final = 400  # MB that a worker may have used if it is to answer again
ELSEWHERE: Final = "or use the command bleu-rouge, which has no limits."
_ROOT: Final = Path(__file__).resolve().parent.parent


class Workers:
    """Some processes, each of which answers one call at a time; they start when needed."""

    def __init__(self, count: int, *, niceness: int) -> None:
        self._threads = ThreadPoolExecutor(count)
        self._niceness = niceness
        self._idle: list[subprocess.Popen[bytes]] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Call":
        """Call a function of a module of the page with arguments that can be pickled."""
        call = Call(self)
        call.future = self._threads.submit(call.run, function, arguments)
        return call

    def take(self) -> subprocess.Popen[bytes]:
        """Return an idle process, or a new one."""
        while self._idle:
            process = self._idle.pop()
            if process.poll() is None:
                return process
            _end(process)
        # The system's memory pool frees memory at once, and its memory counts for the limit.
        environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "PYTHONUTF8": "1"}
        process = subprocess.Popen(  # noqa: S603 - the same Python, and no shell
            [sys.executable, "-m", "space.worker", str(self._niceness)],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.read(1)  # Its start does not count for the limit of time.
        return process

    def give_back(self, process: subprocess.Popen[bytes]) -> None:
        """Keep a process for the next call."""
        self._idle.append(process)


class Call:
    """A call that waits, runs, or is done; ``future`` has its result."""

    future: "Future[Any]"

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._process: subprocess.Popen[bytes] | None = None
        self._is_cancelled = False

    def run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return what the function returns, or raise what it raises."""
        process = self._process = self._workers.take()
        if self._is_cancelled:
            self._workers.give_back(process)
            raise CancelledError
        timer = threading.Timer(MAX_SECONDS, process.kill)
        timer.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump((function, arguments), process.stdin)
            process.stdin.flush()
            is_result, value, goes_on = pickle.load(process.stdout)  # noqa: S301 - our own
        except (OSError, EOFError, pickle.UnpicklingError) as reason:
            _end(process)
            raise InputError(
                f"This took more than {MAX_SECONDS} seconds or {MAX_MEMORY} MB of memory, and was "
                f"stopped; score fewer or shorter texts at a time, {ELSEWHERE}"
            ) from reason
        finally:
            timer.cancel()
            self._process = None
        if goes_on:
            self._workers.give_back(process)
        else:
            _end(process)
        if is_result:
            return value
        raise value

    def cancel(self) -> None:
        """Stop the call: its process ends, or it never starts."""
        self._is_cancelled = True
        self.future.cancel()
        process = self._process
        if process is not None:
            process.kill()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # of a call that was not sent
            if pipe is not None:
                pipe.close()


_WORKERS: Final = {
    "small": Workers(2, niceness=0),
    # They leave the processor to the small ones.
    "large": Workers(4, niceness=10),
}


def submit(size: int, function: Callable[..., Any], *arguments: Any) -> Call:
    """Call a function of the page with arguments that can be pickled, in a worker."""
    kind = "small" if size <= SMALL else "large"
    return _WORKERS[kind].submit(function, *arguments)


def limit_memory() -> None:
    """Limit the memory of this process, so that only it fails; does nothing on Windows."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - not on Windows

        size = MAX_MEMORY * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return whether there is a result, and the result or the error."""
    try:
        return True, function(*arguments)
    except InputError as reason:
        return False, reason
    except MemoryError:
        message = f"This needs more than {MAX_MEMORY} MB of memory; score fewer texts at a time, "
        return False, InputError(message + ELSEWHERE)
    except Exception as reason:  # noqa: BLE001 - the page shows any error
        # The message of an error may quote a text, which the log must not keep.
        lines = "".join(traceback.format_tb(reason.__traceback__))
        logging.getLogger(__name__).error("%s\n%s", type(reason).__name__, lines)  # noqa: TRY400
        return False, InputError(
            f"This page has an error, {type(reason).__name__}. Please report it with the texts or "
            "the file that you scored."
        )


def serve(niceness: int) -> None:
    """Answer the calls on standard input until it ends, or until much memory was used."""
    answers, calls = os.fdopen(os.dup(1), "wb"), sys.stdin.buffer
    os.dup2(2, 1)  # What a library prints is no answer.
    if hasattr(os, "nice"):
        os.nice(niceness)
    limit_memory()
    for name in ("space.api", "space.systems"):
        import_module(name)
    answers.write(b".")
    answers.flush()
    goes_on = True
    while goes_on:
        try:
            function, arguments = pickle.load(calls)  # noqa: S301 - of our own page
        except EOFError:
            return
        answer = _answer(function, arguments)
        goes_on = _read_memory() < _MOST_KEPT
        pickle.dump((*answer, goes_on), answers)
        answers.flush()


def _read_memory() -> float:
    """Return the most memory that this process has had, in MB."""
    # Not getrusage: Linux counts what the parent had when it started this process.
    with suppress(OSError):  # not Linux
        status = Path("/proc/self/status").read_text("ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1_000
    return 0


if __name__ == "__main__":
    serve(int(sys.argv[1]))
