"""Count a folder of files as if it were one file, with memory for a portion of it at a time.

Of little data this process counts each portion, with all processors; of more, several processes
count a shard each. ``ray_engine.py`` does the same with the processes of several machines.
"""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from ..engines import add_counts
from ..files.input import UTF8, FileError, find_file, is_same_path
from ..files.shards import Shard, list_files, make_shared_choices, plan_shards
from ..options.options import Options
from ..options.profiles import Family
from ..scoring.scorer import Scorer
from ..text.warnings import SentenceLines
from .score import SAMPLES, Work
from .shards import choose_processes, count_in_processes, count_shards

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
