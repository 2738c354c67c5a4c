"""Join the rows of files by their ids: which columns hold them, and which rows belong together."""

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, permutations
from typing import Final

from .input import FileError, FileFormat
from .sources import Column, FileOptions, show_path

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


def ask_for_ids(columns: Sequence[Column], options: FileOptions) -> None:
    """Ask for the columns of ids that files have in common, before the files are read."""
    join = options.get("join")
    sources = list(dict.fromkeys(column.source for column in columns))
    if options.get("no_join") or len({source.path for source in sources}) == 1:
        return
    for source in sources:
        if join is None:
            source.drop_header()
        elif join not in source.names:
            names = ", ".join(map(repr, source.names)) or "none"
            message = f"no column is named {join!r}; name one with --join. Columns: {names}."
            raise FileError(source.path, message)
    for source, other in permutations(sources, 2):
        common = {name.lower(): name for name in source.names if name in other.names}
        usual = [common[name] for name in _ID_NAMES if name in common]
        if source.path != other.path:
            wanted = usual if join is None else [join]
            # Other programs have the column of their ids first.
            ordered = filter(wanted.__contains__, source.names) if source.rows.program else wanted
            source.ids |= {name: [] for name in ordered}


def join_rows(columns: Sequence[Column], labels: Iterable[Column], options: FileOptions) -> None:
    """Put the rows of all files, and their labels, in the order of the first file that has ids."""
    dropped = next((column for column in columns if column.source.header), None)
    if not options.get("no_join") and all(column.source.is_text for column in columns):
        _split_ids(columns, is_needed=dropped is not None)
    if dropped is not None and not columns[0].ids:
        dropped.choice.choose(
            dropped.source.rows.file._replace(format=FileFormat.TSV), dropped.source.header, 1
        )
    # References before the predictions of further systems.
    ordered = [columns[0], *sorted(columns[1:], key=lambda column: not column.choice.allows_lists)]
    base = next((column for column in ordered if column.ids), columns[0])
    orders: dict[int, _Order] = {}
    for column in columns:
        key = id(column.source)
        if column.source.path != base.source.path and key not in orders:
            orders[key] = _match_rows(base, column, is_named=options.get("join") is not None)
        order = orders.get(key)
        if order is None and column.choice.allows_lists:
            order = _group_references(column, len(columns[0].counts))
        if order is not None:
            column.take(order)
    for label in labels:
        order = orders.get(id(label.source))
        if order is not None:
            label.take([rows[:1] for rows in order])


def _match_rows(base: Column, other: Column, *, is_named: bool) -> _Order:
    """Return the order of another file; several rows may belong to one if they are references."""
    names = [name for name in base.ids if name in other.ids]
    # Segments are often numbered within documents: the last candidate is all columns together.
    candidates = [[name] for name in names] + [names] * (len(names) > 1)
    repeated: FileError | None = None
    for candidate in candidates:
        name = " and ".join(candidate)
        ours, theirs = _to_keys(base, candidate), _to_keys(other, candidate)
        if ours is None or theirs is None:
            if is_named:
                message = f"{name!r} has values that are no ids; expected texts or ints."
                raise FileError((base if ours is None else other).source.path, message)
            continue
        is_unique = len({*ours}) == len(ours)
        if ours == theirs and (is_unique or candidate is candidates[-1]):
            return None
        if len({*theirs}) == len(theirs) or (other.choice.allows_lists and is_unique):
            return _match(name, base, other, ours, theirs)
        if ours != theirs and repeated is None:
            (twice, _), *_ = Counter(theirs).most_common(1)
            message = (
                f"the {name} {twice} occurs more than once, and the order of ids is not that of "
                f"{show_path(base.source.path)}; {_NO_JOIN}."
            )
            repeated = FileError(other.source.path, message)
    if repeated is not None:
        raise repeated
    return None


def _to_keys(column: Column, names: Sequence[str]) -> list[str] | None:
    """Return the ids of all rows as texts, since CSV has no ints; None if a value is not an id."""
    rows = list(zip(*(column.ids[name] for name in names), strict=True))
    values = chain.from_iterable(rows)
    if any(type(value) not in (int, str) or value == "" for value in values):
        return None
    return [" and ".join(map(str, row)) for row in rows]


def _match(
    name: str, base: Column, other: Column, ours: Sequence[str], theirs: Sequence[str]
) -> list[list[int]]:
    """Return the rows of the other file for each id; raise FileError if one is missing."""
    rows: dict[str, list[int]] = {}
    for row, key in enumerate(theirs):
        rows.setdefault(key, []).append(row)
    known = dict.fromkeys(ours)
    base_path, path = base.source.path, other.source.path
    for keys, given, lacking, having in (
        (known, rows, path, base_path),
        (() if other.source.rows.is_open else rows, known, base_path, path),
    ):
        missing = next((key for key in keys if key not in given), None)
        if missing is not None:
            message = f"no row has the {name} {missing}, which {show_path(having)} has; {_NO_JOIN}."
            raise FileError(lacking, message)
    message = ""
    if len(rows) > len(known):
        message = f"{len(rows) - len(known):,} of {len(rows):,} {name}s are left out, because "
        message += f"{show_path(base_path)} does not have them."
    elif len(rows) == len(theirs) == len(ours):
        message = f"rows are joined by {name!r}, whose order differs from that in "
        message += f"{show_path(base_path)}."
    if message:
        warnings.warn(f"{show_path(path)}: {message}", UserWarning, stacklevel=2)
    return [rows[key] for key in ours]


def _split_ids(columns: Sequence[Column], *, is_needed: bool) -> None:
    """Take ids off lines of plain text, ``id<TAB>text``, if all files have the same.

    If some are missing, they are numbers, or needed for a file of TSV without a header.
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
    by_kind = groupby(range(len(is_text)), is_text.__getitem__)
    groups = [list(rows) for full, rows in by_kind if full]
    if len(groups) != samples or all(is_text):
        return None
    message = f"blank lines separate the references of {samples:,} samples."
    warnings.warn(f"{show_path(column.source.path)}: {message}", UserWarning, stacklevel=2)
    return groups
