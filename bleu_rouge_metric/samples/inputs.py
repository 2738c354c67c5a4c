"""Check predictions and references of every accepted shape, and flatten them to lists of str.

Any sequence is accepted: list, tuple, generator, NumPy array, pandas Series with any index,
``datasets`` column (also of a streaming data set), pyarrow array. Items may be sequences of token
ids instead of texts. Anything that cannot be scored raises an error that says which item it is,
before any work. Nothing is turned into text by ``str()``.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import countOf
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..messages import (
    Argument,
    PythonOnly,
    count_noun,
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
from .items import are_texts, check_items, describe_text, find_list_as_text, read_items, shorten
from .token_ids import are_ids, check_id_references, check_ids

Texts = list[str] | ArrowTexts

_NO_REFERENCE: Final = "every prediction needs at least one reference."
_REFERENCES: Final = "a str or a sequence of str"
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


def check_samples(predictions: object, references: object, *, of_ids: bool = False) -> Samples:
    """Check a batch and return its samples."""
    predictions, references = read_stream(predictions), read_stream(references)
    texts: Texts = find_arrow(predictions)
    if texts is None or not is_texts(texts):
        listed = _read_column("predictions", predictions)
        if are_ids(listed) or (of_ids and listed and not isinstance(listed[0], str)):
            return _check_id_samples(listed, _read_column("references", references))
        texts = _check_strings("predictions", listed)
    found = find_arrow_references(references)
    items = _read_column("references", references) if found is None else []
    samples = len(items) if found is None else len(found[0] if found[1] is None else found[1])
    if len(texts) != samples:
        _raise_length_error(len(texts), items or _read_column("references", references))
    if not samples:
        reason = "{predictions} and {references} are empty"
        raise value_error(reason, expected="expected at least one sample.")
    reference_texts, counts = found or _flatten_references(items)
    if counts is None:
        _refuse_list_as_text(reference_texts)
        counts = np.ones(samples, dtype=np.int64)
    return Samples(texts, reference_texts, to_offsets(counts))


def check_texts(name: str, texts: object) -> tuple[list[Any], bool]:
    """Return texts that are compared with each other, or tuples of ids, and whether these are."""
    texts = read_stream(texts)
    found = find_arrow(texts)
    if found is not None and is_texts(found):
        listed: list[Any] = list_texts(found)
    else:
        listed = read_items(name, texts, "a sequence of texts", "compare")
    if not listed:
        raise ValueError(describe_value(name, "empty", "expected at least one text."))
    if are_ids(listed):
        return [check_ids(f"{name}[{index}]", ids) for index, ids in enumerate(listed)], True
    return _check_strings(name, listed), False


def check_pair(prediction: object, references: object, *, of_ids: bool = False) -> Samples:
    """Check one prediction with its references, and return them as the only sample."""
    if references is None or isinstance(references, bytes):
        raise TypeError(describe_value("references", repr(references), f"expected {_REFERENCES}."))
    try:
        return check_samples([prediction], [references], of_ids=of_ids)
    except (TypeError, ValueError) as error:
        rename_arguments(error, {"predictions[0]": "prediction", "references[0]": "references"})
        raise


def concatenate_samples(batches: list[Samples]) -> Samples:
    """Join batches to one batch, in order."""
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


def _read_column(name: str, column: object) -> list[Any]:
    """Return the predictions, or the references, as a list."""
    return read_items(name, column, "a sequence with one item per sample", "score")


def _check_strings(place: str, items: list[Any]) -> list[str]:
    """Return the items; raise TypeError for the first item that is not a str."""
    if not are_texts(items):
        check_items(place, items, str, "a str", describe_text)
    return items


def _check_id_samples(predictions: list[object], references: list[object]) -> Samples:
    """Return samples of token ids; the errors are the same as for ``check_samples``."""
    if len(predictions) != len(references):
        _raise_length_error(len(predictions), references)
    rows = [check_ids(f"predictions[{index}]", ids) for index, ids in enumerate(predictions)]
    by_sample = check_id_references(references)
    counts = np.fromiter(map(len, by_sample), dtype=np.int64, count=len(by_sample))
    texts = list(chain.from_iterable(by_sample))
    return Samples(cast("Texts", rows), texts, to_offsets(counts), are_ids=True)


def _flatten_references(items: list[object]) -> tuple[list[str], NDArray[np.int64] | None]:
    """Return all references in one list, and how many each sample has; None if all are str."""
    if are_texts(items):
        return items, None
    if countOf(map(type, items), list) != len(items):
        _refuse_list_as_text([item if isinstance(item, str) else "" for item in items])
        items = [_list_references(index, item) for index, item in enumerate(items)]
    lists = cast("list[list[object]]", items)
    try:
        # Fast path: equals the expressions below if every sample has one reference, in a third of
        # the time.
        texts = [text for (text,) in lists]
        counts = np.ones(len(lists), dtype=np.int64)
    except ValueError:
        if [] in lists:
            place = f"references[{lists.index([])}]"
            raise ValueError(describe_value(place, "empty", _NO_REFERENCE)) from None
        texts = list(chain.from_iterable(lists))
        counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    if not are_texts(texts):
        for index, sample in enumerate(lists):
            _check_strings(f"references[{index}]", sample)
    return cast("list[str]", texts), counts


def _list_references(index: int, item: object) -> list[Any]:
    """Return the references of one sample as a list: one for a str."""
    if isinstance(item, str):
        return [item]
    place = f"references[{index}]"
    if isinstance(item, bytes | bytearray) or not isinstance(item, Iterable):
        raise TypeError(describe_text(place, item, _REFERENCES))
    return read_items(place, item, _REFERENCES)


def _refuse_list_as_text(references: Texts) -> None:
    """Raise ValueError for a reference that is the text of a list, as pandas reads lists of CSV."""
    texts = list_texts(references) if may_have_list(references) else []
    index = find_list_as_text(texts)
    if index is None:
        return
    raise value_error(
        "{} is {!r}, which looks like a list",
        *(Argument(f"references[{index}]"), shorten(texts[index])),
        expected=f"expected {_REFERENCES}.",
        remedy=format_message("{}", _LIST_REMEDY),
    )


def _raise_length_error(samples: int, items: list[object]) -> None:
    """Raise ValueError because the numbers of predictions and references differ."""
    lists = [item for item in items if isinstance(item, list | tuple) and len(item) == samples]
    is_transposed = bool(samples and items) and len(lists) == len(items)
    streams = f"{count_noun(len(items), 'list')} of {count_noun(samples, 'text')}"
    transpose = format_message("{references=}list(zip(*{references}))")
    if is_transposed and len(items) < samples:
        shown = f"transposed: it holds {streams}, one list per reference stream"
        expected = f"expected {count_noun(samples, 'list')}, one list per prediction."
        remedy = format_message("Use {}.", transpose)
        raise ValueError(describe_value("references", shown, expected, remedy))
    expected = format_message("expected one item in {references} for every prediction.")
    remedy = format_message("")
    if is_transposed:
        # Both readings are possible: each sample has as many references as there are predictions.
        remedy = format_message(
            "Give the missing {predictions}; or, if the {} are one list per reference stream, "
            "use {}.",
            streams,
            transpose,
        )
    counts = count_noun(samples, "sample"), len(items)
    reason = "{predictions} has {}, but {references} has {}"
    raise value_error(reason, *counts, expected=expected, remedy=remedy)
