"""The law of explanations: what they count sums to the integers of both kernels."""

import math
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_rouge_metric import Options, Scorer, explain, use_kernel
from bleu_rouge_metric.counting.kernels import KernelName
from bleu_rouge_metric.families.coco_bleu import CocoBleuExplanation
from bleu_rouge_metric.families.gleu import GleuExplanation
from bleu_rouge_metric.families.pltrdy.scoring import PltrdyScoring
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.families.rouge.counting import read_rouge
from bleu_rouge_metric.families.rouge.parts import PartScoring
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.samples.inputs import check_pair
from bleu_rouge_metric.scoring.counting import count_samples

from ..conftest import needs_native, unfit_texts
from ..support.commands import ONE_REFERENCE
from ..support.strategies import any_texts, examples, spaced_texts
from .explained_counts import (
    check_bleu,
    check_coco_rouge,
    check_gleu,
    check_pltrdy,
    check_texts,
    count_type,
)

pytestmark = [
    *unfit_texts,
    pytest.mark.filterwarnings("ignore:.*(has no effect|stop_words):UserWarning"),
]

KERNELS = ["python", pytest.param("native", marks=needs_native)]

TYPES = [
    *("rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum", "rougeW-1.2", "rougeW-2"),
    *("rougeS*", "rougeS0", "rougeS3", "rougeSU4", "rougeSU*"),
]

# Options of which each example has some; a profile takes those that it has.
CHOICES: list[dict[str, Any]] = [
    {},
    {"tokenizer": "13a"},
    {"tokenizer": "intl"},
    {"tokenizer": "nltk"},
    {"tokenizer": "ptb"},
    {"tokenizer": "mteval-v11a"},
    {"rouge_tokenizer": "xlsum"},
    {"rouge_tokenizer": "xlsum", "use_stemmer": True, "stop_words": ["the", "of"]},
    {"rouge_tokenizer": "xlsum-burmese", "use_stemmer": "hindi"},
    {"tokenizer": "zh"},
    {"tokenizer": "unicode"},
    {"tokenizer": "grapheme"},
    {"tokenizer": "korouge", "use_stemmer": True},
    {"tokenizer": "google-adk", "use_stemmer": True},
    {"tokenizer": "char"},
    {"tokenizer": str.split},
    {"rouge_tokenizer": "rouge-1.5.5", "bleu_tokenizer": "whitespace"},
    {"use_stemmer": True},
    {"use_stemmer": "english", "rouge_tokenizer": "unicode"},
    {"stop_words": ["the", "of", "a"]},
    {"stop_words": ["the", "of", "a"], "use_stemmer": True, "word_limit": 6},
    {"word_limit": 1},
    {"byte_limit": 12},
    {"sentence_splitter": lambda text: text.split(".")},
    {"exclusive": False},
    {"lowercase": True, "max_order": 6},
    {"smooth": "exp", "effective_order": True},
    {"smooth": "floor", "reference_length": "longest"},
    {"smooth": "method5", "reference_length": "average"},
    {"smooth": "method7-corrected"},
    {"smooth": True, "weights": (0.5, 0.25, 0.25)},
    {"auto_reweigh": True},
    {"beta": 2},
    {"min_order": 2},
    *({"multi_reference": name} for name in ("best_recall", "micro", "mean", "jackknife")),
]

# Short lines with much in common, several of which are within a limit.
lines = st.lists(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), max_size=5
).map("\n".join)
texts = any_texts | spaced_texts | lines

# A prediction with its references, under a profile and some of the choices.
given_pairs = given(
    texts,
    st.lists(texts, min_size=1, max_size=3),
    st.sampled_from(list(PROFILES)),
    st.lists(st.sampled_from(CHOICES), max_size=2),
)


def keep_references(profile: str, references: list[str]) -> list[str]:
    """Return as many references as a profile can compare with."""
    return references[:1] if profile in ONE_REFERENCE else references


def relevant(profile: str, choices: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the options that a profile has."""
    families = PROFILES[profile].families
    options = {name: value for choice in choices for name, value in choice.items()}
    if "word_limit" in options:
        options.pop("byte_limit", None)
    if "rouge" in families:
        options["rouge_types"] = TYPES
    for name in PROFILES[profile].calculates:
        options = dict(FAMILIES[name].narrow(options))
    return {
        "profile": profile,
        **{name: value for name, value in options.items() if is_relevant(name, profile, families)},
    }


@pytest.mark.parametrize("kernel", KERNELS)
@examples(3)
@given_pairs
def test_what_an_explanation_counts_sums_to_the_integers_of_the_kernel(
    kernel: KernelName,
    prediction: str,
    references: list[str],
    profile: str,
    choices: list[dict[str, Any]],
) -> None:
    references = keep_references(profile, references)
    check_law(kernel, prediction, references, relevant(profile, choices))


@pytest.mark.parametrize("kernel", KERNELS)
@examples(2)
@example("a b\nc d e", ["a b\nc d e"], "rouge-1.5.5", {"byte_limit": 5})
@example("a b\nc d\na", ["a b\nc a"], "rouge-1.5.5", {"byte_limit": 4})
@given(
    lines,
    st.lists(lines, min_size=1, max_size=2),
    st.sampled_from(["hf", "rouge-1.5.5", "lin2004"]),
    st.builds(
        lambda name, most: {name: most},
        st.sampled_from(["byte_limit", "word_limit"]),
        st.integers(1, 12),
    ),
)
def test_what_a_limit_leaves_sums_to_the_integers_of_the_kernel(
    kernel: KernelName,
    prediction: str,
    references: list[str],
    profile: str,
    limit: dict[str, int],
) -> None:
    check_law(kernel, prediction, references, relevant(profile, [limit]))


def check_law(
    kernel: KernelName, prediction: str, references: list[str], options: dict[str, Any]
) -> None:
    """Check every count of an explanation against those of a kernel."""
    with use_kernel(kernel):
        explanation = explain(prediction, references, **options)
        plan = Options.from_keywords(options).plan()
        counts = count_samples(check_pair(prediction, references), plan.counting)
    check_texts(explanation, prediction, references)
    if not {"bleu", "coco_bleu", "codexglue"}.isdisjoint(plan.counting.parts):
        check_bleu(explanation, counts)
    if "coco_rouge" in plan.counting.parts:
        check_coco_rouge(explanation, counts)
    if "google_bleu" in plan.counting.parts:
        check_gleu(explanation, counts)
    if "pltrdy" in plan.counting.parts:
        check_pltrdy(explanation, counts, plan.counting.parts["pltrdy"])
    if "rouge" not in plan.counting.parts:
        return
    counting: Any = plan.counting.parts["rouge"]
    scoring: Any = plan.scoring.parts["rouge"]
    rouge = read_rouge(counts, counting.types)
    for name, counted in scoring.types.items():
        for index, numbers in enumerate(rouge.of(counted).tolist()):
            found = count_type(explanation, name, counted, index, counting)
            if counting.lin2004 and counted.startswith("rougeW"):
                # The kernel adds the differences of f along a run, which rounds differently.
                assert found == pytest.approx(numbers, rel=1e-12), name
            else:
                assert found == numbers, name


@examples(2)
@given_pairs
def test_the_scores_are_those_of_the_sample_alone(
    prediction: str, references: list[str], profile: str, choices: list[dict[str, Any]]
) -> None:
    options = relevant(profile, choices)
    references = keep_references(profile, references)
    explanation = explain(prediction, references, **options)
    scorer = (
        Scorer(detailed=True, sentence_bleu=True, aggregator="mean", **options)
        if (len(PROFILES[profile].families) == 2)
        else Scorer(**options)
    )
    scorer.update([prediction], [references])
    result: dict[str, Any] = scorer.result()
    bleu = explanation.bleu
    if isinstance(bleu, GleuExplanation):
        assert bleu.score == result["google_bleu"]
        assert bleu.score == (bleu.matches / bleu.total if bleu.total else 0)
    elif isinstance(bleu, CocoBleuExplanation):
        assert bleu.scores == {name: result[name] for name in bleu.scores}
        assert [[score] for score in bleu.scores.values()] == result["sentence_bleu"]
        weighed = math.log(bleu.brevity_penalty or 1) + sum(
            order.contribution or 0 for order in bleu.orders
        )
        if bleu.brevity_penalty:
            assert math.exp(weighed) == pytest.approx(bleu.score, rel=1e-9)
    elif bleu is not None:
        assert bleu.score == result["bleu" if "bleu" in result else "score"]
        assert [bleu.sentence_score] == result.get("sentence_bleu", [bleu.sentence_score])
        if profile != "codexglue":
            penalty = result["bp" if "bp" in result else "brevity_penalty"]
            assert bleu.brevity_penalty == penalty
        assert (bleu.logarithm is None) == (bleu.score == 0)
        if bleu.logarithm is not None:
            scale = 100 if PROFILES[profile].percentages else 1
            # A sum of logarithms rounds differently from the formula of the score.
            assert scale * math.exp(bleu.logarithm) == pytest.approx(bleu.score, rel=1e-9)
    # The mean of one sample may have fewer digits: ROUGE-1.5.5 rounds it again.
    each: dict[str, Any] = scorer.result(use_aggregator=False) if explanation.rouge else {}
    keys = PltrdyScoring.keys if profile in ONE_REFERENCE else PartScoring.keys
    for name, rouge in explanation.rouge.items():
        expected = {part: getattr(rouge, part) for part in ("precision", "recall", "fmeasure")}
        assert each[name] == {key: [expected[part]] for key, part in keys.items()}
        if rouge.reference is not None:
            chosen = rouge.references[rouge.reference]
            assert {part: getattr(chosen, part) for part in expected} == expected
