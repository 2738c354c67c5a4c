"""The page of ``app.py`` in a real browser, from the repository and from a built Space."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evaluate
import pytest

from ..conftest import ROOT, require
from ..support.browser import Page, open_chromium, serve_page
from ..support.pages import PREDICTION, REFERENCE, SAMPLES, bleu_table, rouge_table, write_samples


@pytest.fixture(scope="module", params=["repository", "space"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    require("gradio")
    home = tmp_path_factory.mktemp("home")
    script = ROOT / "app.py"
    if request.param == "space":
        space = home / "space"
        build = [sys.executable, str(ROOT / "scripts" / "build_space.py"), str(space)]
        subprocess.run(build, check=True, cwd=home)
        script = space / "app.py"
    with serve_page(script, home) as address:
        yield address


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def page(
    address: str, driver: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    driver.get(address)
    yield Page(driver)
    folder = Path(os.environ.get("SCREENSHOT_DIR") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(folder / f"{request.node.name}.png"))


def type_pair(page: Page, prediction: str, *references: str) -> None:
    page.fill("pair-prediction", prediction)
    page.click(f"#pair-count input[value='{len(references)}']")
    for place, reference in enumerate(references, start=1):
        page.fill(f"pair-reference-{place}", reference)


def expect_scores(page: Page, tab: str, scores: dict[str, Any]) -> None:
    page.expect_table(f"{tab}-bleu", bleu_table(scores))
    page.expect_table(f"{tab}-rouge", rouge_table(scores))


def test_a_typed_pair_is_scored(page: Page, metric: evaluate.Metric) -> None:
    type_pair(page, PREDICTION, REFERENCE)
    page.click("#pair-score")
    scores = metric.compute(predictions=[PREDICTION], references=[REFERENCE], detailed=True)
    assert scores["rouge1"]["precision"] == 3 / 7
    expect_scores(page, "pair", scores)
    page.click("#pair-digits button")
    page.expect(lambda: json.loads(page.read_code("pair-json") or "0"), scores)


def test_a_second_reference_and_the_options_count(page: Page, metric: evaluate.Metric) -> None:
    prediction = "The runners were running.\nThey ran on."
    references = ["They ran on.\nA runner runs.", "Runners running, they ran on and on."]
    type_pair(page, prediction, *references)
    page.click("#pair-options button")
    page.fill("pair-max-order", "2")
    page.click("#pair-smooth input")
    page.choose("pair-bleu-tokenizer", "char")
    page.choose("pair-rouge-types", "rouge3")
    page.click("#pair-use-stemmer input")
    page.click("#pair-score")
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
    expect_scores(page, "pair", scores)
    # After going back to one reference, the second one is hidden and does not count.
    page.click("#pair-count input[value='1']")
    page.wait_for(lambda: not page.find_all("#pair-reference-2"))


def test_an_empty_prediction_is_scored_and_an_empty_reference_is_not(page: Page) -> None:
    type_pair(page, "", REFERENCE)
    page.click("#pair-score")
    page.expect(lambda: page.read_table("pair-bleu")[:1], [["BLEU", "0.0000"]])
    type_pair(page, PREDICTION, REFERENCE, "")
    page.click("#pair-score")
    message = "Reference 2 is empty; type a text, or choose fewer references."
    page.expect(lambda: page.read_message("pair"), message)
    # Old scores are not shown with the message, and the message is not shown with new scores.
    page.wait_for(lambda: not page.read_table("pair-bleu"))
    page.fill("pair-reference-2", PREDICTION)
    page.click("#pair-score")
    page.expect(lambda: page.read_table("pair-bleu")[:1], [["BLEU", "1.0000"]])
    page.expect(lambda: page.read_message("pair"), "")


def test_examples_fill_the_page(page: Page, metric: evaluate.Metric) -> None:
    page.find("#pair-examples")
    page.click("#pair-examples button:nth-of-type(2)")
    page.expect(
        lambda: page.find("#pair-reference-2 textarea").get_property("value")[:8], "The boat"
    )
    page.click("#pair-score")
    prediction = "The ferry leaves the island at noon."
    references = [
        "At noon the ferry leaves for the mainland.",
        "The boat leaves the island at twelve.",
    ]
    scores = metric.compute(predictions=[prediction], references=[references], detailed=True)
    expect_scores(page, "pair", scores)


def test_a_file_is_scored(page: Page, tmp_path: Path, metric: evaluate.Metric) -> None:
    page.click("#file-tab-button")
    page.upload("file-upload", write_samples(tmp_path, ".csv"))
    page.click("#file-score")
    predictions = [prediction for prediction, _ in SAMPLES]
    references = [references for _, references in SAMPLES]
    scores = metric.compute(predictions=predictions, references=references, detailed=True)
    expect_scores(page, "file", scores)
    each = metric.compute(
        predictions=predictions, references=references, use_aggregator=False, sentence_bleu=True
    )
    names = ("sentence_bleu", "rouge1", "rouge2", "rougeL", "rougeLsum")
    rows = [
        [str(place + 1), predictions[place], *(f"{each[name][place]:.4f}" for name in names)]
        for place in range(len(SAMPLES))
    ]
    page.expect_table("file-samples", rows)
    assert page.find("#file-heading").text == "Scores of 3 samples"

    def read_counts() -> list[str]:
        return [bar.rpartition(" ")[2] for bar in page.read_bars("file-histogram")]

    # rouge1 of the three is 6/13, 6/7 and 0; rouge2 is 2/11, 5/6 and 0.
    page.expect(read_counts, list("1000100010"))
    assert page.read_bars("file-histogram")[4] == "Score of a sample: 0.4–0.5; Samples: 1"
    page.choose("file-shown", "rouge2")
    page.expect(read_counts, list("1100000010"))


def test_a_bad_file_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    page.click("#file-tab-button")
    page.click("#file-score")
    message = (
        "There is no file yet; upload one whose name ends in .csv, .tsv, .jsonl, .json, "
        ".parquet, .txt first."
    )
    page.expect(lambda: page.read_message("file"), message)

    path = tmp_path / "bad.jsonl"
    path.write_text('{"<b>output</b>": "a", "reference": "a"}\n')
    page.upload("file-upload", path)
    page.click("#file-score")
    message = (
        "bad.jsonl has no column 'prediction'; it has '<b>output</b>', 'reference'. Write the "
        "names of your columns into the boxes above."
    )
    page.expect(lambda: page.read_message("file"), message)
    page.fill("file-prediction-column", "<b>output</b>")
    page.click("#file-score")
    page.expect(lambda: [row[:2] for row in page.read_table("file-samples")], [["1", "a"]])


def expect_no_results(page: Page, tab: str) -> None:
    page.wait_for(lambda: not page.find_all(f"#{tab}-bleu, #{tab}-message"))


def test_results_never_stand_beside_other_inputs(page: Page, tmp_path: Path) -> None:
    def score_pair() -> None:
        page.click("#pair-score")
        page.wait_for(lambda: page.read_table("pair-bleu"))

    type_pair(page, PREDICTION, REFERENCE)
    score_pair()
    page.fill("pair-reference-1", "Another text")
    expect_no_results(page, "pair")
    score_pair()
    page.click("#pair-options button")
    page.click("#pair-smooth input")
    expect_no_results(page, "pair")
    page.fill("pair-reference-1", "")
    page.click("#pair-score")
    page.wait_for(lambda: page.read_message("pair"))
    page.fill("pair-reference-1", "b")
    expect_no_results(page, "pair")

    page.click("#file-tab-button")
    page.upload("file-upload", write_samples(tmp_path, ".csv"))
    page.click("#file-score")
    page.wait_for(lambda: page.read_table("file-bleu"))
    other = tmp_path / "other.csv"
    other.write_text("prediction,reference\n" + f"{PREDICTION},{REFERENCE}\n" * 10_000)
    page.upload("file-upload", other)
    expect_no_results(page, "file")
    # If an input changes during scoring, the scores are not shown.
    page.click("#file-score")
    page.fill("file-prediction-column", "summary")
    time.sleep(8)
    expect_no_results(page, "file")
    page.click("#file-score")
    message = "other.csv has no column 'summary'; it has 'prediction', 'reference'. Write the "
    page.expect(
        lambda: page.read_message("file"), message + "names of your columns into the boxes above."
    )
    assert not page.find_all("#file-bleu")


def test_text_files_are_scored_and_warnings_are_shown(page: Page, tmp_path: Path) -> None:
    predictions, references = tmp_path / "predictions.txt", tmp_path / "references.txt"
    predictions.write_text("Привет\nthe cat\n")
    references.write_text("мир\nthe cat\n")
    page.click("#file-tab-button")
    page.upload("file-upload", predictions)
    page.upload("file-references", references)
    page.click("#file-score")
    page.expect(lambda: page.find("#file-heading").text, "Scores of 2 samples")
    warning = page.find("#file-warnings textarea").get_property("value")
    assert warning.startswith("The 'rouge' tokenizer leaves nothing")
    page.fill("file-reference-column", "unused")
    expect_no_results(page, "file")


def test_two_sessions_at_once_have_their_own_scores(page: Page, metric: evaluate.Metric) -> None:
    first = page.driver.current_window_handle
    address = page.driver.current_url
    page.driver.switch_to.new_window("window")
    second = page.driver.current_window_handle
    page.driver.get(address)
    pairs = {first: (PREDICTION, REFERENCE), second: ("One two three four five.", "One two five.")}
    for window, (prediction, reference) in pairs.items():
        page.driver.switch_to.window(window)
        type_pair(page, prediction, reference)
    for window in pairs:
        page.driver.switch_to.window(window)
        page.click("#pair-score")
    for window, (prediction, reference) in pairs.items():
        page.driver.switch_to.window(window)
        scores = metric.compute(predictions=[prediction], references=[reference], detailed=True)
        expect_scores(page, "pair", scores)
    page.driver.close()
    page.driver.switch_to.window(first)


def test_the_page_asks_no_other_host(page: Page) -> None:
    page.find("#pair-score")
    script = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    asked = page.driver.execute_script(script)
    assert asked
    # A "data:" address holds its own content.
    own = (page.driver.current_url, "data:")
    assert [name for name in asked if not name.startswith(own)] == []
