"""Fixtures for the tests of the page: its functions, its server, and a browser that shows it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT, require
from ..support.browser import Page, open_chromium, serve_page


@pytest.fixture(scope="module")
def page() -> Any:
    """The module with the functions behind the page."""
    require("gradio")
    from space import handlers

    return handlers


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of the server."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def uploads(home: Path) -> Path:
    """The folder in which the server keeps uploads."""
    return home / "gradio"


@pytest.fixture(scope="session")
def address(home: Path) -> Iterator[str]:
    """The address of the page that runs from the repository."""
    require("gradio")
    with serve_page(ROOT / "app.py", home) as address:
        yield address


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the browser saves files."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory, downloads: Path) -> Iterator[Any]:
    with open_chromium(tmp_path_factory.mktemp("profile"), downloads) as driver:
        yield driver


@pytest.fixture
def browser(
    address: str, driver: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The page in the browser, opened anew; a picture is taken at the end."""
    driver.get("about:blank")  # else another "#" of the same address would load nothing
    driver.get(address)
    yield Page(driver)
    folder = Path(os.environ.get("SCREENSHOT_DIR") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(folder / f"{request.node.name}.png"))


@pytest.fixture
def laptop(browser: Page) -> Iterator[Page]:
    """The page in a window whose inside is that of a laptop."""
    size = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    yield browser
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
