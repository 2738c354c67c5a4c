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
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,1900",
)
# In seconds, for a busy machine: for the start of the page, and for an answer of it.
PATIENCE = 180
ANSWER_PATIENCE = 20
Table = list[list[str]]


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
    """Whether a server answers at the address."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=PATIENCE) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


@contextmanager
def open_chromium(profile: Path, downloads: Path) -> Iterator[Any]:
    """Open a headless Chromium; without it skip the test, or fail if all libraries are required.

    Args:
        profile: folder of its settings.
        downloads: folder in which it saves files.
    """
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
    """One tab of the browser; elements are named by the ids that ``app.py`` gives them."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def wait_for(self, value: Callable[[], object]) -> Any:
        """Wait for a true value and return it; the page may be rebuilt meanwhile."""
        from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
        from selenium.webdriver.support.ui import WebDriverWait

        waiting = WebDriverWait(
            self.driver,
            ANSWER_PATIENCE,
            ignored_exceptions=[StaleElementReferenceException, WebDriverException],
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
        # Repeat the click if another element of the moving page has received it.
        self.wait_for(lambda: self.find(css).click() or True)

    def open_tab(self, name: str) -> None:
        """Open a tab, also one that is in the menu of a phone."""
        self.wait_for(lambda: self.find_all("[role=tablist] [role=tab]"))
        self.driver.execute_script("page.openTab(arguments[0])", name)
        self.find(f"#{name}-tab")

    def paste(self, name: str, text: str) -> None:
        """Replace the text of a text box at once, as a paste does."""
        script = """
            const [box, text] = arguments;
            const prototype = HTMLTextAreaElement.prototype;
            Object.getOwnPropertyDescriptor(prototype, "value").set.call(box, text);
            box.dispatchEvent(new Event("input", {bubbles: true}));
        """
        self.driver.execute_script(script, self.find(f"#{name} textarea"), text)

    def fill(self, name: str, text: str) -> None:
        """Replace the text of a text box."""
        from selenium.webdriver.common.keys import Keys

        box = self.find(f"#{name} textarea, #{name} input")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(Keys.DELETE)
        # Enter would leave a box of one line.
        box.send_keys(text)
        assert box.get_property("value") == text

    def choose(self, name: str, option: str) -> None:
        """Choose from a drop-down list."""
        self.click(f"#{name} input")
        self.click(f"[role=option][aria-label='{option}']")

    def upload(self, name: str, path: Path) -> None:
        """Give a file to a box, and wait until the page shows its name and has read it."""
        for button in self.find_all(f"#{name} button[aria-label='Clear']"):
            button.click()
        field = self.wait_for(lambda: self.find_all(f"#{name} input[type=file]"))[0]
        field.send_keys(str(path))
        self.wait_for(lambda: path.stem in self.find(f"#{name}").text)
        if name.endswith("-upload"):
            panel = f"#{name.removesuffix('-upload')}-panel"
            self.wait_for(lambda: path.name in (self.find(panel).get_attribute("data-read") or ""))

    def read_table(self, css: str) -> Table:
        """Return the visible cells of a table, row by row, without the header."""
        script = """
            const shown = (one) => one.offsetParent !== null;
            const rows = [...document.querySelectorAll(`${arguments[0]} tbody tr`)].filter(shown);
            return rows.map((row) => [...row.cells].map((cell) => cell.innerText));
        """
        rows: Table = self.driver.execute_script(script, css)
        return rows

    def read_grid(self, name: str) -> Table:
        """Return the cells of the visible rows of a table that scrolls."""
        rows = self.find_all(f"#{name} .virtual-row")
        return [
            [cell.text for cell in row.find_elements("css selector", "[role=gridcell]")]
            for row in rows
        ]

    def expect_table(self, css: str, rows: Table) -> None:
        """Wait until the table has these rows."""
        self.expect(lambda: self.read_table(css), rows)

    def read_state(self, tab: str) -> str | None:
        """Return whether the results of a tab are ``busy``, ``new``, ``old`` or ``failed``."""
        state: str | None = self.find(f"#{tab}-panel").get_attribute("data-state")
        return state

    def expect(self, read: Callable[[], object], expected: object) -> None:
        """Wait until the page shows the expected value; the error shows what it shows instead."""
        from selenium.common.exceptions import TimeoutException

        try:
            self.wait_for(lambda: read() == expected)
        except TimeoutException:
            found = read()
            assert found == expected, f"The page reads {found!r}; expected {expected!r}."

    def read_message(self, tab: str) -> str:
        """Return the message that says why nothing was scored; empty if there is none."""
        boxes = [box for box in self.find_all(f"#{tab}-message .message") if box.is_displayed()]
        return str(boxes[0].text) if boxes else ""

    def read_hidden(self, css: str) -> str:
        """Return the text of an element that need not be visible; empty if there is none."""
        found = self.find_all(css)
        return str(found[0].get_property("textContent")) if found else ""

    def read_bars(self, css: str) -> list[str]:
        """Return what the bars of a histogram say when they are pointed at."""
        titles = self.find_all(f"{css} .bar title")
        return [str(title.get_property("textContent")) for title in titles]
