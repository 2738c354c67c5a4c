"""The classes under ``integrations.pycocoevalcap`` do what those of ``pycocoevalcap`` do."""

import contextlib
import io
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
