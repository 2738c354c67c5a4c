"""A comparison of systems in words: sentences and the note; the numbers are made by hand."""

from dataclasses import replace
from typing import Any

import pytest

from bleu_rouge_metric.analysis.system_comparison import SystemScore
from bleu_rouge_metric.analysis.system_words import describe_difference, is_clear, write_amount

from ..support.system_rows import TWO_SCORES, baseline, compare, other


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


def test_a_small_difference_leads_to_the_number_of_samples() -> None:
    line = "\nrequired_samples (bleu-rouge required-samples) estimates how many samples a smaller"
    assert line in str(replace(TWO_SCORES, n_samples=20))
    # So few samples are no pilot.
    assert line not in str(replace(TWO_SCORES, n_samples=19))
    assert line not in str(replace(TWO_SCORES, n_samples=100, n_clusters=19))
    # Without C, nothing is too small.
    rows = tuple(row for row in TWO_SCORES.rows if row.system != "C")
    assert line not in str(replace(TWO_SCORES, n_samples=20, rows=rows))


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
            "no p can be below 0.125, so that no difference can be clear; use more samples.",
        ),
        (
            {"is_exact": True, "n_resamples": 16, "n_samples": 4, "alternative": "greater"},
            "Test against A: approximate randomization, all 2^4 = 16 resamples (exact), seed "
            "12345, one-sided (is the system better?), p not corrected. Intervals: 95%, from "
            "1,000 bootstrap resamples. Samples: 4. With 4 samples, the intervals of scores are "
            "too narrow. With 4 samples, no p can be below 0.062, so that no difference can be "
            "clear; use more samples.",
        ),
        (
            {"n_resamples": 100, "correction": "holm", "n_tests": 20},
            "Test against A: approximate randomization, 100 resamples, seed 12345, two-sided, p "
            "corrected with Holm's method over 20 tests of all samples and groups. Intervals: 95%, "
            "from 1,000 bootstrap resamples, not corrected. Samples: 3,004. With 100 resamples and "
            "20 tests, no corrected p can be below 0.198, so that no difference can be clear; use "
            r"at least 400 resamples (n\_resamples=, --resamples) or fewer scores.",
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
            "so that no difference can be clear; use more clusters or fewer scores.",
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
