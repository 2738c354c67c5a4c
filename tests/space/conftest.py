"""Fixtures for the tests of the page: its server, and a browser that shows it."""

import json
import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT, require
from ..support.browser import PATIENCE, Page, open_chromium, serve_page


class Server:
    """The page that runs from the repository, asked without a browser."""

    def __init__(self, address: str, home: Path) -> None:
        self.address = address
        self.home = home
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def fetch(self, path: str, body: bytes | None = None, kind: str = "application/json") -> Any:
        """Return the answer of an address, opened."""
        request = urllib.request.Request(self.address + path, body, {"Content-Type": kind})
        return self._opener.open(request, timeout=PATIENCE)

    def post(self, path: str, **values: Any) -> dict[str, Any]:
        """Send inputs as the page does; return what replaces HTML, or the error."""
        body = json.dumps({"session": "test-session", **values}).encode()
        with self.fetch(f"page/{path}", body) as response:
            found: dict[str, Any] = json.load(response)
        return found

    def upload(self, session: str, *files: tuple[str, str, bytes]) -> dict[str, Any]:
        """Upload files, each with its kind, name and content; one without a name is pasted."""
        head = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n'.format
        parts = [head("session").encode(), session.encode(), b"\r\n"]
        for kind, name, content in files:
            field = f'{kind}-file"; filename="{name}' if name else f"{kind}-text"
            parts += [head(field).encode(), content, b"\r\n"]
        body = b"".join([*parts, b"--x--\r\n"])
        with self.fetch("page/upload", body, "multipart/form-data; boundary=x") as response:
            found: dict[str, Any] = json.load(response)
        return found


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    require("gradio")
    home = tmp_path_factory.mktemp("home")
    with serve_page(ROOT / "app.py", home) as address:
        yield Server(address, home)


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory, downloads: Path) -> Iterator[Any]:
    with open_chromium(tmp_path_factory.mktemp("profile"), downloads) as driver:
        yield driver


@pytest.fixture
def browser(
    server: Server, driver: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The page in the browser, opened anew; a picture is taken at the end."""
    driver.get("about:blank")  # else another "#" of the same address would load nothing
    driver.get(server.address)
    driver.execute_script("sessionStorage.clear()")
    page = Page(driver)
    page.resize(1280, 720)
    page.wait_for_results("explain")
    yield page
    folder = Path(os.environ.get("SCREENSHOT_DIR") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(folder / f"{request.node.name}.png"))
