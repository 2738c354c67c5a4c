"""Count a folder of files as if it were one file, with memory for a part of it at a time.

Files are cut into shards. Of little data this process counts each shard, with all processors. Of
more, several workers do: processes of this machine, because Python reads JSON with one thread,
which takes longer than to count what was read; or tasks of Ray, which runs a task again if its
worker dies. The tables of counts are added in the order of the shards, so that scores, errors and
warnings are those of one process.
"""

import io
import logging
import os
import signal
import socket
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stdout, suppress
from functools import partial
from itertools import chain, cycle, islice
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from ..counting.threads import VARIABLE, count_threads
from ..engines import add_counts, count_table
from ..extras import needs
from ..files.columns import read_columns, read_labels
from ..files.input import UTF8, FileError, FileFormat, InputFile, describe, find_file, is_same_path
from ..files.rows import open_rows
from ..files.shards import Choices, Shard, list_files, make_shared_choices, plan_shards
from ..options.options import Options
from ..options.profiles import Family
from ..samples.arrow_texts import read_column
from ..samples.inputs import Samples, check_samples
from ..scoring.scorer import Scorer
from ..text.strip import strip_samples
from ..text.warnings import MOST_LOOKED_AT, SentenceLines, collect_warnings, warn_caller
from .flags import SAMPLE_FILES
from .messages import UsageError, name_file
from .output import check_output, progress
from .values import Values

# At most so many rows, and about so many bytes, of Parquet are read at a time.
_ROWS: Final = 4096
_BYTES: Final = 1 << 22

_COLUMNS: Final = ("prediction_column", "reference_column")
_NOT_OF_SHARDS: Final = tuple(flag for flag in SAMPLE_FILES if flag.name not in _COLUMNS)

# Of Ray: seconds to wait for a cluster to answer.
_PATIENCE: Final = 10.0

# How often a shard is counted again after a worker died.
_RETRIES: Final = 3

# Bytes of counts that may wait in memory to be added; more wait on the disk.
_STORE: Final = 1 << 28

# The keys of a shard's samples begin at its number times this number; no shard has more rows.
KEYS: Final = 1 << 40

# One process per this many bytes of files: it counts them in about a second, and its start takes
# half a second.
BYTES_OF_PROCESS: Final = 1 << 25


class Counts(NamedTuple):
    """The counts of a shard."""

    tables: Sequence[Any]
    is_settled: bool  # ``SentenceLines`` needs no more samples.
    warnings: Sequence[str]


# Iterates over the counts of all shards, or errors; other arguments are those of a worker.
Count = Callable[
    [Sequence[Shard], Options, Sequence[Family], bool], Generator[Counts | Exception, None, None]
]


def count_folder(scorer: Scorer, values: Values) -> list[str] | None:
    """Count a folder, or a file with both columns; return the labels for ``--group-by``."""
    path, others = values.predictions, values.references
    for flag in values.list_given(_NOT_OF_SHARDS):
        raise UsageError(f"{flag} does not apply to folders and engines; leave it out.")
    if len(others) > 1 or not all(is_same_path(other, path) for other in others):
        message = f"predictions and references are read from the same files here; give {path}"
        remedy = "name its columns with --prediction-column and --reference-column."
        raise FileError(others[0], f"{message} alone, and {remedy}")
    if values.encoding != UTF8 or values.delimiter is not None:
        flag = "--delimiter" if values.encoding == UTF8 else "--encoding"
        message = f"shards are Parquet or JSON Lines in UTF-8, not CSV; leave out {flag}."
        raise FileError(path, message)
    files = list_files(path)
    choices = make_shared_choices(values.prediction_column, values.reference_column)
    shards = [shard._replace(strip=values.pattern) for shard in plan_shards(files, choices)]
    if all(shard.rows == 0 for shard in shards):
        raise FileError(path, "there are no samples; expected at least one.")
    if values.per_sample is not None:
        check_output("--per-sample", values.per_sample, [file.path for file in files])
    labels = None if values.groups is None else read_labels(files, values.groups, "--group-by")
    count = choose_count(shards, files) if values.engine is None else count_with_ray
    with progress(len(shards), "shards") as advance:
        add_shards(scorer, shards, count, advance)
    return labels


def choose_count(shards: Sequence[Shard], files: Sequence[InputFile]) -> Count | None:
    """Return what counts in several processes; None if that would take longer than in this one."""
    # Files that say how many samples they have are Parquet, which Arrow reads with all threads:
    # two processes took longer than one (bench/folders.py of commit 69db66f1).
    if all(shard.rows is not None for shard in shards):
        return None
    size = sum(status.st_size for file in files if (status := find_file(file.path)))
    processes = min(count_threads(), len(shards), size // BYTES_OF_PROCESS)
    return partial(count_in_processes, processes=processes) if processes > 1 else None


def add_shards(
    scorer: Scorer,
    shards: Sequence[Shard],
    count: Count | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> None:
    """Count shards into a scorer, in this process unless ``count`` does."""
    lines = SentenceLines()
    options, families = scorer.options, scorer.families

    def list_tables() -> Generator[Any, None, None]:
        if count is None:
            for shard in shards:
                yield from count_shard(shard, options, families, lines)
                advance(1)
            return
        # Check the first samples for sentences, as many as matter.
        for samples in chain.from_iterable(map(_read_portions, shards)):
            lines.add(samples)
            if lines.is_settled or lines.looked_at >= MOST_LOOKED_AT:
                break
        with closing(count(shards, options, families, lines.is_settled)) as results:
            for result in results:
                if isinstance(result, Exception):
                    raise result
                lines.is_settled |= result.is_settled
                for warning in result.warnings:
                    warn_caller(warning)
                yield from result.tables
                advance(1)

    # Close it, so that its workers end before an error is shown.
    with closing(list_tables()) as tables:
        add_counts(scorer, tables)
    if rouge_types := options.plan(families).line_types:
        lines.warn(rouge_types)


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


def _read_portions(shard: Shard) -> Iterator[Samples]:
    """Read the samples of a shard in portions."""
    file = InputFile.from_path(shard.path)
    read = _read_parquet if file.format is FileFormat.PARQUET else _read_lines
    choices = make_shared_choices(shard.prediction_column, shard.reference_column)
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
    for _, (predictions, references) in read_columns(open_rows(part, is_examined=True), choices):
        yield predictions, [[text] if isinstance(text, str) else text for text in references]


def _read_parquet(file: InputFile, shard: Shard, _: Choices) -> Iterator[tuple[Any, Any]]:
    """Read the rows of a shard in portions."""
    from pyarrow import parquet

    names = [shard.prediction_column, shard.reference_column]
    try:
        # With a buffer_size, a column of a row group is read page by page, not as a whole.
        with parquet.ParquetFile(file.path, buffer_size=1 << 20) as table:
            groups = range(shard.start, shard.stop or table.num_row_groups)
            size = sum(table.metadata.row_group(group).total_byte_size for group in groups)
            rows = max(1, min(_ROWS, _BYTES * (shard.rows or 1) // max(1, size)))
            for batch in table.iter_batches(rows, groups, columns=names, use_threads=False):
                yield (
                    read_column(batch, names[0], "--prediction-column"),
                    read_column(batch, names[1], "--reference-column"),
                )
    except (pa.ArrowException, OSError) as error:
        raise FileError(file.path, f"not a readable Parquet file: {error}") from error


def count_in_worker(
    shard: Shard,
    options: Options,
    families: Sequence[Family],
    is_settled: bool,  # noqa: FBT001 - workers get positional arguments
) -> Counts | Exception:
    """Return the counts of a shard, or its error; runs in a worker, one per processor."""
    os.environ[VARIABLE] = "1"
    lines = SentenceLines(MOST_LOOKED_AT, is_settled=is_settled)
    with collect_warnings() as warnings:
        try:
            tables = list(count_shard(shard, options, families, lines))
        except (FileError, ImportError) as error:
            return error
        except Exception:  # noqa: BLE001 - an error in the program, which the main process shows
            return RuntimeError(traceback.format_exc())
    return Counts(tables, lines.is_settled, warnings)


def count_in_processes(
    shards: Sequence[Shard], *arguments: Any, processes: int
) -> Generator[Counts | Exception, None, None]:
    """Iterate over the counts of all shards, of which each process counts every n-th.

    An executor of processes does not tell which shard a killed process was counting, and waits
    forever if the process was killed while it sent a result.
    """
    # Arrow imports pandas at its first conversion. Ctrl-C interrupts this conversion, but would be
    # lost in those of tables.
    pa.array(())
    parts = [shards[first::processes] for first in range(processes)]
    with _start_workers(parts, *arguments) as workers:
        for shard, (pipe, process) in zip(shards, cycle(workers), strict=False):
            with suppress(EOFError, OSError):
                yield pipe.recv()
                continue
            process.join()
            raise FileError(
                shard.path,
                f"the process that counted it was ended (exit code {process.exitcode}); if memory "
                f"ran out, set {VARIABLE} to a smaller number of processes.",
            )


@contextmanager
def _start_workers(
    parts: Sequence[Sequence[Shard]], *arguments: Any
) -> Iterator[list[tuple[Any, Any]]]:
    """Start a process for each part of the shards, with its pipe, and end them after the block."""
    context = get_context("spawn")
    workers: list[tuple[Any, Any]] = []
    try:
        with _block_interrupts():
            for part in parts:
                pipe, other_end = context.Pipe(duplex=False)
                target = partial(_count_part, other_end, part, *arguments)
                worker = context.Process(target=target, daemon=True)
                worker.start()
                workers.append((pipe, worker))
                # Otherwise the pipe would stay open after the end of the process.
                other_end.close()
        yield workers
    finally:
        for _, worker in workers:
            worker.terminate()
        for pipe, worker in workers:
            worker.join()
            pipe.close()


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes that the block starts; this one is interrupted, and ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # Python would start it with the first process, and then unblock the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _count_part(pipe: Any, shards: Sequence[Shard], *arguments: Any) -> None:
    """Count shards and send their counts; runs in a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for Windows
    with suppress(OSError):
        for shard in shards:
            pipe.send(count_in_worker(shard, *arguments))


def count_with_ray(
    shards: Sequence[Shard], *arguments: Any
) -> Generator[Counts | Exception, None, None]:
    """Iterate over the counts of all shards, whose errors name the files as the user did."""
    with _run_ray() as ray:
        count = ray.remote(max_retries=_RETRIES)(count_in_worker)
        left = iter(shards)
        running: deque[tuple[Shard, Any]] = deque()
        while True:
            # Twice the processors: none waits for a shard, and few counts wait to be added. A
            # cluster may grow meanwhile.
            most = 1 + 2 * int(ray.cluster_resources().get("CPU", 0))
            for shard in islice(left, most - len(running)):
                # The workers of a cluster have another working directory.
                task = shard._replace(path=str(Path(shard.path).absolute()))
                running.append((shard, count.remote(task, *arguments)))
            if not running:
                return
            shard, reference = running.popleft()
            try:
                counts = ray.get(reference)
            except ray.exceptions.RayError as error:
                lines = [line for line in str(error).splitlines() if line.strip()]
                raise FileError("ray", f"a shard was not counted: {lines[-1].strip()}") from error
            is_of_file = isinstance(counts, FileError)
            yield FileError(shard.path, counts.message, counts.line) if is_of_file else counts


@contextmanager
def _run_ray() -> Iterator[Any]:
    """Start Ray without output: on the cluster of ``RAY_ADDRESS``, or on this machine."""
    # Ray must not report the use of this command to its makers.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with needs("--engine ray", "ray"):
        import ray

    logging.getLogger("ray").setLevel(logging.CRITICAL)
    # Ray prints messages about its workers to standard output, which is only for the scores.
    with redirect_stdout(io.StringIO()):
        if ray.is_initialized():
            yield ray
            return
        address = os.environ.get("RAY_ADDRESS", "")
        check_address(address)
        local = {"address": "local", "include_dashboard": False, "object_store_memory": _STORE}
        try:
            own = {} if address else local
            ray.init(log_to_driver=False, logging_level=logging.CRITICAL, **own)
        except (ConnectionError, RuntimeError, ValueError) as error:
            place = f"RAY_ADDRESS={address}" if address else "ray"
            raise FileError(place, f"Ray does not start: {error}") from error
        try:
            yield ray
        finally:
            ray.shutdown()


def check_address(address: str) -> None:
    """Raise FileError if nothing answers at ``host:port``; Ray would wait long."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        reason = describe(error) if isinstance(error, OSError) else str(error)
        message = f"the cluster cannot be reached: {reason}."
        raise FileError(f"RAY_ADDRESS={address}", message) from error
