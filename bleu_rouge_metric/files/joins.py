"""Join the rows of files by their ids: which columns hold them, and which rows belong together."""

import warnings
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from .input import STDIN, FileError

# Names of columns by which rows are joined, in the order in which they are looked for.
_ID_NAMES: Final = (
    *("id", "doc_id", "docid", "document_id", "image_id", "segment_id", "seg_id", "segment"),
    *("sample_id", "qid", "question_id", "query_id", "idx", "index", "example_id", "instance_id"),
    *("task_id", "article_id", "video_id", "guid", "uid", "uuid", "_id"),
)
_NO_JOIN: Final = "use --no-join to compare row by row, or --join to name another column"

# Of plain text: an id before the first tab is no longer.
_LONGEST_ID: Final = 64
# The share of ids that two files must have in common to be taken for ids.
_COMMON: Final = 0.5


class Column(NamedTuple):
    """The texts of one file.

    Attributes:
        path: path of the file.
        texts: texts of all rows, one row after the other.
        counts: how many texts each row has, at least 1.
        last_line: number of the last line that was read; None if the file has no lines.
        ids: values of columns with ids, by the names of the columns, one per row.
        is_open: whether rows may be left out, because another file has fewer.
        is_plain: whether each row is a line of text, which may begin with an id and a tab.
    """

    path: str
    texts: list[str]
    counts: "array[int]"
    last_line: int | None
    ids: Mapping[str, Sequence[Any]] = {}
    is_open: bool = False
    is_plain: bool = False

    def take(self, groups: Sequence[Sequence[int]]) -> "Column":
        """Return the column with rows that are each made of the texts of some of its rows."""
        starts = [0]
        for count in self.counts:
            starts.append(starts[-1] + count)
        counts = array("q", (sum(self.counts[row] for row in rows) for rows in groups))
        texts = [
            text
            for rows in groups
            for row in rows
            for text in self.texts[starts[row] : starts[row + 1]]
        ]
        return self._replace(texts=texts, counts=counts)


def find_ids(names: Sequence[str], others: Sequence[str], join: str | None) -> list[str]:
    """Return the columns of ids that two files have in common.

    Args:
        names: of the columns of one file.
        others: of the columns of the other file.
        join: name of the column to join by; None for those with usual names.
    """
    if join is not None:
        return [join] if join in names and join in others else []
    common = {name.lower(): name for name in names if name in others}
    return [common[name] for name in _ID_NAMES if name in common]


def match_rows(
    base: Column, other: Column, *, is_named: bool, allows_groups: bool
) -> list[list[int]] | None:
    """Find the rows of a file that belong to each row of another.

    Args:
        base: the file whose order stays.
        other: the file whose rows are ordered.
        is_named: whether the user named the column of ids.
        allows_groups: whether several rows may belong to one: whether these are references.

    Returns:
        Of each row of ``base`` the numbers of rows of ``other``; None if the files have no ids in
        common, or have the same ids in the same order.

    Raises:
        FileError: an id is missing in one file, or not clear.
    """
    names = [name for name in base.ids if name in other.ids]
    keys = [(name, _to_keys(base.ids[name]), _to_keys(other.ids[name])) for name in names]
    if len(keys) > 1 and all(ours and theirs for _, ours, theirs in keys):
        # Segments are often numbered within documents.
        together = _pair([key[1] or [] for key in keys]), _pair([key[2] or [] for key in keys])
        keys.append((" and ".join(names), *together))
    repeated: FileError | None = None
    for name, ours, theirs in keys:
        if ours is None or theirs is None:
            if is_named:
                message = f"{name!r} has values that are no ids; expected texts or ints."
                raise FileError((base if ours is None else other).path, message)
            continue
        is_last = name == keys[-1][0]
        if ours == theirs and (is_last or len({*ours}) == len(ours)):
            return None
        if len({*theirs}) == len(theirs) or (allows_groups and len({*ours}) == len(ours)):
            return _match(name, base, other, ours, theirs)
        if ours != theirs and repeated is None:
            message = (
                f"the {name} {_find_repeated(theirs)} occurs more than once, and the order of ids "
                f"is not that of {show_path(base.path)}; {_NO_JOIN}."
            )
            repeated = FileError(other.path, message)
    if repeated is not None:
        raise repeated
    return None


def _pair(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the values of several columns of ids as one."""
    return [" and ".join(row) for row in zip(*columns, strict=True)]


def _match(
    name: str, base: Column, other: Column, ours: Sequence[str], theirs: Sequence[str]
) -> list[list[int]]:
    """Return the rows of the other file for each id; raise FileError if one is missing."""
    rows: dict[str, list[int]] = {}
    for row, key in enumerate(theirs):
        rows.setdefault(key, []).append(row)
    known = {*ours}
    missing = next((key for key in ours if key not in rows), None)
    if missing is not None:
        message = f"no row has the {name} {missing}, which {show_path(base.path)} has; {_NO_JOIN}."
        raise FileError(other.path, message)
    more = next((key for key in theirs if key not in known), None)
    if more is not None and not other.is_open:
        message = f"no row has the {name} {more}, which {show_path(other.path)} has; {_NO_JOIN}."
        raise FileError(base.path, message)
    place = f"{show_path(other.path)}: "
    if more is not None:
        message = f"{len(rows) - len(known):,} of {len(rows):,} {name}s are left out, because "
        message += f"{show_path(base.path)} does not have them."
        warnings.warn(place + message, UserWarning, stacklevel=2)
    elif len(rows) == len(theirs) == len(ours):
        message = f"rows are joined by {name!r}, whose order differs from that in "
        warnings.warn(f"{place}{message}{show_path(base.path)}.", UserWarning, stacklevel=2)
    return [rows[key] for key in ours]


def _to_keys(ids: Iterable[Any]) -> list[str] | None:
    """Return ids as texts, since CSV has no ints; None if a value is not an id."""
    keys = []
    for value in ids:
        if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
            return None
        keys.append(str(value))
    return keys


def _find_repeated(keys: Iterable[str]) -> str:
    """Return the first key that occurs for the second time."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return ""


def split_ids(columns: Sequence[Column], *, is_needed: bool) -> list[Column]:
    r"""Take ids off lines of plain text, ``id<TAB>text``, if all files have the same.

    Args:
        columns: of all files of plain text; at least two.
        is_needed: whether the lines must begin with ids.

    Returns:
        The columns with the texts and ids; unchanged if the lines do not begin with ids.

    Raises:
        FileError: most ids are in both files, but one is missing.
    """
    if not all(column.texts and "\t" in column.texts[0] for column in columns):
        return list(columns)
    split = [[text.partition("\t") for text in column.texts] for column in columns]
    keys = [[key for key, _, _ in rows] for rows in split]
    first = {*keys[0]}
    for own in keys:
        is_unique = len({*own}) == len(own)
        is_short = all(len(key) <= _LONGEST_ID for key in own)
        common = len(first & {*own})
        is_numbered = common == len(first) == len(own) or (
            common > _COMMON * len(own) and (is_needed or all(key.isdigit() for key in own))
        )
        if not (is_unique and is_short and is_numbered):
            return list(columns)
    return [
        column._replace(texts=[text for _, _, text in rows], ids={"id": own})
        for column, rows, own in zip(columns, split, keys, strict=True)
    ]


def group_references(column: Column, samples: int) -> Column:
    """Return references in groups that blank lines separate, if there is one for each sample."""
    if not column.is_plain or len(column.texts) == samples:
        return column
    groups = [
        list(rows)
        for is_text, rows in groupby(
            range(len(column.texts)), lambda row: bool(column.texts[row].strip())
        )
        if is_text
    ]
    if len(groups) != samples or all(text.strip() for text in column.texts):
        return column
    message = f"blank lines separate the references of {samples:,} samples."
    warnings.warn(f"{show_path(column.path)}: {message}", UserWarning, stacklevel=2)
    return column.take(groups)


def show_path(path: str) -> str:
    """Return a path for a message."""
    return "<stdin>" if path == STDIN else path
