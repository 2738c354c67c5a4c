"""Count the instructions of the compiled kernel per pair, and those of its floor.

The floor is to read the texts, and to classify and hash their tokens. Instructions, unlike times,
do not depend on what else the machine does; ``valgrind`` counts them. Needs a C++20 compiler.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from workloads import ROOT, Table, read_workload, run

WORKLOADS = {
    "sentences": ("XSum", 200),
    "summaries": ("CNN/DailyMail, by lines", 60),
    "long documents": ("long documents, by lines", 10),
}
# The difference of two runs leaves out what happens once.
RUNS = (1, 6)


def count_instructions(*command: str) -> int:
    """Return how many instructions a command takes."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(valgrind, capture_output=True, text=True, check=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if collected is None:
        sys.exit(done.stderr)
    return int(collected[1])


def count(folder: Path) -> Iterator[Sequence[str]]:
    """Compile the program in a folder, and count what it takes for each kind of texts."""
    program, path = str(folder / "kernel"), folder / "texts"
    tables = [str(ROOT / "native" / "unicode_tables.py"), str(folder / "unicode_tables.hpp")]
    subprocess.run([sys.executable, *tables], check=True)
    flags = ["-std=c++20", "-O3", f"-I{ROOT / 'native'}", f"-I{folder}"]
    flags.append(str(ROOT / "bench" / "kernel.cpp"))
    subprocess.run([os.environ.get("CXX", "g++"), *flags, "-o", program], check=True)
    for name, (workload, pairs) in WORKLOADS.items():
        texts = read_workload(workload, pairs)
        both = zip(texts.predictions, texts.references, strict=True)
        path.write_bytes(b"".join(f"{text}\0".encode() for pair in both for text in pair))
        for tokenizer in ("rouge", "stemmed"):
            per_pair = []
            for mode in ("floor", "rouge"):
                few, many = (
                    count_instructions(program, str(path), mode, tokenizer, str(times))
                    for times in RUNS
                )
                per_pair.append((many - few) / (RUNS[1] - RUNS[0]) / pairs)
            shown = [f"{instructions:,.0f}" for instructions in per_pair]
            yield name, tokenizer, *shown, f"{per_pair[1] / per_pair[0]:.2f}"


def main() -> Iterator[Table]:
    """Count the instructions per pair."""
    head = "texts | tokens | floor | kernel | kernel / floor"
    title = "Instructions per pair: ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum"
    with tempfile.TemporaryDirectory() as folder:
        yield Table(title, head, count(Path(folder)))


if __name__ == "__main__":
    run(main)
