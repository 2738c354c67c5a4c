"""The page of ``app.py`` in a headless Chromium: started, driven and read back."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ..conftest import REQUIRES_ALL, require

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--window-size=1280,1900"),
)
# In seconds, for a busy machine: for the start of the page, and for an answer of it.
PATIENCE = 180
ANSWER_PATIENCE = 120


def clean_environment(home: Path) -> dict[str, str]:
    """Return this environment without caches and proxies, and with another home folder."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GRADIO_", "HF_", "PYTHON")) and not name.lower().endswith("_proxy")
    } | {"HF_HOME": str(home / "huggingface"), "GRADIO_TEMP_DIR": str(home / "gradio")}


@contextmanager
def serve_page(script: Path, home: Path) -> Iterator[str]:
    """Run ``app.py`` in a new process, in another folder; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    log = home / "log.txt"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, str(script)],
            cwd=home,
            env=clean_environment(home) | {"GRADIO_SERVER_PORT": str(port)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers(address):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{script.name} did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE)


def answers(address: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=PATIENCE) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


@contextmanager
def open_chromium(profile: Path, downloads: Path) -> Iterator[Any]:
    """Open a headless Chromium; without it skip the test, or fail if all are required."""
    webdriver = require("selenium.webdriver")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver_path = shutil.which("chromedriver")
    if not (browser and driver_path):
        message = "Chromium or its driver is not installed."
        if REQUIRES_ALL:
            pytest.fail(message)
        pytest.skip(message)
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    try:
        yield driver
    finally:
        driver.quit()


class Page:
    """The page in the browser; parts are named by CSS selectors."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def resize(self, width: int, height: int) -> None:
        """Set the size of the inside of the window."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def wait_for(self, value: Callable[[], object]) -> Any:
        """Wait for a true value and return it; the page may change meanwhile."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.ui import WebDriverWait

        waiting = WebDriverWait(
            self.driver, ANSWER_PATIENCE, ignored_exceptions=[WebDriverException]
        )
        return waiting.until(lambda _: value())

    def find(self, css: str) -> Any:
        """Wait until the element is visible, and return it."""
        return self.wait_for(
            lambda: next((e for e in self.find_all(css) if e.is_displayed()), None)
        )

    def find_all(self, css: str) -> list[Any]:
        found: list[Any] = self.driver.find_elements("css selector", css)
        return found

    def click(self, css: str) -> None:
        self.wait_for(lambda: self.find(css).click() or True)

    def run(self, script: str, *values: object) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, *values)

    def open(self, tab: str) -> None:
        """Open a tab, and wait for its results."""
        self.click(f'nav a[href^="#{tab}"]')
        if tab != "learn":
            self.wait_for_results(tab)

    def wait_for_results(self, tab: str) -> None:
        """Wait until the results are those of the inputs."""
        self.wait_for(lambda: self.read_state(tab) == "new")

    def read_state(self, tab: str) -> str:
        """Return whether the results of a tab are ``busy``, ``new`` or ``old``."""
        return str(
            self.run("return document.getElementById(`${arguments[0]}-panel`).dataset.state", tab)
        )

    def fill(self, css: str, text: str) -> None:
        """Replace the text of an input by keys."""
        from selenium.webdriver.common.keys import Keys

        box = self.find(css)
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(Keys.DELETE)
        box.send_keys(text)

    def choose(self, css: str, value: str) -> None:
        """Choose from a menu."""
        script = """
            const [css, value] = arguments;
            const menu = document.querySelector(css);
            menu.value = value;
            menu.dispatchEvent(new Event("input", {bubbles: true}));
        """
        self.run(script, css, value)

    def read(self, css: str) -> str:
        """Return the visible text of an element."""
        return str(self.find(css).text)

    def has_focus(self, css: str) -> bool:
        """Return whether the element has the focus."""
        return bool(self.run("return document.activeElement.matches(arguments[0])", css))
