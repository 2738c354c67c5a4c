"""The command imports only what it uses."""

import subprocess
import sys

import pytest

from ..conftest import ROOT

EXAMPLES = ["examples/predictions.txt", "examples/references.txt"]

# Each takes more than 2 ms to import, and scoring files needs none of them.
HEAVY = (
    *("datasets", "evaluate", "nltk", "pandas", "pyarrow", "pydantic", "regex", "rich", "torch"),
    *("decimal", "fractions", "hashlib", "numpy.random", "secrets", "statistics"),
    *("bleu_rouge_metric.analysis", "bleu_rouge_metric.matching", "bleu_rouge_metric.engines"),
)


@pytest.mark.parametrize("arguments", [["--version"], ["score", *EXAMPLES]])
def test_the_start_imports_only_what_it_uses(arguments: list[str]) -> None:
    code = (
        f"import sys\nsys.argv[1:] = {arguments}\n"
        "from bleu_rouge_metric.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
