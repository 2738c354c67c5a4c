"""The classes and functions under ``integrations.sacrebleu`` do what those of sacrebleu do."""

import contextlib
import copy
import importlib
import io
import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import sacrebleu as theirs
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations import sacrebleu as ours

from ..support.strategies import any_texts

LINES = "import sacrebleu"
CHANGED_LINES = "from bleu_rouge_metric.integrations import sacrebleu"
SCRIPT = """
BLEU = sacrebleu.metrics.BLEU
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
    print(score, score.format(width=4, score_only=True))
metric = BLEU(smooth_method="add-k", smooth_value=2, max_ngram_order=3, tokenize="intl")
print(metric.corpus_score(hypotheses, streams, n_bootstrap=50))
signature = metric.get_signature()
print(signature, signature.format(short=True), signature.info)
print(score.format(signature=str(signature), is_json=True))
cached = BLEU(references=streams, trg_lang="zh", effective_order=True)
print(cached.get_signature(), cached.corpus_score(hypotheses, None).format(signature="a:b"))
print(BLEU.TOKENIZER_DEFAULT, list(BLEU.TOKENIZERS), BLEU.SMOOTH_DEFAULTS)
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


def run_script(lines: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(lines + SCRIPT, {"__name__": "__main__"})
    return printed.getvalue()


def describe(score: Any) -> list[tuple[str, Any, Any]]:
    values = [(name, getattr(score, name)) for name in FIELDS]
    types = [[*map(type, value)] if isinstance(value, list) else type(value) for _, value in values]
    return [(*item, kind) for item, kind in zip(values, types, strict=True)]


def run(function: Callable[..., Any], *args: Any, **given: Any) -> Any:
    try:
        return describe(function(*args, **given))
    except Exception as error:  # noqa: BLE001 - which, is what is compared
        return type(error)


def test_a_script_prints_the_same_with_the_import_lines_changed() -> None:
    expected = run_script(LINES)
    assert run_script(CHANGED_LINES) == expected
    assert "μ = " in expected
    assert "nrefs:var|bs:50|seed:12345|case:mixed|eff:no|tok:intl|smooth:add-k[2.00]" in expected


@pytest.mark.usefixtures("kernel")
@given(rows, options)
def test_all_scores_are_equal(corpus: list[Any], options: dict[str, Any]) -> None:
    hypotheses, *streams = corpus
    found = []
    for library in (theirs, ours):
        metric = library.BLEU(**options)
        scores = (
            run(metric.corpus_score, hypotheses, streams),
            run(metric.sentence_score, hypotheses[0], [stream[0] for stream in streams]),
        )
        signature = metric.get_signature()
        found.append((scores, [*signature.info.items()], signature.format(short=True)))
    assert found[0] == found[1]


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


def test_sums_follow_the_running_python(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = [[f"a b c d e f {'g' * (number % 3)} h" for number in range(40)]]
    hypotheses = [f"a b c {'x' * (number % 2)} e f g h {number}" for number in range(40)]

    def score(library: Any) -> list[Any]:
        metric = library.BLEU(smooth_method="floor")
        pairs = zip(hypotheses, streams[0], strict=True)
        scores = [metric.sentence_score(text, [reference]) for text, reference in pairs]
        return [describe(one) for one in (metric.corpus_score(hypotheses, streams, 9), *scores)]

    before = score(ours)
    # As from Python 3.12 on, sums of floats are compensated.
    for module in (
        "sacrebleu.metrics.bleu",
        "bleu_rouge_metric.integrations.sacrebleu.metrics.bleu",
    ):
        monkeypatch.setattr(f"{module}.sum", math.fsum, raising=False)
    assert score(ours) == score(theirs) != before


def test_a_seed_of_none_draws_others_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.BLEU()
    hypotheses = [f"a b c d {number} e f" for number in range(30)]
    streams = [[f"a b c d {number * 2} e f" for number in range(30)]]
    means = {metric.corpus_score(hypotheses, streams, 20)._mean for _ in range(4)}
    assert len(means) > 1
    assert metric.get_signature().info["seed"] == "none"


counts = st.lists(st.integers(0, 6) | st.just(2.5), min_size=4, max_size=6)


@given(
    st.tuples(counts, counts, st.integers(-1, 12), st.integers(0, 12)),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
    st.sampled_from([None, 0, 0.3, 2]),
    st.booleans(),
)
def test_any_counts_are_scored_alike(
    sums: Any, smooth: str, value: float | None, effective: bool
) -> None:
    given = copy.deepcopy(sums)
    expected = run(theirs.BLEU.compute_bleu, *copy.deepcopy(sums), smooth, value, effective)
    assert run(ours.BLEU.compute_bleu, *given, smooth, value, effective) == expected
    assert given == sums


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float32])
def test_counts_of_numpy_are_scored_alike(dtype: Any) -> None:
    found, expected = (
        library.BLEU.compute_bleu(*np.array([[5, 3, 1, 0], [7, 6, 5, 4]], dtype), 7, 8, "exp").score
        for library in (ours, theirs)
    )
    assert found == expected


LINES_OF_TEXT = [
    *("", " ", "It's 3.5!\t-1 a-1", "\u6211\u5728 IBM, &amp; <skipped>x-\ny", "$5.00 1,000.", "a.b")
]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *(("13a", "Tokenizer13a"), ("char", "TokenizerChar"), ("none", "NoneTokenizer")),
        *(("intl", "TokenizerV14International"), ("re", "TokenizerRegexp"), ("zh", "TokenizerZh")),
    ],
)
@given(text=any_texts | st.sampled_from(LINES_OF_TEXT))
def test_tokenizers_give_the_same_lines(module: str, name: str, text: str) -> None:
    path = f"sacrebleu.tokenizers.tokenizer_{module}"
    mine, their = (
        getattr(importlib.import_module(f"{prefix}{path}"), name)()
        for prefix in ("bleu_rouge_metric.integrations.", "")
    )
    assert (mine.signature(), mine(text)) == (their.signature(), their(text))
    assert isinstance(mine, ours.tokenizers.BaseTokenizer)


def test_other_tokenizers_are_those_of_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> None:
    from sacrebleu.tokenizers import tokenizer_spm

    class Pieces:
        def signature(self) -> str:
            return "pieces"

        def __call__(self, line: str) -> str:
            return " ".join(line)

    monkeypatch.setattr(tokenizer_spm, "spBLEU1KTokenizer", Pieces)
    found = []
    for library in (theirs, ours):
        metric = library.BLEU(tokenize="spBLEU-1K")
        scores = metric.corpus_score(["abcdef"], [["abcdeg"]]), metric.sentence_score("ab", ["ac"])
        found.append((list(map(describe, scores)), str(metric.get_signature())))
    assert found[0] == found[1]


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
    their = theirs.BLEU(effective_order=True, references=[["the cat sat"]])
    found = describe(duplicate(metric.corpus_score(["the cat"], None)))
    assert found == describe(their.corpus_score(["the cat"], None))
    with ThreadPoolExecutor(4) as pool:
        scores = list(pool.map(metric.sentence_score, ["the cat ran"] * 50, [["a cat ran"]] * 50))
    expected = describe(their.sentence_score("the cat ran", ["a cat ran"]))
    assert list(map(describe, scores)) == [expected] * 50
