"""Count on many machines: each batch of texts becomes an Arrow table of counts.

Every engine that passes batches of columns can call ``count_batch``: ``map`` of ``datasets`` (also
of a streaming data set), Ray Data's ``map_batches``, and Spark's ``mapInArrow`` through
``count_batches``. ``reduce_counts`` makes one ``Scorer`` of all tables; its scores are the same as
in one process. Nothing here imports an engine.

A table of counts has one row per sample. ``docs/guides/ranks.md`` describes its columns, and
``count_schema`` returns their types.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..messages import rename_arguments
from ..options.options import Options
from ..options.profiles import Family, check_family
from ..samples.arrow_texts import read_column
from ..samples.inputs import Samples, check_samples
from ..scoring.batches import check_counts, check_keys
from ..scoring.counting import count_samples
from ..scoring.scorer import Scorer
from .tables import MarkCounts, from_table, mark_texts, plan_columns, read_tables, to_table

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
    """Count the samples of one batch.

    Args:
        batch: a ``pyarrow.Table`` or ``RecordBatch``, or a dict of lists or arrays; any number of
            rows.
        prediction_column: name of the column of predictions: strings, or lists of token ids with
            ``tokenizer="ids"``.
        reference_column: name of the column of references: one per sample, of the same type as the
            predictions, or a list of several.
        key_column: name of a column of integers that are different for every sample. They give the
            order of the samples, and a sample that comes twice counts once.
        family: ``bleu`` or ``rouge`` to count only one family; None for both.
        **options: options of ``metric.compute``.

    Returns:
        A ``pyarrow.Table`` of counts, one row per sample, in order. If the batch is a dict of
        lists, a dict of lists with the same columns: ``IterableDataset.map`` accepts nothing else
        from a function that it called with lists.

    Raises:
        TypeError: a column has a type that cannot be scored, or an option is unknown.
        ValueError: a column is missing, has another length, or holds a null, an empty list or a
            key of more than 64 bits; or an option is out of range.

    >>> count_batch({"prediction": ["the cat"], "reference": [["the cat sat", "a cat"]]},
    ...             family="rouge", rouge_types=["rouge1"])  # doctest: +ELLIPSIS
    {'counted_with': [...], 'lost': [0], 'rouge1': [[2, 2, 3, 1, 2, 2]]}
    """
    checked, families = _check_options(family, options)
    plan = checked.plan(families)
    predictions = read_column(batch, prediction_column, "prediction_column")
    references = read_column(batch, reference_column, "reference_column")
    keys = None if key_column is None else read_column(batch, key_column, "key_column")
    try:
        keys = check_keys(keys, len(predictions))
        if len(predictions) or len(references):
            samples = check_samples(predictions, references, of_ids=plan.counts_ids)
            table = count_table(samples, checked, families, keys)
        else:
            columns = plan_columns(checked, families)
            table = columns.make_schema(has_key=keys is not None).empty_table()
    except (TypeError, ValueError) as error:
        names = {"predictions": prediction_column, "references": reference_column}
        rename_arguments(error, {**names, "keys": key_column or "keys"})
        raise
    is_of_lists = type(batch) is dict and all(
        isinstance(column, list) for column in (predictions, references)
    )
    return table.to_pydict() if is_of_lists else table


def count_table(
    samples: Samples,
    options: Options,
    families: Sequence[Family],
    keys: NDArray[np.int64] | None = None,
) -> Any:
    """Make the table of counts of checked samples with checked options; see :func:`count_batch`."""
    plan = options.plan(families)
    counts = count_samples(samples, plan)
    lost = mark_texts(samples, counts, plan)
    return to_table(counts, lost, keys, plan_columns(options, families))


def count_batches(batches: Iterable[Batch], **arguments: Any) -> Iterator[Any]:
    """Count batches one by one, for Spark's ``mapInArrow``.

    Args:
        batches: batches as in ``count_batch``.
        **arguments: arguments of ``count_batch``.

    Yields:
        Each a ``pyarrow.RecordBatch`` of counts.
    """
    schema = count_schema(**arguments)
    for batch in batches:
        for table in read_tables(count_batch(batch, **arguments)):
            yield from table.cast(schema).to_batches()


def count_schema(
    *,
    prediction_column: str = "prediction",  # noqa: ARG001 - to accept the arguments of count_batch
    reference_column: str = "reference",  # noqa: ARG001
    key_column: str | None = None,
    family: Family | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Any:
    """Return the ``pyarrow.Schema`` of the table that ``count_batch`` returns.

    The arguments are those of ``count_batch``.

    >>> count_schema(family="rouge", rouge_types=["rouge1", "rougeW"], key_column="id").names
    ['key', 'counted_with', 'lost', 'rouge1', 'rougeW']
    """
    columns = plan_columns(*_check_options(family, options))
    return columns.make_schema(has_key=key_column is not None)


def reduce_counts(
    counts: Batch | Iterable[Batch],
    *,
    family: Family | None = None,
    seed: int | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Scorer:
    """Combine counted samples into a ``Scorer``.

    Tables are read one after the other, so an iterator of tables need not fit in memory. With keys,
    the samples are in the order of the keys, and a sample that comes again is counted once. Without
    keys, they are in the order of the tables.

    Args:
        counts: results of ``count_batch``: a ``pyarrow.Table`` or ``RecordBatch``, a dict of lists,
            or an iterable of these.
        family: the same as for ``count_batch``.
        seed: seed of the random stream of resampling.
        **options: the same as for ``count_batch``; options that only say how counts become scores,
            such as ``confidence``, may differ.

    Raises:
        TypeError: counts or one of its columns has another type, or an option is unknown.
        ValueError: the samples were counted with other options, or some tables have keys and
            others do not.

    >>> batch = {"prediction": ["the cat", "a dog"], "reference": ["the cat sat", "a dog"]}
    >>> scorer = reduce_counts(count_batch(batch, family="rouge"), family="rouge")
    >>> scorer.result()["rouge1"]
    0.9
    """
    scorer = Scorer(family, seed=seed, **options)
    add_counts(scorer, read_tables(counts))
    return scorer


def add_counts(scorer: Scorer, tables: Iterable[Any]) -> None:
    """Add tables of counts to a scorer, and warn if a tokenizer finds no token in some texts."""
    columns = plan_columns(scorer.options, scorer.families)
    plan = scorer.options.plan(scorer.families)
    marks = MarkCounts()
    for table in tables:
        counts, lost, keys = from_table(table, columns)
        check_counts(counts, plan)
        marks.add(lost)
        scorer.update_counts(counts, keys)
    marks.warn(scorer.options)


def _check_options(
    family: Family | None, options: Mapping[str, Any]
) -> tuple[Options, Sequence[Family]]:
    """Return the checked options, and the families that are counted."""
    asked = check_family(family)
    checked = Options.from_keywords(options, asked)
    return checked, checked.plan(asked).families
