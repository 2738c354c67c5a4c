"""``bleu_score`` and ``rouge_scores``: the same numbers as ``metric.compute`` in every profile."""

from itertools import product
from typing import Any

import evaluate
import pytest

from bleu_rouge_metric import BleuScore, RougeScores, SacrebleuScore, bleu_score, rouge_scores
from bleu_rouge_metric.families.parts import PartScore
from bleu_rouge_metric.families.rouge_package.family import RougePackage
from bleu_rouge_metric.options.profiles import PROFILES, BleuProfile
from bleu_rouge_metric.options.table import is_relevant

from ..support.commands import ONE_REFERENCE, PREDICTIONS, REFERENCES, choose_references

TEXTS = {"predictions": PREDICTIONS, "references": REFERENCES}
ROUGE_PROFILES = [name for name, profile in PROFILES.items() if "rouge" in profile.families]


def test_the_type_of_the_result_is_known_by_the_profile() -> None:
    # mypy checks these lines.
    plain: BleuScore = bleu_score(PREDICTIONS, REFERENCES)
    nltk: BleuScore = bleu_score(PREDICTIONS, REFERENCES, profile="nltk", max_order=2)
    percentages: SacrebleuScore = bleu_score(PREDICTIONS, REFERENCES, profile="sacrebleu")
    name: BleuProfile = "sacrebleu"
    either: BleuScore | SacrebleuScore | dict[str, Any] = bleu_score(
        PREDICTIONS, REFERENCES, profile=name
    )
    other: dict[str, Any] = bleu_score(PREDICTIONS, REFERENCES, profile="google_bleu")
    rouge: dict[str, RougeScores] = rouge_scores(PREDICTIONS, REFERENCES, profile="lin2004")
    assert (type(plain), type(nltk)) == (BleuScore, BleuScore)
    assert (either, list(other)) == (percentages, ["google_bleu"])
    assert all(type(score) is RougeScores for score in rouge.values())


_OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_order": 2, "lowercase": True},
    {"smooth": "floor", "smooth_value": 0.5, "tokenizer": "char"},
    {"weights": [0.75, 0.25], "reference_length": "longest"},
    {"weights": [[1.0], [0.5, 0.5]]},
]


@pytest.mark.parametrize(
    ("profile", "options"),
    [
        *product([None, "hf", "sacrebleu", "nltk"], _OPTIONS),
        *product(["google_bleu", "coco"], _OPTIONS[:2]),
        *product(["codexglue"], ({}, {"lowercase": True, "tokenizer": "char"})),
    ],
    ids=str,
)
def test_bleu_score_is_that_of_the_metric(
    profile: BleuProfile | None, options: dict[str, Any], bleu: evaluate.Metric
) -> None:
    expected = bleu.compute(**TEXTS, profile=profile, **options)
    score = bleu_score(PREDICTIONS, REFERENCES, profile=profile, **options)
    result = score if isinstance(score, dict) else score._asdict()
    assert list(result.items()) == list(expected.items())


@pytest.mark.parametrize("profile", ["hf", "nltk", "sacrebleu"])
@pytest.mark.parametrize("weights", [None, [(0.5, 0.5), (1.0,)]], ids=str)
def test_both_results_answer_to_the_names_of_the_other(profile: Any, weights: Any) -> None:
    result = bleu_score(PREDICTIONS, REFERENCES, profile=profile, weights=weights)
    assert set(result._asdict()) == set(result._fields)
    # bleu is from 0 to 1 and score from 0 to 100, whoever is asked.
    if isinstance(result, SacrebleuScore):
        scores, own = result.bleu, result.score
        assert scores == ([x / 100 for x in own] if isinstance(own, list) else own / 100)
        assert result.brevity_penalty == result.bp
        assert result.translation_length == result.sys_len
        assert result.reference_length == result.ref_len
        assert result.length_ratio == result.sys_len / result.ref_len
    else:
        scores, own = result.score, result.bleu
        assert scores == ([100 * x for x in own] if isinstance(own, list) else 100 * own)
        assert result.bp == result.brevity_penalty
        assert result.sys_len == result.translation_length
        assert result.ref_len == result.reference_length
    assert isinstance(scores, list) is (weights is not None)


def test_an_empty_reference_has_no_length_ratio() -> None:
    assert SacrebleuScore(0.0, [0], [1], [0.0], 1.0, 1, 0).length_ratio == 0


# Of coco, whose tokenizer has no Porter stemmer.
@pytest.mark.filterwarnings("ignore:use_stemmer=True has no effect")
@pytest.mark.parametrize("profile", ROUGE_PROFILES)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rouge_types": ["rouge1", "rougeSU4", "rougeW-1.2", "rougeLsum"], "beta": 2},
        {"use_stemmer": True, "multi_reference": "mean"},
        {"tokenizer": "char", "word_limit": 6},
    ],
    ids=str,
)
def test_rouge_scores_are_those_of_the_metric_for_every_sample(
    profile: str, options: dict[str, Any], rouge: evaluate.Metric
) -> None:
    relevant = {k: v for k, v in options.items() if is_relevant(k, profile, ["rouge"])}
    given: dict[str, Any] = {**relevant, "profile": profile}
    keys = PartScore.keys
    if profile in ONE_REFERENCE:
        given, keys = dict(RougePackage.narrow(given)), RougePackage.keys
    texts = {"predictions": PREDICTIONS, "references": choose_references(profile)}
    expected = rouge.compute(**texts, **given, use_aggregator=False, detailed=True)
    scores = rouge_scores(*texts.values(), **given)
    assert list(scores) == list(expected)
    for name, score in scores.items():
        assert {key: getattr(score, part).tolist() for key, part in keys.items()} == expected[name]
