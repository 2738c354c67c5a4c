"""One sample of plain texts is scored in a quick way, with the numbers of the long one."""

import re
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import Scorer, bleu_score, load, rouge_scores
from bleu_rouge_metric.counting.native_kernel import make_pair_counter
from bleu_rouge_metric.counting.pairs import RougePairs
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.families.bleu.rules import SMOOTHINGS
from bleu_rouge_metric.families.rouge.formulas import prepare_best
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.profiles import BOTH, PROFILES
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.scoring.results import find_single_pair, read_pair
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native
from ..support.commands import ONE_REFERENCE

load_once = cache(partial(load, seed=0))
_words = st.lists(st.sampled_from(["a", "the", "cat", "Cats", "sat.", "on", "x\ny"]), min_size=1)
_texts = _words.map(" ".join)


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore")
@given(data=st.data())
def test_results_are_those_of_a_scorer(data: st.DataObject) -> None:
    profile = data.draw(st.sampled_from(sorted(PROFILES)))
    values: dict[str, list[Any]] = {
        "smooth": [*SMOOTHINGS],
        "reference_length": ["shortest", "closest", "average", "longest"],
        "lowercase": [False, True],
        "use_stemmer": [False, True],
        "detailed": [False, True],
        "beta": [1.0, 2.0],
    }
    options: dict[str, Any] = {
        name: data.draw(st.sampled_from(choices), label=name)
        for name, choices in values.items()
        if is_relevant(name, profile, PROFILES[profile].families)
    }
    options["profile"] = profile
    prediction = data.draw(_texts)
    most = 1 if profile in ONE_REFERENCE else 3
    references = data.draw(st.lists(_texts, min_size=1, max_size=most))
    scorer = Scorer(seed=0, **options)
    scorer.update([prediction], [references])
    found = load_once().compute(predictions=[prediction], references=[references], **options)
    assert list(found.items()) == list(scorer.result().items())
    if "rouge" in PROFILES[profile].families and profile != "rouge-1.5.5":
        chosen = {k: v for k, v in options.items() if k in ("profile", "use_stemmer", "beta")}
        alone = rouge_scores([prediction], [references], **chosen)
        twice = rouge_scores([prediction] * 2, [references] * 2, **chosen)
        for name, scores in alone.items():
            assert all(part.dtype == np.float64 and part.shape == (1,) for part in scores)
            assert [part[0] for part in scores] == [part[1] for part in twice[name]]


def test_common_calls_take_the_quick_way() -> None:
    fast: list[dict[str, Any]] = [
        *({}, {"profile": "sacrebleu"}, {"use_stemmer": True}, {"smooth": "method3"}),
        *({"profile": "google_bleu"}, {"profile": "coco"}, {"multi_reference": "mean"}),
    ]
    for options in fast:
        assert find_single_pair(Options.from_keywords(options), BOTH) is not None
    assert read_pair(["a"], ["b"]) == ("a", ["b"])
    assert read_pair(["a"], [["b", "c"]]) == ("a", ["b", "c"])


@pytest.mark.parametrize(
    "options",
    [
        *({"confidence": 0.9}, {"n_resamples": 5}, {"use_aggregator": False}),
        *({"sentence_bleu": True}, {"signature": True}, {"rouge_types": ["rougeW"]}),
        *({"tokenizer": "ids"}, {"profile": "rouge"}, {"profile": "rouge-1.5.5"}),
        {"profile": "rouge-1.5.5", "byte_limit": 9, "aggregator": "mean"},
    ],
    ids=str,
)
def test_other_results_take_the_long_way(options: dict[str, Any]) -> None:
    assert find_single_pair(Options.from_keywords(options), BOTH) is None


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        *((("a",), ["a"]), (["a"], ("a",)), (["a", "b"], ["a", "b"]), (["a"], ["a", "b"])),
        *((["a"], [[]]), (["a"], [None]), ([None], ["a"]), (["ä"], ["a"]), (["a"], [["a", "ä"]])),
        *(([[1, 2]], [[1, 2]]), ("a", "a")),
    ],
    ids=str,
)
def test_other_samples_take_the_long_way(predictions: Any, references: Any) -> None:
    assert read_pair(predictions, references) is None


def test_a_text_without_tokens_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="leaves nothing of"):
        load("rouge").compute(predictions=["!?"], references=["a cat"])
    with pytest.warns(UserWarning, match="leaves nothing of"):
        rouge_scores(["!?"], ["a cat"])


def test_samples_that_were_added_are_not_forgotten() -> None:
    metric = load("rouge")
    metric.add(prediction="a cat", reference="a cat")
    assert metric.compute(predictions=["a"], references=["b"])["rouge1"] == 0.5


def test_the_signature_is_that_of_the_last_pair() -> None:
    metric = load("bleu", seed=3)
    metric.compute(predictions=["a b"], references=[["a b", "c"]])
    quick = metric.signature()
    metric.compute(predictions=("a b",), references=[["a b", "c"]])
    assert quick == metric.signature()
    assert "nrefs:2" in quick


def test_functions_give_the_types_of_batches() -> None:
    score = bleu_score(["a b c d e"], ["a b c d e"])
    assert score == (1.0, [1.0] * 4, 1.0, 1.0, 5, 5)
    assert list(map(type, score)) == [float, list, float, float, int, int]


def test_a_pair_whose_plan_lacks_a_column_is_an_error() -> None:
    message = (
        "A type has the place 3, but a reference has 3 numbers; expected a plan with a column for "
        "each type."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        prepare_best([(0,), (3,)], 3)
    assert prepare_best([], 0)([]) == []
    message = "rouge_types is empty; expected at least one type, such as 'rouge1'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        RougePairs([], TOKENIZERS["rouge"], NEWLINE, lin2004=False)


@needs_native
def test_a_compiled_pair_whose_plan_has_no_column_is_an_error() -> None:
    message = "the plan has no column; expected at least one to count."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make_pair_counter(CountPlan(), TOKENIZERS["rouge"], NEWLINE)
