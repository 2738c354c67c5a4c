"""Counting on many machines: batches of texts in, Arrow tables of counts out, one Scorer from them.

``count_batch`` is one function for every engine that hands over batches of columns:
``map`` of ``datasets`` (also of a streaming data set), Ray Data's ``map_batches``, and, over an
iterator of batches, Spark's ``mapInArrow``. ``reduce_counts`` makes a ``Scorer`` of what came back;
its scores are those of one process. Nothing here imports an engine.

A table of counts has one row a sample and these columns, as ``count_schema`` has them:

| column | type | what it is |
|---|---|---|
| ``key`` | int64 | with ``key_column``: names the sample and gives its order |
| ``counted_with`` | int64 | the same number in every row: stands for the options that were used |
| ``lost`` | int64 | 1: BLEU's tokenizer leaves nothing of a text; 2: ROUGE's does; 3: both do |
| ``bleu_matches`` | list<int64> | clipped n-gram matches, orders 1 up to the longest counted |
| ``bleu_prediction_length`` | int64 | tokens of the prediction |
| ``bleu_reference_lengths`` | list<int64> | tokens of each reference |
| ``google_bleu_1``, … | list<int64> | profile ``google_bleu``, n-grams of an order: triples |
| ``rouge1``, ``rougeL``, … | list<int64> | ROUGE type as counted: triples |
| ``rougeW-1.2``, … | list<double> | ROUGE-W: triples |

A triple is the hits, the total of the prediction and the total of the reference, one triple for
each reference of the sample, one after the other; ``RougeCounts`` says in which unit. The longest
order is ``max_order``, or that of a smoothing that looks further. Under ``rouge-1.5.5`` the columns
``rougeL`` and ``rougeLsum`` are one, ``rougeLsum``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..options.options import Options
from ..options.profiles import Family, check_family
from ..samples.arrow_columns import read_ids, read_keys, read_texts, to_arrow
from ..samples.inputs import Samples, check_samples
from ..samples.token_ids import IDS
from ..scoring.count_checks import check_counts
from ..scoring.counting import count_samples
from ..scoring.scorer import Scorer
from .tables import KeyedCounts, from_table, make_schema, plan_columns, to_table
from .warnings import Losses, mark_losses

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

# A pyarrow.Table, a pyarrow.RecordBatch, or columns by name.
Batch = Any


def count_batch(
    batch: Batch,
    *,
    prediction_column: str = "prediction",
    reference_column: str = "reference",
    key_column: str | None = None,
    family: Family | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Any:
    """Counts of the samples of one batch.

    Args:
        batch: a ``pyarrow.Table`` or ``RecordBatch``, or a dict of lists or arrays; any number of
            rows.
        prediction_column: name of the column of predictions: strings, or lists of token ids under
            ``tokenizer="ids"``.
        reference_column: name of the column of references: as the predictions, or lists of them.
        key_column: name of a column of integers that differ from sample to sample; they give the
            order of the samples, and let a batch that comes twice count once.
        family: ``bleu`` or ``rouge`` alone; None for both.
        **options: those of ``metric.compute``.

    Returns:
        A ``pyarrow.Table`` with the columns that the module describes, one row a sample, in order.
        Or a dict of lists with the same columns, if the batch is a dict whose texts are in lists:
        ``IterableDataset.map`` takes nothing else from a function that it gave lists.

    Raises:
        TypeError: a column is of a type that cannot be scored, or an option is unknown.
        ValueError: a column is missing, is of another length, or holds a null, an empty list or a
            key of more than 64 bits, or an option is out of range.

    >>> count_batch({"prediction": ["the cat"], "reference": [["the cat sat", "a cat"]]},
    ...             family="rouge", rouge_types=["rouge1"])  # doctest: +ELLIPSIS
    {'counted_with': [...], 'lost': [0], 'rouge1': [[2, 2, 3, 1, 2, 2]]}
    """
    names = prediction_column, reference_column
    table = _count_columns(batch, *names, key_column, _check_options(family, options))
    is_of_lists = type(batch) is dict and all(isinstance(batch[name], list) for name in names)
    return table.to_pydict() if is_of_lists else table


def _count_columns(
    batch: Batch,
    prediction_column: str,
    reference_column: str,
    key_column: str | None,
    checked: tuple[Options, Sequence[Family]],
) -> Any:
    """The table of counts of a batch; see :func:`count_batch`."""
    options, families = checked
    columns = plan_columns(options, families)
    keys = None if key_column is None else read_keys(batch, key_column)
    if IDS in (options.bleu_tokenizer, options.rouge_tokenizer):
        predictions = read_ids(batch, prediction_column, "prediction_column")
        references = read_ids(batch, reference_column, "reference_column", allows_lists=True)
    else:
        predictions = read_texts(batch, prediction_column, "prediction_column")
        references = read_texts(batch, reference_column, "reference_column", allows_lists=True)
    if keys is not None and len(keys) != len(predictions):
        raise ValueError(
            f"Column {key_column!r} has {len(keys)} rows, but column {prediction_column!r} has "
            f"{len(predictions)}; expected one key for every prediction."
        )
    if not len(predictions) and not len(references):
        return make_schema(columns, has_key=keys is not None).empty_table()
    return count_table(check_samples(predictions, references), options, families, keys)


def count_table(
    samples: Samples,
    options: Options,
    families: Sequence[Family],
    keys: NDArray[np.int64] | None = None,
) -> Any:
    """The table of counts of checked samples, with checked options; see :func:`count_batch`."""
    plan = options.plan(families).counting
    counts = count_samples(samples, plan)
    lost = mark_losses(samples, counts, plan)
    return to_table(KeyedCounts(counts, lost, keys), plan_columns(options, families))


def count_batches(batches: Iterable[Batch], **arguments: Any) -> Iterator[Any]:
    """Counts of one batch after the other, for Spark's ``mapInArrow``.

    Args:
        batches: as ``count_batch`` takes them.
        **arguments: those of ``count_batch``.

    Yields:
        Each a ``pyarrow.RecordBatch`` of counts.
    """
    import pyarrow as pa

    schema = count_schema(**arguments)
    for batch in batches:
        counts = count_batch(batch, **arguments)
        table = pa.table(counts, schema=schema) if isinstance(counts, dict) else counts
        yield from table.to_batches()


def count_schema(
    *,
    prediction_column: str = "prediction",  # noqa: ARG001 - so that it takes what count_batch does
    reference_column: str = "reference",  # noqa: ARG001
    key_column: str | None = None,
    family: Family | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Any:
    """The ``pyarrow.Schema`` of what ``count_batch`` returns for the same arguments.

    >>> count_schema(family="rouge", rouge_types=["rouge1", "rougeW"], key_column="id").names
    ['key', 'counted_with', 'lost', 'rouge1', 'rougeW']
    """
    columns = plan_columns(*_check_options(family, options))
    return make_schema(columns, has_key=key_column is not None)


def reduce_counts(
    counts: Batch | Iterable[Batch],
    *,
    family: Family | None = None,
    seed: int | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Scorer:
    """A ``Scorer`` of counted samples.

    Tables are read one after the other and need not be held together. Where they have keys, the
    samples are in the order of these, and a sample that comes again is counted once; else they are
    in the order of the tables.

    Args:
        counts: what ``count_batch`` returned: a ``pyarrow.Table`` or ``RecordBatch``, a dict of
            lists, or an iterable of these.
        family: that of ``count_batch``.
        seed: of the random stream of resampling.
        **options: those of ``count_batch``; options that only say how counts become scores, such
            as ``confidence``, may differ.

    Raises:
        TypeError: counts or a column of them is of another type, or an option is unknown.
        ValueError: the samples were counted with other options, or some tables have keys and
            others none.

    >>> batch = {"prediction": ["the cat", "a dog"], "reference": ["the cat sat", "a dog"]}
    >>> scorer = reduce_counts(count_batch(batch, family="rouge"), family="rouge")
    >>> scorer.result()["rouge1"]
    0.9
    """
    scorer = Scorer(family, seed=seed, **options)
    add_counts(scorer, _to_tables(counts))
    return scorer


def add_counts(scorer: Scorer, tables: Iterable[Any]) -> None:
    """Adds tables of counts to a scorer, and warns where samples have no tokens."""
    columns = plan_columns(scorer.options, scorer.families)
    plan = scorer.options.plan(scorer.families).counting
    losses = Losses()
    for table in tables:
        counts, lost, keys = from_table(table, columns)
        check_counts(counts, plan)
        losses.add(lost)
        scorer.update_counts(counts, keys)
    losses.warn(scorer.options)


def _check_options(
    family: Family | None, options: Mapping[str, Any]
) -> tuple[Options, Sequence[Family]]:
    """Checked options, and the families that are asked for."""
    asked = check_family(family)
    checked = Options.from_keywords(options, asked)
    return checked, checked.plan(asked).families


def _to_tables(counts: Batch | Iterable[Batch]) -> Iterator[Any]:
    """Tables, one after the other, of whatever form they have."""
    import pyarrow as pa

    if isinstance(counts, pa.Table | pa.RecordBatch | Mapping) or _is_pandas(counts):
        counts = [counts]
    for table in counts:
        if isinstance(table, pa.Table):
            yield table
        elif isinstance(table, pa.RecordBatch):
            yield pa.Table.from_batches([table])
        elif isinstance(table, Mapping) and not any(
            isinstance(value, Number) for value in table.values()
        ):
            yield pa.table(
                {name: to_arrow(column, name, "numbers") for name, column in table.items()}
            )
        else:
            raise TypeError(_write_table_error(table))


def _write_table_error(table: object) -> str:
    """What stands where a table of counts belongs, and how to make one of it."""
    name, remedy = type(table).__name__, ""
    if isinstance(table, Mapping):
        name, remedy = f"{name} of single numbers", " Use pyarrow.Table.from_pylist(counts)."
    elif _is_pandas(table):
        remedy = " Use pyarrow.Table.from_pandas(...)."
    return (
        f"counts holds a {name}; expected pyarrow.Tables, RecordBatches or dicts of lists, as "
        f"count_batch makes them.{remedy}"
    )


def _is_pandas(table: object) -> bool:
    """Whether it is a data frame, which iterates over the names of its columns."""
    return hasattr(table, "iloc")
