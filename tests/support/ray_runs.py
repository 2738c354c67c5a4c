"""Ray for the tests: workers on this machine, and files that they count."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.cli.folders import add_shards
from bleu_rouge_metric.cli.ray_engine import count_with_ray
from bleu_rouge_metric.files import shards

from ..conftest import ROOT, require
from .shard_files import plan, write_rows

_TEXT: Final = "the storm closed two schools in the north of the city"
_WORDS: Final = _TEXT.split()
RAY_ROWS: Final[list[dict[str, Any]]] = [
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
        yield found
        found.shutdown()


@pytest.fixture(name="data")
def write_data(own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Write two files of several shards each to ``data``, and all their rows to ``all.jsonl``."""
    monkeypatch.setattr(shards, "SHARD_BYTES", 10_000)
    monkeypatch.setattr(shards, "SHARD_ROWS", 100)
    write_rows("data/a.parquet", RAY_ROWS[:250], group=60)
    write_rows("data/b.jsonl", RAY_ROWS[250:])
    write_rows("all.jsonl", RAY_ROWS)


def count_data(scorer: Scorer) -> None:
    """Count the folder with Ray."""
    add_shards(scorer, plan("data"), count_with_ray)
