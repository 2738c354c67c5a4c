"""Comparison of profiles: steps lead from the scores of ``hf`` to those of each profile."""

import re
from pathlib import Path
from typing import Any

import evaluate
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleu_rouge_metric.analysis.profiles
from bleu_rouge_metric import Comparison, Difference, compare_profiles, load
from bleu_rouge_metric.analysis.profiles import COMPARED_ROUGE_TYPES
from bleu_rouge_metric.analysis.reasons import explain_arithmetic
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant

from ..conftest import unfit_texts
from ..support.commands import PREDICTIONS, REFERENCES

pytestmark = list(unfit_texts)

BLEU_KEYS = {"sacrebleu": "score", "google_bleu": "google_bleu"}
ROUGE_PROFILES = [name for name, profile in PROFILES.items() if "rouge" in profile.families]
BLEU_PROFILES = [name for name, profile in PROFILES.items() if "bleu" in profile.families]

# Common options, each with a value that changes scores.
COMMON: list[dict[str, Any]] = [
    {},
    {"tokenizer": "char"},
    {"bleu_tokenizer": "whitespace", "rouge_tokenizer": "13a"},
    {"rouge_tokenizer": "rouge-1.5.5", "use_stemmer": True},
    {"use_stemmer": "english"},
    {"rouge_types": ["rouge3", "rougeS*"]},
    {"max_order": 2, "lowercase": True},
    {"weights": (0.75, 0.25)},
    {"smooth": "floor", "smooth_value": 0.5},
    {"smooth_value": 0.5, "smooth": "method1"},
    {"smooth": True},
    {"reference_length": "longest", "effective_order": True, "auto_reweigh": True},
    {"multi_reference": "mean", "beta": 2},
    {"multi_reference": "best_recall"},
    {"aggregator": "bootstrap", "n_resamples": 30},
    {"aggregator": "mean"},
    {"stop_words": ["the", "of"], "word_limit": 8},
    {"byte_limit": 40},
    {"min_order": 2},
    {"tokenizer": None, "smooth": None},
]


def relevant(profile: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that a profile has."""
    families = PROFILES[profile].families
    return {name: value for name, value in options.items() if is_relevant(name, profile, families)}


def compute(
    texts: tuple[list[str], list[list[str]]], profile: str, options: dict[str, Any]
) -> dict[str, float]:
    """Return BLEU and the F-measures of ``metric.compute``, with the names of a comparison."""
    given = {"rouge_types": COMPARED_ROUGE_TYPES, **options, "profile": profile}
    metric = load(seed=0)
    scores = metric.compute(predictions=texts[0], references=texts[1], **relevant(profile, given))
    found: dict[str, float] = {}
    if "bleu" in PROFILES[profile].families:
        found["bleu"] = scores[BLEU_KEYS.get(profile, "bleu")]
    for name, value in scores.items():
        if name.startswith("rouge"):
            found[name] = value["fmeasure"] if isinstance(value, dict) else value
    return found


def check_chains(
    texts: tuple[list[str], list[list[str]]], comparison: Comparison, options: dict[str, Any]
) -> None:
    """Check that every score equals the metric's, and that steps lead to it from ``hf``'s score."""
    start = compute(texts, "hf", options)
    for profile, scores in comparison.scores.items():
        assert scores == compute(texts, profile, options), profile
        for name, score in scores.items():
            value = start[name]
            for step in comparison.differences:
                if (step.profile, step.score) == (profile, name):
                    assert step.before == value
                    assert step.after != value
                    assert step.new not in ("", None)
                    value = step.after
            assert value == score
    assert {step.profile for step in comparison.differences} <= set(comparison.scores) - {"hf"}


# A profile without resampling is scored with the options of all profiles.
@pytest.mark.filterwarnings("ignore:n_resamples is")
@pytest.mark.parametrize("options", COMMON, ids=str)
def test_steps_lead_from_hf_to_every_profile(options: dict[str, Any]) -> None:
    texts = PREDICTIONS, REFERENCES
    comparison = compare_profiles(*texts, **options)
    assert list(comparison.scores) == list(PROFILES)
    check_chains(texts, comparison, options)


words = st.lists(
    st.sampled_from(["a", "b", "c", "the", "-\n", ".\n", "dogs", "Dog"]), max_size=9
).map(" ".join)
samples = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1)


@pytest.mark.filterwarnings("ignore:n_resamples is")
@given(rows=samples, options=st.sampled_from(COMMON))
@settings(deadline=None, max_examples=60)
def test_steps_lead_from_hf_to_every_profile_for_any_texts(
    rows: list[tuple[str, list[str]]], options: dict[str, Any]
) -> None:
    texts = [text for text, _ in rows], [references for _, references in rows]
    fewer = {"n_resamples": 5, **options}
    check_chains(texts, compare_profiles(*texts, **fewer), fewer)


def steps_of(comparison: Comparison, profile: str, score: str) -> list[tuple[str, object, object]]:
    return [
        (step.option, step.old, step.new)
        for step in comparison.differences
        if (step.profile, step.score) == (profile, score)
    ]


def test_each_option_that_differs_is_a_step() -> None:
    predictions = ["Dogs, cats", "so the cat sat on the mat."]
    references = [["dogs , cats run", "dogs"], ["then the cat sat on the mat ."]]
    comparison = compare_profiles(predictions, references)
    options = {
        profile: {step.option for step in comparison.differences if step.profile == profile}
        for profile in PROFILES
    }
    assert options == {
        "hf": set(),
        "rouge_score": set(),
        "sacrebleu": {"reference_length", "arithmetic"},
        "nltk": {"reference_length", "bleu_tokenizer", "arithmetic"},
        "google_bleu": {"arithmetic"},
        "rouge-1.5.5": {"multi_reference", "arithmetic", "aggregator"},
        "lin2004": {"multi_reference", "arithmetic"},
    }


def test_the_smoothing_of_sacrebleu_is_a_step() -> None:
    comparison = compare_profiles(["a b c d e"], ["a b x d e"], profiles=["sacrebleu"])
    assert steps_of(comparison, "sacrebleu", "bleu") == [
        ("smooth", "none", "exp"),
        ("arithmetic", "", "percentages, from 0 to 100"),
    ]


def test_the_tokenizer_of_1_5_5_is_a_step() -> None:
    comparison = compare_profiles(
        ["the Kelvin sign \u212a"], ["the kelvin sign k"], profiles=["rouge-1.5.5"]
    )
    assert steps_of(comparison, "rouge-1.5.5", "rouge1")[0] == (
        "rouge_tokenizer",
        "rouge",
        "rouge-1.5.5",
    )


def test_an_option_that_is_given_is_no_step() -> None:
    options: dict[str, Any] = {"tokenizer": "char", "multi_reference": "mean", "smooth": "exp"}
    comparison = compare_profiles(PREDICTIONS, REFERENCES, **options)
    changed = {step.option for step in comparison.differences}
    assert changed == {"arithmetic", "aggregator"}


def test_a_common_option_holds_in_every_profile_that_has_it() -> None:
    texts = [*PREDICTIONS, "cats running"], [*REFERENCES, ["cat runs"]]
    plain = compare_profiles(*texts).scores
    stemmed = compare_profiles(*texts, use_stemmer="english").scores
    assert {name for name in PROFILES if stemmed[name] != plain[name]} == set(ROUGE_PROFILES)
    short = compare_profiles(*texts, max_order=2).scores
    assert {name for name in PROFILES if short[name] != plain[name]} == set(BLEU_PROFILES)
    by_characters = compare_profiles(*texts, tokenizer="char").scores
    assert {name for name in PROFILES if by_characters[name] != plain[name]} == set(PROFILES)
    types = compare_profiles(*texts, rouge_types=["rouge5"]).scores
    assert {name for name in PROFILES if "rouge5" in types[name]} == set(ROUGE_PROFILES)


def test_profiles_are_compared_in_their_order_each_once() -> None:
    comparison = compare_profiles(["a b"], ["a c"], profiles=["nltk", "hf", "nltk"])
    assert list(comparison.scores) == ["nltk", "hf"]
    assert {step.profile for step in comparison.differences} == {"nltk"}


@pytest.mark.parametrize(
    ("profile", "score", "before", "after", "reason"),
    [
        ("sacrebleu", "bleu", 0.25, 25.000000000000004, "percentages, from 0 to 100"),
        (
            "sacrebleu",
            "bleu",
            0.25,
            0.0,
            "percentages, from 0 to 100, and without any match the score is 0 with any smoothing",
        ),
        (
            "nltk",
            "bleu",
            0.25,
            0.25000000000000006,
            "the same operations in another order, which changes only the last digits",
        ),
        (
            "nltk",
            "bleu",
            0.0,
            1e-77,
            "a prediction too short for an order adds one n-gram to it, an order without a match "
            "counts as the smallest float or is left out instead of making the score 0, and "
            "without any match the score is 0 with any smoothing",
        ),
        (
            "google_bleu",
            "bleu",
            0.5,
            0.4,
            "GLEU, another score: the smaller one of precision and recall over the n-grams of all "
            "orders together, without smoothing, weights and brevity penalty",
        ),
        (
            "lin2004",
            "rougeLsum",
            0.3,
            0.4,
            "the union LCS is not clipped: a token of the prediction counts each time",
        ),
        (
            "lin2004",
            "rougeW-2",
            0.3,
            0.4,
            "one weighted LCS of the whole texts, not a union over sentences",
        ),
        ("lin2004", "rougeSU*", 0.3, 0.4, "the unigram of the last token counts too"),
    ],
)
def test_arithmetic_is_explained_by_what_it_did(
    profile: str, score: str, before: float, after: float, reason: str
) -> None:
    assert explain_arithmetic(profile, score, before, after) == reason


STRIPPED = "white space at the end of a text is removed"
PERCENTAGES = "percentages, from 0 to 100"
ROUNDED = "precision and recall are rounded to five digits, then the F-measure"
UNION = "the union LCS of the sentences, which the other profiles call rougeLsum"
CUT = "byte_limit cuts the sentences of rougeL and rougeW separately"
BOOTSTRAP = "the bootstrap of ROUGE-1.5.5: other resamples, and the mean of them"

PLAIN = ["a dog ran", "the sun is up today", "he sat"], ["a dog sat", "the sun was up", "he ran on"]
LINES = ["a cat\nthe dog ran"], ["the dog sat\na cat ran home"]
# F is 1/3 for both, but for the last bit, which is larger for the second; with five digits that of
# the first is 0.33334.
CHOICE = ["a " * 119], [["a " * 29 + "b " * 26, "a " * 25 + "b " * 6]]


@pytest.mark.parametrize(
    ("profile", "texts", "options", "reasons"),
    [
        ("rouge-1.5.5", PLAIN, {}, {"rouge1": [ROUNDED], "rougeL": [ROUNDED]}),
        (
            "rouge-1.5.5",
            PLAIN,
            {"aggregator": "bootstrap"},
            {"rouge1": [ROUNDED, BOOTSTRAP], "rougeL": [ROUNDED, BOOTSTRAP]},
        ),
        ("rouge-1.5.5", LINES, {}, {"rouge1": [ROUNDED], "rougeL": [UNION, ROUNDED]}),
        (
            "rouge-1.5.5",
            LINES,
            {"byte_limit": 12},
            {"rouge1": [], "rougeL": [UNION, CUT, ROUNDED]},
        ),
        (
            "rouge-1.5.5",
            CHOICE,
            {"multi_reference": "best"},
            {name: [f"{ROUNDED}; they choose other references"] for name in ("rouge1", "rougeL")},
        ),
        (
            "sacrebleu",
            (["a b"], [["b c d e f a", ""]]),
            {"max_order": 1},
            {"bleu": [f"{PERCENTAGES}, and references without tokens do not make the score 0"]},
        ),
        ("sacrebleu", (["a b c -\n"], ["a b c -"]), {}, {"bleu": [STRIPPED, PERCENTAGES]}),
    ],
    ids=["one line", "bootstrap", "lines", "cut", "choice", "no tokens", "white space"],
)
def test_parts_of_the_arithmetic_are_changed_one_after_the_other(
    profile: str, texts: tuple[Any, Any], options: dict[str, Any], reasons: dict[str, list[str]]
) -> None:
    comparison = compare_profiles(
        *texts, profiles=["hf", profile], rouge_types=["rouge1", "rougeL"], **options
    )
    found = {
        score: [
            new for option, _, new in steps_of(comparison, profile, score) if option == "arithmetic"
        ]
        for score in reasons
    }
    assert found == reasons


def test_a_segmenter_is_used_by_the_family_that_has_the_tokenizer() -> None:
    options: dict[str, Any] = {"rouge_tokenizer": "unicode", "segmenter": list}
    comparison = compare_profiles(
        ["日本"], ["日x"], profiles=["hf"], rouge_types=["rouge1"], **options
    )
    assert comparison.scores == {"hf": {"bleu": 0.0, "rouge1": 0.5}}
    message = (
        "segmenter is given, but only the tokenizer 'unicode' uses one. Use "
        "tokenizer='unicode', or leave the segmenter out."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        compare_profiles(["a"], ["a"], segmenter=list)


def test_a_difference_says_what_changed() -> None:
    (step,) = compare_profiles(
        ["a b c d"], [["a b c d", "a b c d e f g h"]], profiles=["lin2004"], rouge_types=["rouge1"]
    ).differences
    assert step == Difference(
        "lin2004", "rouge1", "multi_reference", "best", "jackknife", 1.0, (1 + 2 / 3) / 2
    )


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        (
            {"profiles": ["hf", "perl"]},
            ValueError,
            "Unknown profile 'perl'; expected one of 'hf', 'rouge_score', 'sacrebleu', 'nltk', "
            "'google_bleu', 'rouge-1.5.5', 'lin2004'.",
        ),
        (
            {"profiles": [1]},
            TypeError,
            "profile is 1; expected one of 'hf', 'rouge_score', 'sacrebleu', 'nltk', "
            "'google_bleu', 'rouge-1.5.5', 'lin2004'.",
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
                f"{option!r} is not an option of compare_profiles, which compares one number per "
                "score; use metric.compute.",
            )
            for option in ("confidence", "detailed", "seed", "sentence_bleu", "use_aggregator")
        ),
        (
            {"profiles": ["nltk", "sacrebleu"], "use_stemmer": True},
            TypeError,
            "'use_stemmer' has no effect under the profiles 'nltk', 'sacrebleu'; remove it, or "
            "compare others.",
        ),
        (
            {"profiles": ["google_bleu"], "smooth": "exp"},
            TypeError,
            "'smooth' has no effect under the profiles 'google_bleu'; remove it, or compare "
            "others.",
        ),
        (
            {"weights": [[1.0], [0.5, 0.5]]},
            ValueError,
            "weights has 2 sets; expected one, because compare_profiles compares one number per "
            "score.",
        ),
        (
            {"profiles": ["nltk"], "rouge_types": "rouge1"},
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
