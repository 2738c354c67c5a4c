"""Check predictions and references of every accepted shape, and flatten them to lists of str.

Any sequence is accepted: list, tuple, generator, NumPy array, pandas Series with any index,
``datasets`` column (also of a streaming data set), pyarrow array. Items may be sequences of token
ids instead of texts. Anything that cannot be scored raises an error that says which item it is,
before any work. Nothing is turned into text by ``str()``.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from numbers import Number
from operator import countOf
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..messages import (
    Argument,
    Message,
    PythonOnly,
    describe_value,
    format_message,
    rename_arguments,
    value_error,
)
from .arrow_texts import (
    ArrowTexts,
    find_arrow,
    find_arrow_references,
    is_texts,
    join,
    list_texts,
    may_have_list,
    read_stream,
)
from .column_names import has_columns, name_column
from .text_types import are_texts, find_list_as_text, shorten
from .token_ids import are_ids, check_id_references, check_ids, list_items

Texts = list[str] | ArrowTexts

_PER_SAMPLE: Final = "a sequence with one item per sample"
_LIST_REMEDY: Final = PythonOnly(
    "Convert it to a list, as in ast.literal_eval(text); a text that looks like a list is given as "
    "a list of one.",
    "Write it as a list, or the text in a list of one.",
)


class Samples(NamedTuple):
    """Checked samples: one prediction and one or more references each.

    Attributes:
        predictions: texts, one per sample; an Arrow array if the caller gave one, else a list.
        references: the references of all samples, one sample after the other; array or list.
        offsets: int64, shape (samples + 1,); the references of sample ``i`` are
            ``references[offsets[i]:offsets[i + 1]]``.
        are_ids: whether the items are tuples of token ids instead of texts.
    """

    predictions: Texts
    references: Texts
    offsets: NDArray[np.int64]
    are_ids: bool = False

    @property
    def n_pairs(self) -> int:
        """Return the number of references, each of which makes a pair with its prediction."""
        return len(self.references)

    @property
    def noun(self) -> str:
        """Return what messages call the samples: texts, if each is its own reference."""
        return "texts" if self.predictions is self.references else "samples"

    def by_sample(self) -> Iterator[tuple[str, list[str]]]:
        """Iterate over each prediction with the list of its references."""
        predictions: Iterable[str] = list_texts(self.predictions)
        references = list_texts(self.references)
        # A subclass of str counts as the characters that it holds, because the compiled kernel
        # reads them from memory; methods that the subclass overrides are not called.
        if not self.are_ids:
            predictions = map(str.__str__, predictions)
            references = list(map(str.__str__, references))
        stops = self.offsets[1:].tolist()
        start = 0
        for prediction, stop in zip(predictions, stops, strict=True):
            yield prediction, references[start:stop]
            start = stop

    def find_pair(self, index: int) -> tuple[str, str]:
        """Return the prediction and the reference that ``references[index]`` is."""
        sample = int(np.searchsorted(self.offsets, index, side="right")) - 1
        return str(self.predictions[sample]), str(self.references[index])

    def list_firsts(self, part: slice) -> list[tuple[str, str]]:
        """List the predictions of some samples of texts, each with its first reference."""
        starts = self.offsets[:-1][part]
        if isinstance(self.references, list):
            references = [self.references[start] for start in starts.tolist()]
        else:
            references = list_texts(self.references.take(starts))
        # As in by_sample.
        predictions = map(str.__str__, list_texts(self.predictions[part]))
        return list(zip(predictions, map(str.__str__, references), strict=True))

    def map_texts(self, function: Callable[[str], str]) -> "Samples":
        """Return the samples with the function applied to each text."""
        predictions, references = list_texts(self.predictions), list_texts(self.references)
        return self._replace(
            predictions=list(map(function, predictions)), references=list(map(function, references))
        )

    def select(self, start: int, stop: int) -> "Samples":
        """Return the samples of ``[start:stop]``, as a slice of a list."""
        offsets = self.offsets[start : stop + 1]
        first, last = int(offsets[0]), int(offsets[-1])
        return Samples(
            self.predictions[start:stop],
            self.references[first:last],
            offsets - offsets[0],
            self.are_ids,
        )


def check_samples(predictions: object, references: object) -> Samples:
    """Check a batch and return its samples.

    Args:
        predictions: sequence of str, one per sample; or of sequences of token ids.
        references: sequence as long as ``predictions``; each item is one str or a non-empty
            sequence of str. Both kinds may be mixed. If the predictions are sequences of token
            ids, sequences of ids instead of str.

    Returns:
        The samples; at least one.

    Raises:
        TypeError: a container or an item has a type that cannot be scored.
        ValueError: there is no sample, the lengths differ, or a sample has no reference.

    >>> check_samples(["a", "b"], ["x", ["y", "z"]]).references
    ['x', 'y', 'z']
    """
    predictions, references = read_stream(predictions), read_stream(references)
    texts: Texts = find_arrow(predictions)
    if texts is None or not is_texts(texts):
        listed = _as_list("predictions", predictions)
        if are_ids(listed):
            return _check_id_samples(listed, _as_list("references", references))
        texts = _check_texts("predictions", listed)
    found = find_arrow_references(references)
    items = _as_list("references", references) if found is None else []
    samples = len(items) if found is None else len(found[0] if found[1] is None else found[1])
    if len(texts) != samples:
        _raise_length_error(len(texts), items or _as_list("references", references))
    if not samples:
        reason, expected = (
            "{predictions} and {references} are empty",
            "expected at least one sample.",
        )
        raise value_error(reason, expected=expected)
    reference_texts, counts = found or _flatten_references(items)
    if counts is None:
        _refuse_list_as_text(reference_texts)
        counts = np.ones(samples, dtype=np.int64)
    return Samples(texts, reference_texts, to_offsets(counts))


def check_texts(name: str, texts: object) -> tuple[list[Any], bool]:
    """Check texts that are compared with each other.

    Args:
        name: of the argument, for errors.
        texts: sequence of str, or of sequences of token ids.

    Returns:
        The texts, or tuples of ids; and whether they are ids.

    Raises:
        TypeError: the container or an item has a type that cannot be scored.
        ValueError: there is no text.
    """
    texts = read_stream(texts)
    found = find_arrow(texts)
    is_column = found is not None and is_texts(found)
    listed = list_texts(found) if is_column else _as_list(name, texts, kind="a sequence of texts")
    if not listed:
        raise ValueError(describe_value(name, "empty", "expected at least one text."))
    if are_ids(listed):
        return [check_ids(f"{name}[{index}]", ids) for index, ids in enumerate(listed)], True
    return _check_texts(name, cast("list[object]", listed)), False


def check_pair(prediction: object, references: object) -> Samples:
    """Check one prediction with its references, and return them as the only sample.

    Raises:
        TypeError: a text has a type that cannot be scored.
        ValueError: there is no reference.

    >>> check_pair("a", ["x", "y"]).references
    ['x', 'y']
    """
    if references is None or isinstance(references, bytes):
        expected = "expected a str or a sequence of str."
        raise TypeError(describe_value("references", repr(references), expected))
    try:
        return check_samples([prediction], [references])
    except (TypeError, ValueError) as error:
        rename_arguments(error, {"predictions[0]": "prediction", "references[0]": "references"})
        raise


def _check_id_samples(predictions: list[object], references: list[object]) -> Samples:
    """Check samples of token ids; the errors are the same as for ``check_samples``."""
    if len(predictions) != len(references):
        _raise_length_error(len(predictions), references)
    rows = [check_ids(f"predictions[{index}]", ids) for index, ids in enumerate(predictions)]
    by_sample = check_id_references(references)
    counts = np.fromiter(map(len, by_sample), dtype=np.int64, count=len(by_sample))
    return Samples(
        cast("Texts", rows), list(chain.from_iterable(by_sample)), to_offsets(counts), are_ids=True
    )


def concatenate_samples(batches: list[Samples]) -> Samples:
    """Join batches to one batch, in order.

    Raises:
        ValueError: some batches hold texts and others hold token ids.
    """
    if len(batches) == 1:
        return batches[0]
    if len({batch.are_ids for batch in batches}) > 1:
        raise ValueError(
            "Some of the samples are texts and others token ids; expected samples of one kind."
        )
    return Samples(
        join([batch.predictions for batch in batches]),
        join([batch.references for batch in batches]),
        to_offsets(np.concatenate([np.diff(batch.offsets) for batch in batches])),
        batches[0].are_ids,
    )


def _flatten_references(items: list[object]) -> tuple[list[str], NDArray[np.int64] | None]:
    """Return all references in one list, and how many each sample has; None if all are str."""
    if are_texts(items):
        return items, None
    if countOf(map(type, items), list) != len(items):
        _refuse_list_as_text([item if isinstance(item, str) else "" for item in items])
        # A single str becomes a list of one reference; other sequences become lists.
        items = [
            [item] if isinstance(item, str) else _as_list(f"references[{index}]", item, item=True)
            for index, item in enumerate(items)
        ]
    lists = cast("list[list[object]]", items)
    try:
        # Fast path: equals the expressions below if every sample has one reference, in a third of
        # the time.
        texts = [text for (text,) in lists]
        counts = np.ones(len(lists), dtype=np.int64)
    except ValueError:
        if [] in lists:
            place = f"references[{lists.index([])}]"
            expected = "every prediction needs at least one reference."
            raise ValueError(describe_value(place, "empty", expected)) from None
        texts = list(chain.from_iterable(lists))
        counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    if not are_texts(texts):
        for index, sample in enumerate(lists):
            _check_texts(f"references[{index}]", sample)
    return cast("list[str]", texts), counts


def _refuse_list_as_text(references: Texts) -> None:
    """Raise ValueError for a reference that is the text of a list, as pandas reads lists of CSV."""
    texts = list_texts(references) if may_have_list(references) else []
    index = find_list_as_text(texts)
    if index is None:
        return
    raise value_error(
        "{} is {!r}, which looks like a list",
        Argument(f"references[{index}]"),
        shorten(texts[index]),
        expected="expected a str or a sequence of str.",
        remedy=format_message("{}", _LIST_REMEDY),
    )


def _as_list(
    place: str, container: object, *, item: bool = False, kind: str = _PER_SAMPLE
) -> list[object]:
    """Return the items of a container as a list, in order.

    Args:
        place: name of the container, for errors, such as ``references[3]``.
        container: anything that a caller gave.
        item: whether the container is itself one item, which may also be a single text.
        kind: what is expected of a container of items.
    """
    if type(container) is list:
        return container.copy()
    expected = "a str or a sequence of str" if item else kind
    if container is None and not item:
        raise TypeError(describe_value(place, "missing", f"expected {expected}."))
    if isinstance(container, str):
        verb = "score" if kind == _PER_SAMPLE else "compare"
        remedy = f"To {verb} a single text, wrap it in a list: {{}}[text]."
        remedy = format_message(remedy, Argument(place, "="))
        raise TypeError(describe_value(place, "one str", f"expected {expected}.", remedy))
    # Data frames and data sets have columns; iterating over a data frame gives their names.
    if isinstance(container, Mapping | AbstractSet) or has_columns(container):
        shown = f"of type {type(container).__name__}, which is not a sequence of texts"
        example = "a list" if item else name_column(place, container)
        expected = format_message("expected {}, such as {}.", expected, example)
        raise TypeError(describe_value(place, shown, expected))
    if isinstance(container, bytes | bytearray) or not isinstance(container, Iterable):
        if item:
            raise TypeError(_text_error(place, container, expected))
        shown = f"of type {type(container).__name__}"
        raise TypeError(describe_value(place, shown, f"expected {expected}."))
    for method in ("to_pylist", "tolist"):  # pyarrow; NumPy and pandas
        if hasattr(container, method):
            items = getattr(container, method)()
            if isinstance(items, list):
                return items
            shown = f"a single value ({items!r})"
            raise TypeError(describe_value(place, shown, f"expected {expected}."))
    return list(container)


def _check_texts(place: str, items: list[object]) -> list[str]:
    """Return the items; raise TypeError for the first item that is not a str."""
    if are_texts(items):
        return items
    index, item = next(
        (index, item) for index, item in enumerate(items) if not isinstance(item, str)
    )
    raise TypeError(_text_error(f"{place}[{index}]", item, "a str"))


def _text_error(place: str, value: object, expected: str) -> Message:
    """Return the error message for a value that is not a text, with the remedy."""
    remedy = ""
    name = type(value).__name__
    missing = isinstance(value, float) and math.isnan(value)
    if value is None or missing or name in ("NAType", "NaTType"):
        shown = "None" if value is None else f"{value!r} ({name})"
        remedy = 'Drop the sample, or give the empty text "" to score it 0.'
    elif isinstance(value, bytes | bytearray):
        shown, remedy = name, "Decode it, as in text.decode('utf-8')."
    elif isinstance(value, Number):
        shown, remedy = f"{value!r} ({name})", "Nothing is converted to text."
    elif (items := list_items(value)) and all(isinstance(item, str) for item in items):
        shown = f"a sequence of {len(items)} str"
        remedy = format_message(
            "If these are tokens, join them with spaces and use {tokenizer='whitespace'}, or give "
            "token ids with {tokenizer='ids'}."
        )
    else:
        shown = f"of type {name}"
    return describe_value(place, shown, f"expected {expected}.", remedy)


def _raise_length_error(samples: int, reference_items: list[object]) -> None:
    """Raise ValueError because the numbers of predictions and references differ."""
    streams = len(reference_items)
    if (
        samples
        and reference_items
        and all(
            isinstance(stream, list | tuple) and len(stream) == samples
            for stream in reference_items
        )
    ):
        shown = f"transposed: it holds {streams} lists of {samples} texts, one list per reference "
        expected = f"expected {samples} lists, one list per prediction."
        remedy = format_message("Use {references=}list(zip(*{references})).")
        raise ValueError(describe_value("references", f"{shown}stream", expected, remedy))
    expected = format_message("expected one item in {references} for every prediction.")
    reason = "{predictions} has {} samples, but {references} has {}"
    raise value_error(reason, samples, streams, expected=expected)
