"""The modules under ``integrations.rouge_score`` do what those of ``rouge_score`` do."""

import contextlib
import io
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import nltk
import numpy as np
import pytest
import rouge_score
import rouge_score.rouge_scorer
import rouge_score.scoring
import rouge_score.tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations import rouge_score as ours
from bleu_rouge_metric.text import sentences

from ..support.punkt import trained_punkt
from ..support.strategies import any_texts

TYPES = [*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum"]
LINE = "from rouge_score import rouge_scorer, scoring, tokenizers\n"
SCRIPT = """
import numpy as np

class Words(tokenizers.Tokenizer):
    def tokenize(self, text):
        return text.split()

references = ["The bakery sells 400 loaves.\\nMost are sold early.", "A bridge is closed.", "x", ""]
predictions = ["Bakeries sell 400 loaves.\\nMost are gone.", "The bridge was closed", "", "y"]
types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
np.random.seed(7)
for options in ({}, {"use_stemmer": True}, {"tokenizer": Words()}):
    scorer = rouge_scorer.RougeScorer(types, **options)
    aggregator = scoring.BootstrapAggregator(n_samples=200)
    for reference, prediction in zip(references, predictions):
        scores = scorer.score(reference, prediction)
        print(scores)
        aggregator.add_scores(scores)
    print(scorer.score_multi(references, predictions[0]))
    for name, found in aggregator.aggregate().items():
        print(name, found.low, found.mid.fmeasure, found.high)
print(isinstance(scorer, scoring.BaseScorer), scoring.fmeasure(0.5, 0.25), scoring.fmeasure(0, 0))
print(tokenizers.DefaultTokenizer(True).tokenize("Running U.S. cats"), np.random.rand())
"""


class Words:
    """A tokenizer of texts, bytes and lists."""

    def tokenize(self, text: Any) -> list[Any]:
        return text.split() if isinstance(text, str | bytes) else list(text)


class Letters:
    """A tokenizer whose tokens are integers, in a tuple."""

    def tokenize(self, text: str) -> tuple[int, ...]:
        return tuple(map(ord, text))


def run_script(line: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(line + SCRIPT, {"__name__": "__main__"})
    return printed.getvalue()


def make_both(*args: Any, **options: Any) -> tuple[Any, Any]:
    theirs = rouge_score.rouge_scorer.RougeScorer(*args, **options)
    return theirs, ours.rouge_scorer.RougeScorer(*args, **options)


def catch(function: Callable[..., object], *args: Any) -> tuple[type[Exception], str]:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which, is what is asked
        function(*args)
    return caught.type, str(caught.value)


def run(function: Callable[..., object], *args: Any) -> str:
    """Return a result, or the type and the text of an error."""
    try:
        return repr(function(*args))
    except (AttributeError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def test_a_script_prints_the_same_with_the_import_line_changed() -> None:
    changed = LINE.replace("rouge_score", "bleu_rouge_metric.integrations.rouge_score", 1)
    expected = run_script(LINE)
    assert run_script(changed) == expected
    assert "Score(precision=0, recall=0, fmeasure=0)" in expected


@pytest.mark.usefixtures("kernel")
@given(any_texts, st.lists(any_texts, min_size=1, max_size=3), st.booleans())
def test_all_scores_are_equal(prediction: str, targets: list[str], use_stemmer: bool) -> None:
    theirs, scorer = make_both(TYPES, use_stemmer)
    for target in targets:
        assert repr(scorer.score(target, prediction)) == repr(theirs.score(target, prediction))
    expected = theirs.score_multi(targets, prediction)
    assert repr(scorer.score_multi(targets, prediction)) == repr(expected)


@given(any_texts, any_texts, st.sampled_from([[name] for name in TYPES]))
def test_a_single_type_is_equal(prediction: str, target: str, types: list[str]) -> None:
    theirs, scorer = make_both(types)
    assert repr(scorer.score(target, prediction)) == repr(theirs.score(target, prediction))


@given(any_texts, st.lists(any_texts, min_size=1, max_size=3))
def test_a_tokenizer_of_the_caller_is_called_alike(prediction: str, targets: list[str]) -> None:
    theirs, scorer = make_both(["rouge1", "rouge3", "rougeL", "rougeLsum"], tokenizer=Letters())
    expected = theirs.score_multi(targets, prediction)
    assert repr(scorer.score_multi(targets, prediction)) == repr(expected)


@given(any_texts, st.lists(any_texts, min_size=1, max_size=3), st.booleans())
def test_bytes_are_read_alike(prediction: str, targets: list[str], use_stemmer: bool) -> None:
    theirs, mine = make_both(TYPES, use_stemmer=use_stemmer)
    encoded = [f"{text} \u0130x \u212ay".encode(errors="ignore") for text in targets]
    assert mine.score_multi(encoded, prediction) == theirs.score_multi(encoded, prediction)
    spoken = prediction.encode(errors="ignore")
    for target in (targets[0], encoded[0]):
        assert mine.score(target, spoken) == theirs.score(target, spoken)


def test_texts_of_numpy_are_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, mine = make_both(TYPES)
    calls: list[str] = []
    score_texts = ours.rouge_scorer.RougeScorer._score_texts

    def count(self: Any, targets: list[str], prediction: str) -> Any:
        calls.append(prediction)
        return score_texts(self, targets, prediction)

    monkeypatch.setattr(ours.rouge_scorer.RougeScorer, "_score_texts", count)
    texts = np.array(["the cat sat", "the cat"])
    assert mine.score(*texts) == theirs.score(*texts)
    assert calls == ["the cat"]


def test_bytes_that_are_not_utf_8_are_the_same_error() -> None:
    theirs, mine = make_both(TYPES)
    assert catch(mine.score, "a", b"\xff") == catch(theirs.score, "a", b"\xff")


def test_score_multi_calls_a_score_that_is_overridden() -> None:
    found: list[Any] = []
    for library in (rouge_score.rouge_scorer, ours.rouge_scorer):

        class Upper(library.RougeScorer):  # type: ignore[misc, name-defined]
            def score(self, target: str, prediction: str) -> Any:
                return super().score(target.replace("kitten", "cat"), prediction)

        changed = library.RougeScorer(["rouge1"])
        changed.score = Upper(["rouge1"]).score
        texts = ["a dog", "the kitten"], "the cat"
        found += [scorer.score_multi(*texts)["rouge1"] for scorer in (Upper(["rouge1"]), changed)]
    assert found == [(1, 1, 1)] * 4


def test_a_long_text_is_scored_alike() -> None:
    rng = np.random.default_rng(1)
    target, prediction = (" ".join(rng.choice(list("abcdefgh"), 900)) for _ in range(2))
    theirs, scorer = make_both(["rouge2", "rougeL", "rougeLsum"])
    assert scorer.score(target, prediction) == theirs.score(target, prediction)


@pytest.mark.parametrize(
    "types",
    [
        *(["rouge1\n"], ("rougeL", "rougeL"), {"rouge2": 1, "rouge1": 0}.keys(), [], ""),
        *([b"rouge1", "rougeLsum"], np.array(["rouge1", "rougeL"])),
    ],
)
def test_types_of_other_kinds_are_read_alike(types: Any) -> None:
    theirs, scorer = make_both(types)
    for _ in range(2):
        assert scorer.score("a b c", "a b") == theirs.score("a b c", "a b")
    targets = ["a", "a b c"]
    assert scorer.score_multi(targets, "a b") == theirs.score_multi(targets, "a b")


@pytest.mark.parametrize("types", [["rouge1"], {"rouge1": 0, "rouge2": 0}, {"rouge1", "rouge2"}])
def test_types_that_change_later_count(types: Any) -> None:
    theirs, scorer = make_both(types)
    assert scorer.score("a b", "a") == theirs.score("a b", "a")
    if isinstance(types, dict):
        types["rougeL"] = 0
    else:
        (types.append if isinstance(types, list) else types.add)("rougeL")
    assert "rougeL" in scorer.score("a b", "a")
    assert scorer.score("a b", "a") == theirs.score("a b", "a")


@pytest.mark.usefixtures("punkt")
def test_attributes_that_change_later_count() -> None:
    text, target = "A cat. A pig", "A dog. A cat"
    theirs, scorer = make_both(["rougeLsum"])
    for name, value in (("_split_summaries", True), ("_tokenizer", Letters())):
        before = scorer.score(target, text)
        for one in (theirs, scorer):
            setattr(one, name, value)
        assert scorer.score(target, text) == theirs.score(target, text) != before


@pytest.mark.parametrize("types", [["rouge1", "rougeL", "rouge2"], ["rougeLsum"], TYPES, []])
@pytest.mark.parametrize(
    ("target", "prediction"),
    [([1, 2, 3], [2, 3, 1]), (b"a b\nc", "c\na b"), ("a", None), (None, "a"), ([1], "1")],
)
def test_a_tokenizer_of_the_caller_may_read_other_objects(
    types: list[str], target: Any, prediction: Any
) -> None:
    theirs, scorer = make_both(types, tokenizer=Words())
    for args in ((target, prediction), (prediction, target)):
        assert run(scorer.score, *args) == run(theirs.score, *args)
    targets = [target, prediction]
    assert run(scorer.score_multi, targets, target) == run(theirs.score_multi, targets, target)


@pytest.mark.parametrize(
    "types",
    [
        *(["rouge10"], ["rouge0"], ["rouge1", "rougeW"], ["ROUGE1"], ["rouge-1"], "rouge1", [1]),
        *([""], ["rougeLSum"], ["rouge1", None], ["rouge²"], [b"rougeL"]),
        *({"rouge1"}, {"rouge1": 0}),
    ],
)
def test_errors_of_types_are_the_same(types: Any) -> None:
    theirs, scorer = make_both(types)
    assert catch(scorer.score, "a", "a") == catch(theirs.score, "a", "a")
    assert catch(scorer.score_multi, ["a"], "a") == catch(theirs.score_multi, ["a"], "a")


@pytest.mark.parametrize("settings", [(-0.1, 1), (1.1, 1), (0.5, 0), (0.5, -3)])
def test_errors_of_the_aggregator_are_the_same(settings: tuple[float, int]) -> None:
    expected = catch(rouge_score.scoring.BootstrapAggregator, *settings)
    assert catch(ours.scoring.BootstrapAggregator, *settings) == expected


@pytest.mark.parametrize("types", [["rouge1"], ["rougeLsum"], ["foo"]])
@pytest.mark.parametrize("text", [None, 5, ["a"], bytearray(b"a")])
def test_errors_of_texts_hold_what_the_others_say(text: Any, types: list[str]) -> None:
    theirs, scorer = make_both(types)
    for args in ((text, "a"), ("a", text)):
        kind, said = catch(theirs.score, *args)
        found, message = catch(scorer.score, *args)
        assert found is kind
        name = "target" if args[0] is text else "prediction"
        assert message == f"{name} is of type {type(text).__name__}; expected a str ({said})."


def test_no_target_is_an_error() -> None:
    theirs, scorer = make_both(["rouge1"])
    kind, said = catch(theirs.score_multi, [], "a")
    assert catch(scorer.score_multi, [], "a") == (
        kind,
        f"targets is empty; expected at least one reference ({said}).",
    )
    theirs, scorer = make_both([])
    assert scorer.score_multi([], "a") == theirs.score_multi([], "a") == {}


def test_a_tokenizer_of_the_library_works_here_and_the_other_way_round() -> None:
    target, prediction = "The cats were running.", "A cat was running"
    expected = make_both(["rouge1"], use_stemmer=True)[0].score(target, prediction)
    stemmed = rouge_score.tokenizers.DefaultTokenizer(use_stemmer=True)
    _, scorer = make_both(["rouge1"], tokenizer=stemmed)
    assert scorer.score(target, prediction) == expected
    theirs, scorer = make_both(
        ["rouge1"], tokenizer=ours.tokenizers.DefaultTokenizer(use_stemmer=True)
    )
    assert theirs.score(target, prediction) == scorer.score(target, prediction) == expected


def test_abstract_classes_cannot_be_made() -> None:
    kinds: tuple[Any, ...] = (ours.scoring.BaseScorer, ours.tokenizers.Tokenizer)
    for kind in kinds:
        with pytest.raises(TypeError, match="abstract"):
            kind()


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


@given(
    st.lists(st.tuples(*[st.sampled_from([0, 0.0, 0.1, 1 / 3, 0.7, 1.0])] * 3), min_size=1),
    st.sampled_from([1, 2, 50]),
    st.sampled_from([0.0, 0.5, 0.95, 1.0]),
)
def test_resamples_draw_the_same_from_the_global_stream(
    rows: list[tuple[float, float, float]], n_samples: int, confidence: float
) -> None:
    found = []
    for module in (rouge_score.scoring, ours.scoring):
        aggregator = module.BootstrapAggregator(confidence, n_samples)
        for index, row in enumerate(rows):
            scores = {"rouge1": module.Score(*row), "rouge2": module.Score(*row[::-1])}
            aggregator.add_scores(scores if index % 2 else {"rouge1": module.Score(*row)})
        np.random.seed(3)  # noqa: NPY002 - the stream that both draw from
        found.append((repr(aggregator.aggregate()), np.random.rand()))  # noqa: NPY002
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", [float, np.float64, NamedTuple("One", [("value", float)])])
@pytest.mark.parametrize("count", [1, 7, 300, 3000])
def test_single_numbers_are_added_pairwise(kind: Any, count: int) -> None:
    values, found = np.random.default_rng(2).random(count).tolist(), []
    for module in (rouge_score.scoring, ours.scoring):
        aggregator = module.BootstrapAggregator(n_samples=20)
        for value in values:
            aggregator.add_scores({"bleu": kind(value)})
        np.random.seed(3)  # noqa: NPY002 - the stream that both draw from
        found.append((repr(aggregator.aggregate()), np.random.rand()))  # noqa: NPY002
    assert found[0] == found[1]


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


def test_missing_punkt_is_an_error_of_its_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    sentences._load_punkt.cache_clear()
    theirs, scorer = make_both(["rougeLsum"], split_summaries=True)
    assert catch(theirs.score, "a", "a")[0] is LookupError
    assert catch(scorer.score, "a", "a") == (
        LookupError,
        "sentence_splitter 'punkt' needs NLTK's data punkt_tab, which is not installed; "
        "use python -m nltk.downloader punkt_tab.",
    )
    _, scorer = make_both(["rouge1"], split_summaries=True)
    assert scorer.score("a", "a")["rouge1"].fmeasure == 1
