"""``score_table`` equals ``PairScorer`` row by row, and errors name the column and the row."""

import pickle
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import PairScorer, score_table

from ..conftest import require
from ..support.strategies import samples

# What is warned of has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

Columns = dict[str, list[Any]]
TABLE: Final[Columns] = {
    "id": [7, 8, 9],
    "prediction": ["the cat sat on a mat", "a dog", ""],
    "reference": [["the cat sat on the mat", "cats"], ["the dog"], ["rain"]],
}
TEXTS: Final = {**TABLE, "reference": ["the cat sat on the mat", "the dog", "rain"]}
IDS: Final[Columns] = {"prediction": [[3, 4, 5], [6]], "reference": [[[3, 4], [5]], [[6, 7]]]}


def make_polars(columns: Columns) -> Any:
    return require("polars").DataFrame(columns)


def make_arrays(columns: Columns) -> dict[str, Any]:
    """As Ray hands columns over: arrays of objects, which are arrays if they were lists."""
    return {name: make_array(column) for name, column in columns.items()}


def make_array(items: list[Any]) -> Any:
    array = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        array[index] = make_array(item) if isinstance(item, list) else item
    return array


def make_chunks(columns: Columns) -> pa.Table:
    table = pa.table(columns)
    return pa.concat_tables([table.slice(0, 1), table.slice(1)])


def make_types(columns: Columns) -> pa.Table:
    """A table of types that the kernel does not read without a conversion."""
    table = pa.table(columns)
    texts = table["prediction"].dictionary_encode()
    large = pa.large_list(pa.large_string())
    is_list = pa.types.is_list(table["reference"].type)
    references = table["reference"].cast(large if is_list else pa.large_string())
    return pa.table({"id": table["id"], "prediction": texts, "reference": references})


def make_selected(columns: Columns) -> datasets.Dataset:
    """A data set whose rows are in another order in its files."""
    rows = len(columns["prediction"])
    turned = datasets.Dataset.from_dict({name: column[::-1] for name, column in columns.items()})
    return turned.select(range(rows - 1, -1, -1))


KINDS: Final[dict[str, Callable[[Columns], Any]]] = {
    "lists": dict,
    "arrays": make_arrays,
    "pandas": pd.DataFrame,
    "polars": make_polars,
    "arrow": pa.table,
    "chunks": make_chunks,
    "record batch": pa.RecordBatch.from_pydict,
    "datasets": datasets.Dataset.from_dict,
    "a selection": make_selected,
    "pandas format": lambda columns: datasets.Dataset.from_dict(columns).with_format("pandas"),
}
ARGUMENTS: Final[list[tuple[Any, dict[str, Any]]]] = [
    (("rougeL", "bleu"), {}),
    (["bleu", "rouge1", "rougeW-1.2"], {"smooth": True, "use_stemmer": True, "lowercase": True}),
    ("rougeLsum", {"multi_reference": "mean", "tokenizer": "unicode"}),
    ("google_bleu", {}),
    (("bleu",), {"profile": "sacrebleu", "tokenizer": "char"}),
]


def list_columns(table: Any) -> Columns:
    """The columns of a table as lists."""
    if isinstance(table, dict):
        return {name: list(column) for name, column in table.items()}
    if isinstance(table, datasets.Dataset):
        return table.with_format(None)[:]  # type: ignore[no-any-return]
    if isinstance(table, pd.DataFrame):
        return table.to_dict(orient="list")  # type: ignore[no-any-return]
    if isinstance(table, pa.Table | pa.RecordBatch):
        return table.to_pydict()  # type: ignore[no-any-return]
    return table.to_dict(as_series=False)  # type: ignore[no-any-return]


def score_rows(columns: Columns, scores: Any, options: dict[str, Any]) -> Columns:
    """What a call per row gives."""
    scorer = PairScorer((scores,) if isinstance(scores, str) else scores, **options)
    pairs = zip(columns["prediction"], columns["reference"], strict=True)
    found = [scorer(*pair) for pair in pairs]
    return dict(zip(scorer.score, map(list, zip(*found, strict=True)), strict=True))


def has_no_surrogates(rows: list[tuple[str, list[str]]]) -> bool:
    """Whether tables that hold UTF-8 can hold the texts."""
    return not re.search("[\ud800-\udfff]", "".join(text + "".join(more) for text, more in rows))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("columns", [TABLE, TEXTS], ids=["lists of references", "references"])
def test_every_kind_of_table_gets_the_scores_of_its_rows(name: str, columns: Columns) -> None:
    table = KINDS[name](columns)
    for scores, options in ARGUMENTS:
        expected = score_rows(columns, scores, options)
        scored = score_table(table, scores, **options)
        assert type(scored) is type(table)
        found = list_columns(scored)
        assert list(found) == [*columns, *expected]
        assert {score: found[score] for score in expected} == expected
        assert found["id"] == columns["id"]
        assert list(list_columns(table)) == list(columns)


@pytest.mark.usefixtures("kernel")
@given(
    samples.filter(has_no_surrogates),
    st.sampled_from(ARGUMENTS),
    # Those of datasets are slow to make.
    st.sampled_from(["lists", "arrays", "pandas", "polars", "arrow", "record batch"]),
)
def test_the_scores_of_any_texts_are_those_of_a_call_per_row(
    rows: list[tuple[str, list[str]]], arguments: tuple[Any, dict[str, Any]], name: str
) -> None:
    scores, options = arguments
    predictions, references = map(list, zip(*rows, strict=True))
    columns: Columns = {"prediction": predictions, "reference": references}
    expected = score_rows(columns, scores, options)
    found = list_columns(score_table(KINDS[name](columns), scores, **options))
    assert {score: found[score] for score in expected} == expected


@pytest.mark.parametrize("name", KINDS)
def test_columns_of_token_ids_are_scored(name: str) -> None:
    expected = score_rows(IDS, ("rouge1", "bleu"), {"tokenizer": "ids", "smooth": True})
    table = KINDS[name](IDS)
    found = list_columns(score_table(table, ("rouge1", "bleu"), tokenizer="ids", smooth=True))
    assert {score: found[score] for score in expected} == expected
    assert expected["rouge1"] == [0.8, 2 / 3]


@pytest.mark.parametrize("name", KINDS)
def test_a_table_without_rows_gets_empty_columns(name: str) -> None:
    table = KINDS[name](TABLE)
    if isinstance(table, dict):
        empty: Any = {column: values[:0] for column, values in table.items()}
    elif isinstance(table, datasets.Dataset):
        empty = table.select([])
    else:
        empty = table[:0] if hasattr(table, "iloc") else table.slice(0, 0)
    found = list_columns(score_table(empty))
    assert (found["rougeL"], found["bleu"]) == ([], [])
    with pytest.raises(ValueError, match=r"^Unknown rouge type 'rouge0'"):
        score_table(empty, "rouge0")


def test_other_types_of_arrow_and_pandas_are_read() -> None:
    expected = score_rows(TABLE, ("rougeL", "bleu"), {})
    frame, text = pd.DataFrame(TABLE), pd.ArrowDtype(pa.string())
    tables = [make_types(TABLE), make_types(TEXTS)]
    tables += [frame.astype({"prediction": kind}) for kind in ("category", "string", object, text)]
    for table in tables:
        found = list_columns(score_table(table))
        assert {score: found[score] for score in expected} == expected
    # As NumPy makes them of lists of equal lengths.
    square = {"output": np.array(["a b", "c"]), "target": np.array([["a", "b"], ["c", "d"]])}
    scored = score_table(square, "rouge1", prediction="output", reference="target")
    assert scored["rouge1"].tolist() == [2 / 3, 1.0]


def test_a_stream_of_arrow_becomes_a_table_and_names_may_be_tuples() -> None:
    expected = score_rows(TABLE, "rougeL", {})["rougeL"]
    scored: Any = score_table(pa.table(TABLE).to_reader(max_chunksize=2), "rougeL")
    assert isinstance(scored, pa.Table)
    assert scored["rougeL"].to_pylist() == expected
    frame: Any = pd.DataFrame({("model", name): column for name, column in TABLE.items()})
    names: dict[str, Any] = {name: ("model", name) for name in ("prediction", "reference")}
    assert score_table(frame, "rougeL", **names)["rougeL", ""].tolist() == expected
    assert len(frame.columns) == 3
    relation = type("Relation", (), {"to_arrow_table": None})()
    with pytest.raises(TypeError, match=r" Use score_table\(table\.to_arrow_table\(\)\)\.$"):
        score_table(relation)


def test_the_index_and_the_metadata_are_kept() -> None:
    frame = pd.DataFrame(TABLE, index=pd.Index(["x", "y", "x"], name="key"))
    scored = score_table(frame)
    assert scored.index.equals(frame.index)
    assert scored.index.name == "key"
    assert scored.dtypes[["rougeL", "bleu"]].tolist() == [np.float64] * 2
    arrow = pa.table(TABLE).replace_schema_metadata({"author": "we"})
    schema = score_table(arrow).schema
    assert schema.metadata == {b"author": b"we"}
    assert [str(schema.field(name).type) for name in ("rougeL", "bleu")] == ["double"] * 2
    data = score_table(datasets.Dataset.from_dict(TABLE).with_format("numpy"))
    assert data.format["type"] == "numpy"
    assert data.features["bleu"].dtype == "float64"


def test_a_dict_of_lists_gets_lists_and_one_of_arrays_gets_arrays() -> None:
    assert [type(item) for item in score_table(TABLE)["bleu"]] == [float] * 3
    found: Any = score_table(make_arrays(TABLE))["bleu"]
    assert (type(found), found.dtype) == (np.ndarray, np.float64)


@pytest.mark.parametrize("kind", [None, "numpy", "pandas", "polars", "arrow"])
def test_map_of_datasets_appends_the_columns(kind: str | None) -> None:
    if kind == "polars":
        require("polars")
    expected = score_rows(TABLE, ("rougeL", "bleu"), {"smooth": True})
    data = datasets.Dataset.from_dict(TABLE).with_format(kind)
    score = partial(score_table, smooth=True)
    mapped = data.map(score, batched=True, batch_size=2).with_format(None)[:]
    assert {name: mapped[name] for name in expected} == expected
    if kind not in ("polars", "pandas"):
        stream = data.to_iterable_dataset().map(score, batched=True, batch_size=2)
        rows = list(stream.with_format(None))
        assert [[row[name] for name in expected] for row in rows] == [
            list(row) for row in zip(*expected.values(), strict=True)
        ]


@pytest.mark.filterwarnings("error")
def test_batches_of_the_same_options_warn_once() -> None:
    # Options that no other test has: what was warned of is kept with them.
    score = partial(score_table, scores=("rouge1", "rouge9"), use_stemmer=True)
    batch = {"prediction": ["Привет", "мир"], "reference": ["мир", "Привет"]}
    with pytest.warns(UserWarning, match="^The 'rouge' tokenizer leaves nothing") as caught:
        assert score(batch)["rouge1"] == [0.0, 0.0]
    assert len(caught) == 1
    assert score(batch)["rouge1"] == [0.0, 0.0]


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


@pytest.mark.parametrize(
    ("module", "name", "remedy"),
    [
        ("datasets", "IterableDatasetDict", "Use table.map(score_table, batched=True)."),
        ("polars.lazyframe.frame", "LazyFrame", "Use score_table(table.collect())."),
        ("pyspark.sql.classic.dataframe", "DataFrame", "Score its batches with table.mapInArrow."),
        ("ray.data.dataset", "Dataset", "Use table.map_batches(score_table)."),
    ],
)
def test_a_table_of_an_engine_is_scored_in_batches(module: str, name: str, remedy: str) -> None:
    base = type(name, (), {"__module__": module})
    table = type("Own", (base,), {"__module__": "own"})()
    message = f"table is of type Own; {TABLES} {remedy}"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        score_table(table)


def test_a_table_that_is_refused_is_not_changed() -> None:
    table = replace(reference=["a", "b", None])
    with pytest.raises(TypeError):
        score_table(table)
    assert list(table) == ["prediction", "reference"]
