"""Run Python as in an environment with NumPy alone."""

import subprocess
import sys
from typing import Final

# A finder that refuses every package but NumPy, this one and those of Python itself.
HIDE: Final = """
import sys

class Hidden:
    kept = {*sys.stdlib_module_names, "numpy", "bleu_rouge_metric", "bleu_rouge_kernel"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.kept:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""


def run_with_numpy_alone(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDE + code], capture_output=True, text=True, check=False
    )
