"""Every accepted shape of the inputs, and the whole text of every error."""

import pickle
import re
from collections import OrderedDict, UserList
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric.inputs import check_samples, concatenate_samples, to_offsets

pytestmark = pytest.mark.usefixtures("kernel")

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


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS.keys())
@pytest.mark.parametrize("references", [SINGLE, SEVERAL], ids=["single", "several"])
def test_any_sequence_is_accepted(container: Any, references: list[Any]) -> None:
    samples = check_samples(container(PREDICTIONS), container(references))
    lists = [[text] if isinstance(text, str) else text for text in references]
    expected = list(zip(PREDICTIONS, lists, strict=True))
    assert list(samples.by_sample()) == expected
    assert list(samples.select(1, 3).by_sample()) == expected[1:]


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


DROP = 'Drop the sample, or give the empty text "" to score it 0.'
NOT_CONVERTED = "Nothing is converted to text."
ITEM = "a str or a sequence of str"

# predictions, references, error, whole text of the error
BAD: dict[str, tuple[object, object, type[Exception], str]] = {
    "different lengths": (
        ["a", "b"],
        ["x"],
        ValueError,
        "predictions has 2 samples, but references has 1; "
        "expected one item in references for every prediction.",
    ),
    "predictions without references": (
        ["a"],
        [],
        ValueError,
        "predictions has 1 samples, but references has 0; "
        "expected one item in references for every prediction.",
    ),
    "references of samples that are not there": (
        [],
        [[], []],
        ValueError,
        "predictions has 0 samples, but references has 2; "
        "expected one item in references for every prediction.",
    ),
    "no samples": (
        [],
        [],
        ValueError,
        "predictions and references are empty; expected at least one sample.",
    ),
    "None as a prediction": (
        ["a", "b", None],
        SINGLE,
        TypeError,
        f"predictions[2] is None; expected a str. {DROP}",
    ),
    "NaN as a prediction": (
        pd.Series(["a", float("nan"), "c"], dtype=object),
        SINGLE,
        TypeError,
        f"predictions[1] is nan (float); expected a str. {DROP}",
    ),
    "pandas NA as a reference": (
        PREDICTIONS,
        pd.Series(["x", pd.NA, "z"], dtype=object),
        TypeError,
        f"references[1] is <NA> (NAType); expected {ITEM}. {DROP}",
    ),
    "Arrow null as a prediction": (
        pa.array(["a", None, "c"]),
        SINGLE,
        TypeError,
        f"predictions[1] is None; expected a str. {DROP}",
    ),
    "Arrow null among references": (
        PREDICTIONS,
        pa.array([["x"], ["y", None], ["z"]]),
        TypeError,
        f"references[1][1] is None; expected a str. {DROP}",
    ),
    "Arrow null as the references of a sample": (
        PREDICTIONS,
        pa.array([["x"], None, ["z"]]),
        TypeError,
        f"references[1] is None; expected {ITEM}. {DROP}",
    ),
    "empty Arrow list": (
        PREDICTIONS,
        pa.array([["x"], [], ["z"]]),
        ValueError,
        "references[1] is empty; every prediction needs at least one reference.",
    ),
    "Arrow ints": (
        pa.array([1, 2, 3]),
        SINGLE,
        TypeError,
        f"predictions[0] is 1 (int); expected a str. {NOT_CONVERTED}",
    ),
    "transposed Arrow references": (
        pa.array(PREDICTIONS),
        pa.array([["x1", "y1", "z1"], ["x2", "y2", "z2"]]),
        ValueError,
        "references is transposed: it holds 2 lists of 3 texts, one list per reference stream; "
        "expected 3 lists, one list per prediction. Use references=list(zip(*references)).",
    ),
    "Arrow table": (
        pa.table({"prediction": PREDICTIONS}),
        SINGLE,
        TypeError,
        "predictions is of type Table, which is no sequence of texts; "
        "expected a sequence with one item per sample, such as a list.",
    ),
    "None as the only reference": (
        PREDICTIONS,
        ["x", None, "z"],
        TypeError,
        f"references[1] is None; expected {ITEM}. {DROP}",
    ),
    "None among references": (
        PREDICTIONS,
        [["x"], ["y"], ["z", None]],
        TypeError,
        f"references[2][1] is None; expected a str. {DROP}",
    ),
    "int as a prediction": (
        ["a", 5, "c"],
        SINGLE,
        TypeError,
        f"predictions[1] is 5 (int); expected a str. {NOT_CONVERTED}",
    ),
    "NumPy ints as predictions": (
        np.array([1, 2, 3]),
        SINGLE,
        TypeError,
        f"predictions[0] is 1 (int); expected a str. {NOT_CONVERTED}",
    ),
    "int as a reference": (
        PREDICTIONS,
        ["x", 5, "z"],
        TypeError,
        f"references[1] is 5 (int); expected {ITEM}. {NOT_CONVERTED}",
    ),
    "float among references": (
        PREDICTIONS,
        ["x", ["y", 0.5], "z"],
        TypeError,
        f"references[1][1] is 0.5 (float); expected a str. {NOT_CONVERTED}",
    ),
    "bytes as a prediction": (
        ["a", b"b", "c"],
        SINGLE,
        TypeError,
        "predictions[1] is bytes; expected a str. Decode it, as in text.decode('utf-8').",
    ),
    "bytes as a reference": (
        PREDICTIONS,
        ["x", "y", b"z"],
        TypeError,
        f"references[2] is bytes; expected {ITEM}. Decode it, as in text.decode('utf-8').",
    ),
    "dict as a prediction": (
        [{"text": "a"}, "b", "c"],
        SINGLE,
        TypeError,
        "predictions[0] is of type dict; expected a str.",
    ),
    "dict as a reference": (
        PREDICTIONS,
        ["x", {"text": "y"}, "z"],
        TypeError,
        "references[1] is of type dict, which is no sequence of texts; "
        f"expected {ITEM}, such as a list.",
    ),
    "list as a prediction": (
        ["a", ["b", "c"], "d"],
        SINGLE,
        TypeError,
        "predictions[1] is of type list; expected a str.",
    ),
    "array as a prediction": (
        ["a", np.array([1, 2]), "d"],
        SINGLE,
        TypeError,
        "predictions[1] is of type ndarray; expected a str.",
    ),
    "nested list among references": (
        PREDICTIONS,
        [["x"], ["y"], [["z", "w"]]],
        TypeError,
        "references[2][0] is of type list; expected a str.",
    ),
    "one str as predictions": (
        "a b",
        SINGLE,
        TypeError,
        "predictions is one str; expected a sequence with one item per sample. "
        "To score a single text, wrap it in a list: predictions=[text].",
    ),
    "one str as references": (
        ["a"],
        "x",
        TypeError,
        "references is one str; expected a sequence with one item per sample. "
        "To score a single text, wrap it in a list: references=[text].",
    ),
    "sample without references": (
        PREDICTIONS,
        [["x"], [], ["z"]],
        ValueError,
        "references[1] is empty; every prediction needs at least one reference.",
    ),
    "transposed references": (
        PREDICTIONS,
        [["x1", "y1", "z1"], ["x2", "y2", "z2"]],
        ValueError,
        "references is transposed: it holds 2 lists of 3 texts, one list per reference stream; "
        "expected 3 lists, one list per prediction. Use references=list(zip(*references)).",
    ),
    "set as a container": (
        {"a", "b", "c"},
        SINGLE,
        TypeError,
        "predictions is of type set, which is no sequence of texts; "
        "expected a sequence with one item per sample, such as a list.",
    ),
    "dict as a container": (
        PREDICTIONS,
        OrderedDict(x=1, y=2, z=3),
        TypeError,
        "references is of type OrderedDict, which is no sequence of texts; "
        "expected a sequence with one item per sample, such as a list.",
    ),
    "set as the references of a sample": (
        PREDICTIONS,
        ["x", {"y", "y2"}, "z"],
        TypeError,
        "references[1] is of type set, which is no sequence of texts; "
        f"expected {ITEM}, such as a list.",
    ),
    "DataFrame as a container": (
        pd.DataFrame({"prediction": PREDICTIONS}),
        SINGLE,
        TypeError,
        "predictions is of type DataFrame, which is no sequence of texts; "
        "expected a sequence with one item per sample, such as a list.",
    ),
    "bytes as a container": (
        b"abc",
        SINGLE,
        TypeError,
        "predictions is of type bytes; expected a sequence with one item per sample.",
    ),
    "int as a container": (
        PREDICTIONS,
        3,
        TypeError,
        "references is of type int; expected a sequence with one item per sample.",
    ),
    "zero-dimensional array as a container": (
        np.array("abc"),
        SINGLE,
        TypeError,
        "predictions is a single value ('abc'); expected a sequence with one item per sample.",
    ),
    "no predictions": (
        None,
        SINGLE,
        TypeError,
        "predictions is missing; expected a sequence with one item per sample.",
    ),
    "no references": (
        PREDICTIONS,
        None,
        TypeError,
        "references is missing; expected a sequence with one item per sample.",
    ),
}


@pytest.mark.parametrize(("predictions", "references", "error", "message"), BAD.values(), ids=BAD)
def test_what_cannot_be_scored_is_an_error_that_names_its_place(
    predictions: object, references: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        check_samples(predictions, references)


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
