"""Check lists of items: texts, ids, keys, labels. Each error names the place of the first bad item.

A container is a list, tuple, generator, array, tensor or column, but no whole table. The compiled
kernel checks texts in a tenth of the time, if it is installed, whichever kernel counts.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from collections.abc import Set as AbstractSet
from numbers import Number
from typing import Any, Final, TypeGuard, cast

import numpy as np

from ..checks import find_closest
from ..messages import Argument, Message, count_noun, describe_value, format_message

try:
    from bleu_rouge_kernel import are_texts as _are_texts_compiled
    from bleu_rouge_kernel import find_suspects as _find_suspects_compiled
except ImportError:  # Not installed, or older than these functions.
    _are_texts_compiled = _find_suspects_compiled = None  # type: ignore[assignment]

INTS: Final = (int, np.integer)

# How much of a text is shown.
_MOST_SHOWN: Final = 40
# How many texts are joined at once.
_SLICE: Final = 256

# A list that contains a text, as Python, JSON, pandas and NumPy write it: nothing but texts,
# numbers, brackets, commas and the names that occur in such lists. Every character can match in
# only one way, so the time is linear.
_LIST: Final = re.compile(
    r"""\s*\[(?=[^'"]*['"])
    (?:[\s,:\[\](){}\d.-] | None | nan | null | True | False | array | dtype=object | np\.str_
      | [bBrRuU]?(?:'(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*"))*
    \]\s*\Z""",
    re.VERBOSE,
)
_ENDS: Final = ("]", " ", "\n", "\r", "\t")


def read_items(place: str, container: object, kind: str, verb: str = "") -> list[Any]:
    """Return the items of a container as a new list, in order."""
    if type(container) is list:
        return container.copy()
    expected: str = f"expected {kind}."
    remedy: str = ""
    shown = f"of type {type(container).__name__}"
    # Data frames and data sets have columns; iterating over a data frame gives their names.
    if isinstance(container, Mapping | AbstractSet) or has_columns(container):
        shown += ", which is not a sequence"
        example = name_column(place, container)
        expected = format_message("expected {}, such as {}.", kind, example)
    elif isinstance(container, str):
        shown = "one str"
        if verb:
            remedy = f"To {verb} a single text, wrap it in a list: {{}}[text]."
            remedy = format_message(remedy, Argument(place, "="))
    elif container is None:
        shown = "missing"
    elif isinstance(container, Iterable) and not isinstance(container, bytes | bytearray):
        # Columns of pyarrow; NumPy, pandas and tensors.
        read = getattr(container, "to_pylist", None) or getattr(container, "tolist", None)
        items = list(container) if read is None else read()
        if isinstance(items, list):
            return items
        shown = f"a single value ({items!r})"
    raise TypeError(describe_value(place, shown, expected, remedy))


def describe_item(place: str, item: object, kind: str) -> Message:
    """Return the error message for an item that is not of a kind."""
    return describe_value(place, repr(item), f"expected {kind}.")


def check_items(
    place: str,
    items: Iterable[object],
    types: type | tuple[type, ...],
    kind: str,
    describe: Callable[[str, object, str], Message] = describe_item,
) -> None:
    """Raise TypeError for the first item that is not of these types, or is a bool."""
    for index, item in enumerate(items):
        if isinstance(item, bool) or not isinstance(item, types):
            raise TypeError(describe(f"{place}[{index}]", item, kind))


def check_count(name: str, items: Sized, noun: str, samples: int, kind: str) -> None:
    """Raise ValueError unless there is one item per sample."""
    if len(items) != samples:
        there = f"there {'is' if samples == 1 else 'are'} {count_noun(samples, 'sample')}"
        has = Argument(name), count_noun(len(items), noun), there
        raise ValueError(format_message("{} has {}, but {}", *has, expected=f"expected {kind}."))


def describe_text(place: str, value: object, kind: str) -> Message:
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
    return describe_value(place, shown, f"expected {kind}.", remedy)


def list_items(item: object) -> list[object] | None:
    """Return the items of a list, tuple, array or tensor; None for anything else."""
    if isinstance(item, list | tuple):
        return list(item)
    if hasattr(item, "tolist"):
        items = item.tolist()
        return items if isinstance(items, list) else None
    return None


def has_columns(container: object) -> bool:
    """Return whether it is a table; iterating over it gives its rows, or names of columns."""
    return hasattr(container, "columns") or hasattr(container, "column_names")


def name_column(place: str, container: Any) -> str:
    """Return what to give in place of a whole table, for the end of an error."""
    if isinstance(container, AbstractSet) or "[" in place:
        return "a list"
    if isinstance(container, Mapping):
        for split, table in container.items():
            if has_columns(table):
                given = Argument(place, "="), split, _choose_column(place, table)
                return format_message("one column of a split: {}data[{!r}][{!r}]", *given)
    column = _choose_column(place, container)
    return format_message("one column: {}data[{!r}]", Argument(place, "="), column)


def _choose_column(place: str, container: Any) -> str:
    """Return the name of the column that is most like the argument, else of the first one."""
    columns = container
    for attribute in ("columns", "column_names"):
        columns = getattr(container, attribute, columns)
    # A streaming data set may not know its columns.
    names = [name for name in (() if columns is None else columns) if isinstance(name, str)]
    return find_closest(place, names) or next(iter(names), place)


def are_texts(items: list[object]) -> TypeGuard[list[str]]:
    """Return whether every item is a str."""
    if _are_texts_compiled is not None:
        # Fast path: equals are_texts_python(items).
        return _are_texts_compiled(items)
    return are_texts_python(items)


def are_texts_python(items: list[object]) -> TypeGuard[list[str]]:
    """Return whether every item is a str, without the compiled kernel."""
    try:
        # Fast path: equals all(isinstance(item, str) for item in items), in a quarter of the
        # time. Slices keep the joined copy small.
        for start in range(0, len(items), _SLICE):
            "".join(cast("list[str]", items[start : start + _SLICE]))
    except TypeError:
        return False
    return True


def find_suspects(texts: list[str]) -> list[int]:
    """Return the indices of texts that may be missing values or lists: short, or with a bracket."""
    if _find_suspects_compiled is not None:
        # Fast path: equals find_suspects_python(texts), in a twentieth of the time.
        return _find_suspects_compiled(texts)
    return find_suspects_python(texts)


def find_suspects_python(texts: list[str]) -> list[int]:
    """Return the same without the compiled kernel."""
    return [i for i, text in enumerate(texts) if len(text) < 5 or text.lstrip()[:1] == "["]


def find_list_as_text(texts: list[str]) -> int | None:
    """Return the index of the first text that is a list of texts, as Python or JSON writes it."""
    # Fast path: almost no text ends like a list, so almost none is matched.
    suspects = (index for index in find_suspects(texts) if texts[index][-1:] in _ENDS)
    return next((index for index in suspects if _LIST.match(texts[index])), None)


def shorten(text: str) -> str:
    """Return the start of a text, for messages."""
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
