"""Count the instructions of the compiled kernel per pair, and those of its floor.

The floor is to read the texts, and to classify and hash their tokens. Instructions, unlike times,
do not depend on what else the machine does; ``valgrind`` counts them. Needs a C++20 compiler.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from workloads import ROOT, make_table, print_tables, read_workload

WORKLOADS = {
    "sentences": ("XSum", 200),
    "summaries": ("CNN/DailyMail, by lines", 60),
    "long documents": ("long documents, by lines", 10),
}
# The difference of two runs leaves out what happens once.
RUNS = (1, 6)


def build(folder: Path) -> Path:
    """Compile the program."""
    program = folder / "kernel"
    source = ROOT / "bench" / "kernel.cpp"
    compiler = os.environ.get("CXX", "g++")
    flags = ["-std=c++20", "-O3", f"-I{ROOT / 'native'}"]
    subprocess.run([compiler, *flags, str(source), "-o", str(program)], check=True)
    return program


def count_instructions(*command: str) -> int:
    """Return how many instructions a command takes."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        capture_output=True,
        text=True,
        check=True,
    )
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if collected is None:
        sys.exit(done.stderr)
    return int(collected[1])


def main() -> None:
    """Print the instructions per pair."""
    table = make_table(
        "Instructions per pair: ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum",
        *("texts", "tokens", "floor", "kernel", "kernel / floor"),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = str(build(folder))
        for texts, (workload, pairs) in WORKLOADS.items():
            found = read_workload(workload, pairs)
            both = zip(found.predictions, found.references, strict=True)
            items = [text for pair in both for text in pair]
            path = folder / "texts"
            path.write_bytes(b"".join(f"{text}\0".encode() for text in items))
            for tokenizer in ("rouge", "stemmed"):
                per_pair = []
                for mode in ("floor", "rouge"):
                    few, many = (
                        count_instructions(program, str(path), mode, tokenizer, str(runs))
                        for runs in RUNS
                    )
                    per_pair.append((many - few) / (RUNS[1] - RUNS[0]) / pairs)
                shown = [f"{count:,.0f}" for count in per_pair]
                table.add_row(texts, tokenizer, *shown, f"{per_pair[1] / per_pair[0]:.2f}")
    print_tables([table])


if __name__ == "__main__":
    main()
