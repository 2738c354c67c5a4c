"""Tables of counts: what engines hand over and what comes back, without an engine."""

import warnings
from functools import partial
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, count_batches, count_schema, reduce_counts
from bleu_rouge_metric.sample_counts import to_arrays

from .commands import PREDICTIONS, REFERENCES
from .conftest import unfit_texts
from .engine_cases import OPTIONS, SEED, each_option, read_corpus, score_at_once, split

TABLE = pa.table(
    {"id": range(len(PREDICTIONS)), "prediction": PREDICTIONS, "reference": REFERENCES}
)
ROUGE_1: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1"]}


def count(prediction: Any = ("a",), reference: Any = ("a",), **options: Any) -> pa.Table:
    return count_batch({"prediction": prediction, "reference": reference}, **options)


@each_option()
def test_counts_of_shards_score_as_all_samples_at_once(options: dict[str, Any]) -> None:
    counts = [count_batch(part, **options) for part in split(TABLE, 2)]
    scorer = reduce_counts(counts, seed=SEED, **options)
    assert scorer.result() == score_at_once(TABLE, options)
    once = Scorer(**options)
    once.update(PREDICTIONS, REFERENCES)
    theirs = to_arrays(once.counts())
    ours = to_arrays(scorer.counts())
    assert list(ours) == list(theirs)
    for name, array in ours.items():
        assert (array.shape, array.dtype) == (theirs[name].shape, theirs[name].dtype), name
        assert np.array_equal(array, theirs[name]), name


@unfit_texts[0]
@unfit_texts[1]
@each_option()
@pytest.mark.parametrize("corpus", ["dailydialog_5refs", "msvd_captions_manyrefs"])
def test_counts_of_a_corpus_score_as_all_samples_at_once(
    corpus: str, options: dict[str, Any]
) -> None:
    table = read_corpus(corpus)
    counts = (count_batch(part, **options) for part in split(table, 30))
    assert reduce_counts(counts, seed=SEED, **options).result() == score_at_once(table, options)


@each_option()
def test_the_schema_is_that_of_the_counts(options: dict[str, Any]) -> None:
    for key in (None, "id"):
        schema = count_schema(key_column=key, **options)
        assert count_batch(TABLE, key_column=key, **options).schema == schema
        assert count_batch(TABLE.slice(0, 0), key_column=key, **options).schema == schema
        (batch,) = count_batches([TABLE], key_column=key, **options)
        assert isinstance(batch, pa.RecordBatch)
        assert batch.schema == schema


def test_the_schema_by_hand() -> None:
    integers, doubles = pa.list_(pa.int64()), pa.list_(pa.float64())
    schema = count_schema(key_column="id", max_order=2, rouge_types=["rouge1", "rougeW-1.2"])
    assert dict(zip(schema.names, schema.types, strict=True)) == {
        "key": pa.int64(),
        "counted_with": pa.int64(),
        "lost": pa.int64(),
        "bleu_matches": integers,
        "bleu_prediction_length": pa.int64(),
        "bleu_reference_lengths": integers,
        "rouge1": integers,
        "rougeW-1.2": doubles,
    }
    names = count_schema(profile="google_bleu", max_order=2).names
    assert names == ["counted_with", "lost", "google_bleu_1", "google_bleu_2"]
    # The program's rougeL is counted as rougeLsum is.
    schema = count_schema(profile="rouge-1.5.5", rouge_types=["rougeL", "rougeLsum"])
    assert schema.names == ["counted_with", "lost", "rougeLsum"]


def test_the_counts_by_hand() -> None:
    table = count(["the cat"], [["the cat sat", "a cat"]], max_order=2, rouge_types=["rouge1"])
    (row,) = table.drop_columns("counted_with").to_pylist()
    assert row == {
        "lost": 0,
        "bleu_matches": [2, 1],
        "bleu_prediction_length": 2,
        "bleu_reference_lengths": [3, 2],
        "rouge1": [2, 2, 3, 1, 2, 2],
    }


@pytest.mark.parametrize(
    "form",
    [
        lambda counts: counts,
        lambda counts: counts.to_batches()[0],
        lambda counts: counts.to_batches(max_chunksize=2),
        lambda counts: counts.to_pydict(),
        lambda counts: [part.to_pydict() for part in split(counts, 3)],
        lambda counts: split(counts, 1),
        lambda counts: pa.concat_tables(split(counts, 2)),
        lambda counts: counts.append_column("id", TABLE["id"]),
    ],
    ids=["table", "batch", "batches", "dict", "dicts", "slices", "chunks", "other columns"],
)
def test_counts_may_come_in_any_form(form: Any) -> None:
    options: dict[str, Any] = {"rouge_types": ["rouge1", "rougeW"], "max_order": 2}
    scorer = reduce_counts(form(count_batch(TABLE, **options)), **options)
    assert scorer.result() == score_at_once(TABLE, options)


def test_counts_come_back_from_a_parquet_file(tmp_path: Any) -> None:
    options: dict[str, Any] = {"rouge_types": ["rouge1", "rougeW"]}
    parquet.write_table(count_batch(TABLE, **options), tmp_path / "counts.parquet")
    batches = parquet.ParquetFile(tmp_path / "counts.parquet").iter_batches(2)
    assert reduce_counts(batches, **options).result() == score_at_once(TABLE, options)


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (pa.array(["a b", "c"]).dictionary_encode(), pa.array(["a", "c"], pa.large_string())),
        (["a b", "c"], [["a"], ["c"]]),
        (np.array(["a b", "c"], dtype=object), np.array(["a", "c"])),
        (np.array(["a b", "c"]), pa.array([["a"], ["c"]], pa.list_(pa.string(), 1))),
        (pa.chunked_array([["a b"], [], ["c"]]), pa.chunked_array([[["a"]], [["c"]]])),
        (pa.array(["x", "a b", "c"])[1:], pa.array([["x", "y"], ["a"], ["c"]])[1:]),
        (pa.array(["a b", "c"]), pa.array([["a"], ["c"]], pa.large_list(pa.large_string()))),
    ],
)
def test_texts_may_stand_in_any_kind_of_column(predictions: Any, references: Any) -> None:
    table = count(predictions, references, **ROUGE_1)
    assert table["rouge1"].to_pylist() == [[1, 2, 1], [1, 1, 1]]


@pytest.mark.parametrize("shape", ["as lists", "as arrow"])
def test_a_data_set_is_counted_by_two_processes(shape: str) -> None:
    options = OPTIONS["an interval"]
    data = datasets.Dataset.from_dict(TABLE.to_pydict())
    if shape == "as arrow":
        data = data.with_format("arrow")
    counts = data.map(
        partial(count_batch, **options),
        batched=True,
        batch_size=3,
        num_proc=2,
        remove_columns=data.column_names,
    )
    batches = counts.with_format("arrow").iter(4)
    scorer = reduce_counts(batches, seed=SEED, **options)
    assert scorer.result() == score_at_once(TABLE, options)


def test_keys_give_the_order_and_count_a_shard_once() -> None:
    options = OPTIONS["every sample"]
    first, second, third = (
        count_batch(part, key_column="id", **options) for part in split(TABLE, len(TABLE) // 3 + 1)
    )
    scorer = reduce_counts([third, first, second, first], **options)
    assert scorer.result() == score_at_once(TABLE, options)


def test_output_options_may_differ() -> None:
    counts = count_batch(TABLE, smooth="method5")
    scorer = reduce_counts(counts, smooth="floor", detailed=True, beta=2)
    assert scorer.result() == score_at_once(TABLE, {"smooth": "floor", "detailed": True, "beta": 2})


def test_the_signature_is_that_of_one_process() -> None:
    once = Scorer(use_stemmer=True)
    once.update(PREDICTIONS, REFERENCES)
    scorer = reduce_counts(count_batch(TABLE, use_stemmer=True), use_stemmer=True)
    assert scorer.signature() == once.signature()


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
            "Column 'prediction' is of type list<item: string>; expected string. Nothing is "
            "converted to text.",
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
    with pytest.raises(TypeError, match=r"^Column 'reference' is no column of Arrow; expected str"):
        count(["a", "b"], ["a", ["b"]])
    with pytest.raises(
        TypeError, match=r"^Column 'prediction' is no column of Arrow; expected str"
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
    ],
)
def test_a_wrong_key_is_an_error(keys: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        count_batch({"id": keys, "prediction": ["a"], "reference": ["a"]}, key_column="id")
    assert str(caught.value) == message


def test_a_wrong_option_is_an_error_before_the_batch_is_read() -> None:
    with pytest.raises(TypeError, match=r"^Unknown option 'rouge_type'; did you mean"):
        count_batch({}, rouge_type="rouge1")
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


def test_texts_that_lose_all_tokens_are_one_warning_for_each_tokenizer() -> None:
    options: dict[str, Any] = {"bleu_tokenizer": "char", "rouge_types": ["rouge2"]}
    texts = ["кошка", "a", "", "a"], [["a", "b"], ["собака", "дом"], [" "], ["a b"]]
    table = count(*texts, **options)
    assert table["lost"].to_pylist() == [2, 2, 0, 0]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        reduce_counts([table, table], **options)
    assert [str(warning.message) for warning in caught] == [
        "The 'rouge' tokenizer leaves nothing of the prediction or of a reference in 4 of 8 "
        "samples (50%), so that nothing there can match; use rouge_tokenizer='unicode', which "
        "finds the words of every language, or 'char' if characters that are no letters or digits "
        "are to count."
    ]
    assert caught[0].filename == __file__


@pytest.mark.parametrize("profile", ["hf", "google_bleu"])
def test_texts_that_bleu_loses_are_marked(profile: str) -> None:
    options: dict[str, Any] = {
        "family": "bleu",
        "profile": profile,
        "tokenizer": lambda text: text.split("x")[1:],
    }
    table = count(["ab", "xab", " "], ["xa", "ab", "xa"], **options)
    assert table["lost"].to_pylist() == [1, 1, 0]
    with pytest.warns(
        UserWarning, match=r"^The callable given as bleu_tokenizer leaves .* 2 of 3 "
    ):
        reduce_counts(table, **options)


IDS = {"prediction": [[5, 6, -100], [7]], "reference": [[5, 6], [8]]}
MANY_IDS = {**IDS, "reference": [[[5, 6], [6]], [[8]]]}


@pytest.mark.parametrize("columns", [IDS, MANY_IDS])
def test_token_ids_are_counted(columns: dict[str, Any]) -> None:
    options: dict[str, Any] = {"tokenizer": "ids"}
    once = Scorer(**options)
    once.update(columns["prediction"], columns["reference"])
    for batch in (columns, pa.table(columns)):
        assert reduce_counts(count_batch(batch, **options), **options).result() == once.result()


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
