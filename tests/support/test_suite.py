"""The test suite itself: it runs the same examples in CI and elsewhere, without deadlines."""

import os
import subprocess
import sys

import pytest

from ..conftest import ROOT

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
