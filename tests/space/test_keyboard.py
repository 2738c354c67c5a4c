"""Keyboards, screen readers, other directions of writing, large text, and many users at once."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from ..conftest import require
from ..support.browser import Page
from ..support.pages import PREDICTION, REFERENCE
from .test_look import TABS

ACTIVE = """
    const one = document.activeElement, box = one.getBoundingClientRect();
    const style = getComputedStyle(one.closest("label") ?? one);
    return [one.tagName, one.getAttribute("role"), one.id || one.className,
        one.getAttribute("aria-label") || one.labels?.[0]?.innerText || one.innerText || one.title
            || one.placeholder || one.value || "", box.width > 0,
        getComputedStyle(one).outlineStyle !== "none" || style.outlineStyle !== "none"];
"""


def walk(browser: Page, most: int = 150) -> Iterator[Any]:
    """Press Tab from the top, and iterate over what has the focus until the walk is round."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.driver.execute_script("document.querySelector('.skip').focus()")
    for _ in range(most):
        found = browser.driver.execute_script(ACTIVE)
        if found[0] != "BODY":
            yield found
        # A key of the keyboard, not of the element, which may be off the screen.
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        if browser.driver.execute_script(ACTIVE)[2] == "skip":
            return
        # Only behind the last stop is the focus on nothing.
        assert found[0] != "BODY"


@pytest.mark.parametrize("open_tab", TABS, ids=lambda one: one.__name__)
def test_the_tab_key_visits_everything_with_a_name(browser: Page, open_tab: Any) -> None:
    open_tab(browser)
    found = list(walk(browser))
    assert len(found) > 12
    # The first stop skips the controls; nothing is without a name, size or mark of the focus.
    assert found[0][3] == "Skip to the results"
    assert [one for one in found if not str(one[3]).strip()] == []
    # A focus by a script has no mark.
    assert [one for one in found[1:] if not (one[4] and one[5])] == []


def test_arrows_move_between_tabs_and_the_skip_link_skips(browser: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.expect(lambda: browser.read_state("explain"), "new")
    browser.find("#explain-tab-button").send_keys(Keys.ARROW_RIGHT)
    browser.find("#compare-tab")
    active = browser.driver.switch_to.active_element
    assert active.get_attribute("id") == "compare-tab-button"
    active.send_keys(Keys.ARROW_LEFT)
    browser.find("#explain-tab")
    browser.find("h1")
    browser.driver.execute_script("document.querySelector('.skip').click()")
    active = browser.driver.switch_to.active_element
    assert active.get_attribute("id") == "explain-results"


def test_a_chosen_view_keeps_the_focus(browser: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.expect(lambda: browser.read_state("explain"), "new")
    for css in ("#explain-choice .segment:nth-of-type(2)", "#explain-tiles .tile:nth-of-type(3)"):
        browser.find(css).send_keys(Keys.ENTER)
        chosen = f"{css}[aria-pressed=true]"
        browser.wait_for(partial(lambda css: browser.find_all(f"{css}:focus"), chosen))


def test_texts_from_right_to_left_are_aligned_and_walked(browser: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.choose("explain-language", "Hebrew")
    browser.fill("explain-prediction", "שלום עולם גדול")
    browser.fill("explain-reference-1", "שלום עולם")
    browser.fill("explain-reference-2", "")
    browser.wait_for(lambda: "גדול" in browser.find(".pair .body").text)
    body = browser.find(".pair .body")
    assert body.value_of_css_property("direction") == "rtl"
    assert body.value_of_css_property("text-align") == "start"
    tokens = browser.find_all("[data-text=p] .token")
    assert tokens[0].get_attribute("aria-label") == "שלום, in a match of 2 tokens, reference 1"
    browser.driver.execute_script("arguments[0].focus()", tokens[0])
    tokens[0].send_keys(Keys.ARROW_LEFT)
    assert browser.driver.switch_to.active_element == tokens[1]


def test_nothing_is_cut_off_at_200_percent(browser: Page) -> None:
    # As the browser lays a window of 1280 × 720 out at 200%.
    size = {"width": 640, "height": 360, "deviceScaleFactor": 2, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    try:
        for open_tab in TABS:
            open_tab(browser)
            assert browser.driver.execute_script(script) <= 0, open_tab.__name__
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_motion_is_reduced(browser: Page) -> None:
    feature = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    try:
        script = """
            const line = document.querySelector("#explain-panel .busy");
            return [getComputedStyle(line, "::after").animationName,
                getComputedStyle(document.querySelector(".tile")).transitionDuration];
        """
        browser.find(".tile")
        assert browser.driver.execute_script(script)[0] == "none"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_ten_users_at_once_have_their_own_scores(address: str, metric: Any) -> None:
    client_module = require("gradio_client")

    def ask(user: int) -> list[Any]:
        client = client_module.Client(address, verbose=False)
        return [
            client.predict(f"{PREDICTION} {user} {n}", [REFERENCE], api_name="/score_pair")[
                "scores"
            ]
            for n in range(5)
        ]

    with ThreadPoolExecutor(10) as threads:
        found = list(threads.map(ask, range(10)))
    for user, scores in enumerate(found):
        for n, one in enumerate(scores):
            expected = metric.compute(
                predictions=[f"{PREDICTION} {user} {n}"], references=[REFERENCE], detailed=True
            )
            assert one == json.loads(json.dumps(expected))


def test_the_footer_says_which_kernel_counts(browser: Page) -> None:
    from bleu_rouge_metric.counting.kernels import current_kernel

    word = {"native": "compiled", "python": "Python"}[current_kernel()]
    assert f"The {word} kernel" in browser.find(".kernel").text
