"""``score_table`` equals ``PairScorer`` row by row, for every kind of table."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import PairScorer, score_table

from ..conftest import require

# What is warned of has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

Columns = dict[str, list[Any]]
# Of one, two, three and four bytes, with white space of all kinds.
ODD = "für\xa0die Katze\x85日本語 です\u2028e\u0301 \U0001f1eb\U0001f1f7 \0cats\n\n\t"
TABLE: Final[Columns] = {
    "id": [7, 8, 9, 10, 11],
    "prediction": ["the cat sat on a mat", "a dog", "", ODD, "die Katze sat on a mat"],
    "reference": [
        *(["the cat sat on the mat", "cats"], ["the dog"], ["rain"]),
        *([ODD, "die Katze 日本語"], ["die Katze sat\non the mat", ODD]),
    ],
}
TEXTS: Final = {**TABLE, "reference": [texts[0] for texts in TABLE["reference"]]}
IDS: Final[Columns] = {
    "id": [7, 8],
    "prediction": [[3, 4, 5], [6]],
    "reference": [[[3, 4], [5]], [[6, 7]]],
}


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
]
ID_ARGUMENTS: Final = (("rouge1", "bleu"), {"tokenizer": "ids", "smooth": True})


def list_columns(table: Any) -> Columns:
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
    scorer = PairScorer((scores,) if isinstance(scores, str) else scores, **options)
    pairs = zip(columns["prediction"], columns["reference"], strict=True)
    found = [scorer(*pair) for pair in pairs]
    return dict(zip(scorer.score, map(list, zip(*found, strict=True)), strict=True))


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    ("columns", "arguments"),
    [(TABLE, ARGUMENTS), (TEXTS, ARGUMENTS), (IDS, [ID_ARGUMENTS])],
    ids=["lists of references", "references", "ids"],
)
def test_every_kind_of_table_gets_the_scores_of_its_rows(
    name: str, columns: Columns, arguments: list[Any]
) -> None:
    table = KINDS[name](columns)
    for scores, options in arguments:
        expected = score_rows(columns, scores, options)
        scored = score_table(table, scores, **options)
        assert type(scored) is type(table)
        found = list_columns(scored)
        assert list(found) == [*columns, *expected]
        assert {score: found[score] for score in expected} == expected
        assert found["id"] == columns["id"]
        assert list(list_columns(table)) == list(columns)


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


def test_the_index_the_metadata_and_the_kind_of_columns_are_kept() -> None:
    frame = pd.DataFrame(TABLE, index=pd.Index([*"xyxzz"], name="key"))
    scored = score_table(frame)
    assert scored.index.equals(frame.index)
    assert scored.index.name == "key"
    assert scored.dtypes[["rougeL", "bleu"]].tolist() == [np.float64] * 2
    arrow = pa.table(TABLE).replace_schema_metadata({"author": "we"})
    schema = score_table(arrow).schema
    assert schema.metadata == {b"author": b"we"}
    assert [str(schema.field(name).type) for name in ("rougeL", "bleu")] == ["double"] * 2
    assert [type(item) for item in score_table(TABLE)["bleu"]] == [float] * 5
    found: Any = score_table(make_arrays(TABLE))["bleu"]
    assert (type(found), found.dtype) == (np.ndarray, np.float64)
    data = score_table(datasets.Dataset.from_dict(TABLE).with_format("numpy"))
    assert data.format["type"] == "numpy"
    assert data.features["bleu"].dtype == "float64"


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
        assert {name: [row[name] for row in rows] for name in expected} == expected


@pytest.mark.filterwarnings("error")
def test_batches_of_the_same_options_warn_once() -> None:
    # Options that no other test has: what was warned of is kept with them.
    score = partial(score_table, scores=("rouge1", "rouge9"), use_stemmer=True)
    batch = {"prediction": ["Привет", "мир"], "reference": ["мир", "Привет"]}
    with pytest.warns(UserWarning, match="^The 'rouge' tokenizer leaves nothing") as caught:
        assert score(batch)["rouge1"] == [0.0, 0.0]
    assert len(caught) == 1
    assert score(batch)["rouge1"] == [0.0, 0.0]
