"""What results print, and write for spreadsheets, does neither steer a terminal nor calculate."""

import pytest

from bleu_rouge_metric import SystemComparison, compare_systems, explain
from bleu_rouge_metric.tables import guard_cell, make_line, make_printable, write_csv

ATTACKS = ["\x1b]0;evil\x07", "\x9b2J", "\u202eevil\u202c", "\u2067evil\u2069", "a\rb", "a\nb"]
STEERING = set("\x1b\x07\x9b\u202e\u202c\u2067\u2069\r")


def compare(text: str) -> SystemComparison:
    return compare_systems(
        {"base": ["a cat", "a dog", "b"], f"name{text}": ["a cat", "a", "b"]},
        ["a cat", "a dog", "b"],
        family="rouge",
        rouge_types=["rouge1"],
        scores={f"score{text}": {"base": [1, 2, 3], f"name{text}": [2, 2, 3]}},
        groups=[f"group{text}"] * 3,
    )


@pytest.mark.parametrize("text", ATTACKS)
def test_a_comparison_prints_names_without_what_steers_a_terminal(text: str) -> None:
    comparison = compare(text)
    for printed in (str(comparison), comparison.to_markdown(), comparison.to_latex()):
        assert all(name in printed.lower() for name in ("name", "score", "group"))
        assert not STEERING & set(printed)
    # The data stay as they are.
    assert comparison.systems == ["base", f"name{text}"]
    assert list(comparison.groups) == [f"group{text}"]


def test_a_line_break_in_a_name_breaks_no_table() -> None:
    comparison, plain = compare("a\nb"), compare("a b")
    assert str(comparison) == str(plain)


@pytest.mark.parametrize("text", ATTACKS[:-1])
def test_an_explanation_prints_texts_without_what_steers_a_terminal(text: str) -> None:
    explanation = explain(f"a {text} cat", f"a {text}", family="rouge")
    for printed in (str(explanation), explanation.to_html()):
        assert not STEERING & set(printed)
    assert explanation.prediction.text == f"a {text} cat"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tb\nc\r\nd", "a\tb\nc\r\nd"),
        ("a\rb\x00\x08\x7f\x85", "a\ufffdb\ufffd\ufffd\ufffd\ufffd"),
        ("\ud800", "\ufffd"),
        (
            "می\u200cخواهم क्\u200dष שלום\u200f 👩\u200d👧",
            "می\u200cخواهم क्\u200dष שלום\u200f 👩\u200d👧",
        ),
    ],
)
def test_what_steers_is_replaced_and_what_words_need_stays(text: str, expected: str) -> None:
    assert make_printable(text) == expected


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
