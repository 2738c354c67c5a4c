"""How a meta-evaluation shows itself; the numbers are made by hand."""

import json
from dataclasses import replace

import pytest

from bleu_rouge_metric import MetaEvaluation, MetricAgreement, MetricDifference

HOSTILE = "a|b_<i>"


def agree(
    metric: str, level: str, value: float | None, reason: str | None = None
) -> MetricAgreement:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return MetricAgreement(metric, level, "kendall_b", value, low, high, 9, 0, 0, reason, None)


def differ(level: str, delta: float | None, p_value: float | None) -> MetricDifference:
    return MetricDifference(
        *(HOSTILE, "bleu", level, "kendall_b", delta, p_value, None, None, "items", 1000),
        is_exact=False,
    )


RESULT = MetaEvaluation(
    rows=(
        agree("bleu", "system", None, "all ratings are equal"),
        agree(HOSTILE, "system", None, "all ratings are equal"),
        agree("bleu", "segment", 0.25),
        agree(HOSTILE, "segment", 0.5),
    ),
    differences=(differ("system", None, None), differ("segment", 0.25, 0.0002)),
    systems=("A", "B", "C"),
    n_items=9,
    grouping="item",
    resampled="both",
    n_resamples=1000,
    seed=7,
    confidence=0.95,
    correction=None,
    n_tests=None,
    options="",
)
METHOD = [
    "Systems: 3. Items: 9.",
    "Segments are correlated in groups of one item.",
    "Intervals: 95%, bootstrap over systems and items, n_resamples 1,000, seed 7.",
    "Tests: permutation of whole items, two-sided, p not corrected.",
    "Kendall tau-b of BLEU (system level) is undefined, because all ratings are equal.",
    "Kendall tau-b of a|b_<i> (system level) is undefined, because all ratings are equal.",
]


def test_it_is_printed_as_tables_and_the_method() -> None:
    assert str(RESULT).splitlines() == [
        "Systems: agreement with people",
        "         Kendall tau-b",
        "BLEU         undefined",
        "a|b_<i>      undefined",
        "",
        "Systems: differences between metrics, with p",
        "                Kendall tau-b",
        "a|b_<i> - BLEU      undefined",
        "",
        "Segments: agreement with people",
        "                Kendall tau-b",
        "BLEU     0.250 [0.150, 0.350]",
        "a|b_<i>  0.500 [0.400, 0.600]",
        "",
        "Segments: differences between metrics, with p",
        "                  Kendall tau-b",
        "a|b_<i> - BLEU  +0.250 (<0.001)",
        "",
        *METHOD,
    ]


def test_a_difference_is_a_sentence() -> None:
    assert RESULT.sentences() == [
        "a|b_<i> agrees with people more than BLEU by Kendall tau-b at the segment level "
        "(difference +0.250, p < 0.001): a difference of this size is unlikely to be chance.",
        *METHOD[4:],
    ]


def test_names_are_escaped_in_markdown_latex_and_html() -> None:
    markdown = RESULT.to_markdown()
    assert r"| a\|b\_\<i\> - BLEU | +0.250 (\<0.001) |" in markdown.replace("(<", r"(\<")
    assert "n\\_resamples 1,000" in markdown
    latex = RESULT.to_latex()
    assert r"a\textbar{}b\_\textless{}i\textgreater{} - BLEU & $+0.250$ ($<0.001$) \\" in latex
    assert latex.count(r"\begin{table}") == 4
    page = RESULT._repr_html_()
    assert "<td>a|b_&lt;i&gt;</td><td>0.500 [0.400, 0.600]</td>" in page


def test_it_converts_to_json_and_to_data_frames() -> None:
    values = json.loads(json.dumps(RESULT.to_dict()))
    assert values["rows"][2]["value"] == 0.25
    assert values["differences"][1]["p_value"] == 0.0002
    assert (values["systems"], values["seed"]) == (["A", "B", "C"], 7)
    assert RESULT.to_pandas()["value"].tolist()[2:] == [0.25, 0.5]
    assert RESULT.differences_to_pandas()["delta"].tolist()[1] == 0.25


@pytest.mark.parametrize(("delta", "word"), [(-0.25, "less"), (0.25, "more")])
def test_the_sentence_says_which_agrees_more(delta: float, word: str) -> None:
    assert f" agrees with people {word} than " in sentence(differ("segment", delta, 0.2))
    assert sentence(differ("segment", delta, 0.2)).endswith(": no clear difference.")


def test_equal_agreement_is_said() -> None:
    assert sentence(differ("segment", 0.0, 1.0)).startswith(
        "a|b_<i> and BLEU agree with people equally by Kendall tau-b at the segment level"
    )


def test_a_corrected_p_decides() -> None:
    row = differ("segment", 0.25, 0.03)._replace(p_corrected=0.06)
    assert "corrected p = 0.060): no clear difference." in sentence(row)


def sentence(row: MetricDifference) -> str:
    return replace(RESULT, rows=(), differences=(row,)).sentences()[0]
