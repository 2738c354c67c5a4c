"""Time counting on engines: one and two workers of Ray Data and of ``datasets.map``.

Each row is a new process that counts the same Parquet files with one thread per worker. Its scores
are first compared with those of one process. The start, with a run of a thousand pairs, is timed
separately.
"""

import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from workloads import Table, peak_memory, read_workload, run, run_apart

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, reduce_counts

FILES = 8
FEW = 1_000
BATCH = 4096
COMMAND = "bleu-rouge --engine ray"

# From a folder of files to their counts.
Run = Callable[[str], Scorer]
Options = dict[str, Any]


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


def run_one_process(options: Options, folder: str) -> Scorer:
    """Count with a scorer in this process, batch by batch."""
    scorer = Scorer(**options)
    for path in sorted(Path(folder).iterdir()):
        for batch in parquet.ParquetFile(path).iter_batches(BATCH):
            scorer.update(batch["prediction"], batch["reference"])
    return scorer


def start_ray(workers: int, options: Options) -> Run:
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
        counts = data.map_batches(
            partial(count_batch, **options), batch_format="pyarrow", batch_size=BATCH
        )
        tables = counts.iter_batches(batch_format="pyarrow", batch_size=None)
        return reduce_counts(tables, **options)

    return run


def start_command(workers: int, options: Options) -> Run:
    """Start what ``bleu-rouge score --engine ray`` does, with some workers."""
    from bleu_rouge_metric.cli.folders import add_shards, count_with_ray
    from bleu_rouge_metric.files.shards import list_files, make_shared_choices, plan_shards

    start_ray(workers, options)

    def run(folder: str) -> Scorer:
        scorer = Scorer(**options)
        shards = plan_shards(list_files(folder), make_shared_choices())
        add_shards(scorer, shards, count_with_ray)
        return scorer

    return run


def start_datasets(workers: int, options: Options) -> Run:
    """Start ``datasets.map`` with some processes."""
    import datasets

    datasets.disable_progress_bars()

    def run(folder: str) -> Scorer:
        with tempfile.TemporaryDirectory() as cache:
            paths = [str(path) for path in sorted(Path(folder).iterdir())]
            data = datasets.Dataset.from_parquet(paths, cache_dir=cache).with_format("arrow")
            counts = data.map(
                partial(count_batch, **options),
                batched=True,
                batch_size=BATCH,
                num_proc=workers,
                remove_columns=data.column_names,
            )
            return reduce_counts(counts.iter(BATCH), **options)

    return run


def list_children(process: int) -> Iterator[int]:
    """List the processes that a process has started, and their descendants."""
    for path in Path("/proc").glob(f"{process}/task/*/children"):
        for child in path.read_text().split():
            yield int(child)
            yield from list_children(int(child))


def read_worker_peak() -> int:
    """Return the largest peak memory of the workers of this process, in bytes."""
    workers = [
        child
        for child in list_children(os.getpid())
        if Path(f"/proc/{child}/cmdline").read_bytes().startswith(b"ray::")
    ]
    ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return max(map(peak_memory, workers)) if workers else ended


def measure(engine: str, workers: int, folder: str, repeats: int, options: Options) -> None:
    """Measure counting the files, in a new process, and write the result."""
    start = time.perf_counter()
    starts: dict[str, Callable[[], Run]] = {
        "one process": lambda: partial(run_one_process, options),
        "Ray Data": partial(start_ray, workers, options),
        COMMAND: partial(start_command, workers, options),
        "datasets.map": partial(start_datasets, workers, options),
    }
    run = starts[engine]()
    run(f"{folder}/few")
    start_up = time.perf_counter() - start
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        scorer = run(f"{folder}/all")
        times.append(time.perf_counter() - start)
    row = {
        "start_up": start_up,
        "seconds": min(times),
        "driver": peak_memory(),
        "worker": read_worker_peak() if engine != "one process" else 0,
        "scores": scorer.result(),
    }
    # Engines print on standard output.
    Path(folder, "row.json").write_text(json.dumps(row))


def time_engines(
    workload: str, pairs: int, repeats: int, options: Options
) -> Iterator[Sequence[str]]:
    """Run each engine and number of workers in a new process, with one thread per worker."""
    os.environ |= {"BLEU_ROUGE_THREADS": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    engines = ("Ray Data", COMMAND, "datasets.map")
    runs = [("one process", 1), *((engine, workers) for engine in engines for workers in (1, 2))]
    scores = None
    first: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), workload, pairs)
        for engine, workers in runs:
            arguments = f"{engine!r}, {workers}, {folder!r}, {repeats}, {options!r}"
            run_apart(f"import engines; engines.measure({arguments})", is_json=False)
            row = json.loads(Path(folder, "row.json").read_text())
            scores = scores or row["scores"]
            if row["scores"] != scores:
                raise RuntimeError(f"{engine} with {workers} workers gives other scores.")
            seconds = row["seconds"]
            alone = first.setdefault(engine, seconds)
            yield (
                *(engine, str(workers), f"{row['start_up']:.1f}", f"{seconds:.2f}"),
                *(f"{pairs / seconds:,.0f}", f"{alone / seconds:.2f}"),
                f"{row['driver'] / 1e6:,.0f}",
                f"{row['worker'] / 1e6:,.0f}" if row["worker"] else "",
            )


def main(
    pairs: int = 200_000, workload: str = "XSum", repeats: int = 2, tokenizer: str = ""
) -> Iterator[Table]:
    """Count ``pairs`` pairs with one and two workers, with a tokenizer for both families."""
    head = "engine | workers | start-up, s | counting, s | pairs per second | × one worker"
    head += " | driver, MB | a worker, MB"
    title = f"BLEU and four ROUGE types, {pairs:,} pairs of {workload}, {FILES} Parquet files"
    options = {"tokenizer": tokenizer} if tokenizer else {}
    yield Table(title, head, time_engines(workload, pairs, repeats, options))


if __name__ == "__main__":
    run(main)
