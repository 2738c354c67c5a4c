"""The tab FILE in a real browser."""

import csv
import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import evaluate
import pytest

from ..support.browser import Page
from ..support.pages import (
    PREDICTION,
    REFERENCE,
    SAMPLES,
    wait_for_file,
    write_samples,
)

NAMES = ("sentence_bleu", "rouge1", "rouge2", "rougeL", "rougeLsum")
TEXTS: dict[str, Any] = {
    "predictions": [prediction for prediction, _ in SAMPLES],
    "references": [references for _, references in SAMPLES],
}


def score_file(browser: Page, path: Path, *references: Path) -> None:
    browser.click("#file-tab-button")
    browser.upload("file-upload", path)
    for reference in references:
        browser.upload("file-references", reference)
    browser.click("#file-score")


def fill_column(browser: Page, name: str) -> None:
    """Write the name of a column that need not be in the menu."""
    from selenium.webdriver.common.keys import Keys

    browser.fill("file-prediction-column", name)
    browser.find("#file-prediction-column input").send_keys(Keys.ENTER)


def test_a_file_is_scored(browser: Page, tmp_path: Path, metric: evaluate.Metric) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))
    scores = metric.compute(**TEXTS, detailed=True)
    values = [scores["bleu"], *(scores[name]["fmeasure"] for name in NAMES[1:])]
    browser.expect(
        lambda: [tile.text for tile in browser.find_all("#file-scores .n")],
        [f"{value:.4f}" for value in values],
    )
    assert json.loads(browser.read_hidden("#file-scores .digits")) == scores
    inputs = "samples.csv, columns prediction and reference: 3 samples"
    assert browser.find("#file-scores .note").text == inputs
    each = metric.compute(**TEXTS, use_aggregator=False, sentence_bleu=True, smooth="add-k")
    rows = [
        [str(place + 1), *(f"{each[name][place]:.4f}" for name in NAMES), text]
        for place, text in enumerate(TEXTS["predictions"])
    ]
    browser.expect(lambda: browser.read_grid("file-samples"), rows)


def test_the_histogram_counts_samples_and_says_that_bleu_is_smoothed(
    browser: Page, tmp_path: Path
) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))

    def read_counts() -> list[str]:
        return [bar.rpartition(" ")[2] for bar in browser.read_bars("#file-histogram")]

    # rouge1 of the three is 6/13, 6/7 and 0; rouge2 is 2/11, 5/6 and 0.
    browser.expect(read_counts, list("1000100010"))
    assert browser.read_bars("#file-histogram")[4] == "0.40 to 0.50: 1"
    browser.choose("file-shown", "rouge2")
    browser.expect(read_counts, list("1100000010"))
    browser.choose("file-shown", "sentence BLEU (smoothed)")
    browser.expect(
        lambda: browser.find("#file-histogram figcaption").text,
        "Number of samples by their sentence BLEU (smoothed: one is added to the orders above 1)",
    )
    # Samples are whole, and so are the marks of their axis.
    marks = browser.find_all("#file-histogram text[text-anchor=end]")
    assert [mark.text for mark in marks] == ["0", "1"]


def test_the_saved_file_has_every_digit(
    browser: Page, tmp_path: Path, downloads: Path, metric: evaluate.Metric
) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))
    browser.click("#file-save")
    rows = list(csv.DictReader(wait_for_file(downloads / "scores.csv").splitlines()))
    each = metric.compute(**TEXTS, use_aggregator=False, sentence_bleu=True)
    assert [row["index"] for row in rows] == ["0", "1", "2"]
    assert {name: [float(row[name]) for row in rows] for name in NAMES} == {
        name: each[name] for name in NAMES
    }
    # The BLEU that the page shows.
    smoothed = metric.compute(**TEXTS, use_aggregator=False, sentence_bleu=True, smooth="add-k")
    found = [float(row["smoothed_sentence_bleu"]) for row in rows]
    assert found == smoothed["sentence_bleu"]


def test_the_report_needs_no_page(
    browser: Page, tmp_path: Path, downloads: Path, metric: evaluate.Metric
) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))
    browser.click("#file-save-html")
    report = wait_for_file(downloads / "scores.html")
    digits = report.partition('<pre class="digits">')[2].partition("</pre>")[0]
    assert json.loads(unescape(digits)) == metric.compute(**TEXTS, detailed=True)
    each = metric.compute(**TEXTS, use_aggregator=False, sentence_bleu=True, smooth="add-k")
    for place, text in enumerate(TEXTS["predictions"]):
        cells = [place + 1, *(f"{each[name][place]:.4f}" for name in NAMES), escape(text)]
        assert "".join(f"<td>{cell}</td>" for cell in cells) in report
    assert report.count("<svg") == len(NAMES)
    assert "samples.csv, columns prediction and reference: 3 samples" in report
    assert not {"<button", "<script", "src="} & {*re.findall(r"<\w+|src=", report)}


def test_a_bad_file_is_refused_in_words(browser: Page, tmp_path: Path) -> None:
    browser.click("#file-tab-button")
    browser.click("#file-score")
    message = (
        "There is no file yet; upload one whose name ends in .csv, .tsv, .jsonl, .json, "
        ".parquet, .txt first."
    )
    browser.expect(lambda: browser.read_message("file"), message)

    path = tmp_path / "bad.jsonl"
    path.write_text('{"<b>output</b>": "a", "reference": "a"}\n')
    browser.upload("file-upload", path)
    # The columns are guessed, and what is wrong is said with the next click.
    box = browser.find("#file-prediction-column input")
    browser.expect(lambda: box.get_property("value"), "<b>output</b>")
    fill_column(browser, "other")
    browser.click("#file-score")
    message = (
        "bad.jsonl, line 1: no column is named 'other'; name one with the menus above. Columns: "
        "'<b>output</b>', 'reference'."
    )
    browser.expect(lambda: browser.read_message("file"), message)
    fill_column(browser, "<b>output</b>")
    browser.click("#file-score")
    browser.wait_for(lambda: [row[0] for row in browser.read_grid("file-samples")] == ["1"])
    assert browser.read_message("file") == ""


def test_results_of_other_inputs_are_marked(browser: Page, tmp_path: Path) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))
    browser.expect(lambda: browser.read_state("file"), "new")
    fill_column(browser, "summary")
    browser.expect(lambda: browser.read_state("file"), "old")
    results = browser.find("#file-results")
    # Old results keep their contrast; a line beside them says that they are old.
    browser.wait_for(lambda: results.value_of_css_property("box-shadow") != "none")
    assert results.value_of_css_property("opacity") == "1"
    said = browser.find("#file-panel .state .old").text
    assert said == "The inputs have changed. The results below belong to the earlier inputs."
    # They are new again if the inputs are those of the results again.
    fill_column(browser, "prediction")
    browser.expect(lambda: browser.read_state("file"), "new")


def watch_states(browser: Page) -> None:
    """Collect the states of the tab, and whether its button is disabled."""
    browser.driver.execute_script("""
        const panel = document.getElementById("file-panel");
        const button = document.getElementById("file-score");
        window.states = [];
        new MutationObserver(
            () => window.states.push(`${panel.dataset.state}/${button.disabled}`)
        ).observe(panel, {attributeFilter: ["data-state"]});
    """)


def upload_many_rows(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("prediction,reference\n" + f"{PREDICTION},{REFERENCE}\n" * 4_000)
    browser.click("#file-tab-button")
    browser.upload("file-upload", path)


def test_a_click_is_seen_before_the_server_answers(browser: Page, tmp_path: Path) -> None:
    upload_many_rows(browser, tmp_path)
    watch_states(browser)
    browser.click("#file-score")
    browser.expect(lambda: browser.driver.execute_script("return states[0]"), "busy/false")


WITHOUT_COLUMN = (
    "other.csv, line 1: no column is named 'summary'; name one with the menus above. Columns: "
    "'prediction', 'reference'."
)


def test_a_second_click_with_the_same_inputs_asks_nothing(browser: Page, tmp_path: Path) -> None:
    upload_many_rows(browser, tmp_path)
    watch_states(browser)
    # The second click comes as soon as the first one is seen, so before the answer.
    browser.driver.execute_script("""
        const panel = document.getElementById("file-panel");
        const button = document.getElementById("file-score");
        new MutationObserver((_, observer) => {
            observer.disconnect();
            button.click();
        }).observe(panel, {attributeFilter: ["data-state"]});
        button.click();
    """)
    browser.expect(lambda: browser.driver.execute_script("return states.at(-1)"), "new/false")
    fill_column(browser, "summary")
    browser.click("#file-score")
    browser.expect(lambda: browser.read_message("file"), WITHOUT_COLUMN)
    states = browser.driver.execute_script("return states")
    assert states.count("busy/false") == 2


def test_a_click_during_a_request_is_answered_next(browser: Page, tmp_path: Path) -> None:
    upload_many_rows(browser, tmp_path)
    browser.click("#file-score")
    fill_column(browser, "summary")
    # Before or after the first answer, the click is answered with the inputs as they are now.
    browser.click("#file-score")
    browser.expect(lambda: browser.read_message("file"), WITHOUT_COLUMN)


def test_an_upload_is_read_before_it_can_be_scored(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("Output,Target\nthe cat,the cat sat\n")
    browser.click("#file-tab-button")
    watch_states(browser)
    browser.upload("file-upload", path)
    states = browser.driver.execute_script("return states")
    assert "reading/true" in states
    assert states[-1] == "new/false"
    # The columns that were guessed do not cancel the request.
    browser.click("#file-score")
    browser.expect(lambda: browser.read_state("file"), "new")
    browser.expect(
        lambda: browser.find("#file-scores .note").text,
        "few.csv, columns Output and Target: 1 sample",
    )


def test_a_vanished_upload_is_said(browser: Page, tmp_path: Path, uploads: Path) -> None:
    browser.click("#file-tab-button")
    browser.upload("file-upload", write_samples(tmp_path, ".csv"))
    for path in uploads.rglob("samples.csv"):
        path.unlink()
    browser.click("#file-score")
    message = (
        "samples.csv is no longer on the server, which keeps uploads for an hour; upload it again."
    )
    browser.expect(lambda: browser.read_message("file"), message)


def test_text_files_are_scored_and_warnings_are_shown(browser: Page, tmp_path: Path) -> None:
    predictions, references = tmp_path / "predictions.txt", tmp_path / "references.txt"
    predictions.write_text("Привет\nthe cat\n")
    references.write_text("мир\nthe cat\n")
    score_file(browser, predictions, references)
    browser.expect(
        lambda: browser.find("#file-scores .note").text,
        "predictions.txt with references.txt: 2 samples",
    )
    warning = browser.find("#file-scores .warning").text
    assert warning.startswith("The 'rouge' tokenizer leaves nothing")


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("output;target\na, b;a c\n".encode("utf-16"), "UTF-16, separated by semicolons"),
        (b"output;target\na, b;a c\n", "separated by semicolons"),
        (b"output\ttarget\na, b\ta c\n", "separated by tabs"),
    ],
)
def test_unusual_files_are_recognised(
    browser: Page, tmp_path: Path, content: bytes, note: str, metric: evaluate.Metric
) -> None:
    path = tmp_path / "unusual.csv"
    path.write_bytes(content)
    browser.click("#file-tab-button")
    browser.upload("file-upload", path)
    message = f"unusual.csv is read as {note}."
    browser.expect(lambda: browser.read_message("file"), message)
    browser.click("#file-score")
    scores = metric.compute(predictions=["a, b"], references=["a c"], detailed=True)
    browser.wait_for(lambda: browser.find_all("#file-scores .digits"))
    assert json.loads(browser.read_hidden("#file-scores .digits")) == scores


def test_an_empty_file_and_empty_cells_are_said(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.touch()
    browser.click("#file-tab-button")
    browser.upload("file-upload", path)
    message = "empty.csv is empty; expected one row or line for every sample."
    browser.expect(lambda: browser.read_message("file"), message)
    path = tmp_path / "cells.csv"
    path.write_text("prediction,reference\na,a\n,b\n")
    browser.upload("file-upload", path)
    browser.click("#file-score")
    warning = "1 of 2 predictions is empty, row 2; nothing matches an empty text."
    browser.expect(lambda: browser.find("#file-scores .warning").text, warning)


def test_columns_that_cannot_be_guessed_are_asked_for(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "three.csv"
    path.write_text("id,mine,target\n1,a,a\n")
    browser.open_tab("file")
    browser.upload("file-upload", path)
    message = "No column has a usual name: choose the column of predictions."
    browser.expect(lambda: browser.read_message("file"), message)
    browser.click("#file-score")
    message = "Choose the column of the predictions of three.csv."
    browser.expect(lambda: browser.read_message("file"), message)
    browser.choose("file-prediction-column", "mine")
    browser.click("#file-score")
    browser.expect(lambda: browser.find("#file-scores .n").text, "0.0000")
    # An empty file leaves no columns of another one behind.
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    browser.upload("file-upload", empty)
    box = browser.find("#file-prediction-column input")
    browser.expect(lambda: box.get_property("value"), "")


def test_the_example_is_scored_and_a_row_is_explained(browser: Page, tmp_path: Path) -> None:
    browser.click("#file-tab-button")
    browser.click("#file-example")
    box = browser.find("#file-reference-column input")
    browser.expect(lambda: box.get_property("value"), "references")
    browser.click("#file-score")
    browser.find("#file-scores .tile")
    browser.find("#file-samples .virtual-row:nth-of-type(2) [role=gridcell]").click()
    prediction = browser.find("#explain-prediction textarea")
    browser.wait_for(lambda: prediction.get_property("value").startswith("Heavy rain closed two"))
    # The rows are those of the scores that are shown, and so are their texts.
    browser.open_tab("file")
    browser.upload("file-upload", write_samples(tmp_path, ".csv"))
    browser.choose("file-profile", "rouge_score")
    browser.find("#file-samples .virtual-row:nth-of-type(1) [role=gridcell]").click()
    prediction = browser.find("#explain-prediction textarea")
    browser.wait_for(lambda: not prediction.get_property("value").startswith("Heavy rain"))
    assert prediction.get_property("value") != PREDICTION
    assert browser.find("#explain-profile input").get_property("value") == "hf"
