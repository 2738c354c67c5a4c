"""Time ``compare_systems`` against sacrebleu's paired tests, and measure a million samples.

The systems are those of a corpus at ``../shared/data_systems`` beside the clone; without it, those
of ``examples/systems.csv``.

Everything is counted from texts. The first table checks that the convention of sacrebleu gives its
p-values before it times anything. The second is a new process, to measure its own memory; what
``compare_systems`` adds is counted from the peak before it, which has the texts.
"""

import csv
import gzip
import json
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from workloads import DATA, EXAMPLES, Row, Table, compare, peak_memory, run, run_apart

from bleu_rouge_metric import compare_systems

CORPUS = DATA.with_name("data_systems") / "systems_wmt17_en_de.jsonl.gz"
SYSTEMS = 3

# Names of our tests, by what sacrebleu calls them; and how many resamples are asked of both.
TESTS = {"ar": ("approximate_randomization", 10_000), "bs": ("bootstrap", 1_000)}


def read_systems(samples: int) -> tuple[dict[str, list[str]], list[str]]:
    """Read the outputs of three systems and the references, repeated to this many samples."""
    if CORPUS.exists():
        lines = gzip.decompress(CORPUS.read_bytes()).decode("utf-8").split("\n")
        rows = [json.loads(line) for line in lines if line]
        table = [{**row["systems"], "reference": row["reference"]} for row in rows]
    else:
        with (EXAMPLES / "systems.csv").open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
    *names, reference = table[0]
    columns = {
        name: [row[name] + " " for row in islice(cycle(table), samples)]
        for name in (*names[:SYSTEMS], reference)
    }
    references = columns.pop(reference)
    return columns, references


def list_rows(samples: int) -> Iterator[Row]:
    """List each test in sacrebleu's convention and in our own."""
    systems, references = read_systems(samples)
    named: list[tuple[str, Sequence[str]]] = list(systems.items())
    for theirs, (test, n_resamples) in TESTS.items():
        options: Any = {"test": test, "n_resamples": n_resamples, "profile": "sacrebleu"}
        own = partial(compare_systems, systems, references, **options)
        convention = partial(own, convention="sacrebleu")

        def run_sacrebleu(theirs: str = theirs, n_resamples: int = n_resamples) -> Any:
            return PairedTest(named, {"BLEU": BLEU()}, [references], theirs, n_resamples)()

        p_values = [result.p_value for result in run_sacrebleu()[1]["BLEU"]]
        assert [row.p_value for row in convention().rows] == p_values
        for name, ours in (("sacrebleu's convention", convention), ("our own", own)):
            yield Row(f"{test}, {n_resamples:,}, {name}", ours, {"sacrebleu": run_sacrebleu})


def measure(samples: int) -> None:
    """Measure one comparison in a new process, and print what it took."""
    systems, references = read_systems(samples)
    compare_systems({name: texts[:1000] for name, texts in systems.items()}, references[:1000])
    before = peak_memory()
    start = time.perf_counter()
    comparison = compare_systems(systems, references)
    seconds = time.perf_counter() - start
    print(json.dumps([seconds, peak_memory() - before, comparison.n_resamples]))


def main(samples: int = 3_004, many: int = 1_000_000, repeats: int = 3) -> Iterator[Table]:
    """Compare ``samples`` samples with sacrebleu, and measure ``many`` samples."""
    title = f"{SYSTEMS} systems, {samples:,} samples, BLEU of the profile sacrebleu"
    yield compare(title, list_rows(samples), repeats)
    seconds, added, n_resamples = run_apart(f"import significance; significance.measure({many})")
    title = f"{SYSTEMS} systems, BLEU and four ROUGE types, the default test"
    head = "samples | resamples | seconds | memory above the texts, MB"
    row = (f"{many:,}", f"{n_resamples:,}", f"{seconds:.0f}", f"{added / 1e6:,.0f}")
    yield Table(title, head, [row])


if __name__ == "__main__":
    run(main)
