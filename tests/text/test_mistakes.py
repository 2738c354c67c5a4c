"""Texts that are probably a mistake of the code that made them: one warning for each mistake."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric import (
    PairScorer,
    Scorer,
    bleu_score,
    compute_metrics,
    load,
    rouge_scores,
    score_table,
)
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.mistakes import MISSING_VALUES, warn_of_empty_texts

from ..support.errors import list_warnings

Texts = list[Any]


def call_hook(predictions: Texts, references: Texts) -> object:
    """Score texts in the place of ids: row ``i`` is the text ``i``."""
    texts = [*predictions, *references]
    hook = compute_metrics(lambda rows: [texts[row[0]] for row in rows], family="rouge")
    rows = np.arange(len(texts)).reshape(2, -1, 1)
    return hook((rows[0], rows[1]))


CALLS: dict[str, Callable[[Texts, Texts], object]] = {
    "compute": lambda p, r: load("rouge").compute(predictions=p, references=r),
    "scorer": lambda p, r: Scorer("rouge").update(p, r),
    "arrow": lambda p, r: Scorer("bleu").update(pa.array(p), pa.array(r)),
    "functions": lambda p, r: (
        bleu_score(p, r, max_order=1) if len(p) % 2 else rouge_scores(p, r, rouge_types=["rouge1"])
    ),
    "table": lambda p, r: score_table(
        {"prediction": p, "reference": r}, "rouge1", stop_words=[str(len(CALLED))]
    ),
    "batch": lambda p, r: PairScorer("rouge1").batch(p, r),
    "hook": call_hook,
}
# A table keeps its scorer, which warns once, so that each call has other options.
CALLED: list[None] = []

LETTERS = "\n".join("the cat sat")
VALUE = "; a missing value is scored as a word."
LINES = (
    " has a newline after every character, so that characters are scored in place of words; join "
    "the sentences of a text with newlines, not its characters."
)


# More mistakes are in ``warnings.txt``.
@pytest.mark.parametrize("call", CALLS)
def test_every_call_warns_once_for_each_mistake(call: str) -> None:
    CALLED.append(None)
    found = list_warnings(
        lambda: CALLS[call](["None", "a", "null", LETTERS], ["a", "b", "<NA>", "c"]),
        pattern="newline after|missing|looks like",
    )
    assert found == [
        f"2 of 4 predictions are 'None' or 'null', first in predictions[0]{VALUE}",
        f"1 of 4 rows has a reference that is '<NA>', references[2]{VALUE}",
        f"1 of the first 4 predictions{LINES}",
    ]


def test_batches_of_a_scorer_warn_once() -> None:
    scorer, pair = Scorer("rouge"), PairScorer("rouge1")
    for add in (scorer.update, pair.batch):
        calls = [lambda add=add: add(["nan", LETTERS], ["a", "b"])] * 3
        assert len(list_warnings(*calls)) == 2
    scorer.reset()
    assert len(list_warnings(lambda: scorer.update(["nan"], ["a"]))) == 1


LIST = "['the cat', 'a cat']"
ONE_TEXT = (
    f'references[1] has the text "{LIST}", which looks like a list and is scored as one text; if '
    "it holds several references, convert it, as in ast.literal_eval(text)."
)


@pytest.mark.parametrize("call", CALLS)
def test_a_list_that_is_a_text_is_an_error_for_all_but_labels(call: str) -> None:
    predictions = ["a", "b", "c"]
    CALLED.append(None)
    if call != "hook":
        with pytest.raises(ValueError, match="looks like a list"):
            CALLS[call](predictions, ["a", LIST, "c"])
    nested: Texts = ["a", LIST, "c"] if call == "hook" else [["a"], ["b", LIST], ["c"]]
    found = list_warnings(
        lambda: CALLS[call](predictions, nested), pattern="looks like a list and is"
    )
    assert found == [ONE_TEXT]


def test_a_single_pair_warns_too_and_a_list_is_an_error() -> None:
    scorer = PairScorer("rouge1")
    assert len(list_warnings(lambda: [scorer("None", "a"), scorer("b", LETTERS)])) == 2
    for call in (scorer, PairScorer("bleu", smooth="exp"), rouge_scores, bleu_score):
        pair: Any = ("a", LIST) if isinstance(call, PairScorer) else (["a"], [LIST])
        with pytest.raises(ValueError, match=r"^references.* looks like a list"):
            call(*pair)


@pytest.mark.parametrize("value", sorted(MISSING_VALUES))
def test_files_warn_of_empty_texts_and_missing_values(value: str) -> None:
    samples = check_samples(["a", value, " ", value], [["a"], ["", "b"], ["c"], ["d", value]])
    assert list_warnings(lambda: warn_of_empty_texts(samples, "s")) == [
        f"3 of 4 predictions of 's' are empty or {value!r}, first in row 2; nothing matches an "
        "empty text, and a missing value is scored as a word.",
        f"2 of 4 rows have a reference that is empty or {value!r}, first in row 2; nothing matches "
        "an empty text, and a missing value is scored as a word.",
    ]


@pytest.mark.parametrize("make", [list, pa.array])
def test_empty_texts_of_a_file_are_a_warning_for_each_column(make: Callable[[Texts], Any]) -> None:
    samples = check_samples(make(["a", " ", ""]), make(["", "b", "c"]))
    assert list_warnings(lambda: warn_of_empty_texts(samples)) == [
        "2 of 3 predictions are empty, first in row 2; nothing matches an empty text.",
        "1 of 3 rows has an empty reference, row 1; nothing matches an empty text.",
    ]
