"""Choose the number of threads of the compiled kernel.

It is the number that ``BLEU_ROUGE_THREADS`` in the environment says, or else the number of
processors that this process may use. This is the smaller of two numbers: the processors that the
process is bound to (``sched_setaffinity``, ``taskset``, Slurm), and the CPU quota of its control
groups (``docker run --cpus``, Kubernetes, systemd), rounded up.
"""

import math
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

# The largest number of threads: each takes memory, and 10,000 take more than a second to start.
MOST_THREADS: Final = 1024

VARIABLE: Final = "BLEU_ROUGE_THREADS"
_GROUPS_OF_PROCESS: Final = Path("/proc/self/cgroup")
_GROUPS: Final = Path("/sys/fs/cgroup")


def count_threads() -> int:
    """Return the number of threads, from 1 to ``MOST_THREADS``; little text uses fewer."""
    choice = os.environ.get(VARIABLE, "")
    if not choice:
        return count_processors()
    # A number in the range has at most four digits, but zeros may come before it.
    digits = choice.lstrip("0") if choice.isascii() and choice.isdigit() else ""
    if not 1 <= len(digits) <= len(str(MOST_THREADS)) or int(digits) > MOST_THREADS:
        raise ValueError(
            f"{VARIABLE} is {choice[:40]!r}; expected an int from 1 to {MOST_THREADS}."
        )
    return int(digits)


@cache
def count_processors() -> int:
    """Return how many processors this process may use, from 1 to ``MOST_THREADS``."""
    # The cache holds one number. Asking the system takes 50 µs, as long as counting 100 pairs.
    limits = [_count_bound_processors(), MOST_THREADS, *_list_quotas(_GROUPS_OF_PROCESS, _GROUPS)]
    return max(1, min(limits))


def _count_bound_processors() -> int:
    """Return how many processors the process is bound to; all processors if it is not bound."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _list_quotas(groups_of_process: Path, groups: Path) -> Iterator[int]:
    """Iterate over the CPU quotas of the process's control groups that have one, in processors."""
    try:
        lines = groups_of_process.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return  # the system has no control groups
    for line in lines:
        # Such as "0::/a/b" (version 2), or "4:cpu,cpuacct:/a/b" (version 1).
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers and "cpu" not in controllers.split(","):
            continue
        folder = groups / "cpu" if controllers else groups
        group = folder / path.lstrip("/")
        # The limits of the groups above a group apply to it too. In a container the group's own
        # path may not exist, and the top folder has its limit.
        for place in (group, *group.parents):
            if place.is_relative_to(folder):
                files = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if controllers else ("cpu.max",)
                quota = _divide([word for file in files for word in _read_words(place / file)])
                if quota is not None:
                    yield quota


def _read_words(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").split()
    except (OSError, ValueError):
        return []


def _divide(words: list[str]) -> int | None:
    """Divide a quota by its period and round up; None for "max", -1 and other non-numbers."""
    if len(words) != len(("quota", "period")) or not all(word.isdecimal() for word in words):
        return None
    quota, period = map(int, words)
    return math.ceil(quota / period) if quota and period else None
