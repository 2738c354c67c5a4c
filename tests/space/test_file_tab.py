"""The tab FILE in a real browser."""

import csv
import json
import time
from pathlib import Path
from typing import Any

import evaluate

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


def test_a_file_is_scored(browser: Page, tmp_path: Path, metric: evaluate.Metric) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))
    scores = metric.compute(**TEXTS, detailed=True)
    values = [scores["bleu"], *(scores[name]["fmeasure"] for name in NAMES[1:])]
    browser.expect(
        lambda: [tile.text for tile in browser.find_all("#file-scores .n")],
        [f"{value:.3f}" for value in values],
    )
    assert json.loads(browser.read_hidden("#file-scores .digits")) == scores
    inputs = "samples.csv, columns prediction and reference: 3 samples"
    assert browser.find("#file-scores .note").text == inputs
    each = metric.compute(**TEXTS, use_aggregator=False, sentence_bleu=True, smooth=True)
    rows = [
        [str(place + 1), text, *(f"{each[name][place]:.4f}" for name in NAMES)]
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
    browser.choose("file-shown", "sentence BLEU")
    browser.expect(
        lambda: browser.find("#file-histogram figcaption").text,
        "Number of samples by their sentence BLEU (smoothed: one is added to every order)",
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
    score_file(browser, path)
    message = (
        "bad.jsonl has no column 'prediction'; it has '<b>output</b>', 'reference'. Write the "
        "names of your columns into the boxes above."
    )
    browser.expect(lambda: browser.read_message("file"), message)
    browser.fill("file-prediction-column", "<b>output</b>")
    browser.click("#file-score")
    browser.expect(lambda: [row[:2] for row in browser.read_grid("file-samples")], [["1", "a"]])
    assert browser.read_message("file") == ""


def test_results_of_other_inputs_are_marked(browser: Page, tmp_path: Path) -> None:
    score_file(browser, write_samples(tmp_path, ".csv"))
    browser.expect(lambda: browser.read_state("file"), "new")
    browser.fill("file-prediction-column", "summary")
    browser.expect(lambda: browser.read_state("file"), "old")
    results = browser.find("#file-results")
    # Old results keep their contrast; a line beside them says that they are old.
    browser.wait_for(lambda: results.value_of_css_property("box-shadow") != "none")
    assert results.value_of_css_property("opacity") == "1"
    said = browser.find("#file-panel .state .old").text
    assert said == "The inputs have changed. The results below belong to the earlier inputs."
    # They are new again if the inputs are those of the results again.
    browser.fill("file-prediction-column", "prediction")
    browser.expect(lambda: browser.read_state("file"), "new")


def test_a_click_is_seen_at_once_and_a_change_cancels_it(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("prediction,reference\n" + f"{PREDICTION},{REFERENCE}\n" * 10_000)
    browser.click("#file-tab-button")
    browser.upload("file-upload", path)
    # The time is taken in the browser: from the click to a line that is shown.
    milliseconds = browser.driver.execute_async_script("""
        const done = arguments[0], start = performance.now();
        const line = document.querySelector("#file-panel .state .busy");
        const look = () => {
            if (line.offsetParent) done(performance.now() - start); else setTimeout(look, 5);
        };
        document.querySelector("#file-score").click();
        look();
    """)
    assert milliseconds < 300
    browser.fill("file-prediction-column", "summary")
    time.sleep(5)
    assert not browser.find("#file-panel").find_elements("css selector", "#file-scores .tile")
    browser.click("#file-score")
    message = "other.csv has no column 'summary'; it has 'prediction', 'reference'. Write the "
    browser.expect(
        lambda: browser.read_message("file"),
        message + "names of your columns into the boxes above.",
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
