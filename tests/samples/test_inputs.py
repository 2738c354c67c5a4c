"""Every accepted shape of the inputs, and the whole text of every error."""

import pickle
from collections import OrderedDict, UserList
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import Options, Scorer
from bleu_rouge_metric.arrays import to_offsets
from bleu_rouge_metric.messages import describe_value, format_message, rename_arguments
from bleu_rouge_metric.samples import items as item_checks
from bleu_rouge_metric.samples.inputs import check_pair, check_samples, concatenate_samples
from bleu_rouge_metric.samples.items import (
    are_texts,
    are_texts_python,
    find_list_as_text,
    find_suspects,
    find_suspects_python,
)

from ..support.errors import call_wrongly, read_errors

PREDICTIONS = ["a b", "c", ""]
SINGLE = ["x", "y", "z"]
SEVERAL = [["x", "x2"], ["y"], ["z", "z2", "z3"]]


def _generator(items: list[Any]) -> Any:
    yield from items


def _column(items: list[Any]) -> Any:
    return datasets.Dataset.from_dict({"text": items})["text"]


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "generator": _generator,
    "UserList": UserList,
    "NumPy array of objects": lambda items: np.array([*items, None], dtype=object)[:-1],
    "pandas Series": lambda items: pd.Series(items, index=range(7, 7 + len(items))),
    "datasets column": _column,
    "pyarrow array": pa.array,
    "pyarrow chunked array": lambda items: pa.chunked_array([pa.array(items[:1]), items[1:]]),
}


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS.keys())
@pytest.mark.parametrize("references", [SINGLE, SEVERAL], ids=["single", "several"])
def test_any_sequence_is_accepted(container: Any, references: list[Any]) -> None:
    samples = check_samples(container(PREDICTIONS), container(references))
    lists = [[text] if isinstance(text, str) else text for text in references]
    expected = list(zip(PREDICTIONS, lists, strict=True))
    assert list(samples.by_sample()) == expected
    assert list(samples.select(1, 3).by_sample()) == expected[1:]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("kind", ["string", "large_string"])
@pytest.mark.parametrize("references", [SINGLE, SEVERAL], ids=["single", "several"])
def test_arrow_strings_stay_in_arrow(kind: str, references: list[Any]) -> None:
    text = pa.type_for_alias(kind)
    column = pa.array(references, text if references is SINGLE else pa.list_(text))
    samples = check_samples(pa.array(PREDICTIONS, text), pa.chunked_array([column]))
    assert isinstance(samples.predictions, pa.Array)
    assert isinstance(samples.references, pa.Array | pa.ChunkedArray)
    copy = pickle.loads(pickle.dumps(samples))
    assert list(copy.by_sample()) == list(samples.by_sample())


def test_a_column_of_a_data_set_stays_in_arrow_in_the_order_of_its_rows() -> None:
    columns = {"p": PREDICTIONS, "r": SEVERAL, "s": SINGLE}
    dataset = datasets.Dataset.from_dict(columns).select([2, 0])
    samples = check_samples(dataset["p"], dataset["r"])
    assert list(samples.by_sample()) == [("", SEVERAL[2]), ("a b", SEVERAL[0])]
    if hasattr(dataset["p"], "source"):  # a list before datasets 4
        assert isinstance(samples.predictions, pa.ChunkedArray)


def test_a_column_with_a_transform_is_what_the_transform_makes_of_it() -> None:
    dataset = datasets.Dataset.from_dict({"p": PREDICTIONS, "s": SINGLE})
    dataset.set_transform(lambda batch: {name: ["x"] * len(batch[name]) for name in batch})
    assert list(check_samples(dataset["p"], SINGLE).predictions) == ["x", "x", "x"]


@pytest.mark.skipif(
    not hasattr(datasets, "IterableColumn"), reason="datasets has columns of streams from 4 on"
)
@pytest.mark.parametrize("form", [None, "arrow", "numpy"])
@pytest.mark.parametrize("references", [SINGLE, SEVERAL], ids=["single", "several"])
def test_columns_of_a_streaming_data_set_are_accepted(
    references: list[Any], form: str | None, metric: Any
) -> None:
    data = datasets.Dataset.from_dict({"p": PREDICTIONS, "r": references})
    stream = data.to_iterable_dataset().with_format(form)
    samples = check_samples(stream["p"], stream["r"])
    assert list(samples.by_sample()) == list(check_samples(PREDICTIONS, references).by_sample())
    assert isinstance(samples.predictions, pa.ChunkedArray if form == "arrow" else list)

    scores = metric.compute(predictions=stream["p"], references=stream["r"])
    assert scores == metric.compute(predictions=PREDICTIONS, references=references)
    scorer = Scorer()
    scorer.update(stream["p"], references)
    assert scorer.result() == scores


@pytest.mark.usefixtures("kernel")
def test_arrow_and_lists_may_be_mixed() -> None:
    batches = [
        check_samples(pa.array(["a"]), [["x", "y"]]),
        check_samples(["b"], pa.array(["z"])),
        check_samples(pa.array(["c"], pa.large_string()), pa.array([["v", "w"]])),
    ]
    expected = [("a", ["x", "y"]), ("b", ["z"]), ("c", ["v", "w"])]
    assert list(concatenate_samples(batches).by_sample()) == expected
    arrow = concatenate_samples([batches[0], batches[2]])
    assert isinstance(arrow.predictions, pa.ChunkedArray)
    assert list(arrow.by_sample()) == [expected[0], expected[2]]
    assert arrow.list_firsts(slice(1, None)) == [(expected[2][0], expected[2][1][0])]
    assert arrow.list_firsts(slice(0)) == []


@pytest.mark.usefixtures("kernel")
def test_a_sliced_arrow_array_is_read_from_where_it_starts() -> None:
    predictions = pa.array(["no", *PREDICTIONS])[1:]
    references = pa.array([["no", "no"], *SEVERAL])[1:]
    samples = check_samples(predictions, references)
    assert list(samples.by_sample()) == list(zip(PREDICTIONS, SEVERAL, strict=True))


class Text(str):
    """A str with a type of its own, such as ``numpy.str_``."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        *(
            ([container(["x", "y"]), ["z"]], [["x", "y"], ["z"]])
            for container in (tuple, _generator, np.array, pd.Series, pa.array)
        ),
        (np.array([["x", "y"], ["z", "w"]]), [["x", "y"], ["z", "w"]]),
        ([["x", "y"], "w"], [["x", "y"], ["w"]]),
        ([Text("x"), ("z",)], [["x"], ["z"]]),
    ],
    ids=range(8),
)
def test_references_of_a_sample_may_be_any_sequence(
    references: Any, expected: list[list[str]]
) -> None:
    samples = check_samples(np.array(["a", "b"]), references)
    assert list(samples.by_sample()) == list(zip("ab", expected, strict=True))
    assert samples.offsets.tolist() == to_offsets(np.array(list(map(len, expected)))).tolist()


def test_inputs_are_neither_changed_nor_kept() -> None:
    predictions, references = ["a"], [["x", "y"]]
    samples = check_samples(predictions, references)
    predictions.append("b")
    references[0].append("z")
    assert samples.predictions == ["a"]
    assert samples.references == ["x", "y"]


# Errors.

DATA = datasets.Dataset.from_dict(
    {"document": SINGLE, "prediction": PREDICTIONS, "references": SINGLE}
)

NAMES = {
    "DATA": DATA,
    "Options": Options,
    "OrderedDict": OrderedDict,
    "PREDICTIONS": PREDICTIONS,
    "SINGLE": SINGLE,
    "check_samples": check_samples,
    "datasets": datasets,
    "np": np,
    "pa": pa,
    "pd": pd,
}
ERRORS = read_errors(Path(__file__).with_name("errors.txt"))


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_what_cannot_be_scored_is_an_error_that_names_its_place(
    call: str, error: str, metric: evaluate.Metric
) -> None:
    def compute(predictions: object, references: object, **options: Any) -> None:
        metric.compute(predictions=predictions, references=references, **options)

    assert call_wrongly(call, {**NAMES, "compute": compute}) == error


@pytest.mark.parametrize("index", [0, 4095, 4096, 9_999])
def test_the_place_is_right_at_any_index(index: int) -> None:
    texts: list[object] = ["a"] * 10_000
    bad = texts.copy()
    bad[index] = None
    with pytest.raises(TypeError, match=rf"^predictions\[{index}\] is None;"):
        check_samples(bad, texts)
    with pytest.raises(TypeError, match=rf"^references\[{index}\] is None;"):
        check_samples(texts, bad)
    with pytest.raises(TypeError, match=rf"^references\[{index}\]\[0\] is None;"):
        check_samples(texts, [[text] for text in bad])


@pytest.mark.parametrize(
    ("message", "renamed"),
    [
        (describe_value("references", "None", "expected."), "target is None; expected."),
        (describe_value("predictions[0]", "None", ""), "preds[0] is None"),
        (
            describe_value("predictions", '"it\'s references"', "expected a str."),
            'preds is "it\'s references"; expected a str.',
        ),
        (
            format_message("text.decode('references') of {references}."),
            "text.decode('references') of target.",
        ),
        (format_message("a", remedy=format_message("use {references=}[t].")), "a; use target=[t]."),
        (format_message("{predictions_of}."), "predictions_of."),
        ("references is a text.", "references is a text."),
    ],
)
def test_arguments_are_renamed_in_errors_but_not_in_their_values(
    message: str, renamed: str
) -> None:
    error = ValueError(message)
    rename_arguments(error, {"references": "target", "predictions": "preds"})
    assert str(error) == renamed


def test_an_error_of_a_stream_that_has_no_plain_message_stays_as_it_is() -> None:
    def read() -> Iterator[str]:
        yield b"references[0] \xff".decode("ascii")

    with pytest.raises(UnicodeDecodeError, match=r"^'ascii' codec can't decode byte 0xff"):
        check_pair("a", read())


# The check that every item is a str, with and without the compiled kernel, and lists as texts.


@pytest.mark.parametrize("check", [are_texts, are_texts_python])
@pytest.mark.parametrize("count", [0, 1, 256, 257, 1000])
def test_every_item_has_to_be_a_str(check: Callable[[list[object]], bool], count: int) -> None:
    texts: list[object] = ["", "é", Text("नमस्ते"), "\ud800"] * count
    assert check(texts[:count])
    for wrong in (None, b"a", 1, ["a"]):
        for place in {0, count // 2, count}:
            assert not check([*texts[:place], wrong, *texts[place:count]])


@pytest.mark.parametrize("find", [find_suspects, find_suspects_python])
def test_suspects_are_short_or_begin_with_a_bracket(find: Callable[[list[str]], list[int]]) -> None:
    suspects = ["", "None", "नमस", " \n [a, b, c]", "\u2003[é \ud800 नमस्ते]", "[\U0001f600......"]
    others = ["a, b]", "    a [b]", "     ", "नमस्ते", "\U0001f600 [....", Text("]abcd")]
    texts = [text for pair in zip(suspects, others, strict=True) for text in pair]
    assert find(texts) == list(range(0, len(texts), 2))


@given(st.lists(st.text("[ \n\u2003aé\ud800\U0001f600", max_size=9)))
def test_both_ways_find_the_same_suspects(texts: list[str]) -> None:
    assert find_suspects(texts) == find_suspects_python(texts)


def test_without_the_compiled_kernel_texts_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_are_texts_compiled", "_find_suspects_compiled"):
        monkeypatch.setattr(item_checks, name, None)
    assert are_texts(["a", "b"])
    assert not are_texts(["a", None])
    assert find_suspects(["a", "abcde"]) == [0]


LISTS = [
    *("['a b']", "['a' 'b'\n 'c']", " ['a', nan, None] \n", "[[], ['a'], ['b', 1]]"),
    *("""["it's", 'a "b"']""", '["a", "b\\\\"]', '["\\/", "\\ud83d"]', "[{'a': 'b'}]"),
    *("[np.str_('a'), (\"b\", 'c')]", "[array(['a'], dtype=object)]", "[b'a', u'b', r'c']"),
    "[" + "'a', " * 100_000 + "]",
]
OTHERS = [
    *("", "[]", "[2020]", "[12, 15]", "[Music]", "[sic] he 'said' [so]", "['a', 'b'", "'a', 'b']"),
    *("['a'] and ['b']", "{'a': ['b']}", "[it's]", "[" + "'" * 100_001 + "]"),
    "[" * 100_000 + "]",
]


@pytest.mark.parametrize("text", [*LISTS, *OTHERS], ids=lambda text: text[:20])
def test_a_list_of_texts_is_found(text: str) -> None:
    assert find_list_as_text(["a", text, text]) == (1 if text in LISTS else None)
