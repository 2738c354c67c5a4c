"""Time counting on engines: one and two workers of Ray Data and of ``datasets.map``.

Each row is a new process that counts the same Parquet files with one thread per worker. Its scores
are first compared with those of one process. The start, with a run of a thousand pairs, is timed
separately.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet
from workloads import Table, best_times, check_equal, read_workload, run, run_apart

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, reduce_counts

FILES = 8
FEW = 1_000
BATCH = 4096
ALONE = "one process"

# From a folder of files to their counts.
Run = Callable[[str], Scorer]


def write_files(folder: Path, name: str, pairs: int) -> None:
    """Write Parquet files of ``pairs`` different pairs, and a file of a few pairs."""
    workload = read_workload(name, pairs)
    table = pa.table(
        {
            "prediction": [f"{text} {n}" for n, text in enumerate(workload.predictions)],
            "reference": [f"{text} {n}" for n, text in enumerate(workload.references)],
        }
    )
    for part in ("all", "few"):
        (folder / part).mkdir()
    parquet.write_table(table.slice(0, FEW), folder / "few" / "part.parquet")
    rows = -(-pairs // FILES)
    for number, start in enumerate(range(0, pairs, rows)):
        parquet.write_table(table.slice(start, rows), folder / "all" / f"{number}.parquet")


def run_one_process(folder: str) -> Scorer:
    """Count with a scorer in this process, batch by batch."""
    scorer = Scorer()
    for path in sorted(Path(folder).iterdir()):
        for batch in parquet.ParquetFile(path).iter_batches(BATCH):
            scorer.update(batch["prediction"], batch["reference"])
    return scorer


def start_ray(workers: int) -> Run:
    """Start Ray Data with some workers."""
    import ray
    import ray.data

    ray.init("local", num_cpus=workers, log_to_driver=False, include_dashboard=False)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    # The default is 128 MiB, so that one worker would get everything.
    context.target_max_block_size = 1 << 21

    def run(folder: str) -> Scorer:
        data = ray.data.read_parquet(folder)
        counts = data.map_batches(count_batch, batch_format="pyarrow", batch_size=BATCH)
        tables = counts.iter_batches(batch_format="pyarrow", batch_size=None)
        return reduce_counts(tables)

    return run


def start_command(workers: int) -> Run:
    """Start what ``bleu-rouge score --engine ray`` does, with some workers."""
    from bleu_rouge_metric.cli.folders import add_shards, count_with_ray
    from bleu_rouge_metric.files.shards import list_files, make_shared_choices, plan_shards

    start_ray(workers)

    def run(folder: str) -> Scorer:
        scorer = Scorer()
        shards = plan_shards(list_files(folder), make_shared_choices())
        add_shards(scorer, shards, count_with_ray)
        return scorer

    return run


def start_datasets(workers: int) -> Run:
    """Start ``datasets.map`` with some processes."""
    import datasets

    datasets.disable_progress_bars()

    def run(folder: str) -> Scorer:
        with tempfile.TemporaryDirectory() as cache:
            paths = [str(path) for path in sorted(Path(folder).iterdir())]
            data = datasets.Dataset.from_parquet(paths, cache_dir=cache).with_format("arrow")
            counts = data.map(
                count_batch,
                batched=True,
                batch_size=BATCH,
                num_proc=workers,
                remove_columns=data.column_names,
            )
            return reduce_counts(counts.iter(BATCH))

    return run


STARTS: dict[str, Callable[[int], Run]] = {
    "Ray Data": start_ray,
    "bleu-rouge --engine ray": start_command,
    "datasets.map": start_datasets,
}


def measure(engine: str, workers: int, folder: str, repeats: int) -> None:
    """Measure counting the files, in a new process, and write the result."""
    start = time.perf_counter()
    run = run_one_process if engine == ALONE else STARTS[engine](workers)
    run(f"{folder}/few")
    start_up = time.perf_counter() - start
    scores = run(f"{folder}/all").result()
    seconds = best_times([partial(run, f"{folder}/all")], repeats)
    # Engines print on standard output.
    Path(folder, "row.json").write_text(json.dumps([scores, start_up, *seconds]))


def time_engines(workload: str, pairs: int, repeats: int) -> Iterator[Sequence[str]]:
    """Run each engine and number of workers in a new process, with one thread per worker."""
    os.environ |= {"BLEU_ROUGE_THREADS": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    expected = None
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), workload, pairs)
        for engine, workers in ((ALONE, 1), *product(STARTS, (1, 2))):
            arguments = f"{engine!r}, {workers}, {folder!r}, {repeats}"
            run_apart(f"import engines; engines.measure({arguments})", is_json=False)
            scores, start_up, seconds = json.loads(Path(folder, "row.json").read_text())
            expected = expected or scores
            check_equal(f"{engine}, {workers} workers", scores, expected)
            yield (
                engine,
                str(workers),
                f"{start_up:.1f}",
                f"{seconds:.2f}",
                f"{pairs / seconds:,.0f}",
            )


def main(pairs: int = 200_000, workload: str = "XSum", repeats: int = 2) -> Iterator[Table]:
    """Count ``pairs`` pairs with one and two workers."""
    head = "engine | workers | start-up, s | counting, s | pairs per second"
    title = f"BLEU and four ROUGE types, {pairs:,} pairs of {workload}, {FILES} Parquet files"
    yield Table(title, head, time_engines(workload, pairs, repeats))


if __name__ == "__main__":
    run(main)
