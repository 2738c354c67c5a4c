"""Join the rows of files by their ids: which columns hold them, and which rows belong together."""

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from .columns import PREDICTION, REFERENCE
from .input import FileError, FileFormat
from .sources import Column, Source, show_path

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

# The rows of a file that belong to each sample; None if row i belongs to sample i.
_Order = list[list[int]] | None


def ask_for_ids(columns: Sequence[Column], join: str | None) -> None:
    """Ask for the columns of ids that files have in common, before the files are read.

    Args:
        columns: of predictions and references.
        join: name of the column to join by; None for those with usual names.

    Raises:
        FileError: a file has no column ``join``.
    """
    sources = list(dict.fromkeys(column.source for column in columns))
    if len(sources) > 1 and join is None and all(map(_may_begin_with_ids, sources)):
        for source in sources:
            source.drop_header()
    for column in columns:
        others = [other.names for other in columns if other.source is not column.source]
        if others and join is not None and join not in column.names:
            names = ", ".join(map(repr, column.names)) or "none"
            message = f"no column is named {join!r}; name one with --join. Columns: {names}."
            raise FileError(column.path, message)
        for names_of_other in others:
            common = {name.lower(): name for name in column.names if name in names_of_other}
            usual = [common[name] for name in _ID_NAMES if name in common]
            column.ask_ids(usual if join is None else [join])


def _may_begin_with_ids(source: Source) -> bool:
    """Return whether lines are plain text, or TSV whose header names no known column."""
    choices = [PREDICTION, REFERENCE, *(column.choice for column in source.columns)]
    known = {name for one in choices for name in (one.name, *one.defaults, *one.others)}
    names = (source.rows and source.rows.names) or ()
    is_tsv = source.file.format is FileFormat.TSV
    return source.is_text or (is_tsv and len(names) > 1 and known.isdisjoint(names))


def join_rows(
    columns: Sequence[Column], labels: Iterable[Column], *, is_named: bool, no_join: bool
) -> None:
    """Put the rows of all files in the order of the first file that has ids.

    Args:
        columns: of the predictions and the references.
        labels: of which there is one per row, also if several references belong to a sample.
        is_named: whether the user named the column of ids.
        no_join: whether row i of every file belongs to sample i.

    Raises:
        FileError: an id is missing in one file, or not clear.
    """
    dropped = next((column for column in columns if column.source.header), None)
    if not no_join and len(columns) > 1 and all(column.source.is_text for column in columns):
        _split_ids(columns, is_needed=dropped is not None)
    if dropped is not None and not columns[0].ids:
        dropped.choice.choose(dropped.source.file, dropped.source.header, 1)
    # References before the predictions of further systems.
    ordered = [columns[0], *sorted(columns[1:], key=lambda column: not column.choice.allows_lists)]
    base = next((column for column in ordered if column.ids), columns[0])
    orders: dict[int, _Order] = {}
    for column in columns:
        key = id(column.table or column.source)
        if column.source is not base.source and key not in orders:
            orders[key] = _match_rows(base, column, is_named=is_named)
        order = orders.get(key)
        if order is None and column.choice.allows_lists:
            order = _group_references(column, len(columns[0].counts))
        if order is not None:
            column.take(order)
    for label in labels:
        order = orders.get(id(label.table or label.source))
        if order is not None:
            label.take([rows[:1] for rows in order])


def _match_rows(base: Column, other: Column, *, is_named: bool) -> _Order:
    """Return the order of another file; several rows may belong to one if they are references."""
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
        is_unique = len({*ours}) == len(ours)
        if ours == theirs and (is_unique or name == keys[-1][0]):
            return None
        if len({*theirs}) == len(theirs) or (other.choice.allows_lists and is_unique):
            return _match(name, base, other, ours, theirs)
        if ours != theirs and repeated is None:
            (twice, _), *_ = Counter(theirs).most_common(1)
            message = (
                f"the {name} {twice} occurs more than once, and the order of ids is not that of "
                f"{show_path(base.path)}; {_NO_JOIN}."
            )
            repeated = FileError(other.path, message)
    if repeated is not None:
        raise repeated
    return None


def _pair(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the values of several columns of ids as one."""
    return [" and ".join(row) for row in zip(*columns, strict=True)]


def _to_keys(ids: Iterable[Any]) -> list[str] | None:
    """Return ids as texts, since CSV has no ints; None if a value is not an id."""
    keys = []
    for value in ids:
        if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
            return None
        keys.append(str(value))
    return keys


def _match(
    name: str, base: Column, other: Column, ours: Sequence[str], theirs: Sequence[str]
) -> list[list[int]]:
    """Return the rows of the other file for each id; raise FileError if one is missing."""
    rows: dict[str, list[int]] = {}
    for row, key in enumerate(theirs):
        rows.setdefault(key, []).append(row)
    base_path, path = show_path(base.path), show_path(other.path)
    _check_ids(name, ours, rows, other.path, base_path)
    is_open = other.table is not None and other.table.is_open
    known = dict.fromkeys(ours)
    if not is_open:
        _check_ids(name, rows, known, base.path, path)
    message = ""
    if len(rows) > len(known):
        message = f"{len(rows) - len(known):,} of {len(rows):,} {name}s are left out, because "
        message += f"{base_path} does not have them."
    elif len(rows) == len(theirs) == len(ours):
        message = f"rows are joined by {name!r}, whose order differs from that in {base_path}."
    if message:
        warnings.warn(f"{path}: {message}", UserWarning, stacklevel=2)
    return [rows[key] for key in ours]


def _check_ids(
    name: str, expected: Iterable[str], given: Mapping[str, Any], path: str, other: str
) -> None:
    """Raise FileError if the file ``path`` lacks an id of another."""
    missing = next((key for key in expected if key not in given), None)
    if missing is not None:
        message = f"no row has the {name} {missing}, which {other} has; {_NO_JOIN}."
        raise FileError(path, message)


def _split_ids(columns: Sequence[Column], *, is_needed: bool) -> None:
    r"""Take ids off lines of plain text, ``id<TAB>text``, if all files have the same.

    If they are not needed for a file of TSV without a header, ids of which some are missing are
    numbers.
    """
    if not all(column.texts and "\t" in column.texts[0] for column in columns):
        return
    split = [[text.partition("\t") for text in column.texts] for column in columns]
    keys = [[key for key, _, _ in rows] for rows in split]
    first = {*keys[0]}
    for own in keys:
        common = len(first & {*own})
        is_numbered = common == len(first) == len(own) or (
            common > _COMMON * len(own) and (is_needed or all(key.isdigit() for key in own))
        )
        is_short = all(len(key) <= _LONGEST_ID for key in own)
        if len({*own}) != len(own) or not is_short or not is_numbered:
            return
    for column, rows, own in zip(columns, split, keys, strict=True):
        column.texts = [text for _, _, text in rows]
        column.ids = {"id": own}


def _group_references(column: Column, samples: int) -> _Order:
    """Return the rows of groups that blank lines separate, if there is one for each sample."""
    if not column.source.is_text or len(column.texts) == samples:
        return None
    is_text = [bool(text.strip()) for text in column.texts]
    groups = [
        list(rows) for full, rows in groupby(range(len(is_text)), is_text.__getitem__) if full
    ]
    if len(groups) != samples or all(is_text):
        return None
    message = f"blank lines separate the references of {samples:,} samples."
    warnings.warn(f"{show_path(column.path)}: {message}", UserWarning, stacklevel=2)
    return groups
