"""The training example, run as the README says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import ROOT, require

for library in ("torch", "transformers", "accelerate"):
    require(library)

pytestmark = pytest.mark.extra


def test_the_example_trains_and_prints_the_scores_of_every_epoch(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "train_summarization.py")],
        cwd=tmp_path,
        env=os.environ | {"HF_HUB_OFFLINE": "1", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
    assert "8 summaries that it did not learn from" in done.stdout
    rows = [re.findall(r"\d+\.\d\d", line) for line in done.stdout.splitlines()]
    table = [list(map(float, row)) for row in rows if row]
    epochs, _, bleu, rouge_1, _, _, lengths = zip(*table, strict=True)
    assert epochs == tuple(range(1, 13))
    assert max(rouge_1[-3:]) > 1.5 * rouge_1[0] > 0
    assert all(0 < score < 100 for score in bleu)
    assert all(1 <= length <= 32 for length in lengths)
