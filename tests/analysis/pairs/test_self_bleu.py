"""Compare Self-BLEU with loops over NLTK and sacrebleu, and with fractions worked by hand."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import word_tokenize
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from bleu_rouge_metric.analysis.pairs.self_bleu import self_bleu

from ...conftest import unfit_texts
from ...support.bleu_references import plain_sums
from ...support.instructions import needs_instructions, read_instructions
from ...support.strategies import examples, spaced_texts, words

pytestmark = [*unfit_texts]

texts_of_words = st.lists(words, max_size=12).map(" ".join) | spaced_texts
many_texts = st.lists(texts_of_words, min_size=2, max_size=6)


def leave_one_out(items: list[Any]) -> list[tuple[Any, list[Any]]]:
    """Pair each item with all others."""
    return [(item, items[:index] + items[index + 1 :]) for index, item in enumerate(items)]


def average(scores: list[float]) -> float:
    """Sum from left to right, and divide by the number."""
    total = 0.0
    for score in scores:
        total += score
    return total / len(scores)


def score_texygen(texts: list[str]) -> dict[str, float]:
    """Return what Texygen computes, with NLTK."""
    tokens = [word_tokenize(text, preserve_line=True) for text in texts[:500]]
    smooth = SmoothingFunction().method1
    return {
        f"self_bleu_{order}": average(
            [
                sentence_bleu(others, own, (1.0 / order,) * order, smoothing_function=smooth)
                for own, others in leave_one_out(tokens)
            ]
        )
        for order in (2, 3, 4, 5)
    }


def score_helm(texts: list[str]) -> dict[str, float]:
    """Return what HELM computes, with sacrebleu."""
    stripped = [text.strip() for text in texts if text.strip()]
    if len(stripped) < 2:
        return {"self_bleu": 0}
    metric = BLEU(effective_order=True)
    with plain_sums():
        pairs = leave_one_out(stripped)
        return {"self_bleu": average([metric.sentence_score(*pair).score for pair in pairs])}


def score_corpus(texts: list[str], **options: Any) -> dict[str, float]:
    """Return sacrebleu's corpus BLEU; stream k has the k-th other text of each text."""
    streams = list(zip(*(others for _, others in leave_one_out(texts)), strict=True))
    with plain_sums():
        return {"self_bleu": BLEU(**options).corpus_score(texts, streams).score}


DEFINITIONS = {"texygen": score_texygen, "helm": score_helm, "corpus": score_corpus}
each_definition = pytest.mark.parametrize("definition", DEFINITIONS)


@needs_instructions
@each_definition
def test_real_texts_score_as_the_published_code(definition: str) -> None:
    texts = read_instructions()
    assert self_bleu(texts, definition=definition) == DEFINITIONS[definition](texts)


@each_definition
@given(many_texts)
@examples(0.5)
def test_any_texts_score_as_the_published_code(definition: str, texts: list[str]) -> None:
    assert self_bleu(texts, definition=definition) == DEFINITIONS[definition](texts)


@each_definition
@given(st.lists(many_texts, min_size=1, max_size=4))
@examples(0.5)
def test_groups_score_as_each_alone(definition: str, groups: list[list[str]]) -> None:
    found = self_bleu(groups, definition=definition)
    alone = [self_bleu(group, definition=definition) for group in groups]
    assert {name: array.tolist() for name, array in found.items()} == {
        name: [scores[name] for scores in alone] for name in found
    }


def test_texygen_reads_the_first_500_texts_of_each_group() -> None:
    first = [f"a{i % 7} b c{i % 3}" for i in range(500)]
    found = self_bleu([[*first, "x y", "x y"], first], definition="texygen")
    assert all(array[0] == array[1] for array in found.values())
    last = self_bleu([*first[1:], "x y", "x y"], definition="texygen")
    assert last != {name: array[0] for name, array in found.items()}


@pytest.mark.parametrize(
    "options",
    [{"tokenizer": "char"}, {"tokenizer": "intl", "lowercase": True}, {"lowercase": True}],
)
def test_corpus_has_options_of_sacrebleu(options: dict[str, Any]) -> None:
    texts = ["The cat sat down here.", "the cat sat - down there.", "A dog sat down; here."]
    theirs = {"tokenize" if name == "tokenizer" else name: options[name] for name in options}
    found = self_bleu(texts, definition="corpus", **options)
    assert found == score_corpus(texts, **theirs)
    assert found != self_bleu(texts, definition="corpus")


def test_texygen_by_hand() -> None:
    # "a b c" against "a b d": precisions 2/3 and 1/2; the same the other way round.
    found = self_bleu(["a b c", "a b d"], definition="texygen")
    assert math.isclose(found["self_bleu_2"], math.sqrt(1 / 3))  # rounded by logarithms
    # The third precision is 0.1 of 1 trigram.
    assert math.isclose(found["self_bleu_3"], (1 / 30) ** (1 / 3))


def test_equal_texts_score_most() -> None:
    texts = ["a b c d e"] * 3
    assert set(self_bleu(texts, definition="texygen").values()) == {1.0}
    # As sacrebleu rounds it.
    assert self_bleu(texts, definition="helm") == {"self_bleu": 100.00000000000004}
    assert self_bleu(texts, definition="corpus") == {"self_bleu": 100.00000000000004}


def test_texts_without_a_common_word_score_zero() -> None:
    for definition in DEFINITIONS:
        found = self_bleu(["a b", "c d", "e f"], definition=definition)
        assert set(found.values()) == {0.0}


@pytest.mark.parametrize("texts", [["a"], [""], ["", " "], ["a", "\n"]])
def test_helm_scores_fewer_than_two_texts_zero(texts: list[str]) -> None:
    assert self_bleu(texts, definition="helm") == {"self_bleu": 0.0}
    found = self_bleu([["a b c d e", "a b c d e"], texts], definition="helm")["self_bleu"]
    assert found.tolist() == [100.00000000000004, 0.0]


@pytest.mark.parametrize("definition", ["texygen", "corpus"])
def test_empty_texts_are_texts(definition: str) -> None:
    for texts in (["", ""], ["", "a b c d", "a b c d e"]):
        assert self_bleu(texts, definition=definition) == DEFINITIONS[definition](texts)


def test_sequences_of_other_types() -> None:
    texts = ["a b c", "a b d"]
    expected = self_bleu(texts, definition="helm")
    for sequence in (tuple(texts), np.array(texts), iter(texts)):
        assert self_bleu(sequence, definition="helm") == expected
    groups = np.array([texts, texts])
    assert self_bleu(groups, definition="helm")["self_bleu"].dtype == np.float64


LEAST = "expected at least two, which are compared with each other."


@pytest.mark.parametrize(
    ("texts", "options", "error"),
    [
        (
            "a b",
            {},
            "texts is one str; expected a sequence of texts. To compare a single text, wrap it "
            "in a list: texts=[text].",
        ),
        (None, {}, "texts is missing; expected a sequence of texts."),
        (
            {"a": ["b"]},
            {},
            "texts is of type dict, which is not a sequence of texts; expected a sequence of "
            "texts, such as one column: texts=data['a'].",
        ),
        (["a", 3], {}, "texts[1] is 3 (int); expected a str. Nothing is converted to text."),
        (
            [["a", "b"], ["a", 3]],
            {},
            "groups[1][1] is 3 (int); expected a str. Nothing is converted to text.",
        ),
        (
            [["a", "b"], "a"],
            {},
            "groups[1] is one str; expected a sequence of texts. If these are the texts of one "
            "group, wrap them: groups=[texts].",
        ),
        ([[[1], [2]]], {}, "groups has token ids; expected texts. Decode the ids."),
        (
            ["a", "b"],
            {"tokenizer": "char"},
            "tokenizer does not apply to the definition 'texygen'. Remove it.",
        ),
        (["a", "b"], {"order": 3}, "Unknown option 'order'; did you mean 'min_order'?"),
    ],
)
def test_wrong_types(texts: object, options: dict[str, Any], error: str) -> None:
    with pytest.raises(TypeError) as raised:
        self_bleu(texts, definition="texygen", **options)
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("texts", "definition", "error"),
    [
        ([], "helm", "texts is empty; expected at least one text."),
        ([["a"], []], "helm", "groups[1] is empty; expected at least one text in each group."),
        (["a"], "texygen", f"texts has one text; {LEAST}"),
        ([["a", "b"], ["a"]], "corpus", f"groups[1] has one text; {LEAST}"),
        (
            ["a", "b"],
            "selfbleu",
            "Unknown definition 'selfbleu'; expected one of 'texygen', 'helm', 'corpus'.",
        ),
    ],
)
def test_wrong_values(texts: object, definition: str, error: str) -> None:
    with pytest.raises(ValueError, match=r"^") as raised:
        self_bleu(texts, definition=definition)
    assert str(raised.value) == error


def test_token_ids_are_not_texts() -> None:
    with pytest.raises(TypeError) as raised:
        self_bleu(["a", "b"], definition="corpus", tokenizer="ids")
    assert str(raised.value) == "tokenizer is 'ids', but Self-BLEU is of texts; leave it out."
