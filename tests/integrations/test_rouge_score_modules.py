"""The other modules under ``integrations.rouge_score`` do what those of ``rouge_score`` do."""

import contextlib
import io
import logging
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rouge_score.io
import rouge_score.rouge_scorer
import rouge_score.scoring
import rouge_score.tokenize
import rouge_score.tokenizers
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem import porter

from bleu_rouge_metric.integrations import rouge_score as ours

from ..support.strategies import any_texts, tokens

LINES = (
    "from rouge_score import rouge_scorer, tokenize, io\nfrom rouge_score.rouge_scorer import *\n"
)
SCRIPT = """
from rouge_score_here.rouge_scorer import _create_ngrams, _lcs_table, _score_lcs, _score_ngrams
from rouge_score_here.rouge_scorer import _summary_level_lcs

target = tokenize.tokenize(b"The bakery sells 400 loaves.", None)
prediction = tokenize.tokenize("Bakeries sold about 400 loaves!", None)
print(target, prediction, _score_lcs(target, prediction), _lcs_table(target, prediction)[-1])
print(_score_ngrams(_create_ngrams(target, 2), _create_ngrams(prediction, 2)))
print(_summary_level_lcs([target, prediction], [prediction]), rouge_scorer.lcs_ind(target, target))
print(rouge_scorer.RougeScorer(["rouge1"]).score(b"a cat", "A cat"))
"""

THEIRS: Any = rouge_score.rouge_scorer
OURS: Any = ours.rouge_scorer


class Odd:
    """A stemmer whose stems have other characters, or none, or are bytes."""

    def stem(self, word: str) -> str | bytes:
        stems: dict[str, str | bytes] = {
            "cats": b"cat",
            "running": "run-",
            "dogs": "",
            "runs": "run\n",
        }
        return stems.get(word, word)


def run_script(package: str) -> str:
    lines = LINES.replace("from rouge_score", f"from {package}")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(lines + SCRIPT.replace("rouge_score_here", package), {"__name__": "__main__"})
    return printed.getvalue()


def catch(function: Callable[..., object], *args: Any) -> type[Exception]:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which, is what is asked
        function(*args)
    return caught.type


def test_a_script_prints_the_same_with_the_import_lines_changed() -> None:
    expected = run_script("rouge_score")
    assert run_script("bleu_rouge_metric.integrations.rouge_score") == expected
    assert "['the', 'bakery', 'sells', '400', 'loaves']" in expected


@given(any_texts, st.sampled_from([None, porter.PorterStemmer(), Odd()]))
def test_tokens_are_equal(text: str, stemmer: Any) -> None:
    text += " cats running dogs runs"
    encoded = f"{text} \u0130x \u212ay".encode(errors="ignore")
    for given_text in (text, encoded):
        expected = rouge_score.tokenize.tokenize(given_text, stemmer)
        assert ours.tokenize.tokenize(given_text, stemmer) == expected
    for use_stemmer in (False, True):
        expected = rouge_score.tokenizers.DefaultTokenizer(use_stemmer).tokenize(encoded)
        assert ours.tokenizers.DefaultTokenizer(use_stemmer).tokenize(encoded) == expected


def test_errors_of_tokens_are_of_the_same_types() -> None:
    for text in (b"\xff", None, 5, ["a"], bytearray(b"A")):
        expected = catch(rouge_score.tokenize.tokenize, text, None)
        assert catch(ours.tokenize.tokenize, text, None) is expected


def test_the_stemmer_of_the_default_tokenizer_can_be_read_but_not_set() -> None:
    stemmed: Any = ours.tokenizers.DefaultTokenizer(use_stemmer=True)
    theirs = rouge_score.tokenizers.DefaultTokenizer(use_stemmer=True)
    assert stemmed._stemmer.stem("running") == theirs._stemmer.stem("running") == "run"
    assert ours.tokenizers.DefaultTokenizer()._stemmer is None
    # A stemmer that is set would be ignored by the compiled tokenizer.
    with pytest.raises(AttributeError, match="_stemmer"):
        stemmed._stemmer = porter.PorterStemmer()


@pytest.mark.parametrize(
    "name",
    [
        f"{kind}_{end}"
        for kind in ("NON_ALPHANUM", "SPACES", "VALID_TOKEN")
        for end in ("RE", "PATTERN")
    ],
)
def test_patterns_are_equal(name: str) -> None:
    assert getattr(ours.tokenize, name) == getattr(rouge_score.tokenize, name)


@given(tokens, tokens, st.integers(1, 9))
def test_scores_of_ngrams_are_equal(target: list[str], prediction: list[str], order: int) -> None:
    expected, found = (
        [module._create_ngrams(side, order) for side in (target, prediction)]
        for module in (THEIRS, OURS)
    )
    assert found == expected
    assert list(map(list, found)) == list(map(list, expected))
    assert repr(OURS._score_ngrams(*found)) == repr(THEIRS._score_ngrams(*expected))


@given(tokens, tokens)
def test_subsequences_are_equal(target: list[str], prediction: list[str]) -> None:
    pair = target, prediction
    table = THEIRS._lcs_table(*pair)
    assert OURS._lcs_table(*pair) == table
    assert OURS.lcs_ind(*pair) == THEIRS.lcs_ind(*pair)
    assert OURS._backtrack_norec(table, *pair) == THEIRS._backtrack_norec(table, *pair)
    assert repr(OURS._score_lcs(*pair)) == repr(THEIRS._score_lcs(*pair))


@given(st.lists(tokens, max_size=4), st.lists(tokens, max_size=4), tokens)
def test_unions_are_equal(
    targets: list[list[str]], predictions: list[list[str]], target: list[str]
) -> None:
    expected = THEIRS._summary_level_lcs(targets, predictions)
    assert repr(OURS._summary_level_lcs(targets, predictions)) == repr(expected)
    expected = THEIRS._union_lcs(target, predictions)
    assert OURS._union_lcs(target, predictions) == expected
    places = [THEIRS.lcs_ind(target, one) for one in predictions]
    assert OURS._find_union(places) == THEIRS._find_union(places)


def test_ngrams_that_are_no_counter_are_an_error_of_the_same_type() -> None:
    args: tuple[Any, Any] = {("a",): 1}, {}
    assert catch(OURS._score_ngrams, *args) is catch(THEIRS._score_ngrams, *args) is KeyError
    assert OURS._score_ngrams(args[0], Counter()) == (0, 0, 0)


def write_files(folder: Path, delimiter: str) -> tuple[str, str]:
    draws = random.Random(4)
    for name in ("b", "a"):
        for kind in ("target", "prediction"):
            records = ["-".join(draws.choices("abcd", k=draws.randint(2, 7))) for _ in range(9)]
            # The last record of one file does not end.
            end = "" if (name, kind) == ("a", "target") else delimiter
            (folder / f"{name}.{kind}").write_text(delimiter.join(records) + end, encoding="utf-8")
    return str(folder / "*.target"), str(folder / "*.prediction")


@pytest.mark.filterwarnings("ignore:The 'warn' function is deprecated:DeprecationWarning")
@pytest.mark.parametrize("aggregates", [False, True])
@pytest.mark.parametrize("delimiter", ["\n", b"\n", " "])
def test_files_are_scored_alike(tmp_path: Path, aggregates: bool, delimiter: Any) -> None:
    import numpy as np

    text = delimiter.decode() if isinstance(delimiter, bytes) else delimiter
    patterns = write_files(tmp_path, text)
    found = []
    for package in (rouge_score, ours):
        scorer = package.rouge_scorer.RougeScorer(["rouge2", "rouge1", "rougeL"])
        aggregator = package.scoring.BootstrapAggregator(n_samples=20) if aggregates else None
        output = tmp_path / f"{package.__name__}.csv"
        np.random.seed(5)  # noqa: NPY002 - the stream that both draw from
        package.io.compute_scores_and_write_to_csv(
            *patterns, str(output), scorer, aggregator, delimiter
        )
        found.append(output.read_bytes())
    assert found[0] == found[1]
    assert found[0].startswith(b"score_type,low" if aggregates else b"id,rouge1-P,rouge1-R")


def test_files_that_cannot_be_paired_are_errors(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x\ny\n", encoding="utf-8")
    (tmp_path / "b").write_text("x\n", encoding="utf-8")
    (tmp_path / "none").write_text("", encoding="utf-8")
    pair, output = [str(tmp_path / name) for name in "ab"], str(tmp_path / "out")
    messages = []
    for patterns in (pair, [str(tmp_path / "?"), pair[0]], [str(tmp_path / "*.c")] * 2):
        for package in (rouge_score, ours):
            scorer = package.rouge_scorer.RougeScorer(["rouge1"])
            with pytest.raises(ValueError) as caught:  # noqa: PT011 - ours is compared below
                package.io.compute_scores_and_write_to_csv(*patterns, output, scorer, None)
        messages.append(str(caught.value))
    assert messages == [
        f"{pair[0]} and {pair[1]} have different numbers of records; expected a prediction for "
        "each target.",
        f"{tmp_path / '?'} matches 2 target files, and {pair[0]} matches 1 prediction files; "
        "expected the same number of both, at least one.",
        f"{tmp_path / '*.c'} matches 0 target files, and {tmp_path / '*.c'} matches 0 prediction "
        "files; expected the same number of both, at least one.",
    ]


def test_files_without_records_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "none").write_text("", encoding="utf-8")
    (tmp_path / "open").write_text("x", encoding="utf-8")
    output = tmp_path / "out"
    scorer = ours.rouge_scorer.RougeScorer(["rouge1"])
    with caplog.at_level(logging.WARNING, "absl"):
        none = str(tmp_path / "none")
        ours.io.compute_scores_and_write_to_csv(none, none, str(output), scorer, None)
        assert list(ours.io._record_gen(str(tmp_path / "open"), "\n")) == ["x"]
    assert not output.exists()
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("absl", "There are no scores to write."),
        ("absl", f"{tmp_path / 'open'} does not end with the delimiter."),
    ]
