"""``compare_systems``: what must hold for every profile, and tests worked by hand."""

import itertools
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer, SystemComparison, SystemScore, compare_systems, load
from bleu_rouge_metric.options.profiles import PROFILES

from ..support.commands import ONE_REFERENCE

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "house", "green", "old"]


def _write(samples: int, seed: int, length: int = 9) -> list[str]:
    rows = np.random.default_rng(seed).choice(WORDS, (samples, length)).tolist()
    return [" ".join(row) for row in rows]


def _vary(texts: list[str], share: float, generator: np.random.Generator) -> list[str]:
    """Replace about this share of the words."""
    varied = []
    for text in texts:
        words = np.array(text.split())
        is_new = generator.random(len(words)) < share
        varied.append(" ".join(np.where(is_new, generator.choice(WORDS, len(words)), words)))
    return varied


REFERENCES = _write(30, 0)
SYSTEMS = {
    name: _vary(REFERENCES, share, np.random.default_rng(seed))
    for seed, (name, share) in enumerate({"A": 0.3, "B": 0.2, "C": 0.6}.items(), 1)
}
QUICK: dict[str, Any] = {"n_resamples": 200}


def _rows(comparison: SystemComparison, score: str) -> dict[str, SystemScore]:
    return {row.system: row for row in comparison.rows if row.score == score}


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
@pytest.mark.parametrize("profile", PROFILES)
def test_values_are_those_of_compute(profile: str, test: str) -> None:
    references: Any = REFERENCES
    if profile not in ONE_REFERENCE:
        references = [
            [text, other] for text, other in zip(REFERENCES, REFERENCES[::-1], strict=True)
        ]
    chosen: dict[str, Any] = {"profile": profile, **QUICK}
    comparison = compare_systems(SYSTEMS, references, test=test, **chosen)
    for name, predictions in SYSTEMS.items():
        scores = load(seed=12345).compute(
            predictions=predictions,
            references=references,
            profile=profile,
            **({"detailed": False} if "rouge" in PROFILES[profile].families else {}),
        )
        for row in (row for row in comparison.rows if row.system == name):
            key = "score" if (profile, row.score) == ("sacrebleu", "bleu") else row.score
            assert row.value == scores[key]
        # BLEU and the mean of ROUGE lie in their intervals; both are of the same resamples.
        assert all(row.low <= row.value <= row.high for row in _rows(comparison, "bleu").values())  # type: ignore[operator]


@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
@pytest.mark.parametrize("profile", PROFILES)
def test_equal_systems_do_not_differ(profile: str, test: str) -> None:
    comparison = compare_systems(
        {"A": SYSTEMS["A"], "B": list(SYSTEMS["A"])},
        REFERENCES,
        test=test,
        **{"profile": profile, **QUICK},
    )
    for row in comparison.rows:
        if row.system == "B":
            assert (row.p_value, row.delta, row.delta_low, row.delta_high) == (1, 0, 0, 0)
            assert (row.wins, row.ties, row.losses) == (0, 30, 0)
            assert (row.effect_size, row.detectable) == (None, None)


def test_one_different_sample_has_p_of_1() -> None:
    other = [*SYSTEMS["A"][:-1], REFERENCES[-1]]
    comparison = compare_systems({"A": SYSTEMS["A"], "B": other}, REFERENCES, max_order=2, **QUICK)
    for row in comparison.rows:
        if row.system == "B":
            assert row.delta != 0
            assert row.p_value == 1


def test_all_swaps_of_texts_by_hand() -> None:
    # Each of the 2 ** 6 ways to swap, scored from texts by the metric.
    predictions = {name: texts[:6] for name, texts in SYSTEMS.items() if name in "AC"}
    references = REFERENCES[:6]
    comparison = compare_systems(predictions, references, smooth="exp")
    assert (comparison.is_exact, comparison.n_resamples) == (True, 64)
    metric = load()
    differences: dict[str, list[float]] = {}
    for swaps in itertools.product([False, True], repeat=6):
        pairs = list(zip(*predictions.values(), strict=True))
        ours = [pair[swap] for pair, swap in zip(pairs, swaps, strict=True)]
        theirs = [pair[not swap] for pair, swap in zip(pairs, swaps, strict=True)]
        first = metric.compute(predictions=ours, references=references, smooth="exp")
        second = metric.compute(predictions=theirs, references=references, smooth="exp")
        for name in ("bleu", "rouge1", "rouge2", "rougeL", "rougeLsum"):
            differences.setdefault(name, []).append(second[name] - first[name])
    for name, found in differences.items():
        row = _rows(comparison, name)["C"]
        assert row.delta == found[0]
        hits = sum(abs(difference) >= abs(found[0]) - 1e-12 for difference in found)
        assert row.p_value == hits / 64


def test_intervals_of_texts_by_hand() -> None:
    # With two samples there are three different resamples, of which both twice is half.
    predictions, references = ["the cat sat", "a dog ran in the house"], ["the cat sat", "the dog"]
    comparison = compare_systems({"A": predictions, "B": references}, references, n_resamples=400)
    metric = load("rouge")
    alone = [
        metric.compute(predictions=[text], references=[reference])["rouge1"]
        for text, reference in zip(predictions, references, strict=True)
    ]
    row = _rows(comparison, "rouge1")["A"]
    assert (row.low, row.high) == (min(alone), max(alone))


@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
def test_swapped_systems_have_the_same_p(test: str) -> None:
    pair = {name: SYSTEMS[name] for name in "AB"}
    forth = compare_systems(pair, REFERENCES, test=test, **QUICK)
    back = compare_systems(pair, REFERENCES, test=test, baseline="B", **QUICK)
    for row in forth.rows:
        if row.system == "B":
            mirrored = _rows(back, row.score)["A"]
            assert (row.p_value, row.delta) == (mirrored.p_value, -(mirrored.delta or 0))
            assert (row.wins, row.ties, row.losses) == mirrored[12:9:-1]
            assert row.detectable == pytest.approx(mirrored.detectable, rel=1e-12)


def test_the_order_of_samples_does_not_change_exact_p_values() -> None:
    order = np.random.default_rng(0).permutation(8).tolist()
    short = {name: texts[:8] for name, texts in SYSTEMS.items()}
    mixed = {name: [texts[place] for place in order] for name, texts in short.items()}
    first = compare_systems(short, REFERENCES[:8])
    second = compare_systems(mixed, [REFERENCES[place] for place in order])
    assert [row.p_value for row in first.rows] == [row.p_value for row in second.rows]


def test_a_third_system_changes_nothing_for_the_second() -> None:
    pair = compare_systems({name: SYSTEMS[name] for name in "AB"}, REFERENCES, **QUICK)
    three = compare_systems(SYSTEMS, REFERENCES, **QUICK)
    assert [row for row in three.rows if row.system != "C"] == list(pair.rows)


def test_one_side_has_half_of_p_where_the_other_is_far() -> None:
    both = compare_systems(SYSTEMS, REFERENCES, n_resamples=2_000)
    better = compare_systems(SYSTEMS, REFERENCES, n_resamples=2_000, alternative="greater")
    for row, one_sided in zip(both.rows, better.rows, strict=True):
        if row.delta is not None and row.p_value is not None and one_sided.p_value is not None:
            if row.delta > 0:
                assert one_sided.p_value < row.p_value
            else:
                assert one_sided.p_value > 0.5


def test_scorers_are_compared_as_their_texts() -> None:
    scorers = {}
    for name, texts in SYSTEMS.items():
        parts = []
        for half in (slice(0, 13), slice(13, 30)):
            parts.append(Scorer(rouge_types=["rouge1", "rougeW-1.2"]))
            parts[-1].update(texts[half], REFERENCES[half])
        parts[0].merge(parts[1])
        scorers[name] = parts[0]
    found = compare_systems(scorers, **QUICK)
    expected = compare_systems(SYSTEMS, REFERENCES, rouge_types=["rouge1", "rougeW-1.2"], **QUICK)
    assert found == expected
    smoothed = compare_systems(scorers, smooth=True, **QUICK)
    assert smoothed.rows[0].value != found.rows[0].value


def test_keys_bring_the_samples_of_scorers_into_one_order() -> None:
    scorers = {}
    for seed, (name, texts) in enumerate(SYSTEMS.items()):
        order = np.random.default_rng(seed).permutation(30).tolist()
        scorers[name] = Scorer("rouge")
        scorers[name].update(
            [texts[place] for place in order], [REFERENCES[place] for place in order], keys=order
        )
    expected = compare_systems(SYSTEMS, REFERENCES, family="rouge", **QUICK)
    assert compare_systems(scorers, **QUICK) == expected


def test_outside_scores_go_through_the_same_tests() -> None:
    rouge = {
        name: load("rouge").compute(predictions=texts, references=REFERENCES, use_aggregator=False)[
            "rouge1"
        ]
        for name, texts in SYSTEMS.items()
    }
    comparison = compare_systems(SYSTEMS, REFERENCES, scores={"mine": rouge}, **QUICK)
    ours, theirs = _rows(comparison, "rouge1"), _rows(comparison, "mine")
    for name, row in ours.items():
        other = theirs[name]
        assert other.value == pytest.approx(row.value, rel=1e-14)
        assert other[3:5] == row[3:5]
        # The values of ROUGE are means that are summed in another order.
        assert other[5:8] == (None,) * 3 or other[5:8] == pytest.approx(row[5:8], rel=1e-12)
        assert other[8:16] == row[8:16]
        assert (other.scale, row.scale) == (None, 1)


def test_scores_of_any_size_and_sign_are_resampled() -> None:
    numbers = {"A": [-1e9, 2.0, 1e-9], "B": [-1e9, 3.0, 0.5], "C": [0, 0, 0]}
    three = {name: texts[:3] for name, texts in SYSTEMS.items()}
    comparison = compare_systems(three, REFERENCES[:3], scores={"loss": numbers})
    rows = _rows(comparison, "loss")
    assert rows["A"].low == -1e9
    assert rows["B"].p_value == 0.5
    assert rows["C"].value == 0


def test_groups_are_compared_as_each_alone() -> None:
    groups = ["news" if place % 3 else "talk" for place in range(30)]
    clusters = [place // 2 for place in range(30)]
    comparison = compare_systems(SYSTEMS, REFERENCES, groups=groups, clusters=clusters, **QUICK)
    assert list(comparison.groups) == ["talk", "news"]
    assert comparison.rows == compare_systems(SYSTEMS, REFERENCES, clusters=clusters, **QUICK).rows
    for name, found in comparison.groups.items():
        kept = [place for place in range(30) if groups[place] == name]
        alone = compare_systems(
            {system: [texts[place] for place in kept] for system, texts in SYSTEMS.items()},
            [REFERENCES[place] for place in kept],
            clusters=[clusters[place] for place in kept],
            **QUICK,
        )
        assert found == alone


def test_corrections_are_over_all_rows() -> None:
    comparison = compare_systems(SYSTEMS, REFERENCES, correction="bonferroni", **QUICK)
    tested = [row for row in comparison.rows if row.p_value is not None]
    assert len(tested) == 10
    for row in comparison.rows:
        expected = None if row.p_value is None else min(1, row.p_value * 10)
        assert row.p_corrected == expected


def test_a_seed_repeats_and_0_is_one() -> None:
    first, again, other = (compare_systems(SYSTEMS, REFERENCES, seed=s, **QUICK) for s in (0, 0, 1))
    assert first == again
    assert first.rows != other.rows
    drawn = compare_systems(SYSTEMS, REFERENCES, seed=None, **QUICK)
    repeated = compare_systems(
        SYSTEMS, REFERENCES, **SystemComparison.read_signature(drawn.signature())
    )
    assert repeated == drawn


def test_token_ids_are_compared() -> None:
    ids = {"A": [[7, 8, 9], [4, 5]], "B": [[7, 8], [4, 5]]}
    comparison = compare_systems(ids, [[7, 8, 9], [4, 6]], tokenizer="ids")
    assert _rows(comparison, "rouge1")["A"].value == 0.75


def test_progress_counts_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    compare_systems(SYSTEMS, REFERENCES, progress=lambda *done: seen.append(done), **QUICK)
    assert seen[-1] == (400, 400)
    seen.clear()
    compare_systems(
        SYSTEMS, REFERENCES, progress=lambda *done: seen.append(done), test="bootstrap", **QUICK
    )
    assert seen[-1] == (200, 200)


@pytest.mark.parametrize("kind", ["samples", "clusters"])
def test_of_equally_good_systems_one_in_twenty_differs(kind: str) -> None:
    # 500 test sets on which both systems are drawn in the same way.
    generator = np.random.default_rng(5)
    hits: dict[str, int] = {}
    for _ in range(500):
        references = _write(24, int(generator.integers(2**32)), 8)
        clusters = [place // 2 for place in range(24)] if kind == "clusters" else None
        systems = {}
        for name in "AB":
            texts = []
            # A system is better in some documents than in others.
            for start in range(0, 24, 2):
                share = float(generator.random()) if clusters else 0.4
                texts += _vary(references[start : start + 2], share, generator)
            systems[name] = texts
        comparison = compare_systems(
            systems,
            references,
            clusters=clusters,
            n_resamples=199,
            rouge_types=["rouge1", "rougeL"],
            smooth="exp",
            seed=int(generator.integers(2**32)),
        )
        for row in comparison.rows:
            if row.p_value is not None:
                hits[row.score] = hits.get(row.score, 0) + (row.p_value <= 0.05)
    # 99.9% of the values of a binomial of 500 and 0.05 lie between 10 and 42.
    assert {name: 10 <= count <= 42 for name, count in hits.items()} == dict.fromkeys(hits, True)
    assert len(hits) == 3
