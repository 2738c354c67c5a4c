"""Inputs that cannot be scored: the whole text of every error."""

import re
from collections import OrderedDict
from collections.abc import Iterator

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric.messages import describe_value, format_message, rename_arguments
from bleu_rouge_metric.samples.inputs import check_pair, check_samples

PREDICTIONS = ["a b", "c", ""]
SINGLE = ["x", "y", "z"]
DATA = datasets.Dataset.from_dict(
    {"document": SINGLE, "prediction": PREDICTIONS, "references": SINGLE}
)

DROP = 'Drop the sample, or give the empty text "" to score it 0.'
NOT_CONVERTED = "Nothing is converted to text."
TOKENS = (
    "If these are tokens, join them with spaces and use tokenizer='whitespace', or give token ids "
    "with tokenizer='ids'."
)
ITEM = "a str or a sequence of str"
LIST_AS_TEXT = (
    f"which looks like a list; expected {ITEM}. Convert it to a list, as in "
    "ast.literal_eval(text); a text that looks like a list is given as a list of one."
)

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
        "predictions has 1 sample, but references has 0; "
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
    "a list as the text of a reference": (
        PREDICTIONS,
        ["x", "['the cat', 'a cat']", "z"],
        ValueError,
        f"references[1] is \"['the cat', 'a cat']\", {LIST_AS_TEXT}",
    ),
    "a list of JSON as the text of a reference": (
        PREDICTIONS,
        np.array(["x", "y", '["a long text", "and another longer text"]']),
        ValueError,
        f'references[2] is \'["a long text", "and another longer t...\', {LIST_AS_TEXT}',
    ),
    "a list as a text of Arrow": (
        pa.array(PREDICTIONS),
        pa.array(["['the cat']\n", "y", "z"]),
        ValueError,
        f"references[0] is \"['the cat']\\n\", {LIST_AS_TEXT}",
    ),
    "a list as a text of a column": (
        DATA["prediction"],
        pa.chunked_array([["x", "y"], [" ['the cat']"]]),
        ValueError,
        f"references[2] is \" ['the cat']\", {LIST_AS_TEXT}",
    ),
    "a list as a text among lists": (
        PREDICTIONS,
        [["x"], "['the cat']", ["z", "a"]],
        ValueError,
        f"references[1] is \"['the cat']\", {LIST_AS_TEXT}",
    ),
    "Arrow table": (
        pa.table({"prediction": PREDICTIONS}),
        SINGLE,
        TypeError,
        "predictions is of type Table, which is not a sequence; "
        "expected a sequence with one item per sample, such as one column: "
        "predictions=data['prediction'].",
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
        f"references[1] is of type dict, which is not a sequence; expected {ITEM}, such as a list.",
    ),
    "list as a prediction": (
        ["a", ["b", "c"], "d"],
        SINGLE,
        TypeError,
        f"predictions[1] is a sequence of 2 str; expected a str. {TOKENS}",
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
        f"references[2][0] is a sequence of 2 str; expected a str. {TOKENS}",
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
    "references of a missing prediction, or transposed": (
        ["a"],
        [["x"], ["y"], ["z"]],
        ValueError,
        "predictions has 1 sample, but references has 3; expected one item in references for every "
        "prediction. Give the missing predictions; or, if the 3 lists of 1 text are one list per "
        "reference stream, use references=list(zip(*references)).",
    ),
    "set as a container": (
        {"a", "b", "c"},
        SINGLE,
        TypeError,
        "predictions is of type set, which is not a sequence; "
        "expected a sequence with one item per sample, such as a list.",
    ),
    "dict as a container": (
        PREDICTIONS,
        OrderedDict(x=1, y=2, z=3),
        TypeError,
        "references is of type OrderedDict, which is not a sequence; "
        "expected a sequence with one item per sample, such as one column: "
        "references=data['x'].",
    ),
    "set as the references of a sample": (
        PREDICTIONS,
        ["x", {"y", "y2"}, "z"],
        TypeError,
        f"references[1] is of type set, which is not a sequence; expected {ITEM}, such as a list.",
    ),
    "DataFrame as a container": (
        pd.DataFrame({"prediction": PREDICTIONS}),
        SINGLE,
        TypeError,
        "predictions is of type DataFrame, which is not a sequence; "
        "expected a sequence with one item per sample, such as one column: "
        "predictions=data['prediction'].",
    ),
    "data frame of other columns": (
        SINGLE,
        pd.DataFrame({"document": PREDICTIONS, "summary": PREDICTIONS}),
        TypeError,
        "references is of type DataFrame, which is not a sequence; expected a sequence "
        "with one item per sample, such as one column: references=data['document'].",
    ),
    "data set": (
        DATA,
        DATA,
        TypeError,
        "predictions is of type Dataset, which is not a sequence; expected a sequence "
        "with one item per sample, such as one column: predictions=data['prediction'].",
    ),
    "data set as references": (
        PREDICTIONS,
        DATA,
        TypeError,
        "references is of type Dataset, which is not a sequence; expected a sequence with "
        "one item per sample, such as one column: references=data['references'].",
    ),
    "streaming data set": (
        DATA.to_iterable_dataset(),
        SINGLE,
        TypeError,
        "predictions is of type IterableDataset, which is not a sequence; expected a "
        "sequence with one item per sample, such as one column: predictions=data['prediction'].",
    ),
    "data set of several splits": (
        datasets.DatasetDict({"test": DATA}),
        SINGLE,
        TypeError,
        "predictions is of type DatasetDict, which is not a sequence; expected a sequence "
        "with one item per sample, such as one column of a split: "
        "predictions=data['test']['prediction'].",
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


@pytest.mark.parametrize(
    ("message", "renamed"),
    [
        (
            describe_value("references", "None", "expected a str."),
            "target is None; expected a str.",
        ),
        (describe_value("predictions[0]", "None", ""), "preds[0] is None"),
        (
            describe_value("predictions", '"it\'s references"', "expected a str."),
            'preds is "it\'s references"; expected a str.',
        ),
        (
            format_message("use text.decode('references') of {references}."),
            "use text.decode('references') of target.",
        ),
        (
            format_message("a", remedy=format_message("use {references=}[text].")),
            "a; use target=[text].",
        ),
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
