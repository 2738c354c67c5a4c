"""How many threads the compiled kernel counts on.

As many as there are processors that this process may use, or as many as ``BLEU_ROUGE_THREADS`` in
the environment says. What may be used is the smaller of two: the processors that the process is
bound to (``sched_setaffinity``, ``taskset``, Slurm), and the CPU time that its control groups are
given (``docker run --cpus``, Kubernetes, systemd), rounded up.
"""

import math
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

# The most that start: each takes memory, and 10,000 take more than a second to start.
MOST_THREADS: Final = 1024

_VARIABLE: Final = "BLEU_ROUGE_THREADS"
_GROUPS_OF_PROCESS: Final = Path("/proc/self/cgroup")
_GROUPS: Final = Path("/sys/fs/cgroup")


def count_threads() -> int:
    """How many threads count, from 1 to ``MOST_THREADS``; the kernel takes fewer for little text.

    Raises:
        ValueError: ``BLEU_ROUGE_THREADS`` is no int in that range.
    """
    choice = os.environ.get(_VARIABLE, "")
    if not choice:
        return count_processors()
    # No number in range has more than four digits, but zeros may stand before it.
    digits = choice.lstrip("0") if choice.isascii() and choice.isdigit() else ""
    if not 1 <= len(digits) <= len(str(MOST_THREADS)) or int(digits) > MOST_THREADS:
        raise ValueError(
            f"{_VARIABLE} is {choice[:40]!r}; expected an int from 1 to {MOST_THREADS}."
        )
    return int(digits)


@cache
def count_processors() -> int:
    """How many processors this process may use, from 1 to ``MOST_THREADS``; asked once."""
    # Bound: one number. The answer takes the system 50 µs, as long as 100 pairs take.
    limits = [_count_bound_processors(), MOST_THREADS, *_list_quotas(_GROUPS_OF_PROCESS, _GROUPS)]
    return max(1, min(limits))


def _count_bound_processors() -> int:
    """How many processors the process is bound to; all if it is bound to none."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _list_quotas(groups_of_process: Path, groups: Path) -> Iterator[int]:
    """How many processors' time each control group of the process has; those without a limit not.

    Args:
        groups_of_process: the file of the system that lists the groups of this process.
        groups: the folder of all groups.
    """
    try:
        lines = groups_of_process.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return  # there are no such groups
    for line in lines:
        # Such as "0::/a/b" (version 2), or "4:cpu,cpuacct:/a/b" (version 1).
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers and "cpu" not in controllers.split(","):
            continue
        folder = groups / "cpu" if controllers else groups
        group = folder / path.lstrip("/")
        # A group has no more than those above it. In a container its own path may not be there, and
        # its limit stands at the top.
        for place in (group, *group.parents):
            if place.is_relative_to(folder):
                quota = _read_version_1(place) if controllers else _read_version_2(place)
                if quota is not None:
                    yield quota


def _read_version_2(group: Path) -> int | None:
    """The quota of a group of version 2; None if it has no limit."""
    return _divide(_read_words(group / "cpu.max"))


def _read_version_1(group: Path) -> int | None:
    """The quota of a group of version 1; None if it has no limit."""
    return _divide(
        _read_words(group / "cpu.cfs_quota_us") + _read_words(group / "cpu.cfs_period_us")
    )


def _read_words(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").split()
    except (OSError, ValueError):
        return []


def _divide(words: list[str]) -> int | None:
    """The time of a quota by its period, rounded up; None for "max", -1 and what is no number."""
    if len(words) != len(("quota", "period")) or not all(word.isdecimal() for word in words):
        return None
    quota, period = map(int, words)
    return math.ceil(quota / period) if quota and period else None
