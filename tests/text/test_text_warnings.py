"""Warnings about texts that the options do not score as the user expects."""

import re
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

from bleu_rouge_metric import (
    Options,
    Scorer,
    bleu_score,
    compare_profiles,
    compute_metrics,
    load,
    rouge_scores,
)
from bleu_rouge_metric.engines import count_batch
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenize
from bleu_rouge_metric.text.warnings import (
    collect_warnings,
    warn_if_nothing_is_left,
    warn_if_sentences_share_lines,
)

from ..conftest import METRIC
from ..support.errors import list_warnings
from ..support.strategies import samples as any_samples
from ..support.toy_tokenizer import ToyTokenizer


def check_tokens(samples: Samples, choice: str | Tokenize, option: str = "tokenizer") -> None:
    """Count as a kernel does, and warn of texts without tokens."""
    tokenize = TOKENIZERS[choice] if isinstance(choice, str) else choice

    def totals(texts: Any) -> Any:
        return np.array([len(tokenize(str(text))) for text in texts], dtype=np.int32)

    warn_if_nothing_is_left(
        samples,
        totals(samples.predictions),
        totals(samples.references),
        option=option,
        choice=choice,
        tokenize=tokenize,
    )


UNICODE = "use {}='unicode', which finds the words of every language."
CHAR = "use {}='char' to count characters that are not letters or digits."


ROUGE = "The 'rouge' tokenizer"


@pytest.mark.parametrize(
    ("predictions", "references", "choice", "option", "who", "share", "remedy"),
    [
        (["Привет"] * 50, ["мир"] * 50, "rouge", "tokenizer", ROUGE, "50 of 50 (100%)", UNICODE),
        (
            *(["a"] * 1997 + ["我爱你", "สวัสดี", "b"], ["a"] * 2000, "rouge", "rouge_tokenizer"),
            *(ROUGE, "2 of 2,000 (0.1%)", UNICODE),
        ),
        (
            *(["a", "b", ""], [["x", "नमस्ते", "हिंदी"], ["y"], [" \n"]], "rouge", "tokenizer"),
            *(ROUGE, "1 of 3 (33.3%)", UNICODE),
        ),
        (["😀", "?!", "слово"], ["a"] * 3, "rouge", "tokenizer", ROUGE, "3 of 3 (100%)", CHAR),
        (
            *(["😀", "a"], ["a", "b"], "unicode", "bleu_tokenizer"),
            *("The 'unicode' tokenizer", "1 of 2 (50%)", CHAR),
        ),
        (
            *(["word"], ["a b"], lambda text: text.split()[1:], "tokenizer"),
            *("The callable given as tokenizer", "", UNICODE),
        ),
    ],
)
def test_a_tokenizer_that_leaves_nothing_is_one_warning(
    predictions: Any, references: Any, choice: Any, option: str, who: str, share: str, remedy: str
) -> None:
    share = share and f" in {share.replace(' (', ' samples (')}"
    message = (
        f"{who} leaves nothing of the prediction or of a reference{share}, so that nothing there "
        f"can match; {remedy.format(option)}"
    )
    samples = check_samples(predictions, references)
    with pytest.warns(UserWarning, match=f"^{re.escape(message)}$") as record:
        check_tokens(samples, choice, option)
    assert len(record) == 1
    assert record[0].filename.endswith("test_text_warnings.py")


def test_arrow_columns_are_looked_at_too() -> None:
    samples = check_samples(
        pa.chunked_array([["a"], ["Привет", ""]]), pa.array([["b", "мир"], ["c"], ["d"]])
    )
    with pytest.warns(UserWarning, match=r"in 2 of 3 samples \(66\.7%\)"):
        check_tokens(samples, "rouge")


def test_a_text_too_short_for_an_ngram_is_no_reason() -> None:
    samples = check_samples(["one"], ["two words"])
    warn_if_nothing_is_left(
        samples,
        np.array([0]),  # bigrams
        np.array([1]),
        option="tokenizer",
        choice="rouge",
        tokenize=TOKENIZERS["rouge"],
    )


@given(any_samples)
def test_char_leaves_something_of_every_text(drawn: list[tuple[str, list[str]]]) -> None:
    predictions, references = map(list, zip(*drawn, strict=True))
    check_tokens(check_samples(predictions, references), "char")


def refuse(_: str) -> list[str]:
    raise AssertionError("a text is tokenized")


def test_no_text_is_looked_at_where_every_one_has_tokens() -> None:
    ones = np.ones(3, dtype=np.int32)
    warn_if_nothing_is_left(
        check_samples(["a"] * 3, ["b"] * 3), ones, ones, option="", choice="", tokenize=refuse
    )


SEVERAL = [
    *("It rained. We left.", "It rained . We left .", 'He said "no." Then he left.'),
    *("Really?! Yes.", "Она ушла. Он остался.", "雨です。傘がない。", "「はい。」と言った"),
    *("वह गया। मैं रहा।", "هل ذهب؟ نعم.", "ይህ ነው። ያ ነው።"),
]
ONE = [
    *("", "no end", "It rained.", "It rained .", "It cost 3.5 euros.", "J. R. Smith left"),
    *("see a.b.org.", "Wait...", "雨です。", "「はい。」", "वह गया।", "Yes?!"),
]


def newline_message(several: int, samples: int) -> str:
    return (
        "rougeLsum: one sentence per line is expected, but no text has a newline, and "
        f"{several} of the first {samples} samples have several sentences; each text is one "
        "sentence here. Put a newline between sentences, or use sentence_splitter='punkt' or "
        "'pysbd'."
    )


@pytest.mark.parametrize("text", SEVERAL)
def test_sentences_on_one_line_are_a_warning(text: str) -> None:
    for pair in ([text] * 2, ["a"] * 2), (["a"] * 2, [text] * 2):
        with pytest.warns(UserWarning, match=f"^{re.escape(newline_message(2, 2))}$") as record:
            warn_if_sentences_share_lines(check_samples(*pair), ["rougeLsum"])
        assert len(record) == 1


@pytest.mark.parametrize("text", ONE)
def test_one_sentence_or_one_sample_is_no_warning(text: str) -> None:
    warn_if_sentences_share_lines(check_samples([text] * 2, [text] * 2), ["rougeLsum"])
    warn_if_sentences_share_lines(check_samples(SEVERAL[:1], [text]), ["rougeLsum"])


def test_the_types_that_look_at_sentences_are_named(metric: evaluate.Metric) -> None:
    texts = {"predictions": SEVERAL[:2], "references": SEVERAL[:2]}
    for options, names in (
        ({"rouge_types": ["rougeL", "rougeW", "rougeLsum"]}, "rougeW and rougeLsum"),
        ({"profile": "rouge-1.5.5"}, "rougeL"),
        ({"profile": "lin2004"}, "rougeLsum"),
    ):
        with pytest.warns(UserWarning, match=f"^{names}: one sentence per line") as record:
            metric.compute(**texts, **options)
        assert [Path(warning.filename).name for warning in record] == [Path(__file__).name]
    metric.compute(**texts, rouge_types=["rougeL"])


@pytest.mark.parametrize(("several", "is_warned"), [(15, False), (16, True), (32, True)])
def test_half_of_the_first_samples_must_have_several_sentences(
    several: int, is_warned: bool
) -> None:
    predictions = ["a b."] * (32 - several) + ["It rained. We left."] * several + ["c"] * 500
    samples = check_samples(predictions, ["x"] * 532)
    messages = list_warnings(lambda: warn_if_sentences_share_lines(samples, ["rougeLsum"]))
    assert messages == ([newline_message(several, 32)] if is_warned else [])


@pytest.mark.parametrize("make", [list, pa.array, lambda texts: pa.chunked_array([texts])])
def test_a_newline_anywhere_is_enough(make: Callable[[list[str]], Any]) -> None:
    texts = ["It rained. We left."] * 300
    samples = check_samples(make(texts), make(texts))
    with pytest.warns(UserWarning, match="^rougeLsum: one sentence per line"):
        warn_if_sentences_share_lines(samples, ["rougeLsum"])
    lines = [*texts[:-1], "It rained.\nWe left."]
    for pair in (texts, lines), (lines, texts), (lines[::-1], texts):
        samples = check_samples(*map(make, pair))
        warn_if_sentences_share_lines(samples, ["rougeLsum"])


def test_another_splitter_is_no_warning() -> None:
    samples = ["It rained. We left."] * 32
    rouge_scores(samples, samples, rouge_types=["rougeLsum"], sentence_splitter=lambda text: [text])
    scorer = Scorer("rouge", rouge_types=["rougeLsum"], sentence_splitter=lambda text: [text])
    scorer.update(samples, samples)
    scorer.result()


@pytest.mark.parametrize("text", ["x" * 10_000, "." * 10_000, "a." * 5_000, "。" * 10_000, "x. "])
def test_long_texts_are_looked_at_in_linear_time(text: str) -> None:
    samples = check_samples([text.ljust(10_000)] * 64, ["x"] * 64)
    # 640,000 characters: quadratic time would be minutes.
    warn_if_sentences_share_lines(samples, ["rougeLsum"])


STEMMER: dict[str, Any] = {"rouge_tokenizer": "unicode", "use_stemmer": True}
LOST: dict[str, Any] = {"predictions": ["кошка"], "references": ["кошка"]}
CALLS: dict[str, Callable[[], object]] = {
    "Options": lambda: Options(**STEMMER),
    "Options.from_keywords": lambda: Options.from_keywords(STEMMER),
    "Scorer": lambda: Scorer(**STEMMER),
    "Scorer.update": lambda: Scorer("rouge").update(*LOST.values()),
    "rouge_scores": lambda: rouge_scores(**LOST),
    "rouge_scores, options": lambda: rouge_scores(["a"], ["a"], **STEMMER),
    "bleu_score": lambda: bleu_score(["x"], ["x"], tokenizer=lambda _: []),
    "compare_profiles": lambda: compare_profiles(**LOST, profiles=["hf", "rouge_score"]),
    "count_batch": lambda: count_batch({"prediction": ["a"], "reference": ["a"]}, **STEMMER),
    "compute_metrics": lambda: compute_metrics(ToyTokenizer(), family="rouge", **STEMMER),
    "metric.compute": lambda: evaluate.load(METRIC, "rouge").compute(**LOST),
    "metric.compute, options": lambda: evaluate.load(METRIC, "rouge").compute(
        predictions=["a"], references=["a"], **STEMMER
    ),
    "metric.compute of this package": lambda: load("rouge").compute(**LOST),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_warning_points_at_the_line_of_the_caller(call: Callable[[], object]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    lines = range(call.__code__.co_firstlineno, call.__code__.co_firstlineno + 3)
    assert caught
    assert {warning.filename for warning in caught} == {__file__}
    assert {warning.lineno for warning in caught} <= set(lines)


def test_warnings_are_collected_in_one_thread_alone(metric: evaluate.Metric) -> None:
    texts = {"predictions": ["да"], "references": ["да"]}
    with collect_warnings() as collected:
        check_tokens(check_samples(*texts.values()), "rouge")
        assert len(collected) == 1
        assert collected[0].startswith("The 'rouge' tokenizer leaves nothing")
        # Another thread warns as usual.
        with pytest.warns(UserWarning, match="leaves nothing"), ThreadPoolExecutor(1) as thread:
            thread.submit(metric.compute, **texts).result()
        assert len(collected) == 1
    with pytest.warns(UserWarning, match="leaves nothing"):
        metric.compute(**texts)
