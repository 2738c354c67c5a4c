"""Every accepted shape of the inputs, and the whole text of every error."""

import pickle
from collections import UserList
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.arrays import to_offsets
from bleu_rouge_metric.samples.inputs import check_samples, concatenate_samples

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


@pytest.mark.skipif(
    not hasattr(datasets, "IterableColumn"), reason="datasets has columns of streams from 4 on"
)
def test_a_wrong_item_of_a_stream_is_named() -> None:
    stream = datasets.Dataset.from_dict({"p": ["a", None]}).to_iterable_dataset()
    with pytest.raises(TypeError) as caught:
        check_samples(stream["p"], ["a", "b"])
    assert str(caught.value) == (
        "predictions[1] is None; expected a str. "
        'Drop the sample, or give the empty text "" to score it 0.'
    )


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


def test_numpy_strings_are_accepted() -> None:
    samples = check_samples(np.array(["a", "b"]), np.array([["x", "y"], ["z", "w"]]))
    assert samples.predictions == ["a", "b"]
    assert samples.references == ["x", "y", "z", "w"]


@pytest.mark.parametrize("container", [tuple, _generator, np.array, pd.Series, pa.array])
def test_references_of_a_sample_may_be_any_sequence(container: Any) -> None:
    samples = check_samples(["a", "b"], [container(["x", "y"]), ["z"]])
    assert samples.references == ["x", "y", "z"]
    assert samples.offsets.tolist() == [0, 2, 3]


def test_samples_with_one_and_with_several_references_may_be_mixed() -> None:
    samples = check_samples(["a", "b", "c"], ["w", ["x", "y"], ("z",)])
    assert samples.references == ["w", "x", "y", "z"]
    assert samples.offsets.tolist() == [0, 1, 3, 4]


def test_a_subclass_of_str_is_a_text() -> None:
    class Text(str):
        __slots__ = ()

    assert check_samples([Text("a")], [[Text("b")]]).references == ["b"]


def test_inputs_are_neither_changed_nor_kept() -> None:
    predictions, references = ["a"], [["x", "y"]]
    samples = check_samples(predictions, references)
    predictions.append("b")
    references[0].append("z")
    assert samples.predictions == ["a"]
    assert samples.references == ["x", "y"]


def test_selected_samples_are_those_of_a_slice() -> None:
    samples = check_samples(PREDICTIONS, SEVERAL)
    part = samples.select(1, 3)
    assert list(part.by_sample()) == list(samples.by_sample())[1:3]
    assert part.offsets.tolist() == [0, 1, 4]


def test_concatenated_samples_keep_their_order() -> None:
    batches = [check_samples(["a"], [["x", "y"]]), check_samples(["b", "c"], ["z", "w"])]
    whole = concatenate_samples(batches)
    assert list(whole.by_sample()) == [("a", ["x", "y"]), ("b", ["z"]), ("c", ["w"])]
    assert whole.offsets.tolist() == to_offsets(np.array([2, 1, 1])).tolist()
