"""Metrics compared with people: values of scipy, intervals by simulation, BLEU and ROUGE."""

import json
from typing import Any

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric import MetaEvaluation, Scorer, bleu_score, meta_evaluate, rouge_scores

from ...parity.goldens import CORPORA, DATA

NAMES = [f"s{number}" for number in range(6)]


def name_rows(matrix: np.ndarray) -> dict[str, list[float]]:
    return dict(zip(NAMES, matrix.tolist(), strict=False))


def simulate(generator: np.random.Generator, shape: tuple[int, int]) -> list[np.ndarray]:
    """Draw ratings in five steps, and scores: each system has a quality, each item a difficulty."""
    quality = generator.normal(size=(shape[0], 1))
    items = generator.normal(size=(1, shape[1]))
    latent = 0.7 * quality + 0.4 * items
    noise = generator.normal(size=(2, *shape))
    return [np.clip(np.rint(3 + latent + noise[0]), 1, 5), latent + noise[1]]


RATINGS, SCORES = simulate(np.random.default_rng(5), (6, 15))


def evaluate(**keywords: Any) -> MetaEvaluation:
    keywords = {"n_resamples": 50, **keywords}
    return meta_evaluate({"m": name_rows(SCORES)}, name_rows(RATINGS), **keywords)


@pytest.mark.parametrize(
    ("coefficient", "function"),
    [
        ("pearson", scipy.stats.pearsonr),
        ("spearman", scipy.stats.spearmanr),
        ("kendall_b", scipy.stats.kendalltau),
    ],
)
def test_values_are_those_of_scipy_in_each_grouping(coefficient: str, function: Any) -> None:
    pairs = {
        "item": list(zip(SCORES.T, RATINGS.T, strict=True)),
        "system": list(zip(SCORES, RATINGS, strict=True)),
        "none": [(SCORES.ravel(), RATINGS.ravel())],
    }
    for grouping, groups in pairs.items():
        each = [function(x, y).statistic for x, y in groups if len(set(y)) > 1]
        row = evaluate(grouping=grouping, level="segment").find("m", coefficient)
        # Sums of floats are rounded in another order.
        assert row.value == pytest.approx(np.mean(each), abs=1e-13)
        assert (row.n_groups, row.n_undefined) == (len(groups), len(groups) - len(each))
    expected = function(SCORES.mean(axis=1), RATINGS.mean(axis=1)).statistic
    row = evaluate(level="system").find("m", coefficient, "system")
    assert row.value == pytest.approx(expected, abs=1e-13)


def test_the_result_does_not_depend_on_the_scale_of_the_metric() -> None:
    result = meta_evaluate(
        {"m": name_rows(SCORES), "scaled": name_rows(1000 * SCORES - 5)},
        name_rows(RATINGS),
        n_resamples=50,
    )
    for row in result.differences:
        assert row.delta == pytest.approx(0, abs=1e-12)
        assert row.p_value == 1.0


def test_means_that_are_equal_but_for_rounding_errors_are_ties() -> None:
    scores = {"A": [1, 2, 3, 4, 7], "B": [7, 4, 3, 2, 1], "C": [1] * 5, "D": [9] * 5}
    ratings = {"A": [1, 2, 3, 4, 2], "B": [4, 3, 2, 1, 2], "C": [1, 1, 2, 1, 1], "D": [5] * 5}
    found = []
    for unit in (1, 10, 3, 7):
        result = meta_evaluate(
            {"m": {name: [value / unit for value in row] for name, row in scores.items()}},
            {name: [value / unit for value in row] for name, row in ratings.items()},
            level="system",
            coefficients=["spearman", "kendall_b", "accuracy"],
            n_resamples=50,
        )
        found.append([(row.value, row.low, row.high) for row in result.rows])
    # A and B have the same mean of both.
    assert found[0][1][0] == pytest.approx(1, abs=1e-14)
    assert found == [found[0]] * 4


def test_resamples_without_a_correlation_are_said() -> None:
    scores = name_rows(np.array([[0.0] * 5, [0.0] * 5, [0, 0, 0, 0, 1.0], [0, 0, 0, 1.0, 0]]))
    ratings = name_rows(np.arange(20.0).reshape(4, 5))
    result = meta_evaluate({"m": scores}, ratings, level="system", n_resamples=50)
    row = result.rows[0]
    assert row.undefined_resamples > 0
    assert (
        f"leave out {row.undefined_resamples} of 50 resamples, in which all scores or all ratings "
        "are equal." in str(result)
    )


@pytest.mark.parametrize("resampled", ["both", "items", "systems"])
@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_resamples_are_means_over_what_was_drawn(grouping: str, resampled: str) -> None:
    # Each text has the same rating as score, so that each resample has the correlation 1.
    numbers = name_rows(np.arange(30.0).reshape(6, 5) % 7)
    result = meta_evaluate(
        {"m": numbers}, numbers, grouping=grouping, resampled=resampled, n_resamples=40
    )
    for row in result.rows:
        assert row.value == pytest.approx(1.0)
        assert row.low is not None
        assert row.low == pytest.approx(1.0)


def test_a_resample_of_systems_is_that_of_drawn_rows() -> None:
    """Draw the same systems in a loop, as scipy would be called."""
    result = evaluate(resampled="systems", level="system", n_resamples=200, confidence=0.9)
    draws = np.random.default_rng([12345, 2]).multinomial(6, np.full(6, 1 / 6), 200)
    means = SCORES.mean(axis=1), RATINGS.mean(axis=1)
    values = []
    for draw in draws:
        x, y = (np.repeat(mean, draw) for mean in means)
        if len(set(x)) > 1 and len(set(y)) > 1:
            values.append(scipy.stats.kendalltau(x, y).statistic)
    row = result.find("m", "kendall_b", "system")
    # Six systems make the percentiles of 90% those of 96% (Hesterberg 2015).
    tail = 100 * scipy.stats.norm.cdf(-np.sqrt(6 / 5) * scipy.stats.t.ppf(0.95, 5))
    expected = np.percentile(values, [tail, 100 - tail])
    assert [row.low, row.high] == pytest.approx(expected.tolist(), abs=1e-6)
    assert row.undefined_resamples == 200 - len(values)


def test_the_same_seed_gives_the_same_result() -> None:
    assert evaluate(seed=3) == evaluate(seed=3)
    assert evaluate(seed=3) != evaluate(seed=4)
    assert evaluate(seed=None).seed != evaluate(seed=None).seed


def test_most_intervals_hold_the_value_of_all_items_and_systems() -> None:
    generator = np.random.default_rng(1)
    shape, sets = (6, 40), 40
    names = [f"s{number}" for number in range(1000)]

    def run(ratings: np.ndarray, scores: np.ndarray, **keywords: Any) -> MetaEvaluation:
        numbers = (dict(zip(names, matrix, strict=False)) for matrix in (scores, ratings))
        own, human = numbers
        return meta_evaluate({"m": own}, human, **keywords)

    many = run(*simulate(generator, (1000, 40)), level="system", n_resamples=1)
    true = {"system": many.find("m", "pearson", "system").value}
    # The mean of items is that of correlations of six systems.
    items = [
        run(*simulate(generator, (6, 400)), level="segment", n_resamples=1).find("m", "pearson")
        for _ in range(20)
    ]
    true["segment"] = float(np.mean([row.value for row in items]))
    held = dict.fromkeys(true, 0)
    for _ in range(sets):
        result = run(*simulate(generator, shape), n_resamples=150, coefficients=["pearson"])
        for row in result.rows:
            value = true[row.level]
            assert value is not None
            held[row.level] += (row.low or 0) <= value <= (row.high or 0)
    # The standard error of these shares is 0.04.
    assert all(0.82 <= count / sets <= 1 for count in held.values()), held


def test_bleu_and_rouge_are_those_of_the_metric() -> None:
    references = ["the cat sat on the mat", "a dog ran down the road", "birds sing in the tree"]
    systems = {
        "A": ["the cat sat on a mat", "a dog ran", "birds sing"],
        "B": ["a cat sat", "a dog ran down a road", "birds sing in a tree"],
        "C": ["the cat sat on the mat", "the dog ran down the road", "a bird sings"],
    }
    human = {"A": [4, 2, 2], "B": [2, 5, 4], "C": [5, 4, 1]}
    keywords: Any = {"rouge_types": ["rouge1"], "n_resamples": 20, "coefficients": ["kendall_b"]}
    result = meta_evaluate(None, human, systems=systems, references=references, **keywords)
    assert result.metrics == ["bleu", "rouge1"]
    values = [bleu_score(texts, references).bleu for texts in systems.values()]
    means = list(map(np.mean, human.values()))
    assert result.find("bleu", "kendall_b", "system").value == (
        scipy.stats.kendalltau(values, means).statistic
    )
    rouge = [
        rouge_scores(texts, references, rouge_types=["rouge1"])["rouge1"].fmeasure
        for texts in systems.values()
    ]
    each = [
        scipy.stats.kendalltau(x, y).statistic
        for x, y in zip(np.transpose(rouge), np.transpose(list(human.values())), strict=True)
    ]
    assert result.find("rouge1", "kendall_b").value == pytest.approx(np.mean(each), abs=1e-13)
    # Scorers have counted the texts already.
    scorers = {}
    for name, texts in systems.items():
        scorers[name] = Scorer(rouge_types=["rouge1"])
        scorers[name].update(texts, references)
    counted = meta_evaluate(
        None, human, systems=scorers, n_resamples=20, coefficients=["kendall_b"]
    )
    assert counted == result


@pytest.mark.skipif(not CORPORA, reason="the corpora are not at ../shared/data")
def test_rouge_agrees_with_ratings_that_a_script_makes_of_real_summaries() -> None:
    lines = (DATA / "summeval_11refs.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    articles: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        article, system = row["id"].rsplit("/", 1)
        articles.setdefault(article, {})[system] = row
    complete = [pair for pair in articles.values() if set(pair) == {"M0", "M22"}]
    texts = {name: [pair[name]["prediction"] for pair in complete] for name in ("M0", "M22")}
    # Systems that lose more and more of the summary of another one.
    for kept in (20, 10, 5):
        texts[f"M22-{kept}"] = [" ".join(text.split()[:kept]) for text in texts["M22"]]
    references = [pair["M0"]["references"] for pair in complete]
    generator = np.random.default_rng(0)
    quality = {"M0": 3.5, "M22": 4, "M22-20": 3, "M22-10": 2, "M22-5": 1}
    human = {
        name: np.clip(generator.normal(quality[name], 0.7, len(complete)).round(), 1, 5)
        for name in texts
    }
    noise = {name: generator.normal(size=len(complete)) for name in texts}
    result = meta_evaluate(
        {"noise": noise},
        human,
        systems=texts,
        references=references,
        baseline="noise",
        resampled="items",
        n_resamples=200,
        family="rouge",
        rouge_types=["rouge1", "rougeL"],
    )
    for name in ("rouge1", "rougeL"):
        row = result.find(name, "calibrated_accuracy")
        assert row.low is not None
        assert row.low > 0.5
        assert 0 <= (row.threshold or 0) < 0.1
    assert (result.find("noise", "kendall_b").value or 0) < 0.3
    found = {(row.metric, row.level): row for row in result.differences if row[3] == "kendall_b"}
    assert found["rouge1", "segment"].p_value == pytest.approx(1 / 201)
