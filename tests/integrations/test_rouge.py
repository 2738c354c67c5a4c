"""``rouge_score``, ``rouge`` and ``rouge_chinese`` under ``integrations`` do what these do."""

import pickle
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import rouge_score
import rouge_score.io
import rouge_score.rouge_scorer
import rouge_score.scoring
import rouge_score.tokenize
import rouge_score.tokenizers
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem import porter

from bleu_rouge_metric.integrations import rouge_score as ours
from bleu_rouge_metric.integrations.rouge import Rouge

from ..conftest import require
from ..support.dictionaries import trained_punkt
from ..support.strategies import any_texts, tokens

THEIRS: Any = rouge_score.rouge_scorer
OURS: Any = ours.rouge_scorer

TYPES = [*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum"]


class Words:
    def tokenize(self, text: Any) -> list[Any]:
        return text.split() if isinstance(text, str | bytes) else list(text)


class Letters:
    def tokenize(self, text: str | bytes) -> tuple[int, ...]:
        return tuple(map(ord, text)) if isinstance(text, str) else tuple(text)


def make_both(*args: Any, **options: Any) -> tuple[Any, Any]:
    theirs = rouge_score.rouge_scorer.RougeScorer(*args, **options)
    return theirs, ours.rouge_scorer.RougeScorer(*args, **options)


texts_or_bytes = any_texts | any_texts.map(
    lambda text: f"{text} \u0130x \u212ay".encode(errors="ignore")
)


@pytest.mark.usefixtures("kernel")
@given(
    *(texts_or_bytes, st.lists(texts_or_bytes, min_size=1, max_size=3)),
    st.sampled_from([{}, {"use_stemmer": True}, {"tokenizer": Letters()}]),
    st.just(TYPES) | st.sampled_from(TYPES).map(lambda name: [name]),
)
def test_all_scores_are_equal(
    prediction: str | bytes, targets: list[str | bytes], options: Any, types: list[str]
) -> None:
    theirs, scorer = make_both(types, **options)
    for target in targets:
        assert repr(scorer.score(target, prediction)) == repr(theirs.score(target, prediction))
    expected = theirs.score_multi(targets, prediction)
    assert repr(scorer.score_multi(targets, prediction)) == repr(expected)


def test_score_multi_calls_a_score_that_is_overridden() -> None:
    found: list[Any] = []
    for library in (rouge_score.rouge_scorer, ours.rouge_scorer):

        class Upper(library.RougeScorer):  # type: ignore[misc, name-defined]
            def score(self, target: str, prediction: str) -> Any:
                return super().score(target.replace("kitten", "cat"), prediction)

        found.append(Upper(["rouge1"]).score_multi(["a dog", "the kitten"], "the cat")["rouge1"])
    assert found == [(1, 1, 1)] * 2


@pytest.mark.parametrize("types", [["rouge1", "rougeL", "rouge2"], ["rougeLsum"], TYPES, []])
def test_a_tokenizer_of_the_caller_may_read_other_objects(types: list[str]) -> None:
    theirs, scorer = make_both(types, tokenizer=Words())
    pairs: list[tuple[Any, Any]] = [(b"a b\nc", "c\na b"), ("a", b"\xc4\xb0 a")]
    # Sentences are those of texts.
    pairs += [] if "rougeLsum" in types else [([1, 2, 3], [2, 3, 1])]
    for pair in pairs:
        for args in (pair, pair[::-1]):
            assert repr(scorer.score(*args)) == repr(theirs.score(*args))
        assert scorer.score_multi(pair, pair[0]) == theirs.score_multi(pair, pair[0])


@pytest.mark.parametrize("library", [rouge_score, ours])
def test_a_tokenizer_of_either_library_works_in_both(library: Any) -> None:
    pair = "The cats were running.", "A cat was running"
    expected = make_both(["rouge1"], use_stemmer=True)[0].score(*pair)
    stemmed = library.tokenizers.DefaultTokenizer(use_stemmer=True)
    for scorer in make_both(["rouge1"], tokenizer=stemmed):
        assert scorer.score(*pair) == expected


@pytest.mark.parametrize("options", [{}, {"use_stemmer": True}, {"tokenizer": Letters()}])
def test_a_pickled_scorer_and_threads_give_the_same(options: dict[str, Any]) -> None:
    theirs, scorer = make_both(["rouge1", "rougeL"], **options)
    expected = theirs.score("the cats ran", "a cat ran")
    assert scorer.score("the cats ran", "a cat ran") == expected
    copy = pickle.loads(pickle.dumps(scorer))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(copy.score, ["the cats ran"] * 50, ["a cat ran"] * 50))
    assert found == [expected] * 50
    assert pickle.loads(pickle.dumps(found[0])) == expected


def check_aggregates(make_scores: Callable[[Any], list[dict[str, Any]]], *settings: Any) -> None:
    """Compare what both libraries draw from the global stream."""
    found = []
    for module in (rouge_score.scoring, ours.scoring):
        aggregator = module.BootstrapAggregator(*settings)
        for scores in make_scores(module):
            aggregator.add_scores(scores)
        np.random.seed(3)  # noqa: NPY002 - the stream that both draw from
        found.append((repr(aggregator.aggregate()), np.random.rand()))  # noqa: NPY002
    assert found[0] == found[1]


@given(
    st.lists(st.tuples(*[st.sampled_from([0, 0.0, 0.1, 1 / 3, 0.7, 1.0])] * 3), min_size=1),
    st.sampled_from([1, 2, 50]),
    st.sampled_from([0.0, 0.5, 0.95, 1.0]),
)
def test_resamples_draw_the_same_from_the_global_stream(
    rows: list[tuple[float, float, float]], n_samples: int, confidence: float
) -> None:
    def make_scores(module: Any) -> list[dict[str, Any]]:
        both = [{"rouge1": module.Score(*row), "rouge2": module.Score(*row[::-1])} for row in rows]
        return [scores if n % 2 else {"rouge1": scores["rouge1"]} for n, scores in enumerate(both)]

    check_aggregates(make_scores, confidence, n_samples)


@pytest.mark.parametrize("kind", [float, np.float64, NamedTuple("One", [("value", float)])])
@pytest.mark.parametrize("count", [1, 7, 300, 3000])
def test_single_numbers_are_added_pairwise(kind: Any, count: int) -> None:
    values = np.random.default_rng(2).random(count).tolist()
    check_aggregates(lambda _: [{"bleu": kind(value)} for value in values], 0.95, 20)


@pytest.fixture
def punkt(tmp_path: Path) -> Iterator[None]:
    with trained_punkt(tmp_path):
        yield


@pytest.mark.usefixtures("punkt")
@given(any_texts, any_texts)
def test_split_summaries_is_nltks_punkt(prediction: str, target: str) -> None:
    prediction, target = f"{prediction}. The cat ran. A dog", f"The cat ran. {target}. A dog"
    theirs, scorer = make_both(TYPES, split_summaries=True)
    assert repr(scorer.score(target, prediction)) == repr(theirs.score(target, prediction))


class Odd:
    """A stemmer whose stems have other characters, or none, or are bytes."""

    def stem(self, word: str) -> str | bytes:
        stems: Any = {"cats": b"cat", "running": "run-", "dogs": "", "runs": "run\n"}
        return stems.get(word, word)  # type: ignore[no-any-return]


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


@given(tokens, tokens, st.integers(1, 9))
def test_scores_of_tokens_are_equal(target: list[str], prediction: list[str], order: int) -> None:
    expected, found = (
        [module._create_ngrams(side, order) for side in (target, prediction)]
        for module in (THEIRS, OURS)
    )
    assert found == expected
    assert list(map(list, found)) == list(map(list, expected))
    assert repr(OURS._score_ngrams(*found)) == repr(THEIRS._score_ngrams(*expected))
    pair = target, prediction
    table = THEIRS._lcs_table(*pair)
    assert OURS._lcs_table(*pair) == table
    assert OURS.lcs_ind(*pair) == THEIRS.lcs_ind(*pair)
    assert OURS._backtrack_norec(table, *pair) == THEIRS._backtrack_norec(table, *pair)
    assert repr(OURS._score_lcs(*pair)) == repr(THEIRS._score_lcs(*pair))


@given(st.lists(tokens, max_size=4), st.lists(tokens, max_size=4), tokens)
def test_scores_of_sentences_are_equal(
    targets: list[list[str]], predictions: list[list[str]], target: list[str]
) -> None:
    pair = targets, predictions
    assert repr(OURS._summary_level_lcs(*pair)) == repr(THEIRS._summary_level_lcs(*pair))
    assert OURS._union_lcs(target, predictions) == THEIRS._union_lcs(target, predictions)
    places = [THEIRS.lcs_ind(target, one) for one in predictions]
    assert OURS._find_union(places) == THEIRS._find_union(places)


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
    for name, text in (("a", "x\ny\n"), ("b", "x\n"), ("none", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    a, b, none, output = (str(tmp_path / name) for name in ("a", "b", "none", "out"))
    scorer = ours.rouge_scorer.RougeScorer(["rouge1"])
    for patterns, message in (
        ((a, b), f"{a} and {b} have different numbers of records; expected a prediction"),
        ((str(tmp_path / "?"), a), "matches 2 files, and .* matches 1 file;"),
        ((f"{a}.c", f"{b}.c"), "matches 0 files, and .* matches 0 files;"),
    ):
        with pytest.raises(ValueError, match=message):
            ours.io.compute_scores_and_write_to_csv(*patterns, output, scorer, None)
    ours.io.compute_scores_and_write_to_csv(none, none, output, scorer, None)
    assert not Path(output).exists()


# The packages ``rouge`` and ``rouge_chinese``.
NAMES = ("rouge", "rouge_chinese")
LIBRARIES = pytest.mark.parametrize("name", NAMES)

SCRIPT = """
from {module} import FilesRouge, Rouge, __version__

found = [
    Rouge().get_scores(["the cat sat. on the mat", "c d"], ["the cat. sat", "c c d"], avg=True),
    (__version__, list(Rouge.AVAILABLE_METRICS)),
    FilesRouge().get_scores("hyps.txt", "refs.txt", avg=True),
    FilesRouge(["rouge-1"]).get_scores(b"hyps.txt", b"refs.txt"),
]
"""


@LIBRARIES
def test_a_script_gives_the_same_with_another_import_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(name)
    monkeypatch.chdir(tmp_path)
    Path("hyps.txt").write_text("a b c\nc dd", "utf-8")
    Path("refs.txt").write_text("a c b\nc d\n", "utf-8")
    found: list[Any] = []
    for module in (name, f"bleu_rouge_metric.integrations.{name}"):
        names: dict[str, Any] = {}
        exec(SCRIPT.format(module=module), names)
        found.append(names["found"])
    assert repr(found[0]) == repr(found[1])


PIECES = ["a", "b", "the", " ", ".", "..", "\n", "。", "？", "?", "”", "……", "......", "，"]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
arguments = st.fixed_dictionaries(
    {
        "metrics": st.sampled_from(
            [None, ["rouge-L"], ["rouge-3", "rouge-l", "rouge-1"], ["rouge-1"] * 2, []]
        ),
        "stats": st.sampled_from([None, ["F"], ["p", "r"], []]),
        "return_lengths": st.booleans(),
        "raw_results": st.booleans(),
        "exclusive": st.booleans(),
    }
)


def load_both(name: str, module: str = "") -> tuple[ModuleType, ModuleType]:
    require(name)
    path = f"{name}{module}"
    return import_module(f"bleu_rouge_metric.integrations.{path}"), import_module(path)


def check_equal(ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    """Compare results with the types of their numbers, where the library has one."""
    try:
        expected = repr(theirs())
    except (AssertionError, KeyError, ValueError, ZeroDivisionError):
        return
    assert repr(ours()) == expected


@LIBRARIES
@given(
    pairs=st.lists(st.tuples(texts, texts), max_size=3),
    given_arguments=arguments,
    avg=st.booleans(),
    ignore_empty=st.booleans(),
)
def test_results_are_those_of_the_library(
    name: str, pairs: list[tuple[str, str]], given_arguments: Any, avg: bool, ignore_empty: bool
) -> None:
    sides = [text for text, _ in pairs], [text for _, text in pairs]

    def score(module: Any) -> Any:
        scorer = module.Rouge(**given_arguments)
        return scorer.get_scores(*sides, avg=avg, ignore_empty=ignore_empty)

    ours, theirs = load_both(name)
    check_equal(lambda: score(ours), lambda: score(theirs))


sentences = st.lists(st.text("ab \n.", max_size=6), max_size=3)


@LIBRARIES
@given(sentences, sentences, st.integers(1, 5), st.booleans(), st.booleans())
def test_functions_are_those_of_the_library(
    name: str, hyp: list[str], ref: list[str], n: int, raw: bool, exclusive: bool
) -> None:
    ours, theirs = load_both(name, ".rouge_score")
    for function, args in (
        ("rouge_n", (hyp, ref, n, raw, exclusive)),
        ("rouge_l_summary_level", (hyp, ref, raw, exclusive)),
        ("multi_rouge_n", ([hyp, ref], [(0, 1), (1, 1)], n, exclusive)),
        ("f_r_p_rouge_n", (n, len(hyp), min(n, len(hyp)))),
    ):
        call, expected = (getattr(module, function) for module in (ours, theirs))
        check_equal(partial(call, *args), partial(expected, *args))


def test_a_series_with_another_index_is_scored() -> None:
    series: Any = pd.Series(["a b", "c"], index=[7, 8])
    for keys in ({}, {"avg": True}):
        assert Rouge().get_scores(series, series, **keys) == Rouge().get_scores(
            series.tolist(), series.tolist(), **keys
        )


@pytest.mark.filterwarnings("ignore:rouge 1.0.1 raises an error")
def test_long_texts_are_scored() -> None:
    text = " ".join(map(str, range(1000)))
    library = require("rouge").Rouge(["rouge-1", "rouge-l"])
    with pytest.raises(RecursionError):
        library.get_scores(text, text)
    scores = Rouge(["rouge-1", "rouge-l"]).get_scores(text, text)[0]
    assert scores["rouge-l"] == scores["rouge-1"]
