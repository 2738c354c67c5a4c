"""compare_profiles: steps lead from the scores of ``hf`` to those of each profile."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_rouge_metric import ProfileComparison, ProfileDifference, compare_profiles, load
from bleu_rouge_metric.analysis import profiles as comparing
from bleu_rouge_metric.families.rouge.family import Rouge
from bleu_rouge_metric.families.rouge_package.family import RougePackage
from bleu_rouge_metric.families.rouge_package.types import to_type
from bleu_rouge_metric.families.score import Score
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.scoring.counting import count_samples
from bleu_rouge_metric.text.xlsum import xlsum_stems

from ..conftest import unfit_texts
from ..support.commands import FIRST_REFERENCES, ONE_REFERENCE, PREDICTIONS, REFERENCES
from ..support.errors import read_errors
from ..support.strategies import examples

pytestmark = list(unfit_texts)

Texts = tuple[list[str], list[Any]]

BLEU_KEYS = {"sacrebleu": "score", "google_bleu": "google_bleu"}

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


@pytest.fixture(scope="module", autouse=True)
def _stop_words() -> Iterator[None]:
    """Give NLTK, which need not have its lists, one that XL-Sum's stemmers do not stem."""

    class Words:
        def words(self, _: str) -> list[str]:
            return ["having"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nltk.stem.snowball.stopwords", Words())
        xlsum_stems.cache_clear()
        yield
    xlsum_stems.cache_clear()


def compute(texts: Texts, profile: str, options: dict[str, Any]) -> dict[str, float]:
    """Return BLEU and the F-measures of ``metric.compute``, with the names of a comparison."""
    given = {**Rouge.compared, **options, "profile": profile}
    if profile in ONE_REFERENCE:
        given = dict(RougePackage.narrow(given))
    families = PROFILES[profile].families
    relevant = {name: given[name] for name in given if is_relevant(name, profile, families)}
    scores = load(seed=0).compute(predictions=texts[0], references=texts[1], **relevant)
    found: dict[str, float] = {}
    if "bleu" in families:
        # The score of the highest order of coco is compared with BLEU.
        last = max((name for name in scores if name.startswith("Bleu_")), default="bleu")
        found["bleu"] = scores.pop(BLEU_KEYS.get(profile, last))
    for name, value in scores.items():
        if name.startswith("rouge"):
            key = "f" if profile in ONE_REFERENCE else "fmeasure"
            found[to_type(name) or name] = value[key] if isinstance(value, dict) else value
        elif name.startswith("Bleu_"):
            found[name] = value
        elif name == "ROUGE_L":
            found["rougeL"] = value
    return found


def check_chains(texts: Texts, comparison: ProfileComparison, options: dict[str, Any]) -> None:
    """Check that every score equals the metric's, and that steps lead to it from ``hf``'s score."""
    start = compute(texts, "hf", options)
    for profile, scores in comparison.scores.items():
        assert scores == compute(texts, profile, options), profile
        for name, score in scores.items():
            steps = [step for step in comparison.differences if step[:2] == (profile, name)]
            # A score that hf does not have is not compared.
            value = start.get(name, score)
            for step in steps:
                assert name in start
                assert step.before == value
                assert step.after != value
                assert step.new not in ("", None)
                value = step.after
            assert value == score
    others = {name: set(scores) for name, scores in comparison.scores.items() if name != "hf"}
    assert all(step.score in others[step.profile] for step in comparison.differences)


words = st.lists(
    st.sampled_from(["a", "b", "c", "the", "-\n", ".\n", "dogs", "Dog"]), max_size=9
).map(" ".join)
samples = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1)


# A profile without resampling is scored with the options of all profiles.
@pytest.mark.filterwarnings("ignore:n_resamples is")
@pytest.mark.parametrize("options", COMMON, ids=str)
@given(rows=samples)
@example(rows=list(zip(PREDICTIONS, REFERENCES, strict=True)))
@examples(0.1)
def test_steps_lead_from_hf_to_every_profile(
    rows: list[tuple[str, list[str]]], options: dict[str, Any]
) -> None:
    texts = [text for text, _ in rows], [references for _, references in rows]
    fewer = {"n_resamples": 5, **options}
    comparison = compare_profiles(*texts, **fewer)
    if any(len(references) > 1 for references in texts[1]):
        # Those with one reference are left out.
        assert list(comparison.scores) == [name for name in PROFILES if name not in ONE_REFERENCE]
    check_chains(texts, comparison, fewer)


def test_a_common_option_holds_in_every_profile_that_has_it() -> None:
    texts = [*PREDICTIONS, "cats running"], [*FIRST_REFERENCES, "cat runs"]
    plain = compare_profiles(*texts).scores
    options: dict[str, Any] = {
        "use_stemmer": "english",
        "max_order": 2,
        "rouge_types": ["rouge5"],
        "tokenizer": "char",
    }
    for option, value in options.items():
        scores = compare_profiles(*texts, **{option: value}).scores
        assert {name for name in PROFILES if scores[name] != plain[name]} == {
            name
            for name, profile in PROFILES.items()
            if is_relevant(option, name, profile.families)
        }


def test_profiles_are_compared_in_their_order_each_once() -> None:
    comparison = compare_profiles(["a b"], ["a c"], profiles=["nltk", "hf", "nltk"])
    assert list(comparison.scores) == ["nltk", "hf"]
    assert {step.profile for step in comparison.differences} == {"nltk"}


def test_a_segmenter_is_used_by_the_family_that_has_the_tokenizer() -> None:
    comparison = compare_profiles(
        ["日本"],
        ["日x"],
        profiles=["hf"],
        rouge_types=["rouge1"],
        rouge_tokenizer="unicode",
        segmenter=list,
    )
    assert comparison.scores == {"hf": {"bleu": 0.0, "rouge1": 0.5}}


def test_what_profiles_count_alike_is_counted_once() -> None:
    with patch.object(comparing, "count_samples", wraps=count_samples) as count:
        compare_profiles(PREDICTIONS, REFERENCES)
    plans = [call.args[1] for call in count.call_args_list]
    assert len(plans) == 12
    assert not any(plan in plans[:index] for index, plan in enumerate(plans))


def test_an_option_that_is_given_is_no_step() -> None:
    options: dict[str, Any] = {"tokenizer": "char", "multi_reference": "mean", "smooth": "exp"}
    comparison = compare_profiles(PREDICTIONS, REFERENCES, **options)
    assert {step.option for step in comparison.differences} == {"arithmetic", "aggregator"}


def test_a_difference_says_what_changed() -> None:
    (step,) = compare_profiles(
        ["a b c d"], [["a b c d", "a b c d e f g h"]], profiles=["lin2004"], rouge_types=["rouge1"]
    ).differences
    assert step == ProfileDifference(
        "lin2004", "rouge1", "multi_reference", "best", "jackknife", 1.0, (1 + 2 / 3) / 2
    )


def steps(profile: str, score: str, *texts: Any, **options: Any) -> str:
    """Return all steps from the score of ``hf`` to that of a profile."""
    chosen = {"rouge_types": ["rouge1", "rougeL"], **options}
    differences = compare_profiles(*texts, profiles=["hf", profile], **chosen).differences
    found = [
        step.new if step.option == "arithmetic" else f"{step[2]}: {step[3]} → {step[4]}"
        for step in differences
        if step.score == score
    ]
    return " | ".join(map(str, found)) or "no step"


def list_options(profile: str) -> str:
    """Return the options that are steps from ``hf`` to a profile, for texts with many."""
    predictions = ["Dogs, cats", "so the cat sat on the mat."]
    references = [["dogs , cats run", "dogs"], ["then the cat sat on the mat ."]]
    differences = compare_profiles(predictions, references, profiles=[profile]).differences
    return " ".join(sorted({step.option for step in differences})) or "none"


def reason(profile: str, score: str, before: float, after: float) -> str:
    types = [score] if score.startswith("rouge") else None
    family: Any = "rouge" if types else "bleu"
    scores = list[Score]()
    for name in ("hf", profile):
        plan = Options(profile=name, rouge_types=types).plan([family])  # type: ignore[arg-type]
        scores += plan.scores.values()
    counts: Any = None
    return scores[1].explain_step(score, scores[0], counts, (before, after))


@pytest.mark.parametrize(
    ("call", "expected"), read_errors(Path(__file__).with_name("profiles.txt"))
)
def test_steps_and_their_reasons(call: str, expected: str) -> None:
    assert eval(call, {"list_options": list_options, "reason": reason, "steps": steps}) == expected


def test_bad_samples_are_those_of_the_metric() -> None:
    with pytest.raises(ValueError, match="references") as caught:
        load().compute(predictions=["a"], references=[[]])
    with pytest.raises(ValueError, match=f"^{re.escape(str(caught.value))}$"):
        compare_profiles(["a"], [[]])


@pytest.mark.filterwarnings("default:.*leaves nothing")
def test_texts_that_lose_their_tokens_are_one_warning_at_the_caller() -> None:
    with pytest.warns(UserWarning, match="^The 'rouge' tokenizer leaves nothing") as record:
        compare_profiles(["кошка спит"], ["кошка дома"])
    assert [Path(warning.filename).name for warning in record] == [Path(__file__).name]
