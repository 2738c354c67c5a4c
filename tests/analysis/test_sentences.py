"""What a comparison of systems says: tables, notes and sentences; the numbers are made by hand."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import SystemScore, compare_systems

from ..scoring.test_representations import cells
from ..support.errors import read_errors
from ..support.system_rows import HOSTILE, baseline, compare, other
from .test_compare import REFERENCES, ROUGE, RUNS

RARE = "such a difference would be rare if the systems were equal."


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


def test_numbers_have_the_digits_of_their_errors_and_zeros_no_minus() -> None:
    small = {"value": 5.3e-6, "delta_error": 2e-7, "delta": 1.5e-6}
    first = baseline("A", "x", 3.8e-6, 3.6e-6, 4e-6)
    row = other(score="x", scale=None, **small, delta_low=1.3e-6, delta_high=1.8e-6)
    shown = str(compare(first, row))
    assert "0.0000053 [" in shown
    assert "  +0.0000015  " in shown
    assert "B scores 0.0000015 x more than A (95% interval 0.0000013 to 0.0000018, " in shown
    zero = other(value=-1e-9, low=-0.2, high=-1e-7, delta=-1e-9, delta_low=-1e-9, delta_high=1e-9)
    assert "B             0.0000 [-0.2000, 0.0000]  +0.0000  " in str(
        compare(baseline("A", "bleu", 0.0, 0.0, 0.0), zero)
    )


def test_a_table_that_is_too_wide_is_cut_into_equal_parts() -> None:
    scores = ["bleu", "rouge1", "rouge2", "rougeL", "rougeLsum"]
    first, second = compare().rows
    systems = first, second, second._replace(system="C")
    rows = [row._replace(score=score, scale=1) for score in scores for row in systems]
    tables = str(compare(*rows)).split("\n\n")[:4]
    assert [re.findall(r"BLEU|ROUGE-\w+|Test", table) for table in tables] == [
        ["BLEU", "ROUGE-1"],
        ["ROUGE-2", "ROUGE-L"],
        ["ROUGE-Lsum"],
        ["Test"],
    ]
    assert all(line.split()[0] in ("A", "B", "C") for line in tables[2].splitlines()[1:])
    wide = compare(*(row._replace(system=row.system * 90) for row in rows), baseline="A" * 90)
    assert [table.count("diff") for table in str(wide).split("\n\n")[:6]] == [1, 1, 1, 1, 1, 0]


def test_without_intervals_none_are_named() -> None:
    rows = [row._replace(low=None, delta_low=None, delta_high=None) for row in compare().rows]
    assert str(compare(*rows, convention="sacrebleu")).splitlines()[1:6] == [
        "A (baseline)  38.10",
        "B             39.30  +1.20  0.006",
        "",
        "Test against A: approximate randomization, 10,000 resamples, seed 12345, two-sided, p not "
        "corrected, by the convention of sacrebleu.",
        "Samples: 3,004.",
    ]


def test_the_table_and_the_sentences_name_the_runs() -> None:
    comparison = compare_systems(RUNS, REFERENCES, **ROUGE)
    shown = str(comparison)
    number = r"0\.\d{4}"
    first = rf"^A \(baseline\)  {number} \(sd {number}\) \[{number}, {number}\]"
    assert re.search(first, shown, re.MULTILINE)
    assert "Samples: 30. Runs of each system: 3; sd is their standard deviation." in shown
    kind = "(samples|runs)"
    share = rf"\. (Most of its variance \(\d\d%\) comes from {kind}, the rest from {kind}|Nearly"
    for line in comparison.sentences():
        assert re.search(rf"{share} all of its variance comes from {kind})\.$", line)


def test_every_format_shows_names_as_they_are() -> None:
    row = other(system=HOSTILE, score="a|b_c", p_corrected=0.01)
    first = baseline("[A]", "a|b_c", 38.1, 36.9, 39.4)
    hostile = compare(first, row, baseline="[A]", correction="holm", n_tests=1)
    value, corrected = "39.30 [38.00, 40.60]", "(uncorrected 95% interval 0.30 to 2.10, corrected p"
    name = r"\<b\>\_\&\|%\*\[x\](y)\\^\~\$\#{}"
    markdown = hostile.to_markdown().splitlines()
    assert [markdown[line] for line in (0, 2, 3, -1)] == [
        r"|  | a\|b\_c | diff | corrected p |",
        r"| \[A\] (baseline) | 38.10 [36.90, 39.40] |  |  |",
        rf"| {name} | {value} | +1.20 | 0.010 |",
        rf"- {name} scores 1.20 a\|b\_c points more than \[A\] {corrected} = 0.010): {RARE}",
    ]
    name = (
        r"\textless{}b\textgreater{}\_\&\textbar{}\%{*}{[}x{]}(y)\textbackslash{}"
        r"\textasciicircum{}\textasciitilde{}\$\#\{\}"
    )
    latex = hostile.to_latex().splitlines()
    assert latex[2].startswith(r"\caption{Test against {[}A{]}: approximate randomization, ")
    assert [latex[line] for line in (5, 7, 8)] == [
        r" & a\textbar{}b\_c & $\Delta$ & corrected $p$ \\",
        r"{[}A{]} (baseline) & 38.10 [36.90, 39.40] &  &  \\",
        rf"{name} & {value} & $+1.20$ & 0.010 \\",
    ]
    html, name = hostile._repr_html_(), r"&lt;b&gt;_&amp;|%*[x](y)\^~$#{}"
    assert cells(html) == [
        ["", "a|b_c", "diff", "corrected p"],
        ["[A] (baseline)", "38.10 [36.90, 39.40]", "", ""],
        [name, value, "+1.20", "0.010"],
    ]
    assert re.findall("<p>(.*?)</p>", html)[-1] == (
        f"{name} scores 1.20 a|b_c points more than [A] {corrected} = 0.010): {RARE}"
    )


def test_groups_follow_all_samples_in_every_format() -> None:
    groups = {"news_1": compare(n_samples=3), "<web>": compare(n_samples=1)}
    parts = replace(compare(n_samples=4, seed=1), groups=groups)
    whole, (news, web) = replace(parts, groups={}), parts.groups.values()
    assert str(parts) == f"{whole}\n\nGroup news_1\n\n{news}\n\nGroup <web>\n\n{web}"
    assert parts.to_markdown() == (
        f"{whole.to_markdown()}\n\n**Group news\\_1**\n\n{news.to_markdown()}"
        f"\n\n**Group \\<web\\>**\n\n{web.to_markdown()}"
    )
    assert re.findall(r"\\caption{(.*?): ", parts.to_latex()) == [
        "Test against A",
        r"Group news\_1. Test against A",
        r"Group \textless{}web\textgreater{}. Test against A",
    ]
    captions = re.findall("<caption>(.*?)</caption>", parts._repr_html_())
    assert captions == ["Group news_1", "Group &lt;web&gt;"]
    frame = parts.to_pandas()
    assert list(frame.columns) == ["group", *SystemScore._fields]
    assert frame["group"].tolist()[2:] == ["news_1"] * 2 + ["<web>"] * 2
    assert frame["group"].isna().tolist() == [True] * 2 + [False] * 4
    assert frame["p_value"].isna().tolist() == [True, False] * 3
