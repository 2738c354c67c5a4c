"""What the tabs show: the numbers of the library, its marks, messages, files and reports."""

import csv
import html
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from bleu_rouge_metric import compare_profiles, compare_systems, explain, load
from bleu_rouge_metric.analysis.wording import name_score, write_value
from bleu_rouge_metric.families.rouge.rules import DEFAULT_ROUGE_TYPES

from ..conftest import require
from ..support.errors import call_wrongly, read_errors
from ..support.system_files import NEW, OLD, REFERENCES, SYSTEMS, TOPICS, write_table

require("gradio")
from space import systems_view  # noqa: E402
from space.explain import mark_text, show_pair, show_profiles  # noqa: E402
from space.html import write_score  # noqa: E402
from space.options import (  # noqa: E402
    OFFERED,
    PAGE_LANGUAGES,
    PAGE_PROFILES,
    Choices,
    InputError,
    write_message,
)
from space.samples import EXAMPLES, Files, read_texts  # noqa: E402
from space.systems import score_files  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PREDICTION = "The ferry goes at noon; the ferry returns <b>today</b>."
OTHERS = ["The ferry leaves the island at noon.", "At noon, a ferry goes to the island."]
PAIR = {"prediction": PREDICTION, "references": OTHERS}
METRIC = load()


def show(**values: Any) -> str:
    return show_pair({**PAIR, **values})["explain-results"]


def read_tiles(shown: str) -> dict[str, str]:
    return dict(re.findall(r'<b>([\w-]+)</b><span class="n">([\d.]+)', shown))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"profile": "sacrebleu", "smooth": "add-k"},
        {"profile": "nltk", "max_order": 2},
        {"profile": "rouge-1.5.5"},
        {"profile": "lin2004"},
        {"profile": "rouge_score", "rouge_types": ["rouge3", "rougeL"], "use_stemmer": True},
        {"language": "fr"},
        {"language": "ar", "smooth": "exp"},
        {"sentence_splitter": "pysbd", "rouge_tokenizer": "unicode", "effective_order": True},
    ],
)
def test_the_tiles_have_the_scores_of_the_metric(options: dict[str, Any]) -> None:
    shown = show(**options)
    scores: Any = METRIC.compute(predictions=[PREDICTION], references=[OTHERS], **options)
    scale = 100 if options.get("profile") == "sacrebleu" else 1
    expected = {}
    if "bleu" in scores or "score" in scores:
        expected["BLEU"] = write_score(scores.get("bleu", scores.get("score")), scale)
    for name in scores:
        if name.startswith("rouge"):
            value = scores[name]["fmeasure"] if isinstance(scores[name], dict) else scores[name]
            expected[name_score(name)] = write_score(value)
    assert read_tiles(shown) == expected
    assert "<b>today" not in shown
    # "The same in Python" gives these scores.
    (code,) = re.findall(r"<pre>(import .*?)</pre>", shown, re.DOTALL)
    space: dict[str, Any] = {}
    exec(html.unescape(code).replace("metric.compute(", "found = metric.compute("), space)
    assert space["found"] == scores


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_no_language_hides_a_score(language: str) -> None:
    shown = show(language=language)
    # If a package is missing, the warning says which, and only the tiles of ROUGE are missing.
    assert len(read_tiles(shown)) == 5 or ("BLEU" in read_tiles(shown) and "pip install" in shown)
    assert "hf" in show_profiles({**PAIR, "language": language})["profiles-results"]


def test_a_stemmer_that_is_missing_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleu_rouge_metric.text.xlsum import xlsum_stems

    class Words:
        def words(self, _: str) -> list[str]:
            raise LookupError("stopwords")

    monkeypatch.setattr("nltk.stem.snowball.stopwords", Words())
    xlsum_stems.cache_clear()
    with pytest.raises(InputError, match="not installed") as caught:
        Choices.read({"profile": "xlsum", "language": "fr"})
    shown = write_message(caught.value.args[0], "error")
    assert 'data-set="{&quot;use_stemmer&quot;: false}"' in shown
    choices = Choices.read({"profile": "xlsum", "language": "fr", "use_stemmer": False})
    assert choices.changes == {"profile": "xlsum", "language": "fr", "use_stemmer": False}
    xlsum_stems.cache_clear()


@pytest.mark.parametrize("view", ["bleu", "rouge1", "rouge2", "rougeL", "rougeLsum"])
def test_the_marks_are_those_of_explain(view: str) -> None:
    found = explain(PREDICTION, OTHERS)
    shown = show(view=view)
    texts: list[Any] = ["prediction", 0, 1]
    bodies = re.findall(r'<div class="body[^>]*>(.*?)</div>', shown)
    for text, body in zip(texts, bodies, strict=True):
        given = PREDICTION if text == "prediction" else OTHERS[text]
        spans = found.spans(text, view)
        assert body == mark_text(given, spans)
        marked = "".join(re.findall(r'<span class="(?:g|cl)[^>]*>(.*?)</span>', body))
        expected = "".join(given[span.start : span.end] for span in spans)
        assert html.unescape(marked).replace(" ", "") == expected.replace(" ", "")
        assert html.unescape(re.sub("<[^>]*>", "", body)) == given


def test_texts_are_marked_in_any_script() -> None:
    texts = {"prediction": "قطة على السجادة \ud800", "references": ["قطة على السرير"]}
    shown = show_pair({**texts, "language": "ar"})["explain-results"]
    assert 'dir="auto"><span class="g' in shown
    shown.encode()


def test_the_reference_that_is_compared_is_chosen() -> None:
    assert 'aria-pressed="true" data-key="shown-0"' in show(view="rouge1")
    assert 'aria-pressed="true" data-key="shown-1"' in show(view="rouge1", shown="2")


def test_a_long_text_is_only_scored() -> None:
    shown = show(prediction="a " * 4_000)
    assert "texts of up to 6,000 characters are also explained." in shown
    assert len(read_tiles(shown)) == 5


@pytest.mark.parametrize(("call", "error"), read_errors(Path(__file__).with_name("errors.txt")))
def test_errors(call: str, error: str, tmp_path: Path) -> None:
    def read(name: str, content: str) -> None:
        (tmp_path / name).write_text(content)
        read_texts(Files([str(tmp_path / name)], []))

    names = {"read": read, "show": show, "json": json, "EXAMPLES": EXAMPLES}
    names |= {"Choices": Choices, "Files": Files, "read_texts": read_texts}
    assert call_wrongly(call, names) == error


def test_a_warning_names_controls_and_sets_them() -> None:
    shown = show(prediction="The ferry goes.", references=OTHERS[:1])
    assert "use Smoothing of BLEU: exp, or Longest n-gram of BLEU: " in shown
    assert 'data-set="{&quot;smooth&quot;: &quot;exp&quot;}"' in shown


def test_options_without_an_effect_are_left_out() -> None:
    given = {"profile": "sacrebleu", "use_stemmer": True, "smooth": "exp", "max_order": 4}
    assert Choices.read(given).changes == {"profile": "sacrebleu"}


def test_profiles_have_the_scores_of_the_library_on_one_scale() -> None:
    values = {"prediction": "the cat sat on the mat", "references": ["the cat sat on a mat today"]}
    shown = show_profiles(values)["profiles-results"]
    types = [*DEFAULT_ROUGE_TYPES]
    found = compare_profiles([values["prediction"]], [values["references"]], rouge_types=types)
    for profile, scores in found.scores.items():
        (row,) = re.findall(rf'<tr><th scope="row">{re.escape(profile)}[ <].*?</tr>', shown)
        cells = re.findall(r"\d\.\d{4}", row.partition("</th>")[2])
        percent = 100 if profile in ("sacrebleu", "codexglue") else 1
        expected = [v / percent if n == "bleu" else v for n, v in scores.items()]
        assert sorted(cells) == sorted(map(write_score, expected))
        assert ("#explain=" in row) == (profile in PAGE_PROFILES)
        for name, value in scores.items():
            own = found.scores["hf"].get(name)
            shown_value = write_score(value / (percent if name == "bleu" else 1))
            if own is not None:
                assert (f"<mark>{shown_value}" in row) == (write_score(own) != shown_value)
    steps = html.unescape(" ".join(re.findall(r"<li>(.*?)</li>", shown)))
    assert all(float(number) <= 1 for number in re.findall(r"(?<=: )[\d.]+(?= →)", steps))
    assert "BLEU:" in steps


def test_lessons_are_true() -> None:
    """Every number of a lesson is that of the library for the inputs of its link."""
    learn = (ROOT / "space/learn.html").read_text("utf-8")
    assert "<script" not in learn
    links = re.findall(r'#explain=([^"]+)"', learn)
    assert len(links) == 6
    for lesson, link in zip(learn.split("<article>")[1:], links, strict=False):
        values = json.loads(unquote(link))
        shown = show_pair(values)["explain-results"]
        for line in re.findall(r'dir="auto">(.*?)</div>', lesson, re.DOTALL):
            assert line in shown
        for number in re.findall(r"= ([01]\.\d{4})|BLEU ([01]\.\d{4})|-L ([01]\.\d{4})", lesson):
            assert "".join(number) in shown
        for token in re.findall(r"<li>(.*?)</li>", lesson):
            assert f"<li>{token}</li>" in shown


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = write_table(tmp_path_factory.mktemp("systems"), clusters=TOPICS, groups=TOPICS)
    labels = {"clusters": "clusters", "groups": "groups"}
    files = Files([str(path)], [], ["old", "new"], "reference", labels)
    return score_files(files, {"n_resamples": "500", "seed": "7", "correction": "bonferroni"})


def test_a_comparison_is_that_of_the_library(compared: Any) -> None:
    options: dict[str, Any] = {"n_resamples": 500, "seed": 7, "correction": "bonferroni"}
    options |= {"clusters": TOPICS, "groups": TOPICS}
    expected = compare_systems(SYSTEMS, REFERENCES, **options)
    assert compared.comparison.to_dict() == expected.to_dict()
    assert compared.comparison.signature() == expected.signature()
    shown = systems_view.show_result(compared)
    for row in expected.rows:
        assert write_value(row._replace(low=None), 4) in shown
    assert "<h3><bdi>news</bdi> (3 samples)</h3>" in shown
    assert "bleu-rouge compare systems.csv --system-columns old,new" in html.unescape(shown)
    for name in SYSTEMS:
        each = METRIC.compute(
            predictions=SYSTEMS[name], references=REFERENCES, use_aggregator=False
        )
        assert compared.columns[name]["rougeL"].tolist() == each["rougeL"]


def test_signs_and_digits_agree_wherever_a_number_is_shown(compared: Any) -> None:
    shown = systems_view.show_result(compared)
    for row in compared.comparison.rows:
        if row.delta is not None:
            delta = systems_view._write_delta(row, 4)
            cell = systems_view.show_cell(compared, row.score, row.system)
            assert f"{delta}</span>" in shown
            assert f"{delta}, " in cell
    assert "\u2212" not in shown


@pytest.mark.parametrize("score", ["bleu", "rouge1"])
def test_samples_are_the_largest_differences_first(compared: Any, score: str) -> None:
    deltas = compared.list_scores(score, "new") - compared.list_scores(score, "old")
    wins = {
        "all": range(len(deltas)),
        "system": [i for i, delta in enumerate(deltas) if delta > 0],
        "baseline": [i for i, delta in enumerate(deltas) if delta < 0],
        "ties": [i for i, delta in enumerate(deltas) if delta == 0],
    }
    for winner, indices in wins.items():
        shown = systems_view.show_rows(compared, score, "new", winner=winner, most=100)
        rows = [int(row) - 1 for row in re.findall(r"row (\d+) ·", shown)]
        assert sorted(rows) == sorted(indices)
        sizes = [abs(deltas[row]) for row in rows]
        assert sizes == sorted(sizes, reverse=True)
    found = systems_view.show_rows(compared, score, "new", search=REFERENCES[3].upper())
    assert "row 4 ·" in found
    assert "No sample." in systems_view.show_rows(compared, score, "new", search="nowhere")
    (link, *_) = re.findall(r'#explain=([^"]+)"', systems_view.show_rows(compared, score, "new"))
    values = json.loads(unquote(link))
    assert values["prediction"] in OLD
    assert values["view"] == score


def test_files_to_save(compared: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(systems_view.write_file(compared, "csv"))))
    assert [float(row["new_rougeL"]) for row in rows] == compared.columns["new"]["rougeL"].tolist()
    smoothed = [float(row["old_smoothed_sentence_bleu"]) for row in rows]
    assert smoothed == compared.bleu["old"].tolist()
    content = json.loads(systems_view.write_file(compared, "json"))
    assert content == compared.comparison.to_dict()
    assert systems_view.write_file(compared, "latex").startswith(compared.comparison.to_latex())
    report = systems_view.write_file(compared, "html")
    assert "<button" not in report
    assert "<script" not in report
    assert report.count('<figure class="chart">') == 3 * 5


def test_one_system_has_scores_histogram_and_lowest_samples() -> None:
    files = Files([str(EXAMPLES / "samples.jsonl")], [])
    texts = read_texts(files)
    result = score_files(files, {})
    ((_, predictions),) = texts.predictions.items()
    scores: Any = METRIC.compute(predictions=predictions, references=texts.references)
    shown = systems_view.show_result(result)
    tiles = read_tiles(shown)
    assert tiles["BLEU"] == write_score(scores["bleu"])
    assert tiles["ROUGE-L"] == write_score(scores["rougeL"])
    assert shown.count('<figure class="chart">') == 5
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', shown)
    means = [sum(map(float, re.findall(r"<td>([\d.]+)</td>", row))) for row in rows]
    assert means == sorted(means)
    assert "bleu-rouge score" in shown
    each = json.loads(systems_view.write_file(result, "json"))
    assert each["scores"]["bleu"] == scores["bleu"]
    assert "<table" in systems_view.write_file(result, "html")


def test_a_table_of_many_rows_shows_the_first_thousand(tmp_path: Path) -> None:
    lines = "".join(f"the cat sat {row}\tthe cat sat\n" for row in range(10_000))
    path = tmp_path / "many.tsv"
    path.write_text(f"prediction\treference\n{lines}")
    shown = systems_view.show_result(score_files(Files([str(path)], []), {}))
    assert shown.count("<tr>") == 1 + 1_000
    assert "1,000 of 10,000 samples." in shown
    assert len(shown) < 700_000
    path.write_text(f"prediction\treference\n{lines}a\tb\n")
    with pytest.raises(InputError, match="There are 10,001 rows; this page scores up to 10,000"):
        read_texts(Files([str(path)], []))


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"prediction;reference\na;b\n", "s.csv is read with the delimiter ';'."),
        ("prediction,reference\na,b\n".encode("utf-16"),
         "s.csv is read with the encoding 'utf-16'."),
    ],
)  # fmt: skip
def test_an_unusual_file_is_read_as_its_beginning_shows(
    tmp_path: Path, content: bytes, note: str
) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(content)
    texts = read_texts(Files([str(path)], []))
    assert (texts.predictions, texts.references) == ({"prediction": ["a"]}, [["b"]])
    assert texts.warnings == [note]


def test_systems_are_files_of_lines_or_columns(tmp_path: Path) -> None:
    for name, lines in {**SYSTEMS, "gold": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines))
    paths = [str(tmp_path / f"{name}.txt") for name in SYSTEMS]
    texts = read_texts(Files(paths, [str(tmp_path / "gold.txt")]))
    assert texts.predictions == {"old": OLD, "new": NEW}
    assert texts.source == "old.txt, new.txt with gold.txt"
    assert texts.arguments == ["old.txt", "new.txt", "--references", "gold.txt"]


def test_every_value_that_is_offered_is_taken() -> None:
    for name, values in OFFERED.items():
        for value in values:
            Choices.read({name: [value] if name == "rouge_types" else value})
