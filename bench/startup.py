"""Measure the processor time of the command on two small files, and compare it with sacrebleu's.

    python bench/startup.py [--repeats N]

Prints user and system seconds of each command: the minimum of the repeats. The commands take turns,
so that the load of the machine is the same for all. ``pip install`` has compiled the modules of an
installed package; for those of a clone the first run does so.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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


def main() -> None:
    """Print the times, and their ratios to that of sacrebleu."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=10)
    repeats = parser.parse_args().repeats
    runs = [[measure(command) for command in COMMANDS.values()] for _ in range(repeats)]
    best = dict(zip(COMMANDS, map(min, zip(*runs, strict=True)), strict=True))
    for name, seconds in best.items():
        print(f"{name:22} {seconds:.3f} s {seconds / best['sacrebleu']:5.2f}")


if __name__ == "__main__":
    main()
