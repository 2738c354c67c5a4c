"""Errors and warnings of a comparison of profiles."""

import re
from pathlib import Path
from typing import Any

import evaluate
import pytest

import bleu_rouge_metric.analysis.profiles
from bleu_rouge_metric import compare_profiles

from ..support.known_names import PROFILE_NAMES


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        (
            {"profiles": ["hf", "perl"]},
            ValueError,
            f"Unknown profile 'perl'; expected one of {PROFILE_NAMES}.",
        ),
        (
            {"profiles": [1]},
            TypeError,
            f"profile is 1; expected one of {PROFILE_NAMES}.",
        ),
        (
            {"profiles": "hf"},
            TypeError,
            "profiles is the str 'hf'; expected a sequence of names. Use profiles=['hf'].",
        ),
        ({"profiles": 1}, TypeError, "profiles is of type int; expected a sequence of names."),
        (
            {"profiles": []},
            ValueError,
            "profiles is empty; expected at least one profile, such as 'hf'.",
        ),
        ({"profile": "hf"}, TypeError, "Unknown option 'profile'; did you mean 'profiles'?"),
        (
            {"use_stemer": True},
            TypeError,
            "Unknown option 'use_stemer'; did you mean 'use_stemmer'?",
        ),
        *(
            (
                {option: 1},
                TypeError,
                f"{option} does not apply to compare_profiles, which compares one number per "
                "score. Use metric.compute.",
            )
            for option in ("confidence", "detailed", "seed", "sentence_bleu", "use_aggregator")
        ),
        (
            {"profiles": ["nltk", "sacrebleu"], "use_stemmer": True},
            TypeError,
            "use_stemmer has no effect under the profiles 'nltk', 'sacrebleu'. Remove it, or "
            "compare other profiles.",
        ),
        (
            {"profiles": ["google_bleu"], "smooth": "exp"},
            TypeError,
            "smooth has no effect under the profiles 'google_bleu'. Remove it, or compare "
            "other profiles.",
        ),
        (
            {"weights": [[1.0], [0.5, 0.5]]},
            ValueError,
            "weights has 2 sets; expected one, because compare_profiles compares one number per "
            "score.",
        ),
        (
            {"profiles": ["nltk", "hf"], "rouge_types": "rouge1"},
            TypeError,
            "rouge_types is the str 'rouge1'; expected a sequence of types. "
            "Use rouge_types=['rouge1'].",
        ),
        ({"max_order": 0}, ValueError, "max_order is 0; expected an int from 1 to 100."),
    ],
)
def test_a_bad_argument_is_an_error_before_any_work(
    keywords: dict[str, Any],
    error: type[Exception],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bleu_rouge_metric.analysis.profiles, "count_samples", None)
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        compare_profiles([None], [None], **keywords)


def test_bad_samples_are_those_of_the_metric(metric: evaluate.Metric) -> None:
    with pytest.raises(ValueError, match="references") as caught:
        metric.compute(predictions=["a"], references=[[]])
    with pytest.raises(ValueError, match=f"^{re.escape(str(caught.value))}$"):
        compare_profiles(["a"], [[]])


def test_texts_that_lose_their_tokens_are_one_warning_at_the_caller() -> None:
    with pytest.warns(UserWarning, match="^The 'rouge' tokenizer leaves nothing") as record:
        compare_profiles(["кошка спит"], ["кошка дома"])
    assert [Path(warning.filename).name for warning in record] == [Path(__file__).name]
