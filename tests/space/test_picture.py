"""The pictures of the page in the README: ``PAGE_PICTURES=docs`` writes them anew."""

import os
import struct
from pathlib import Path

import pytest

from ..conftest import ROOT
from ..support.browser import Page


def _read_width(path: Path) -> int:
    """Return the width that the header of a PNG file names."""
    header = path.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width: int = struct.unpack(">I", header[16:20])[0]
    return width


@pytest.mark.parametrize("tab", ["explain", "systems"])
def test_the_readme_shows_the_page(browser: Page, tmp_path: Path, tab: str) -> None:
    path = Path(os.environ.get("PAGE_PICTURES", tmp_path)) / f"page-{tab}.png"
    browser.open(tab)
    assert browser.driver.save_screenshot(str(path))
    # Fonts differ from machine to machine, and with them the pixels.
    assert _read_width(path) == _read_width(ROOT / "docs" / path.name)
    assert f"](docs/{path.name})" in (ROOT / "README.md").read_text("utf-8")
