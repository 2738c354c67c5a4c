"""The example of Ray Data, run as its docstring says."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer

from ..conftest import ROOT, require

EXAMPLE = ROOT / "examples" / "score_parquet_with_ray.py"


@pytest.mark.extra
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
    assert done.stdout.splitlines() == ["300 samples", *scores, scorer.signature()]
