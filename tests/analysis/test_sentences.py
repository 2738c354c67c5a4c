"""What a comparison of systems says: tables, notes and sentences; the numbers are made by hand."""

import re
from dataclasses import replace
from typing import Any

import pytest

from bleu_rouge_metric import SystemScore, compare_systems

from ..scoring.test_representations import cells
from ..support.system_rows import HOSTILE, TWO_SCORES, baseline, compare, other
from .test_compare import REFERENCES, ROUGE, RUNS

RARE = "such a difference would be rare if the systems were equal."
MORE = "B scores 1.20 BLEU points more than A"
LESS = "B scores 1.20 BLEU points less than A"
HOLM = {"correction": "holm", "n_tests": 1}
GAIN = {"alternative": "greater"}
UNKNOWN = {"delta_low": None, "delta_high": None, "p_value": None, "detectable": None}

# A row of B, how it was tested, and what is said of it.
# fmt: off
SENTENCES: list[tuple[SystemScore, dict[str, Any], str]] = [
    (other(), {}, f"{MORE} (95% interval 0.30 to 2.10, p = 0.006): {RARE}"),
    (other(),
     GAIN,
     f"{MORE} (95% interval 0.30 to 2.10, p = 0.006): such a gain would be rare if the systems "
     "were equal (one-sided test)."),
    (other(delta=-1.2, delta_low=-2.1, delta_high=-0.3, p_value=0.994),
     GAIN,
     f"{LESS} (95% interval 0.30 to 2.10, p = 0.994): no clear gain (one-sided test). The "
     "smallest difference detectable with a power of 0.8 is 1.23."),
    (other(p_corrected=0.0124),
     HOLM,
     f"{MORE} (uncorrected 95% interval 0.30 to 2.10, corrected p = 0.012): {RARE}"),
    (other(p_corrected=0.062, detectable=None),
     HOLM,
     f"{MORE} (uncorrected 95% interval 0.30 to 2.10, corrected p = 0.062): no clear "
     "difference."),
    (other(delta_low=None, delta_high=None, score="comet", detectable=None, scale=None),
     {"confidence": 0.999},
     "B scores 1.20 comet more than A (p = 0.006): no clear difference."),
    (  # Equal up to rounding.
        other(delta=-2e-12, delta_low=-0.001, delta_high=0.001, p_value=1.0, detectable=None),
        {},
        "B and A have the same BLEU (95% interval 0.00 to 0.00, p = 1.000): no clear difference.",
    ),
    (  # More than these samples would show on average, and still no clear difference.
        other(p_value=0.06, delta=1.24),
        {},
        "B scores 1.24 BLEU points more than A (95% interval 0.30 to 2.10, p = 0.060): no clear "
        "difference.",
    ),
    (other(p_value=0.06, delta=0.003, delta_low=-0.002, detectable=0.0049),
     {"confidence": 0.9},
     "B scores less than 0.01 BLEU points more than A (90% interval 0.00 to 2.10, p = 0.060): "
     f"{RARE}"),
    (other(p_value=0.3, delta=-0.003, detectable=0.0049),
     {},
     "B scores less than 0.01 BLEU points less than A (95% interval -2.10 to -0.30, p = 0.300): "
     "no clear difference. The smallest difference detectable with a power of 0.8 is less than "
     "0.01."),
    (other(**UNKNOWN),
     {"untested_reason": "there is only 1 sample"},
     f"{MORE}: not tested, because there is only 1 sample."),
    (other(**UNKNOWN), {}, f"{MORE}: not tested, because the difference does not vary."),
    # The level itself is clear; 1 - 0.9 is 0.09999999999999998.
    (other(p_value=0.1, detectable=None),
     {"confidence": 0.9},
     f"{MORE} (90% interval 0.30 to 2.10, p = 0.100): {RARE}"),
    (other(p_value=0.0501, detectable=None),
     {},
     f"{MORE} (95% interval 0.30 to 2.10, p = 0.050): no clear difference."),
]
# fmt: on


@pytest.mark.parametrize(("row", "changes", "expected"), SENTENCES)
def test_a_sentence_says_what_the_test_found(
    row: SystemScore, changes: dict[str, Any], expected: str
) -> None:
    first = baseline("A", row.score, 38.1, 36.9, 39.4)
    assert compare(first, row, **changes).sentences() == [expected]


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
    rows = [row._replace(low=None, delta_low=None, delta_high=None) for row in compare().rows]
    assert str(compare(*rows, convention="sacrebleu")).splitlines()[1:6] == [
        "A (baseline)  38.10",
        "B             39.30  +1.20  0.006",
        "",
        "Test against A: approximate randomization, 10,000 resamples, seed 12345, two-sided, p not "
        "corrected, by the convention of sacrebleu.",
        "Samples: 3,004.",
    ]


START = "Test against A: approximate randomization, "
EXACT = {"is_exact": True, "n_resamples": 16, "n_samples": 4}
SWAPPED = "(exact if each text could equally be either system's), seed 12345, two-sided, "
INTERVALS = "Intervals: 95%, from 1,000 bootstrap resamples"
NARROW = "With 4 samples, the intervals of scores are too narrow."
BY_T = {"test": "bootstrap_t", "n_resamples": 500}
# How systems were tested, and the note.
# fmt: off
NOTES: list[tuple[dict[str, Any], str]] = [
    (EXACT,
     f"{START}all 2^4 = 16 resamples {SWAPPED}p not corrected. {INTERVALS}. Samples: 4. "
     f"{NARROW} With 4 samples, no p can be below 0.125, so that no difference can be clear; "
     "use more samples."),
    ({**EXACT, **GAIN},
     f"{START}all 2^4 = 16 resamples {SWAPPED.replace('two-sided, ', '')}one-sided (is the "
     f"system better?), p not corrected. {INTERVALS}. Samples: 4. {NARROW} With 4 samples, no p "
     "can be below 0.062, so that no difference can be clear; use more samples."),
    ({"n_resamples": 100, "correction": "holm", "n_tests": 20},
     f"{START}100 resamples, seed 12345, two-sided, p corrected with Holm's method over 20 "
     f"tests of all samples and groups. {INTERVALS}, not corrected. Samples: 3,004. With 100 "
     "resamples and 20 tests, no corrected p can be below 0.198, so that no difference can be "
     r"clear; use at least 400 resamples (n\_resamples=, --n-resamples) or fewer scores."),
    ({"is_exact": True, "n_resamples": 256, "n_samples": 90, "n_clusters": 8}
     | {"effective_clusters": 8.0, "correction": "bonferroni", "n_tests": 500},
     f"{START}all 2^8 = 256 resamples {SWAPPED}p corrected with Bonferroni's method over 500 "
     f"tests of all samples and groups. {INTERVALS}, not corrected. Samples: 90 in 8 clusters. "
     "With 8 clusters and 500 tests, no corrected p can be below 1.000, so that no difference "
     "can be clear; use more clusters or fewer scores."),
    (  # If all p-values are 1/101, so are the corrected ones.
        {"n_resamples": 100, "correction": "fdr_bh", "n_tests": 20},
        f"{START}100 resamples, seed 12345, two-sided, p corrected with the method of Benjamini "
        f"and Hochberg over 20 tests of all samples and groups. {INTERVALS}, not corrected. "
        "Samples: 3,004.",
    ),
    ({"untested_reason": "there is only 1 sample", "n_samples": 1, "n_clusters": 1},
     "Not tested, because there is only 1 sample. Samples: 1 in 1 cluster."),
    ({"test": "bootstrap", "n_resamples": 999, "n_samples": 300}
     | {"n_clusters": 25, "effective_clusters": 18.24, "confidence": 0.999, **HOLM},
     "Test against A: paired bootstrap, 999 resamples, seed 12345, two-sided, p corrected with "
     f"Holm's method over 1 test. {INTERVALS.replace('95%', '99.9%')}, not corrected. Samples: "
     "300 in 25 clusters of unequal sizes, which count as 18.2. With 25 clusters that count as "
     "18.2, the bootstrap test finds too many differences; use approximate randomization."),
    ({**BY_T, "n_samples": 20_000_000, "warnings": ("x0 of A: too narrow.",)},
     "Test against A: Student's t with standard errors of the bootstrap, 500 resamples, seed "
     f"12345, two-sided, p not corrected. {INTERVALS}. Samples: 20,000,000. x0 of A: too narrow. "
     "With 20,000,000 samples, 500 resamples are the default in place of 1,000; "
     r"n\_resamples= (--n-resamples) sets another number."),
]
# fmt: on


@pytest.mark.parametrize(("changes", "expected"), NOTES)
def test_the_note_names_the_test_and_its_limits(changes: dict[str, Any], expected: str) -> None:
    assert compare(**changes).to_markdown().split("\n\n")[1] == expected


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
    hostile = compare(first, row, baseline="[A]", **HOLM)
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
