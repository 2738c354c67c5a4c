"""Wrong batches and tables of counts: ``errors.txt`` has each call, and below it its error."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric.engines import count_batch, count_schema, reduce_counts

from ..support.errors import call_wrongly, read_errors

ONE = {"prediction": ["a"], "reference": ["a"]}
TWO = {"prediction": ["a", "b"], "reference": ["a", "b"]}
IDS = {"prediction": [[5, 6, -100], [7]], "reference": [[5, 6], [8]]}
ROUGE: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1"]}


def check(batch: dict[str, Any], **options: Any) -> None:
    """Count a batch: first as a table, which has the same errors."""
    with pytest.raises((TypeError, ValueError)) as caught:
        count_batch(pa.table(batch), **options)
    with pytest.raises(type(caught.value)) as same:
        count_batch(batch, **options)
    assert str(same.value) == str(caught.value)
    raise caught.value


def count(batch: dict[str, Any] = ONE, **options: Any) -> pa.Table:
    """Count a table."""
    return count_batch(pa.table(batch), **options)


def change(name: str, column: pa.Array) -> None:
    """Reduce the counts of two samples with another column."""
    options: dict[str, Any] = {"rouge_types": ["rouge1", "rougeW"]}
    table = count(TWO, **options)
    reduce_counts(table.set_column(table.schema.names.index(name), name, column), **options)


NAMES = {
    "check": check,
    "count": count,
    "change": change,
    "count_batch": count_batch,
    "count_schema": count_schema,
    "reduce_counts": reduce_counts,
    "np": np,
    "pa": pa,
    "one": ONE,
    "two": TWO,
    "ids": IDS,
    "rouge": ROUGE,
}
ERRORS = read_errors(Path(__file__).with_name("errors.txt"))


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_every_fault_is_an_error_with_its_remedy(call: str, error: str) -> None:
    assert call_wrongly(call, NAMES) == error
