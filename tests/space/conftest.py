"""A fixture for the tests of the page."""

from typing import Any

import pytest

from ..conftest import require


@pytest.fixture(scope="module")
def page() -> Any:
    """The module with the functions behind the page; a module of tests may override it."""
    require("gradio")
    from space import handlers

    return handlers
