"""What the functions on pairs of texts accept, and the whole text of every error."""

import re
from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import (
    DuplicateIndex,
    agreement,
    near_duplicates,
    score_matrix,
    select_best,
    select_consensus,
    self_bleu,
)

from ...conftest import unfit_texts

pytestmark = [*unfit_texts]

GROUPS = [["a b", "c"], ["d", "d e", "d"], ["", "e", "f"]]
DATA = datasets.Dataset.from_dict({"candidates": GROUPS, "id": [0, 1, 2]})
SHAPES: dict[str, Callable[[], object]] = {
    "tuples": lambda: tuple(map(tuple, GROUPS)),
    "a generator": lambda: map(tuple, GROUPS),
    "arrays": lambda: list(map(np.array, GROUPS)),
    "a Series": lambda: pd.Series(GROUPS, index=[7, 7, 0]),
    "several Series": lambda: [
        pd.Series(group, index=range(5, 5 + len(group))) for group in GROUPS
    ],
    "an Arrow array": lambda: pa.array(GROUPS),
    "a chunked array": lambda: pa.chunked_array([pa.array(GROUPS[:1]), pa.array(GROUPS[1:])]),
    "a column": lambda: DATA["candidates"],
    "a column of arrays": lambda: DATA.with_format("numpy")["candidates"],
    "a stream": lambda: DATA.to_iterable_dataset()["candidates"],
    "a stream of Arrow": lambda: DATA.with_format("arrow").to_iterable_dataset()["candidates"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_sequence_of_sequences_is_accepted(shape: str) -> None:
    def give() -> Any:
        return SHAPES[shape]()

    best, same = select_best(give(), give(), "rouge1"), select_best(GROUPS, GROUPS, "rouge1")
    assert best.texts == same.texts
    chosen = select_consensus(
        give(), "rouge1", references=give(), weights=[[1, 2], [1, 1, 2], (4,) * 3]
    )
    same_chosen = select_consensus(
        GROUPS, "rouge1", weights=map(np.array, [[1, 2], [1, 1, 2], [4] * 3])
    )
    for ours, theirs in ((best.scores, same.scores), (chosen.expected, same_chosen.expected)):
        assert [row.tolist() for row in ours] == [row.tolist() for row in theirs]
    assert agreement(give()).tolist() == agreement(GROUPS).tolist()
    found = self_bleu(give(), definition="helm")["self_bleu"]
    assert found.tolist() == self_bleu(GROUPS, definition="helm")["self_bleu"].tolist()


def test_arguments_are_not_changed() -> None:
    groups = [[[1, 2], [3, -100]], [[4]]]
    select_consensus(groups, "rouge1", tokenizer="ids")
    assert groups == [[[1, 2], [3, -100]], [[4]]]


WRAP = "If these are the texts of one group, wrap them: groups=[texts]."
OUTER = "expected a sequence of groups, each a sequence of texts"
DROP = 'Drop the sample, or give the empty text "" to score it 0.'
# groups, error, whole text of the error
BAD_GROUPS: list[tuple[object, type[Exception], str]] = [
    ([], ValueError, "groups is empty; expected at least one group of texts."),
    ("abc", TypeError, f"groups is one str; {OUTER}."),
    (None, TypeError, f"groups is missing; {OUTER}."),
    (3, TypeError, f"groups is of type int; {OUTER}."),
    (np.array("a"), TypeError, f"groups is a single value ('a'); {OUTER}."),
    (pd.DataFrame({"id": [1], "candidates": [["a"]]}), TypeError,
     f"groups is of type DataFrame, which is not a sequence; {OUTER}, such as one column: "
     "groups=data['id']."),
    (DATA.select_columns("candidates"), TypeError,
     f"groups is of type Dataset, which is not a sequence; {OUTER}, such as one column: "
     "groups=data['candidates']."),
    (["a", "b"], TypeError, f"groups[0] is one str; expected a sequence of texts. {WRAP}"),
    (pa.array(["a"]), TypeError, f"groups[0] is one str; expected a sequence of texts. {WRAP}"),
    ([[1, 2], [3]], TypeError,
     f"groups[0] is one sequence of token ids; expected a sequence of texts. {WRAP}"),
    ([["a"], [], []], ValueError, "groups[1] is empty; expected at least one text in each group."),
    ([["a"], None], TypeError, "groups[1] is missing; expected a sequence of texts."),
    ([{"a"}], TypeError,
     "groups[0] is of type set, which is not a sequence; "
     "expected a sequence of texts, such as a list."),
    ([["a"], ["b", None]], TypeError, f"groups[1][1] is None; expected a str. {DROP}"),
    ([["a", "b"], ["c"], ["d", 3]], TypeError,
     "groups[2][1] is 3 (int); expected a str. Nothing is converted to text."),
    ([[b"a"]], TypeError,
     "groups[0][0] is bytes; expected a str. Decode it, as in text.decode('utf-8')."),
    ([["a"], [["b", "c"]]], TypeError,
     "groups[1][0] is a sequence of 2 str; expected a str. If these are tokens, join them with "
     "spaces and use tokenizer='whitespace', or give token ids with tokenizer='ids'."),
    ([[[1], [2, 2.5]]], TypeError, "groups[0][1][1] is 2.5; expected an int, the id of a token."),
]  # fmt: skip


def find_error(
    function: Callable[..., object], **arguments: Any
) -> tuple[type[BaseException], str]:
    with pytest.raises((TypeError, ValueError)) as raised:
        function(**arguments)
    return raised.type, str(raised.value)


@pytest.mark.parametrize(("groups", "kind", "message"), BAD_GROUPS)
def test_bad_groups_are_one_clear_error(groups: Any, kind: type[Exception], message: str) -> None:
    assert find_error(select_best, groups=groups, references=["a"]) == (kind, message)
    assert find_error(select_consensus, groups=groups) == (kind, message)
    assert find_error(agreement, groups=groups) == (kind, message)
    if groups is not None:
        # The words "a sequence of groups" stay.
        renamed = re.sub(r"groups(?=\[| is|=)", "references", message)
        found = find_error(select_consensus, groups=[["a"], ["b"]], references=groups)
        assert found == (kind, renamed)


# Arguments that are right, and those that are wrong in place of them.
VALID: dict[Any, dict[str, Any]] = {
    score_matrix: {"texts": ["a", "b"]},
    near_duplicates: {"texts": ["a", "b"]},
    DuplicateIndex: {},
    DuplicateIndex().add: {},
    DuplicateIndex().find: {},
    DuplicateIndex(tokenizer="ids").find: {},
    select_best: {"groups": [["a"], ["b"]], "references": ["a", "b"]},
    select_consensus: {"groups": [["a", "b"], ["c"]]},
    self_bleu: {"texts_or_groups": ["a", "b"], "definition": "texygen"},
    agreement: {"groups": [["a", "b"]]},
}
MATRIX, NEAR, INDEX, ADD, FIND, FIND_IDS, BEST, CONSENSUS, SELF, AGREEMENT = VALID
LABELS = "expected one item in {} for every group."
IDS = "expected ids of at least 0, or one that ignore_index or pad names."
TOP = "expected an int from 0 to 1,048,576."
NUMBER = "expected a finite number, 0 or more."
EACH = "expected one weight for every pseudo-reference."
LEAST = "expected at least two, which are compared with each other."
PAIRS = "does not apply to single pairs, which have one number per score. Use metric.compute."
ALONE = "To compare a single text, wrap it in a list: texts=[text]."
TYPES, VALUES = TypeError, ValueError
BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (MATRIX, {"texts": []}, VALUES, "texts is empty; expected at least one text."),
    (MATRIX, {"others": []}, VALUES, "others is empty; expected at least one text."),
    (MATRIX, {"score": "bleu_recall"}, VALUES, "score has 'bleu_recall'; expected one of bleu."),
    (MATRIX, {"score": ["rouge1"] * 2}, VALUES, "score has 'rouge1' twice; expected it once."),
    (MATRIX, {"blocks": 0}, VALUES, "blocks is 0; expected an int from 1 to 1,099,511,627,776."),
    (MATRIX, {"blocks": 1.5}, TYPES, "blocks is 1.5; expected an int from 1 to 1,099,511,627,776."),
    (MATRIX, {"texts": "a"}, TYPES, f"texts is one str; expected a sequence of texts. {ALONE}"),
    (MATRIX, {"others": "rougeL"}, TYPES, "others is one str; expected a sequence of texts, one "
     "per column. Name a score with score=."),
    (MATRIX, {"others": ["a", None]}, TYPES, f"others[1] is None; expected a str. {DROP}"),
    (MATRIX, {"texts": [[1]]}, TYPES, "texts has sequences of token ids, but rouge_tokenizer is "
     "'rouge', which is for texts; use tokenizer='ids', or decode the ids."),
    (MATRIX, {"tokenizer": "ids"}, TYPES, "tokenizer is 'ids', but texts has texts; leave it out, "
     "or give sequences of ints."),
    (MATRIX, {"detailed": True}, TYPES, f"detailed {PAIRS}"),
    (MATRIX, {"stemmer": True}, TYPES, "Unknown option 'stemmer'; did you mean 'use_stemmer'?"),
    (NEAR, {"threshold": 1.1}, VALUES, "threshold is 1.1; expected a number from 0 to 1."),
    (NEAR, {"threshold": -0.1}, VALUES, "threshold is -0.1; expected a number from 0 to 1."),
    (NEAR, {"threshold": float("nan")}, VALUES, "threshold is nan; expected a number from 0 to 1."),
    (NEAR, {"threshold": 101, "score": "bleu", "profile": "sacrebleu"}, VALUES,
     "threshold is 101; expected a number from 0 to 100."),
    (NEAR, {"threshold": "0.7"}, TYPES, "threshold is '0.7'; expected a number from 0 to 1."),
    (NEAR, {"keep": "best"}, VALUES, "Unknown keep 'best'; expected one of 'first', 'last'."),
    (NEAR, {"top": -1}, VALUES, f"top is -1; {TOP}"),
    (NEAR, {"inclusive": 1}, TYPES, "inclusive is 1; expected True or False."),
    (NEAR, {"score": ["rougeL"]}, TYPES, "score is ['rougeL']; expected the name of one score, "
     "such as 'rougeL'."),
    (NEAR, {"groups": [1]}, VALUES, "groups has 1 label, but there are 2 samples; expected one "
     "label, a str or an int, for each sample."),
    (NEAR, {"groups": [1, 2], "against": ["a"]}, TYPES, "against and groups are both given; "
     "expected at most one of them."),
    (NEAR, {"against": "a"}, TYPES, "against is one str; expected a sequence of texts. "
     f"{ALONE.replace('texts=', 'against=')}"),
    (NEAR, {"against": ["a", 2]}, TYPES, "against[1] is 2 (int); expected a str. Nothing is "
     "converted to text."),
    (NEAR, {"use_aggregator": True}, TYPES, f"use_aggregator {PAIRS}"),
    (INDEX, {"threshold": 70}, VALUES, "threshold is 70; expected a number from 0 to 1."),
    (INDEX, {"top": 1.5}, TYPES, f"top is 1.5; {TOP}"),
    (INDEX, {"with_mean": "yes"}, TYPES, "with_mean is 'yes'; expected True or False."),
    (ADD, {"texts": ["x", None]}, TYPES, f"texts[1] is None; expected a str. {DROP}"),
    (ADD, {"texts": "abc"}, TYPES, f"texts is one str; expected a sequence of texts. {ALONE}"),
    (FIND, {"text": 3}, TYPES, "text is 3 (int); expected a str. Nothing is converted to text."),
    (FIND_IDS, {"text": "a"}, TYPES, "tokenizer is 'ids', but text has texts; leave it out, or "
     "give sequences of ints."),
    *((BEST, {"references": kind(["a"])}, VALUES, "groups has 2 groups, but references has 1; "
       f"{LABELS.format('references')}") for kind in (list, iter)),
    (BEST, {"references": "a"}, TYPES, "references is one str; expected a sequence with one item "
     "per sample. To score a single text, wrap it in a list: references=[text]."),
    (BEST, {"references": ["a", []]}, VALUES, "references[1] is empty; every prediction needs at "
     "least one reference."),
    (BEST, {"references": ["a", ["b", None]]}, TYPES, "references[1][1] is None; expected a str. "
     f"{DROP}"),
    (BEST, {"groups": [[[1]], [[2], [-5]]], "references": [[1], [2]], "tokenizer": "ids"}, VALUES,
     f"groups[1][1] has the id -5; {IDS}"),
    (BEST, {"groups": [[[1]] * 3, [[2]] * 2], "references": [[1], [-5]], "tokenizer": "ids"},
     VALUES, f"references[1] has the id -5; {IDS}"),
    (BEST, {"tokenizer": "ids"}, TYPES, "tokenizer is 'ids', but groups has texts; leave it out, "
     "or give sequences of ints."),
    (BEST, {"score": "rougeL_recall"}, VALUES, "score is 'rougeL_recall', but candidates may have "
     "several references; expected a score without a part."),
    *((function, {"score": ["bleu"]}, TYPES, "score is ['bleu']; expected one score, such as "
       "'bleu' or 'rougeL', which decides.") for function in (BEST, CONSENSUS)),
    *((function, {"sentence_bleu": True}, TYPES, f"sentence_bleu {PAIRS}")
      for function in (BEST, CONSENSUS)),
    (CONSENSUS, {"references": [["a"]]}, VALUES, "groups has 2 groups, but references has 1; "
     f"{LABELS.format('references')}"),
    (CONSENSUS, {"with_matrix": 1}, TYPES, "with_matrix is 1; expected True or False."),
    (CONSENSUS, {"groups": [[[1]], [[2], [-5]]], "tokenizer": "ids"}, VALUES,
     f"groups[1][1] has the id -5; {IDS}"),
    (CONSENSUS, {"groups": [[[1]], [[2], [5]]], "references": [[[1]], [[-1]]], "tokenizer": "ids"},
     VALUES, f"references[1][0] has the id -1; {IDS}"),
    (CONSENSUS, {"groups": [[[1]]]}, TYPES, "groups has sequences of token ids, but bleu_tokenizer "
     "is '13a', which is for texts; use tokenizer='ids', or decode the ids."),
    (CONSENSUS, {"groups": [[[1]]], "references": [["a"]], "tokenizer": "ids"}, TYPES,
     "tokenizer is 'ids', but references has texts; leave it out, or give sequences of ints."),
    (CONSENSUS, {"weights": 5}, TYPES, "weights is of type int; expected one sequence of weights "
     "for every group."),
    (CONSENSUS, {"weights": [1, 2]}, TYPES, f"weights[0] is of type int; {EACH}"),
    (CONSENSUS, {"weights": [[1, 2]]}, VALUES, "groups has 2 groups, but weights has 1; "
     f"{LABELS.format('weights')}"),
    (CONSENSUS, {"weights": [[1, 2], [1, 2]]}, VALUES, "weights[1] has 2 weights, but the group "
     f"has 1 pseudo-references; {EACH}"),
    *((CONSENSUS, {"weights": [[1, bad], [1]]}, kind, f"weights[0][1] is {bad!r}; {NUMBER}")
      for bad, kind in ((-1, VALUES), (float("nan"), VALUES), (float("inf"), VALUES), ("1", TYPES),
                        (True, TYPES))),
    (CONSENSUS, {"weights": [[1, 2], [0]]}, VALUES, "weights[1] has no weight above 0; expected at "
     "least one. Make weights of log-probabilities by exp(lprobs - max(lprobs))."),
    (SELF, {"texts_or_groups": "a b"}, TYPES, "texts is one str; expected a sequence of texts. "
     f"{ALONE}"),
    (SELF, {"texts_or_groups": None}, TYPES, "texts is missing; expected a sequence of texts."),
    (SELF, {"texts_or_groups": {"a": ["b"]}}, TYPES, "texts is of type dict, which is not a "
     "sequence; expected a sequence of texts, such as one column: texts=data['a']."),
    (SELF, {"texts_or_groups": ["a", 3]}, TYPES, "texts[1] is 3 (int); expected a str. Nothing is "
     "converted to text."),
    (SELF, {"texts_or_groups": [["a", "b"], ["a", 3]]}, TYPES, "groups[1][1] is 3 (int); expected "
     "a str. Nothing is converted to text."),
    (SELF, {"texts_or_groups": [["a", "b"], "a"]}, TYPES, "groups[1] is one str; expected a "
     f"sequence of texts. {WRAP}"),
    (SELF, {"texts_or_groups": []}, VALUES, "texts is empty; expected at least one text."),
    (SELF, {"texts_or_groups": ["a"]}, VALUES, f"texts has one text; {LEAST}"),
    *((function, {name: [["a", "b"], ["a"]]}, VALUES, f"groups[1] has one text; {LEAST}")
      for function, name in ((SELF, "texts_or_groups"), (AGREEMENT, "groups"))),
    *((function, {name: [[[1], [2]]]}, TYPES, "groups has token ids; expected texts. Decode the "
       "ids.") for function, name in ((SELF, "texts_or_groups"), (AGREEMENT, "groups"))),
    (SELF, {"tokenizer": "char"}, TYPES, "tokenizer does not apply to the definition 'texygen'. "
     "Remove it."),
    (SELF, {"order": 3}, TYPES, "Unknown option 'order'; did you mean 'min_order'?"),
    (SELF, {"definition": "selfbleu"}, VALUES, "Unknown definition 'selfbleu'; expected one of "
     "'texygen', 'helm', 'corpus'."),
    (SELF, {"definition": "corpus", "tokenizer": "ids"}, TYPES, "tokenizer is 'ids', but Self-BLEU "
     "is of texts; leave it out."),
    (AGREEMENT, {"score": "BLEU"}, VALUES, "Unknown score 'BLEU'; expected one of 'rouge1', "
     "'rouge2', 'rougeL', 'bleu'. Did you mean 'bleu'?"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "kind", "message"), BAD)
def test_bad_arguments_are_one_clear_error(
    function: Any, arguments: dict[str, Any], kind: type[Exception], message: str
) -> None:
    assert find_error(function, **{**VALID[function], **arguments}) == (kind, message)
