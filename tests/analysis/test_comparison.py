"""Comparison of profiles: steps lead from the scores of ``hf`` to those of each profile."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import ProfileComparison, compare_profiles, load
from bleu_rouge_metric.analysis import profiles as comparing
from bleu_rouge_metric.families.counts import SampleCounts
from bleu_rouge_metric.families.pltrdy.family import Pltrdy
from bleu_rouge_metric.families.pltrdy.types import to_type
from bleu_rouge_metric.families.rouge.family import Rouge
from bleu_rouge_metric.options.plans import CountPlan
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.samples.inputs import Samples
from bleu_rouge_metric.scoring.counting import count_samples
from bleu_rouge_metric.text.xlsum_stems import xlsum_stems

from ..conftest import unfit_texts
from ..support.commands import FIRST_REFERENCES, ONE_REFERENCE, PREDICTIONS, REFERENCES

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


def relevant(profile: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that a profile has."""
    families = PROFILES[profile].families
    return {name: value for name, value in options.items() if is_relevant(name, profile, families)}


def compute(
    texts: tuple[list[str], list[list[str]]], profile: str, options: dict[str, Any]
) -> dict[str, float]:
    """Return BLEU and the F-measures of ``metric.compute``, with the names of a comparison."""
    given = {**Rouge.compared, **options, "profile": profile}
    if profile in ONE_REFERENCE:
        given = dict(Pltrdy().narrow(given))
    metric = load(seed=0)
    scores = metric.compute(predictions=texts[0], references=texts[1], **relevant(profile, given))
    found: dict[str, float] = {}
    if "bleu" in PROFILES[profile].families:
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


def check_chains(
    texts: tuple[list[str], list[list[str]]], comparison: ProfileComparison, options: dict[str, Any]
) -> None:
    """Check that every score equals the metric's, and that steps lead to it from ``hf``'s score."""
    start = compute(texts, "hf", options)
    for profile, scores in comparison.scores.items():
        assert scores == compute(texts, profile, options), profile
        for name, score in scores.items():
            if name not in start:
                # A score that hf does not have is not compared.
                assert name not in {step.score for step in comparison.differences}
                continue
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
    # Those with one reference are left out.
    assert list(comparison.scores) == [name for name in PROFILES if name not in ONE_REFERENCE]
    check_chains(texts, comparison, options)


words = st.lists(
    st.sampled_from(["a", "b", "c", "the", "-\n", ".\n", "dogs", "Dog"]), max_size=9
).map(" ".join)
samples = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1)


@pytest.mark.filterwarnings("ignore:n_resamples is")
@given(rows=samples, options=st.sampled_from(COMMON))
def test_steps_lead_from_hf_to_every_profile_for_any_texts(
    rows: list[tuple[str, list[str]]], options: dict[str, Any]
) -> None:
    texts = [text for text, _ in rows], [references for _, references in rows]
    fewer = {"n_resamples": 5, **options}
    check_chains(texts, compare_profiles(*texts, **fewer), fewer)


def test_a_common_option_holds_in_every_profile_that_has_it() -> None:
    texts = [*PREDICTIONS, "cats running"], [*FIRST_REFERENCES, "cat runs"]
    plain = compare_profiles(*texts).scores
    stemmed = compare_profiles(*texts, use_stemmer="english").scores
    assert {name for name in PROFILES if stemmed[name] != plain[name]} == {
        name for name in ROUGE_PROFILES if is_relevant("use_stemmer", name, ["rouge"])
    }
    short = compare_profiles(*texts, max_order=2).scores
    of_orders = {name for name in BLEU_PROFILES if is_relevant("max_order", name, ["bleu"])}
    assert {name for name in PROFILES if short[name] != plain[name]} == of_orders
    by_characters = compare_profiles(*texts, tokenizer="char").scores
    assert {name for name in PROFILES if by_characters[name] != plain[name]} == set(PROFILES)
    types = compare_profiles(*texts, rouge_types=["rouge5"]).scores
    assert {name for name in PROFILES if "rouge5" in types[name]} == {
        name for name in ROUGE_PROFILES if is_relevant("rouge_types", name, ["rouge"])
    }


def test_profiles_are_compared_in_their_order_each_once() -> None:
    comparison = compare_profiles(["a b"], ["a c"], profiles=["nltk", "hf", "nltk"])
    assert list(comparison.scores) == ["nltk", "hf"]
    assert {step.profile for step in comparison.differences} == {"nltk"}


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


def test_what_profiles_count_alike_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[CountPlan] = []

    def count(samples: Samples, plan: CountPlan) -> SampleCounts:
        plans.append(plan)
        return count_samples(samples, plan)

    monkeypatch.setattr(comparing, "count_samples", count)
    compare_profiles(PREDICTIONS, REFERENCES)
    assert len(plans) == 15
    assert not any(plan in plans[:index] for index, plan in enumerate(plans))
