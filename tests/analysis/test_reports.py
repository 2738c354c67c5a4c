"""Laws over results: no name steers a format, and a signature says how a result was made."""

import csv
import doctest
import io
import json
import pickle
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import (
    Influence,
    Options,
    ProfileComparison,
    ProfileDifference,
    SystemComparison,
    SystemScore,
    compare_systems,
    explain,
    tables,
)
from bleu_rouge_metric.options.profiles import Family

from ..support.errors import read_errors
from ..support.system_files import REFERENCES, SYSTEMS, TOPICS
from ..support.system_rows import HOSTILE, OPTIONS, baseline, compare, other

MARKUP = "=cmd|<img src=x onerror='x'>\\input{x}`b`\" onmouseover=\"x"
ATTACKS = ["\x1b]0;evil\x07", "\x9b2J", "\u202eevil\u202c", "\u2067evil\u2069", "a\rb", MARKUP]
STEERING = set("\x1b\x07\x9b\u202e\u202c\u2067\u2069\r")


def compare_named(text: str, **keywords: Any) -> Any:
    return compare_systems(
        {f"{text}base": ["a cat", "a dog", "b"], f"{text}name": ["a cat", "a", "b"]},
        ["a cat", "a dog", "b"],
        family="rouge",
        rouge_types=["rouge1"],
        scores={f"{text}score": {f"{text}base": [1, 2, 3], f"{text}name": [2, 2, 3]}},
        groups=[f"{text}group"] * 3,
        **keywords,
    )


# Results of which names, texts and values of options are the given text.
RESULTS: dict[str, Callable[[str], Any]] = {
    "systems": compare_named,
    "ranking": lambda text: compare_named(text, pairs="all"),
    "explanation": lambda text: explain(f"a {text} cat", [f"a {text}", "b"], tokenizer=str.split),
    "explained tokens": lambda text: explain(
        text, text, tokenizer=lambda _: [text], family="rouge", stop_words=[text]
    ),
    "profiles": lambda text: ProfileComparison(
        {text: {text: 0.5}, "hf": {}}, [ProfileDifference(text, text, text, text, text, 0.5, 0.25)]
    ),
    "influence": lambda text: Influence({text: 0.5}, {text: np.array([0.5, 0.25])}),
}


class _Tags(HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("img", "script")
        assert not [name for name, _ in attrs if name.startswith("on")]


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("name", RESULTS)
def test_no_format_of_a_result_is_steered_by_names(name: str, text: str) -> None:
    result = RESULTS[name](text)
    markdown, latex, html = result.to_markdown(), result.to_latex(), result.to_html()
    for printed in (str(result), repr(result), markdown, latex, html, *result.sentences()):
        assert not STEERING & set(printed)
    assert result._repr_html_() == html
    for row in csv.reader(io.StringIO(result.to_csv(), newline="")):
        assert not any(cell.startswith(("=", "@", "\t", "\r")) for cell in row)
    assert "<img" not in markdown.replace("\\<", "")
    assert "\\input" not in latex.replace("\\textbackslash{}", "")
    assert "http" not in html
    _Tags().feed(html)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_json_a_pickle_and_a_data_frame(name: str) -> None:
    result = RESULTS[name]("a")
    plain = result.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert str(pickle.loads(pickle.dumps(result))) == str(result)
    head, rows = result.to_table()
    assert rows
    assert {len(row) for row in rows} == {len(head)}
    if name != "profiles":
        assert list(result.to_pandas().columns) == head


def test_data_stay_as_they_are() -> None:
    assert compare_named("\x1b").systems == ["\x1bbase", "\x1bname"]
    assert list(compare_named("\x1b").groups) == ["\x1bgroup"]
    assert explain("a \x1b", "a").prediction.text == "a \x1b"


def test_a_line_break_in_a_name_breaks_no_table() -> None:
    assert str(compare_named("a\nb")) == str(compare_named("a b"))


@pytest.mark.parametrize(("call", "expected"), read_errors(Path(__file__).with_name("escapes.txt")))
def test_characters_that_are_more_than_characters(call: str, expected: str) -> None:
    assert repr(eval(call, vars(tables).copy())) == expected


# The signature of a comparison of systems.


def test_the_signature_says_how_the_test_was_made() -> None:
    line = compare(correction="holm", n_tests=3, n_clusters=40).signature()
    assert line == (
        f"{OPTIONS}|test:approximate_randomization|n_resamples:10000|interval_resamples:1000|"
        "seed:12345|confidence:0.95|alternative:two-sided|correction:holm|tests:3|"
        "baseline:A|clusters:40"
    )
    assert compare(convention="sacrebleu").signature().endswith("|convention:sacrebleu|baseline:A")


@pytest.mark.parametrize("name", ["A", HOSTILE, "a|b:c", "", "ü,;\n", "\ud800"])
def test_the_signature_can_be_parsed(name: str) -> None:
    given: dict[str, Any] = {
        "test": "bootstrap",
        "n_resamples": 300,
        "seed": 0,
        "confidence": 0.9,
        "alternative": "greater",
        "correction": "fdr_bh",
        "convention": "sacrebleu",
        "baseline": name,
    }
    options = Options(profile="sacrebleu", lowercase=True, smooth="floor")
    signature = options.write_signature(seed=7)
    line = compare(options=signature, n_clusters=3, interval_resamples=300, **given).signature()
    keywords = SystemComparison.read_signature(line)
    assert {key: keywords.pop(key) for key in given} == given
    assert Options(**keywords) == options


@pytest.mark.parametrize(
    "keywords",
    [
        # Through all 256 ways to swap, with 1,000, 300 and 400 resamples for the intervals.
        {},
        {"n_resamples": 300, "seed": 0, "family": "rouge", "rouge_types": ["rougeSU4"]},
        {"n_resamples": 400, "correction": "holm", "groups": TOPICS},
        {"n_resamples": 400, "pairs": "all", "family": "rouge"},
        {"test": "bootstrap_t", "n_resamples": 20, "correction": "holm"},
        {"n_resamples": 255, "baseline": "new", "alternative": "greater", "profile": "nltk"},
        {"test": "bootstrap", "n_resamples": 30, "confidence": 0.9, "clusters": TOPICS},
        {"convention": "sacrebleu", "n_resamples": 40},
        {"convention": "sacrebleu", "n_resamples": 40, "test": "bootstrap", "seed": 0},
        {"seed": None, "aggregator": "bootstrap", "n_resamples": 50},
    ],
    ids=str,
)
def test_the_signature_repeats_every_number(keywords: dict[str, Any]) -> None:
    first = compare_systems(SYSTEMS, REFERENCES, **keywords)
    labels = {name: keywords[name] for name in ("clusters", "groups") if name in keywords}
    read = SystemComparison.read_signature(first.signature())
    assert compare_systems(SYSTEMS, REFERENCES, **read, **labels) == first


@pytest.mark.parametrize(
    ("profile", "families", "family"),
    [
        ("hf", ["bleu"], "bleu"),
        ("hf", ["rouge"], "rouge"),
        ("hf", ["bleu", "rouge"], None),
        ("google_bleu", ["bleu"], None),
        ("rouge-1.5.5", ["rouge"], None),
    ],
)
def test_the_signature_names_a_family_that_was_chosen(
    profile: Any, families: Sequence[Family], family: str | None
) -> None:
    # Resampling of the scores themselves is no part of the test.
    options = Options(profile=profile, n_resamples=7, confidence=0.5)
    line = compare(options=options.write_signature(families, seed=3)).signature()
    keywords = SystemComparison.read_signature(line)
    assert keywords.get("family") == family
    assert [keywords[key] for key in ("n_resamples", "confidence", "seed")] == [10000, 0.95, 12345]


def test_what_is_given_overrides_the_line() -> None:
    line = "profile:hf|test:bootstrap|bleu_tokenizer:callable builtins.str"
    keywords = SystemComparison.read_signature(line, bleu_tokenizer=str.split)
    assert keywords == {"profile": "hf", "test": "bootstrap", "bleu_tokenizer": str.split}


# What is said and shown of a comparison; the numbers are made by hand.


def describe(**changes: Any) -> str:
    """Return the sentence about B, of whose row or test some values are others."""
    row = {name: changes.pop(name) for name in SystemScore._fields if name in changes}
    first = baseline("A", row.get("score", "bleu"), 38.1, 36.9, 39.4)
    (sentence,) = compare(first, other(**row), **changes).sentences()
    return sentence


def note(**changes: Any) -> str:
    return compare(**changes).to_markdown().split("\n\n")[1]


@pytest.mark.parametrize(
    ("call", "expected"), read_errors(Path(__file__).with_name("sentences.txt"))
)
def test_sentences_and_notes(call: str, expected: str) -> None:
    assert eval(call, {"describe": describe, "note": note}) == expected


def test_tables_in_every_format() -> None:
    path = str(Path(__file__).with_name("tables.txt"))
    found = doctest.testfile(path, module_relative=False, encoding="utf-8")
    assert found.attempted
    assert not found.failed
