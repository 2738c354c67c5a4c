"""The tab EXPLAIN A PAIR in a real browser."""

import json
from typing import Any

import evaluate

from ..support.browser import Page
from ..support.pages import PREDICTION, REFERENCE

TILES = "#explain-tiles .n"
DIGITS = "#explain-scores .digits"
BODIES = "#explain-scores .pair .body"


def type_pair(browser: Page, prediction: str, *references: str) -> None:
    """Replace the texts; the boxes of further references are emptied."""
    browser.fill("explain-prediction", prediction)
    for place in range(1, 6):
        boxes = browser.find_all(f"#explain-reference-{place} textarea")
        if place <= len(references):
            if not boxes[0].is_displayed():
                browser.click("#explain-references .add")
            browser.fill(f"explain-reference-{place}", references[place - 1])
        elif boxes[0].is_displayed():
            browser.fill(f"explain-reference-{place}", "")


def expect_scores(browser: Page, scores: dict[str, Any]) -> None:
    """Wait until the page shows the scores of the metric: every digit, and the tiles."""
    browser.expect(lambda: json.loads(browser.read_hidden(DIGITS) or "null"), scores)
    values = [scores["bleu"]] if "bleu" in scores else []
    values += [part["fmeasure"] for name, part in scores.items() if name.startswith("rouge")]
    browser.expect(
        lambda: [tile.text for tile in browser.find_all(TILES)],
        [f"{value:.4f}" for value in values],
    )


def read_y(browser: Page, css: str) -> tuple[float, float]:
    """The top and the bottom of a visible element in the window."""
    script = "const box = arguments[0].getBoundingClientRect(); return [box.top, box.bottom]"
    top, bottom = browser.driver.execute_script(script, browser.find(css))
    return top, bottom


def expect_example(browser: Page) -> None:
    """Wait until the page has scored its example, so that nothing is typed before.

    The scores of a second window have been missing once, for no reason that was found: the page is
    loaded again if they are.
    """
    from selenium.common.exceptions import TimeoutException

    try:
        browser.find(TILES)
    except TimeoutException:
        browser.driver.refresh()
        browser.find(TILES)


def test_the_page_opens_with_an_example_whose_bleu_is_above_0(browser: Page) -> None:
    assert float(browser.find(TILES).text) > 0


def test_a_typed_pair_is_scored_without_a_click(browser: Page, metric: evaluate.Metric) -> None:
    type_pair(browser, PREDICTION, REFERENCE)
    scores = metric.compute(predictions=[PREDICTION], references=[REFERENCE], detailed=True)
    assert scores["rouge1"]["precision"] == 3 / 7
    expect_scores(browser, scores)
    browser.expect(lambda: browser.read_state("explain"), "new")


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
    browser.choose("explain-max-order", "2")
    browser.choose("explain-smooth", "add-one")
    browser.choose("explain-bleu-tokenizer", "char")
    browser.choose("explain-rouge-types", "rouge3")
    browser.choose("explain-use-stemmer", "Porter")
    options: dict[str, Any] = {
        "max_order": 2,
        "smooth": True,
        "bleu_tokenizer": "char",
        "rouge_types": ["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge3"],
        "use_stemmer": True,
        "detailed": True,
    }
    scores = metric.compute(predictions=[prediction], references=[references], **options)
    expect_scores(browser, scores)
    browser.click("#explain-tiles .tile:nth-of-type(6)")
    browser.expect(lambda: browser.find("#explain-scores h2").text, "How ROUGE-3 is computed")
    # A reference whose box is emptied does not count, and its box is hidden.
    type_pair(browser, prediction, references[0])
    browser.find("#explain-prediction textarea").click()
    scores = metric.compute(predictions=[prediction], references=references[:1], **options)
    expect_scores(browser, scores)
    assert not browser.find_all("#explain-reference-2")[0].is_displayed()


def test_an_empty_prediction_is_scored_and_an_empty_reference_is_not(browser: Page) -> None:
    type_pair(browser, "", REFERENCE)
    browser.expect(lambda: browser.find(TILES).text, "0.0000")
    browser.fill("explain-reference-1", "")
    message = "Reference 1 is empty; type a text."
    browser.expect(lambda: browser.read_message("explain"), message)
    # Old scores are not shown with the message, and the message is not shown with new scores.
    browser.wait_for(lambda: not browser.find_all("#explain-results .tile"))
    type_pair(browser, PREDICTION, PREDICTION)
    browser.expect(lambda: browser.find(TILES).text, "1.0000")
    browser.expect(lambda: browser.read_message("explain"), "")


def test_an_example_fills_the_page(browser: Page, metric: evaluate.Metric) -> None:
    browser.click(".bar .end button:nth-of-type(5)")
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


def test_everything_but_the_arithmetic_is_on_a_laptop(laptop: Page) -> None:
    laptop.expect(lambda: laptop.read_state("explain"), "new")
    bottoms = [read_y(laptop, css)[1] for css in (".tiles", ".pair", ".legend")]
    assert bottoms == sorted(bottoms)
    assert bottoms[0] < 560
    assert bottoms[-1] < 720
    assert read_y(laptop, "#explain-prediction")[1] <= read_y(laptop, ".tiles")[0]


def test_the_counts_are_those_of_the_metric(browser: Page, metric: evaluate.Metric) -> None:
    prediction = "the cat sat on the mat with the cat"
    references = ["the cat is on the mat", "there is a cat with the dog"]
    type_pair(browser, prediction, *references)
    scores = metric.compute(predictions=[prediction], references=[references], detailed=True)
    expect_scores(browser, scores)
    notes = [note.text for note in browser.find_all(".product .p small:last-child")]
    counts = [note.split(" of ") for note in notes[:4]]
    assert [int(count) / int(total) for count, total in counts] == scores["precisions"]
    assert notes[4].startswith(f"{scores['translation_length']} tokens, ")
    browser.click("#explain-scores summary")
    for name, match, total, expected, *_ in browser.read_table("#explain-scores .rouge"):
        found = scores[name.replace("ROUGE-", "rouge")]
        assert int(match) / int(total) == found["precision"]
        assert int(match) / int(expected) == found["recall"]


def read_lit(browser: Page) -> list[str]:
    """The words that are lit, text by text."""
    script = """
        return [...document.querySelectorAll(arguments[0])].map((text) =>
            [...text.querySelectorAll(".token.lit")].map((one) => one.textContent).join(" "));
    """
    found: list[str] = browser.driver.execute_script(script, BODIES)
    return found


def read_blocks(browser: Page, style: str) -> list[list[str]]:
    """The blocks of a style, text by text."""
    script = """
        return [...document.querySelectorAll(arguments[0])].map((text) =>
            [...text.querySelectorAll(arguments[1])].map((one) => one.textContent));
    """
    found: list[list[str]] = browser.driver.execute_script(script, BODIES, style)
    return found


def test_neighbours_are_one_block_and_clipped_words_are_outside(browser: Page) -> None:
    browser.expect(
        lambda: read_blocks(browser, ".g4"),
        [["ferry leaves the island for the mainland"]] * 2 + [[]],
    )
    assert read_blocks(browser, ".cl") == [["the"], [], []]
    assert read_blocks(browser, ".g1") == [["noon", "."], ["noon", "."], ["."]]
    assert read_blocks(browser, ".g3") == [[], [], ["leaves the island"]]
    # The second reference has no longest match of the prediction.
    pale = [body.get_attribute("class") for body in browser.find_all(BODIES)]
    assert pale == ["body", "body", "body pale"]
    names = [one.get_attribute("aria-label") for one in browser.find_all(".token")]
    assert names[:3] == [
        "noon, in a match of 1 token, reference 1",
        "the, matched but not counted, in a match of 1 token, reference 1",
        "ferry, in a match of 7 tokens, reference 1",
    ]


def test_pointing_focus_and_arrows_light_what_matches(browser: Page) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    type_pair(browser, "a red boat and a blue boat", "a blue boat is near a red car")
    browser.wait_for(lambda: "car" in browser.find("#explain-scores .pair").text)
    browser.expect(
        lambda: [one.text for one in browser.find_all("[data-text=p] .token")],
        ["a", "red", "boat", "a", "blue", "boat"],
    )
    tokens = browser.find_all("[data-text=p] .token")
    ActionChains(browser.driver).move_to_element(tokens[4]).perform()
    assert read_lit(browser) == ["a blue boat", "a blue boat"]
    ActionChains(browser.driver).move_to_element(browser.find("h1")).perform()
    assert read_lit(browser) == ["", ""]
    # One stop of the Tab key for each text, and arrows inside.
    assert [one.get_attribute("tabindex") for one in tokens] == ["0", *["-1"] * 5]
    browser.driver.execute_script("arguments[0].focus()", tokens[0])
    assert read_lit(browser) == ["a red", "a red"]
    tokens[0].send_keys(Keys.END)
    active = browser.driver.switch_to.active_element
    assert active == tokens[5]
    active.send_keys(Keys.ARROW_LEFT)
    assert browser.driver.switch_to.active_element == tokens[4]
    assert read_lit(browser) == ["a blue boat", "a blue boat"]
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    inside = browser.driver.switch_to.active_element
    assert inside.get_attribute("aria-label") == "a, in a match of 3 tokens, prediction"


def test_repeated_words_are_not_counted(browser: Page) -> None:
    type_pair(browser, "tea tea tea", "tea with milk")
    browser.expect(lambda: read_blocks(browser, ".cl"), [["tea", "tea"], []])
    assert read_blocks(browser, ".g1") == [["tea"], ["tea"]]


def test_a_tile_chooses_its_view(browser: Page) -> None:
    type_pair(browser, "the cat sat on a mat", "a cat was on the mat")
    browser.wait_for(lambda: "was" in browser.find("#explain-scores .pair").text)
    browser.click("#explain-tiles .tile:nth-of-type(4)")
    browser.expect(lambda: read_blocks(browser, ".g"), [["cat", "on", "mat"]] * 2)
    selected = browser.find("#explain-choice [aria-pressed=true]").text
    assert selected == "Longest subsequence"
    browser.wait_for(lambda: browser.find("#explain-scores h2").text == "How ROUGE-L is computed")
    assert browser.find(".tile[aria-pressed=true] b").text == "ROUGE-L"
    # So does the control.
    browser.click("#explain-choice .segment:nth-of-type(3)")
    browser.expect(lambda: browser.find(".tile[aria-pressed=true] b").text, "ROUGE-2")


def test_several_references_are_explained_as_they_are_combined(browser: Page) -> None:
    type_pair(browser, "the cat sat", "a dog sat", "the cat ran")
    browser.click("#explain-choice .segment:nth-of-type(2)")
    browser.wait_for(lambda: "harmonic mean of both" in browser.find("#explain-scores").text)
    browser.choose("explain-profile", "lin2004")
    browser.wait_for(lambda: "Each reference is left out" in browser.find("#explain-scores").text)
    assert "harmonic mean" not in browser.find("#explain-scores").text
    browser.choose("explain-profile", "rouge-1.5.5")
    browser.wait_for(lambda: "of all references together" in browser.find("#explain-scores").text)
    # An empty box between others does not count, which is said.
    browser.choose("explain-profile", "hf")
    browser.click(".references .add")
    browser.fill("explain-reference-3", "the cat sat down")
    browser.paste("explain-reference-2", "")
    note = "Reference 2 below is the text of the box Reference 3."
    browser.wait_for(lambda: note in browser.find("#explain-scores").text)


def test_a_text_without_a_match_has_no_smoothed_score(browser: Page) -> None:
    type_pair(browser, "Yes.", "no never")
    browser.wait_for(
        lambda: "smoothed sentence 0.0000" in browser.find("#explain-tiles .tile small").text
    )


def test_the_reference_to_compare_can_be_chosen(browser: Page) -> None:
    type_pair(browser, "the cat sat", "a dog sat", "the cat ran")
    browser.click("#explain-choice .segment:nth-of-type(2)")
    pale = lambda: [body.get_attribute("class") for body in browser.find_all(BODIES)]  # noqa: E731
    browser.expect(pale, ["body", "body pale", "body"])
    browser.click("#explain-scores .name button")
    browser.expect(pale, ["body", "body", "body pale"])


def test_the_profile_and_the_language_choose_the_numbers(
    browser: Page, metric: evaluate.Metric
) -> None:
    prediction, reference = "der Hund lief über die Brücke", "ein Hund lief über eine Brücke"
    type_pair(browser, prediction, reference)
    browser.choose("explain-language", "German")
    expect_scores(
        browser,
        metric.compute(
            predictions=[prediction], references=[[reference]], language="de", detailed=True
        ),
    )
    browser.choose("explain-profile", "sacrebleu")
    scores = metric.compute(
        predictions=[prediction], references=[[reference]], profile="sacrebleu", language="de"
    )
    browser.expect(lambda: json.loads(browser.read_hidden(DIGITS) or "0"), scores)
    browser.expect(
        lambda: [tile.text for tile in browser.find_all(TILES)], [f"{scores['score']:.2f}"]
    )
    # The link has them.
    link = browser.driver.current_url
    browser.driver.get("about:blank")
    browser.driver.get(link)
    browser.expect(lambda: json.loads(browser.read_hidden(DIGITS) or "0"), scores)


def test_why_bleu_is_0_is_said(browser: Page) -> None:
    browser.click(".bar .end button:nth-of-type(5)")
    warning = browser.find("#explain-scores .warning")
    assert warning.text.startswith("BLEU is 0: no 4-gram of the prediction occurs in a reference;")
    assert "exp(1 - 8/6) = 0.7165" in browser.find("#explain-scores").text
    # The remedy is a button.
    browser.click("#explain-scores .repair")
    browser.wait_for(lambda: float(browser.find(TILES).text) > 0)


def test_the_warning_for_cyrillic_comes_with_its_remedy(browser: Page) -> None:
    browser.click(".bar .end button:nth-of-type(4)")
    browser.wait_for(
        lambda: "The 'rouge' tokenizer leaves nothing" in browser.find("#explain-scores").text
    )
    button = browser.find("#explain-scores .repair[data-set*=rouge-tokenizer]")
    assert button.text == "ROUGE tokenizer: unicode"
    button.click()
    browser.wait_for(lambda: float(browser.find_all(TILES)[1].text) > 0)
    assert "leaves nothing" not in browser.find("#explain-scores").text


def test_long_texts_are_scored_and_not_explained(browser: Page, metric: evaluate.Metric) -> None:
    text = "The ferry leaves the island at noon. " * 200
    browser.paste("explain-prediction", text)
    browser.expect(
        lambda: browser.find("#explain-scores .note").text,
        "The texts have 7,490 characters, so they are only scored; texts of up to 6,000 "
        "characters are also explained.",
    )
    references = [
        "The ferry leaves the island for the mainland at noon.",
        "The boat leaves the island at twelve.",
    ]
    scores = metric.compute(predictions=[text], references=[references], detailed=True)
    assert browser.find(TILES).text == f"{scores['bleu']:.4f}"
