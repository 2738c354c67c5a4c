"""Measure the processor time of the command on two small files, and compare it with sacrebleu's.

Prints user and system seconds of each command: the minimum of the repeats. The commands take turns,
so that the load of the machine is the same for all. ``pip install`` has compiled the modules of an
installed package; for those of a clone the first run does so.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from workloads import ROOT, Table, run

FILES = ("examples/predictions.txt", "examples/references.txt")
COMMANDS = {
    "sacrebleu": ("sacrebleu", FILES[1], "-i", FILES[0], "-b"),
    "bleu-rouge --help": ("bleu-rouge", "--help"),
    "bleu-rouge --version": ("bleu-rouge", "--version"),
    "bleu-rouge score": ("bleu-rouge", "score", *FILES),
}


def measure(command: tuple[str, ...]) -> float:
    """Return the seconds of user and system time that a command takes."""
    program = shutil.which(command[0], path=str(Path(sys.executable).parent)) or command[0]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [program, *command[1:]], cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(repeats: int = 10) -> Iterator[Table]:
    """Measure each command, and its ratio to sacrebleu."""
    runs = [[measure(command) for command in COMMANDS.values()] for _ in range(repeats)]
    best = dict(zip(COMMANDS, map(min, zip(*runs, strict=True)), strict=True))
    rows = [
        (name, f"{seconds:.3f}", f"{seconds / best['sacrebleu']:.2f}")
        for name, seconds in best.items()
    ]
    yield Table("The start of the command", "command | seconds | ratio", rows)


if __name__ == "__main__":
    run(main)
