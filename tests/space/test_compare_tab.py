"""The tab Compare in a real browser."""

import csv
import io
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.analysis.results import describe_difference

from ..support.browser import Page
from ..support.pages import wait_for_file
from ..support.system_files import NEW, OLD, REFERENCES, SYSTEMS, write_table

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

# Each is better in half of the samples.
MIXED = {
    "old": [(old, new)[place % 2] for place, (old, new) in enumerate(zip(OLD, NEW, strict=True))],
    "new": [(new, old)[place % 2] for place, (old, new) in enumerate(zip(OLD, NEW, strict=True))],
}


def compare(browser: Page, path: Path) -> None:
    browser.click("#compare-tab-button")
    browser.upload("compare-upload", path)
    browser.wait_for(lambda: "old" in browser.find("#compare-columns").text)
    browser.click("#compare-score")
    browser.find("#compare-said .matrix")


def test_the_findings_and_files_are_those_of_the_library(
    browser: Page, tmp_path: Path, downloads: Path
) -> None:
    compare(browser, write_table(tmp_path))
    comparison = compare_systems(SYSTEMS, REFERENCES, rouge_types=TYPES, correction="holm")
    said = browser.find("#compare-said").text
    assert "systems.csv, columns old, new against reference" in said
    assert browser.find(".say").text == (
        "Better than old: new on every score. (p corrected with Holm's method over 5 tests)"
    )
    assert comparison.signature() in browser.find("#compare-commands").text
    cells = browser.find_all("#compare-said .matrix tbody tr:nth-of-type(2) td")
    for row, cell in zip(comparison.rows[1::2], cells, strict=True):
        value, delta = cell.text.split("\n")
        assert value.replace(" ", "") == f"{row.value:.4f}better"
        assert delta == f"{row.delta:+.4f} [{row.delta_low:+.4f}, {row.delta_high:+.4f}]"
    # A click on a cell explains it.
    for row, cell in zip(comparison.rows[1::2], cells, strict=True):
        cell.find_element("css selector", "button").click()
        sentence = describe_difference(row, comparison)
        browser.wait_for(partial(lambda text: text in browser.find(".call").text, sentence))

    browser.click("#compare-save-json")
    assert json.loads(wait_for_file(downloads / "comparison.json")) == json.loads(
        json.dumps(comparison.to_dict())
    )
    browser.click("#compare-save-latex")
    latex = wait_for_file(downloads / "comparison.tex")
    assert latex == f"{comparison.to_latex()}\n% {comparison.signature()}\n"
    browser.click("#compare-save-html")
    report = wait_for_file(downloads / "comparison.html")
    assert comparison.signature().replace("'", "&#x27;") in report
    assert report.count("<svg") == 3 * len(comparison.scores)
    assert "<script" not in report
    browser.click("#compare-save-csv")
    saved = list(csv.DictReader(io.StringIO(wait_for_file(downloads / "samples.csv"))))
    for name, predictions in SYSTEMS.items():
        scorer = Scorer(rouge_types=TYPES)
        scorer.update(predictions, REFERENCES)
        each: Any = scorer.result(use_aggregator=False, sentence_bleu=True)
        for score in ("sentence_bleu", *TYPES):
            assert [float(one[f"{name}_{score}"]) for one in saved] == each[score]


def _is_in_window(read: Callable[[], dict[str, float]]) -> bool:
    box = read()
    return 0 <= box["top"] < box["bottom"] <= 720


def test_the_result_is_in_the_window(laptop: Page, tmp_path: Path) -> None:
    compare(laptop, write_table(tmp_path))
    script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
    for css in (".say", ".matrix"):
        read = partial(laptop.driver.execute_script, script, css)
        laptop.expect(partial(_is_in_window, read), expected=True)


def test_samples_are_filtered_searched_and_explained(browser: Page, tmp_path: Path) -> None:
    compare(browser, write_table(tmp_path, systems=MIXED))
    browser.find_all("#compare-said .cell")[1].click()  # ROUGE-1
    comparison = compare_systems(MIXED, REFERENCES, rouge_types=TYPES)
    row = next(one for one in comparison.rows if one.score == "rouge1" and one.system == "new")
    labels = [f"all {len(REFERENCES)}", f"old wins {row.losses}", f"new wins {row.wins}"]
    labels.append(f"ties {row.ties}")
    shown = lambda: [one.text for one in browser.find_all("#compare-winner label")]  # noqa: E731
    browser.expect(shown, labels)

    def read_deltas() -> list[float]:
        heads = [one.text for one in browser.find_all("#compare-rows .row")]
        return [float(head.rpartition(" ")[2]) for head in heads]

    browser.wait_for(lambda: len(read_deltas()) == len(REFERENCES))
    found = read_deltas()
    assert sorted(found, key=abs, reverse=True) == found
    assert min(found) < 0 < max(found)
    browser.click("#compare-winner label:nth-of-type(2)")
    browser.wait_for(lambda: len(read_deltas()) == row.losses)
    assert max(read_deltas()) < 0
    # What one output has and the other has not is strong.
    assert browser.find_all("#compare-rows .pair b")
    browser.click("#compare-winner label:nth-of-type(1)")
    browser.fill("compare-search", REFERENCES[3].upper())
    browser.wait_for(lambda: len(read_deltas()) == 1)
    assert REFERENCES[3] in browser.find("#compare-rows").text
    browser.click("#compare-rows .link")
    browser.find("#explain-tab")
    box = browser.find("#explain-prediction textarea")
    browser.expect(lambda: box.get_property("value"), MIXED["old"][3])
    browser.expect(
        lambda: [one.text for one in browser.find_all("#explain-tiles .n")][1],
        f"{rouge1(MIXED['old'][3], REFERENCES[3]):.4f}",
    )


def test_a_new_comparison_shows_all_samples_from_the_start(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    lines = [f"word {number},word {number} x,other {number}" for number in range(25)]
    path.write_text("\n".join(["reference,old,new", *lines]))
    compare(browser, path)

    def count_rows() -> int:
        return len(browser.find_all("#compare-rows .row"))

    browser.expect(count_rows, 10)
    browser.click("#compare-rows .act")
    browser.expect(count_rows, 20)
    browser.fill("compare-search", "word 2")
    browser.expect(count_rows, 6)
    browser.choose("compare-profile", "sacrebleu")
    browser.click("#compare-score")
    browser.expect(lambda: browser.read_state("compare"), "new")
    browser.expect(count_rows, 10)
    search = browser.find("#compare-search textarea, #compare-search input")
    assert search.get_property("value") == ""
    browser.click("#compare-rows .act")
    browser.expect(count_rows, 20)
    # A number out of range is said in words.
    browser.click("#compare-design button")
    for name, number, message in (
        ("resamples", "0", "Resamples is 0; expected an int from 1 to 1,000,000."),
        ("seed", "-1", "Seed is -1; expected an int from 0 to 4294967295."),
    ):
        browser.fill(f"compare-{name}", number)
        browser.click("#compare-score")
        browser.expect(partial(browser.read_message, "compare"), message)
        browser.fill(f"compare-{name}", "5")


def test_more_of_a_comparison_is_of_its_inputs(browser: Page, tmp_path: Path) -> None:
    compare(browser, write_table(tmp_path, systems=MIXED))
    labels = [one.text for one in browser.find_all("#compare-winner label")]
    numbers = [one.text for one in browser.find_all("#compare-rows .row")]
    # Neither another profile nor another file is compared yet.
    browser.choose("compare-profile", "sacrebleu")
    folder = tmp_path / "other"
    folder.mkdir()
    browser.upload("compare-upload", write_table(folder, systems={"old": NEW, "new": OLD}))
    browser.click("#compare-winner label:nth-of-type(3)")
    won = sorted(text for text in numbers if "-" not in text and " 0.0000" not in text)
    browser.expect(lambda: sorted(one.text for one in browser.find_all("#compare-rows .row")), won)
    assert [one.text for one in browser.find_all("#compare-winner label")] == labels


def test_wins_are_those_of_the_samples_below(browser: Page, tmp_path: Path) -> None:
    compare(browser, write_table(tmp_path, systems=MIXED))
    wins, ties, losses = re.findall(
        r"it wins (\d+) samples, ties (\d+) and loses (\d+)", browser.find("#compare-charts").text
    )[0]
    labels = [one.text for one in browser.find_all("#compare-winner label")]
    assert labels[1:] == [f"old wins {losses}", f"new wins {wins}", f"ties {ties}"]


def rouge1(prediction: str, reference: str) -> float:
    scorer = Scorer(rouge_types=["rouge1"])
    scorer.update([prediction], [reference])
    scores: Any = scorer.result()
    return float(scores["rouge1"])


def test_the_charts_show_every_sample(browser: Page, tmp_path: Path) -> None:
    compare(browser, write_table(tmp_path))
    counts = [int(bar.rpartition(" ")[2]) for bar in browser.read_bars("#compare-charts")]
    assert sum(counts) == len(REFERENCES)
    caption = browser.find_all("#compare-charts figcaption")[1].text
    assert caption.endswith(
        "sentence BLEU (smoothed: one is added to the orders above 1), new minus old"
    )
    heights = {chart.rect["height"] for chart in browser.find_all("#compare-charts .chart")}
    assert len(heights) == 1
    points = browser.find_all("#compare-charts .point title")
    names = [str(point.get_property("textContent")).partition(":")[0] for point in points]
    assert names == list(SYSTEMS)
    path = browser.find_all("#compare-charts .points")[0].get_attribute("d")
    assert 0 < path.count("M") <= len(REFERENCES)


def test_the_example_is_compared(browser: Page) -> None:
    browser.click("#compare-tab-button")
    browser.click("#compare-example")
    browser.wait_for(lambda: "words15" in browser.find("#compare-columns").text)
    browser.click("#compare-score")
    said = browser.find(".say").text
    assert said.startswith("Worse than first: words15 on every score but ROUGE-1;")
    # The remedy of the warning is offered.
    assert browser.find("#compare-said .repair").text == "Sentences of ROUGE-Lsum: pysbd"
    browser.click("#compare-said .ranks summary")
    ranks = browser.find("#compare-said .ranks").text
    assert "Test of all pairs: approximate randomization" in ranks
    assert "BLEU: 2 of 3 pairs differ at the level 5%" in ranks


def test_the_profile_chooses_scale_and_files(
    browser: Page, tmp_path: Path, downloads: Path
) -> None:
    browser.click("#compare-tab-button")
    browser.choose("compare-profile", "sacrebleu")
    compare(browser, write_table(tmp_path))
    comparison = compare_systems(SYSTEMS, REFERENCES, profile="sacrebleu", correction="holm")
    values = [one.text for one in browser.find_all("#compare-said .value")]
    assert values == [f"{row.value:.2f}" for row in comparison.rows]
    assert comparison.signature() in browser.find("#compare-commands").text
    browser.click("#compare-save-json")
    assert json.loads(wait_for_file(downloads / "comparison.json")) == json.loads(
        json.dumps(comparison.to_dict())
    )
