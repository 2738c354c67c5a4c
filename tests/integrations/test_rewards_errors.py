"""What is wrong with a reward, or with its call, is said with its place and remedy."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric.integrations.rewards import make_reward, make_verl_score

REWARD = make_reward("rouge1")
VERL = make_verl_score("rouge1")
WEIGHTS = "expected one number of at least 0 for each of 'bleu', 'rougeL', not all of them 0."
MESSAGES = "expected a str, or a list of messages with role and content."

CALLS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "missing column": (
        lambda: REWARD(completions=["a"], answer=["a"], solution=["b"], trainer_state=None),
        ValueError,
        "There is no column 'ground_truth'; the columns are 'answer', 'solution'. Name the column "
        "of the references with make_reward(reference=...).",
    ),
    "no column": (
        lambda: REWARD(completions=["a"]),
        ValueError,
        "There is no column 'ground_truth'; the columns are none. Name the column of the "
        "references with make_reward(reference=...).",
    ),
    "lengths": (
        lambda: REWARD(completions=["a", "b"], ground_truth=["a"]),
        ValueError,
        "ground_truth has 1 items, but there are 2 completions; expected one for each.",
    ),
    "lengths of verl": (
        lambda: VERL(solution_strs=["a"], ground_truths=[]),
        ValueError,
        "ground_truths has 0 items, but there are 1 completions; expected one for each.",
    ),
    "a str": (
        lambda: REWARD(completions="a", ground_truth=["a"]),
        TypeError,
        "completions is of type str; expected a list with one text per sample.",
    ),
    "no completions": (
        lambda: REWARD(ground_truth=["a"]),
        TypeError,
        "completions is of type NoneType; expected a list with one text per sample.",
    ),
    "a reference for all": (
        lambda: REWARD(completions=["a"], ground_truth="a"),
        TypeError,
        "ground_truth is of type str; expected a list with one item per completion.",
    ),
    "one array": (
        lambda: REWARD(completions=np.array("a"), ground_truth=["a"]),
        TypeError,
        "completions is of type ndarray; expected a list with one text per sample.",
    ),
    "one array of references": (
        lambda: REWARD(completions=["a"], ground_truth=np.array("a")),
        TypeError,
        "ground_truth is of type ndarray; expected a list with one item per completion.",
    ),
    "a number": (
        lambda: REWARD(completions=["a", 3], ground_truth=["a", "b"]),
        TypeError,
        f"completions[1] is of type int; {MESSAGES}",
    ),
    "a message of a number": (
        lambda: REWARD(completions=[[3]], ground_truth=["a"]),
        TypeError,
        f"completions[0][0] is of type int; {MESSAGES}",
    ),
    "a message without content": (
        lambda: REWARD(completions=[[{"role": "assistant", "text": "a"}]], ground_truth=["a"]),
        ValueError,
        "completions[0][0] has no 'content'; it has 'role', 'text'.",
    ),
    "content of a number": (
        lambda: REWARD(completions=[[{"content": 3}]], ground_truth=["a"]),
        TypeError,
        "completions[0][0]['content'] is of type int; expected a str, or a list of parts with "
        "text.",
    ),
    "extract of a number": (
        lambda: make_reward(extract=3),  # type: ignore[arg-type]
        TypeError,
        "extract is of type int; expected the name of a tag, such as 'answer', or a function from "
        "the completion to the text that is scored.",
    ),
    "extract with brackets": (
        lambda: make_reward(extract="<answer>"),
        ValueError,
        "extract is '<answer>'; expected the name of a tag without its brackets, such as "
        "'answer', or a function.",
    ),
    "extract returns none": (
        lambda: make_reward(extract=lambda _: None)(  # type: ignore[arg-type,return-value]
            completions=["a"], ground_truth=["a"]
        ),
        TypeError,
        "extract returned NoneType for a completion; expected a str, empty if it has no answer.",
    ),
    "weights of one score": (
        lambda: make_reward("bleu", weights=[0.25] * 4),
        ValueError,
        "weights combines several scores, but there is only 'bleu'; leave it out.",
    ),
    "too many weights": (
        lambda: make_reward(("bleu", "rougeL"), weights=[1, 1, 1]),
        ValueError,
        f"weights has 3 items; {WEIGHTS}",
    ),
    "another weight": (
        lambda: make_reward(("bleu", "rougeL"), weights={"bleu": 1, "rouge1": 1}),
        ValueError,
        f"weights has 'bleu', 'rouge1'; {WEIGHTS}",
    ),
    "negative weight": (
        lambda: make_reward(("bleu", "rougeL"), weights=[-1, 2]),
        ValueError,
        f"weights is [-1, 2]; {WEIGHTS}",
    ),
    "no weight": (
        lambda: make_reward(("bleu", "rougeL"), weights=[0, 0]),
        ValueError,
        f"weights is [0, 0]; {WEIGHTS}",
    ),
    "weights of texts": (
        lambda: make_reward(("bleu", "rougeL"), weights=["1", 1]),  # type: ignore[list-item]
        TypeError,
        f"weights[0] is '1'; {WEIGHTS}",
    ),
    "weights as a number": (
        lambda: make_reward(("bleu", "rougeL"), weights=0.5),  # type: ignore[arg-type]
        TypeError,
        f"weights is 0.5; {WEIGHTS}",
    ),
    "both": (
        lambda: make_reward(("bleu", "rougeL"), combine="mean", weights=[1, 2]),
        ValueError,
        "combine and weights are given; expected one of them. weights makes a weighted mean.",
    ),
    "combine": (
        lambda: make_reward(("bleu", "rougeL"), combine="Mean"),  # type: ignore[arg-type]
        ValueError,
        "Unknown combine 'Mean'; expected one of 'harmonic', 'mean'. Did you mean 'mean'?",
    ),
    "reference": (
        lambda: make_reward(reference=["a"]),  # type: ignore[arg-type]
        TypeError,
        "reference is ['a']; expected the name of a column.",
    ),
    "none of verl": (
        lambda: VERL(solution_strs=["a", "b"], ground_truths=["a", None]),
        ValueError,
        "ground_truths[1] is None; expected a str or several. Leave samples without a reference "
        "out.",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_name_the_place_and_the_remedy(name: str) -> None:
    call, kind, message = CALLS[name]
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as caught:
        call()
    assert caught.type is kind


@pytest.mark.parametrize(
    ("references", "start"),
    [
        (["a", None, 5], "ground_truth[2] is"),
        ([None, ["a", 5], "a"], "ground_truth[1][1] is"),
        (["a", "a", []], "ground_truth[2] is empty;"),
        ([None, b"a", "a"], "ground_truth[1] is b'a';"),
    ],
)
def test_a_reference_that_cannot_be_scored_is_named(references: list[Any], start: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(start)}"):
        REWARD(completions=["a"] * 3, ground_truth=references)


def test_an_option_that_is_none_is_an_error() -> None:
    with pytest.raises(TypeError, match="smoth"):
        make_reward("bleu", smoth=True)  # type: ignore[call-arg]
