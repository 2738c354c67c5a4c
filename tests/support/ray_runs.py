"""Ray for the tests: workers on this machine."""

from collections.abc import Iterator
from types import ModuleType

import pytest

from ..conftest import ROOT, require


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
