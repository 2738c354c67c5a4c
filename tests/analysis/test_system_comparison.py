"""How a comparison of systems shows itself; the numbers are made by hand."""

import json
import re
import sys
from dataclasses import replace

import pytest

from bleu_rouge_metric.analysis.system_comparison import SystemComparison, SystemScore

from ..scoring.test_representations import cells
from ..support.system_rows import HOSTILE, OPTIONS, TWO_SCORES, baseline, compare, other


def hostile() -> SystemComparison:
    row = other(system=HOSTILE, score="a|b_c")
    return compare(baseline("[A]", "a|b_c", 38.1, 36.9, 39.4), row, baseline="[A]", options=OPTIONS)


def test_it_is_printed_as_a_table_with_the_test_and_sentences() -> None:
    assert str(compare()).splitlines() == [
        "                              BLEU   diff      p",
        "A (baseline)  38.10 [36.90, 39.40]",
        "B             39.30 [38.00, 40.60]  +1.20  0.006",
        "",
        "Test against A: approximate randomization, 10,000 resamples, seed 12345, two-sided, "
        "p not corrected.",
        "Intervals: 95%, from 1,000 bootstrap resamples.",
        "Samples: 3,004.",
        "",
        "B scores 1.2 BLEU points more than A (95% interval 0.3 to 2.1, p = 0.006): a difference "
        "of this size is unlikely to be chance.",
    ]


def test_scores_are_columns_side_by_side() -> None:
    assert str(TWO_SCORES).splitlines()[:5] == [
        "                                 BLEU     diff      p                 "
        " ROUGE-L     diff       p",
        "A (baseline)  0.3810 [0.3690, 0.3940]                  0.5000 [0.4800, 0.5200]",
        "B             0.3930 [0.3800, 0.4060]  +0.0120  0.006  0.5000 [0.4700,"
        " 0.5300]  +0.0000   1.000",
        "C             0.3800 [0.3700, 0.3900]  -0.0010  0.700  0.4000 [0.3000,"
        " 0.5000]  -0.1000  <0.001",
        "",
    ]


def test_a_table_that_is_too_wide_is_cut_into_equal_parts() -> None:
    scores = ["bleu", "rouge1", "rouge2", "rougeL", "rougeLsum"]
    rows = [
        row._replace(score=score) for score in scores for row in TWO_SCORES.rows if row[1] == "bleu"
    ]
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
    first, second = compare().rows
    rows = (
        first._replace(low=None, high=None),
        second._replace(low=None, high=None, delta_low=None, delta_high=None),
    )
    shown = str(compare(*rows, convention="sacrebleu"))
    assert shown.splitlines()[:6] == [
        "               BLEU   diff      p",
        "A (baseline)  38.10",
        "B             39.30  +1.20  0.006",
        "",
        "Test against A: approximate randomization, 10,000 resamples, seed 12345, two-sided, p not "
        "corrected, by the convention of sacrebleu.",
        "Samples: 3,004.",
    ]


def test_markdown_shows_names_as_they_are() -> None:
    name = r"\<b\>\_\&\|%\*\[x\](y)\\^\~\$\#{}"
    assert hostile().to_markdown().splitlines() == [
        r"|  | a\|b\_c | diff | p |",
        "| :-- | --: | --: | --: |",
        r"| \[A\] (baseline) | 38.10 [36.90, 39.40] |  |  |",
        rf"| {name} | 39.30 [38.00, 40.60] | +1.20 | 0.006 |",
        "",
        r"Test against \[A\]: approximate randomization, 10,000 resamples, seed 12345, two-sided, "
        "p not corrected. Intervals: 95%, from 1,000 bootstrap resamples. Samples: 3,004.",
        "",
        rf"- {name} scores 1.2 a\|b\_c points more than \[A\] (95% interval 0.3 to 2.1, p = "
        "0.006): a difference of this size is unlikely to be chance.",
    ]


def test_latex_shows_names_as_they_are() -> None:
    name = (
        r"\textless{}b\textgreater{}\_\&\textbar{}\%{*}{[}x{]}(y)\textbackslash{}"
        r"\textasciicircum{}\textasciitilde{}\$\#\{\}"
    )
    assert hostile().to_latex().splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Test against {[}A{]}: approximate randomization, 10,000 resamples, seed 12345, "
        r"two-sided, p not corrected. Intervals: 95\%, from 1,000 bootstrap resamples. "
        r"Samples: 3,004.}",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r" & a\textbar{}b\_c & $\Delta$ & $p$ \\",
        r"\midrule",
        r"{[}A{]} (baseline) & 38.10 [36.90, 39.40] &  &  \\",
        rf"{name} & 39.30 [38.00, 40.60] & $+1.20$ & 0.006 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_a_notebook_shows_names_as_they_are() -> None:
    html = hostile()._repr_html_()
    assert cells(html) == [
        ["", "a|b_c", "diff", "p"],
        ["[A] (baseline)", "38.10 [36.90, 39.40]", "", ""],
        [r"&lt;b&gt;_&amp;|%*[x](y)\^~$#{}", "39.30 [38.00, 40.60]", "+1.20", "0.006"],
    ]
    assert re.findall("<p>(.*?)</p>", html)[1:] == [
        "Intervals: 95%, from 1,000 bootstrap resamples.",
        "Samples: 3,004.",
        r"&lt;b&gt;_&amp;|%*[x](y)\^~$#{} scores 1.2 a|b_c points more than [A] (95% interval 0.3 "
        "to 2.1, p = 0.006): a difference of this size is unlikely to be chance.",
    ]


def grouped() -> SystemComparison:
    news = compare(n_samples=4, seed=1)
    return replace(news, groups={"news_1": compare(n_samples=3), "<web>": compare(n_samples=1)})


def test_groups_follow_all_samples() -> None:
    parts = grouped()
    whole = str(replace(parts, groups={}))
    news, web = parts.groups.values()
    assert str(parts) == f"{whole}\n\nGroup news_1\n\n{news}\n\nGroup <web>\n\n{web}"
    assert parts.to_markdown() == (
        f"{replace(parts, groups={}).to_markdown()}\n\n**Group news\\_1**\n\n{news.to_markdown()}"
        f"\n\n**Group \\<web\\>**\n\n{web.to_markdown()}"
    )
    captions = re.findall(r"\\caption{(.*?): ", parts.to_latex())
    assert captions == [
        "Test against A",
        r"Group news\_1. Test against A",
        r"Group \textless{}web\textgreater{}. Test against A",
    ]
    html = parts._repr_html_()
    assert re.findall("<caption>(.*?)</caption>", html) == [
        "Group news_1",
        "Group &lt;web&gt;",
    ]


def test_rows_are_rows_of_a_data_frame() -> None:
    frame = TWO_SCORES.to_pandas()
    assert list(frame.columns) == list(SystemScore._fields)
    assert [tuple(row)[:3] for row in frame.itertuples(index=False)] == [
        row[:3] for row in TWO_SCORES.rows
    ]
    assert frame["p_value"].isna().tolist() == [True, False, False] * 2
    frame = grouped().to_pandas()
    assert list(frame.columns) == ["group", *SystemScore._fields]
    assert frame["group"].tolist()[2:] == ["news_1"] * 2 + ["<web>"] * 2
    assert frame["group"].isna().tolist() == [True] * 2 + [False] * 4


def test_without_pandas_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    expected = "^to_pandas needs the package pandas. Install it with: pip install pandas$"
    with pytest.raises(ImportError, match=expected):
        compare().to_pandas()


def test_everything_is_in_the_dict() -> None:
    parts = grouped()
    found = json.loads(json.dumps(parts.to_dict()))
    assert found["rows"] == [row._asdict() for row in parts.rows]
    assert found["groups"]["<web>"] == json.loads(json.dumps(parts.groups["<web>"].to_dict()))
    assert found["signature"] == parts.signature()
    assert {name: found[name] for name in found if name not in ("rows", "groups", "signature")} == {
        "baseline": "A",
        "test": "approximate_randomization",
        "n_resamples": 10000,
        "is_exact": False,
        "seed": 1,
        "confidence": 0.95,
        "alternative": "two-sided",
        "margin": None,
        "correction": None,
        "n_tests": None,
        "convention": None,
        "n_samples": 4,
        "n_clusters": None,
        "untested_reason": None,
        "options": OPTIONS,
        "interval_resamples": 1000,
    }
