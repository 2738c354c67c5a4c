"""``count_batch`` with Ray Data and workers on this machine."""

import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest

from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..conftest import unfit_texts
from ..support.engine_cases import (
    CORPORA,
    OPTIONS,
    SEED,
    TABLE,
    UNDER_ENGINES,
    read_corpus,
    score_at_once,
)
from ..support.ray_runs import start_ray  # noqa: F401 - a fixture

# Every case gets the seed, also cases that do not use it.
pytestmark = [*UNDER_ENGINES, pytest.mark.filterwarnings("ignore:seed is")]


def count(
    ray: ModuleType, table: pa.Table, function: Callable[..., Any], form: str = "pyarrow"
) -> Iterator[pa.Table]:
    """Count a table with Ray Data; return the tables of counts, in any order."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    data = ray.data.from_arrow(table).repartition(4)
    counts = data.map_batches(function, batch_format=form, batch_size=40)
    tables: Iterator[pa.Table] = counts.iter_batches(batch_size=None, batch_format="pyarrow")
    return tables


@unfit_texts[0]
@unfit_texts[1]
@pytest.mark.parametrize(("corpus", "name"), [*CORPORA, ("dailydialog_5refs", "every sample")])
@pytest.mark.parametrize("form", ["pyarrow", "numpy"])
def test_ray_data_gives_the_scores_of_one_process(
    ray: ModuleType, corpus: str, name: str, form: str
) -> None:
    table, options = read_corpus(corpus), OPTIONS[name]
    tables = count(ray, table, partial(count_batch, key_column="id", **options), form)
    scorer = reduce_counts(tables, seed=SEED, **options)
    assert len(scorer) == len(table)
    assert scorer.result() == score_at_once(table, options)


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
    tables = count(ray, TABLE, partial(count_batch, key_column="id", **options))
    scorer = reduce_counts(tables, **options)
    assert (tmp_path / "marker").exists()
    assert len(scorer) == len(TABLE)
    expected = score_at_once(TABLE, {"tokenizer": str.split, "use_aggregator": False})
    assert scorer.result() == expected


def test_a_null_is_an_error_that_names_the_column(ray: ModuleType) -> None:
    table = pa.table({"prediction": ["a", None] * 4, "reference": ["a", "b"] * 4})
    with pytest.raises(Exception, match="Column 'prediction' has a null in row 1 of the batch"):
        reduce_counts(count(ray, table, count_batch))
