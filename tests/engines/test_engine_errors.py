"""Wrong batches and tables of counts: every fault is an error with its remedy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..support.engine_cases import IDS, ROUGE_1, count

NULL = (
    "has a null in row {} of the batch; expected a text. Drop the row, or give the empty text "
    '"" to score it 0.'
)
EMPTY = (
    "has an empty list in row 1 of the batch; every prediction needs at least one reference. Drop "
    "the row."
)
NOT_TEXT = "{}; expected string or list<string>. Nothing is converted to text."
NO_UTF8 = "has bytes that are not UTF-8 in row 1 of the batch; decode them with their own encoding."
BAD_TEXTS = pa.array([b"a", b"\xff"]).view(pa.string())
BAD_LISTS = pa.ListArray.from_arrays(
    pa.array([0, 2, 4], pa.int32()), pa.array([b"a", b"b", b"c", b"\xff"]).view(pa.string())
)
REMEDY = "Give reduce_counts the options that count_batch had."
MADE = "expected rows as count_batch made them."


def read_error(function: Callable[..., object], *arguments: Any, **options: Any) -> str:
    """Return the type and the text of the error that a call raises."""
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*arguments, **options)
    return f"{caught.type.__name__}: {caught.value}"


BATCH: dict[str, Any] = {"prediction": ["a"], "reference": ["a"]}
TWO: dict[str, Any] = {"prediction": ["a", "b"], "reference": ["a", "b"]}
PLAIN: dict[str, Any] = {}
AS_IDS: dict[str, Any] = {"tokenizer": "ids"}
WITH_KEY: dict[str, Any] = {"key_column": "id"}

# Options, a batch, and the start of the error.
BATCHES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        PLAIN,
        {"prediction": ["a"], "refs": ["a"]},
        "ValueError: The batch has no column 'reference'; name another with reference_column=. "
        "Columns: 'prediction', 'refs'.",
    ),
    (
        PLAIN,
        {},
        "ValueError: The batch has no column 'prediction'; name another with prediction_column=. "
        "Columns: none.",
    ),
    (PLAIN, TWO | {"prediction": ["a", None]}, f"ValueError: Column 'prediction' {NULL.format(1)}"),
    (PLAIN, BATCH | {"prediction": [None]}, f"ValueError: Column 'prediction' {NULL.format(0)}"),
    (PLAIN, TWO | {"reference": [["a"], None]}, f"ValueError: Column 'reference' {NULL.format(1)}"),
    (
        PLAIN,
        TWO | {"reference": [["a", "b"], ["c", None]]},
        "ValueError: Column 'reference' has a null in the list in row 1 of the batch; expected "
        "texts. Take it out of the list.",
    ),
    (PLAIN, TWO | {"reference": [["a"], []]}, f"ValueError: Column 'reference' {EMPTY}"),
    (
        PLAIN,
        BATCH | {"prediction": [1.5]},
        "TypeError: Column 'prediction' is of type double; expected string. Nothing is converted "
        "to text.",
    ),
    *(
        (
            PLAIN,
            BATCH | {"reference": values},
            f"TypeError: Column 'reference' is of type {NOT_TEXT.format(kind)}",
        )
        for values, kind in (([[1.5]], "list<item: double>"), ([b"a"], "binary"))
    ),
    (
        PLAIN,
        BATCH | {"prediction": [["a"]]},
        "TypeError: Column 'prediction' is of type list<item: string>; expected string. For lists "
        "of tokens join them with spaces and use tokenizer='whitespace'.",
    ),
    (
        PLAIN,
        IDS,
        "TypeError: Column 'prediction' is of type list<item: int64>; expected string. For lists "
        "of token ids use tokenizer='ids'.",
    ),
    (PLAIN, TWO | {"prediction": BAD_TEXTS}, f"ValueError: Column 'prediction' {NO_UTF8}"),
    (PLAIN, TWO | {"reference": BAD_LISTS}, f"ValueError: Column 'reference' {NO_UTF8}"),
    (
        AS_IDS,
        TWO,
        "TypeError: Column 'prediction' is of type string; expected list<int64>, since the "
        "tokenizer is 'ids'.",
    ),
    (
        AS_IDS,
        IDS | {"reference": [[5], None]},
        "ValueError: Column 'reference' has a null in row 1 of the batch; expected ids. Drop the "
        "row, or give the empty list to score it 0.",
    ),
    (AS_IDS, IDS | {"reference": [[[5], [6]], []]}, f"ValueError: Column 'reference' {EMPTY}"),
    (WITH_KEY, BATCH | {"id": ["a"]}, "TypeError: Column 'id' is of type string; expected int64."),
    (
        WITH_KEY,
        BATCH | {"id": pa.array([None], pa.int64())},
        "ValueError: Column 'id' has a null; expected an int, one for every sample.",
    ),
    (
        WITH_KEY,
        BATCH | {"id": pa.array([2**63], pa.uint64())},
        "ValueError: Column 'id' has 9223372036854775808; expected int64, which ends at "
        "9223372036854775807.",
    ),
]


@pytest.mark.parametrize(("options", "batch", "message"), BATCHES)
def test_a_wrong_batch_is_an_error_that_names_the_column(
    options: dict[str, Any], batch: dict[str, Any], message: str
) -> None:
    assert read_error(count_batch, batch, **options) == message
    assert read_error(count_batch, pa.table(batch), **options) == message


SEVERAL = "TypeError: Column {!r} cannot be read by Arrow; expected {}, the same in every row ("
WIDE = "ValueError: Column {!r} has an int that does not fit in 64 bits; expected {}."


@pytest.mark.parametrize(
    ("options", "batch", "message"),
    [
        (
            PLAIN,
            [BATCH],
            "TypeError: batch is of type list; expected a pyarrow.Table or RecordBatch, or a dict "
            "of columns.",
        ),
        (
            PLAIN,
            TWO | {"reference": ["a", ["b"]]},
            SEVERAL.format("reference", "string or list<string>"),
        ),
        (PLAIN, TWO | {"prediction": ["a", 1]}, SEVERAL.format("prediction", "string")),
        (AS_IDS, IDS | {"prediction": [[5], [2**64]]}, WIDE.format("prediction", "list<int64>")),
        (WITH_KEY, BATCH | {"id": [2**64]}, WIDE.format("id", "int64")),
        *(
            (
                WITH_KEY,
                BATCH | {"id": pa.array([1] * rows, pa.int64())},
                f"ValueError: Column 'id' has {rows} rows, but column 'prediction' has 1; expected "
                "one key for every prediction.",
            )
            for rows in (0, 2)
        ),
        (PLAIN | {"rouge_type": 1}, {}, "TypeError: Unknown option 'rouge_type'; did you mean"),
        ({"family": "both"}, {}, "ValueError: family is 'both'; expected 'bleu', 'rouge' or None"),
    ],
)
def test_what_no_table_can_be_is_an_error(
    options: dict[str, Any], batch: Any, message: str
) -> None:
    assert read_error(count_batch, batch, **options).startswith(message)


@pytest.mark.parametrize("make", [list, pa.array, lambda texts: np.array(texts, dtype=object)])
@pytest.mark.parametrize(("predictions", "references"), [(0, 1), (1, 0), (1, 2)])
def test_columns_of_different_lengths_are_an_error(
    make: Any, predictions: int, references: int
) -> None:
    assert read_error(count, make(["a"] * predictions), make(["a"] * references)) == (
        f"ValueError: predictions has {predictions} samples, but references has {references}; "
        "expected one item in references for every prediction."
    )


OTHERS = (
    "ValueError: Column 'counted_with' of the counts says that they were made with other options "
    f"than these: {{}}. {REMEDY}"
)
ROUGE_1_COUNTS = (
    "profile:hf|rouge_types:rouge1|rouge_tokenizer:rouge|use_stemmer:no|sentence_splitter:newline"
)


@pytest.mark.parametrize(
    ("counted", "reduced", "message"),
    [
        (
            ROUGE_1,
            {"family": "rouge", "rouge_types": ["rouge1", "rouge2"]},
            "ValueError: The counts have no column 'rouge2', which these options need. "
            f"{REMEDY} Columns: 'counted_with', 'lost', 'rouge1'.",
        ),
        (
            {"family": "rouge", "rouge_types": ["rouge1", "rouge2"]},
            ROUGE_1,
            OTHERS.format(ROUGE_1_COUNTS),
        ),
        ({**ROUGE_1, "rouge_tokenizer": "char"}, ROUGE_1, OTHERS.format(ROUGE_1_COUNTS)),
        (
            {"family": "bleu", "profile": "google_bleu", "max_order": 2},
            {"family": "bleu", "profile": "google_bleu", "max_order": 1},
            OTHERS.format("profile:google_bleu|bleu_tokenizer:13a|max_order:1"),
        ),
        (
            {"family": "bleu", "max_order": 2},
            {"family": "bleu", "max_order": 3},
            OTHERS.format("profile:hf|bleu_tokenizer:13a|max_order:3"),
        ),
        (
            {"family": "bleu"},
            {"family": "bleu", "smooth": "method5"},
            "ValueError: Column 'bleu_matches' of the counts has [4] counts per sample, but these "
            "options need [5]; count all samples with these options.",
        ),
    ],
)
def test_counts_of_other_options_are_an_error(
    counted: dict[str, Any], reduced: dict[str, Any], message: str
) -> None:
    assert read_error(reduce_counts, count(**counted), **reduced) == message


# A column, what it has in place of its counts, and the error behind the name of the column.
COLUMNS: list[tuple[str, pa.Array, str]] = [
    (
        "rouge1",
        pa.array([[1, 1, 1, 1]] * 2),
        "ValueError: has a list of 4 numbers; expected 3 numbers for every reference, and at least "
        "one reference.",
    ),
    (
        "bleu_reference_lengths",
        pa.array([[1], []]),
        "ValueError: has a list of 0 numbers; expected a number for every reference, and at least "
        "one reference.",
    ),
    (
        "bleu_matches",
        pa.array([[1] * 3, [1] * 5]),
        f"ValueError: has lists of different lengths; {MADE}",
    ),
    (
        "rouge1",
        pa.array([[1.0, 1.0, 1.0]] * 2),
        "TypeError: is of type list<item: double>; expected list<int64>, as count_schema has it.",
    ),
    (
        "bleu_prediction_length",
        pa.array([[1], [1]]),
        "TypeError: is of type list<item: int64>; expected int64, as count_schema has it.",
    ),
    (
        "rougeW",
        pa.array([[1, 1, 1]] * 2),
        "TypeError: is of type list<item: int64>; expected list<double>, as count_schema has it.",
    ),
    (
        "counted_with",
        pa.array([1.0] * 2),
        "TypeError: is of type double; expected int64, as count_schema has it.",
    ),
    (
        "bleu_prediction_length",
        pa.array([None, 1], pa.int64()),
        "ValueError: has nulls; count_batch makes none.",
    ),
    ("rouge1", pa.array([[1, 1, None]] * 2), "ValueError: has nulls; count_batch makes none."),
    (
        "lost",
        pa.array([2**64 - 1] * 2, pa.uint64()),
        "ValueError: has 18446744073709551615; expected int64, which ends at 9223372036854775807.",
    ),
    (
        "rouge1",
        pa.array([[1, 2**63, 1]] * 2, pa.list_(pa.uint64())),
        "ValueError: has 9223372036854775808; expected int64, which ends at 9223372036854775807.",
    ),
]
BOTH: dict[str, Any] = {"rouge_types": ["rouge1", "rougeW"]}


@pytest.mark.parametrize(("column", "values", "message"), COLUMNS)
def test_columns_that_are_no_counts_are_an_error(
    column: str, values: pa.Array, message: str
) -> None:
    table = count(["a", "a"], ["a", "a"], **BOTH)
    table = table.set_column(table.schema.names.index(column), column, values)
    kind, _, text = message.partition(" ")
    assert read_error(reduce_counts, table, **BOTH) == (
        f"{kind} Column {column!r} of the counts {text}"
    )


def test_columns_that_do_not_fit_each_other_are_an_error() -> None:
    table = count(**ROUGE_1 | {"family": None})
    wrong = table.set_column(table.schema.names.index("rouge1"), "rouge1", pa.array([[1] * 6]))
    assert read_error(reduce_counts, wrong, rouge_types=["rouge1"]) == (
        "ValueError: Columns 'bleu_reference_lengths' and 'rouge1' of the counts differ in how "
        f"many references the samples have; {MADE}"
    )
    twice = count(**ROUGE_1).append_column("lost", pa.array([0]))
    assert read_error(reduce_counts, twice, **ROUGE_1) == (
        f"ValueError: The counts have more than one column 'lost', which these options need. "
        f"{REMEDY} Columns: 'counted_with', 'lost', 'rouge1', 'lost'."
    )


def test_what_is_no_table_is_an_error_that_says_what_to_do() -> None:
    table = count()
    frame = table.to_pandas()
    for counts, name, remedy in (
        ("counts", "str", ""),
        (["counts"], "str", ""),
        ([None], "NoneType", ""),
        (table.to_pylist(), "dict of single numbers", " Use pyarrow.Table.from_pylist(counts)."),
        (frame, "DataFrame", " Use pyarrow.Table.from_pandas(...)."),
        ([frame, frame], "DataFrame", " Use pyarrow.Table.from_pandas(...)."),
    ):
        assert read_error(reduce_counts, counts) == (
            f"TypeError: counts holds a {name}; expected pyarrow.Tables, RecordBatches or dicts of "
            f"lists, as count_batch makes them.{remedy}"
        )
