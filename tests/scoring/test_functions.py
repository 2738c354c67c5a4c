"""``bleu_score`` and ``rouge_scores``: the same numbers as ``metric.compute`` in every profile."""

from typing import Any

import pytest

from bleu_rouge_metric import SacrebleuScore, bleu_score

from ..support.commands import PREDICTIONS, REFERENCES


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
