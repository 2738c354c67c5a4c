"""Wrong batches and tables of counts: every fault is an error with its remedy."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric.engines import count_batch, count_schema, reduce_counts

from ..support.engine_cases import IDS, ROUGE_1, count

NULL = 'expected a text. Drop the row, or give the empty text "" to score it 0.'
NOT_TEXT = "expected string or list<string>. Nothing is converted to text."


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (
            {"prediction": ["a"], "refs": ["a"]},
            ValueError,
            "The batch has no column 'reference'; name another with reference_column=. "
            "Columns: 'prediction', 'refs'.",
        ),
        (
            {},
            ValueError,
            "The batch has no column 'prediction'; name another with prediction_column=. "
            "Columns: none.",
        ),
        (
            {"prediction": ["a", None], "reference": ["a", "b"]},
            ValueError,
            f"Column 'prediction' has a null in row 1 of the batch; {NULL}",
        ),
        (
            {"prediction": [None], "reference": ["a"]},
            ValueError,
            f"Column 'prediction' has a null in row 0 of the batch; {NULL}",
        ),
        (
            {"prediction": ["a", "b"], "reference": [["a"], None]},
            ValueError,
            f"Column 'reference' has a null in row 1 of the batch; {NULL}",
        ),
        (
            {"prediction": ["a", "b"], "reference": [["a", "b"], ["c", None]]},
            ValueError,
            "Column 'reference' has a null in the list in row 1 of the batch; expected texts. "
            "Take it out of the list.",
        ),
        (
            {"prediction": ["a", "b"], "reference": [["a", "b"], []]},
            ValueError,
            "Column 'reference' has an empty list in row 1 of the batch; every prediction needs at "
            "least one reference. Drop the row.",
        ),
        (
            {"prediction": [1.5], "reference": ["a"]},
            TypeError,
            "Column 'prediction' is of type double; expected string. Nothing is converted to text.",
        ),
        (
            {"prediction": ["a"], "reference": [[1.5]]},
            TypeError,
            f"Column 'reference' is of type list<item: double>; {NOT_TEXT}",
        ),
        (
            {"prediction": [["a"]], "reference": ["a"]},
            TypeError,
            "Column 'prediction' is of type list<item: string>; expected string. For lists of "
            "tokens join them with spaces and use tokenizer='whitespace'.",
        ),
        (
            {"prediction": ["a"], "reference": [b"a"]},
            TypeError,
            f"Column 'reference' is of type binary; {NOT_TEXT}",
        ),
        (
            {"prediction": pa.array([b"a", b"\xff"]).view(pa.string()), "reference": ["a", "b"]},
            ValueError,
            "Column 'prediction' has bytes that are not UTF-8 in row 1 of the batch; decode them "
            "with their own encoding.",
        ),
        (
            {
                "prediction": ["a", "b"],
                "reference": pa.ListArray.from_arrays(
                    pa.array([0, 2, 4], pa.int32()),
                    pa.array([b"a", b"b", b"c", b"\xff"]).view(pa.string()),
                ),
            },
            ValueError,
            "Column 'reference' has bytes that are not UTF-8 in row 1 of the batch; decode them "
            "with their own encoding.",
        ),
    ],
)
def test_a_wrong_batch_is_an_error_that_names_the_column(
    columns: dict[str, Any], error: type[Exception], message: str
) -> None:
    for batch in (columns, pa.table(columns)):
        with pytest.raises(error) as caught:
            count_batch(batch)
        assert str(caught.value) == message


def test_values_of_several_types_are_an_error() -> None:
    with pytest.raises(TypeError, match=r"^Column 'reference' cannot be read by Arrow; expected"):
        count(["a", "b"], ["a", ["b"]])
    with pytest.raises(
        TypeError, match=r"^Column 'prediction' cannot be read by Arrow; expected str"
    ):
        count(["a", 1], ["a", "b"])


def test_a_batch_of_another_type_is_an_error() -> None:
    with pytest.raises(TypeError) as caught:
        count_batch([{"prediction": "a"}])
    assert str(caught.value) == (
        "batch is of type list; expected a pyarrow.Table or RecordBatch, or a dict of columns."
    )


@pytest.mark.parametrize(
    ("keys", "error", "message"),
    [
        (["a"], TypeError, "Column 'id' is of type string; expected int64."),
        (
            pa.array([None], pa.int64()),
            ValueError,
            "Column 'id' has a null; expected an int, one for every sample.",
        ),
        (
            pa.array([2**63], pa.uint64()),
            ValueError,
            "Column 'id' has 9223372036854775808; expected int64, which ends at "
            "9223372036854775807.",
        ),
        (
            [2**64],
            ValueError,
            "Column 'id' has an int that does not fit in 64 bits; expected int64.",
        ),
        (
            [1, 2],
            ValueError,
            "Column 'id' has 2 rows, but column 'prediction' has 1; expected one key for every "
            "prediction.",
        ),
        (
            pa.array([], pa.int64()),
            ValueError,
            "Column 'id' has 0 rows, but column 'prediction' has 1; expected one key for every "
            "prediction.",
        ),
    ],
)
def test_a_wrong_key_is_an_error(keys: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        count_batch({"id": keys, "prediction": ["a"], "reference": ["a"]}, key_column="id")
    assert str(caught.value) == message


def test_the_widest_keys_are_kept() -> None:
    for keys in (pa.array([2**63 - 1], pa.uint64()), [-(2**63)]):
        batch = {"id": keys, "prediction": ["a"], "reference": ["a"]}
        counts = pa.table(count_batch(batch, key_column="id", **ROUGE_1))
        assert counts["key"].to_pylist() == pa.array(keys).to_pylist()


@pytest.mark.parametrize("make", [list, pa.array, np.array])
@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], ["a"], "predictions has 0 samples, but references has 1;"),
        (["a"], [], "predictions has 1 samples, but references has 0;"),
        (["a"], ["a", "b"], "predictions has 1 samples, but references has 2;"),
    ],
)
def test_columns_of_different_lengths_are_an_error(
    make: Any, predictions: list[str], references: list[str], message: str
) -> None:
    columns = [
        np.array(column, dtype=object) if make is np.array else make(column)
        for column in (predictions, references)
    ]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is below
        count(*columns)
    assert str(caught.value) == f"{message} expected one item in references for every prediction."


def test_a_wrong_option_is_an_error_before_the_batch_is_read() -> None:
    with pytest.raises(TypeError, match=r"^Unknown option 'rouge_type'; did you mean"):
        count_batch({}, rouge_type="rouge1")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"^family is 'both'; expected 'bleu', 'rouge' or None"):
        count_schema(family="both")  # type: ignore[arg-type]


REMEDY = "Give reduce_counts the options that count_batch had."


@pytest.mark.parametrize(
    ("counted", "reduced", "message"),
    [
        (
            ROUGE_1,
            {"family": "rouge", "rouge_types": ["rouge1", "rouge2"]},
            "The counts have no column 'rouge2', which family, profile or rouge_types asks for. "
            f"{REMEDY} Columns: 'counted_with', 'lost', 'rouge1'.",
        ),
        (
            {"family": "rouge", "rouge_types": ["rouge1", "rouge2"]},
            ROUGE_1,
            "The counts have the column 'rouge2', which family, profile or rouge_types does not "
            f"ask for. {REMEDY}",
        ),
        (
            {"family": "bleu", "profile": "google_bleu", "max_order": 2},
            {"family": "bleu", "profile": "google_bleu", "max_order": 1},
            "The counts have the column 'google_bleu_2', which profile or max_order does not ask "
            f"for. {REMEDY}",
        ),
        (
            {"family": "bleu", "max_order": 2},
            {"family": "bleu", "max_order": 3},
            "Column 'counted_with' of the counts says that they were made with other options than "
            f"these: profile:hf|bleu_tokenizer:13a|max_order:3. {REMEDY}",
        ),
        (
            {"family": "bleu"},
            {"family": "bleu", "smooth": "method5"},
            "Column 'bleu_matches' of the counts has 4 orders; max_order and smooth ask for 5. "
            f"{REMEDY}",
        ),
        (
            {**ROUGE_1, "rouge_tokenizer": "char"},
            ROUGE_1,
            "Column 'counted_with' of the counts says that they were made with other options than "
            "these: profile:hf|rouge_types:rouge1|rouge_tokenizer:rouge|use_stemmer:no|"
            f"sentence_splitter:newline. {REMEDY}",
        ),
    ],
)
def test_counts_of_other_options_are_an_error(
    counted: dict[str, Any], reduced: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is below
        reduce_counts(count(**counted), **reduced)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("column", "values", "error", "message"),
    [
        (
            "rouge1",
            pa.array([[1, 1, 1, 1]]),
            ValueError,
            "Column 'rouge1' of the counts has a list of 4 numbers; expected 3 numbers for every "
            "reference, and at least one reference.",
        ),
        (
            "rouge1",
            pa.array([[1, 1, 1] * 2]),
            ValueError,
            "Columns 'bleu_reference_lengths' and 'rouge1' of the counts differ in how many "
            "references the samples have; expected rows as count_batch made them.",
        ),
        (
            "rouge1",
            pa.array([[1.0, 1.0, 1.0]]),
            TypeError,
            "Column 'rouge1' of the counts is of type list<item: double>; expected list<int64>, as "
            "count_schema has it.",
        ),
        (
            "bleu_prediction_length",
            pa.array([None], pa.int64()),
            ValueError,
            "Column 'bleu_prediction_length' of the counts has nulls; count_batch makes none.",
        ),
        (
            "counted_with",
            pa.array([1.0]),
            TypeError,
            "Column 'counted_with' of the counts is of type double; expected int64, as "
            "count_schema has it.",
        ),
        (
            "lost",
            pa.array([2**64 - 1], pa.uint64()),
            ValueError,
            "Column 'lost' of the counts has 18446744073709551615; expected int64, which ends at "
            "9223372036854775807.",
        ),
        (
            "rouge1",
            pa.array([[1, 2**63, 1]], pa.list_(pa.uint64())),
            ValueError,
            "Column 'rouge1' of the counts has 9223372036854775808; expected int64, which ends at "
            "9223372036854775807.",
        ),
    ],
)
def test_columns_that_are_no_counts_are_an_error(
    column: str, values: pa.Array, error: type[Exception], message: str
) -> None:
    table = count(rouge_types=["rouge1"])
    table = table.set_column(table.schema.names.index(column), column, values)
    with pytest.raises(error) as caught:
        reduce_counts(table, rouge_types=["rouge1"])
    assert str(caught.value) == message


@pytest.mark.parametrize("counts", [["counts"], "counts", [None]])
def test_what_is_no_table_is_an_error(counts: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^counts holds a \w+; expected pyarrow.Tables, RecordBatc"
    ):
        reduce_counts(counts)


def test_counts_of_other_forms_are_an_error_that_says_what_to_do() -> None:
    table = count()
    frame = table.to_pandas()
    for counts, name, remedy in (
        (table.to_pylist(), "dict of single numbers", "pyarrow.Table.from_pylist(counts)"),
        (frame, "DataFrame", "pyarrow.Table.from_pandas(...)"),
        ([frame, frame], "DataFrame", "pyarrow.Table.from_pandas(...)"),
    ):
        with pytest.raises(TypeError) as caught:
            reduce_counts(counts)
        assert str(caught.value) == (
            f"counts holds a {name}; expected pyarrow.Tables, RecordBatches or dicts of lists, as "
            f"count_batch makes them. Use {remedy}."
        )


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (
            {**IDS, "prediction": ["a", "b"]},
            TypeError,
            "Column 'prediction' is of type string; expected list<int64>, since the tokenizer is "
            "'ids'.",
        ),
        (
            {**IDS, "reference": [[5], None]},
            ValueError,
            "Column 'reference' has a null in row 1 of the batch; expected ids. Drop the row, or "
            "give the empty list to score it 0.",
        ),
        (
            {**IDS, "reference": [[[5], [6]], []]},
            ValueError,
            "Column 'reference' has an empty list in row 1 of the batch; every prediction needs at "
            "least one reference. Drop the row.",
        ),
        (
            {**IDS, "prediction": [[5], [2**64]]},
            ValueError,
            "Column 'prediction' has an int that does not fit in 64 bits; expected list<int64>.",
        ),
    ],
)
def test_wrong_ids_are_an_error(
    columns: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        count_batch(columns, tokenizer="ids")
    assert str(caught.value) == message


def test_ids_without_their_tokenizer_are_an_error() -> None:
    with pytest.raises(TypeError) as caught:
        count_batch(IDS)
    assert str(caught.value) == (
        "Column 'prediction' is of type list<item: int64>; expected string. For lists of token ids "
        "use tokenizer='ids'."
    )
