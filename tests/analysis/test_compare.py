"""``compare_systems``: numbers worked by hand, and the same however systems are given."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sacrebleu

from bleu_rouge_metric import Scorer, SystemComparison, SystemScore, compare_systems, load
from bleu_rouge_metric.options.profiles import PROFILES

from ..support.bleu_references import plain_sums
from ..support.commands import ONE_REFERENCE
from ..support.system_rows import compare_numbers

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "house", "green", "old"]


def write_texts(samples: int, seed: int, length: int = 9) -> list[str]:
    rows = np.random.default_rng(seed).choice(WORDS, (samples, length)).tolist()
    return [" ".join(row) for row in rows]


def vary(texts: list[str], share: float, generator: np.random.Generator) -> list[str]:
    varied = []
    for text in texts:
        words = np.array(text.split())
        is_new = generator.random(len(words)) < share
        varied.append(" ".join(np.where(is_new, generator.choice(WORDS, len(words)), words)))
    return varied


REFERENCES = write_texts(30, 0)
SYSTEMS = {
    name: vary(REFERENCES, share, np.random.default_rng(seed))
    for seed, (name, share) in enumerate({"A": 0.3, "B": 0.2, "C": 0.6}.items(), 1)
}
RUNS = {
    name: [vary(REFERENCES, share, np.random.default_rng([place, run])) for run in range(3)]
    for place, (name, share) in enumerate({"A": 0.3, "B": 0.25, "C": 0.6}.items())
}
QUICK: dict[str, Any] = {"n_resamples": 200}
ROUGE: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1", "rougeL"], **QUICK}
TALKS = ["news" if place % 3 else "talk" for place in range(30)]
DOCUMENTS = [place // 2 for place in range(30)]


def select(places: Any, systems: Any = SYSTEMS) -> tuple[dict[str, list[str]], list[str]]:
    """Return some samples of all systems, and their references."""
    chosen = {name: [texts[place] for place in places] for name, texts in systems.items()}
    return chosen, [REFERENCES[place] for place in places]


def list_rows(comparison: SystemComparison, score: str) -> dict[str, SystemScore]:
    return {row.system: row for row in comparison.rows if row.score == score}


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap", "bootstrap_t"])
@pytest.mark.parametrize("profile", PROFILES)
def test_values_are_those_of_compute_and_a_copy_does_not_differ(profile: str, test: str) -> None:
    references: Any = REFERENCES
    if profile not in ONE_REFERENCE:
        references = list(map(list, zip(REFERENCES, REFERENCES[::-1], strict=True)))
    systems = {**SYSTEMS, "copy of A": list(SYSTEMS["A"])}
    chosen: dict[str, Any] = {"profile": profile, "n_resamples": 50}
    comparison = compare_systems(systems, references, test=test, **chosen)
    plain = {"detailed": False} if "rouge" in PROFILES[profile].families else {}
    for name, texts in systems.items():
        scores = load(seed=12345).compute(
            predictions=texts, references=references, profile=profile, **plain
        )
        for row in (row for row in comparison.rows if row.system == name):
            key = "score" if (profile, row.score) == ("sacrebleu", "bleu") else row.score
            assert row.value == scores[key]
            if name == "copy of A":
                assert row[5:10] == (0, None, None, 1, None)
                assert row[10:15] == (0, 30, 0, None, None)
    # BLEU lies in its interval; both are of the same resamples.
    assert all(row.low <= row.value <= row.high for row in list_rows(comparison, "bleu").values())  # type: ignore[operator]


def test_all_swaps_of_texts_by_hand() -> None:
    # Each of the 2 ** 6 ways to swap, scored from texts by the metric.
    systems, references = select(range(6), {name: SYSTEMS[name] for name in "AC"})
    comparison = compare_systems(systems, references, smooth="exp")
    assert (comparison.is_exact, comparison.n_resamples) == (True, 64)
    metric = load()
    differences: dict[str, list[float]] = {}
    for swaps in itertools.product([False, True], repeat=6):
        pairs = list(zip(*systems.values(), swaps, strict=True))
        first, second = (
            metric.compute(predictions=texts, references=references, smooth="exp")
            for texts in ([pair[pair[2]] for pair in pairs], [pair[not pair[2]] for pair in pairs])
        )
        for name in comparison.scores:
            differences.setdefault(name, []).append(second[name] - first[name])
    assert len(differences) == 5
    for name, found in differences.items():
        row = list_rows(comparison, name)["C"]
        hits = sum(abs(difference) >= abs(found[0]) - 1e-12 for difference in found)
        assert (row.delta, row.p_value) == (found[0], hits / 64)


def test_intervals_of_texts_by_hand() -> None:
    # Two samples have three different resamples, of which both samples once is half.
    predictions, references = ["the cat sat", "a dog ran in the house"], ["the cat sat", "the dog"]
    comparison = compare_systems({"A": predictions, "B": references}, references, n_resamples=400)
    alone = [
        load("rouge").compute(predictions=[text], references=[reference])["rouge1"]
        for text, reference in zip(predictions, references, strict=True)
    ]
    assert list_rows(comparison, "rouge1")["A"][3:5] == (min(alone), max(alone))


@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
def test_swapped_systems_have_the_same_p(test: str) -> None:
    pair = {name: SYSTEMS[name] for name in "AB"}
    forth = compare_systems(pair, REFERENCES, test=test, **QUICK)
    back = compare_systems(pair, REFERENCES, test=test, baseline="B", **QUICK)
    for row in forth.rows:
        if row.system == "B":
            mirrored = list_rows(back, row.score)["A"]
            assert (row.p_value, row.delta) == (mirrored.p_value, -(mirrored.delta or 0))
            assert (row.wins, row.ties, row.losses) == mirrored[12:9:-1]
            assert row.detectable == pytest.approx(mirrored.detectable, rel=1e-12)


def test_a_third_system_changes_nothing_for_the_second() -> None:
    pair = compare_systems({name: SYSTEMS[name] for name in "AB"}, REFERENCES, **QUICK)
    three = compare_systems(SYSTEMS, REFERENCES, **QUICK)
    assert [row for row in three.rows if row.system != "C"] == list(pair.rows)


@pytest.mark.parametrize("has_keys", [False, True])
def test_scorers_are_compared_as_their_texts(*, has_keys: bool) -> None:
    scorers, types = {}, ["rouge1", "rougeW-1.2"]
    for seed, (name, texts) in enumerate(SYSTEMS.items()):
        # Keys bring the samples of all scorers into one order.
        order = np.random.default_rng(seed).permutation(30).tolist() if has_keys else [*range(30)]
        parts = [Scorer(rouge_types=types), Scorer(rouge_types=types)]
        for part, places in zip(parts, (order[:13], order[13:]), strict=True):
            given = {"keys": places} if has_keys else {}
            part.update(
                *([each[place] for place in places] for each in (texts, REFERENCES)), **given
            )
        parts[0].merge(parts[1])
        scorers[name] = parts[0]
    found = compare_systems(scorers, **QUICK)
    assert found == compare_systems(SYSTEMS, REFERENCES, rouge_types=types, **QUICK)
    assert compare_systems(scorers, smooth=True, **QUICK).rows[0].value != found.rows[0].value


def test_outside_scores_go_through_the_same_tests() -> None:
    rouge = {
        name: load("rouge").compute(predictions=texts, references=REFERENCES, use_aggregator=False)[
            "rouge1"
        ]
        for name, texts in SYSTEMS.items()
    }
    comparison = compare_systems(SYSTEMS, REFERENCES, scores={"mine": rouge}, **QUICK)
    ours, theirs = list_rows(comparison, "rouge1"), list_rows(comparison, "mine")
    for name, row in ours.items():
        other = theirs[name]
        # The values of ROUGE are means that are summed in another order.
        assert other.value == pytest.approx(row.value, rel=1e-14)
        assert other[3:5] == row[3:5]
        assert other[5:8] == (None,) * 3 or other[5:8] == pytest.approx(row[5:8], rel=1e-12)
        assert other[8:16] == row[8:16]
        assert (other.scale, row.scale) == (None, 1)


def test_outside_scores_have_any_size_and_sign() -> None:
    rows = compare_numbers([[-1e9, 2.0, 1e-9], [-1e9, 3.0, 0.5], [0, 0, 0]]).rows[-3:]
    assert (rows[0].low, rows[1].p_value, rows[2].value) == (-1e9, 0.5, 0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_lower_is_better_mirrors_the_test_and_the_ranking(alternative: str) -> None:
    numbers = np.random.default_rng(3).normal(size=(2, 30))
    numbers[1] -= 0.4
    losses: dict[str, Any] = {"lower_is_better": ["x0"]}
    loss = compare_numbers(numbers, alternative=alternative, **losses).rows[-1]
    gain = compare_numbers(-numbers, alternative=alternative).rows[-1]
    assert (loss.p_value, loss.wins, loss.losses) == (gain.p_value, gain.wins, gain.losses)
    assert loss.delta == -gain.delta  # type: ignore[operator]
    assert [row.system for row in compare_numbers(numbers, pairs="all", **losses).rows[-2:]] == [
        "B",
        "A",
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smooth": True},
        {"profile": "nltk"},
        {"profile": "nltk", "smooth": "method5-corrected"},
        {"profile": "nltk", "auto_reweigh": True},
        {"profile": "sacrebleu"},
        {"profile": "sacrebleu", "smooth": "floor", "smooth_value": 0.5},
        {"profile": "sacrebleu", "effective_order": False},
    ],
    ids=str,
)
def test_samples_are_compared_by_the_sentence_bleu_of_sacrebleu(options: dict[str, Any]) -> None:
    # Short texts, few of which share four words in a row with each other.
    references, ours, theirs = (write_texts(80, seed, seed) for seed in (5, 3, 7))
    with plain_sums():
        scores = [
            [
                sacrebleu.sentence_bleu(text, [reference]).score
                for text, reference in zip(texts, references, strict=True)
            ]
            for texts in (ours, theirs)
        ]
    differences = np.array(scores[0]) - scores[1]
    counts = [int(np.count_nonzero(np.sign(differences) == sign)) for sign in (1, 0, -1)]
    # Without smoothing nearly all scores are 0.
    assert counts[1] < 10
    systems = {"A": theirs, "B": ours}
    _, row = compare_systems(systems, references, family="bleu", n_resamples=10, **options).rows
    assert (row.score, row.wins, row.ties, row.losses) == ("bleu", *counts)
    expected = differences.mean() / differences.std(ddof=1)
    assert row.effect_size == pytest.approx(expected, rel=1e-12)


def test_groups_are_compared_as_each_alone() -> None:
    comparison = compare_systems(SYSTEMS, REFERENCES, groups=TALKS, clusters=DOCUMENTS, **QUICK)
    assert list(comparison.groups) == ["talk", "news"]
    whole = compare_systems(SYSTEMS, REFERENCES, clusters=DOCUMENTS, **QUICK)
    assert comparison.rows == whole.rows
    for name, found in comparison.groups.items():
        places = [place for place in range(30) if TALKS[place] == name]
        clusters = [DOCUMENTS[place] for place in places]
        assert found == compare_systems(*select(places), clusters=clusters, **QUICK)


def test_all_scores_systems_and_groups_are_corrected_together() -> None:
    numbers = np.random.default_rng(0).random((2, 3, 160))
    comparison = compare_numbers(
        *numbers, correction="bonferroni", groups=[place % 20 for place in range(160)]
    )
    # 3 scores of 2 systems in all samples and 20 groups.
    for part in [comparison, *comparison.groups.values()]:
        tested = [row for row in part.rows if row.delta is not None]
        assert [row.p_corrected for row in tested] == [
            min(1, 126 * (row.p_value or 0)) for row in tested
        ]
        assert part.to_dict()["n_tests"] == 126
        assert "over 126 tests of all samples and groups" in str(part)
        assert "|tests:126|" in part.signature()


UNTESTED = {"one": "there is only 1 sample", "alike": "all 5 samples are in one cluster"}


@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap", "bootstrap_t"])
def test_a_group_that_cannot_be_resampled_has_values_and_a_reason(test: str) -> None:
    comparison = compare_numbers(
        np.random.default_rng(3).random((2, 16)),
        groups=["large"] * 10 + ["alike"] * 5 + ["one"],
        clusters=[*range(10), *[10] * 5, 11],
        correction="bonferroni",
        test=test,
    )
    # Google BLEU and x0 of all samples and of the group "large".
    assert comparison.n_tests == 4
    large = comparison.groups["large"].rows[-1]
    assert large.p_corrected == min(1, 4 * (large.p_value or 0))
    for name, reason in UNTESTED.items():
        group = comparison.groups[name]
        assert (group.untested_reason, group.to_dict()["untested_reason"]) == (reason, reason)
        assert (group.n_resamples, group.interval_resamples, group.is_exact) == (0, 0, False)
        row: Any = group.rows[-1]
        assert row[3:5] + row[6:10] == (None,) * 6
        assert row.delta == pytest.approx(row.value - group.rows[-2].value)
        assert sum(row[10:13]) == group.n_samples
        assert (row.effect_size is None) is (name == "one")
        assert f"Not tested, because {reason}." in str(group)
        for line in group.sentences():
            assert line.endswith(f": not tested, because {reason}.")


def test_groups_of_one_sample_are_not_tested_by_sacrebleu_either() -> None:
    texts = ["a b c d e", "a b c d f", "c d e f g"]
    groups = compare_systems(
        {"A": texts, "B": texts[::-1]}, texts, groups=[1, 1, 2], convention="sacrebleu"
    ).groups
    assert (groups["2"].untested_reason, groups["2"].rows[1].p_value) == (UNTESTED["one"], None)
    assert groups["1"].rows[1].p_value is not None


def test_rows_of_runs_have_their_mean_and_deviation() -> None:
    comparison = compare_systems(RUNS, REFERENCES, **ROUGE)
    assert (comparison.test, comparison.systems) == ("bootstrap_t", ["A", "B", "C"])
    assert comparison.to_dict()["rows"][0]["runs"] == 3
    alone = [
        compare_systems({name: runs[run] for name, runs in RUNS.items()}, REFERENCES, **ROUGE).rows
        for run in range(3)
    ]
    for row, *runs in zip(comparison.rows, *alone, strict=True):
        values = [run.value for run in runs]
        assert row.value == pytest.approx(np.mean(values), rel=1e-14)
        assert row.run_std == pytest.approx(np.std(values, ddof=1), rel=1e-12)


def test_runs_are_lists_mappings_scorers_series_or_token_ids() -> None:
    def convert(change: Any) -> dict[str, Any]:
        return {name: list(map(change, runs)) for name, runs in RUNS.items()}

    def count(run: list[str]) -> Scorer:
        scorer = Scorer("rouge", rouge_types=["rouge1", "rougeL"])
        scorer.update(run, REFERENCES)
        return scorer

    def encode(run: list[str]) -> list[list[int]]:
        return [list(map(WORDS.index, text.split())) for text in run]

    expected = compare_systems(RUNS, REFERENCES, **ROUGE)
    seeds = {name: dict(zip((7, 8, 9), runs, strict=True)) for name, runs in RUNS.items()}
    # The labels of a series need not begin with 0.
    series = convert(lambda run: pd.Series(run, index=range(5, 35)))
    for systems in (seeds, series):
        assert compare_systems(systems, REFERENCES, **ROUGE) == expected
    assert compare_systems(convert(count), **QUICK) == expected
    ids = compare_systems(convert(encode), encode(REFERENCES), tokenizer="ids", **ROUGE)
    assert ids.rows == expected.rows


def test_a_seed_repeats_and_0_is_one() -> None:
    first, again, other = (compare_systems(SYSTEMS, REFERENCES, seed=s, **QUICK) for s in (0, 0, 1))
    assert first == again
    assert first.rows != other.rows
    drawn = compare_systems(SYSTEMS, REFERENCES, seed=None, **QUICK)
    keywords = SystemComparison.read_signature(drawn.signature())
    assert compare_systems(SYSTEMS, REFERENCES, **keywords) == drawn


@pytest.mark.parametrize(
    ("test", "total"), [("approximate_randomization", 400), ("bootstrap", 200)]
)
def test_progress_counts_to_the_end(test: str, total: int) -> None:
    seen: list[tuple[int, int]] = []

    def keep(*done: int) -> None:
        seen.append((done[0], done[1]))

    compare_systems(SYSTEMS, REFERENCES, progress=keep, test=test, **QUICK)
    assert seen[-1] == (total, total)
