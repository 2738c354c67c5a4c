"""The picture of the page in the README: ``PAGE_PICTURE=docs/page.png`` writes it anew."""

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


@pytest.fixture
def tall(browser: Page) -> Page:
    browser.driver.set_window_size(1280, 1640)
    return browser


def test_the_readme_shows_the_page(tall: Page, tmp_path: Path) -> None:
    path = Path(os.environ.get("PAGE_PICTURE", tmp_path / "page.png"))
    try:
        tall.find("#explain-scores .pair")
        tall.expect(lambda: tall.read_state("explain"), "new")
        assert tall.driver.save_screenshot(str(path))
    finally:
        tall.driver.set_window_size(1280, 1900)
    # Fonts differ from machine to machine, and with them the pixels.
    assert _read_width(path) == _read_width(ROOT / "docs" / "page.png")
    assert "](docs/page.png)" in (ROOT / "README.md").read_text("utf-8")
