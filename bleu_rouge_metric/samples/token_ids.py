"""Check sequences of token ids, so that a model's output is scored without its tokenizer.

The ids are the tokens; the separator is the id between two sentences.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from numbers import Number
from typing import Final, NamedTuple, TypeGuard, cast

from ..messages import Argument, describe_value, format_message, value_error
from .items import INTS, check_items, describe_item, list_items

Ids = tuple[int, ...]

# The tokenizer name that means that the samples are token ids already.
IDS: Final = "ids"

# The kernels count int64.
_LARGEST_ID: Final = (1 << 63) - 1


class IdRules(NamedTuple):
    """Which ids are tokens of a text.

    Attributes:
        ignored: ids that are dropped everywhere.
        ends: ids that end a text. They are dropped at its start, because some models repeat them
            there.
        separator: id between two sentences; None if there is none.
    """

    ignored: AbstractSet[int]
    ends: AbstractSet[int] = frozenset()
    separator: int | None = None

    def strip(self, ids: Iterable[int]) -> list[int]:
        """Return the ids that are tokens or separate sentences."""
        kept = [number for number in ids if number not in self.ignored]
        if not self.ends:
            return kept
        places = range(len(kept))
        start = next((place for place in places if kept[place] not in self.ends), len(kept))
        stop = next((place for place in places[start:] if kept[place] in self.ends), len(kept))
        return kept[start:stop]

    def keep(self, ids: Iterable[int], place: str) -> Ids:
        """Strip ids as ``strip`` does, and check them; ``place`` names the ids in errors."""
        kept = self.strip(ids)
        if kept and min(kept) < 0:
            raise value_error(
                "{} has the id {}",
                *(Argument(place), min(kept)),
                expected=format_message(
                    "expected ids of at least 0, or one that {ignore_index} or {pad} names."
                ),
            )
        if kept and max(kept) > _LARGEST_ID:
            expected = "expected ids of less than 2 ** 63."
            raise value_error("{} has the id {}", Argument(place), max(kept), expected=expected)
        return tuple(kept)


def make_id_rules(
    ignore_index: object, pad: object = None, eos: object = None, separator: object = None
) -> IdRules:
    """Return the rules of the options with these names; ``pad`` and ``eos`` may be sequences."""
    if separator is not None:
        separator = _check_id("separator", separator, "an int, the id between sentences")
    ignored, ends = to_ids("pad", pad), to_ids("eos", eos)
    index = _check_id("ignore_index", ignore_index, "an int")
    if separator in {index, *ignored, *ends}:
        raise value_error(
            "{separator} is {}, which is {ignore_index}, {pad} or {eos} too",
            separator,
            expected="expected an id of its own.",
        )
    # An id may be both ``pad`` and ``eos``; then it counts as an end.
    return IdRules(frozenset({index, *ignored}) - set(ends), frozenset(ends), separator)


def to_ids(name: str, value: object) -> tuple[int, ...]:
    """Return the ids of an option: none, one or several."""
    if value is None:
        return ()
    kind = "an int or a sequence of ints"
    items = list_items(value)
    if items is None:
        return (_check_id(name, value, kind),)
    check_items(name, items, INTS, kind)
    return tuple(map(int, cast("list[int]", items)))


def _check_id(name: str, value: object, kind: str) -> int:
    """Return the id; raise TypeError if it is not an int."""
    if not _is_id(value):
        raise TypeError(describe_item(name, value, kind))
    return int(value)


def _is_id(value: object) -> TypeGuard[int]:
    return isinstance(value, INTS) and not isinstance(value, bool)


def are_ids(items: Sequence[object]) -> bool:
    """Return whether items are sequences of ids: the first non-empty one begins with an int.

    >>> are_ids([[], [7, 8]]), are_ids(["7 8"]), are_ids([["7"]])
    (True, False, False)
    """
    for numbers in map(list_items, items):
        if numbers is None:
            return False
        if numbers:
            return _is_id(numbers[0])
    return bool(items)


def check_ids(place: str, item: object) -> Ids:
    """Return one sequence of ids; ``place`` names it in errors."""
    numbers = list_items(item)
    if numbers is None:
        shown = repr(item) if isinstance(item, Number) else f"of type {type(item).__name__}"
        raise TypeError(describe_value(place, shown, "expected a sequence of int ids."))
    # Fast path: equals the lines below if every item is a Python int, in a tenth of the time.
    if not set(map(type, numbers)) <= {int}:
        check_items(place, numbers, INTS, "an int, the id of a token")
        numbers = list(map(int, cast("list[int]", numbers)))
    return tuple(cast("list[int]", numbers))


def check_id_references(items: Sequence[object]) -> list[list[Ids]]:
    """Return the references of every sample: each has one sequence of ids, or several."""
    parts_of = list(map(_list_sequences, items))
    has_several = any(parts_of)
    found = []
    for index, (item, parts) in enumerate(zip(items, parts_of, strict=True)):
        place = f"references[{index}]"
        if parts:
            found.append([check_ids(f"{place}[{i}]", part) for i, part in enumerate(parts)])
            continue
        ids = check_ids(place, item)
        if not ids and has_several:
            # It may be a reference without tokens, or a sample without references.
            expected = "every prediction needs at least one reference."
            remedy = "A reference without tokens is [[]]."
            raise ValueError(describe_value(place, "empty", expected, remedy))
        found.append([ids])
    return found


def _list_sequences(item: object) -> list[object]:
    """Return the items of a sequence of sequences; none for anything else."""
    parts = list_items(item)
    return parts if parts and list_items(parts[0]) is not None else []


def to_id_option(name: str, value: object) -> int | tuple[int, ...] | None:
    """Return the id, or several as a tuple; None if there is none."""
    ids = to_ids(name, value)
    return (ids if len(ids) > 1 else ids[0]) if ids else None
