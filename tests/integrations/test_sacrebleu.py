"""The classes and functions under ``integrations.sacrebleu`` do what those of sacrebleu do."""

import contextlib
import copy
import io
import logging
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import sacrebleu as theirs
import sacrebleu.metrics
import sacrebleu.metrics.bleu
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations import sacrebleu as ours
from bleu_rouge_metric.integrations.sacrebleu import metrics as our_module

from ..support.bleu_references import _add_up
from ..support.strategies import any_texts

LINES = "import sacrebleu\nfrom sacrebleu.metrics import BLEU\nfrom sacrebleu import metrics\n"
CHANGED_LINES = """
from bleu_rouge_metric.integrations import sacrebleu
from bleu_rouge_metric.integrations.sacrebleu.metrics import BLEU
from bleu_rouge_metric.integrations.sacrebleu import metrics
"""
SCRIPT = """
hypotheses = ["The bakery sells 400 loaves.", "It is closed &amp; dark", "A bridge was closed", ""]
streams = [
    ["The bakery sells about 400 loaves.", "it is closed and dark", "The bridge is closed", "x"],
    ["Bakeries sell 400 loaves!", None, "A bridge was shut", ""],
]
print(sacrebleu.__version__, sacrebleu.corpus_bleu(hypotheses, streams))
print(sacrebleu.corpus_bleu(hypotheses, streams, smooth_method="floor", lowercase=True).score)
print(sacrebleu.raw_corpus_bleu(hypotheses, streams, 0.5).format(width=5))
for hypothesis, *references in zip(hypotheses, *streams):
    score = sacrebleu.sentence_bleu(hypothesis, references)
    print(score, score.score, score.counts, score.totals, score.precisions, score.bp, score.name)
    print(score.sys_len, score.ref_len, score.ratio, score.prec_str, score._verbose)
    print(score.format(width=4, score_only=True))
metric = BLEU(smooth_method="add-k", smooth_value=2, max_ngram_order=3, tokenize="intl")
print(metric.corpus_score(hypotheses, streams, n_bootstrap=50))
signature = metric.get_signature()
print(signature, signature.format(short=True), signature.info)
score = metric.corpus_score(hypotheses, streams[:1], n_bootstrap=3)
print(score._mean, score._ci, score.format(signature=str(signature), is_json=True))
cached = BLEU(references=streams, trg_lang="zh", effective_order=True)
print(cached.get_signature(), cached.corpus_score(hypotheses, None).format(signature="a:b"))
print(BLEU.compute_bleu([3, 1, 0, 0], [5, 4, 3, 2], 5, 6, smooth_method="exp"))
print(metrics.BLEU.TOKENIZER_DEFAULT, list(BLEU.TOKENIZERS), BLEU.SMOOTH_DEFAULTS)
print([BLEU(tokenize=name).tokenizer("It's 3.5!\\t\\u6211, a-1 ") for name in
       ("none", "zh", "13a", "intl", "char")])
"""

TOKENIZERS = ("13a", "none", "char", "intl", "zh")
FIELDS = (
    *("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "name", "prec_str"),
    *("ratio", "_verbose", "_mean", "_ci"),
)

options = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "force": st.booleans(),
        "tokenize": st.sampled_from([None, *TOKENIZERS]),
        "smooth_method": st.sampled_from(["none", "floor", "add-k", "exp"]),
        "smooth_value": st.sampled_from([None, 0, 0.5, 1, 2, 1.0, 0.1]),
        "max_ngram_order": st.sampled_from([1, 2, 4, 6]),
        "effective_order": st.booleans(),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
    },
)
rows = st.lists(st.tuples(any_texts, any_texts, st.none() | any_texts), min_size=1, max_size=6).map(
    lambda samples: list(zip(*samples, strict=True))
)


@pytest.fixture(autouse=True)
def _plain_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    # sum() of floats is compensated from Python 3.12 on; ours are as they were before.
    monkeypatch.setattr("sacrebleu.metrics.bleu.sum", _add_up, raising=False)


def run_script(lines: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(lines + SCRIPT, {"__name__": "__main__"})
    return printed.getvalue()


def describe(score: Any) -> list[tuple[str, type, Any]]:
    return [(name, type(getattr(score, name)), getattr(score, name)) for name in FIELDS]


def describe_types(score: Any) -> list[list[type]]:
    return [list(map(type, getattr(score, name))) for name in ("counts", "totals", "precisions")]


def run(function: Callable[..., Any], *args: Any, **given: Any) -> Any:
    """What a call returns, or its error."""
    try:
        score = function(*args, **given)
    except Exception as error:  # noqa: BLE001 - which, is what is compared
        return type(error)
    return describe(score), describe_types(score)


def catch(function: Callable[..., object], *args: Any, **given: Any) -> tuple[type, str]:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which, is what is asked
        function(*args, **given)
    return caught.type, str(caught.value)


def test_a_script_prints_the_same_with_the_import_lines_changed() -> None:
    expected = run_script(LINES)
    assert run_script(CHANGED_LINES) == expected
    assert "μ = " in expected
    assert "nrefs:var|bs:50|seed:12345|case:mixed|eff:no|tok:intl|smooth:add-k[2.00]" in expected


@pytest.mark.usefixtures("kernel")
@given(rows, options)
def test_all_scores_are_equal(corpus: list[Any], options: dict[str, Any]) -> None:
    hypotheses, *streams = corpus
    metrics: list[Any] = [theirs.BLEU(**options), ours.BLEU(**options)]
    expected, found = (run(metric.corpus_score, hypotheses, streams) for metric in metrics)
    assert found == expected
    expected, found = (
        run(metric.sentence_score, hypotheses[0], [stream[0] for stream in streams])
        for metric in metrics
    )
    assert found == expected
    expected, found = (
        (metric.get_signature().info, metric.get_signature().format(short=True))
        for metric in metrics
    )
    assert list(found[0].items()) == list(expected[0].items())
    assert found[1] == expected[1]


@given(rows, options, st.sampled_from([2, 41, 80]), st.sampled_from([None, "12345", "7"]))
def test_all_resamples_are_equal(
    corpus: list[Any], options: dict[str, Any], n_bootstrap: int, seed: str | None
) -> None:
    hypotheses, *streams = corpus
    with pytest.MonkeyPatch.context() as patch:
        if seed is not None:
            patch.setenv("SACREBLEU_SEED", seed)
        found = []
        for library in (theirs, ours):
            metric = library.BLEU(**options)
            score = metric.corpus_score(hypotheses, streams, n_bootstrap=n_bootstrap)
            found.append((describe(score), str(metric.get_signature()), score.format(width=9)))
    assert found[0] == found[1]


def test_a_seed_of_none_draws_others_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.BLEU()
    hypotheses = [f"a b c d {number} e f" for number in range(30)]
    streams = [[f"a b c d {number * 2} e f" for number in range(30)]]
    means = {metric.corpus_score(hypotheses, streams, 20)._mean for _ in range(4)}
    assert len(means) > 1
    assert metric.get_signature().info["seed"] == "none"


@given(
    st.lists(st.integers(0, 6), min_size=4, max_size=4),
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
    st.sampled_from([None, 0.3, 2]),
    st.booleans(),
)
def test_sums_of_counts_are_scored_alike(
    matches: list[int], length: int, ref_len: int, smooth: str, value: float | None, effective: bool
) -> None:
    totals = [max(0, length - start) for start in range(4)]
    bounded = [min(pair) for pair in zip(sorted(matches, reverse=True), totals, strict=True)]
    expected = run(
        theirs.BLEU.compute_bleu, bounded[:], totals[:], length, ref_len, smooth, value, effective
    )
    given = bounded[:], totals[:]
    found = run(ours.BLEU.compute_bleu, *given, length, ref_len, smooth, value, effective)
    assert found == expected
    assert given == (bounded, totals)


def test_counts_of_numpy_are_scored_alike() -> None:
    for dtype in (np.int64, np.float64, np.float32):
        counts: Any = np.array([5, 3, 1, 0], dtype)
        totals: Any = np.array([7, 6, 5, 4], dtype)
        expected = theirs.BLEU.compute_bleu(counts, totals, 7, 8, smooth_method="exp")
        assert (
            ours.BLEU.compute_bleu(counts, totals, 7, 8, smooth_method="exp").score
            == expected.score
        )


SEQUENCES: list[Any] = [
    *([], "", "ab", ["a"], [1], [None], ["a", None], None, 5, {"a"}),
    *(["a", 3], ["a", b"b"], [b"a"], ("a", "b"), ["a", "b", "c"]),
]
STREAMS: list[Any] = [
    *([], "", "ab", [[]], [["a"]], [["a"], []], [["a", "b"], ["a"]], [[1]], [[None]], None, 5),
    *([["a", 3]], [["a", b"b"]], ["a", "b"], [None], [["a", "b"], 3], [("a", None), ("b", None)]),
]


@pytest.mark.parametrize("streams", STREAMS, ids=repr)
@pytest.mark.parametrize("hypotheses", SEQUENCES, ids=lambda item: repr(item)[:20])
@pytest.mark.parametrize("force", [False, True])
def test_errors_of_a_corpus_are_of_the_same_types(
    hypotheses: Any, streams: Any, force: bool
) -> None:
    expected = run(theirs.BLEU(force=force).corpus_score, hypotheses, streams)
    assert run(ours.BLEU(force=force).corpus_score, hypotheses, streams) == expected


@pytest.mark.parametrize(
    "references", [*SEQUENCES, [None, "a"], [None, None], ["a", [1]]], ids=repr
)
@pytest.mark.parametrize("hypothesis", ["a b", "", None, 3, ["a"], b"a"])
def test_errors_of_a_sentence_are_of_the_same_types(hypothesis: Any, references: Any) -> None:
    expected = run(theirs.sentence_bleu, hypothesis, references)
    assert run(ours.sentence_bleu, hypothesis, references) == expected


@pytest.mark.parametrize(
    "args",
    [
        *((5, [["a"]]), ([1], [["a"]]), (["a", None], [["a"]]), (["a"], 5), (["a"], [5])),
        *((["a"], [[5]]), (5, 5), (["a"], None)),
    ],
)
def test_texts_of_type_errors_are_the_same(args: Any) -> None:
    assert catch(ours.BLEU().corpus_score, *args) == catch(theirs.BLEU().corpus_score, *args)


@pytest.mark.parametrize("args", [(5, ["a"]), ("a", "a"), ("a", 5), ("a", [5])])
def test_texts_of_type_errors_of_a_sentence_are_the_same(args: Any) -> None:
    assert catch(ours.sentence_bleu, *args) == catch(theirs.sentence_bleu, *args)


def test_a_signature_needs_a_score_first() -> None:
    expected = catch(theirs.BLEU().get_signature)
    assert catch(ours.BLEU().get_signature) == expected


def test_errors_of_options_say_what_is_expected() -> None:
    assert catch(ours.BLEU, smooth_method="x") == (
        AssertionError,
        "Unknown smooth_method 'x'; expected 'none', 'floor', 'add-k', 'exp'.",
    )
    assert catch(theirs.BLEU, smooth_method="x")[0] is AssertionError
    assert catch(ours.BLEU.compute_bleu, [1], [1], 1, 1, "x")[0] is AssertionError
    kind, message = catch(ours.BLEU, tokenize="v14")
    assert kind is catch(theirs.BLEU, tokenize="v14")[0] is KeyError
    assert "Unknown tokenize 'v14'; expected 'none', 'zh', '13a'" in message
    assert catch(ours.BLEU, max_ngram_order=0) == (
        ValueError,
        "max_ngram_order is 0; expected at least 1.",
    )
    assert catch(ours.BLEU, tokenize="spBLEU-1K") == (
        ImportError,
        "The tokenizer 'spBLEU-1K' is not part of this package; use sacrebleu itself.",
    )


def test_a_tokenizer_whose_package_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from bleu_rouge_metric.integrations.sacrebleu.tokenizers import find_tokenizer

    from bleu_rouge_metric.text import external

    def fail(module: str, name: str) -> Any:
        raise RuntimeError(module, name)

    find_tokenizer.cache_clear()
    monkeypatch.setattr(external, "_load", fail)
    for language, needs in (("ja", "[ja]"), ("ko", "[ko]")):
        kind, message = catch(ours.BLEU, trg_lang=language)
        assert kind is ImportError
        assert message == (
            f"The tokenizer '{language}-mecab' needs a package or a dictionary "
            "that is not installed. Install it "
            f'with: pip install "sacrebleu{needs}"'
        )
    assert catch(ours.BLEU, tokenize="spm")[1].endswith("pip install sacrebleu sentencepiece")


def test_a_json_text_needs_a_signature() -> None:
    score = ours.sentence_bleu("a", ["a"])
    kind, message = catch(score.format, is_json=True)
    assert kind is catch(theirs.sentence_bleu("a", ["a"]).format, is_json=True)[0] is ValueError
    assert message == (
        "signature has the item ''; expected name:value. With is_json=True give "
        "signature=metric.get_signature().format()."
    )


@pytest.mark.parametrize("name", ["CHRF", "TER", "corpus_chrf", "sentence_ter"])
def test_other_metrics_are_an_error_that_names_sacrebleu(name: str) -> None:
    message = (
        f"'{name}' is not part of this package, which has BLEU only; import it from sacrebleu."
    )
    for module in (ours, ours.metrics):
        assert catch(getattr, module, name) == (ImportError, message)
    assert not hasattr(ours, "corpus_blue")


def log_all(library: Any, caplog: pytest.LogCaptureFixture) -> list[tuple[str, int, str]]:
    caplog.clear()
    tokenized = ["a b c ."] * 100
    library.corpus_bleu(tokenized, [tokenized])
    library.corpus_bleu(tokenized[1:], [tokenized])
    library.corpus_bleu(tokenized, [tokenized], force=True)
    library.raw_corpus_bleu(tokenized, [tokenized])
    library.sentence_bleu("a", ["a"], use_effective_order=False)
    for language in ("zh", "ja", "ko", "de"):
        library.BLEU(tokenize="13a", trg_lang=language)
    library.BLEU(tokenize="zh", trg_lang="zh")
    return [(record.name, record.levelno, record.getMessage()) for record in caplog.records]


def test_warnings_go_to_the_logger_of_sacrebleu(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        expected, found = log_all(theirs, caplog), log_all(ours, caplog)
    assert [record[:2] for record in found] == [record[:2] for record in expected]
    assert [record[2] for record in found] == [
        "100 or more hypotheses end with ' .'.",
        "Are they tokenized? BLEU tokenizes texts, which lowers the score.",
        "Give the texts before tokenization, or force=True to hide this.",
        "effective_order is off; BLEU of one sentence is better with it.",
        "The tokenizer 'zh' or 'spm' suits Chinese better.",
        "The tokenizer 'ja-mecab' or 'spm' suits Japanese better.",
        "The tokenizer 'ko-mecab' or 'spm' suits Korean better.",
    ]


def test_attributes_that_change_later_count() -> None:
    found = []
    for library in (theirs, ours):
        metric = library.BLEU()
        metric.effective_order, metric.max_ngram_order, metric.lowercase = True, 2, True
        metric.tokenizer = str.swapcase
        score = metric.corpus_score(["A b", "C"], [["a B x", "c"]])
        one = metric.sentence_score("A b", ["a B x"])
        found.append((describe(score), describe(one), str(metric.get_signature())))
    assert found[0] == found[1]


def test_a_metric_of_sacrebleus_paired_test_can_be_subclassed() -> None:
    found = []
    for module in (sacrebleu.metrics.bleu, our_module):

        class Named(module.BLEU):  # type: ignore[misc, name-defined]
            pass

        found.append(catch(Named().corpus_score, 5, [["a"]]))
        assert isinstance(Named().corpus_score(["a"], [["a"]]), module.BLEUScore)
    assert found[0] == found[1] == (TypeError, "Named: `hyps` should be a sequence of strings.")


def test_a_score_of_resamples_of_the_caller() -> None:
    found = []
    for library in (theirs, ours):
        scores = [library.sentence_bleu("a b c d", [text]) for text in ("a b c d", "a b", "a c")]
        scores[0].estimate_ci(scores)
        found.append(describe(scores[0]))
    assert found[0] == found[1]


def copy_by_pickle(item: Any) -> Any:
    return pickle.loads(pickle.dumps(item))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, copy_by_pickle])
def test_copies_and_threads_give_the_same(duplicate: Callable[[Any], Any]) -> None:
    metric = duplicate(ours.BLEU(effective_order=True, references=[["the cat sat"]]))
    expected = describe(theirs.sentence_bleu("the cat ran", ["a cat ran"]))
    assert describe(duplicate(metric.corpus_score(["the cat"], None))) == describe(
        theirs.BLEU(effective_order=True).corpus_score(["the cat"], [["the cat sat"]])
    )

    def score(hypothesis: str) -> Sequence[Any]:
        return describe(metric.sentence_score(hypothesis, ["a cat ran"]))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(score, ["the cat ran"] * 50)) == [expected] * 50
