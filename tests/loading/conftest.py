"""The environments and a clone, for every test of this folder."""

from pathlib import Path

import pytest

from .environments import bare, editable, installed, make_clone

__all__ = ["bare", "editable", "installed"]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return make_clone(tmp_path / "clone")
