"""``bleu-rouge score --engine ray``: count the shards of files with the workers of Ray Data.

A worker reads one shard as a stream and sends tables of counts; this process adds them to one
scorer. If a worker dies, another one counts its shard again from the start. Tables that come twice
are ignored, and missing tables are an error.
"""

import io
import logging
import os
import socket
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from ..engines import add_counts
from ..extras import needs
from ..files.input import FileError, describe
from ..files.shards import Shard
from ..options.options import Options
from ..options.profiles import Family
from ..scoring.scorer import Scorer
from ..text.warnings import MOST_LOOKED_AT, SentenceLines
from .folders import Shards, warn_of_lines
from .shard_counts import count_shard, pack_table, unpack_table

# Seconds to wait for a cluster to answer.
_PATIENCE: Final = 10.0

# How often a shard is counted again after a worker died.
_RETRIES: Final = 3

# Bytes of counts that a worker gathers before it sends them, and that may wait to be added.
_BLOCK: Final = 1 << 22
_STORE: Final = 1 << 28

# A message of a worker is the counts of some rows of a shard; or, at the end, the number of rows
# and the state of SentenceLines; or the error that ended the work.
_MESSAGE: Final = pa.schema(
    [
        ("shard", pa.int64()),
        ("part", pa.int64()),
        ("rows", pa.int64()),
        ("counts", pa.binary()),
        ("lines", pa.list_(pa.int64())),
        ("error", pa.string()),
        ("error_line", pa.int64()),
    ]
)


def count_with_ray(found: Shards, scorer: Scorer, advance: Callable[[int], None]) -> None:
    """Add the counts of all shards to the scorer.

    Raises:
        FileError: a shard cannot be counted, or Ray does not start.
        ImportError: Ray is not installed.
    """
    with _run_ray() as ray:
        # Show the bar now, because the first counts take seconds to come.
        advance(0)
        messages = _run_shards(ray, found.shards, scorer.options, scorer.families)
        lines = SentenceLines()
        add_counts(scorer, _check_messages(messages, found, lines, advance))
    warn_of_lines(lines, scorer)


@contextmanager
def _run_ray() -> Iterator[Any]:
    """Start Ray without output: on the cluster of ``RAY_ADDRESS``, or on this machine."""
    # Ray must not report the use of this command to its makers.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with needs("--engine ray", "ray"):
        import ray
        import ray.data

    logging.getLogger("ray").setLevel(logging.CRITICAL)
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    # Ray prints messages about its workers to standard output, which is only for the scores.
    with redirect_stdout(io.StringIO()):
        is_ours = not ray.is_initialized()
        if is_ours:
            address = os.environ.get("RAY_ADDRESS", "")
            has_cluster = bool(address)
            check_address(address)
            local = {"include_dashboard": False, "object_store_memory": _STORE}
            try:
                ray.init(
                    None if has_cluster else "local",
                    log_to_driver=False,
                    logging_level=logging.CRITICAL,
                    **({} if has_cluster else local),
                )
            except (ConnectionError, RuntimeError, ValueError) as error:
                place = f"RAY_ADDRESS={address}" if has_cluster else "ray"
                raise FileError(place, f"Ray does not start: {error}") from error
        try:
            yield ray
        finally:
            if is_ours:
                ray.shutdown()


def check_address(address: str) -> None:
    """Raise FileError if nothing answers at the address of a cluster; Ray would wait long.

    Args:
        address: ``host:port``, also after ``ray://``; any other form is not checked.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        reason = describe(error) if isinstance(error, OSError) else str(error)
        raise FileError(
            f"RAY_ADDRESS={address}", f"the cluster cannot be reached: {reason}."
        ) from error


def _run_shards(
    ray: Any, shards: Sequence[Shard], options: Options, families: Sequence[Family]
) -> Iterator[dict[str, Any]]:
    """Iterate over the messages of all workers, as they come.

    Raises:
        FileError: Ray gave up.
    """
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_max_block_size = _BLOCK
    # The workers of a cluster have another working directory, so paths must be absolute.
    rows = [shard._replace(path=str(Path(shard.path).absolute()))._asdict() for shard in shards]
    items = ray.data.from_items(rows, override_num_blocks=len(rows))
    with warnings.catch_warnings():
        # Without max_retries Ray Data retries a shard forever. Up to version 2.63 the argument
        # causes a warning.
        warnings.simplefilter("ignore")
        work = items.map_batches(
            partial(_send_counts, options=options, families=families),
            batch_size=1,
            batch_format="pyarrow",
            max_retries=_RETRIES,
        )
    try:
        for table in work.iter_batches(batch_size=None, batch_format="pyarrow"):
            for batch in table.to_batches():
                yield from batch.to_pylist()
    except ray.exceptions.RayError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        raise FileError("ray", f"a shard was not counted: {lines[-1].strip()}") from error


def _send_counts(batch: Any, options: Options, families: Sequence[Family]) -> Iterator[Any]:
    """Iterate over the messages of one shard; runs in a worker."""
    # Ray already runs a worker on every processor.
    os.environ.setdefault("BLEU_ROUGE_THREADS", "1")
    (row,) = batch.to_pylist()
    shard = Shard(**row)
    part = rows = 0
    # Only the first samples of all are checked, so only those of the first shard.
    lines = SentenceLines() if shard.number == 0 else SentenceLines(looked_at=MOST_LOOKED_AT)
    message: dict[str, Any]
    try:
        for part, table in enumerate(count_shard(shard, options, families, lines)):
            rows += table.num_rows
            message = {"rows": table.num_rows, "counts": pack_table(table)}
            yield _to_message(shard, part, **message)
    except FileError as error:
        message = {"error": error.message, "error_line": error.line}
    except Exception as error:  # noqa: BLE001 - the user sees any error in one line
        message = {"error": f"{type(error).__name__}: {error}"}
    else:
        seen = [lines.looked_at, lines.several, int(lines.is_settled)]
        message = {"rows": rows, "lines": seen}
    yield _to_message(shard, -1, **message)


def _to_message(shard: Shard, part: int, **fields: Any) -> Any:
    """Make a table of one message."""
    return pa.Table.from_pylist([{"shard": shard.number, "part": part, **fields}], _MESSAGE)


def _check_messages(
    messages: Iterator[dict[str, Any]],
    found: Shards,
    lines: SentenceLines,
    advance: Callable[[int], None],
) -> Iterator[Any]:
    """Iterate over the tables of counts, each one once.

    Args:
        messages: messages of all workers, in any order.
        found: all planned shards.
        lines: gathers what the workers found out about sentences.
        advance: called with the amount of work done since the last call.

    Raises:
        FileError: a worker had an error, or rows are missing.
    """
    shards = found.shards
    seen: set[tuple[int, int]] = set()
    ended: list[int | None] = [None] * len(shards)
    received = [0] * len(shards)
    for message in messages:
        shard, part = message["shard"], message["part"]
        if message["error"] is not None:
            raise FileError(shards[shard].path, message["error"], message["error_line"])
        if (shard, part) in seen:
            continue
        seen.add((shard, part))
        if message["counts"] is None:
            ended[shard] = message["rows"]
            looked_at, several, is_settled = message["lines"]
            is_first = shard == 0
            lines.merge(SentenceLines(looked_at * is_first, several * is_first, bool(is_settled)))
            advance(found.measure(None))
        else:
            received[shard] += message["rows"]
            table = unpack_table(message["counts"])
            yield table
            advance(found.measure(table))
    for shard, (rows, expected) in enumerate(zip(received, ended, strict=True)):
        if rows != expected:
            reason = "its workers did not send the counts of all rows; run the command again."
            raise FileError(shards[shard].path, reason)
