"""The tab COMPARE SYSTEMS in a real browser, and the functions behind it."""

import csv
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Scorer, compare_systems

from ..conftest import require
from ..support.browser import Page
from ..support.pages import OPTIONS, wait_for_file
from ..support.system_files import NEW, OLD, REFERENCES, SYSTEMS

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

# Each is better in half of the samples.
MIXED = {
    "old": [(old, new)[place % 2] for place, (old, new) in enumerate(zip(OLD, NEW, strict=True))],
    "new": [(new, old)[place % 2] for place, (old, new) in enumerate(zip(OLD, NEW, strict=True))],
}


def write_table(
    folder: Path, name: str = "systems.csv", systems: dict[str, list[str]] = SYSTEMS
) -> Path:
    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*systems, "reference"])
        writer.writerows(zip(*systems.values(), REFERENCES, strict=True))
    return path


def compare(browser: Page, path: Path) -> None:
    browser.click("#compare-tab-button")
    browser.upload("compare-upload", path)
    browser.wait_for(lambda: "old" in browser.find("#compare-columns").text)
    browser.click("#compare-score")
    browser.find("#compare-said table")


@pytest.fixture(scope="module")
def tab() -> Any:
    require("gradio")
    from space import compare_tab

    return compare_tab


def call(tab: Any, *paths: Path, references: tuple[Path, ...] = (), **keywords: Any) -> Any:
    """Compare as the page does; a message is raised as ``InputError``."""
    given = {
        "columns": ["old", "new"],
        "column": "reference",
        "baseline": None,
        "test": "Approximate randomization",
        "seed": 12345,
        "options": OPTIONS,
        **keywords,
    }
    inputs = [given[name] for name in ("columns", "column", "baseline", "test", "seed")]
    files = [list(map(str, paths)), list(map(str, references))]
    return tab.show_systems(*files, *inputs, *given["options"])


def test_the_findings_and_files_are_those_of_the_library(
    browser: Page, tmp_path: Path, downloads: Path
) -> None:
    compare(browser, write_table(tmp_path))
    comparison = compare_systems(SYSTEMS, REFERENCES, rouge_types=TYPES)
    said = browser.find("#compare-said").text
    for sentence in comparison.sentences():
        assert sentence in said
    assert comparison.signature() in said
    assert "systems.csv, columns old, new against reference" in said
    row = comparison.rows[1]
    cells = browser.read_table("#compare-said table")[1]
    assert cells[0] == "new"
    assert cells[1] == f"{row.value:.4f} [{row.low:.4f}, {row.high:.4f}]"

    browser.click("#compare-save-json")
    assert json.loads(wait_for_file(downloads / "comparison.json")) == json.loads(
        json.dumps(comparison.to_dict())
    )
    browser.click("#compare-save-latex")
    latex = wait_for_file(downloads / "comparison.tex")
    assert latex == f"{comparison.to_latex()}\n% {comparison.signature()}\n"
    browser.click("#compare-save-csv")
    saved = list(csv.DictReader(io.StringIO(wait_for_file(downloads / "samples.csv"))))
    for name, predictions in SYSTEMS.items():
        scorer = Scorer(rouge_types=TYPES)
        scorer.update(predictions, REFERENCES)
        each: Any = scorer.result(use_aggregator=False, sentence_bleu=True)
        for score in ("sentence_bleu", *TYPES):
            assert [float(one[f"{name}_{score}"]) for one in saved] == each[score]


def test_differences_sort_as_numbers_and_open(browser: Page, tmp_path: Path) -> None:
    compare(browser, write_table(tmp_path, systems=MIXED))
    browser.choose("compare-shown-score", "ROUGE-1")
    browser.wait_for(lambda: "ROUGE-1" in browser.find("#compare-charts b").text)

    def read_deltas() -> list[float]:
        rows = browser.read_table("#compare-charts .differences")
        return [float(row[1]) for row in rows if len(row) == 5]

    found = read_deltas()
    assert len(found) == len(REFERENCES)
    assert sorted(found, key=abs, reverse=True) == found
    head = "#compare-charts button[data-sort=delta]"
    browser.click(head)
    browser.expect(read_deltas, sorted(found, reverse=True))
    browser.click(head)
    browser.expect(read_deltas, sorted(found))
    assert min(found) < 0 < max(found)

    first = browser.read_table("#compare-charts .differences")[0]
    browser.click("#compare-charts .differences tbody button")
    texts = browser.find("#compare-charts tr[id]:not([hidden])").text
    place = int(first[0]) - 1
    for name, predictions in MIXED.items():
        assert name in texts
        assert predictions[place].split()[0] in texts
    assert browser.find_all("#compare-charts tr:not([hidden]) mark")


def test_the_charts_show_every_sample(browser: Page, tmp_path: Path) -> None:
    compare(browser, write_table(tmp_path))
    counts = [int(bar.rpartition(" ")[2]) for bar in browser.read_bars("#compare-charts")]
    assert sum(counts) == len(REFERENCES)
    caption = browser.find_all("#compare-charts figcaption")[1].text
    assert caption.endswith("sentence BLEU (smoothed: one is added to every order), new minus old")
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
    lead = browser.find("#compare-said .lead").text
    assert lead.startswith("words12 scores 0.016 BLEU less than first")


def test_the_columns_of_every_kind_of_table_are_read(tab: Any, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = {**SYSTEMS, "reference": REFERENCES}
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "s.json").write_text(json.dumps(rows))
    pq.write_table(pa.table(table), tmp_path / "s.parquet")
    write_table(tmp_path, "s.csv")
    said = set()
    for suffix in ("csv", "jsonl", "json", "parquet"):
        path = tmp_path / f"s.{suffix}"
        message, columns, reference, baseline = tab.show_columns([str(path)])
        assert (message.value, columns.value) == ("", ["old", "new"])
        assert (reference.value, baseline.value) == ("reference", None)
        said.add(call(tab, path)[0].replace(path.name, ""))
    assert len(said) == 1


def test_a_table_is_read_once_for_all_systems(
    tab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.json"
    rows = zip(*SYSTEMS.values(), REFERENCES, strict=True)
    path.write_text(
        json.dumps([dict(zip(("old", "new", "reference"), r, strict=True)) for r in rows])
    )
    programs = []
    run = subprocess.run

    def record(program: list[str], **keywords: Any) -> Any:
        programs.append(program[2:])
        return run(program, **keywords)

    monkeypatch.setattr(subprocess, "run", record)
    call(tab, path)
    columns = ["old", "new", "reference"]
    assert programs == [["space.read_apart", "s.json", json.dumps([[str(path)], columns])]]


def test_text_files_are_compared_as_in_the_command(tab: Any, tmp_path: Path) -> None:
    for name, lines in {**SYSTEMS, "references": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    paths = [tmp_path / f"{name}.txt" for name in SYSTEMS]
    said, *_ = call(tab, *paths, references=(tmp_path / "references.txt",), baseline="new")
    comparison = compare_systems(SYSTEMS, REFERENCES, baseline="new", rouge_types=TYPES[:2])
    assert comparison.sentences()[0] in said
    assert "old.txt, new.txt with references.txt" in said


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"columns": ["old"]},
            "The number of columns of systems is 1; this page compares 2 to 6 systems.",
        ),
        ({"column": None}, "Choose the column of the references."),
        (
            {"column": "old"},
            "The column 'old' holds the references; choose others for the systems.",
        ),
        ({"baseline": "x"}, "The baseline is 'x'; expected one of 'old', 'new'."),
        ({"seed": -1}, "The seed is -1; expected a whole number from 0 to 4,294,967,295."),
        ({"seed": None}, "The seed is None; expected a whole number from 0 to 4,294,967,295."),
    ],
)
def test_what_is_wrong_is_said(
    tab: Any, tmp_path: Path, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(tab.InputError) as caught:
        call(tab, write_table(tmp_path), **keywords)
    assert str(caught.value) == message


def test_several_tables_and_no_files_are_refused(tab: Any, tmp_path: Path) -> None:
    with pytest.raises(tab.InputError, match=r"^There is no file yet; upload one table"):
        call(tab)
    with pytest.raises(tab.InputError, match=r"^b\.csv is one of several files; expected one"):
        call(tab, tmp_path / "a.txt", tmp_path / "b.csv")
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{")
    message, *menus = tab.show_columns([str(bad)])
    assert "Line 1 of bad.jsonl is not valid JSON" in message.value
    assert [menu.value for menu in menus] == [None] * 3
    large = tmp_path / "large.csv"
    large.write_bytes(b"old,new,reference\n" + b" " * 20_000_000)
    message, *_ = tab.show_columns([str(large)])
    assert "large.csv has 20.0 MB; this page reads files of up to 20 MB." in message.value


def test_a_test_that_takes_too_long_is_stopped(
    tab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from space import systems

    monkeypatch.setattr(systems, "MAX_SECONDS", -1)
    path = tmp_path / "s.csv"
    rows = "".join(f"a {n % 7},b {n % 5},a b {n % 3}\n" for n in range(200))
    path.write_text(f"old,new,reference\n{rows}")
    with pytest.raises(tab.InputError, match=r"^The comparison took more than -1 seconds and"):
        call(tab, path)
