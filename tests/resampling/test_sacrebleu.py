"""The convention of sacrebleu equals its own paired tests."""

import gzip
import json
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from bleu_rouge_metric import compare_systems
from bleu_rouge_metric.resampling import sacrebleu
from bleu_rouge_metric.resampling.sacrebleu import paired_bootstrap

from ..conftest import ROOT
from ..support.bleu_references import plain_sums

DATA = ROOT.parent / "shared" / "data_systems"
TESTS = {"ar": "approximate_randomization", "bs": "bootstrap"}


@cache
def _read() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    golden = json.loads(gzip.decompress((DATA / "systems_wmt17_en_de.golden.json.gz").read_bytes()))
    lines = gzip.decompress((DATA / "systems_wmt17_en_de.jsonl.gz").read_bytes()).decode("utf-8")
    return golden, [json.loads(line) for line in lines.split("\n") if line]


@pytest.mark.skipif(not DATA.exists(), reason="the corpora are not at ../shared/data_systems")
@pytest.mark.parametrize("tokenizer", ["13a", "none"])
@pytest.mark.parametrize("seed", [7, 12345])
@pytest.mark.parametrize(
    ("test", "n_resamples"), [("ar", 200), ("ar", 10_000), ("bs", 200), ("bs", 1_000)]
)
def test_goldens(test: str, n_resamples: int, seed: int, tokenizer: str) -> None:
    golden, samples = _read()
    systems = {name: [row["systems"][name] for row in samples] for name in golden["systems"]}
    comparison = compare_systems(
        systems,
        [row["reference"] for row in samples],
        baseline=golden["baseline"],
        test=TESTS[test],
        n_resamples=n_resamples,
        seed=seed,
        convention="sacrebleu",
        tokenizer=tokenizer,
    )
    runs = golden["runs"][f"{test}/n{n_resamples}/seed{seed}/{tokenizer}"]
    assert [row.system for row in comparison.rows] == golden["systems"]
    for row in comparison.rows:
        expected = runs[row.system]
        assert (row.value, row.p_value, row.mean) == (
            expected["score"], expected["p_value"], expected["mean"]
        )  # fmt: skip
        if expected["ci"] is None:
            assert (row.low, row.high) == (None, None)
        else:
            mean, half_width = expected["mean"], expected["ci"]
            assert (row.low, row.high) == (mean - half_width, mean + half_width)


_words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", ".", ",", "the"]), max_size=8).map(
    " ".join
)


@given(
    st.data(), st.sampled_from(["ar", "bs"]), st.integers(2, 40), st.sampled_from([100, 1 << 20])
)
def test_generated_corpora_equal_sacrebleu(
    data: st.DataObject, test: str, samples: int, draws: int
) -> None:
    texts = st.lists(_words, min_size=samples, max_size=samples)
    systems = {name: data.draw(texts) for name in "ABC"}
    # The references of sacrebleu are one list a position.
    streams = [data.draw(texts), data.draw(texts)]
    with plain_sums():
        _, found = PairedTest(list(systems.items()), {"BLEU": BLEU()}, streams, test, 37)()
    references = list(map(list, zip(*streams, strict=True)))
    chosen: Any = {"test": TESTS[test], "n_resamples": 37, "convention": "sacrebleu"}
    with patch.object(sacrebleu, "_DRAWS_PER_BLOCK", draws):
        comparison = compare_systems(systems, references, **chosen)
    for row, result in zip(comparison.rows, found["BLEU"], strict=True):
        assert (row.value, row.p_value, row.mean) == (result.score, result.p_value, result.mean)  # type: ignore[union-attr]


def test_large_sums_are_rounded_to_32_bits_as_there() -> None:
    # More than 2 ** 24 tokens: each addition is rounded.
    table = np.array([[2**22 + 1, 2**22 + 3, 5], [2**22 + 7, 2**21 + 1, 7], [1, 2, 3]] * 3)
    sums: list[Any] = []

    def keep(rows: Any) -> Any:
        sums.append(rows)
        return rows[:, 0].astype(np.float64)

    paired_bootstrap([table], keep, 4, 5)
    drawn = np.random.default_rng(5).choice(9, size=(4, 9), replace=True)
    expected = np.array([table.astype("float32")[row].sum(0) for row in drawn])
    assert sums[-1].dtype == np.float32
    assert np.array_equal(sums[-1], expected)
    assert not np.array_equal(expected.astype(np.int64), [table[row].sum(0) for row in drawn])


def test_equal_systems_differ_significantly_there() -> None:
    texts = ["the cat sat on the mat", "a dog ran home again"] * 10
    references = ["the cat sat on a mat", "the dog ran home again"] * 10
    kept = compare_systems({"A": texts, "B": texts}, references, convention="sacrebleu")
    ours = compare_systems({"A": texts, "B": texts}, references, profile="sacrebleu")
    assert kept.rows[1].p_value == 1 / 10_001
    assert ours.rows[1].p_value == 1
