"""Time ``bleu-rouge score FOLDER`` with one and with more processes: JSON Lines and Parquet.

Each row is the command as a user runs it, with ``BLEU_ROUGE_THREADS`` set; its start is part of the
time. Parquet is counted by one process with so many threads. What the command prints is compared
with what it prints with one. Processor time is that of all processes, memory that of the largest.
"""

import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, NamedTuple

import pyarrow as pa
import typer
from peers import describe_run
from pyarrow import parquet
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from workloads import read_workload, run_apart

FILES = 8
ROWS_OF_GROUP = 1 << 16


class Run(NamedTuple):
    """One run of the command.

    Attributes:
        seconds: from start to end.
        processor: seconds of all processors.
        memory: bytes of the largest process.
        printed: what it printed.
    """

    seconds: float
    processor: float
    memory: int
    printed: bytes


def write_folders(folder: Path, name: str, pairs: int, words: int) -> None:
    """Write the same pairs, of so many words a text, as JSON Lines and as Parquet."""
    workload = read_workload(name, pairs)
    columns = {
        column: [" ".join([*text.split()[: words - 1], str(n)]) for n, text in enumerate(texts)]
        for column, texts in (
            ("prediction", workload.predictions),
            ("reference", workload.references),
        )
    }
    table = pa.table(columns)
    (folder / "JSON Lines").mkdir()
    (folder / "Parquet").mkdir()
    size = -(-pairs // FILES)
    for number, start in enumerate(range(0, pairs, size)):
        part = table.slice(start, size)
        lines = "".join(json.dumps(row) + "\n" for row in part.to_pylist())
        (folder / "JSON Lines" / f"{number}.jsonl").write_text(lines, "utf-8")
        path = folder / "Parquet" / f"{number}.parquet"
        parquet.write_table(part, path, row_group_size=ROWS_OF_GROUP)


def run_command(folder: Path, processes: int) -> Run:
    """Score a folder with the command."""
    arguments = ["-m", "bleu_rouge_metric", "score", str(folder), "--format", "json"]
    environment = {**os.environ, "BLEU_ROUGE_THREADS": str(processes)}
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = os.posix_spawn(
            sys.executable,
            [sys.executable, *arguments],
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, output.fileno(), 1)],
        )
        _, status, used = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        if status:
            raise RuntimeError(f"the command ended with {os.waitstatus_to_exitcode(status)}.")
        output.seek(0)
        printed = output.read()
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, printed)


def compare(folder: Path, processes: int, repeats: int, title: str) -> Table:
    """Make a table with a row for each format and number of processes."""
    columns = ("files", "MB", "processes", "seconds", "of processors, s", "× one", "memory, MB")
    table = Table(*columns, title=title, box=MARKDOWN)
    printed = set()
    for kind in ("JSON Lines", "Parquet"):
        size = sum(path.stat().st_size for path in (folder / kind).iterdir())
        alone = None
        for count in range(1, processes + 1):
            runs = [run_command(folder / kind, count) for _ in range(repeats)]
            printed |= {run.printed for run in runs}
            if len(printed) > 1:
                raise RuntimeError(f"{count} processes give other scores of {kind}.")
            best = min(runs)
            alone = alone or best.seconds
            table.add_row(
                *(kind, f"{size / 1e6:,.0f}", str(count), f"{best.seconds:.2f}"),
                *(f"{best.processor:.2f}", f"{alone / best.seconds:.2f}"),
                f"{best.memory / 1e6:,.0f}",
            )
    return table


def main(
    pairs: Annotated[int, typer.Option(help="Pairs that are counted.")] = 3_000_000,
    words: Annotated[int, typer.Option(help="Words of a text, at most.")] = 10,
    workload: Annotated[str, typer.Option(help="What the texts are.")] = "XSum",
    processes: Annotated[int, typer.Option(help="Up to how many.")] = 2,
    repeats: Annotated[int, typer.Option(help="Runs of each row; the fastest counts.")] = 3,
) -> None:
    """Print how long the command takes for a folder, with one process and with more."""
    console = Console(width=160)
    console.print(f"python {' '.join(sys.argv)}, Python {platform.python_version()}")
    console.print(describe_run(), highlight=False)
    with tempfile.TemporaryDirectory() as name:
        # Apart, because a new process counts the memory of this one as its own.
        arguments = f"folders.Path({name!r}), {workload!r}, {pairs}, {words}"
        run_apart(f"import folders; folders.write_folders({arguments}); print(0)")
        title = f"{pairs:,} pairs of {workload}, up to {words} words a text, {FILES} files"
        console.print()
        console.print(compare(Path(name), processes, repeats, title))


if __name__ == "__main__":
    typer.run(main)
