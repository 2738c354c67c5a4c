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
from ..support.engine_cases import OPTIONS, SEED, UNDER_ENGINES, read_corpus, score_at_once
from ..support.ray_runs import start_ray  # noqa: F401 - a fixture

# Every case gets the seed, also cases that do not use it.
pytestmark = [*UNDER_ENGINES, pytest.mark.filterwarnings("ignore:seed is")]


def count(
    ray: ModuleType, table: pa.Table, function: Callable[..., Any], blocks: int = 4
) -> Iterator[pa.Table]:
    """Count a table with Ray Data; return the tables of counts, in any order."""
    data = ray.data.from_arrow(table).repartition(blocks)
    counts = data.map_batches(function, batch_format="pyarrow", batch_size=40)
    tables: Iterator[pa.Table] = counts.iter_batches(batch_size=None, batch_format="pyarrow")
    return tables


@unfit_texts[0]
@unfit_texts[1]
@pytest.mark.parametrize(
    ("corpus", "name"),
    [
        ("dailydialog_5refs", "an interval"),
        ("dailydialog_5refs", "every sample"),
        ("msvd_captions_manyrefs", "rouge-w"),
        ("xsum_convs2s", "sacrebleu"),
        ("xsum_convs2s", "rouge-1.5.5"),
        ("e2e_tgen_multiref", "google_bleu"),
        ("ted_slk_en", "nltk"),
    ],
)
def test_ray_data_gives_the_scores_of_one_process(ray: ModuleType, corpus: str, name: str) -> None:
    table, options = read_corpus(corpus), OPTIONS[name]
    tables = count(ray, table, partial(count_batch, key_column="id", **options))
    scorer = reduce_counts(tables, seed=SEED, **options)
    assert len(scorer) == len(table)
    assert scorer.result() == score_at_once(table, options)


def test_columns_of_numpy_are_counted_too(ray: ModuleType) -> None:
    table = read_corpus("dailydialog_5refs")
    data = ray.data.from_arrow(table)
    counts = data.map_batches(partial(count_batch, key_column="id"), batch_format="numpy")
    tables = counts.iter_batches(batch_size=None, batch_format="pyarrow")
    assert reduce_counts(tables).result() == score_at_once(table, {})


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
    table = read_corpus("dailydialog_5refs")
    options: dict[str, Any] = {"tokenizer": DiesOnce(tmp_path / "marker"), "use_aggregator": False}
    tables = count(ray, table, partial(count_batch, key_column="id", **options))
    scorer = reduce_counts(tables, **options)
    assert (tmp_path / "marker").exists()
    assert len(scorer) == len(table)
    expected = score_at_once(table, {"tokenizer": str.split, "use_aggregator": False})
    assert scorer.result() == expected


def test_a_null_is_an_error_that_names_the_column(ray: ModuleType) -> None:
    table = pa.table({"prediction": ["a", None], "reference": ["a", "b"]})
    with pytest.raises(Exception, match="Column 'prediction' has a null in row 1 of the batch"):
        reduce_counts(count(ray, table, count_batch, blocks=1))
