"""The pictures of the page in the README: ``PAGE_PICTURES=docs`` writes them anew."""

import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from ..conftest import ROOT
from ..support.browser import Page
from .test_look import open_compare, open_explain


def _read_width(path: Path) -> int:
    """Return the width that the header of a PNG file names."""
    header = path.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width: int = struct.unpack(">I", header[16:20])[0]
    return width


@pytest.mark.parametrize(
    ("name", "open_tab"), [("explain", open_explain), ("compare", open_compare)]
)
def test_the_readme_shows_the_page(
    laptop: Page, tmp_path: Path, name: str, open_tab: Callable[[Page], None]
) -> None:
    path = Path(os.environ.get("PAGE_PICTURES", tmp_path)) / f"page-{name}.png"
    open_tab(laptop)
    laptop.expect(lambda: laptop.read_state(name), "new")
    # Nothing moves any more: the result has come into the window.
    script = "return scrollY"
    laptop.wait_for(lambda: laptop.driver.execute_script(script) > 0 or name == "explain")
    assert laptop.driver.save_screenshot(str(path))
    # Fonts differ from machine to machine, and with them the pixels.
    assert _read_width(path) == _read_width(ROOT / "docs" / path.name)
    assert f"](docs/{path.name})" in (ROOT / "README.md").read_text("utf-8")
