"""How every tab looks and behaves: phones, contrast, keyboard, and texts that try to run."""

import importlib.util
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT, require
from ..support.browser import Page, serve_page

# Each would set window.caught, or leave an element that this page does not have.
HOSTILE = (
    "<script>window.caught = 1</script> <img src=x onerror='window.caught = 2'> "
    '" onmouseover="window.caught = 3" x=" \' onfocus=\'window.caught = 4\' ${window.caught = 5} '
    "{{caught}} <svg onload='window.caught = 6'> </textarea><b>bold</b> javascript:void(0)"
)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
TRANSITIONS = """
    return document.getAnimations().filter(
        (one) => one instanceof CSSTransition && one.playState === "running").length;
"""
CHECK = """
    const done = arguments[1];
    axe.run(document, {runOnly: arguments[0]}).then((found) => done(found.violations.map(
        (one) => [one.id, one.nodes.map((node) => node.target.join(" "))])));
"""


def open_explain(browser: Page) -> None:
    browser.find("#explain-scores .pair")


def open_lcs(browser: Page) -> None:
    browser.find("#explain-scores .pair")
    browser.click("#explain-tiles .tile:nth-of-type(4)")
    browser.expect(lambda: browser.find("#explain-scores h2").text, "How ROUGE-L is computed")
    browser.click("#explain-scores summary")


def open_compare(browser: Page) -> None:
    browser.open_tab("compare")
    browser.click("#compare-example")
    browser.wait_for(lambda: "words15" in browser.find("#compare-columns").text)
    browser.click("#compare-score")
    browser.find("#compare-said .matrix")
    browser.find("#compare-rows .pair")
    browser.click("#compare-said .ranks summary")


def open_profiles(browser: Page) -> None:
    browser.open_tab("profiles")
    browser.click("#profiles-table td button")


def open_learn(browser: Page) -> None:
    browser.open_tab("learn")
    browser.find("#learn-6-shown table")


def open_file(browser: Page) -> None:
    browser.open_tab("file")
    browser.click("#file-example")
    box = browser.find("#file-reference-column input")
    browser.expect(lambda: box.get_property("value"), "references")
    browser.click("#file-score")
    browser.find("#file-scores .tile")
    browser.find("#file-save:not([disabled])")


def open_old_results(browser: Page) -> None:
    """Change an input, so that the results are old."""
    browser.choose("file-language", "German")
    browser.expect(lambda: browser.read_state("file"), "old")


TABS = [open_explain, open_lcs, open_compare, open_profiles, open_learn, open_file]


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which comes with a package that this test does not import."""
    require("axe_playwright_python")
    spec = importlib.util.find_spec("axe_playwright_python")
    assert spec is not None
    (folder,) = spec.submodule_search_locations or []
    return (Path(folder) / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_tab(browser: Page, address: str, axe: str, theme: str) -> None:
    browser.driver.get(f"{address}?__theme={theme}")
    for open_tab in (*TABS, open_old_results):
        open_tab(browser)
        # A button that has just been enabled is still paler than it will be.
        browser.wait_for(lambda: not browser.driver.execute_script(TRANSITIONS))
        browser.driver.execute_script(axe)
        found = browser.driver.execute_async_script(CHECK, RULES)
        assert (open_tab.__name__, found) == (open_tab.__name__, [])


def test_every_tab_fits_a_phone(browser: Page) -> None:
    browser.driver.set_window_size(390, 844)
    try:
        for open_tab in TABS:
            open_tab(browser)
            # Gradio itself scrolls nothing sideways, and the column F is in view.
            wide = browser.driver.execute_script("""
                const width = document.documentElement.clientWidth;
                const heads = [...document.querySelectorAll(".ours th")].filter(
                    (head) => head.innerText === "F" && head.offsetParent !== null);
                const ends = heads.map((head) => head.getBoundingClientRect().right);
                return [document.documentElement.scrollWidth - width, Math.max(0, ...ends) - width];
            """)
            assert wide[0] <= 0, open_tab.__name__
            assert wide[1] <= 0, open_tab.__name__
    finally:
        browser.driver.set_window_size(1280, 1900)


def test_the_built_space_answers_in_every_tab(driver: Any, tmp_path: Path) -> None:
    require("gradio")
    space = tmp_path / "space"
    build = [sys.executable, str(ROOT / "scripts" / "build_space.py"), str(space)]
    subprocess.run(build, check=True, cwd=tmp_path)
    with serve_page(space / "app.py", tmp_path) as address:
        driver.get(address)
        for open_tab in TABS:
            open_tab(Page(driver))


def expect_nothing_ran(browser: Page) -> None:
    """Point at every element of the results and give it the focus; nothing may run."""
    caught = browser.driver.execute_script("""
        for (const one of document.querySelectorAll(".gradio-container *")) {
            one.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
            one.dispatchEvent(new FocusEvent("focusin", {bubbles: true}));
        }
        const made = ".ours img, .ours script, .ours [onmouseover], .ours [onfocus], .message img, "
            + ".message script, .message b";
        const bold = [...document.querySelectorAll(".ours b")].filter(
            (one) => one.textContent === "bold");
        return [window.caught ?? null, document.querySelectorAll(made).length + bold.length];
    """)
    assert caught == [None, 0]


def test_hostile_texts_are_only_texts(browser: Page, tmp_path: Path) -> None:
    browser.paste("explain-prediction", HOSTILE)
    for place in (1, 2):
        browser.paste(f"explain-reference-{place}", HOSTILE)
    for tile in (1, 2, 4):
        browser.click(f"#explain-tiles .tile:nth-of-type({tile})")
        browser.expect(lambda: browser.read_state("explain"), "new")
        browser.wait_for(lambda: "onerror" in browser.find("#explain-scores .pair").text)
        expect_nothing_ran(browser)

    browser.open_tab("profiles")
    for name in ("prediction", "reference"):
        browser.paste(f"profiles-{name}", HOSTILE)
    browser.expect(lambda: browser.read_state("profiles"), "new")
    browser.click("#profiles-table td button")
    expect_nothing_ran(browser)

    browser.open_tab("learn")
    for number in range(1, 7):
        for box in ("prediction", "reference"):
            if browser.find_all(f"#learn-{number}-{box}"):
                browser.paste(f"learn-{number}-{box}", HOSTILE)
        browser.expect(partial(browser.read_state, "learn"), "new")
    expect_nothing_ran(browser)

    # The names of columns are the names of systems.
    path = tmp_path / "<img src=x onerror=window.caught=7>.jsonl"
    rows = [
        {HOSTILE: HOSTILE, "other": f"{HOSTILE} {number}", "reference": f"{number} {HOSTILE}"}
        for number in range(3)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    browser.open_tab("compare")
    browser.upload("compare-upload", path)
    browser.wait_for(lambda: "other" in browser.find("#compare-columns").text)
    browser.click("#compare-score")
    browser.find("#compare-said .matrix")
    browser.find("#compare-rows .pair")
    expect_nothing_ran(browser)

    # Of two columns, one is the reference.
    path.write_text(json.dumps({HOSTILE: HOSTILE, "reference": HOSTILE}))
    browser.open_tab("file")
    browser.upload("file-upload", path)
    box = browser.find("#file-prediction-column input")
    browser.expect(lambda: box.get_property("value"), HOSTILE)
    browser.click("#file-score")
    browser.find("#file-scores .tile")
    expect_nothing_ran(browser)


def test_the_keyboard_scores_and_the_focus_is_seen(browser: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open_tab("file")
    box = browser.find("#file-prediction-column textarea, #file-prediction-column input")
    box.send_keys(Keys.CONTROL, Keys.ENTER)
    browser.wait_for(lambda: browser.read_message("file").startswith("There is no file yet"))
    browser.open_tab("explain")
    browser.find("#explain-prediction textarea").send_keys(Keys.TAB)
    outline = browser.driver.execute_script(
        "return getComputedStyle(document.activeElement).outlineWidth"
    )
    assert outline == "3px"


def test_texts_have_their_own_direction(browser: Page) -> None:
    browser.fill("explain-prediction", "שלום עולם")
    browser.fill("explain-reference-1", "שלום")
    box = browser.find("#explain-prediction textarea")
    assert box.value_of_css_property("direction") == "rtl"
    browser.expect(lambda: browser.find("#explain-scores .pair .body").text[:4], "שלום")
    text = browser.find("#explain-scores .pair .body")
    assert text.value_of_css_property("direction") == "rtl"


def test_links_to_the_page_have_a_description(browser: Page) -> None:
    tags = browser.find_all("meta[property='og:description']")
    assert any("why a text has its BLEU" in str(tag.get_attribute("content")) for tag in tags)


def test_the_page_asks_no_other_host(browser: Page) -> None:
    for open_tab in TABS:
        open_tab(browser)
    script = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    asked: Any = browser.driver.execute_script(script)
    assert asked
    # A "data:" address holds its own content.
    own = (browser.driver.current_url.partition("#")[0], "data:", "blob:")
    assert [name for name in asked if not name.startswith(own)] == []
