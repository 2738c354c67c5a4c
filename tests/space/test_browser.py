"""The page in a browser: what happens at clicks, keys, edits, Back and a reload."""

import importlib.util
import json
import os
import struct
from pathlib import Path
from urllib.parse import quote

import pytest

from ..conftest import ROOT, require
from ..support.browser import Page

TILE = "#explain-results .tile .n"
PREDICTION = '#explain-panel [name="prediction"]'


def test_explain_opens_with_an_answer_and_follows_the_keys(browser: Page) -> None:
    first = browser.read(TILE)
    assert first == "0.6077"
    browser.run(
        """window.requests = 0;
        const own = fetch;
        window.fetch = (...values) => { requests++; return own(...values); };"""
    )
    browser.fill(PREDICTION, "The ferry leaves the island for the mainland at noon.")
    browser.wait_for(lambda: browser.read(TILE) == "1.0000")
    # Keys that follow each other quickly make few requests.
    assert browser.run("return requests") < 10


def test_a_wrong_input_keeps_the_last_results(browser: Page) -> None:
    height = browser.run("return document.body.scrollHeight")
    top = browser.find(TILE).rect["y"]
    browser.fill('#explain-panel [name="references"]', " ")
    message = browser.wait_for(lambda: browser.find_all("#explain-panel .state .message"))[0]
    assert message.text == "Reference 1 is empty; type a text."
    assert browser.read_state("explain") == "old"
    assert browser.read(TILE) == "0.6077"
    assert browser.find(TILE).rect["y"] == top
    assert browser.run("return document.body.scrollHeight") == height
    assert "grayscale" in browser.find("#explain-results").value_of_css_property("filter")


def test_tiles_and_controls_choose_what_is_shown(browser: Page) -> None:
    browser.click('[data-key="tile-rouge1"]')
    browser.wait_for(lambda: "ROUGE-1 is computed" in browser.read("#explain-results"))
    browser.wait_for(lambda: browser.has_focus('[data-key="tile-rouge1"]'))
    browser.click('[data-key="shown-1"]')
    browser.wait_for(lambda: browser.find_all('[data-key="shown-1"][aria-pressed="true"]'))
    browser.click('[data-key="digits"] summary')
    browser.choose('#explain-panel [name="profile"]', "sacrebleu")
    browser.wait_for(lambda: browser.read(TILE) == "60.77")
    # What the person has opened stays open, and what the profile lacks is disabled.
    assert browser.find_all('[data-key="digits"][open]')
    browser.click("#explain-panel .options summary")
    for name, is_on in (("use_stemmer", False), ("rouge_tokenizer", False), ("smooth", True)):
        assert browser.find(f'#explain-panel [name="{name}"]').is_enabled() == is_on
    assert "60.7" in browser.read("#explain-results .result")


def test_a_remedy_sets_the_control_that_it_names(browser: Page) -> None:
    browser.click("#explain-panel .bar a:nth-of-type(5)")
    browser.wait_for(lambda: browser.read(TILE) == "0.0000")
    browser.click("#explain-results .warning button")
    browser.wait_for(lambda: float(browser.read(TILE)) > 0)
    assert (
        browser.run("return document.querySelector('#explain-panel [name=smooth]').value") == "exp"
    )


def test_references_are_added_to_five(browser: Page) -> None:
    for number in (3, 4, 5):
        browser.click("#explain-panel [data-add]")
        assert browser.has_focus('[name="references"]')
        assert len(browser.find_all('#explain-panel [name="references"]')) == number
    assert not browser.find_all("#explain-panel [data-add]")[0].is_displayed()
    # Empty boxes are no references.
    browser.wait_for_results("explain")
    assert browser.read(TILE) == "0.6077"


def test_back_and_reload(browser: Page) -> None:
    browser.fill(PREDICTION, "The ferry leaves.")
    browser.wait_for(lambda: "The%20ferry%20leaves." in browser.driver.current_url)
    browser.open("systems")
    browser.open("learn")
    assert browser.driver.current_url.endswith("#learn")
    browser.driver.refresh()
    assert "Clipping" in browser.read("#learn-panel")
    browser.driver.back()
    browser.wait_for_results("systems")
    browser.driver.back()
    browser.wait_for_results("explain")
    assert browser.find(PREDICTION).get_property("value") == "The ferry leaves."
    browser.driver.refresh()
    browser.wait_for_results("explain")
    assert browser.find(PREDICTION).get_property("value") == "The ferry leaves."


@pytest.mark.parametrize(
    "link",
    [
        {"prediction": "tea tea", "references": ["tea"], "max_order": 1, "view": "rouge1"},
        # As links of earlier versions.
        {"prediction": "tea tea", "reference-1": "tea", "reference-2": "", "max-order": 1},
    ],
)
def test_a_link_holds_the_inputs(browser: Page, link: dict[str, object]) -> None:
    browser.run("location.hash = arguments[0]", f"explain={quote(json.dumps(link))}")
    browser.wait_for(lambda: browser.read(TILE) == "0.5000")
    assert len(browser.find_all('#explain-panel [name="references"]')) == 1
    # Anybody may have written a link.
    for wrong in ("explain=%7B", "explain=7", 'explain={"profile":"<b>"}', "nowhere"):
        browser.run("location.hash = arguments[0]", wrong)
    browser.wait_for_results("explain")


def test_a_lesson_leads_to_explain_and_back(browser: Page) -> None:
    browser.open("learn")
    browser.click("#learn-panel a")
    browser.wait_for_results("explain")
    assert "Müller" in browser.find(PREDICTION).get_property("value")
    browser.driver.back()
    assert "Clipping" in browser.read("#learn-panel")


def test_systems_opens_with_the_example(browser: Page, downloads: Path) -> None:
    browser.open("systems")
    assert "Worse than first" in browser.read("#systems-results .say")
    browser.click('[data-cell*="rougeL"][data-cell*="words15"]')
    browser.wait_for(lambda: "words15, ROUGE-L." in browser.read("#systems-results .call"))
    browser.click("#systems-filter label:nth-of-type(4)")
    browser.wait_for(lambda: len(browser.find_all("#systems-rows .sample")) < 10)
    browser.click("#systems-filter label")
    browser.wait_for(lambda: len(browser.find_all("#systems-rows .sample")) == 10)
    browser.click("[data-more]")
    browser.wait_for(lambda: len(browser.find_all("#systems-rows .sample")) == 20)
    browser.wait_for(lambda: browser.has_focus(".sample:nth-of-type(n+3) a"))
    browser.fill("#systems-filter [name=search]", "BAKERY")
    browser.wait_for(lambda: len(browser.find_all("#systems-rows .sample")) < 5)
    assert browser.has_focus("[name=search]")
    browser.click("#systems-rows a")
    browser.wait_for_results("explain")
    assert "bakery" in browser.find(PREDICTION).get_property("value")
    browser.driver.back()
    browser.wait_for_results("systems")
    browser.click('[data-file="csv"]')
    browser.wait_for((downloads / "samples.csv").is_file)
    browser.click('[data-example="samples.jsonl"]')
    browser.wait_for(lambda: len(browser.find_all("#systems-results .tile")) == 5)
    # The example needs no upload after a reload.
    browser.driver.refresh()
    browser.wait_for(lambda: len(browser.find_all("#systems-results .tile")) == 5)


def test_files_are_uploaded_and_columns_chosen(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("id,a,b,gold\n1,the cat,a cat,the cat sat\n2,x y,y,x y z\n")
    browser.open("systems")
    browser.click("#systems-panel .sources summary")
    browser.find('[name="systems-file"]').send_keys(str(path))
    browser.wait_for(
        lambda: "mine.csv, columns a, b against gold" in browser.read("#systems-results")
    )
    # The row of files has made room for the results.
    assert not browser.find_all('[name="systems-file"]')[0].is_displayed()
    browser.click("#systems-panel .sources summary")
    browser.click('[name="columns"][value="a"]')
    browser.wait_for(lambda: "columns b against gold" in browser.read("#systems-results"))
    assert len(browser.find_all("#systems-results .tile")) == 5
    assert browser.find('[name="columns"][value="a"]').is_displayed()
    path.write_text("")
    browser.find('[name="systems-file"]').send_keys(str(path))
    error = "mine.csv is empty; expected one row or line for every sample."
    browser.wait_for(lambda: error in browser.read("#systems-panel .state"))
    browser.click("#systems-panel form button.act")
    browser.wait_for(lambda: browser.read("#systems-panel .state").count(error) == 1)
    assert len(browser.find_all("#systems-results .tile")) == 5


def test_long_work_shows_progress_and_is_cancelled(browser: Page) -> None:
    browser.open("systems")
    # The answer never comes.
    browser.run(
        """window.fetch = (_, { signal }) => new Promise((_, fail) => {
            signal.addEventListener("abort", () => fail(signal.reason));
        });"""
    )
    browser.click("#systems-panel form button.act")
    assert browser.find("#systems-panel progress")
    browser.click("[data-cancel]")
    browser.wait_for(lambda: "Cancelled" in browser.read("#systems-panel .state"))
    assert "Worse than first" in browser.read("#systems-results .say")


def test_profiles_keep_open_what_is_open(browser: Page) -> None:
    browser.open("profiles")
    assert len(browser.find_all("#profiles-results mark")) > 5
    assert browser.find_all("#profiles-results td")[0].text != "0.0000"
    browser.click('[data-key="steps-nltk"] summary')
    browser.fill(
        '#profiles-panel [name="prediction"]', "The ferry leaves the island at noon and returns."
    )
    browser.wait_for(lambda: browser.read_state("profiles") == "new")
    assert browser.find_all('[data-key="steps-nltk"][open]')


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which comes with a package that this test does not import."""
    require("axe_playwright_python")
    spec = importlib.util.find_spec("axe_playwright_python")
    assert spec is not None
    (folder,) = spec.submodule_search_locations or []
    return (Path(folder) / "axe.min.js").read_text("utf-8")


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
CHECK = """
    const done = arguments[1];
    axe.run(document, {runOnly: arguments[0]}).then((found) => done(found.violations.map(
        (one) => [one.id, one.nodes.map((node) => node.target.join(" "))])));
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_every_tab_fits_the_window_and_axe_finds_nothing(
    browser: Page, axe: str, width: int, height: int, theme: str
) -> None:
    browser.resize(width, height)
    address = browser.driver.current_url.partition("#")[0]
    browser.driver.get(f"{address}?__theme={theme}")
    browser.wait_for_results("explain")
    assert browser.find(TILE).rect["y"] < 400
    for tab in ("explain", "systems", "profiles", "learn"):
        browser.open(tab)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.run("return document.documentElement.scrollWidth") <= width, tab
        folder = os.environ.get("SCREENSHOT_DIR")
        if folder:
            browser.driver.save_screenshot(f"{folder}/{tab}-{width}-{theme}.png")
        browser.wait_for(lambda: not browser.run("return document.getAnimations().length"))
        browser.run(axe)
        assert (tab, browser.driver.execute_async_script(CHECK, RULES)) == (tab, [])
    colour = browser.find("body").value_of_css_property("background-color")
    assert ("17, 18, 20" in colour) == (theme == "dark")
    assert not browser.driver.get_log("browser")


# Each would set window.caught, or leave an element that this page does not have.
HOSTILE = (
    "<script>window.caught = 1</script> <img src=x onerror='window.caught = 2'> "
    '" onmouseover="window.caught = 3" x=" \' onfocus=\'window.caught = 4\' ${window.caught = 5} '
    "{{caught}} <svg onload='window.caught = 6'> </textarea><b>bold</b> javascript:void(0)"
)


def test_texts_and_names_are_never_html(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "<img src=x>.jsonl"
    row = {HOSTILE: f"a {HOSTILE}", "b": "a b", "reference": HOSTILE, "id": 1}
    path.write_text(f"{json.dumps(row)}\n" * 2)
    browser.run(
        "location.hash = arguments[0]",
        "explain=" + quote(json.dumps({"prediction": HOSTILE, "references": [HOSTILE]})),
    )
    browser.wait_for(lambda: browser.read(TILE) == "1.0000")
    browser.open("systems")
    browser.click("#systems-panel .sources summary")
    browser.find('[name="systems-file"]').send_keys(str(path))
    browser.wait_for(lambda: "onerror" in browser.read("#systems-results .say"))
    for tab in ("explain", "systems"):
        browser.open(tab)
        assert (
            browser.find_all(f"#{tab}-panel :is(script, img, b b, [onmouseover], [onfocus])") == []
        )
    assert browser.run("return window.caught") is None


def test_the_keyboard_reaches_results_and_nothing_is_a_false_button(browser: Page) -> None:
    assert browser.find_all("[role=button], .pair .body [tabindex]") == []
    browser.run("document.querySelector('.skip').focus()")
    browser.driver.switch_to.active_element.click()
    assert browser.has_focus("#explain-results")


@pytest.mark.parametrize("tab", ["explain", "systems"])
def test_the_readme_shows_the_page(browser: Page, tmp_path: Path, tab: str) -> None:
    """``PAGE_PICTURES=docs`` writes the pictures of the README anew."""
    path = Path(os.environ.get("PAGE_PICTURES", tmp_path)) / f"page-{tab}.png"
    browser.open(tab)
    assert browser.driver.save_screenshot(str(path))
    shown = ROOT / "docs" / path.name
    # Fonts differ from machine to machine, and with them the pixels, but not the width.
    drawn, expected = (struct.unpack(">8s8xI", file.read_bytes()[:20]) for file in (path, shown))
    assert drawn == expected == (b"\x89PNG\r\n\x1a\n", 1280)
    assert f"](docs/{path.name})" in (ROOT / "README.md").read_text("utf-8")
