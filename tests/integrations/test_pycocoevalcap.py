"""The classes under ``integrations.pycocoevalcap`` do what those of ``pycocoevalcap`` do."""

import contextlib
import io
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations import pycocoevalcap as ours
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import require

require("pycocoevalcap")

import pycocoevalcap.bleu.bleu  # noqa: E402
import pycocoevalcap.rouge.rouge  # noqa: E402

TheirBleu: Final = pycocoevalcap.bleu.bleu.Bleu
TheirRouge: Final = pycocoevalcap.rouge.rouge.Rouge

pytestmark = [
    pytest.mark.extra,
    pytest.mark.usefixtures("kernel"),
    # NumPy's warnings of the mean of no captions, which are the same.
    pytest.mark.filterwarnings("ignore:(Mean of empty|invalid value):RuntimeWarning"),
]


def call(function: Callable[[], Any]) -> tuple[str, str]:
    """Return the result as it is written, and what is printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = repr(function())
    return result, printed.getvalue()


captions = st.lists(
    st.sampled_from(["a", "the", "dog", "Dog", "", "\t", "\n", "é", "\xa0", "\ud800", "."]),
    max_size=8,
).map(" ".join)
lists = st.lists(captions, min_size=1, max_size=4)


@given(
    rows=st.dictionaries(st.integers(0, 99), st.tuples(captions, lists), max_size=12),
    order=st.integers(-1, 4),
    verbose=st.integers(0, 2),
    is_reversed=st.booleans(),
)
def test_every_number_and_every_line_is_the_same(
    rows: dict[int, tuple[str, list[str]]], order: int, verbose: int, *, is_reversed: bool
) -> None:
    keys = list(reversed(rows)) if is_reversed else list(rows)
    gts, res = {key: rows[key][1] for key in keys}, {key: [rows[key][0]] for key in rows}
    assert call(lambda: ours.Bleu(order).compute_score(gts, res, verbose)) == call(
        lambda: TheirBleu(order).compute_score(gts, res, verbose)
    )
    assert call(lambda: ours.Rouge().compute_score(gts, res)) == call(
        lambda: TheirRouge().compute_score(gts, res)
    )
    for key in keys:
        found = ours.Rouge().calc_score(res[key], gts[key])
        expected = TheirRouge().calc_score(res[key], gts[key])
        assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("gts", "res", "message"),
    [
        ({1: ["a"]}, {2: ["a"]}, "gts and res have different ids; expected the same ones."),
        ({1: ["a"]}, {1: "a"}, "res[1] is 'a'; expected a list of one caption."),
        ({1: ["a"]}, {1: []}, "res[1] is []; expected a list of one caption."),
        ({1: ("a",)}, {1: ["a"]}, "gts[1] is ('a',); expected a list of captions."),
        ({1: []}, {1: ["a"]}, "gts[1] is []; expected a list of captions."),
        ({1: ["a", 2]}, {1: ["a"]}, "references[0][1] is 2 (int); expected a str."),
        ({1: ["a"]}, {1: [None]}, "predictions[0] is None; expected a str."),
    ],
)
def test_errors_say_what_is_wrong(gts: Any, res: Any, message: str) -> None:
    for scorer in (ours.Bleu(), ours.Rouge()):
        with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}"):
            scorer.compute_score(gts, res)


def test_errors_of_an_order_and_of_a_single_caption() -> None:
    with pytest.raises(ValueError, match=r"^n is 5; expected an int from 1 to 4\.$"):
        ours.Bleu(5).compute_score({1: ["a"]}, {1: ["a"]})
    for candidate, references in (([], ["a"]), (["a"], []), (["a", "b"], ["a"])):
        with pytest.raises(ValueError, match=r"expected a list of one caption|at least one ref"):
            ours.Rouge().calc_score(candidate, references)


@pytest.mark.skipif("ptb" not in TOKENIZERS, reason="there is no tokenizer 'ptb'")
def test_captions_are_tokenized() -> None:
    captions: dict[int, list[dict[str, object]]] = {
        3: [{"caption": "A man (left) rides\na horse.", "id": 1}, {"caption": "Two dogs!"}],
        1: [{"caption": ""}],
        2: [],
    }
    assert ours.PTBTokenizer().tokenize(captions) == {
        3: ["a man -lrb- left -rrb- rides a horse", "two dogs"],
        1: [""],
    }
