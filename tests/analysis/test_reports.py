"""A law over all results: every format has what ``report`` returns, and no name steers any."""

import csv
import io
import json
import pickle
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import (
    Influence,
    ProfileComparison,
    ProfileDifference,
    compare_systems,
    explain,
)
from bleu_rouge_metric.tables import (
    escape_latex,
    escape_markdown,
    guard_cell,
    make_line,
    make_printable,
    write_csv,
)

HOSTILE = "=cmd|<img src=x>\\input{x}`b`"
ATTACKS = ["\x1b]0;evil\x07", "\x9b2J", "\u202eevil\u202c", "\u2067evil\u2069", "a\rb", HOSTILE]
STEERING = set("\x1b\x07\x9b\u202e\u202c\u2067\u2069\r")


def compare(text: str, **keywords: Any) -> Any:
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
    "systems": compare,
    "ranking": lambda text: compare(text, pairs="all"),
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
    def handle_starttag(self, tag: str, _: object) -> None:
        assert tag not in ("img", "script")


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
    assert compare("\x1b").systems == ["\x1bbase", "\x1bname"]
    assert list(compare("\x1b").groups) == ["\x1bgroup"]
    assert explain("a \x1b", "a").prediction.text == "a \x1b"


def test_a_line_break_in_a_name_breaks_no_table() -> None:
    assert str(compare("a\nb")) == str(compare("a b"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tb\nc\r\nd", "a\tb\nc\r\nd"),
        ("a\rb\x00\x08\x7f\x85", "a\ufffdb\ufffd\ufffd\ufffd\ufffd"),
        ("\ud800", "\ufffd"),
        # Joiners and marks that words and emoji need.
        *[("می\u200cخواهم क्\u200dष שלום\u200f 👩\u200d👧",) * 2],
    ],
)
def test_what_steers_is_replaced_and_what_words_need_stays(text: str, expected: str) -> None:
    assert make_printable(text) == expected


@pytest.mark.parametrize(
    ("text", "markdown", "latex"),
    [
        ("1. - x", r"1\. - x", "1. - x"),
        ("12) a", r"12\) a", "12) a"),
        ("+ y -- z", r"\+ y -- z", "+ y -{}- z"),
        ("---", r"\---", "-{}-{}-"),
        ("``a''", r"\`\`a''", "`{}`a'{}'"),
    ],
)
def test_no_name_begins_a_list_or_is_joined_to_another_character(
    text: str, markdown: str, latex: str
) -> None:
    assert (escape_markdown(text), escape_latex(text)) == (markdown, latex)


def test_a_line_has_no_line_breaks() -> None:
    assert make_line("a\rb\n c\x1b") == "a b c\ufffd"


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "--"]
)
def test_a_cell_that_begins_as_a_formula_gets_an_apostrophe(text: str) -> None:
    assert guard_cell(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["-1", "+1.5", "-1e-5", "a=1", "", " =1", "'=1", -0.5, 3, None])
def test_any_other_cell_stays(cell: object) -> None:
    assert guard_cell(cell) == cell


def test_heads_and_cells_of_csv_are_guarded() -> None:
    assert write_csv([("=a", "b"), (-0.1, "-c"), (1, "-2")]) == "'=a,b\n-0.1,'-c\n1,-2\n"
