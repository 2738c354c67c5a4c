"""What the command writes: to standard output, to files, and its progress to the terminal.

A file is written completely or not at all. The content goes to a new file in the same folder, which
replaces the old file at the end. After an error, an interrupt, SIGTERM or on a full disk the old
file is unchanged, and the new file is removed. Pipes and devices have no old content, so they are
written directly.
"""

import csv
import gzip
import io
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, BinaryIO, Final

from ..extras import needs
from ..files.input import (
    STDIN,
    UTF8,
    FileError,
    FileFormat,
    describe,
    detect_format,
    find_file,
    find_stream,
)
from ..tables import guard_cell, make_printable
from .messages import discard_output

# The scores of all samples, by the name of the column.
Columns = Mapping[str, Sequence[float] | Sequence[int]]

# An escape that sets a colour. Reports have colours; the names in them do not.
_COLOUR: Final = re.compile(r"(\x1b\[[\d;]*m)")

# Seconds of work before the progress bar appears.
_PATIENCE: Final = 1.0

_NAMES: Final = {
    FileFormat.TEXT: "plain text",
    FileFormat.JSONL: "JSON Lines",
    FileFormat.CSV: "CSV",
    FileFormat.TSV: "TSV",
    FileFormat.PARQUET: "Parquet",
}


def has_colours() -> bool:
    """Return whether standard output gets colours: NO_COLOR, FORCE_COLOR, or a terminal's."""
    if sys.stdout is None or os.environ.get("NO_COLOR"):
        return False
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
    return is_terminal or bool(os.environ.get("FORCE_COLOR"))


def print_report(text: str, *, is_styled: bool = False) -> None:
    """Write a report to standard output; a styled one may have colours, its names have none."""
    if sys.stdout is None:
        return
    with output_errors():
        if sys.stdout.isatty():
            # A pipe or a file gets the data unchanged, a terminal does not.
            pieces = _COLOUR.split(text) if is_styled else [text]
            pieces[::2] = map(make_printable, pieces[::2])
            text = "".join(pieces)
        # Names of systems may contain what the terminal cannot show.
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()


@contextmanager
def output_errors() -> Iterator[None]:
    """Convert errors of standard output to ``FileError``, except that of a closed pipe."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise FileError("<stdout>", f"cannot be written: {describe(error)}.") from error


@contextmanager
def progress(
    total: int | None = None, unit: str = "samples", verb: str = "Scoring"
) -> Iterator[Callable[..., None]]:
    """Show a bar on a terminal after a second, until the end of the block.

    It gets the number of items done since the last call; without a total, all items and the total.
    """
    # Do not ask rich: because of FORCE_COLOR it may treat a pipe as a terminal.
    has_terminal = sys.stderr is not None and sys.stderr.isatty()
    done, start = 0, monotonic()
    with ExitStack() as stack:
        bar: Any = None

        def show(more: int, of: int | None = total) -> None:
            nonlocal bar, done
            done = more if total is None else done + more
            if bar is None and has_terminal and monotonic() - start > _PATIENCE:
                bar = _make_bar(unit, verb)
                if not bar.console.is_dumb_terminal:
                    stack.enter_context(bar)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done, total=of)

        yield show


def _make_bar(unit: str, verb: str) -> Any:
    """Return a bar of rich on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (verb, BarColumn(24), MofNCompleteColumn(), f"{unit},", TimeRemainingColumn(), "left")
    # Text that a library prints meanwhile must not appear above the bar.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    bar.add_task("", total=None)
    return bar


def check_output(
    flag: str, path: str, inputs: Sequence[str], file_format: FileFormat | None = None
) -> None:
    """Raise FileError if a file cannot be written or is an input or standard output.

    The suffix names the format, and must; or the content has one, which no suffix may contradict.
    """
    if path == STDIN:
        raise FileError(flag, f"expected the name of a file; {flag} - is not standard output.")
    named, _ = detect_format(path)
    if file_format is None and named in (None, FileFormat.TEXT):
        raise FileError(
            path,
            "the suffix names no known format; expected .csv, .tsv, .jsonl or .parquet "
            "(.csv.gz, .tsv.gz and .jsonl.gz are compressed).",
        )
    named = FileFormat.JSONL if named is FileFormat.JSON else named
    if file_format is not None and named not in (None, FileFormat.TEXT, file_format):
        content = f"but the content is {_NAMES[file_format]}; give another name."
        raise FileError(path, f"the suffix is that of {_NAMES[named]}, {content}")
    old = find_file(path)
    if old is not None and not stat.S_ISCHR(old.st_mode):
        if any(os.path.samestat(old, read) for read in map(find_file, inputs) if read):
            raise FileError(path, "the file is one of those to score; it would be overwritten.")
        stdout = find_stream(sys.stdout)
        if stdout and stat.S_ISREG(old.st_mode) and os.path.samestat(old, stdout):
            raise FileError(path, "standard output goes to the same file; give another.")
    if old is not None and _is_special(old):
        return
    # Importing it takes as long as scoring small files.
    import tempfile

    target = Path(os.path.realpath(path))
    try:
        if old is not None:
            os.close(os.open(target, os.O_WRONLY))
        # A file without a name, so that no file remains.
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise FileError(path, f"cannot be written: {describe(error)}.") from error


def write_columns(path: str, columns: Columns) -> None:
    """Write the scores of every sample to a path that ``check_output`` has checked."""
    file_format = detect_format(path)[0]
    rows = zip(*columns.values(), strict=True)
    content: Iterable[bytes]
    if file_format is FileFormat.PARQUET:
        with needs("Parquet", "cli"):
            import pyarrow as pa
            from pyarrow import parquet

        # One column of float64 per score, and the index as int64.
        table = pa.table({name: pa.array(values) for name, values in columns.items()})
        buffer = io.BytesIO()
        parquet.write_table(table, buffer)
        content = [buffer.getvalue()]
    elif file_format in (FileFormat.CSV, FileFormat.TSV):
        delimiter = "\t" if file_format is FileFormat.TSV else ","
        # The writer returns what its file returns.
        file: Any = SimpleNamespace(write=str.encode)
        writer: Any = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        content = map(writer.writerow, chain([map(guard_cell, columns)], rows))
    else:
        content = dump_lines(dict(zip(columns, row, strict=True)) for row in rows)
    write_files({path: content})


def dump_lines(values: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Iterate over JSON Lines in UTF-8; half of a surrogate pair stays an escape."""
    for value in values:
        yield f"{json.dumps(value, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace")


def write_files(contents: Mapping[str | None, Iterable[bytes]], encoding: str = UTF8) -> None:
    """Write files, compressed if named ``.gz``; none of them if one cannot be written.

    None stands for standard output, to which a terminal gets the text of the encoding.
    """
    with ExitStack() as stack:
        for path, content in contents.items():
            if path is not None:
                stream = stack.enter_context(write_whole(path))
                if detect_format(path)[1]:
                    # The time is left out, so that the same content gives the same file.
                    content = [gzip.compress(b"".join(content), mtime=0)]  # noqa: PLW2901
                stream.writelines(content)
                # The first file replaces an old one only if the disk has space for all.
                stream.flush()
            elif sys.stdout is None or sys.stdout.isatty():
                print_report(b"".join(content).decode(encoding))
            else:
                with output_errors():
                    sys.stdout.buffer.write(b"".join(content))
                    sys.stdout.flush()


@contextmanager
def write_whole(path: str) -> Iterator[BinaryIO]:
    """Open a stream for the new content of a file, which is kept if the block raises no error.

    Links are followed. The new file gets the mode of the old one and, if allowed, its owner.
    """
    try:
        old = find_file(path)
        if old is not None and _is_special(old):
            with Path(path).open("wb") as stream:
                yield stream
            return
        target = Path(os.path.realpath(path))
        new = target.with_name(f".bleu-rouge-{os.urandom(8).hex()}.tmp")
        try:
            # The umask sets the mode, as for every new file.
            with new.open("xb") as stream:
                yield stream
                stream.flush()
                # Some file systems report only here that the disk is full.
                os.fsync(stream.fileno())
            if old is not None:
                with suppress(PermissionError):
                    os.chown(new, old.st_uid, old.st_gid)
                new.chmod(stat.S_IMODE(old.st_mode))
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(path, f"cannot be written: {describe(error)}.") from error


def _is_special(status: os.stat_result) -> bool:
    """Return whether the file is a pipe, a device or a socket."""
    return not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))
