"""``count_batches`` with Spark's ``mapInArrow``, in local mode."""

import os
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric.engines import count_batches, count_schema, reduce_counts

from ..conftest import ROOT, require, unfit_texts
from ..support.engine_cases import (
    CORPORA,
    OPTIONS,
    SEED,
    TABLE,
    UNDER_ENGINES,
    read_corpus,
    score_at_once,
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


def count(spark: Any, table: Any, options: dict[str, Any]) -> Any:
    """Count a table in partitions; return the data frame of counts."""
    from pyspark.sql.pandas.types import from_arrow_schema

    arguments = {"key_column": "id", **options}
    frame = spark.createDataFrame(table).repartition(3)
    schema = from_arrow_schema(count_schema(**arguments))
    return frame.mapInArrow(partial(count_batches, **arguments), schema)


@unfit_texts[0]
@unfit_texts[1]
@pytest.mark.parametrize(("corpus", "name"), [*CORPORA, ("xsum_convs2s", "every sample")])
def test_spark_gives_the_scores_of_one_process(spark: Any, corpus: str, name: str) -> None:
    table, options = read_corpus(corpus), OPTIONS[name]
    scorer = reduce_counts(count(spark, table, options).toArrow(), seed=SEED, **options)
    assert len(scorer) == len(table)
    assert scorer.result() == score_at_once(table, options)


def test_counts_are_written_as_parquet_and_read_part_by_part(spark: Any, tmp_path: Path) -> None:
    from pyarrow import dataset

    options = OPTIONS["rouge-w"]
    count(spark, TABLE, options).write.parquet(str(tmp_path / "counts"))
    batches = dataset.dataset(tmp_path / "counts", format="parquet").to_batches()
    assert reduce_counts(batches, **options).result() == score_at_once(TABLE, options)
