"""Run a program on two ranks of torchrun."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..conftest import ROOT


def run_on_ranks(module: str, folder: Path) -> list[dict[str, Any]]:
    """Return what each rank wrote to its file of the folder.

    Args:
        module: the name of the program, which gets the folder as its argument.
        folder: an empty one.
    """
    result = subprocess.run(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"),
            *("--standalone", "-m", module, str(folder)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]
