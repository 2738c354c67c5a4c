"""The profile ``coco``: its scores by hand, by the book, and by every way to them."""

import json
import pickle
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import (
    Options,
    PairScorer,
    Scorer,
    compare_profiles,
    compare_systems,
    explain,
    load,
    rouge_scores,
)
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.resampling.student import widen_tail
from bleu_rouge_metric.text.tokenizers import TOKENIZERS

from ..conftest import require, unfit_texts
from ..support import textbook_captions as textbook
from ..support.commands import score_json

pytestmark = [pytest.mark.quick, *unfit_texts]

BLEU = ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")
PREDICTIONS = [
    "a man rides a horse",
    "two dogs  play on the beach",
    "",
    "a plate of food",
    "The cat",
    "people walk in the rain with umbrellas today",
]
REFERENCES = [
    ["a man rides a brown horse", "a person on a horse"],
    ["two dogs play on a beach", "dogs on the beach", "two brown dogs are playing"],
    [""],
    ["a plate of food on a table"],
    ["a kitten sleeps"],
    ["people walk in the rain", "people with umbrellas walk in the rain"],
]
TEXTS: Any = {"predictions": PREDICTIONS, "references": REFERENCES, "profile": "coco"}


def compute(**options: Any) -> dict[str, Any]:
    metric: Any = load()
    scores: dict[str, Any] = metric.compute(**{**TEXTS, **options})
    return scores


@pytest.mark.parametrize(
    ("prediction", "references", "scores"),
    [
        # Equal texts are a little short: the ratio of the lengths is 1 / (1 + 1e-9).
        ("a", ["a"], [0.999999998000002, 0.0009999999985000015]),
        # 1/2 of the words, no bigram, two tokens for a reference of two.
        ("a b", ["a c"], [0.49999999925, 2.2360679725e-08]),
        ("", [""], [0.0, 0.0]),
        ("", ["a"], [0.0, 0.0]),
        # Of references of 3 and 5 tokens, the shorter one: no penalty.
        ("a b c d", ["a b c", "a b c d e"], [0.99999999975, 0.999999999708333]),
        # Case, and any white space.
        ("A\tb", ["a\nb"], [0.5, 2.2360679e-08]),
    ],
)
@pytest.mark.usefixtures("kernel")
def test_bleu_by_hand(prediction: str, references: list[str], scores: list[float]) -> None:
    found = compute(predictions=[prediction], references=[references], max_order=2)
    assert list(found) == ["Bleu_1", "Bleu_2", "ROUGE_L"]
    # The decimals of the examples are fewer than those of a double.
    assert [found["Bleu_1"], found["Bleu_2"]] == pytest.approx(scores, rel=1e-6)


@pytest.mark.parametrize(
    ("prediction", "references", "score"),
    [
        ("", [""], 1.0),
        ("", ["a"], 0.0),
        # Precision 1/2 of one reference and recall 1 of the other: 2.44 * .5 / (1 + 1.44 * .5).
        ("a b c d", ["a b", "a b x y z q"], 0.7093023255813954),
        # An empty token between two spaces; a tab separates nothing.
        ("a  b", ["a b"], 2.44 * (2 / 3) * 1.0 / (1.0 + 1.44 * (2 / 3))),
        ("a\tb", ["a b"], 0.0),
        ("A", ["a"], 0.0),
    ],
)
@pytest.mark.usefixtures("kernel")
def test_rouge_by_hand(prediction: str, references: list[str], score: float) -> None:
    assert compute(predictions=[prediction], references=[references])["ROUGE_L"] == score


words = st.lists(st.sampled_from(["a", "b", "cat", "", "\t", "the", "\ud800", "é"]), max_size=9)
pairs = st.tuples(words.map(" ".join), st.lists(words.map(" ".join), min_size=1, max_size=4))


@pytest.mark.usefixtures("kernel")
@given(st.lists(pairs, min_size=1, max_size=20))
def test_scores_are_those_of_the_formulas(samples: list[tuple[str, list[str]]]) -> None:
    predictions, references = [list(side) for side in zip(*samples, strict=True)]
    given: dict[str, Any] = {"predictions": predictions, "references": references}
    counts = [textbook.count_sample(*sample) for sample in samples]
    found = compute(**given, sentence_bleu=True)
    assert [found[name] for name in BLEU] == textbook.bleu(counts)
    each = [textbook.bleu([row]) for row in counts]
    assert found["sentence_bleu"] == [list(column) for column in zip(*each, strict=True)]
    parts = [textbook.rouge(*sample) for sample in samples]
    assert found["ROUGE_L"] == float(np.mean([score for _, _, score in parts]))
    detailed = compute(**given, use_aggregator=False, detailed=True)["ROUGE_L"]
    assert list(zip(*detailed.values(), strict=True)) == parts


def test_a_text_without_tokens_has_one_empty_token_whatever_the_tokenizer() -> None:
    scores = compute(predictions=["?", "?"], references=[["!"], ["a"]], tokenizer="rouge")
    assert scores["ROUGE_L"] == 0.5


def test_the_mean_of_rouge_is_numpys() -> None:
    rng = np.random.default_rng(5)
    texts = [" ".join(rng.choice([*"abcdefg"], 7)) for _ in range(300)]
    scores = compute(
        predictions=texts[:150], references=[[text] for text in texts[150:]], use_aggregator=False
    )["ROUGE_L"]
    whole = compute(predictions=texts[:150], references=[[text] for text in texts[150:]])
    assert whole["ROUGE_L"] == float(np.mean(np.array(scores))) != sum(scores) / len(scores)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_order": 5}, ValueError, "max_order is 5; expected an int from 1 to 4."),
        *(
            (option, TypeError, f"{name} has no effect under the profile 'coco'. Remove it.")
            for option in (
                {"smooth": "exp"},
                {"weights": [1.0]},
                {"reference_length": "closest"},
                {"effective_order": True},
                {"auto_reweigh": True},
                {"min_order": 1},
                {"rouge_types": ["rougeL"]},
                {"multi_reference": "best"},
                {"beta": 1.2},
                {"sentence_splitter": "newline"},
            )
            for name in option
        ),
    ],
    ids=str,
)
def test_an_option_that_coco_does_not_use_is_an_error(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        compute(**options)


def test_options_that_change_tokens_are_used() -> None:
    texts: dict[str, Any] = {"predictions": ["The cats"], "references": [["the cat"]]}
    assert compute(**texts)["Bleu_1"] < 1e-9
    assert compute(**texts, lowercase=True)["Bleu_1"] == pytest.approx(0.5)
    assert compute(**texts, use_stemmer="english")["ROUGE_L"] == 1.0
    assert compute(**texts, rouge_tokenizer="char")["ROUGE_L"] > 0.7
    assert compute(**texts, stop_words=["The", "the"])["ROUGE_L"] == 0.0
    assert compute(**texts, word_limit=1)["ROUGE_L"] == 0.0


def fill(scorer: Scorer, stops: list[int]) -> Scorer:
    bounds = [0, *stops, len(PREDICTIONS)]
    for start, stop in pairwise(bounds):
        scorer.update(PREDICTIONS[start:stop], REFERENCES[start:stop])
    return scorer


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
    with pytest.raises(ValueError, match=r"^Unknown score 'Bleu_5'"):
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


def test_an_explanation_has_each_reference() -> None:
    found = explain("a b c d", ["a b", "a b x y z q"], profile="coco")
    bleu: Any = found.bleu
    scores = compute(predictions=["a b c d"], references=[["a b", "a b x y z q"]])
    assert bleu.scores == {name: scores[name] for name in BLEU}
    assert (bleu.score, bleu.reference, bleu.reference_length) == (scores["Bleu_4"], 0, 2)
    rouge = found.rouge["ROUGE_L"]
    assert (rouge.precision, rouge.recall, rouge.fmeasure) == (0.5, 1.0, scores["ROUGE_L"])
    assert rouge.reference == 0
    assert found.notes == (
        "Bleu_3 is tiny, as are the scores of higher orders: no 3-gram of the prediction occurs in "
        "a reference.",
    )
    apart = explain("a b c d", ["a", "a b x y z q w v"], profile="coco").rouge["ROUGE_L"]
    assert (apart.precision, apart.recall, apart.reference) == (0.5, 1.0, None)
    assert apart.fmeasure == 0.7093023255813954
    none = explain("x", "y z", profile="coco")
    assert none.notes[-1] == "ROUGE_L is 0: no token of the prediction occurs in a reference."
    empty = explain("", "y", profile="coco", family="bleu")
    assert empty.notes[0] == "Bleu_1, Bleu_2, Bleu_3 and Bleu_4 are 0: the brevity penalty is 0."
    json.dumps(found.to_dict())


def test_the_steps_from_hf_say_what_they_do() -> None:
    comparison = compare_profiles(["a b c d"], [["a", "a b x y z q w v"]], profiles=["hf", "coco"])
    reasons = {
        score: [step.new for step in comparison.differences if step.score == score]
        for score in ("bleu", "rougeL")
    }
    constants = (
        "1e-15 is added to the numerator and 1e-9 to the denominator of each precision and of the "
        "ratio of the lengths, so that no precision is 0 and equal lengths are penalised a little"
    )
    assert reasons["bleu"] == [constants]
    assert reasons["rougeL"] == [
        "the F-measure has beta = 1.2, which weighs the recall more than the precision",
        "the largest precision and the largest recall, each of any reference",
    ]
    assert {step.score for step in comparison.differences} == {"bleu", "rougeL"}


@pytest.mark.parametrize(
    ("texts", "options", "score", "reason"),
    [
        (
            (["a b c d e"], [["a b c d", "a b c d e f"]]),
            {},
            "bleu",
            None,
        ),
        (
            (["a b c d e f g"], [["a b c d", "a b c d e f g h"]]),
            {},
            "bleu",
            "the length of the closest reference, and of two the shorter one",
        ),
        (
            (["a b c d x"], [["a b c d y"]]),
            {"weights": (0.5, 0.5)},
            "bleu",
            "smoothing, weights and effective_order have no effect",
        ),
        (
            (["a b", "c"], [["a b", "a c"], ["d c e"]]),
            {"multi_reference": "mean"},
            "rougeL",
            "beta and multi_reference have no effect",
        ),
        ((["?"], [["!"]]), {"tokenizer": "rouge"}, "rougeL", "two texts without tokens are equal"),
        (
            (["?", "a b c d"], [["!"], ["a", "a b x y z q w v"]]),
            {"tokenizer": "rouge"},
            "rougeL",
            "the largest precision and the largest recall, each of any reference; two texts "
            "without tokens are equal",
        ),
    ],
    ids=str,
)
def test_each_part_of_the_arithmetic_has_its_reason(
    texts: tuple[Any, Any], options: dict[str, Any], score: str, reason: str | None
) -> None:
    comparison = compare_profiles(*texts, profiles=["hf", "coco"], **options)
    found = [step.new for step in comparison.differences if step.score == score]
    if reason is None:
        assert "the length of the closest reference, and of two the shorter one" not in found
    else:
        assert reason in found


@pytest.mark.filterwarnings("ignore:.*empty text")
def test_tables_have_its_counts() -> None:
    require("pyarrow")
    table = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, profile="coco")
    assert reduce_counts(table, profile="coco").result() == compute()


def test_torchmetrics_keeps_its_counts() -> None:
    require("torchmetrics")
    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    metric = BleuRouge(score="Bleu_4")
    metric.update(PREDICTIONS, REFERENCES)
    assert float(metric.compute()) == pytest.approx(compute()["Bleu_4"])


def test_rouge_scores_has_the_parts() -> None:
    scores = rouge_scores(["a b c d"], [["a b", "a b x y z q"]], profile="coco")["ROUGE_L"]
    assert [part.tolist() for part in scores] == [[0.5], [1.0], [0.7093023255813954]]


def test_the_signature_is_read_back() -> None:
    line = fill(Scorer(profile="coco", max_order=3), []).signature()
    assert line.startswith("profile:coco|nrefs:1-3|bleu_tokenizer:whitespace|max_order:3|")
    assert Options.from_signature(line) == Options(profile="coco", max_order=3)


@pytest.mark.skipif("ptb" not in TOKENIZERS, reason="there is no tokenizer 'ptb'")
def test_bleu_splits_tokens_of_ptb_at_no_break_spaces_and_rouge_does_not() -> None:
    # "1 1/2" is one token, with a no-break space.
    texts: dict[str, Any] = {"predictions": ["1 1/2 cups"], "references": [["1 1/3 cups"]]}
    scores = compute(**texts, tokenizer="ptb", max_order=1)
    assert scores["Bleu_1"] == pytest.approx(2 / 3)
    assert scores["ROUGE_L"] == pytest.approx(0.5)


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
