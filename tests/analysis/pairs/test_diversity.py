"""Compare Self-BLEU and agreement with loops over NLTK, sacrebleu and rouge_score."""

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize import word_tokenize
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from bleu_rouge_metric import agreement, self_bleu

from ...conftest import unfit_texts
from ...support.bleu_references import _add_up, plain_sums
from ...support.instructions import needs_instructions, read_instructions
from ...support.strategies import examples, spaced_texts, words

pytestmark = [*unfit_texts]

texts_of_words = st.lists(words, max_size=12).map(" ".join) | spaced_texts
many_texts = st.lists(texts_of_words, min_size=2, max_size=6)
# Equal texts, texts that share nothing, and empty ones.
extremes = example([["a b c d e"] * 3, ["a b", "c d", "e f"], ["", ""], ["", "a b c d", " "]])
many_groups = st.lists(many_texts, min_size=1, max_size=5)


def leave_one_out(items: list[Any]) -> list[tuple[Any, list[Any]]]:
    return [(item, items[:index] + items[index + 1 :]) for index, item in enumerate(items)]


def average(scores: list[float]) -> float:
    return _add_up(scores) / len(scores)


def score_texygen(texts: list[str]) -> dict[str, float]:
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
@given(many_groups)
@extremes
@examples(0.5)
def test_any_groups_score_as_the_published_code(definition: str, groups: list[list[str]]) -> None:
    alone = [DEFINITIONS[definition](texts) for texts in groups]
    found = self_bleu(groups, definition=definition)
    assert {name: array.tolist() for name, array in found.items()} == {
        name: [scores[name] for scores in alone] for name in found
    }
    assert self_bleu(groups[0], definition=definition) == alone[0]


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


@pytest.mark.parametrize("texts", [["a"], [""], ["", " "], ["a", "\n"]])
def test_helm_scores_fewer_than_two_texts_zero(texts: list[str]) -> None:
    assert self_bleu(texts, definition="helm") == {"self_bleu": 0.0}
    found = self_bleu([["a b c d e", "a b c d e"], texts], definition="helm")["self_bleu"]
    assert found.tolist() == [100.00000000000004, 0.0]


def score_nltk(reference: str, prediction: str) -> float:
    """Return BLEU with LM-Polygraph's weights, by the words of the shorter text."""
    weights = {1: [1.0, 0.0, 0.0, 0.0], 2: [0.5, 0.5, 0.0, 0.0], 3: [0.33, 0.33, 0.33, 0.0]}
    sides = reference.split(), prediction.split()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "\nThe hypothesis contains 0 counts", UserWarning)
        own = weights.get(min(map(len, sides)), [0.25] * 4)
        return float(sentence_bleu([sides[0]], sides[1], weights=own))


def score_lm_polygraph(texts: list[str], score: str) -> float:
    compare: Callable[[str, str], float] = score_nltk
    if score != "bleu":
        scorer = RougeScorer([score], use_stemmer=True)
        compare = lambda reference, text: scorer.score(reference, text)[score].fmeasure  # noqa: E731
    pairs = [(i, j) for i in range(len(texts)) for j in range(i + 1, len(texts))]
    return float(np.mean([compare(texts[i], texts[j]) for i, j in pairs]))


each_score = pytest.mark.parametrize("score", ["rouge1", "rouge2", "rougeL", "bleu"])


@needs_instructions
@pytest.mark.usefixtures("kernel")
@each_score
def test_real_texts_agree_as_in_the_published_code(score: str) -> None:
    texts = read_instructions()
    draw = random.Random(0)
    groups = [[draw.choice(texts) for _ in range(size)] for size in (2, 5, 3, 5, 30, 12, 5, 2)]
    groups += [[texts[0]] * 3, [texts[0], texts[1], texts[1]]]
    expected = [score_lm_polygraph(texts, score) for texts in groups]
    assert agreement(groups, score).tolist() == expected


@each_score
@given(many_groups)
@extremes
@examples(0.5)
def test_any_texts_agree_as_in_the_published_code(score: str, groups: list[list[str]]) -> None:
    expected = [score_lm_polygraph(texts, score) for texts in groups]
    assert agreement(groups, score).tolist() == expected
