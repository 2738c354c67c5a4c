"""Ray for the tests: workers on this machine, and files that they count."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.cli import ray_engine
from bleu_rouge_metric.cli.counting import Work
from bleu_rouge_metric.cli.folders import plan_folder
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.input import FileFormat

from ..conftest import ROOT, require

_WORDS: Final = [
    "the",
    "storm",
    "closed",
    "two",
    "schools",
    "in",
    "the",
    "north",
    "of",
    "the",
    "city",
]
ROWS: Final[list[dict[str, Any]]] = [
    {
        "prediction": " ".join(_WORDS[i % 5 : 5 + i % 9]),
        "reference": [" ".join(_WORDS[j::2]) for j in range(1 + i % 2)],
    }
    for i in range(600)
]
# The arguments of ``bleu-rouge score`` for the folder that the fixture ``data`` writes.
RAY: Final = ("data", "data", "--engine", "ray")


@pytest.fixture(scope="module", name="ray")
def start_ray() -> Iterator[ModuleType]:
    """Start Ray with two workers, which the command then uses."""
    found = require("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        found.init(
            "local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=1 << 27,
            # Workers must be able to import the tests.
            runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
        )
        found.data.DataContext.get_current().enable_progress_bars = False
        yield found
        found.shutdown()


@pytest.fixture(name="data")
def write_data(own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Write two files of several shards each to ``data``, and all their rows to ``all.jsonl``."""
    monkeypatch.setattr(shards, "SHARD_BYTES", 10_000)
    monkeypatch.setattr(shards, "SHARD_ROWS", 100)
    Path("data").mkdir()
    parquet.write_table(pa.Table.from_pylist(ROWS[:250]), "data/a.parquet", row_group_size=60)
    write_lines("data/b.jsonl", ROWS[250:])
    write_lines("all.jsonl", ROWS)


def write_lines(path: str, rows: list[Any]) -> None:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def plan_data(references: str = "data") -> Work:
    """Plan the work of Ray on the folder."""
    return plan_folder(
        "data",
        [references],
        count=ray_engine.count_with_ray,
        prediction_column=None,
        reference_column=None,
        stdin_format=FileFormat.TEXT,
    )
