"""What is wrong with a reward, or with its call, is said with its place and remedy."""

import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric.integrations.rewards import make_reward, make_verl_score

from ..support.reward_tokenizers import EOS, PAD, WordTokenizer, find_id

REWARD: Any = make_reward("rouge1")
VERL: Any = make_verl_score("rouge1")
IDS: Any = make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer())
NEGATIVE: Any = make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer(sign=-1))
BARE: Any = make_reward("rouge1", tokens="ids", eos=EOS)
BOTH = ("bleu", "rougeL")
DECODER: Any = type("Decoder", (), {"batch_decode": print})()

WEIGHTS = "expected one number of at least 0 for each of 'bleu', 'rougeL', not all of them 0."
MESSAGES = "expected a str, or a list of messages with role and content."
ONE_TEXT = "expected a list with one text per sample."
ONE_ITEM = "expected a list with one item per completion."
ONE_SEQUENCE = "expected one sequence of ids per sample."
OF_INTS = "expected a sequence of int ids."
BELOW_0 = "has the id -1; expected ids of at least 0, or one that ignore_index or pad names."
NO_COLUMN = "Name the column of the references with make_reward(reference=...)."
OF_TEXTS = "which is for texts, but tokens is 'ids'; leave it out."

# Arguments of make_reward, and the error.
MADE: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"extract": 3}, TypeError, "extract is of type int; expected the name of a tag, such as "
     "'answer', or a function from the completion to the text that is scored."),
    ({"extract": "<answer>"}, ValueError, "extract is '<answer>'; expected the name of a tag "
     "without its brackets, such as 'answer', or a function."),
    ({"score": "bleu", "weights": [0.25] * 4}, ValueError, "weights combines several scores, but "
     "there is only 'bleu'; leave it out."),
    ({"weights": [1, 1, 1]}, ValueError, f"weights has 3 items; {WEIGHTS}"),
    ({"weights": {"bleu": 1, "rouge1": 1}}, ValueError, f"weights has 'bleu', 'rouge1'; {WEIGHTS}"),
    ({"weights": [-1, 2]}, ValueError, f"weights is [-1, 2]; {WEIGHTS}"),
    ({"weights": [0, 0]}, ValueError, f"weights is [0, 0]; {WEIGHTS}"),
    ({"weights": ["1", 1]}, TypeError, f"weights[0] is '1'; {WEIGHTS}"),
    ({"weights": 0.5}, TypeError, f"weights is 0.5; {WEIGHTS}"),
    ({"combine": "mean", "weights": [1, 2]}, ValueError, "combine and weights are given; "
     "expected one of them. weights makes a weighted mean."),
    ({"combine": "Mean"}, ValueError, "Unknown combine 'Mean'; expected one of 'harmonic', "
     "'mean'. Did you mean 'mean'?"),
    ({"reference": ["a"]}, TypeError, "reference is ['a']; expected the name of a column."),
    ({"name": 3}, TypeError, "name is 3; expected a str, such as 'short_answers'."),
    ({"strip": 3}, TypeError, "strip is 3; expected a regular expression, as a str."),
    ({"smoth": True}, TypeError, "Unknown option 'smoth'; did you mean 'smooth'?"),
    ({"tokens": "id"}, ValueError, "Unknown tokens 'id'; expected one of 'text', 'ids'. Did you "
     "mean 'ids'?"),
    *(
        (
            {"tokens": "ids", "tokenizer": tokenizer},
            TypeError,
            f"tokenizer is {shown}; expected the tokenizer or processor of the model, which is "
            "called with texts and has all_special_ids.",
        )
        for tokenizer, shown in (("13a", "'13a'"), (find_id, "of type function"))
    ),
    ({"tokenizer": DECODER}, TypeError, "tokenizer is of type Decoder, which makes token ids; "
     "expected the name of a tokenizer of texts, or a function from a text to its tokens. To "
     "score ids use tokens='ids'."),
    ({"tokens": "ids", "pad": PAD}, ValueError, "tokens is 'ids', but nothing says which ids are "
     "special; expected tokenizer=, the tokenizer of the model, or eos= and pad=."),
    *(
        (
            {"tokens": "ids", "eos": EOS, name: value},
            ValueError,
            f"{name} is {value!r}, {OF_TEXTS}",
        )
        for name, value in (
            ("extract", "answer"),
            ("strip", "x+"),
            ("use_stemmer", True),
            ("bleu_tokenizer", "intl"),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "kind", "message"), MADE)
def test_errors_of_making_a_reward(
    arguments: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        make_reward(**{"score": BOTH, **arguments})


# A reward, its completions and references, and the error.
CALLS: list[tuple[Any, Any, Any, type[Exception], str]] = [
    (REWARD, ["a", "b"], ["a"], ValueError, "ground_truth has 1 item, but there are 2 samples; "
     f"{ONE_ITEM}"),
    (REWARD, "a", ["a"], TypeError, f"completions is one str; {ONE_TEXT}"),
    (REWARD, None, ["a"], TypeError, f"completions is missing; {ONE_TEXT}"),
    (REWARD, np.array("a"), ["a"], TypeError, f"completions is a single value ('a'); {ONE_TEXT}"),
    (REWARD, ["a"], "a", TypeError, f"ground_truth is one str; {ONE_ITEM}"),
    (REWARD, ["a"], np.array("a"), TypeError, f"ground_truth is a single value ('a'); {ONE_ITEM}"),
    (REWARD, ["a", 3], ["a", "b"], TypeError, f"completions[1] is of type int; {MESSAGES}"),
    (REWARD, [[3]], ["a"], TypeError, f"completions[0][0] is of type int; {MESSAGES}"),
    (REWARD, [[{"role": "assistant", "text": "a"}]], ["a"], ValueError,
     "completions[0][0] has no 'content'; it has 'role', 'text'."),
    (REWARD, [[{"content": 3}]], ["a"], TypeError,
     "completions[0][0]['content'] is of type int; expected a str, or a list of parts with text."),
    (make_reward(extract=lambda _: None), ["a"], ["a"], TypeError,  # type: ignore[arg-type,return-value]
     "extract returned NoneType for a completion; expected a str, empty if it has no answer."),
    (REWARD, ["a"] * 3, ["a", None, 5], TypeError, "ground_truth[2] is 5 (int); expected a str or "
     "a sequence of str. Nothing is converted to text."),
    (REWARD, ["a"] * 2, [None, ["a", 5]], TypeError, "ground_truth[1][1] is 5 (int); expected a "
     "str. Nothing is converted to text."),
    (REWARD, ["a"] * 2, ["a", []], ValueError, "ground_truth[1] is empty; every prediction needs "
     "at least one reference."),
    (IDS, None, ["the"], TypeError, f"completion_ids is missing; {ONE_SEQUENCE}"),
    (IDS, ["a"], ["the"], TypeError, f"completion_ids[0] is of type str; {OF_INTS}"),
    (IDS, "a", ["the"], TypeError, f"completion_ids is one str; {ONE_SEQUENCE}"),
    (IDS, [[3], [3, "4"]], ["the"] * 2, TypeError, "completion_ids[1][1] is '4'; expected an int, "
     "the id of a token."),
    (IDS, [[3], [3, -1]], ["the"] * 2, ValueError, f"completion_ids[1] {BELOW_0}"),
    (IDS, [[3], [3]], [[3], [-1]], ValueError, f"ground_truth[1] {BELOW_0}"),
    (IDS, [[3]] * 2, [None, [[3], [-1]]], ValueError, f"ground_truth[1] {BELOW_0}"),
    (BARE, [[3]], [[3.0]], TypeError, "ground_truth[0][0] is 3.0; expected an int, the id of a "
     "token."),
    (NEGATIVE, [[3]], ["</s>"], ValueError, f"ground_truth[0] {BELOW_0}"),
    (IDS, [[2**70]], ["the"], ValueError, f"completion_ids[0] has the id {2**70}; expected ids of "
     "less than 2 ** 63."),
    (BARE, [[3], [3]], [None, "the"], TypeError, "ground_truth[1] is text, but there is no "
     "tokenizer; expected token ids. Use make_reward(tokenizer=...) with the tokenizer of the "
     "model."),
    (IDS, [[3]], [[[3], 3]], TypeError, f"ground_truth[0][1] is 3; {OF_INTS}"),
    (IDS, [[3]], [3], TypeError, f"ground_truth[0] is 3; {OF_INTS}"),
]  # fmt: skip


@pytest.mark.parametrize(("reward", "completions", "references", "kind", "message"), CALLS)
def test_errors_of_a_call_name_the_place_and_the_remedy(
    reward: Any, completions: Any, references: Any, kind: type[Exception], message: str
) -> None:
    name = "completion_ids" if "eos=" in repr(reward) else "completions"
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        reward(**{name: completions}, ground_truth=references)


def test_a_missing_column_is_named() -> None:
    for columns, shown in (
        ({"answer": ["a"], "solution": ["b"]}, "'answer', 'solution'"),
        ({}, "none"),
    ):
        message = f"There is no column 'ground_truth'; the columns are {shown}. {NO_COLUMN}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            REWARD(completions=["a"], trainer_state=None, **columns)


def test_verl_wants_a_reference_for_each() -> None:
    for references, kind, message in (
        ([], ValueError, f"ground_truths has 0 items, but there is 1 sample; {ONE_ITEM}"),
        ([None], TypeError, "ground_truths[0] is None; expected a str or a sequence of str. Drop "
         'the sample, or give the empty text "" to score it 0.'),
    ):  # fmt: skip
        with pytest.raises(kind, match=f"^{re.escape(message)}$"):
            VERL(solution_strs=["a"], ground_truths=references)
    for verl in (VERL, make_verl_score("rouge1", strip="x+")):
        with pytest.raises(TypeError, match=r"^ground_truth is 5 \(int\); expected a str or"):
            verl("", "a", 5)
