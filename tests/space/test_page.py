"""The functions behind the page of ``app.py``: scores of pairs and files, and messages."""

import doctest
import html
import importlib
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest

from bleu_rouge_metric import explain
from bleu_rouge_metric.analysis.wording import name_score

from ..conftest import require
from ..support.pages import (
    OPTIONS,
    PREDICTION,
    REFERENCE,
    SAMPLES,
    pair,
    read,
    score,
    write_samples,
)


def test_a_pair_has_the_scores_of_the_metric(page: Any, metric: evaluate.Metric) -> None:
    scores = metric.compute(
        predictions=[PREDICTION],
        references=[[REFERENCE, "Paris, France"]],
        rouge_types=["rouge1", "rouge2"],
        detailed=True,
    )
    scored = pair(page, PREDICTION, REFERENCE, "Paris, France")
    assert scored.together == scores
    assert scored.warnings == [
        "BLEU is 0: no 3-gram of the prediction occurs in a reference; use smooth='exp', or "
        "max_order=2."
    ]


def test_requests_share_nothing(page: Any) -> None:
    from space.scores import score_each

    texts = [" ".join(["a"] * (1 + n % 7) + ["b"] * (n % 5)) for n in range(200)]

    def score_text(text: str) -> tuple[Any, ...]:
        scored = pair(page, text, "a a b b a")
        each = score_each(scored.scorer), score_each(scored.scorer, smooth="add-k")
        return scored.together, each, scored.warnings

    alone = list(map(score_text, texts))
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(score_text, texts)) == alone


@pytest.mark.parametrize(
    ("prediction", "references", "options", "message"),
    [
        ("a", [""], {}, "Reference 1 is empty; type a text."),
        ("a", ["a", " \n"], {}, "Reference 2 is empty; type a text."),
        (
            "a" * 20_001,
            ["a"],
            {},
            "The prediction: the text has 20,001 characters; this page scores texts of up to "
            "20,000 characters.",
        ),
        (
            "a",
            ["a", "b" * 30_000],
            {},
            "Reference 2: the text has 30,000 characters; this page scores texts of up to 20,000 "
            "characters.",
        ),
        (
            "a",
            ["a"],
            {"rouge_types": []},
            "rouge_types is []; expected at least one of rouge1, rouge2, rouge3, rouge4, rouge5, "
            "rouge6, rouge7, rouge8, rouge9, rougeL, rougeLsum.",
        ),
        (
            "a",
            ["a"],
            {"use_stemmer": "Porter", "rouge_tokenizer": "13a"},
            "The stemmer works only with the ROUGE tokenizers 'rouge', 'rouge-1.5.5', 'xlsum', "
            "'korouge', 'google-adk'; choose one of them, or no stemmer.",
        ),
    ],
)
def test_what_is_wrong_with_a_pair_is_said(
    page: Any, prediction: str, references: list[str], options: dict[str, Any], message: str
) -> None:
    choices = page.Choices(*OPTIONS)._replace(**options)
    with pytest.raises(page.InputError) as caught:
        pair(page, prediction, *references, options=choices)
    assert str(caught.value) == message


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet"])
def test_a_file_of_every_kind_is_read(page: Any, tmp_path: Path, suffix: str) -> None:
    samples = read(page, write_samples(tmp_path, suffix))
    assert list(zip(*samples, strict=True)) == SAMPLES


@pytest.mark.parametrize(
    "text", ["NA", "null", "007", "2024-01-01", "[1] x", "[Music]", "true", "[["]
)
def test_a_cell_is_the_text_that_it_is(page: Any, tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(f"prediction,reference\n{text},{text}\n")
    assert read(page, path) == ([text], [[text]])


def test_a_lone_surrogate_is_scored_and_shown(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(r'{"prediction": "a \ud800", "reference": "a \ud800"}')
    from space import scores, views

    scored = score(page, path)
    each = scores.score_each(scored.scorer, smooth="add-k")
    table = views.show_samples(["a \ud800"], views.name_columns(scored), scored.choices).data
    assert table.to_numpy().tolist() == [[1, each["sentence_bleu"][0], 1.0, 0.0, "a ?"]]


@pytest.mark.parametrize(("profile", "digits"), [("hf", 4), ("sacrebleu", 2)])
def test_a_score_has_as_many_digits_in_every_view(page: Any, profile: str, digits: int) -> None:
    from space import explain_inputs, explain_tab, scores, views

    choices = scores.Choices(profile=profile)
    text, texts = "the red cat sat", ["the red cat sat down"]
    scored = page.score_texts(text, texts, choices)
    columns = views.name_columns(scored)
    (value,) = columns[next(iter(columns))]
    assert 0 < value < choices.scale
    written = f">{value:.{digits}f}</td>"
    assert written in views.show_samples([text], columns, choices).to_html()
    assert written in views.write_samples([text], columns, choices)
    boxes = [*texts, *[""] * (explain_inputs.REFERENCE_BOXES - 1)]
    tiles, _, how = explain_tab.show_pair(text, "", "", *boxes, *choices)
    assert f"sentence {value:.{digits}f}</small>" in tiles
    penalty = re.findall(r"brevity penalty (\S+)", tiles)[0]
    assert f"<b>{penalty}</b>" in how
    assert f"exp(1 - 5/4) = {penalty}" in how


def test_a_stemmer_that_is_not_there_can_be_left_out(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from space import widgets

    def fail(_: object) -> None:
        raise ImportError("The stemmer needs a list of words.")

    monkeypatch.setattr("space.scores.Scorer.from_options", fail)
    respond = widgets.for_page(lambda: pair(page, "a", "a"), 1, "explain")
    message, *_ = respond()
    shown = html.unescape(message.value)
    assert "The stemmer needs a list of words. Without it: Stemmer of ROUGE: no." in shown
    assert 'data-tab="explain" data-set="{"use-stemmer": "no"}"' in shown


@pytest.mark.parametrize(
    "name", ["hf", "rouge_score", "sacrebleu", "nltk", "xlsum", "rouge-1.5.5", "lin2004"]
)
def test_every_profile_is_explained_scored_and_compared(page: Any, name: str) -> None:
    from space import compare_tab, file_tab
    from space.explain_inputs import REFERENCE_BOXES
    from space.explain_tab import show_pair
    from space.scores import PAGE_PROFILES, score_each
    from space.systems import Design
    from space.tiles import list_views

    assert name in PAGE_PROFILES
    texts = "The ferry leaves.\nIt returns at noon.", "The ferry leaves at noon.", "It returns."
    choices = page.Choices(profile=name)
    scored = page.score_texts(texts[0], [*texts[1:]], choices)
    views = list_views(choices)
    for kind, view in views.items():
        references = [*texts[1:], *[""] * (REFERENCE_BOXES - 2)]
        tiles, _, shown = show_pair(texts[0], view, "2", *references, *choices)
        assert tiles.count("<button") == len(views)
        assert f"How {name_score(kind)} is computed" in shown
    given: dict[str, Any] = {"profile": name}
    if choices.has("rouge"):
        given["rouge_types"] = choices.rouge_types
    found: Any = explain(texts[0], texts[1:], **given)
    scores = {"sentence_bleu": found.bleu.sentence_score} if found.bleu else {}
    scores |= {kind: part.fmeasure for kind, part in found.rouge.items()}
    assert {kind: each[0] for kind, each in score_each(scored.scorer).items()} == scores

    files = [str(compare_tab.EXAMPLE)], None, ["first", "words12"], "summary", None, None
    design = Design(n_resamples=500)
    said, *_, kept = compare_tab.show_systems(*files, *design, *choices)
    assert said.count("data-cell") == len(views)
    commands = compare_tab.show_systems(*files, *design, *choices)[7]
    assert (f"--profile {name}" in commands) == (name != "hf")
    assert [*kept["charts"]] == [*views]
    _, rows = compare_tab.show_rows('["', "all", "", 10, *files, *design, *choices)
    assert "Click Compare" in rows
    source = str(file_tab.EXAMPLE), None, "prediction", "references"
    assert file_tab.show_file(*source, *choices)[0].count('class="tile"') == len(views)


@pytest.mark.parametrize(
    ("language", "tokenizer", "package", "prediction", "reference", "word"),
    [
        ("zh", "zh-jieba", "jieba", "他昨天去了北京大学", "他昨天到了北京的大学", "昨天"),
        ("ko", "ko-mecab", "mecab_ko", "나는 어제 학교에 갔다", "나는 어제 집에 갔다", "어제"),
    ],
)
def test_a_language_of_installed_packages_is_offered(
    page: Any,
    metric: evaluate.Metric,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    tokenizer: str,
    package: str,
    prediction: str,
    reference: str,
    word: str,
) -> None:
    require(package)
    from space import scores
    from space.explain_inputs import REFERENCE_BOXES
    from space.explain_tab import show_pair

    choices = page.Choices(language=language)
    scored = page.score_texts(prediction, [reference], choices)
    texts = {"predictions": [prediction], "references": [[reference]]}
    assert scored.together == metric.compute(**texts, language=language, detailed=True)
    references = [reference, *[""] * (REFERENCE_BOXES - 1)]
    _, _, shown = show_pair(prediction, "ROUGE-1", "1", *references, *choices)
    assert f'aria-label="{word}, ' in shown
    assert language in scores.PAGE_LANGUAGES

    def list_offered() -> list[str]:
        return [name for name in ("xlsum", tokenizer, "flores200") if scores.is_offered(name)]

    assert list_offered() == ["xlsum", tokenizer]
    monkeypatch.setattr(scores, "find_spec", lambda _: None)
    assert list_offered() == ["xlsum"]


def test_the_histogram_counts_every_sample_once() -> None:
    require("gradio")
    from space import views

    counts = views.count_bins([0.0, 0.05, 0.1, 0.3, 0.95, 1.0])
    assert counts == [2, 1, 0, 1, 0, 0, 0, 0, 0, 2]
    assert views.count_bins([-1.0, -0.01, 0.0, 1.0], -1, 1, 4) == [1, 1, 1, 1]


def test_text_files_are_read_as_in_the_command(page: Any, tmp_path: Path) -> None:
    files = {
        "predictions.txt": b"\xef\xbb\xbfone\r\n\ntwo\x0b2\n",
        "first.txt": b"a\nb\nc",
        "second.txt": "1\u20281\n2\n\n".encode(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    samples = read(page, *(tmp_path / name for name in files))
    assert samples == (["one", "", "two\x0b2"], [["a", "1\u20281"], ["b", "2"], ["c", ""]])
    from bleu_rouge_metric.files.input import FileFormat
    from bleu_rouge_metric.files.samples import read_samples

    predictions, *references = (str(tmp_path / name) for name in files)
    theirs = read_samples(predictions, references, stdin_format=FileFormat.TEXT)
    assert list(theirs.by_sample()) == list(zip(*samples, strict=True))


def test_what_a_tokenizer_drops_is_said_once() -> None:
    require("gradio")
    from space import pair_views

    found = explain("a b!", ["a, b!", "(b)"])
    assert pair_views.list_dropped(found) == ["The tokenizer of ROUGE drops: ! , ( )"]


def test_warnings_of_the_library_are_shown(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("prediction,reference\nПривет,мир\na,b\n")
    message = (
        "The 'rouge' tokenizer leaves nothing of the prediction or of a reference in 1 of 2 "
        "samples (50%), so that nothing there can match; use rouge_tokenizer='unicode', which "
        "finds the words of every language."
    )
    from space import views

    warnings = score(page, path).warnings
    assert warnings == [message]
    shown = message.replace("rouge_tokenizer='unicode'", "ROUGE tokenizer: unicode")
    written = html.unescape(views.show_warnings(warnings, "file"))
    assert shown in written
    # The button is that of the tab.
    assert 'data-tab="file" data-set="{"rouge-tokenizer": "unicode"}"' in written
    # Each thread gets only its own warnings, and the module ``warnings`` gets none.
    russian, english = ("Привет", "мир"), ("a", "b")
    with ThreadPoolExecutor(8) as threads:
        found = list(
            threads.map(lambda texts: pair(page, *texts).warnings, [russian, english] * 50)
        )
    assert [bool(warnings) for warnings in found] == [True, False] * 50


@pytest.mark.parametrize(
    ("prediction", "reference", "options", "message"),
    [
        (None, "a", {}, "The prediction: the value is missing; fill it in, or remove the row."),
        ("a", None, {}, "Reference 1: the value is missing; fill it in, or remove the row."),
        ("a", "a", {"max_order": None}, "max_order is None; expected an int from 1 to 9."),
        ("a", "a", {"effective_order": 1}, "effective_order is 1; expected true or false."),
        (
            "a",
            "a",
            {"smooth": None},
            "smooth is None; expected one of none, add-one, floor, add-k, exp.",
        ),
        (
            "a",
            "a",
            {"profile": "coco"},
            "profile is 'coco'; expected one of hf, rouge_score, sacrebleu, nltk, xlsum, "
            "rouge-1.5.5, lin2004.",
        ),
        (
            "a",
            "a",
            {"sentence_splitter": None},
            "sentence_splitter is None; expected one of newline, pysbd.",
        ),
    ],
)
def test_none_is_a_message(
    page: Any, prediction: Any, reference: Any, options: dict[str, Any], message: str
) -> None:
    choices = page.Choices(*OPTIONS)._replace(**options)
    with pytest.raises(page.InputError) as caught:
        pair(page, prediction, reference, options=choices)
    assert str(caught.value) == message


def test_an_unexpected_error_is_shown_and_logged(
    page: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from space import explain_tab, widgets
    from space.explain_inputs import REFERENCE_BOXES

    def fail(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(page, "score_samples", fail)
    respond = widgets.for_page(explain_tab.show_pair, 4, "explain")
    references = ["b"] * REFERENCE_BOXES
    message, results, *values = respond("a", "BLEU n-grams", "1", *references, *OPTIONS)
    assert message.value == (
        '<div class="message" role="alert"><p dir="auto">This page has an error, KeyError: '
        "&#x27;x&#x27;. Please report it with the texts or the file that you scored.</p></div>"
    )
    assert (message.visible, results.visible) == (True, False)
    assert values == [require("gradio").skip()] * 4
    assert caplog.messages == ["A request failed."]
    with pytest.raises(require("gradio").Error, match="This page has an error, KeyError: 'x'"):
        widgets.for_programs(page.score_pair)("a", ["a"])


@pytest.mark.parametrize(
    "name",
    [
        "charts",
        "differences",
        "explain_inputs",
        "file_tab",
        "labels",
        "marks",
        "pair_views",
        "profiles_tab",
        "system_views",
        "views",
    ],
)
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    require("gradio")
    found = doctest.testmod(importlib.import_module(f"space.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
