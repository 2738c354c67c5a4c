"""``count_batch`` with Ray Data, ``count_batches`` with Spark's ``mapInArrow``; on this machine."""

import os
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import dataset, parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, count_batches, count_schema, reduce_counts

from ..conftest import ROOT, require, unfit_texts
from ..support.engine_cases import (
    CORPORA,
    OPTIONS,
    SEED,
    TABLE,
    UNDER_ENGINES,
    read_corpus,
    score_at_once,
    start_ray,  # noqa: F401 - a fixture
)

# Every case gets the seed, also cases that do not use it.
pytestmark = [*UNDER_ENGINES, pytest.mark.filterwarnings("ignore:seed is")]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start Spark with two workers; the Java process ends with it."""
    require("pyspark")
    from pyspark.sql import SparkSession

    is_wanted = "BLEU_ROUGE_EXTRAS" in os.environ
    if not is_wanted and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed")
    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "1g")
            .config("spark.local.dir", str(folder))
            .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("OFF")
        yield session
        gateway = session.sparkContext._gateway
        session.stop()
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(timeout=30)


def count_with_spark(spark: Any, table: Any, options: dict[str, Any]) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    arguments = {"key_column": "id", **options}
    frame = spark.createDataFrame(table).repartition(3)
    schema = from_arrow_schema(count_schema(**arguments))
    return frame.mapInArrow(partial(count_batches, **arguments), schema)


def count_with_ray(
    ray: ModuleType, table: pa.Table, function: Callable[..., Any], form: str = "pyarrow"
) -> Iterator[pa.Table]:
    """Count a table with Ray Data; return the tables of counts, in any order."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    data = ray.data.from_arrow(table).repartition(4)
    counts = data.map_batches(function, batch_format=form, batch_size=40)
    tables: Iterator[pa.Table] = counts.iter_batches(batch_size=None, batch_format="pyarrow")
    return tables


def count_with_numpy(ray: ModuleType, table: pa.Table, options: dict[str, Any]) -> Any:
    return count_with_ray(ray, table, partial(count_batch, key_column="id", **options), "numpy")


def count_with_arrow(ray: ModuleType, table: pa.Table, options: dict[str, Any]) -> Any:
    return count_with_ray(ray, table, partial(count_batch, key_column="id", **options))


@unfit_texts[0]
@unfit_texts[1]
@pytest.mark.parametrize(("corpus", "name"), [*CORPORA, ("dailydialog_5refs", "every sample")])
@pytest.mark.parametrize(
    ("engine", "count"),
    [
        ("ray", count_with_arrow),
        ("ray", count_with_numpy),
        ("spark", lambda *arguments: count_with_spark(*arguments).toArrow()),
    ],
    ids=["ray-pyarrow", "ray-numpy", "spark"],
)
def test_an_engine_gives_the_scores_of_one_process(
    request: pytest.FixtureRequest, corpus: str, name: str, engine: str, count: Any
) -> None:
    table, options = read_corpus(corpus), OPTIONS[name]
    counts = count(request.getfixturevalue(engine), table, options)
    scorer = reduce_counts(counts, seed=SEED, **options)
    assert len(scorer) == len(table)
    assert scorer.result() == score_at_once(table, options)


def test_counts_are_written_as_parquet_and_read_part_by_part(spark: Any, tmp_path: Path) -> None:
    options = OPTIONS["rouge-w"]
    count_with_spark(spark, TABLE, options).write.parquet(str(tmp_path / "counts"))
    batches = dataset.dataset(tmp_path / "counts", format="parquet").to_batches()
    assert reduce_counts(batches, **options).result() == score_at_once(TABLE, options)


class DiesOnce:
    """A tokenizer that ends its process at its first call in any process."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __call__(self, text: str) -> list[str]:
        if not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()


def test_the_shard_of_a_worker_that_dies_is_counted_once(ray: ModuleType, tmp_path: Path) -> None:
    options: dict[str, Any] = {"tokenizer": DiesOnce(tmp_path / "marker"), "use_aggregator": False}
    tables = count_with_ray(ray, TABLE, partial(count_batch, key_column="id", **options))
    scorer = reduce_counts(tables, **options)
    assert (tmp_path / "marker").exists()
    assert len(scorer) == len(TABLE)
    expected = score_at_once(TABLE, {"tokenizer": str.split, "use_aggregator": False})
    assert scorer.result() == expected


def test_a_null_is_an_error_that_names_the_column(ray: ModuleType) -> None:
    table = pa.table({"prediction": ["a", None] * 4, "reference": ["a", "b"] * 4})
    with pytest.raises(Exception, match=r"prediction\[1\] is None; expected a str"):
        reduce_counts(count_with_ray(ray, table, count_batch))


EXAMPLE = ROOT / "examples" / "score_parquet_with_ray.py"


def test_the_example_prints_the_scores_of_one_process(tmp_path: Path) -> None:
    require("ray")
    example = runpy.run_path(str(EXAMPLE))
    folder = tmp_path / "files"
    folder.mkdir()
    example["write_files"](folder, files=3, rows=100)
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(folder)],
        cwd=tmp_path,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    table = parquet.read_table(folder)
    scorer = Scorer(**example["OPTIONS"])
    scorer.update(table["prediction"], table["reference"])
    scores = [f"{name} {value}" for name, value in scorer.result().items()]
    # Ray prints its own warnings among them if the machine is busy.
    lines = [line for line in done.stdout.splitlines() if "(raylet)" not in line]
    assert lines == ["300 samples", *scores, scorer.signature()]
