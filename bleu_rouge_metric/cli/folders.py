"""Count a folder of files shard by shard, with memory for a portion of a shard at a time.

Of little data this process counts each portion, with all processors; of more, several processes
count a shard each. ``ray_engine.py`` does the same with the processes of several machines.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..engines import add_counts
from ..files.input import UTF8, FileError, FileFormat, InputFile, find_file, is_same_path
from ..files.shards import Shard, list_files, make_shared_choices, plan_shards
from ..scoring.scorer import Scorer
from ..text.warnings import SentenceLines
from .counting import SAMPLES, Work
from .shard_counts import count_shards
from .shard_processes import choose_processes, count_in_processes


class Shards(NamedTuple):
    """The shards of a folder or of a file.

    Attributes:
        shards: in the order of the samples; at least one.
        files: the files that they are parts of.
        total: amount of work, for the progress bar.
        unit: unit of the total: ``samples``, or ``shards`` if the files do not say how many samples
            they have.
    """

    shards: Sequence[Shard]
    files: Sequence[InputFile]
    total: int
    unit: str

    def measure(self, table: Any) -> int:
        """Return how much work a table of counts is, or the end of a shard if it is None."""
        if self.unit == SAMPLES:
            return 0 if table is None else int(table.num_rows)
        return 1 if table is None else 0


# Adds the counts of all shards to a scorer; calls the function with the amount of work done.
Count = Callable[[Shards, Scorer, Callable[[int], None]], None]


def _find_shards(path: str, prediction_column: str | None, reference_column: str | None) -> Shards:
    """Return the shards of files that have both columns.

    Raises:
        FileError: a file cannot be read or is of another format, or there is no sample.
    """
    files = list_files(path)
    shards = plan_shards(files, make_shared_choices(path, prediction_column, reference_column))
    if not shards or all(shard.rows == 0 for shard in shards):
        raise FileError(path, "there are no samples; expected at least one.")
    rows = [shard.rows for shard in shards if shard.rows is not None]
    if len(rows) == len(shards):
        return Shards(shards, files, sum(rows), SAMPLES)
    return Shards(shards, files, len(shards), "shards")


def plan_folder(
    predictions: str,
    references: Sequence[str],
    *,
    count: Count | None = None,
    prediction_column: str | None,
    reference_column: str | None,
    stdin_format: FileFormat,  # noqa: ARG001 - to accept the arguments of plan_files
    encoding: str = UTF8,
    delimiter: str | None = None,
    **_: object,
) -> Work:
    """Plan the shards of a folder, or of a file with both columns.

    Args:
        predictions: the folder or the file.
        references: empty, or the same path again.
        count: counts the shards; None for processes of this machine.
        prediction_column: as in ``read_samples``, and so the others.
        reference_column: as there.
        stdin_format: has no effect on files.
        encoding: as there; shards have no other than UTF-8.
        delimiter: as there; shards have none.

    Raises:
        FileError: the references are elsewhere, or a file cannot be read.
    """
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
    found = _find_shards(predictions, prediction_column, reference_column)
    paths = [file.path for file in found.files]
    return Work(found.total, found.unit, paths, partial(count or _count, found))


def _count(found: Shards, scorer: Scorer, advance: Callable[[int], None]) -> None:
    """Add the counts of all shards to the scorer."""
    lines = SentenceLines()
    sizes = [status.st_size for file in found.files if (status := find_file(file.path))]
    # Files that say how many samples they have are Parquet, which Arrow reads with all threads: two
    # processes took longer than one (bench/folders.py).
    processes = choose_processes(found.shards, sum(sizes)) if found.unit == "shards" else 1

    def tables() -> Iterator[Any]:
        arguments = found.shards, scorer.options, scorer.families, lines
        counted = count_shards(*arguments)
        if processes > 1:
            counted = count_in_processes(*arguments, processes)
        for table in counted:
            if table is not None:
                yield table
            advance(found.measure(table))

    add_counts(scorer, tables())
    warn_of_lines(lines, scorer)


def warn_of_lines(lines: SentenceLines, scorer: Scorer) -> None:
    """Warn if ROUGE types that the scorer counts take several sentences for one."""
    rouge_types = scorer.options.plan(scorer.families).counting.line_types
    if rouge_types:
        lines.warn(rouge_types)
