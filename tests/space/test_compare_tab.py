"""The tab COMPARE SYSTEMS in a real browser, and the functions behind it."""

import csv
import html
import io
import json
import re
import shlex
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Scorer, compare_buckets, compare_systems, ngram_differences
from bleu_rouge_metric.analysis.system_words import describe_difference

from ..conftest import require
from ..support.browser import Page
from ..support.commands import invoke
from ..support.pages import OPTIONS, wait_for_file
from ..support.sample_writers import write_lines
from ..support.system_files import NEW, OLD, REFERENCES, SYSTEMS, TOPICS

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
    browser.find("#compare-said .matrix")


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
        "clusters": None,
        "groups": None,
        "design": {},
        "options": OPTIONS,
        **keywords,
    }
    inputs = [given[name] for name in ("columns", "column", "clusters", "groups")]
    files = [list(map(str, paths)), list(map(str, references))]
    design = tab.Design(**given["design"])
    return tab.show_systems(*files, *inputs, *design, *given["options"])


def test_the_findings_and_files_are_those_of_the_library(
    browser: Page, tmp_path: Path, downloads: Path
) -> None:
    compare(browser, write_table(tmp_path))
    comparison = compare_systems(SYSTEMS, REFERENCES, rouge_types=TYPES)
    said = browser.find("#compare-said").text
    assert "systems.csv, columns old, new against reference" in said
    assert browser.find(".say").text == "Better than old: new on every score."
    assert comparison.signature() in browser.find("#compare-commands").text
    cells = browser.find_all("#compare-said .matrix tbody tr:nth-of-type(2) td")
    for row, cell in zip(comparison.rows[1::2], cells, strict=True):
        value, delta = cell.text.replace("−", "-").split("\n")
        assert value.replace(" ", "") == f"{row.value:.3f}better"
        assert delta == f"{row.delta:+.3f} [{row.delta_low:+.3f}, {row.delta_high:+.3f}]"
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
        return [float(head.rpartition(" ")[2].replace("−", "-")) for head in heads]

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
        f"{rouge1(MIXED['old'][3], REFERENCES[3]):.3f}",
    )


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
    assert caption.endswith("sentence BLEU (smoothed: one is added to every order), new minus old")
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

    # The first cell is the BLEU of words12, which is not clear.
    browser.click("#compare-charts .call [data-set]")
    sentence = "To find a difference of 0.016 BLEU on a scale of 0 to 1 between words12 and first"
    browser.wait_for(lambda: sentence in browser.find("#compare-details").text)
    browser.click("#compare-more label:has(input[value='order of n-grams'])")
    title = "F-measure by order of n-grams"
    browser.wait_for(lambda: title in browser.find("#compare-details").text)
    # They belong to the cell.
    browser.click("#compare-said tr:nth-of-type(3) [data-cell]")
    browser.expect(lambda: browser.find("#compare-details").text, "")
    assert not browser.find_all("#compare-more label.selected")


def test_details_are_those_of_the_library(tab: Any, tmp_path: Path) -> None:
    from space.scores import Choices

    path = write_table(tmp_path)
    sources = [[str(path)], [], ["old", "new"], "reference", None, None]
    inputs = [*sources, *tab.Design(test="bootstrap"), *Choices(profile="sacrebleu")]

    def show(kind: str) -> str:
        return str(tab.show_details('["bleu", "new"]', kind, *inputs))

    own: dict[str, Any] = {"profile": "sacrebleu", "test": "bootstrap"}
    for kind, by in (("length of the reference", "length"), ("frequency of words", "frequency")):
        found = compare_buckets(SYSTEMS, REFERENCES, by=by, **own)
        assert found._repr_html_() in show(kind)
    listed = ngram_differences(SYSTEMS, REFERENCES, profile="sacrebleu")
    assert listed._repr_html_() in show("single n-grams")
    assert "This comparison has 8 samples; expected at least 20" in show("samples needed")
    assert tab.show_details("", None, *inputs) == ""
    assert "Click Compare" in tab.show_details('["rouge9", "x"]', "samples needed", *inputs)


@pytest.mark.parametrize("profile", ["hf", "xlsum", "rouge-1.5.5"])
def test_the_command_makes_the_same_comparison(
    tab: Any,
    tmp_path: Path,
    own_folder: None,  # noqa: ARG001
    profile: str,
) -> None:
    from space.scores import Choices

    comma = '"old", 1'
    table = {comma: NEW, "new": OLD, "reference": REFERENCES, "topic": TOPICS}
    path = tmp_path / "s.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([table, *zip(*table.values(), strict=True)])
    written = tab.Design("new", "bootstrap", 0, 50, "holm", "greater")
    cases: list[Any] = [
        (
            [path],
            {"columns": [comma, "new"], "clusters": "topic"},
            written,
            {"language": "hi", "use_stemmer": "no", "rouge_types": ["rouge1", "rougeL"]},
        ),
        ([path], {"columns": ["new", comma], "groups": "topic"}, tab.Design(), {}),
    ]
    texts = {"a.txt": OLD, "b.txt": NEW, "r.txt": REFERENCES}
    for name, lines in texts.items():
        write_lines(name, lines)
    first, second, third = map(Path, texts)
    cases.append(([first, second], {"references": (third,)}, tab.Design(), {"max_order": 2}))
    for given, sources, design, options in cases:
        choices = Choices(profile=profile)._replace(**options)
        keywords = {"design": design._asdict(), "options": choices}
        *_, commands, _, _, kept = call(tab, *given, **sources, **keywords)
        command = html.unescape(re.findall("<pre>(bleu-rouge .*?)</pre>", commands)[0])
        _, *arguments = shlex.split(command)
        result = invoke(*arguments, "--format", "json")
        assert result.exit_code == 0
        assert json.loads(result.stdout) == json.loads(kept["files"]["json"])


def test_the_profile_chooses_scale_and_files(
    browser: Page, tmp_path: Path, downloads: Path
) -> None:
    browser.click("#compare-tab-button")
    browser.choose("compare-profile", "sacrebleu")
    compare(browser, write_table(tmp_path))
    comparison = compare_systems(SYSTEMS, REFERENCES, profile="sacrebleu")
    values = [one.text for one in browser.find_all("#compare-said .value")]
    assert values == [f"{row.value:.1f}" for row in comparison.rows]
    assert comparison.signature() in browser.find("#compare-commands").text
    browser.click("#compare-save-json")
    assert json.loads(wait_for_file(downloads / "comparison.json")) == json.loads(
        json.dumps(comparison.to_dict())
    )


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
        message, columns, reference, baseline, *labels = tab.show_columns([str(path)])
        assert (message.value, columns.value) == ("", ["old", "new"])
        assert (reference.value, baseline.value) == ("reference", None)
        assert [label.value for label in labels] == [None, None]
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
    said, *_ = call(
        tab, *paths, references=(tmp_path / "references.txt",), design={"baseline": "new"}
    )
    assert "Worse than <bdi>new</bdi>: <b><bdi>old</bdi></b> on every score." in said
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
        ({"design": {"baseline": "x"}}, "The baseline is 'x'; expected one of 'old', 'new'."),
        (
            {"design": {"seed": -1}},
            "seed is -1; expected an int from 0 to 4294967295, or None to draw one.",
        ),
        (
            {"design": {"n_resamples": 0}},
            "n_resamples is 0; expected an int from 1 to 1,000,000.",
        ),
    ],
)
def test_what_is_wrong_is_said(
    tab: Any, tmp_path: Path, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(tab.InputError) as caught:
        call(tab, write_table(tmp_path), **keywords)
    assert str(caught.value) == message


def test_the_test_is_that_of_the_command(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    with path.open("w", newline="") as file:
        rows = zip(*SYSTEMS.values(), REFERENCES, TOPICS, ["x", "y"] * 4, strict=True)
        csv.writer(file).writerows([("old", "new", "reference", "topic", "part"), *rows])
    design: dict[str, Any] = {
        "test": "bootstrap",
        "seed": 3,
        "n_resamples": 200,
        "correction": "holm",
        "alternative": "greater",
    }
    *_, kept = call(tab, path, clusters="topic", groups="part", design=design)
    comparison = compare_systems(
        SYSTEMS,
        REFERENCES,
        clusters=TOPICS,
        groups=["x", "y"] * 4,
        rouge_types=TYPES[:2],
        **design,
    )
    assert json.loads(kept["files"]["json"]) == json.loads(json.dumps(comparison.to_dict()))


def test_several_tables_and_no_files_are_refused(tab: Any, tmp_path: Path) -> None:
    with pytest.raises(tab.InputError, match=r"^There is no file yet; upload one table"):
        call(tab)
    with pytest.raises(tab.InputError, match=r"^b\.csv is one of several files; expected one"):
        call(tab, tmp_path / "a.txt", tmp_path / "b.csv")
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{")
    message, *menus = tab.show_columns([str(bad)])
    assert "bad.jsonl, line 1: the JSON object does not end in its line" in message.value
    assert [menu.value for menu in menus] == [None] * 5
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
