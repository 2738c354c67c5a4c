"""What results and objects show of themselves: names, in a terminal, a notebook, data frames."""

import pickle
import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import (
    BleuScore,
    ProfileComparison,
    ProfileDifference,
    RougeScores,
    SacrebleuScore,
    Scorer,
    bleu_score,
    compute_metrics,
    load,
    rouge_scores,
)

from ..support.commands import PREDICTIONS, REFERENCES

TAGS = re.compile(r"</?(?:table|caption|thead|tbody|tr|th|td|p)>")


def cells(html: str) -> list[list[str]]:
    """The cells of the tables of a page, row by row; all else is checked to be tags of tables."""
    assert "<" not in TAGS.sub("", html)
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in rows]


def test_a_scorer_shows_options_that_differ_and_its_samples() -> None:
    assert repr(Scorer()) == "<Scorer(profile='hf'): 0 samples>"
    scorer = Scorer("rouge", rouge_types=["rouge1"], use_stemmer=True)
    scorer.update(["a", "b"], ["a", "b"])
    scorer.update(["c"], ["c"])
    assert repr(scorer) == (
        "<Scorer('rouge', profile='hf', rouge_types=('rouge1',), use_stemmer=True): 3 samples>"
    )
    assert repr(pickle.loads(pickle.dumps(scorer))) == repr(scorer)


def test_a_hook_shows_options_that_differ_and_its_samples() -> None:
    hook = compute_metrics(family="bleu", prefix="test_", percent=True, causal=False, max_order=2)
    held = "<ComputeMetrics(family='bleu', prefix='test_', percent=True, causal=False, "
    # The option tokenizer="ids" is that of every hook without a tokenizer.
    held += "profile='hf', bleu_tokenizer='ids', max_order=2): "
    assert repr(hook) == f"{held}0 samples>"
    ids = np.array([[7, 8], [7, 9], [7, 9]])
    assert hook((ids, ids), compute_result=False) == {}
    assert repr(hook) == f"{held}3 samples>"
    hook((ids, ids), compute_result=True)
    assert repr(hook) == f"{held}0 samples>"


def test_the_metric_shows_its_configuration_and_its_samples() -> None:
    metric = load("rouge", seed=3)
    metric.add_batch(predictions=["a", "b"], references=["a", "b"])
    assert repr(metric) == "<BleuRougeMetric('rouge', seed=3): stored examples: 2>"
    assert repr(load(seed=3)) == "<BleuRougeMetric(seed=3): stored examples: 0>"


@pytest.mark.parametrize("profile", ["hf", "nltk", "sacrebleu"])
@pytest.mark.parametrize("weights", [None, [(0.5, 0.5), (1.0,)]], ids=str)
def test_both_results_answer_to_the_names_of_the_other(profile: Any, weights: Any) -> None:
    result = bleu_score(PREDICTIONS, REFERENCES, profile=profile, weights=weights)
    assert set(result._asdict()) == set(result._fields)
    lengths = result.sys_len, result.ref_len
    assert result.bp == result.brevity_penalty
    assert (result.translation_length, result.reference_length) == lengths
    assert result.length_ratio == lengths[0] / lengths[1]
    # bleu is from 0 to 1 and score from 0 to 100, whoever is asked.
    bleu, score = np.array(result.bleu), np.array(result.score)
    is_given = isinstance(result, SacrebleuScore)
    assert (bleu == score / 100).all() if is_given else (score == 100 * bleu).all()
    assert bleu.ndim == score.ndim == (0 if weights is None else 1)


def test_an_empty_reference_has_no_length_ratio() -> None:
    assert SacrebleuScore(0.0, [0], [1], [0.0], 1.0, 1, 0).length_ratio == 0


def test_bleu_is_a_table_in_a_notebook() -> None:
    score = BleuScore(0.5, [1.0, 0.25], 1.0, 1.5, 6, 4)
    assert cells(score._repr_html_()) == [
        ["BLEU", "value"],
        ["bleu", "0.5000"],
        ["precisions", "1.0000, 0.2500"],
        ["brevity_penalty", "1.0000"],
        ["length_ratio", "1.5000"],
        ["translation_length", "6"],
        ["reference_length", "4"],
    ]
    percentages = bleu_score(PREDICTIONS, REFERENCES, profile="sacrebleu")
    table = cells(percentages._repr_html_())
    assert [name for name, _ in table] == ["BLEU", *percentages._fields]
    assert table[1] == ["score", f"{percentages.score:.4f}"]


def test_rouge_is_a_table_of_the_first_samples_in_a_notebook() -> None:
    scores = rouge_scores(["the cat", "a dog"], ["the cat sat", "a dog"])["rouge1"]
    html = scores._repr_html_()
    assert cells(html) == [
        ["sample", "precision", "recall", "fmeasure"],
        ["0", "1.0000", "0.6667", "0.8000"],
        ["1", "1.0000", "1.0000", "1.0000"],
    ]
    assert "more" not in html
    many = RougeScores(*np.ones((3, 1234)))._repr_html_()
    assert len(cells(many)) == 21
    assert many.endswith("<p>and 1,214 more samples</p>")


COMPARISON = ProfileComparison(
    {"hf": {"bleu": 0.5, "rouge1": 1 / 3}, "nltk": {"bleu": 0.25}, "lin2004": {"rouge1": 1.0}},
    [ProfileDifference("nltk", "bleu", "<b>", "a & b", None, 0.5, 0.25)],
)


def test_a_comparison_is_a_table_per_family_and_a_sentence_per_step() -> None:
    html = COMPARISON._repr_html_()
    assert cells(html) == [
        ["BLEU", "hf", "nltk"],
        ["bleu", "0.5000", "0.2500"],
        ["ROUGE", "hf", "lin2004"],
        ["rouge1", "0.3333", "1.0000"],
    ]
    assert COMPARISON.sentences() == [
        "From hf to nltk, <b>: a & b -> None (bleu 0.5000 -> 0.2500).",
        "lin2004 gives the same scores as hf.",
    ]
    assert "&lt;b&gt;: a &amp; b" in html
    assert str(COMPARISON) == (
        "            hf    nltk  lin2004\nbleu    0.5000  0.2500\nrouge1  0.3333           1.0000"
    )


def test_scores_and_comparisons_are_data_frames() -> None:
    scores = rouge_scores(PREDICTIONS, REFERENCES)["rougeL"]
    frame = scores.to_pandas()
    assert list(frame.index) == list(range(len(PREDICTIONS)))
    for name, values in scores._asdict().items():
        assert frame[name].tolist() == values.tolist()
    frames = COMPARISON.to_pandas()
    assert frames.scores.loc["nltk"].dropna().to_dict() == {"bleu": 0.25}
    assert frames.differences.to_dict("records") == [COMPARISON.differences[0]._asdict()]
    empty = ProfileComparison({"hf": {"bleu": 0.5}}, []).to_pandas().differences
    assert (list(empty.columns), len(empty)) == (list(ProfileDifference._fields), 0)
