"""What is wrong with a table is said with its column and its row."""

import pickle
import re
from typing import Any, Final

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import score_table

from ..conftest import require

TABLES: Final = (
    "expected a DataFrame of pandas or Polars, a pyarrow.Table or RecordBatch, a datasets.Dataset, "
    "a relation of DuckDB, or a dict of columns."
)
MISSING: Final = 'Drop the sample, or give the empty text "" to score it 0.'
GOOD: Final[dict[str, Any]] = {"prediction": ["a", "b", "c"], "reference": ["a", ["b", "d"], "c"]}


def replace(**columns: Any) -> dict[str, Any]:
    return {**GOOD, **columns}


CALLS: Final[dict[str, tuple[Any, dict[str, Any], type[Exception], str]]] = {
    "None": (replace(prediction=["a", "b", None]), {}, TypeError, f"table['prediction'][2] is "
     f"None; expected a str. {MISSING}"),
    "a null of Arrow": (pa.table({"prediction": ["a", "b"], "reference": ["a", None]}), {},
     TypeError, "table['reference'][1] is None; expected a str or a sequence of str. " + MISSING),
    "no reference": (pa.table({"text": ["a", "b"], "target": [["a"], []]}),
     {"prediction": "text", "reference": "target"}, ValueError, "table['target'][1] is empty; "
     "every prediction needs at least one reference."),
    "a negative id": ({"prediction": [[1], [2]], "reference": [[[1]], [[2], [-5]]]},
     {"tokenizer": "ids"}, ValueError, "table['reference'][1] has the id -5; expected ids of at "
     "least 0, or one that ignore_index or pad names."),
    "a list that became a text": (replace(reference=["a", "b", "['c', 'd']"]), {}, ValueError,
     "table['reference'][2] is \"['c', 'd']\", which looks like a list; expected a str or a "
     "sequence of str. Convert it to a list, as in ast.literal_eval(text); a text that looks "
     "like a list is given as a list of one."),
    "a pattern for ids": ({"prediction": [[1]], "reference": [[1]]},
     {"strip": "x", "tokenizer": "ids"}, ValueError, "strip removes parts of texts, but the "
     "samples are token ids; leave strip out."),
    "an array without rows": (replace(prediction=np.array("a")), {}, TypeError,
     "Column 'prediction' is one ndarray; expected a list or an array with one item per row. For "
     "map of datasets use batched=True."),
    "ids in place of texts": (pd.DataFrame({"output": [[1]], "reference": [[1]]}),
     {"prediction": "output", "scores": "bleu"}, TypeError, "table['output'] has sequences of "
     "token ids, but bleu_tokenizer is '13a', which is for texts; use tokenizer='ids', or decode "
     "the ids."),
    "no column": (datasets.Dataset.from_dict({"output": ["a"], "reference": ["b"]}), {}, ValueError,
     "The table has no column 'prediction'; name another with prediction=. Columns: 'output', "
     "'reference'."),
    "two columns": (
     pd.DataFrame([["a", "b", "c"]], columns=["prediction", "reference", "reference"]), {},
     ValueError, "The table has more than one column 'reference'; name another with reference=. "
     "Columns: 'prediction', 'reference', 'reference'."),
    "a column in place of its name": (GOOD, {"prediction": GOOD["prediction"]}, TypeError,
     "prediction is of type list; expected the name of a column."),
    "a score that is a column": (replace(bleu=[1, 2, 3]), {}, ValueError,
     "The table already has a column 'bleu', the name of a score; rename or drop it."),
    "one row of map": ({"prediction": "a", "reference": "b"}, {}, TypeError,
     "Column 'prediction' is one str; expected a list or an array with one item per row. For map "
     "of datasets use batched=True."),
    "lengths": (replace(reference=["a"]), {}, ValueError, "table['prediction'] has 3 samples, "
     "but table['reference'] has 1; expected one item in table['reference'] for every prediction."),
    "rows": ([{"prediction": "a", "reference": "b"}], {}, TypeError, f"table is of type list; "
     f"{TABLES} Make a table of rows with pandas.DataFrame(rows)."),
    "splits": (datasets.DatasetDict({"test": datasets.Dataset.from_dict({"prediction": ["a"]})}),
     {}, TypeError, f"table is of type DatasetDict; {TABLES} Score one split after the other."),
    "a stream": (datasets.Dataset.from_dict({"prediction": ["a"]}).to_iterable_dataset(), {},
     TypeError, f"table is of type IterableDataset; {TABLES} Use table.map(score_table, "
     f"batched=True)."),
    "types": (GOOD, {"rouge_types": ["rouge1"]}, TypeError, "rouge_types does not apply to "
     "single pairs. Name the types as scores."),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_errors_name_the_column_and_the_row(name: str) -> None:
    table, arguments, kind, message = CALLS[name]
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as caught:
        score_table(table, **arguments)
    assert caught.type is kind
    assert str(pickle.loads(pickle.dumps(caught.value))) == message


def test_a_frame_that_is_not_in_memory_is_collected_by_the_caller() -> None:
    frame = require("polars").LazyFrame({"prediction": ["a", None], "reference": ["a", "b"]})
    message = f"table is of type LazyFrame; {TABLES} Use score_table(table.collect())."
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        score_table(frame)
    with pytest.raises(TypeError, match=re.escape("table['prediction'][1] is None;")):
        score_table(
            require("polars").DataFrame({"prediction": ["a", None], "reference": ["a"] * 2})
        )


@pytest.mark.parametrize(
    ("module", "name", "remedy"),
    [
        (
            "datasets.dataset_dict",
            "IterableDatasetDict",
            "Use table.map(score_table, batched=True).",
        ),
        ("pyspark.sql.classic.dataframe", "DataFrame", "Score its batches with table.mapInArrow."),
        ("ray.data.dataset", "Dataset", "Use table.map_batches(score_table)."),
    ],
)
def test_a_table_of_an_engine_is_scored_in_batches(module: str, name: str, remedy: str) -> None:
    base = type(name, (), {"__module__": module})
    table = type("Own", (base,), {"__module__": "own"})()
    with pytest.raises(
        TypeError, match=f"^{re.escape(f'table is of type Own; {TABLES} {remedy}')}$"
    ):
        score_table(table)


def test_a_table_that_is_refused_is_not_changed() -> None:
    table = replace(reference=["a", "b", None])
    with pytest.raises(TypeError):
        score_table(table)
    assert list(table) == ["prediction", "reference"]
