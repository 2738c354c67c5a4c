"""The profile ``coco`` by every way to its scores."""

import pickle
import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import (
    Options,
    PairScorer,
    Scorer,
    compare_systems,
    rouge_scores,
)
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.resampling.student import widen_tail

from ..conftest import require, unfit_texts
from ..support.captions import BLEU, PREDICTIONS, REFERENCES, compute, fill
from ..support.commands import score_json

pytestmark = [pytest.mark.quick, *unfit_texts]


def test_a_scorer_merges_saves_and_selects() -> None:
    expected = compute(sentence_bleu=True, detailed=True)
    one = fill(Scorer(profile="coco", sentence_bleu=True, detailed=True), [])
    two = Scorer(profile="coco", sentence_bleu=True, detailed=True)
    two.update(PREDICTIONS[:2], REFERENCES[:2])
    three = Scorer(profile="coco", sentence_bleu=True, detailed=True)
    three.update(PREDICTIONS[2:], REFERENCES[2:])
    two.merge(three)
    again = Scorer(profile="coco", sentence_bleu=True, detailed=True)
    again.load_state_dict(pickle.loads(pickle.dumps(one.state_dict())))
    copied = pickle.loads(pickle.dumps(one))
    assert one.result() == two.result() == again.result() == copied.result() == expected
    groups: Any = one.result(groups=["x", "x", "x", "y", "y", "y"])["groups"]
    assert groups["x"] == compute(
        predictions=PREDICTIONS[:3],
        references=REFERENCES[:3],
        sentence_bleu=True,
        detailed=True,
    )


def test_counts_of_another_profile_are_not_merged() -> None:
    coco, hf = Scorer(profile="coco"), Scorer()
    for scorer in (coco, hf):
        scorer.update(["a"], ["a"])
    with pytest.raises(ValueError, match=r"has profile hf, but .* has coco"):
        coco.merge(hf)


@pytest.mark.usefixtures("kernel")
def test_pairs_are_scored_one_at_a_time() -> None:
    both = PairScorer(("Bleu_4", "ROUGE_L", "Bleu_1"))
    assert both.options.profile == "coco"
    alone = [PairScorer(name) for name in ("Bleu_4", "ROUGE_L", "Bleu_1")]
    found = []
    for prediction, references in zip(PREDICTIONS, REFERENCES, strict=True):
        scores = compute(predictions=[prediction], references=[references])
        found.append(tuple(both(prediction, references)))
        assert found[-1] == (scores["Bleu_4"], scores["ROUGE_L"], scores["Bleu_1"])
        assert found[-1] == tuple(scorer(prediction, references) for scorer in alone)
        assert found[-1] == tuple(pickle.loads(pickle.dumps(both))(prediction, references))
    batch = both.batch(PREDICTIONS, REFERENCES)
    assert [tuple(row) for row in zip(*batch, strict=True)] == found


def test_a_pair_scorer_checks_its_names() -> None:
    message = "score has 'Bleu_4', which these options leave out; expected one of Bleu_1, Bleu_2."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        PairScorer("Bleu_4", profile="coco", max_order=2)
    assert PairScorer("Bleu_2", max_order=2)("a b", "a b") == pytest.approx(1)
    with pytest.raises(ValueError, match=r"^profile 'coco' has no score 'Bleu_5'; .* Did you mean"):
        PairScorer("Bleu_5", profile="coco")


def test_every_score_has_an_interval() -> None:
    plain = compute()
    scores = compute(confidence=0.9, n_resamples=80)
    order = [f"{name}{end}" for name in (*BLEU, "ROUGE_L") for end in ("", "_low", "_high")]
    assert list(scores) == order
    assert {name: scores[name] for name in plain} == plain
    # One resample after the other.
    counts = fill(Scorer(profile="coco"), []).counts()
    generator = np.random.default_rng([0, 1])
    resampled: list[list[float]] = []
    for _ in range(80):
        drawn = Scorer(profile="coco")
        picked = generator.integers(0, len(PREDICTIONS), len(PREDICTIONS))
        drawn.update_counts(select_counts(counts, picked))
        result: dict[str, Any] = drawn.result()
        resampled.append([result[name] for name in BLEU])
    given = fill(Scorer(profile="coco", seed=0), []).result(confidence=0.9, n_resamples=80)
    cut = 100 * widen_tail(0.05, len(PREDICTIONS))
    low, high = np.percentile(resampled, [cut, 100 - cut], axis=0).tolist()
    assert [given[f"{name}_low"] for name in BLEU] == low
    assert [given[f"{name}_high"] for name in BLEU] == high


def test_systems_are_compared_by_each_score() -> None:
    systems = {"A": PREDICTIONS * 4, "B": ["a", "dogs", "x", "a plate", "cat", "rain"] * 4}
    comparison = compare_systems(systems, REFERENCES * 4, profile="coco", n_resamples=200)
    assert comparison.scores == [*BLEU, "ROUGE_L"]
    whole = compute(predictions=systems["A"], references=REFERENCES * 4)
    values = {row.score: row.value for row in comparison.rows if row.system == "A"}
    assert values == whole
    assert all(row.p_value is not None for row in comparison.rows if row.system == "B")
    assert "BLEU-4" in str(comparison)
    assert "ROUGE-L" in str(comparison)


@pytest.mark.filterwarnings("ignore:.*empty text")
def test_tables_have_its_counts() -> None:
    require("pyarrow")
    table = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, profile="coco")
    assert reduce_counts(table, profile="coco").result() == compute()


@pytest.mark.extra
def test_torchmetrics_keeps_its_counts() -> None:
    require("torchmetrics")
    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    metric = BleuRouge(score="Bleu_4")
    metric.update(PREDICTIONS, REFERENCES)
    assert metric.compute() == compute()["Bleu_4"]


def test_rouge_scores_has_the_parts() -> None:
    scores = rouge_scores(["a b c d"], [["a b", "a b x y z q"]], profile="coco")["ROUGE_L"]
    assert [part.tolist() for part in scores] == [[0.5], [1.0], [0.7093023255813954]]


def test_the_signature_is_read_back() -> None:
    line = fill(Scorer(profile="coco", max_order=3), []).signature()
    assert line.startswith("profile:coco|nrefs:1-3|bleu_tokenizer:whitespace|max_order:3|")
    assert Options.from_signature(line) == Options(profile="coco", max_order=3)


def test_the_command_writes_all_scores(tmp_path: Any) -> None:
    files = [tmp_path / "predictions.txt", tmp_path / "references.txt"]
    files[0].write_text("a man rides a horse\na plate of food\n")
    files[1].write_text("a man rides a brown horse\na plate of food on a table\n")
    each = tmp_path / "each.csv"
    shown = score_json(*map(str, files), "--profile", "coco", "--per-sample", str(each))
    texts: dict[str, Any] = {
        "predictions": files[0].read_text().splitlines(),
        "references": files[1].read_text().splitlines(),
    }
    assert shown == compute(**texts)
    rows = [line.split(",") for line in each.read_text().splitlines()]
    assert rows[0] == ["index", *BLEU, "ROUGE_L"]
    sentences = compute(**texts, sentence_bleu=True)["sentence_bleu"]
    assert [[float(cell) for cell in row[1:5]] for row in rows[1:]] == [
        list(row) for row in zip(*sentences, strict=True)
    ]
