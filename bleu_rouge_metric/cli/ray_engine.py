"""``bleu-rouge score --engine ray``: count the shards of files with the workers of Ray.

If a worker dies, Ray runs its task again.
"""

import io
import logging
import os
import socket
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ..extras import needs
from ..files.input import FileError, describe
from ..files.shards import Shard
from .folders import Counts, count_in_worker

# Seconds to wait for a cluster to answer.
_PATIENCE: Final = 10.0

# How often a shard is counted again after a worker died.
_RETRIES: Final = 3

# Bytes of counts that may wait in memory to be added; more wait on the disk.
_STORE: Final = 1 << 28


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
