"""Unusual arguments and attributes of ``integrations.sacrebleu`` do what they do in sacrebleu."""

from typing import Any

import numpy as np
import pytest
import sacrebleu as theirs

from bleu_rouge_metric.integrations import sacrebleu as ours
from bleu_rouge_metric.integrations.sacrebleu import metrics

from .test_sacrebleu import _plain_sums, catch, describe, run  # noqa: F401 - a fixture

LIBRARIES: Any = (theirs, ours)
HYPOTHESES, STREAMS = ["a b c d e f", "a b x"], [["a b c d x f", "a b c"]]
SHORT = ["a b x"], [["a b c"]]


def test_the_default_tokenizer_of_a_subclass_is_used() -> None:
    found = []
    for library in LIBRARIES:

        class Characters(library.BLEU):  # type: ignore[misc, name-defined]
            TOKENIZER_DEFAULT = "char"

        for options in ({}, {"trg_lang": "zh"}, {"tokenize": "13a"}):
            metric = Characters(**options)
            score = metric.corpus_score(HYPOTHESES, STREAMS)
            found.append((describe(score), str(metric.get_signature())))
    assert found[:3] == found[3:]


@pytest.mark.parametrize("smooth", ["floor", "add-k"])
def test_changed_defaults_of_a_smoothing_are_used(
    smooth: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for library in LIBRARIES:
        monkeypatch.setitem(library.BLEU.SMOOTH_DEFAULTS, smooth, 0.7)
        metric = library.BLEU(smooth_method=smooth, max_ngram_order=3)
        corpus, one = metric.corpus_score(*SHORT), metric.sentence_score("a b x", ["a b c"])
        sums = library.BLEU.compute_bleu([2, 1, 0], [3, 2, 1], 3, 3, smooth, max_ngram_order=3)
        found.append((*map(describe, (corpus, one, sums)), str(metric.get_signature())))
    assert found[0] == found[1]
    assert f"smooth:{smooth}[0.70]" in found[1][-1]


@pytest.mark.parametrize("order", [np.int64(2), True, 1500, 2.0, "2", None])
def test_orders_of_any_type_are_read_as_in_sacrebleu(order: Any) -> None:
    def score_corpus(library: Any) -> Any:
        return library.BLEU(max_ngram_order=order).corpus_score(HYPOTHESES, STREAMS)

    def score_sentence(library: Any) -> Any:
        metric = library.BLEU(max_ngram_order=order, effective_order=True)
        return metric.sentence_score(HYPOTHESES[0], STREAMS[0][:1])

    for score in (score_corpus, score_sentence):
        expected, found = (run(score, library) for library in LIBRARIES)
        assert found == expected
        assert (found is TypeError) == (type(order) in (float, str, type(None)))


def test_an_unknown_smoothing_that_is_set_later_is_an_error() -> None:
    for library in LIBRARIES:
        metric = library.BLEU()
        metric.smooth_method = "foo"
        assert catch(metric.corpus_score, HYPOTHESES, STREAMS)[0] is AssertionError


@pytest.mark.parametrize(
    ("correct", "total", "sys_len", "message"),
    [
        (
            *([0, 2, 1, 0], [4, 3, 2, 1], 4),
            "correct is [0, 2, 1, 0]; expected 4 numbers, which are all 0 if the first is.",
        ),
        (
            *([3, 2], [4, 3], 4),
            "correct is [3, 2]; expected 4 numbers, which are all 0 if the first is.",
        ),
        (
            *([3, 1, 1, 0], [4, 0, 2, 1], 4),
            "total is [4, 0, 2, 1]; expected 4 numbers, with 0 only at the end.",
        ),
        ([3, 2, 1, 0], [4, 3], 4, "total is [4, 3]; expected 4 numbers, with 0 only at the end."),
        ([4, 3, 2, 1], [4, 3, 2, 1], -4, "sys_len is -4; expected at least 0."),
    ],
)
def test_counts_that_no_texts_have_are_an_error(
    correct: list[int], total: list[int], sys_len: int, message: str
) -> None:
    found = catch(ours.BLEU.compute_bleu, correct, total, sys_len, 5, effective_order=True)
    assert found == (ValueError, message)


@pytest.mark.parametrize(
    ("correct", "total"),
    [([3, 0, 1, 0], [4, 3, 2, 1]), ([0] * 4, [10, 11, 12, 0]), ([2, 1, 0, 0, 0], [3, 2, 1, 0, 0])],
)
def test_other_counts_are_scored_as_in_sacrebleu(correct: list[int], total: list[int]) -> None:
    expected, found = (
        run(library.BLEU.compute_bleu, correct[:], total[:], 4, 4, "exp", effective_order=True)
        for library in LIBRARIES
    )
    assert found == expected


def test_a_smoothing_does_not_subtract() -> None:
    assert catch(ours.BLEU, smooth_method="add-k", smooth_value=-1) == (
        ValueError,
        "smooth_value is -1; expected at least 0.",
    )
    counts = [3, 1, 0, 0], [4, 3, 2, 1], 4, 4
    assert catch(theirs.BLEU.compute_bleu, *counts, "add-k", -1)[0] is ValueError


def test_missing_names_are_errors_of_their_module() -> None:
    assert metrics.METRICS == {"BLEU": ours.BLEU}
    for module in (ours, metrics):
        message = f"module {module.__name__!r} has no attribute 'foo'"
        assert catch(getattr, module, "foo") == (AttributeError, message)


def test_nothing_is_logged_before_an_error(caplog: pytest.LogCaptureFixture) -> None:
    hypotheses, stream = ["a ."] * 101, ["a ."] * 100
    for library in LIBRARIES:
        caplog.clear()
        assert catch(library.BLEU().corpus_score, hypotheses, [[*stream, None]])[0] is TypeError
        assert not caplog.records
        library.BLEU().corpus_score(hypotheses, [stream])
        assert len(caplog.records) == 3
