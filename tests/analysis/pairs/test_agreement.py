"""Compare the agreement of groups with loops over rouge_score and NLTK, and with fractions.

evaluate's BLEU is that of ``bleu_score``, which the goldens compare with evaluate.
"""

import math
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import sentence_bleu
from rouge_score.rouge_scorer import RougeScorer

from bleu_rouge_metric import bleu_score, rouge_scores
from bleu_rouge_metric.analysis.pairs.agreement import agreement

from ...conftest import unfit_texts
from ...support.instructions import needs_instructions, read_instructions
from ...support.strategies import examples, spaced_texts, words

pytestmark = [*unfit_texts]

texts_of_words = st.lists(words, max_size=8).map(" ".join) | spaced_texts
many_groups = st.lists(st.lists(texts_of_words, min_size=2, max_size=6), min_size=1, max_size=5)

# LM-Polygraph's weights by the words of the shorter text.
WEIGHTS = {1: [1.0, 0.0, 0.0, 0.0], 2: [0.5, 0.5, 0.0, 0.0], 3: [0.33, 0.33, 0.33, 0.0]}


def read_groups() -> list[list[str]]:
    """Return groups of 2 to 30 instructions, some of which are equal."""
    texts = read_instructions()
    draw = random.Random(0)
    groups = [[draw.choice(texts) for _ in range(size)] for size in (2, 5, 3, 5, 30, 12, 5, 2)]
    return [*groups, [texts[0]] * 3, [texts[0], texts[1], texts[1]]]


def prepare_rouge(score: str, *, stems: bool) -> Callable[[str, str], float]:
    """Return the F-measure of a reference and a prediction."""
    scorer = RougeScorer([score], use_stemmer=stems)
    return lambda reference, prediction: float(scorer.score(reference, prediction)[score].fmeasure)


def score_nltk(reference: str, prediction: str) -> float:
    """Return BLEU with LM-Polygraph's weights."""
    sides = reference.split(), prediction.split()
    weights = WEIGHTS.get(min(map(len, sides)), [0.25] * 4)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "\nThe hypothesis contains 0 counts", UserWarning)
        return float(sentence_bleu([sides[0]], sides[1], weights=weights))


def score_lm_polygraph(texts: list[str], score: str) -> float:
    """Return the mean of the pairs."""
    compare = score_nltk if score == "bleu" else prepare_rouge(score, stems=True)
    pairs = [(i, j) for i in range(len(texts)) for j in range(i + 1, len(texts))]
    return float(np.mean([compare(texts[i], texts[j]) for i, j in pairs]))


def score_kuhn(texts: list[str], score: str) -> float:
    """Return the mean of the ordered pairs of unequal texts."""
    pairs = [(i, j) for i in texts for j in texts if i != j]
    if not pairs:
        return 0.0
    found = rouge_scores([i for i, _ in pairs], [j for _, j in pairs], rouge_types=[score])
    compare = prepare_rouge(score, stems=False)
    scores = [compare(j, i) for i, j in pairs]
    assert found[score].fmeasure.tolist() == scores
    # The exact mean, as metric.compute returns it.
    return math.fsum(scores) / len(scores)


def score_homogenization(texts: list[str], score: str, *, stems: bool = False) -> float:
    """Return what the library computes."""
    compare = prepare_rouge("rougeL", stems=stems)
    total = 0.0
    for index, text in enumerate(texts):
        others = texts[:index] + texts[index + 1 :]
        if score == "bleu":
            own = bleu_score(others, [[text] for _ in others]).bleu
        else:
            own = 0.0
            for other in others:
                own += compare(other, text)
        total += own / (len(texts) - 1)
    return round((total or len(texts)) / len(texts), 3)


DEFINITIONS: dict[str, Callable[..., float]] = {
    "lm-polygraph": score_lm_polygraph,
    "kuhn2023": score_kuhn,
    "homogenization": score_homogenization,
}
SCORES = [
    *(("lm-polygraph", score) for score in ("rouge1", "rouge2", "rougeL", "bleu")),
    *(("kuhn2023", score) for score in ("rouge1", "rouge2", "rougeL")),
    *(("homogenization", score) for score in ("rougeL", "bleu")),
]
each_score = pytest.mark.parametrize(("definition", "score"), SCORES)


@needs_instructions
@pytest.mark.usefixtures("kernel")
@each_score
def test_real_texts_score_as_the_published_code(definition: str, score: str) -> None:
    groups = read_groups()
    expected = [DEFINITIONS[definition](texts, score) for texts in groups]
    assert agreement(groups, score, definition=definition).tolist() == expected


@needs_instructions
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("stems", [True, False])
def test_homogenization_can_stem(*, stems: bool) -> None:
    groups = read_groups()
    expected = [score_homogenization(texts, "rougeL", stems=stems) for texts in groups]
    found = agreement(groups, definition="homogenization", use_stemmer=stems)
    assert found.tolist() == expected


@each_score
@given(many_groups)
@examples(0.5)
def test_any_texts_score_as_the_published_code(
    definition: str, score: str, groups: list[list[str]]
) -> None:
    expected = [DEFINITIONS[definition](texts, score) for texts in groups]
    assert agreement(groups, score, definition=definition).tolist() == expected


def test_groups_by_hand() -> None:
    # ROUGE-1 of the pairs: 2 * 2 / 5, 2 * 1 / 4 and 2 * 1 / 5 of their words.
    group = ["a cat", "a cat sat", "a dog"]
    for definition in ("lm-polygraph", "kuhn2023"):
        (found,) = agreement([group], "rouge1", definition=definition)
        assert found == (0.8 + 0.5 + 0.4) / 3
    assert agreement([group], definition="homogenization").tolist() == [0.567]


def test_equal_texts() -> None:
    group = ["a b c d e"] * 4
    for definition, score in SCORES:
        (found,) = agreement([group], score, definition=definition)
        # Homogenization divides the corpus BLEU by the number of other texts.
        expected = {"kuhn2023": 0.0}.get(definition, 1.0)
        assert found == (0.333 if (definition, score) == ("homogenization", "bleu") else expected)


def test_texts_without_a_common_word() -> None:
    group = ["a b", "c d", "e f"]
    for definition, score in SCORES:
        (found,) = agreement([group], score, definition=definition)
        # The library takes a sum of 0 for that of equal texts.
        assert found == (1.0 if definition == "homogenization" else 0.0)


def test_bleu_of_empty_texts_is_zero() -> None:
    groups = [["", "a b c d"], ["", ""], [" ", "a"]]
    assert agreement(groups, "bleu", definition="lm-polygraph").tolist() == [0.0, 0.0, 0.0]
    # evaluate raises ZeroDivisionError.
    assert agreement(groups, "bleu", definition="homogenization").tolist() == [1.0, 1.0, 1.0]


def test_a_single_text_has_no_unequal_text() -> None:
    groups = [["a"], ["a b", "a c"], ["b"]]
    assert agreement(groups, "rouge1", definition="kuhn2023").tolist() == [0.0, 0.5, 0.0]
    assert agreement([["a"]], definition="kuhn2023").tolist() == [0.0]


def test_sequences_of_other_types() -> None:
    expected = agreement([["a b", "a c"]], definition="kuhn2023")
    assert expected.dtype == np.float64
    for groups in ((("a b", "a c"),), np.array([["a b", "a c"]]), iter([iter(["a b", "a c"])])):
        assert agreement(groups, definition="kuhn2023") == expected


@pytest.mark.parametrize(
    ("groups", "definition", "error"),
    [
        ([], "kuhn2023", "groups is empty; expected at least one group of texts."),
        ([["a"], []], "kuhn2023", "groups[1] is empty; expected at least one text in each group."),
        (
            [["a", "b"], ["a"]],
            "lm-polygraph",
            "groups[1] has one text; expected at least two, which are compared with each other.",
        ),
        (
            [["a"]],
            "homogenization",
            "groups[0] has one text; expected at least two, which are compared with each other.",
        ),
        (
            [["a", "b"]],
            "kuhn",
            "Unknown definition 'kuhn'; expected one of 'lm-polygraph', 'kuhn2023', "
            "'homogenization'. Did you mean 'kuhn2023'?",
        ),
    ],
)
def test_wrong_values(groups: object, definition: str, error: str) -> None:
    with pytest.raises(ValueError, match=r"^") as raised:
        agreement(groups, definition=definition)
    assert str(raised.value) == error


def test_a_score_that_the_definition_does_not_have() -> None:
    with pytest.raises(ValueError, match=r"^") as raised:
        agreement([["a", "b"]], "BLEU", definition="lm-polygraph")
    assert str(raised.value) == (
        "Unknown score 'BLEU'; expected one of 'rouge1', 'rouge2', 'rougeL', 'bleu'. "
        "Did you mean 'bleu'?"
    )


@pytest.mark.parametrize(
    ("groups", "definition", "options", "error"),
    [
        (
            [["a", "b"], ["a", None]],
            "kuhn2023",
            {},
            'groups[1][1] is None; expected a str. Drop the sample, or give the empty text "" to '
            "score it 0.",
        ),
        (
            ["a", "b"],
            "kuhn2023",
            {},
            "groups[0] is one str; expected a sequence of texts. If these are the texts of one "
            "group, wrap them: groups=[texts].",
        ),
        (
            [[[1, 2], [3]]],
            "kuhn2023",
            {},
            "groups has token ids; expected texts. Decode the ids.",
        ),
        (
            [["a", "b"]],
            "lm-polygraph",
            {"use_stemmer": False},
            "use_stemmer does not apply to the definition 'lm-polygraph' of rougeL. Remove it.",
        ),
        (
            [["a", "b"]],
            "homogenization",
            {"tokenizer": "char"},
            "tokenizer does not apply to the definition 'homogenization' of rougeL. Remove it.",
        ),
        (
            [["a", "b"]],
            "homogenization",
            {"use_stemmer": "yes"},
            "use_stemmer is 'yes'; expected True or False.",
        ),
        (
            [["a", "b"]],
            "kuhn2023",
            {"stem": 1},
            "Unknown option 'stem'; it is called 'use_stemmer' here.",
        ),
    ],
)
def test_wrong_types(groups: object, definition: str, options: dict[str, Any], error: str) -> None:
    with pytest.raises(TypeError) as raised:
        agreement(groups, definition=definition, **options)
    assert str(raised.value) == error
