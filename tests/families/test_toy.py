"""A family in one file: the share of tokens of the prediction that stand at the same place."""

import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from bleu_rouge_metric.families.base import Base, Layout, Sums, add_interval
from bleu_rouge_metric.families import BLEU
from bleu_rouge_metric.options import kinds
from bleu_rouge_metric.options.extend import add_family
from bleu_rouge_metric.options.option import Option
from bleu_rouge_metric.options.profiles import Profile
from bleu_rouge_metric.resampling.paired import Statistic
from bleu_rouge_metric.text.tokenizers import resolve_tokenizer


class Counting(NamedTuple):
    choice: Any
    tokenizer: Any

    @property
    def bare_tokenizer(self) -> Any:
        return self.tokenizer


def share(sums: Any) -> Any:
    equal, totals = sums.T
    return equal / np.maximum(totals, 1)


class Toy(Base):
    name = "toy"

    def rules(self, values: Any, convention: str) -> Any:
        return None

    def plan(self, values: Any, rules: Any, ids: Any, convention: str) -> Any:
        choice = values["toy_tokenizer"]
        return Counting(choice, resolve_tokenizer("toy_tokenizer", choice)), ()

    def layout(self, counting: Any) -> Any:
        return {"toy_equal": Layout(("i8",), (3,), "reference", ("toy_equal",))}

    def count(self, samples: Any, counting: Any) -> Any:
        rows = []
        for prediction, references in samples.by_sample():
            ours = counting.tokenizer(prediction)
            for reference in references:
                theirs = counting.tokenizer(reference)
                equal = sum(map(str.__eq__, ours, theirs))
                rows.append((equal, len(ours), len(theirs)))
        return {"toy_equal": np.array(rows, np.int64).reshape(-1, 3)}

    def totals(self, counts: Any, counting: Any) -> Any:
        table = counts["toy_equal"]
        return table[counts.offsets[:-1], 1], table[:, 2]

    def of_references(self, counts: Any) -> Any:
        return [counts["toy_equal"][:, 2]]

    def names(self, scoring: Any) -> Any:
        return ("toy",)

    def sums(self, counts: Any, scoring: Any) -> Any:
        best = np.maximum.reduceat(counts["toy_equal"][:, 0], counts.offsets[:-1])
        columns = np.stack([best, self.totals(counts, None)[0]], axis=1)
        return {"toy": Sums(Statistic(columns, share))}

    def score(self, counts: Any, scoring: Any, output: Any, seed: int) -> Any:
        sums = self.sums(counts, scoring)["toy"]
        total = sums.statistic.columns.sum(axis=0, keepdims=True)
        return add_interval({"toy": float(share(total)[0])}, sums, output, seed)

    def score_samples(self, counts: Any, scoring: Any) -> Any:
        return {"toy": share(self.sums(counts, scoring)["toy"].statistic.columns)}

    def option_of(self, column: str) -> str | None:
        return "family or profile" if column == "toy_equal" else None


TOY = Toy()
ROW = Option(
    name="toy_tokenizer",
    kind=kinds.NAME_OR_FUNCTION,
    effect="counts",
    text="the tokenizer of the toy",
    families=("toy",),
    default="whitespace",
    samples="texts",
    signed="always",
)


@pytest.fixture(scope="module", autouse=True)
def added() -> Iterator[None]:
    profiles = {
        "toy": Profile(reference="a toy", calculates={TOY: ""}),
        "both": Profile(reference="a toy with BLEU", calculates={BLEU: "hf", TOY: ""}),
    }
    add_family(TOY, "", [ROW], profiles)
    yield
    from bleu_rouge_metric.families.base import REGISTRY
    from bleu_rouge_metric.options.profiles import DEFAULTS, PROFILES
    from bleu_rouge_metric.options.table import OPTIONS

    del REGISTRY["toy"], DEFAULTS[TOY], OPTIONS["toy_tokenizer"], PROFILES["toy"], PROFILES["both"]


PREDICTIONS = ["a b c d", "x y z", "the cat sat"]
REFERENCES = [["a b d d", "a"], ["x y z"], ["cat"]]


def test_compute() -> None:
    from bleu_rouge_metric import load

    metric = load()
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, profile="toy")
    assert found == {"toy": 0.6}
    one = metric.compute(predictions=PREDICTIONS[:1], references=REFERENCES[:1], profile="both")
    assert one["toy"] == 0.75 and "bleu" in one
    signed = metric.compute(
        predictions=PREDICTIONS, references=REFERENCES, profile="toy", confidence=0.9,
        signature=True, tokenizer="char",
    )
    assert "toy_tokenizer:char" in signed["signature"] and "toy_low" in signed


def test_scorer_and_states() -> None:
    from bleu_rouge_metric import Scorer

    one, two = Scorer(profile="both"), Scorer(profile="both")
    one.update(PREDICTIONS[:1], REFERENCES[:1])
    two.update(PREDICTIONS[1:], REFERENCES[1:])
    one.merge(two)
    other = Scorer(profile="both")
    other.load_state_dict(pickle.loads(pickle.dumps(one.state_dict())))
    again = pickle.loads(pickle.dumps(one))
    assert other.result() == one.result() == again.result()
    assert one.result(groups=["a", "b", "a"])["groups"]["b"]["toy"] == 1.0


def test_pairs() -> None:
    from bleu_rouge_metric import PairScorer

    assert PairScorer("toy", profile="toy")("a b c d", ["a b d d", "a"]) == 0.75
    both = PairScorer(("toy", "bleu"), profile="both")
    assert both("a b c d", ["a b d d", "a"])[0] == 0.75


def test_arrow() -> None:
    pytest.importorskip("pyarrow")
    from bleu_rouge_metric.engines import count_batch, reduce_counts

    table = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, profile="both")
    assert reduce_counts(table, profile="both").result()["toy"] == 0.6


def test_systems() -> None:
    from bleu_rouge_metric import Scorer, compare_systems, influence

    systems = {"A": PREDICTIONS * 5, "B": ["a b", "x y", "cat"] * 5}
    found = compare_systems(systems, REFERENCES * 5, profile="toy")
    assert {row.score for row in found.rows} == {"toy"}
    scorer = Scorer(profile="toy")
    scorer.update(PREDICTIONS, REFERENCES)
    assert influence(scorer).without["toy"].tolist() == [3 / 6, 3 / 7, 6 / 7]
