"""Steps of a comparison of profiles: each is an option that differs, or says what scores do."""

from typing import Any

import pytest

from bleu_rouge_metric import ProfileComparison, ProfileDifference, compare_profiles
from bleu_rouge_metric.families.family import Change
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.options.options import Options

from ..conftest import unfit_texts
from ..support.commands import PREDICTIONS, REFERENCES

pytestmark = list(unfit_texts)


def steps_of(
    comparison: ProfileComparison, profile: str, score: str
) -> list[tuple[str, object, object]]:
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
        for profile in comparison.scores
    }
    assert options == {
        "hf": set(),
        "rouge_score": set(),
        "sacrebleu": {"reference_length", "arithmetic"},
        "nltk": {"reference_length", "bleu_tokenizer", "arithmetic"},
        "google_bleu": {"arithmetic"},
        "coco": {"bleu_tokenizer", "rouge_tokenizer", "arithmetic"},
        "codexglue": {"bleu_tokenizer", "arithmetic"},
        "xlsum": set(),
        "rouge-1.5.5": {"multi_reference", "arithmetic", "aggregator"},
        "lin2004": {"multi_reference", "arithmetic"},
    }


def test_words_sets_and_sentences_of_rouge_are_steps() -> None:
    comparison = compare_profiles(
        ["b a. a"],
        ["a b. a!"],
        profiles=["rouge", "rouge-chinese"],
        rouge_types=["rouge1", "rougeL"],
    )
    tokenizer = ("rouge_tokenizer", "rouge", "whitespace")
    formula = "the F-measure has 1e-8 in its denominator, and the mean is summed from left to right"
    words = (
        "the marks at which sentences end separate words, and a blank sentence counts as one word"
    )
    once = "each distinct n-gram counts once"
    union = "the distinct words of the LCS of all pairs of sentences"
    assert steps_of(comparison, "rouge", "rouge1") == [
        tokenizer,
        ("arithmetic", "", formula),
        ("arithmetic", "", words),
        ("arithmetic", "", once),
    ]
    assert steps_of(comparison, "rouge", "rougeL")[-1] == ("arithmetic", "", union)
    # Chinese sentences do not end at these marks.
    assert steps_of(comparison, "rouge-chinese", "rougeL") == [
        tokenizer,
        ("arithmetic", "", formula),
    ]
    summed = compare_profiles(
        ["b a. a"], ["a b. a!"], profiles=["rouge"], rouge_types=["rougeL"], exclusive=False
    )
    reason = "the LCS of all pairs of sentences, whose lengths are summed"
    assert steps_of(summed, "rouge", "rougeL")[-1] == ("arithmetic", "", reason)


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


def test_the_stemmer_of_a_language_is_a_step_to_a_profile_without_stemmers() -> None:
    comparison = compare_profiles(
        ["दो किताबें"], [["तीन किताब"]], language="hi", rouge_types=["rouge1"]
    )
    assert comparison.scores["hf"]["rouge1"] == 0.5
    assert comparison.scores["rouge"]["rouge1"] == 0.0
    step = ("use_stemmer", "hindi", False)
    for profile, score in (("rouge", "rouge1"), ("rouge-chinese", "rouge1")):
        assert steps_of(comparison, profile, score) == [step]


def test_an_option_that_is_given_is_no_step() -> None:
    options: dict[str, Any] = {"tokenizer": "char", "multi_reference": "mean", "smooth": "exp"}
    comparison = compare_profiles(PREDICTIONS, REFERENCES, **options)
    changed = {step.option for step in comparison.differences}
    assert changed == {"arithmetic", "aggregator"}


def test_a_difference_says_what_changed() -> None:
    (step,) = compare_profiles(
        ["a b c d"], [["a b c d", "a b c d e f g h"]], profiles=["lin2004"], rouge_types=["rouge1"]
    ).differences
    assert step == ProfileDifference(
        "lin2004", "rouge1", "multi_reference", "best", "jackknife", 1.0, (1 + 2 / 3) / 2
    )


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
    types = [score] if score.startswith("rouge") else None
    family: Any = "rouge" if types else "bleu"
    changes = {}
    for name in ("hf", profile):
        plan = Options(profile=name, rouge_types=types).plan([family])  # type: ignore[arg-type]
        ((found, counting),) = plan.counting.parts.items()
        changes[name] = Change(counting, plan.scoring.parts[found])
    counts: Any = None
    values = before, after
    found_reason = FAMILIES[found].explain_change(
        score, changes["hf"], changes[profile], counts, values
    )
    assert found_reason == reason


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
