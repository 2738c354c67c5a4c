"""Tables of counts: what engines pass and what they get back, without an engine, and errors."""

import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, count_batches, count_schema, reduce_counts
from bleu_rouge_metric.engines.tables import plan_columns, to_table
from bleu_rouge_metric.families.counts import SampleCounts

from ..support.engine_cases import (
    IDS,
    OPTIONS,
    ROUGE_1,
    SEED,
    TABLE,
    count,
    score_at_once,
    split,
)
from ..support.errors import call_wrongly, list_warnings, read_errors

# Every case gets the seed, also cases that do not use it.
pytestmark = pytest.mark.filterwarnings("ignore:seed is")

MIXED: dict[str, Any] = {"rouge_types": ["rouge1", "rougeW"], "max_order": 2}


def assert_scores(counts: Any, options: dict[str, Any], table: pa.Table = TABLE) -> None:
    scorer = reduce_counts(counts, seed=SEED, **options)
    assert scorer.result() == score_at_once(table, options)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_schema_is_that_of_the_counts(options: dict[str, Any]) -> None:
    for key in (None, "id"):
        schema = count_schema(key_column=key, **options)
        assert count_batch(TABLE, key_column=key, **options).schema == schema
        assert count_batch(TABLE.slice(0, 0), key_column=key, **options).schema == schema
        (batch,) = count_batches([TABLE], key_column=key, **options)
        assert isinstance(batch, pa.RecordBatch)
        assert batch.schema == schema


@pytest.mark.parametrize("options", [{}, {"tokenizer": "ids"}])
def test_empty_columns_without_a_type_give_the_empty_table(options: dict[str, Any]) -> None:
    empty = {"id": pa.array([], pa.int64()), "prediction": (), "reference": ()}
    lists = {**empty, "prediction": [], "reference": []}
    for key in (None, "id"):
        schema = count_schema(key_column=key, **options)
        assert count_batch(empty, key_column=key, **options) == schema.empty_table()
        assert count_batch(lists, key_column=key, **options) == {name: [] for name in schema.names}
    nulls = pa.array([], pa.list_(pa.null()))
    assert count_batch({"prediction": [], "reference": nulls}).num_rows == 0


def test_the_schema_by_hand() -> None:
    schema = count_schema(key_column="id", max_order=2, rouge_types=["rouge1", "rougeW-1.2"])
    assert {name: str(schema.field(name).type) for name in schema.names} == {
        "key": "int64",
        "counted_with": "int64",
        "lost": "int64",
        "bleu_matches": "list<item: int64>",
        "bleu_prediction_length": "int64",
        "bleu_reference_lengths": "list<item: int64>",
        "rouge1": "list<item: int64>",
        "rougeW-1.2": "list<item: double>",
    }
    names = count_schema(profile="google_bleu", max_order=2).names
    assert names == ["counted_with", "lost", "google_bleu_1", "google_bleu_2"]
    # In the profile rouge-1.5.5 rougeL is counted as rougeLsum.
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


def write_parquet(counts: pa.Table) -> Any:
    file = io.BytesIO()
    parquet.write_table(counts, file)
    return parquet.ParquetFile(file).iter_batches(2)


def make_arrays(counts: pa.Table) -> dict[str, Any]:
    """Return counts of one sample as arrays, some of two dimensions."""
    return {name: np.array(values) for name, values in counts.to_pydict().items()}


FORMS: dict[str, Callable[[pa.Table], Any]] = {
    "batch": lambda counts: counts.to_batches()[0],
    "batches": lambda counts: counts.to_batches(max_chunksize=2),
    "dict": lambda counts: counts.to_pydict(),
    "dicts": lambda counts: [part.to_pydict() for part in split(counts, 3)],
    "chunks": lambda counts: pa.concat_tables(split(counts, 2)),
    "other columns": lambda counts: counts.append_column("rouge2", TABLE["id"]),
    "empty dict": lambda counts: [counts.slice(0, 0).to_pydict(), counts],
    "Parquet": write_parquet,
    "arrays": lambda counts: map(make_arrays, split(counts, 1)),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_counts_may_come_in_any_form(form: Any) -> None:
    assert_scores(form(count_batch(TABLE, **MIXED)), MIXED)


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
def test_texts_may_be_in_any_kind_of_column(predictions: Any, references: Any) -> None:
    table = count(predictions, references, **ROUGE_1)
    assert table["rouge1"].to_pylist() == [[1, 2, 1], [1, 1, 1]]


DATA_SETS: dict[str, Callable[[datasets.Dataset], Any]] = {
    "lists": lambda data: data,
    "Arrow": lambda data: data.with_format("arrow"),
    "a stream of lists": lambda data: data.to_iterable_dataset(num_shards=2),
    "a stream of Arrow": lambda data: data.to_iterable_dataset().with_format("arrow"),
    "a generator": lambda data: datasets.IterableDataset.from_generator(lambda: iter(data)),
}


@pytest.mark.parametrize(
    ("name", "kind", "form"),
    [
        *((name, "lists", "arrow") for name in OPTIONS),
        *(("every sample", kind, form) for kind in DATA_SETS for form in ("arrow", None)),
    ],
)
def test_a_data_set_is_counted(name: str, kind: str, form: str | None) -> None:
    options = OPTIONS[name]
    data = DATA_SETS[kind](datasets.Dataset.from_dict(TABLE.to_pydict()))
    function = partial(count_batch, key_column="id", **options)
    arguments: dict[str, Any] = {"batched": True, "batch_size": 3}
    if name == "an interval":
        arguments["num_proc"] = 2
    counts = data.map(function, remove_columns=data.column_names, **arguments)
    assert_scores(counts.with_format(form).iter(4), options)


def test_a_batch_of_lists_is_counted_into_lists() -> None:
    table = count_batch(TABLE, key_column="id", **MIXED)
    assert count_batch(TABLE.to_pydict(), key_column="id", **MIXED) == table.to_pydict()
    lists = [part.to_pydict() for part in split(TABLE, 2)]
    assert pa.Table.from_batches(count_batches(lists, key_column="id", **MIXED)) == table


def test_keys_give_the_order_and_count_a_shard_once() -> None:
    options = OPTIONS["every sample"]
    first, second, third = (
        count_batch(part, key_column="id", **options) for part in split(TABLE, len(TABLE) // 3 + 1)
    )
    assert_scores([third, first, second, first], options)
    for keys in (pa.array([2**63 - 1], pa.uint64()), [-(2**63)]):
        batch = {"id": keys, "prediction": ["a"], "reference": ["a"]}
        counts = pa.table(count_batch(batch, key_column="id", **ROUGE_1))
        assert counts["key"].to_pylist() == pa.array(keys).to_pylist()


def test_texts_that_lose_all_tokens_are_one_warning_for_each_tokenizer() -> None:
    options: dict[str, Any] = {"bleu_tokenizer": "char", "rouge_types": ["rouge2"]}
    texts = ["кошка", "a", "", "a"], [["a", "b"], ["собака", "дом"], [" "], ["a b"]]
    table = count(*texts, **options)
    # An empty prediction is marked by 16, and an empty reference by 32.
    assert table["lost"].to_pylist() == [2, 2, 48, 0]
    with pytest.warns(UserWarning) as caught:  # noqa: PT030 - all are compared below
        reduce_counts([table, table], **options)
    assert [str(warning.message) for warning in caught] == [
        "2 of 8 predictions are empty; nothing matches an empty text.",
        "2 of 8 rows have an empty reference; nothing matches an empty text.",
        "The 'rouge' tokenizer leaves nothing of the prediction or of a reference in 4 of 8 "
        "samples (50%), so that nothing there can match; use rouge_tokenizer='unicode', which "
        "finds the words of every language, or 'char' to count characters that are not letters or "
        "digits.",
    ]
    assert caught[0].filename == __file__


def test_missing_values_are_one_warning_of_all_batches() -> None:
    tables = [count(["NaN", "", "a b"], [["x", "null"], ["None"], ["c"]]), count(["a"], ["<NA>"])]
    assert list_warnings(lambda: reduce_counts(tables)) == [
        "2 of 4 predictions are empty or 'NaN'; nothing matches an empty text, and a missing value "
        "is scored as a word.",
        "3 of 4 rows have a reference that is '<NA>', 'None' or 'null'; a missing value is scored "
        "as a word.",
    ]


@pytest.mark.parametrize("profile", ["hf", "google_bleu"])
def test_texts_that_bleu_loses_are_marked(profile: str) -> None:
    options: dict[str, Any] = {
        "family": "bleu",
        "profile": profile,
        "tokenizer": lambda text: text.split("x")[1:],
    }
    table = count(["ab", "xab", " "], ["xa", "ab", "xa"], **options)
    assert table["lost"].to_pylist() == [1, 1, 16]
    empty, lost = list_warnings(lambda: reduce_counts(table, **options))
    assert empty == "1 of 3 predictions is empty; nothing matches an empty text."
    assert re.match(r"The callable given as bleu_tokenizer leaves .* 2 of 3 ", lost)


NO_IDS = {**IDS, "reference": [[], [8]]}
ARRAYS = {"prediction": np.array([[5, 6], [7, 8]]), "reference": np.array([[[5, 6]], [[9, 8]]])}


@pytest.mark.parametrize("columns", [IDS, NO_IDS, ARRAYS])
def test_token_ids_are_counted(columns: dict[str, Any]) -> None:
    once = Scorer(tokenizer="ids")
    once.update(columns["prediction"], columns["reference"])
    lists = {name: np.array(column, dtype=object).tolist() for name, column in columns.items()}
    for batch in (columns, pa.table(lists)):
        counts = count_batch(batch, tokenizer="ids")
        assert reduce_counts(counts, tokenizer="ids").result() == once.result()


def test_texts_are_counted_if_only_the_other_family_has_ids() -> None:
    batch = {"prediction": ["the cat"], "reference": ["the cat sat"]}
    tokenizers: dict[str, Any] = {"tokenizer": "ids", "bleu_tokenizer": "13a"}
    counts = count_batch(batch, family="bleu", **tokenizers)
    assert counts["bleu_matches"] == count_batch(batch, family="bleu")["bleu_matches"]


def test_a_batch_of_more_counts_than_arrow_lists_hold_is_an_error() -> None:
    scorer = Scorer(**ROUGE_1)
    columns = plan_columns(scorer.options, scorer.families)
    rouge = {"rouge": np.zeros((0, 1, 3), np.int64), "rouge_weighted": np.zeros((0, 0, 3))}
    counts = SampleCounts(np.array([2**30]), {}, rouge)
    message = r"^A batch has 3221225472 counts in one column; expected at most 2147483647\. Count "
    with pytest.raises(ValueError, match=message + r"smaller batches\.$"):
        to_table(counts, np.array([0]), None, columns)


ONE = {"prediction": ["a"], "reference": ["a"]}
TWO = {"prediction": ["a", "b"], "reference": ["a", "b"]}


def check(batch: dict[str, Any], **options: Any) -> None:
    """Count a batch: first as a table, which has the same errors."""
    with pytest.raises((TypeError, ValueError)) as caught:
        count_batch(pa.table(batch), **options)
    with pytest.raises(type(caught.value)) as same:
        count_batch(batch, **options)
    assert str(same.value) == str(caught.value)
    raise caught.value


def change(name: str, column: pa.Array) -> None:
    """Reduce the counts of two samples with another column."""
    options: dict[str, Any] = {"rouge_types": ["rouge1", "rougeW"]}
    table = count_batch(pa.table(TWO), **options)
    reduce_counts(table.set_column(table.schema.names.index(name), name, column), **options)


NAMES: dict[str, Any] = {
    "np": np,
    "pa": pa,
    "one": ONE,
    "two": TWO,
    "ids": IDS,
    "rouge": ROUGE_1,
    **{each.__name__: each for each in (change, check, count, count_batch, count_schema)},
    "reduce_counts": reduce_counts,
}
ERRORS = read_errors(Path(__file__).with_name("errors.txt"))


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_every_fault_is_an_error_with_its_remedy(call: str, error: str) -> None:
    assert call_wrongly(call, NAMES) == error
