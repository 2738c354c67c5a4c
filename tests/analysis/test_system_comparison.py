"""How a comparison of systems shows itself; the numbers are made by hand."""

import json
import re
import sys
from dataclasses import replace
from typing import Any

import pytest

from bleu_rouge_metric.analysis.system_comparison import SystemComparison, SystemScore
from bleu_rouge_metric.analysis.system_words import describe_difference, is_clear, write_amount

from ..scoring.test_representations import cells
from ..support.system_rows import HOSTILE, OPTIONS, baseline, compare, other

TWO_SCORES = compare(
    baseline("A", "bleu", 0.381, 0.369, 0.394)._replace(scale=1),
    other(
        scale=1, value=0.393, low=0.38, high=0.406, delta=0.012, delta_low=0.003, delta_high=0.021
    ),
    other(
        scale=1,
        system="C",
        value=0.38,
        low=0.37,
        high=0.39,
        delta=-0.001,
        delta_low=-0.006,
        delta_high=0.004,
        p_value=0.7,
        detectable=0.0071,
    ),
    baseline("A", "rougeL", 0.5, 0.48, 0.52)._replace(scale=1),
    other(
        scale=1,
        score="rougeL",
        value=0.5,
        low=0.47,
        high=0.53,
        delta=0.0,
        delta_low=-0.04,
        delta_high=0.04,
    )._replace(p_value=1.0, detectable=None),
    other(
        scale=1,
        system="C",
        score="rougeL",
        value=0.4,
        low=0.3,
        high=0.5,
        delta=-0.1,
        delta_low=-0.2,
        delta_high=-0.05,
        p_value=0.0001,
    ),
)


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


def test_sentences_name_the_scale_of_the_scores() -> None:
    assert TWO_SCORES.sentences() == [
        "B scores 0.012 BLEU more than A on a scale of 0 to 1 (95% interval 0.003 to 0.021, p = "
        "0.006): a difference of this size is unlikely to be chance.",
        "C scores 0.0010 BLEU less than A on a scale of 0 to 1 (95% interval -0.0040 to 0.0060, p "
        "= 0.700): no clear difference. The smallest difference detectable with a power of 0.8 is "
        "0.0071.",
        "B and A have the same ROUGE-L (95% interval -0.040 to 0.040, p = 1.000): no clear "
        "difference.",
        "C scores 0.10 ROUGE-L less than A on a scale of 0 to 1 (95% interval 0.05 to 0.20, p < "
        "0.001): a difference of this size is unlikely to be chance.",
    ]


ONE_SIDED = {"alternative": "greater"}


@pytest.mark.parametrize(
    ("row", "changes", "expected"),
    [
        (
            other(),
            ONE_SIDED,
            "B scores 1.2 BLEU points more than A (95% interval 0.3 to 2.1, p = 0.006): a gain of "
            "this size is unlikely to be chance (one-sided test).",
        ),
        (
            other(delta=-1.2, delta_low=-2.1, delta_high=-0.3, p_value=0.994),
            ONE_SIDED,
            "B scores 1.2 BLEU points less than A (95% interval 0.3 to 2.1, p = 0.994): no clear "
            "gain (one-sided test). The smallest difference detectable with a power of 0.8 is 1.2.",
        ),
        (
            other(p_corrected=0.062, detectable=None),
            {"correction": "holm"},
            "B scores 1.2 BLEU points more than A (uncorrected 95% interval 0.3 to 2.1, corrected "
            "p = 0.062): no clear difference.",
        ),
        (
            other(delta_low=None, delta_high=None, score="comet", detectable=None, scale=None),
            {"confidence": 0.999},
            "B scores 1.2 comet more than A (p = 0.006): no clear difference.",
        ),
        (
            other(delta=0.0, delta_low=0.0, delta_high=0.0, p_value=1.0, detectable=0.0),
            {},
            "B and A have the same BLEU (95% interval 0.0 to 0.0, p = 1.000): no clear difference.",
        ),
        (
            # More than these samples would show on average, and still no clear difference.
            other(p_value=0.06, delta=1.24),
            {},
            "B scores 1.2 BLEU points more than A (95% interval 0.3 to 2.1, p = 0.060): no clear "
            "difference.",
        ),
        (
            other(delta=1e-9, delta_low=-1e-9, delta_high=2e-9, detectable=None),
            {"confidence": 0.9},
            "B scores 1.0e-09 BLEU points more than A (90% interval -1.0e-09 to 2.0e-09, p = "
            "0.006): a difference of this size is unlikely to be chance.",
        ),
        (
            other(p_value=None, delta_low=None, delta_high=None, detectable=None),
            {"untested_reason": "there is only 1 sample"},
            "B scores 1.2 BLEU points more than A: not tested, because there is only 1 sample.",
        ),
        (
            other(p_value=None, delta=0.0, delta_low=None, delta_high=None, detectable=None),
            {"untested_reason": "all 20 samples are in one cluster"},
            "B and A have the same BLEU: not tested, because all 20 samples are in one cluster.",
        ),
        (baseline("A", "bleu", 38.1, 36.9, 39.4), {}, ""),
    ],
)
def test_a_sentence_says_what_the_test_found(
    row: SystemScore, changes: dict[str, Any], expected: str
) -> None:
    assert describe_difference(row, compare(row, **changes)) == expected


@pytest.mark.parametrize(
    ("p", "confidence", "clear"),
    [(0.05, 0.95, True), (0.1, 0.9, True), (0.0501, 0.95, False), (0.01, 0.99, True)],
)
def test_p_of_the_level_is_clear(p: float, confidence: float, *, clear: bool) -> None:
    assert is_clear(other(p_value=p), confidence) is clear


def test_an_amount_has_two_digits() -> None:
    sizes = (123.456, 9.999, 0.99, 0.5, 0.0421, 0.0)
    assert [write_amount(size, size) for size in sizes] == [
        "123.5",
        "10.0",
        "0.99",
        "0.50",
        "0.042",
        "0.0",
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"is_exact": True, "n_resamples": 256, "seed": 0, "n_samples": 8},
            "Test against A: approximate randomization, all 2^8 = 256 resamples (exact), seed 0, "
            "two-sided, p not corrected. Intervals: 95%, from 1,000 bootstrap resamples. "
            "Samples: 8.",
        ),
        (
            {"is_exact": True, "n_resamples": 16, "n_samples": 4},
            "Test against A: approximate randomization, all 2^4 = 16 resamples (exact), seed "
            "12345, two-sided, p not corrected. Intervals: 95%, from 1,000 bootstrap resamples. "
            "Samples: 4. With 4 samples, the intervals of scores are too narrow. With 4 samples, "
            "no p can be below 0.125, so that no difference can be clear.",
        ),
        (
            {"is_exact": True, "n_resamples": 16, "n_samples": 4, "alternative": "greater"},
            "Test against A: approximate randomization, all 2^4 = 16 resamples (exact), seed "
            "12345, one-sided (is the system better?), p not corrected. Intervals: 95%, from "
            "1,000 bootstrap resamples. Samples: 4. With 4 samples, the intervals of scores are "
            "too narrow. With 4 samples, no p can be below 0.062, so that no difference can be "
            "clear.",
        ),
        (
            {"n_resamples": 100, "correction": "holm", "n_tests": 20},
            "Test against A: approximate randomization, 100 resamples, seed 12345, two-sided, p "
            "corrected with Holm's method over 20 tests of all samples and groups. Intervals: 95%, "
            "from 1,000 bootstrap resamples, not corrected. Samples: 3,004. With 100 resamples and "
            "20 tests, no corrected p can be below 0.198, so that no difference can be clear.",
        ),
        (
            {
                "is_exact": True,
                "n_resamples": 256,
                "n_samples": 90,
                "n_clusters": 8,
                "correction": "bonferroni",
                "n_tests": 500,
            },
            "Test against A: approximate randomization, all 2^8 = 256 resamples (exact), seed "
            "12345, two-sided, p corrected with Bonferroni's method over 500 tests of all samples "
            "and groups. Intervals: 95%, from 1,000 bootstrap resamples, not corrected. Samples: "
            "90 in 8 clusters. With 8 clusters and 500 tests, no corrected p can be below 1.000, "
            "so that no difference can be clear.",
        ),
        (
            # If all p-values are 1/101, so are the corrected ones.
            {"n_resamples": 100, "correction": "fdr_bh", "n_tests": 20},
            "Test against A: approximate randomization, 100 resamples, seed 12345, two-sided, p "
            "corrected with the method of Benjamini and Hochberg over 20 tests of all samples "
            "and groups. Intervals: 95%, from 1,000 bootstrap resamples, not corrected. Samples: "
            "3,004.",
        ),
        (
            {"untested_reason": "there is only 1 sample", "n_samples": 1, "n_clusters": 1},
            "Not tested, because there is only 1 sample. Samples: 1 in 1 cluster.",
        ),
        (
            {"test": "bootstrap", "n_resamples": 1000, "n_samples": 300, "n_clusters": 19},
            "Test against A: paired bootstrap, 1,000 resamples, seed 12345, two-sided, p not "
            "corrected. Intervals: 95%, from 1,000 bootstrap resamples. Samples: 300 in 19 "
            "clusters. With 19 clusters, the bootstrap test finds too many differences; use "
            "approximate randomization.",
        ),
        (
            {
                "test": "bootstrap",
                "alternative": "greater",
                "correction": "fdr_bh",
                "n_tests": 1,
                "n_clusters": 40,
                "confidence": 0.999,
            },
            "Test against A: paired bootstrap, 10,000 resamples, seed 12345, one-sided (is the "
            "system better?), p corrected with the method of Benjamini and Hochberg over 1 test. "
            "Intervals: 99.9%, from 1,000 bootstrap resamples, not corrected. Samples: 3,004 in 40 "
            "clusters.",
        ),
    ],
)
def test_the_note_names_the_test(changes: dict[str, Any], expected: str) -> None:
    note = compare(**changes).to_markdown().split("\n\n")[1]
    assert note == expected


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
        rf"{name} & 39.30 [38.00, 40.60] & $+1.20$ & $0.006$ \\",
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
    assert "<caption>Systems</caption>" in html
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
        "Systems",
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
    expected = "^to_pandas needs pandas, which is not installed; use pip install pandas.$"
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
        "correction": None,
        "n_tests": None,
        "convention": None,
        "n_samples": 4,
        "n_clusters": None,
        "untested_reason": None,
        "options": OPTIONS,
        "interval_resamples": 1000,
    }
