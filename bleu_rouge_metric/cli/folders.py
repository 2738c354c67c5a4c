"""Count a folder of files as if it were one file, with memory for a portion of it at a time.

Files are cut into shards. Of little data this process counts each shard, with all processors. Of
more, several workers count: processes of this machine, because Python reads JSON with one thread,
which takes longer than to count what was read; or tasks of ``ray_engine.py``. A worker counts one
shard after the other, and sends messages: tables of counts, then its end or an error. They are
merged in the order of the shards, so that scores, errors and warnings are those of one process.
"""

import os
import re
import signal
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from ..counting.threads import VARIABLE, count_threads
from ..engines import add_counts, count_table
from ..files.columns import read_columns
from ..files.input import UTF8, FileError, FileFormat, InputFile, find_file, is_same_path
from ..files.rows import open_rows
from ..files.shards import Choices, Shard, list_files, make_shared_choices, plan_shards
from ..options.options import Options
from ..options.profiles import Family
from ..samples.arrow_columns import read_texts
from ..samples.inputs import Samples, check_samples
from ..scoring.scorer import Scorer
from ..text.strip import strip_samples
from ..text.warnings import MOST_LOOKED_AT, SentenceLines, collect_warnings, warn_caller
from .messages import name_file
from .score import SAMPLES, Work

# A portion ends after this many rows, or after the row that reaches this many characters or bytes.
_ROWS: Final = 4096
_CHARACTERS: Final = 1 << 22

# The keys of a shard's samples begin at its number times this number; no shard has more rows.
KEYS: Final = 1 << 40

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
    strip: re.Pattern[str] | None = None,
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
    shards = [shard._replace(strip=strip) for shard in plan_shards(files, choices)]
    if all(shard.rows == 0 for shard in shards):
        raise FileError(predictions, "there are no samples; expected at least one.")
    paths = [file.path for file in files]
    rows = [shard.rows for shard in shards if shard.rows is not None]
    has_rows = len(rows) == len(shards)
    if count is None:
        # Files that say how many samples they have are Parquet, which Arrow reads with all threads:
        # two processes took longer than one (bench/folders.py of commit 69db66f1).
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
        if rouge_types := scorer.options.plan(scorer.families).line_types:
            lines.warn(rouge_types)

    def watch(tables: Iterator[Any], advance: Callable[[int], None]) -> Iterator[Any]:
        for table in tables:
            if table:
                yield table
            advance(getattr(table, "num_rows", 0) if has_rows else int(table is None))

    return Work(total, unit, paths, run)


def count_shard(
    shard: Shard, options: Options, families: Sequence[Family], lines: SentenceLines
) -> Iterator[Any]:
    """Iterate over tables of the counts of a shard; keys give the order over all shards."""
    row = 0
    for samples in _read_portions(shard):
        keys = np.arange(row, row + len(samples.predictions)) + shard.number * KEYS
        row += len(keys)
        lines.add(samples)
        with name_file(shard.path):
            table = count_table(samples, options, families, keys)
        yield table
    if shard.rows not in (None, row):
        message = f"{row} rows were read, but its metadata says {shard.rows}; write it again."
        raise FileError(shard.path, message)


def count_shards(
    shards: Sequence[Shard], options: Options, families: Sequence[Family], lines: SentenceLines
) -> Generator[Any, None, None]:
    """Iterate over tables of the counts of all shards, with None behind the last of each shard."""
    for shard in shards:
        yield from count_shard(shard, options, families, lines)
        yield None


def look_at_first(shards: Sequence[Shard], lines: SentenceLines) -> None:
    """Check the first samples for sentences, as many as matter; they are not counted."""
    for samples in chain.from_iterable(map(_read_portions, shards)):
        lines.add(samples)
        if lines.is_settled or lines.looked_at >= MOST_LOOKED_AT:
            return


def _read_portions(shard: Shard) -> Iterator[Samples]:
    """Read the samples of a shard in portions."""
    file = InputFile.from_path(shard.path)
    read = _read_parquet if file.format is FileFormat.PARQUET else _read_lines
    choices = make_shared_choices(file.path, shard.prediction_column, shard.reference_column)
    try:
        for predictions, references in read(file, shard, choices):
            samples = check_samples(predictions, references)
            if shard.strip is not None:
                # Texts of which nothing is left are counted among the empty texts.
                samples = strip_samples(samples, shard.strip, {"predictions", "references"})
            yield samples
    except (FileError, TypeError, ValueError):
        # The error of the file as a whole has the number of its line, as without shards.
        for _ in read_columns(open_rows(file), choices):
            pass
        raise


def _read_lines(file: InputFile, shard: Shard, choices: Choices) -> Iterator[tuple[Any, Any]]:
    """Read the lines of a shard in portions."""
    part = file._replace(format=FileFormat.JSONL, start=shard.start, stop=shard.stop)
    rows = open_rows(part, is_examined=True)
    predictions: list[str] = []
    references: list[list[str]] = []
    characters = 0
    for _, columns in read_columns(rows, choices):
        for prediction, texts in zip(*columns, strict=True):
            predictions.append(prediction)
            references.append([texts] if isinstance(texts, str) else texts)
            characters += len(prediction) + sum(map(len, references[-1]))
            if len(predictions) == _ROWS or characters >= _CHARACTERS:
                yield predictions, references
                predictions, references, characters = [], [], 0
    if predictions:
        yield predictions, references


def _read_parquet(file: InputFile, shard: Shard, _: Choices) -> Iterator[tuple[Any, Any]]:
    """Read the rows of a shard in portions."""
    from pyarrow import parquet

    names = [shard.prediction_column, shard.reference_column]
    try:
        # With a buffer_size, a column of a row group is read page by page, not as a whole.
        with parquet.ParquetFile(file.path, buffer_size=1 << 20) as table:
            groups = range(shard.start, shard.stop or table.num_row_groups)
            size = sum(table.metadata.row_group(group).total_byte_size for group in groups)
            rows = max(1, min(_ROWS, _CHARACTERS * (shard.rows or 1) // max(1, size)))
            for batch in table.iter_batches(rows, groups, columns=names, use_threads=False):
                yield (
                    read_texts(batch, names[0], "--prediction-column"),
                    read_texts(batch, names[1], "--reference-column", allows_lists=True),
                )
    except (pa.ArrowException, OSError) as error:
        raise FileError(file.path, f"not a readable Parquet file: {error}") from error


class End(NamedTuple):
    """The last message of a worker about a shard, with its number of rows and its warnings."""

    rows: int
    is_settled: bool  # ``SentenceLines`` needs no more samples.
    warnings: Sequence[str]


# A message of a worker about a shard: a table of the counts of some of its rows; in the end, its
# end or the error that ended it.
Message = Any


def count_in_worker(
    shard: Shard,
    options: Options,
    families: Sequence[Family],
    is_settled: bool,  # noqa: FBT001 - workers get positional arguments
) -> Iterator[Message]:
    """Iterate over the messages about a shard; runs in a worker, one per processor."""
    os.environ[VARIABLE] = "1"
    rows, lines = 0, SentenceLines(MOST_LOOKED_AT, is_settled=is_settled)
    with collect_warnings() as warnings:
        try:
            for table in count_shard(shard, options, families, lines):
                rows += table.num_rows
                yield table
        except (FileError, ImportError) as error:
            yield error
        except Exception:  # noqa: BLE001 - an error in the program, which the main process shows
            yield RuntimeError(traceback.format_exc())
        else:
            yield End(rows, lines.is_settled, warnings)


def merge_messages(
    shards: Iterable[tuple[Shard, Iterable[Message]]], lines: SentenceLines
) -> Iterator[Any]:
    """Iterate over the tables of all shards as ``count_shards`` does; raise the first error."""
    for shard, messages in shards:
        rows, message = 0, None
        for message in messages:
            if isinstance(message, End | Exception):
                break
            rows += message.num_rows
            yield message
        if isinstance(message, Exception):
            raise message
        if not isinstance(message, End) or message.rows != rows:
            reason = "its worker did not send the counts of all rows; run the command again."
            raise FileError(shard.path, reason)
        lines.is_settled |= message.is_settled
        for warning in message.warnings:
            warn_caller(warning)
        yield None


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
