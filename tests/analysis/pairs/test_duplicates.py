"""``near_duplicates`` decides as a comparison of each text with each one before it that stays."""

import pickle
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from bleu_rouge_metric import NearDuplicates, PairScorer, near_duplicates, use_kernel
from bleu_rouge_metric.analysis.pairs import filter as filters

from ...conftest import unfit_texts
from ...support.instructions import POOL, needs_instructions, read_instructions, vary_texts

pytestmark = [*unfit_texts]


class Record(NamedTuple):
    """What is found for one text: as Self-Instruct records it."""

    is_kept: bool
    score: float
    nearest: int
    top: list[tuple[int, float]]
    mean: float


def compare_each(
    texts: list[str],
    *,
    threshold: float = 0.7,
    inclusive: bool = False,
    top: int = 10,
    against: list[str] | None = None,
    order: list[int] | None = None,
    groups: list[Any] | None = None,
    **options: Any,
) -> list[Record]:
    """Compare each text with each of those before it that stay, pair by pair."""
    scorer: Any = PairScorer(options.pop("score", "rougeL"), **options)
    records: dict[int, Record] = {}
    for index in order or range(len(texts)):
        others = dict(enumerate(texts if against is None else against))
        if against is None:
            others = {
                place: others[place]
                for place, record in records.items()
                if record.is_kept and (groups is None or groups[place] == groups[index])
            }
        scores = [(place, scorer(texts[index], text)) for place, text in others.items()]
        best = sorted(scores, key=lambda pair: -pair[1])
        nearest, score = best[0] if best else (-1, 0.0)
        is_near = bool(best) and (score >= threshold if inclusive else score > threshold)
        mean = float(np.mean([score for _, score in scores])) if scores else 0.0
        records[index] = Record(not is_near, score, nearest, best[:top], mean)
    return [records[index] for index in range(len(texts))]


def to_records(found: NearDuplicates) -> list[Record]:
    """Return what was found, text by text."""
    kept = set(found.kept.tolist())
    return [
        Record(
            index in kept,
            float(found.score[index]),
            int(found.nearest[index]),
            [
                (place, score)
                for place, score in zip(
                    found.top_nearest[index].tolist(),
                    found.top_scores[index].tolist(),
                    strict=True,
                )
                if place >= 0
            ],
            float(found.mean[index]),
        )
        for index in range(len(found.score))
    ]


words = st.sampled_from(["a", "b", "c", "d", "e.", "f\n", "Ä"])
texts = st.lists(st.lists(words, max_size=7).map(" ".join), min_size=1, max_size=25)
# Those that are searched for with an index, and others.
INDEXED: list[dict[str, Any]] = [
    {},
    {"score": "rouge1", "use_stemmer": True},
    {"score": "rougeL", "tokenizer": "char"},
    {"score": "rougeL", "beta": 2.0},
    {"score": "rougeL", "profile": "rouge-1.5.5"},
    {"score": "rouge-l", "profile": "rouge"},
    {"score": "rouge-1", "profile": "rouge"},
    {"score": "ROUGE_L", "profile": "coco"},
]
OTHERS: list[dict[str, Any]] = [
    {"score": "rouge2"},
    {"score": "rougeLsum"},
    {"score": "bleu", "smooth": "exp"},
    {"score": "rouge-l", "profile": "rouge", "exclusive": False},
    {"score": "rouge-l", "profile": "rouge-chinese"},
    {"score": "google_bleu"},
]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("options", [*INDEXED, *OTHERS], ids=str)
@given(texts=texts, threshold=st.sampled_from([0.0, 0.4, 0.5, 2 / 3, 1.0]), inclusive=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
def test_decisions_and_scores_are_those_of_all_pairs(
    texts: list[str], threshold: float, options: dict[str, Any], *, inclusive: bool
) -> None:
    given_options: Any = {"threshold": threshold, "inclusive": inclusive, "top": 3, **options}
    found = near_duplicates(texts, **given_options)
    assert to_records(found) == compare_each(texts, **given_options)


@pytest.mark.parametrize("options", [*INDEXED, *OTHERS], ids=str)
def test_texts_of_several_batches(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*vary_texts(150, seed=3), "", "", POOL[0]]
    expected = compare_each(texts, threshold=0.5, **options)
    for name in ("native", "python"):
        with use_kernel(name):
            for size in (7, 64):
                monkeypatch.setattr(filters, "_BATCH", size)
                options_of_call: Any = {"threshold": 0.5, **options}
                found = near_duplicates(texts, **options_of_call)
                assert to_records(found) == expected
                kept = [record.is_kept for record in expected]
                assert found.pairs == sum(np.cumsum([0, *kept[:-1]]).tolist())
                assert 0 < found.compared <= found.pairs


@needs_instructions
def test_instructions_are_filtered_as_self_instruct_does() -> None:
    texts = [*read_instructions(), *vary_texts(150, seed=1), *read_instructions()[:5]]
    scorer = RougeScorer(["rougeL"], use_stemmer=False)
    kept: list[int] = []
    scores: list[float] = []
    for index, text in enumerate(texts):
        found = [scorer.score(text, texts[other])["rougeL"].fmeasure for other in kept]
        scores.append(max(found, default=0.0))
        if scores[-1] <= 0.7:
            kept.append(index)
    ours = near_duplicates(texts)
    assert ours.kept.tolist() == kept
    assert ours.score.tolist() == scores
    assert sorted([*ours.kept, *ours.rejected]) == list(range(len(texts)))


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("keep", ["first", "last"])
def test_groups_are_filtered_alone(keep: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = vary_texts(60, seed=5) * 2
    groups = [min(4, index % 7) for index in range(120)]
    order = [*range(120)][:: 1 if keep == "first" else -1]
    expected = compare_each(texts, threshold=0.5, groups=groups, order=order, top=2)
    for size in (8, 256):
        monkeypatch.setattr(filters, "_BATCH", size)
        found = near_duplicates(texts, threshold=0.5, groups=groups, keep=keep, top=2)
        assert to_records(found) == expected


@pytest.mark.usefixtures("kernel")
def test_texts_are_compared_with_others_alone() -> None:
    texts = [POOL[0], POOL[0], "Write a story about old bees.", "", "Name it."]
    against = [*POOL, "", POOL[0]]
    expected = compare_each(texts, against=against)
    found = near_duplicates(texts, against=against)
    assert to_records(found) == expected
    assert found.nearest.tolist() == [0, 0, 0, 0, 2]
    assert found.kept.tolist() == [3, 4]
    assert found.pairs == 25


@pytest.mark.usefixtures("kernel")
def test_the_last_text_stays() -> None:
    texts = ["a b c d e", "x", "a b c d e f"]
    expected = compare_each(texts, order=[2, 1, 0])
    found = near_duplicates(texts, keep="last")
    assert to_records(found) == expected
    assert found.kept.tolist() == [1, 2]


@pytest.mark.usefixtures("kernel")
def test_two_empty_texts_are_no_duplicates() -> None:
    found = near_duplicates(["", "", "!"], threshold=0.0)
    assert found.kept.tolist() == [0, 1, 2]
    assert found.score.tolist() == [0, 0, 0]
    assert found.nearest.tolist() == [-1, 0, 0]


@pytest.mark.usefixtures("kernel")
def test_a_score_of_exactly_the_threshold() -> None:
    texts = ["a b c", "a b d"]
    assert near_duplicates(texts, threshold=2 / 3).kept.tolist() == [0, 1]
    assert near_duplicates(texts, threshold=2 / 3, inclusive=True).kept.tolist() == [0]
    assert near_duplicates(["a", "b"], threshold=0, inclusive=True).kept.tolist() == [0]


def test_one_text() -> None:
    found = near_duplicates(["a"], top=2)
    assert found.kept.tolist() == [0]
    assert (found.score.tolist(), found.nearest.tolist()) == ([0.0], [-1])
    assert found.top_nearest.tolist() == [[-1, -1]]
    assert np.isnan(found.top_scores).all()
    assert (found.pairs, found.compared) == (0, 0)
    assert repr(found) == "NearDuplicates(kept 1 of 1 texts, counted 0 pairs)"
    assert found.mean.tolist() == [0.0]


def test_the_nearest_may_be_left_out() -> None:
    found = near_duplicates(["a", "a b", "a"], top=0)
    assert found.top_nearest.shape == found.top_scores.shape == (3, 0)
    assert found.score.tolist() == [0.0, 2 / 3, 1.0]


def test_most_pairs_are_not_counted() -> None:
    texts = [f"w{index} v{index} u{index}" for index in range(2000)]
    found = near_duplicates(texts, top=1)
    assert found.pairs == 1999 * 1000
    # Those of a batch with each other are.
    assert found.compared < found.pairs / 5


def test_columns_of_tables() -> None:
    frame = pd.DataFrame({"text": ["a b", "a b", "c"], "kind": ["x", "y", "x"]}, index=[5, 5, 9])
    found = near_duplicates(frame["text"], groups=frame["kind"])
    assert found.kept.tolist() == [0, 1, 2]
    assert near_duplicates(pa.array(["a b", "a b"])).kept.tolist() == [0]
    assert near_duplicates([[1, 2, 3], [1, 2, 3]], tokenizer="ids").kept.tolist() == [0]
    assert found.to_pandas().to_dict("list") == {
        "kept": [True, True, True], "score": [0.0, 0.0, 0.0], "nearest": [-1, -1, 0],
    }  # fmt: skip
    assert found.to_arrow().to_pydict() == found.to_pandas().to_dict("list")


def test_texts_of_many_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    # The tables of scores are made anew again and again.
    monkeypatch.setattr("bleu_rouge_metric.analysis.pairs.score_tables._MOST_VALUES", 50)
    monkeypatch.setattr(filters, "_BATCH", 5)
    texts = [" ".join(f"w{index % 3}" for index in range(size % 23)) for size in range(0, 300, 7)]
    assert to_records(near_duplicates(texts, top=2)) == compare_each(texts, top=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": 1.1}, "threshold is 1.1; expected a number from 0 to 1."),
        ({"threshold": -0.1}, "threshold is -0.1; expected a number from 0 to 1."),
        ({"threshold": float("nan")}, "threshold is nan; expected a number from 0 to 1."),
        (
            {"threshold": 101, "score": "bleu", "profile": "sacrebleu"},
            "threshold is 101; expected a number from 0 to 100.",
        ),
        ({"keep": "best"}, "Unknown keep 'best'; expected one of 'first', 'last'."),
        ({"top": -1}, "top is -1; expected an int from 0 to 1,048,576."),
        ({"score": "bleu_recall"}, "score has 'bleu_recall'; expected one of bleu."),
        (
            {"groups": [1]},
            "groups has 1 labels, but there are 2 samples; expected one label, a str or an int, "
            "for each sample.",
        ),
    ],
)
def test_values_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is compared
        near_duplicates(["a", "b"], **arguments)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": "0.7"}, "threshold is '0.7'; expected a number from 0 to 1."),
        ({"score": ["rougeL"]}, "score is ['rougeL']; expected the name of one score, such as "),
        ({"inclusive": 1}, "inclusive is 1; expected True or False."),
        (
            {"groups": [1, 2], "against": ["a"]},
            "against and groups are both given; expected at most one of them.",
        ),
        ({"against": ["a", 2]}, "against[1] is 2 (int); expected a str. "),
        ({"against": "a"}, "against is one str; expected a sequence of texts. "),
        ({"use_aggregator": True}, "use_aggregator does not apply to single pairs"),
    ],
)
def test_types_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as raised:
        near_duplicates(["a", "b"], **arguments)
    assert str(raised.value).startswith(message)


def test_a_result_can_be_pickled() -> None:
    found = near_duplicates([*POOL, POOL[0]], tokenizer="unicode")
    copied = pickle.loads(pickle.dumps(found))
    assert copied.kept.tolist() == found.kept.tolist()
    assert copied.mean.tolist() == found.mean.tolist()


def test_of_equal_scores_the_text_that_was_compared_first() -> None:
    texts = ["q1 a b c d", "a b c d x", "a b c d y"]
    assert near_duplicates(texts, threshold=1, keep="last").nearest.tolist() == [2, 2, -1]
