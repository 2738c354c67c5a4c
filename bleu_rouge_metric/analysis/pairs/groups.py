"""Check groups of texts, such as the candidates for one input each.

Any sequence of sequences is accepted: lists, arrays, Series of lists, Arrow columns of lists and
columns of a ``datasets.Dataset``. Errors name a text by its group and its place: ``groups[3][1]``.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, compress, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import to_offsets
from ...counting.pools import Ints
from ...families.score import Floats
from ...messages import (
    Argument,
    describe_value,
    format_message,
    get_message,
    rename_arguments,
    type_error,
    value_error,
)
from ...samples.arrow_texts import read_stream
from ...samples.inputs import check_texts
from ...samples.items import read_items
from ...samples.token_ids import are_ids

# An argument whose name has the index of an item.
_INDEXED: Final = re.compile(r"((\w+)\[(\d+)\])")


class Groups(NamedTuple):
    """Checked groups of texts, or of tuples of token ids.

    The texts of group ``i`` are ``texts[offsets[i]:offsets[i + 1]]``.
    """

    texts: list[Any]
    offsets: Ints
    are_ids: bool

    @property
    def n_groups(self) -> int:
        """Return the number of groups."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Ints:
        """Return the number of texts of each group."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> Ints:
        """Return the group of each text."""
        return np.repeat(np.arange(self.n_groups), self.sizes)

    def select(self, is_kept: NDArray[np.bool_]) -> "Groups":
        """Return the groups with some of their texts."""
        texts = list(compress(self.texts, is_kept.tolist()))
        return Groups(texts, to_offsets(is_kept.astype(np.int64))[self.offsets], self.are_ids)

    def split(self, values: Floats) -> list[Floats]:
        """Return the values of each group, from one value per text."""
        return [values[start:stop] for start, stop in pairwise(self.offsets.tolist())]

    def take(self, index: Ints) -> list[Any]:
        """Return one text per group, from its index in the group."""
        return [self.texts[place] for place in (self.offsets[:-1] + index).tolist()]

    @contextmanager
    def name_places(self, given: str, name: str) -> Iterator[None]:
        """Write the name, the group and the place of a text into errors about ``given[index]``."""
        try:
            yield
        except (TypeError, ValueError) as error:
            names = {given: name}
            place = _INDEXED.match(getattr(get_message(error), "argument", None) or "")
            if place is not None and place[2] == given:
                index = int(place[3])
                group = int(np.searchsorted(self.offsets, index, side="right")) - 1
                names = {place[1]: f"{name}[{group}][{index - int(self.offsets[group])}]"}
            rename_arguments(error, names)
            raise


def check_groups(name: str, groups: object) -> Groups:
    """Check the groups of an argument: at least one, and each has at least one text."""
    kind = "a sequence of groups, each a sequence of texts"
    items = read_items(name, read_stream(groups), kind)
    if not items:
        raise ValueError(describe_value(name, "empty", "expected at least one group of texts."))
    lists = [
        group if type(group) is list else _list_group(name, index, group)
        for index, group in enumerate(items)
    ]
    if [] in lists:
        place = f"{name}[{lists.index([])}]"
        raise ValueError(
            describe_value(place, "empty", "expected at least one text in each group.")
        )
    if are_ids(lists):
        raise _refuse_text(name, 0, "one sequence of token ids")
    flat = list(chain.from_iterable(lists))
    sizes = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    checked = Groups(flat, to_offsets(sizes), are_ids=False)
    with checked.name_places(name, name):
        texts, has_ids = check_texts(name, flat)
    return checked._replace(texts=texts, are_ids=has_ids)


def check_same_count(name: str, count: int, groups: int) -> None:
    """Raise ValueError unless an argument has as many items as there are groups."""
    if count != groups:
        raise value_error(
            "{groups} has {} groups, but {} has {}",
            *(groups, Argument(name), count),
            expected=format_message("expected one item in {} for every group.", Argument(name)),
        )


def check_comparable(name: str, groups: Groups, least: int = 2) -> None:
    """Raise an error for token ids or too few texts; ``{}`` in the name is the index of a group."""
    if groups.are_ids:
        place = Argument(name.removesuffix("[{}]"))
        remedy = "Decode the ids."
        raise type_error("{} has token ids", place, expected="expected texts.", remedy=remedy)
    too_small = np.flatnonzero(groups.sizes < least)
    if len(too_small):
        expected = "expected at least two, which are compared with each other."
        raise value_error("{} has one text", Argument(name.format(too_small[0])), expected=expected)


def _list_group(name: str, index: int, group: object) -> list[Any]:
    if isinstance(group, str):
        raise _refuse_text(name, index, "one str")
    return read_items(f"{name}[{index}]", group, "a sequence of texts")


def _refuse_text(name: str, index: int, shown: str) -> TypeError:
    """Return the error for a text in place of a group."""
    remedy = format_message(
        "If these are the texts of one group, wrap them: {}[texts].", Argument(name, "=")
    )
    expected = "expected a sequence of texts."
    return TypeError(describe_value(f"{name}[{index}]", shown, expected, remedy))
