"""The test suite itself: the same examples and ids everywhere, and what processes compared."""

import os
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from ..conftest import ROOT, pytest_collection_modifyitems
from ..parity import parity

PROFILE = (
    "import tests.conftest\n"
    "from hypothesis import settings\n"
    "print(settings().deadline, settings().derandomize, settings().print_blob)\n"
)


@pytest.mark.parametrize("ci", [{}, {"CI": "true"}])
def test_generated_tests_are_the_same_with_and_without_ci(ci: dict[str, str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [sys.executable, "-c", PROFILE],
        cwd=ROOT,
        env={**environment, **ci},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "None True True\n"


def test_an_id_with_an_address_is_an_error() -> None:
    path = ROOT / "tests" / "test_any.py"
    items: list[Any] = [SimpleNamespace(path=path, nodeid=f"{path.name}::test_any[{object()}]")]
    with pytest.raises(pytest.UsageError, match=r"^The id of a test contains an address: test_any"):
        pytest_collection_modifyitems(items)


def test_the_page_of_parity_adds_what_processes_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parity, "_equal", Counter())
    monkeypatch.setattr(parity, "_generated", set())
    parity.compare(
        "hf",
        "some texts",
        {"bleu": 0.5, "precisions": [1.0, 0.0]},
        {"bleu": 0.5, "precisions": [1.0, 0.0]},
    )
    parity.compare_generated("hf", "any texts", [1.0], [1.0])
    parity.add_compared(*parity.compared())
    page = parity.render()
    assert "| some texts | 6 |" in page
    assert page.count("| any texts | all |") == 1
