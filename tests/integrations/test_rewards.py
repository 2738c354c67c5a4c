"""Rewards equal those that are computed with rouge_score and a textbook BLEU."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from bleu_rouge_metric import PairScorer
from bleu_rouge_metric.integrations.rewards import make_reward, make_verl_score

from ..support.bleu_references import sacrebleu_scores
from ..support.strategies import any_texts, spaced_corpora
from ..support.textbook import evaluate_bleu

PROMPTS = ["Sum up: the cat sat on the mat.", "Sum up: a dog ran.", "Sum up: rain fell.", "x"]
COMPLETIONS = ["the cat sat", "a dog <answer>a dog ran</answer>", "", "snow fell at noon"]
REFERENCES = ["the cat sat down", ["a dog ran", "dogs"], "rain fell", "snow fell at noon"]


def first_words(text: str) -> str:
    return " ".join(text.split()[:2])


def score_bleu(prediction: str, references: list[str], *, smooth: bool) -> float:
    """Evaluate's BLEU of a pair; 0 if a side has no tokens."""
    if not prediction.split() or not all(text.split() for text in references):
        return 0.0
    tokens = [prediction.split()], [[text.split() for text in references]]
    return float(evaluate_bleu(*tokens, smooth=smooth)["bleu"])


def score_rouge(name: str, prediction: str, references: list[str]) -> float:
    scores = RougeScorer([name]).score_multi(references, prediction)
    return float(scores[name].fmeasure)


@pytest.mark.filterwarnings("ignore:.*(leaves (nothing|.* in one piece)|lose letters):UserWarning")
@given(st.lists(st.tuples(any_texts, st.lists(any_texts, min_size=1, max_size=3)), min_size=1))
def test_rouge_equals_rouge_score(samples: list[tuple[str, list[str]]]) -> None:
    completions, references = map(list, zip(*samples, strict=True))
    reward = make_reward("rougeL")
    expected = [score_rouge("rougeL", *sample) for sample in samples]
    found = reward(prompts=completions, completions=completions, ground_truth=references)
    assert found == expected


@given(spaced_corpora, st.booleans())
def test_bleu_equals_a_textbook(corpus: list[tuple[str, list[str]]], smooth: bool) -> None:
    completions, references = map(list, zip(*corpus, strict=True))
    reward = make_reward("bleu", smooth=smooth)
    expected = [score_bleu(*sample, smooth=smooth) for sample in corpus]
    assert reward(completions=completions, ground_truth=references) == expected


@pytest.mark.usefixtures("kernel")
@given(spaced_corpora)
def test_combined_scores_equal_plain_formulas(corpus: list[tuple[str, list[str]]]) -> None:
    completions, references = map(list, zip(*corpus, strict=True))
    pairs = [
        (score_bleu(*sample, smooth=True), score_rouge("rougeL", *sample)) for sample in corpus
    ]
    cases: list[tuple[dict[str, Any], Callable[[float, float], float]]] = [
        ({}, lambda a, b: 2 * a * b / (a + b) if a and b else 0.0),
        ({"combine": "harmonic"}, lambda a, b: 2 * a * b / (a + b) if a and b else 0.0),
        ({"combine": "mean"}, lambda a, b: (a + b) / 2),
        ({"weights": (3, 1)}, lambda a, b: (3 * a + 1 * b) / 4),
        ({"weights": {"rougeL": 0.5, "bleu": 2}}, lambda a, b: (2 * a + 0.5 * b) / 2.5),
    ]
    for options, combine in cases:
        reward = make_reward(("bleu", "rougeL"), smooth=True, **options)
        found = reward(completions=completions, ground_truth=references)
        assert found == [combine(*pair) for pair in pairs]


def test_three_scores_have_a_harmonic_mean() -> None:
    reward = make_reward(("rouge1", "rouge2", "rougeL"))
    scores = PairScorer(("rouge1", "rouge2", "rougeL"))("a cat sat down", "the cat sat")
    (found,) = reward(completions=["a cat sat down"], ground_truth=["the cat sat"])
    assert found == 3 / (1 / scores[0] + 1 / scores[1] + 1 / scores[2])
    assert reward(completions=["a cat"], ground_truth=["cat a"]) == [0.0]


def test_bleu_of_sacrebleu_is_brought_to_one() -> None:
    text, references = "the cat sat on a mat today", ["the cat sat on the mat"]
    percent = sacrebleu_scores([(text, references)], is_sentence=True, effective_order=True)
    alone = make_reward("bleu", profile="sacrebleu")
    expected = percent[0]["score"] / 100
    assert 0 < expected < 1
    assert alone(completions=[text], ground_truth=references) == [expected]
    assert make_verl_score("bleu", profile="sacrebleu")("", text, references) == expected


def test_trl_calls_it_so() -> None:
    reward = make_reward("rougeL", reference="summary")
    expected = [
        max(score_rouge("rougeL", text, [one]) for one in ([ref] if isinstance(ref, str) else ref))
        for text, ref in zip(COMPLETIONS, REFERENCES, strict=True)
    ]
    others = {"trainer_state": object(), "log_extra": print, "log_metric": print}
    found = reward(
        prompts=PROMPTS,
        completions=COMPLETIONS,
        completion_ids=[[1, 2]] * 4,
        summary=REFERENCES,
        **others,
    )
    assert found == expected
    assert all(type(value) is float for value in found)
    messages = [[{"role": "assistant", "content": text}] for text in COMPLETIONS]
    assert reward(PROMPTS, messages, summary=REFERENCES, **others) == expected
    assert reward.__name__ == "rougeL"


def test_a_reference_that_is_none_has_no_reward() -> None:
    reward = make_reward(("bleu", "rouge1"), smooth=True)
    texts = ["a b", "a b", "c"]
    assert reward(completions=texts, ground_truth=[None, "a b", None]) == [None, 1.0, None]
    assert reward(completions=texts, ground_truth=[None] * 3) == [None] * 3


def test_nothing_is_scored_zero() -> None:
    for score in ("bleu", "google_bleu", "rouge1", "rougeL", "rougeLsum", ("bleu", "rougeL")):
        reward = make_reward(score)
        pairs = [("", "a b"), ("a b", ""), ("", ""), (" \n", "a"), ("a", ["", ""])]
        completions, references = zip(*pairs, strict=True)
        assert reward(completions=completions, ground_truth=references) == [0.0] * 5, score
        verl = make_verl_score(score)
        assert [verl("", *pair) for pair in pairs] == [0.0] * 5


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I think. <answer>a b</answer> Done.", "a b"),
        ("<answer>a</answer> No: <answer>\nb\nc</answer>", "b c"),
        ("I think. <answer>a b", "a b"),
        ("a b", "a b"),
        ("<answer></answer> a b", ""),
        ("a b</answer>", "a b</answer>"),
    ],
)
def test_the_answer_is_what_stands_in_its_tag(text: str, answer: str) -> None:
    for reference in ("a b", "b c", "answer a b"):
        expected = make_reward("rouge1")(completions=[answer], ground_truth=[reference])
        reward = make_reward("rouge1", extract="answer")
        assert reward(completions=[text], ground_truth=[reference]) == expected
        other = make_reward("rouge1", extract="final-text")
        if "<answer>" in text:
            renamed = text.replace("answer>", "final-text>")
            assert other(completions=[renamed], ground_truth=[reference]) == expected


def test_a_function_extracts() -> None:
    reward = make_reward("rouge1", extract=first_words)
    assert reward(completions=["a b c d"], ground_truth=["a b"]) == [1.0]
    verl = make_verl_score("rouge1", extract=first_words)
    assert verl("", "a b c d", "a b") == 1


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ([{"role": "assistant", "content": "a b"}], "a b"),
        ([{"content": "a b"}], "a b"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a "}, "b"]}], "a b"),
        (
            [{"role": "assistant", "content": [{"type": "image"}, {"type": "text", "text": "a"}]}],
            "a",
        ),
        (
            [
                {"role": "assistant", "content": None, "tool_calls": [{}]},
                {"role": "tool", "content": "c"},
                {"role": "assistant", "content": "a b"},
            ],
            "a b",
        ),
        ([{"role": "assistant", "content": "a"}, {"role": "tool", "content": "c"}], "a"),
        ([{"role": "assistant", "tool_calls": [{}]}], ""),
        ([{"role": "tool", "content": "a b"}], ""),
        ([], ""),
    ],
)
def test_messages_have_the_text_of_the_last_one_of_the_assistant(
    completion: Any, text: str
) -> None:
    reward = make_reward("rouge1")
    expected = reward(completions=[text], ground_truth=["a b"])
    assert reward(completions=[completion], ground_truth=["a b"]) == expected


def test_verl_calls_it_so() -> None:
    compute_score = make_verl_score(("bleu", "rougeL"), smooth=True)
    reward = make_reward(("bleu", "rougeL"), smooth=True)
    expected = reward(completions=COMPLETIONS, ground_truth=REFERENCES)
    found = [
        compute_score(
            data_source="news", solution_str=text, ground_truth=reference, extra_info={"index": 1}
        )
        for text, reference in zip(COMPLETIONS, REFERENCES, strict=True)
    ]
    assert found == expected
    assert all(type(value) is float for value in found)
    batch = compute_score(
        data_sources=np.array(["news"] * 4),
        solution_strs=COMPLETIONS,
        ground_truths=REFERENCES,
        extra_infos=[None] * 4,
        some_option=1,
    )
    assert batch == expected
    assert compute_score.__name__ == "bleu_rougeL"


def test_rewards_can_be_pickled() -> None:
    reward = make_reward(("bleu", "rougeL"), extract=first_words, weights=(1, 2), smooth=True)
    copy = pickle.loads(pickle.dumps(reward))
    assert copy(completions=COMPLETIONS, ground_truth=REFERENCES) == reward(
        completions=COMPLETIONS, ground_truth=REFERENCES
    )
    assert (copy.__name__, repr(copy)) == (reward.__name__, repr(reward))
    assert repr(make_reward("rouge1")).startswith("<Reward 'rouge1' of PairScorer('rouge1'")
    verl = pickle.loads(pickle.dumps(make_verl_score("rougeW-1.2", extract="answer")))
    assert verl("", "<answer>a b</answer>", "a b") == make_verl_score("rougeW-1.2")(
        "", "a b", "a b"
    )
    assert verl.__name__ == "rougeW_1_2"
