"""``bleu_score`` and ``rouge_scores``: the same numbers as ``metric.compute`` in every profile."""

from typing import Any

import pytest

from bleu_rouge_metric import BleuScore, RougeScores, SacrebleuScore, bleu_score, rouge_scores
from bleu_rouge_metric.options.profiles import BleuProfile

from ..support.commands import PREDICTIONS, REFERENCES


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
