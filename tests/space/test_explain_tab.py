"""The tab EXPLAIN A PAIR in a real browser."""

import json
from typing import Any

import evaluate

from ..support.browser import Page
from ..support.pages import PREDICTION, REFERENCE, rouge_table

BLEU, ROUGE = "#explain-scores .bleu", "#explain-scores .rouge"
CHIPS = "#explain-scores .chips b"


def type_pair(browser: Page, prediction: str, *references: str) -> None:
    browser.fill("explain-prediction", prediction)
    browser.click(f"#explain-count input[value='{len(references)}']")
    for place, reference in enumerate(references, start=1):
        browser.fill(f"explain-reference-{place}", reference)


def expect_scores(browser: Page, scores: dict[str, Any]) -> None:
    """Wait until the page shows the scores of the metric: BLEU, its precisions, and P, R and F."""
    browser.expect(lambda: browser.find(CHIPS).text, f"{scores['bleu']:.4f}")
    precisions = [f"{precision:.4f}" for precision in scores["precisions"]]
    browser.expect(lambda: [row[-2] for row in browser.read_table(BLEU)], precisions)
    browser.expect(
        lambda: [[row[0], *row[4:7]] for row in browser.read_table(ROUGE)],
        [[name.replace("rouge", "ROUGE-"), *parts] for name, *parts in rouge_table(scores)],
    )


def expect_example(browser: Page) -> None:
    """Wait until the page has scored its example, so that nothing is typed before.

    The scores of a second window have been missing once, for no reason that was found: the page is
    loaded again if they are.
    """
    from selenium.common.exceptions import TimeoutException

    try:
        browser.find(CHIPS)
    except TimeoutException:
        browser.driver.refresh()
        browser.find(CHIPS)


def test_the_page_opens_with_an_example_whose_bleu_is_above_0(browser: Page) -> None:
    assert float(browser.find(CHIPS).text) > 0


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
    browser.expect(lambda: browser.find(CHIPS).text, "0.0000")
    browser.fill("explain-reference-1", "")
    message = "Reference 1 is empty; type a text, or choose fewer references."
    browser.expect(lambda: browser.read_message("explain"), message)
    # Old scores are not shown with the message, and the message is not shown with new scores.
    browser.wait_for(lambda: not browser.read_table(BLEU))
    type_pair(browser, PREDICTION, PREDICTION)
    browser.expect(lambda: browser.find(CHIPS).text, "1.0000")
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
    expect_example(browser)
    browser.driver.switch_to.new_window("window")
    second = browser.driver.current_window_handle
    browser.driver.get(address)
    expect_example(browser)
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


def test_the_counts_are_those_of_the_metric(browser: Page, metric: evaluate.Metric) -> None:
    prediction = "the cat sat on the mat with the cat"
    references = ["the cat is on the mat", "there is a cat with the dog"]
    type_pair(browser, prediction, *references)
    scores = metric.compute(predictions=[prediction], references=[references], detailed=True)
    expect_scores(browser, scores)
    rows = browser.read_table(BLEU)
    assert [int(row[1]) / int(row[2]) for row in rows] == scores["precisions"]
    assert int(rows[0][2]) == scores["translation_length"]
    for name, match, total, expected, *_ in browser.read_table(ROUGE):
        found = scores[name.replace("ROUGE-", "rouge")]
        assert int(match) / int(total) == found["precision"]
        assert int(match) / int(expected) == found["recall"]


def read_linked(browser: Page) -> list[str]:
    """The words that are lit, text by text."""
    script = """
        return [...document.querySelectorAll("#explain-scores .pair dd")].map((text) =>
            [...text.querySelectorAll("mark.linked")].map((mark) =>
                mark.firstChild.textContent).join(" "));
    """
    found: list[str] = browser.driver.execute_script(script)
    return found


def test_pointing_and_focus_light_what_matches(browser: Page) -> None:
    from selenium.webdriver import ActionChains

    type_pair(browser, "a red boat and a blue boat", "a blue boat is near a red car")
    browser.wait_for(lambda: "blue" in browser.find("#explain-scores .pair dd").text)
    browser.wait_for(lambda: "car" in browser.find("#explain-scores .pair").text)
    marks = browser.find_all("#explain-scores .pair dd:first-of-type mark")
    texts = [mark.text.rstrip("0123456789×\n ") for mark in marks]
    assert texts == ["a", "red", "boat", "a", "blue", "boat"]
    ActionChains(browser.driver).move_to_element(marks[4]).perform()
    assert read_linked(browser) == ["a blue boat", "a blue boat"]
    ActionChains(browser.driver).move_to_element(browser.find("h1")).perform()
    assert read_linked(browser) == ["", ""]
    browser.driver.execute_script("arguments[0].focus()", marks[1])
    assert read_linked(browser) == ["a red", "a red"]


def test_a_clipped_word_is_marked(browser: Page) -> None:
    type_pair(browser, "tea tea tea", "tea with milk")
    browser.wait_for(lambda: browser.find_all("#explain-scores mark.clipped"))
    texts = browser.find_all("#explain-scores .pair dd")
    assert [text.text.replace("\n", "") for text in texts] == ["tea1 tea× tea×", "tea1 with milk"]


def test_the_lcs_is_drawn_and_linked(browser: Page) -> None:
    type_pair(browser, "the cat sat on a mat", "a cat was on the mat")
    browser.click("#explain-view input[value=LCS]")
    browser.wait_for(lambda: len(browser.find_all(".lcs .line")) == 3)
    assert browser.find(".lcs").get_attribute("aria-label") == (
        "The longest common subsequence has 3 tokens"
    )
    marks = browser.find_all("#explain-scores .pair dd:first-of-type mark")
    assert [mark.text for mark in marks] == ["cat", "on", "mat"]
    browser.driver.execute_script("arguments[0].focus()", marks[1])
    assert read_linked(browser) == ["on", "on"]
    assert len(browser.find_all(".lcs .line.linked")) == 1


def test_the_reference_to_compare_can_be_chosen(browser: Page) -> None:
    type_pair(browser, "the cat sat", "a dog sat", "the cat ran")
    browser.click("#explain-view input[value='ROUGE-1']")
    head = "#explain-scores .pair dt:nth-of-type(2)"
    browser.expect(lambda: browser.find(head).text, "Reference 2")
    browser.choose("explain-reference", "1")
    browser.expect(lambda: browser.find(head).text, "Reference 1")


def test_why_bleu_is_0_is_said(browser: Page) -> None:
    browser.click("#explain-examples button:nth-of-type(5)")
    note = "BLEU is 0: no 4-gram of the prediction occurs in a reference."
    browser.expect(lambda: browser.find("#explain-scores .notes li").text, note)
    assert "exp(1 − 8/6) = 0.7165" in browser.find("#explain-scores").text


def test_the_warning_for_cyrillic_comes_with_its_remedy(browser: Page) -> None:
    browser.click("#explain-examples button:nth-of-type(4)")
    warning = browser.find("#explain-scores .warning").text
    assert warning.startswith("The 'rouge' tokenizer leaves nothing of the prediction")
    browser.click("#explain-unicode")
    browser.wait_for(lambda: float(browser.find_all("#explain-scores .chips b")[1].text) > 0)
    assert not browser.find_all("#explain-scores .warning")


def test_long_texts_are_scored_and_not_explained(browser: Page, metric: evaluate.Metric) -> None:
    text = "The ferry leaves the island at noon. " * 200
    browser.paste("explain-prediction", text)
    note = "One prediction, 2 references. They have 7,490 characters together, so they are only "
    browser.expect(
        lambda: browser.find("#explain-scores .inputs").text,
        note + "scored; texts of up to 6,000 characters are also explained.",
    )
    references = [
        "The ferry leaves the island for the mainland at noon.",
        "The boat leaves the island at twelve.",
    ]
    scores = metric.compute(predictions=[text], references=[references], detailed=True)
    browser.expect_table(ROUGE, rouge_table(scores))
