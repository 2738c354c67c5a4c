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
import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Annotated, Any

import typer
from rich.table import Table
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from workloads import DATA, EXAMPLES, best_times, make_table, print_tables, run_apart

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


def measure(samples: int) -> None:
    """Measure one comparison in a new process; print its seconds and the bytes that it adds."""
    systems, references = read_systems(samples)
    compare_systems({name: texts[:1000] for name, texts in systems.items()}, references[:1000])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    comparison = compare_systems(systems, references)
    seconds = time.perf_counter() - start
    added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps([seconds, added * 1024, comparison.n_resamples]))


def list_calls(
    systems: dict[str, list[str]], references: list[str], theirs: str
) -> dict[str, Callable[[], Any]]:
    """List the calls of one test."""
    ours, n_resamples = TESTS[theirs]
    compare = partial(
        compare_systems,
        systems,
        references,
        test=ours,
        n_resamples=n_resamples,
        profile="sacrebleu",
    )
    named: list[tuple[str, Sequence[str]]] = list(systems.items())

    def run_sacrebleu() -> Any:
        return PairedTest(named, {"BLEU": BLEU()}, [references], theirs, n_resamples)()

    return {
        "sacrebleu": run_sacrebleu,
        "convention": partial(compare, convention="sacrebleu"),
        "own": compare,
    }


def compare_with_sacrebleu(samples: int, repeats: int) -> Table:
    """Make a table with a row per test."""
    systems, references = read_systems(samples)
    table = make_table(
        f"{SYSTEMS} systems, {samples:,} samples, BLEU of the profile sacrebleu",
        *("test", "sacrebleu, s", "ours, as sacrebleu, s", "times", "ours, s", "times"),
    )
    for theirs, (ours, n_resamples) in TESTS.items():
        calls = list_calls(systems, references, theirs)
        _, found = calls["sacrebleu"]()
        rows = calls["convention"]().rows
        assert [row.p_value for row in rows] == [result.p_value for result in found["BLEU"]]
        seconds = dict(zip(calls, best_times([*calls.values()], repeats), strict=True))
        table.add_row(
            f"{ours}, {n_resamples:,}",
            f"{seconds['sacrebleu']:.2f}",
            *(
                text
                for name in ("convention", "own")
                for text in (
                    f"{seconds[name]:.3f}",
                    f"{seconds['sacrebleu'] / seconds[name]:.0f}",
                )
            ),
        )
    return table


def compare_many(samples: int) -> Table:
    """Make a table of one large comparison."""
    seconds, added, n_resamples = run_apart(f"import significance; significance.measure({samples})")
    table = make_table(
        f"{SYSTEMS} systems, BLEU and four ROUGE types, the default test",
        *("samples", "resamples", "seconds", "memory above the texts, MB"),
    )
    table.add_row(f"{samples:,}", f"{n_resamples:,}", f"{seconds:.0f}", f"{added / 1e6:,.0f}")
    return table


def main(
    samples: Annotated[int, typer.Option(help="Samples of the first table.")] = 3_004,
    many: Annotated[int, typer.Option(help="Samples of the second table.")] = 1_000_000,
    repeats: Annotated[int, typer.Option(help="The fastest of so many runs counts.")] = 3,
) -> None:
    """Print both tables."""
    tables = (compare_with_sacrebleu(samples, repeats), compare_many(many))
    print_tables(tables)


if __name__ == "__main__":
    typer.run(main)
