"""``bleu-rouge dedup`` and ``bleu-rouge pick``.

The search and the choice are in ``analysis/pairs``, the reading of records in ``files/records.py``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from ..analysis.pairs.candidates import select_best, select_consensus
from ..analysis.pairs.duplicates import NearDuplicates, check_threshold, find_duplicates, make_pool
from ..files.columns import (
    REFERENCE_COLUMNS,
    ColumnChoice,
    MissingColumnError,
    check_columns_exist,
    check_label_file,
    choose_columns,
    read_columns,
    read_labels,
)
from ..files.input import (
    FileError,
    FileFormat,
    InputFile,
    check_exists,
    check_paths,
    is_same_path,
)
from ..files.records import Records, read_records
from ..files.rows import open_rows
from ..messages import count_noun
from ..text.warnings import collect_warnings
from .messages import UsageError, name_file, print_error, usage_errors
from .output import check_output, dump_lines, progress, write_files
from .values import Values

_COLUMNS: Final = ("text", "instruction", "prediction")
_OUTPUT: Final = "--output"
_REJECTED: Final = "--rejected"

# The candidates of each row, behind the number of its line.
_Rows = list[tuple[int, list[str]]]

# The columns that a rejected record gets.
_ADDED: Final = ("line", "score", "nearest_line", "nearest")

# What a line of a file of plain text cannot have.
_UNWRITABLE: Final = re.compile("\n|\r\\Z|[\ud800-\udfff]")


def run_dedup(values: Values) -> None:
    """Remove near duplicates."""
    path, against, rejected = values.path, values.against, values.rejected
    with usage_errors():
        check_threshold(values.threshold, make_pool(values.score, dict(values.keywords)))
    paths = [path] if against is None else [path, against]
    files = [InputFile.from_path(each, **values.files) for each in paths]
    _check_outputs(values.output, rejected, files[0], [*paths, *filter(None, [values.groups])])
    choice = ColumnChoice(values.column, _COLUMNS, "--column", allows_lists=False)
    check_paths(files)
    check_columns_exist(files, choice)
    if against is not None and is_same_path(path, against):
        message = "the texts would be compared with themselves; leave out --against."
        raise FileError(against, message)
    records, *others = [read_records(each, choice) for each in files]
    compared = (others or [records])[0]
    if rejected is not None:
        _check_names(records)
    labels = None if values.groups is None else _read_groups(records, values.groups)
    with progress(len(records.texts), "texts", "Comparing") as advance, name_file(path):
        duplicates = find_duplicates(
            records.texts,
            **values.pick("threshold", "score", "inclusive"),
            against=None if against is None else compared.texts,
            groups=labels,
            top=0,
            options=values.keywords,
            report=advance,
        )
    contents: dict[str | None, Iterable[bytes]] = {}
    contents[values.output] = [records.encode(duplicates.kept.tolist())]
    if rejected is not None:
        contents[rejected] = dump_lines(_list_rejected(records, compared, duplicates))
    write_files(contents, records.file.encoding)
    print_error(
        f"kept {len(duplicates.kept):,} of {len(records.texts):,} texts; counted "
        f"{duplicates.compared:,} of {duplicates.pairs:,} pairs."
    )


def _check_outputs(
    output: str | None, rejected: str | None, file: InputFile, inputs: list[str]
) -> None:
    """Raise FileError for an output that cannot be written."""
    if output is not None:
        kind = FileFormat.JSONL if file.format is FileFormat.JSON else file.format
        check_output(_OUTPUT, output, inputs, kind)
    elif file.format is FileFormat.PARQUET:
        raise FileError(file.path, f"Parquet does not go to standard output; give {_OUTPUT} FILE.")
    if rejected is not None:
        check_output(_REJECTED, rejected, inputs, FileFormat.JSONL)
        if output is not None and is_same_path(output, rejected):
            raise FileError(rejected, f"{_OUTPUT} and {_REJECTED} name the same file; give two.")


def _check_names(records: Records) -> None:
    """Raise FileError if a record has a column that a rejected record gets."""
    # The rows of a table have the same columns, the lines of JSON may differ.
    is_json = records.file.format is FileFormat.JSONL
    for index, line in enumerate(records.lines if is_json else records.lines[:1]):
        names = set(_ADDED).intersection(records.parse(index))
        if names:
            name = min(names)
            message = f"the record has {name!r}, which {_REJECTED} adds; rename it, or leave out"
            raise FileError(records.file.path, f"{message} {_REJECTED}.", line)


def _read_groups(records: Records, name: str) -> list[str]:
    """Return the label of each text, from a column or from a file."""
    file = records.file
    column: str | None = name
    if file.format is FileFormat.TEXT:
        check_label_file(file.path, name, "--group-by")
        file, column = InputFile.from_path(name, encoding=records.file.encoding), None
    labels = read_labels([file], column, "--group-by")
    if len(labels) != len(records.texts):
        has = f"the file has {count_noun(len(labels), 'label')}"
        there = f"there are {len(records.texts):,} texts"
        raise FileError(file.path, f"{has}, but {there}; expected one label for each.")
    return labels


def _list_rejected(
    records: Records, compared: Records, duplicates: NearDuplicates
) -> Iterator[dict[str, Any]]:
    """Iterate over the rejected records, each with the text that it was near to."""
    for index in duplicates.rejected.tolist():
        nearest = int(duplicates.nearest[index])
        found = records.lines[index], float(duplicates.score[index])
        added = (*found, compared.lines[nearest], compared.texts[nearest])
        yield {**records.parse(index), **dict(zip(_ADDED, added, strict=True))}


def run_pick(values: Values) -> None:
    """Pick candidates."""
    report_format, output, score = values.report_format, values.output, values.score
    file = InputFile.from_path(values.path, **values.files)
    if values.method == "consensus" and values.reference_column is not None:
        raise UsageError("--method consensus uses no references; leave out --reference-column.")
    if output is not None:
        check_output(_OUTPUT, output, [values.path], FileFormat(report_format))
    rows, references = _read_candidates(file, values)
    if report_format == "text":
        _check_lines(values.path, rows)
    candidates = [texts for _, texts in rows]
    # Check the options. What this warns of is warned of with the texts of the file.
    with usage_errors(), collect_warnings():
        text = [["text"]]
        list(_pick(text, None if references is None else text, score, values.keywords))
    with name_file(values.path):
        picked = list(_pick(candidates, references, score, values.keywords))
    texts = (f"{one['text']}\n".encode() for one in picked)
    write_files({output: texts if report_format == "text" else dump_lines(picked)})
    how = (
        f"by their mean {score} against each other (minimum Bayes risk)"
        if references is None
        else f"by their {score} against the references (best of n)"
    )
    print_error(f"picked {len(picked):,} of {sum(map(len, candidates)):,} candidates {how}.")


def _read_candidates(file: InputFile, values: Values) -> tuple[_Rows, list[list[str]] | None]:
    """Return the candidates, and the references of each row; None if they are not used."""
    check_paths([file])
    if file.format is FileFormat.TEXT:
        check_exists(file.path)
        remedy = "give a file such as .jsonl, or the format of standard input with --stdin-format."
        raise FileError(file.path, f"plain text has no lists of candidates; {remedy}")
    own = values.column, ("candidates",), "--column"
    choices = [ColumnChoice(*own, allows_lists=True, is_group=True)]
    rows = open_rows(file, has_groups=True)
    choose_columns(rows, choices)
    others = values.reference_column, REFERENCE_COLUMNS, "--reference-column"
    choice = ColumnChoice(*others, allows_lists=True, takes_only=False, is_needed=True)
    has_columns = rows.names is not None or values.reference_column is not None
    if values.method == "best" or (values.method is None and has_columns):
        try:
            choose_columns(rows, [*choices, choice])
            choices.append(choice)
        except MissingColumnError:
            if values.method == "best":
                raise
    lines: list[int] = []
    cells: list[list[Any]] = [[] for _ in choices]
    for numbers, columns in read_columns(rows, choices):
        lines += numbers
        for every, column in zip(cells, columns, strict=True):
            every.extend(column)
    if not lines:
        raise FileError(file.path, "the file has no candidates; expected at least one row.")
    candidates, *references = cells
    texts = [[text] if isinstance(text, str) else text for column in references for text in column]
    return list(zip(lines, candidates, strict=True)), texts or None


def _check_lines(path: str, rows: _Rows) -> None:
    """Raise FileError for a candidate that a file of plain text cannot hold in one line."""
    for line, candidates in rows:
        for index, text in enumerate(candidates):
            if found := _UNWRITABLE.search(text):
                is_half = found[0] >= "\ud800"
                what = "half of a surrogate pair" if is_half else "a line break"
                remedy = "which --format text cannot write; use --format jsonl."
                raise FileError(path, f"candidate {index} has {what}, {remedy}", line)


def _pick(
    candidates: Sequence[list[str]],
    references: Sequence[list[str]] | None,
    score: str,
    options: dict[str, Any],
) -> Iterator[dict[str, Any]]:
    """Iterate over the candidates that are picked, one per group."""
    if references is None:
        consensus = select_consensus(candidates, score, **options)
        index, texts, scores = consensus.index, consensus.texts, consensus.expected
    else:
        best = select_best(candidates, references, score, **options)
        index, texts, scores = best.index, best.texts, best.scores
    for place, text, row in zip(index.tolist(), texts, scores, strict=True):
        yield {"index": place, "text": text, "score": float(row[place])}
