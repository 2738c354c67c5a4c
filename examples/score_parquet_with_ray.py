"""Score Parquet files that are larger than memory, on all processors, with Ray Data.

Each worker reads files and counts them with ``count_batch``. Only integers come back, and
``reduce_counts`` makes a scorer of them. The scores are the same as in one process.

Run it without an argument to score texts that it writes, or with a folder of your own Parquet
files. Their columns are ``prediction`` and ``reference`` (a text, or a list of several):

    pip install ".[ray]"
    python examples/score_parquet_with_ray.py
    python examples/score_parquet_with_ray.py my_folder

The command does the same, checks the files more strictly, and keeps the order of their rows:

    bleu-rouge score my_folder my_folder --engine ray
"""

import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray
from pyarrow import parquet

from bleu_rouge_metric.engines import count_batch, reduce_counts

# The options must be the same for the workers and for the scorer.
OPTIONS: dict[str, Any] = {"rouge_types": ["rouge1", "rouge2", "rougeL"], "use_stemmer": True}


def write_files(folder: Path, files: int = 4, rows: int = 5_000) -> None:
    """Write small Parquet files of made-up samples."""
    places = ["the harbour", "the old station", "a school in the north", "the market"]
    for file in range(files):
        samples = range(file * rows, (file + 1) * rows)
        table = pa.table(
            {
                "prediction": [f"The storm {n % 7} closed {places[n % 4]}." for n in samples],
                "reference": [
                    [f"A storm closed {places[n % 3]}.", f"{places[n % 4]} closed on day {n % 7}."]
                    for n in samples
                ],
            }
        )
        parquet.write_table(table, folder / f"part-{file}.parquet")


def score(folder: Path) -> None:
    """Print the scores of all samples in the Parquet files of a folder."""
    data = ray.data.read_parquet(str(folder)).select_columns(["prediction", "reference"])
    counts = data.map_batches(
        partial(count_batch, **OPTIONS), batch_format="pyarrow", batch_size=4096
    )
    scorer = reduce_counts(counts.iter_batches(batch_format="pyarrow", batch_size=None), **OPTIONS)
    print(f"{len(scorer):,} samples")
    for name, value in scorer.result().items():
        print(name, value)
    print(scorer.signature())


def main() -> None:
    """Score the given folder, or files that are written here."""
    ray.init(log_to_driver=False, include_dashboard=False)
    # 16 MB instead of 128: small files keep all workers busy, and each worker needs less memory.
    ray.data.DataContext.get_current().target_max_block_size = 1 << 24
    if len(sys.argv) > 1:
        score(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        score(Path(folder))


if __name__ == "__main__":
    main()
