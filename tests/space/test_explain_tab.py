"""The tab EXPLAIN A PAIR in a real browser."""

import json
from typing import Any

import evaluate

from ..support.browser import Page
from ..support.pages import PREDICTION, REFERENCE, bleu_table, rouge_table


def type_pair(browser: Page, prediction: str, *references: str) -> None:
    browser.fill("explain-prediction", prediction)
    browser.click(f"#explain-count input[value='{len(references)}']")
    for place, reference in enumerate(references, start=1):
        browser.fill(f"explain-reference-{place}", reference)


def expect_scores(browser: Page, scores: dict[str, Any]) -> None:
    browser.expect_table("#explain-scores .bleu", bleu_table(scores))
    browser.expect_table("#explain-scores .rouge", rouge_table(scores))


def test_the_page_opens_with_an_example_whose_bleu_is_above_0(browser: Page) -> None:
    browser.wait_for(lambda: browser.read_table("#explain-scores .bleu"))
    assert float(browser.read_table("#explain-scores .bleu")[0][1]) > 0


def test_a_typed_pair_is_scored_without_a_click(browser: Page, metric: evaluate.Metric) -> None:
    type_pair(browser, PREDICTION, REFERENCE)
    scores = metric.compute(predictions=[PREDICTION], references=[REFERENCE], detailed=True)
    assert scores["rouge1"]["precision"] == 3 / 7
    expect_scores(browser, scores)
    browser.expect(lambda: browser.read_state("explain"), "new")
    assert json.loads(browser.read_hidden("#explain-scores pre")) == scores


def test_a_paste_is_scored(browser: Page, metric: evaluate.Metric) -> None:
    from selenium.webdriver.common.keys import Keys

    type_pair(browser, PREDICTION, REFERENCE)
    box = browser.find("#explain-reference-1 textarea")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(Keys.CONTROL, "c")
    box = browser.find("#explain-prediction textarea")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(Keys.CONTROL, "v")
    scores = metric.compute(predictions=[REFERENCE], references=[REFERENCE], detailed=True)
    expect_scores(browser, scores)


def test_a_second_reference_and_the_options_count(browser: Page, metric: evaluate.Metric) -> None:
    prediction = "The runners were running.\nThey ran on."
    references = ["They ran on.\nA runner runs.", "Runners running, they ran on and on."]
    type_pair(browser, prediction, *references)
    browser.click("#explain-options button")
    browser.fill("explain-max-order", "2")
    browser.click("#explain-smooth input")
    browser.choose("explain-bleu-tokenizer", "char")
    browser.choose("explain-rouge-types", "rouge3")
    browser.click("#explain-use-stemmer input")
    scores = metric.compute(
        predictions=[prediction],
        references=[references],
        max_order=2,
        smooth=True,
        bleu_tokenizer="char",
        rouge_types=["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge3"],
        use_stemmer=True,
        detailed=True,
    )
    expect_scores(browser, scores)
    # After going back to one reference, the second one is hidden and does not count.
    browser.click("#explain-count input[value='1']")
    browser.wait_for(
        lambda: not [box for box in browser.find_all("#explain-reference-2") if box.is_displayed()]
    )


def test_an_empty_prediction_is_scored_and_an_empty_reference_is_not(browser: Page) -> None:
    type_pair(browser, "", REFERENCE)
    browser.expect(lambda: browser.read_table("#explain-scores .bleu")[:1], [["BLEU", "0.0000"]])
    browser.fill("explain-reference-1", "")
    message = "Reference 1 is empty; type a text, or choose fewer references."
    browser.expect(lambda: browser.read_message("explain"), message)
    # Old scores are not shown with the message, and the message is not shown with new scores.
    browser.wait_for(lambda: not browser.read_table("#explain-scores .bleu"))
    type_pair(browser, PREDICTION, PREDICTION)
    browser.expect(lambda: browser.read_table("#explain-scores .bleu")[:1], [["BLEU", "1.0000"]])
    browser.expect(lambda: browser.read_message("explain"), "")


def test_an_example_fills_the_page(browser: Page, metric: evaluate.Metric) -> None:
    browser.click("#explain-examples button:nth-of-type(5)")
    scores = metric.compute(
        predictions=["The ferry goes at noon."],
        references=["The ferry leaves the island at noon."],
        detailed=True,
    )
    expect_scores(browser, scores)


def test_a_link_brings_the_inputs_back(browser: Page, metric: evaluate.Metric) -> None:
    prediction = '"<b>Ünïcode</b>" = 100% & more # yes'
    type_pair(browser, prediction, REFERENCE, prediction)
    expect_scores(
        browser,
        metric.compute(
            predictions=[prediction], references=[[REFERENCE, prediction]], detailed=True
        ),
    )
    link = browser.driver.current_url
    browser.driver.get("about:blank")
    browser.driver.get(link)
    box = browser.find("#explain-prediction textarea")
    browser.expect(lambda: box.get_property("value"), prediction)
    scores = metric.compute(
        predictions=[prediction], references=[[REFERENCE, prediction]], detailed=True
    )
    expect_scores(browser, scores)


def test_two_sessions_at_once_have_their_own_scores(
    browser: Page, address: str, metric: evaluate.Metric
) -> None:
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("window")
    second = browser.driver.current_window_handle
    browser.driver.get(address)
    pairs = {first: (PREDICTION, REFERENCE), second: ("One two three four five.", "One two five.")}
    for window, (prediction, reference) in pairs.items():
        browser.driver.switch_to.window(window)
        type_pair(browser, prediction, reference)
    for window, (prediction, reference) in pairs.items():
        browser.driver.switch_to.window(window)
        scores = metric.compute(predictions=[prediction], references=[reference], detailed=True)
        expect_scores(browser, scores)
    browser.driver.close()
    browser.driver.switch_to.window(first)
