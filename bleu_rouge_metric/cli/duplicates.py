"""The work of ``bleu-rouge dedup``; its flags are in ``duplicate_flags.py``.

The search is in ``analysis/pairs/duplicates.py``, the reading of records in ``files/records.py``.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from ..analysis.pairs.duplicates import (
    NearDuplicates,
    check_threshold,
    find_duplicates,
    make_pool,
)
from ..files.columns import ColumnChoice
from ..files.input import FileError, FileFormat, InputFile, is_same_path
from ..files.labels import read_group_labels, read_labels
from ..files.records import Records, read_records
from ..files.sources import check_columns_exist, check_paths
from .checks import check_environment
from .counting import name_file
from .file_flags import read_file_formats
from .messages import UsageError, one_line_warnings, print_content, print_error, usage_errors
from .option_flags import to_keywords, to_number
from .progress import show_progress
from .record_files import check_record_path, dump_lines, write_files

_COLUMNS: Final = ("text", "instruction", "prediction")
_GROUP_BY: Final = "--group-by"
_OUTPUT: Final = "--output"
_REJECTED: Final = "--rejected"

# Arguments of ``find_duplicates`` in the words of the command.
_FLAGS: Final = {"score": "--score", "threshold": "--threshold"}

# The columns that a rejected record gets.
_ADDED: Final = ("line", "score", "nearest_line", "nearest")


def run_dedup(
    path: str,
    *,
    column: str | None,
    against: str | None,
    score: str,
    threshold: str,
    inclusive: bool,
    group_by: str | None,
    output: str | None,
    rejected: str | None,
    **parameters: Any,
) -> None:
    """Remove near duplicates; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read or written.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors(_FLAGS):
            check_environment()
            options = to_keywords(parameters)
            limit = to_number("threshold", threshold)
            check_threshold(limit, make_pool(score, dict(options)))
            open_file = partial(InputFile.from_path, **read_file_formats(parameters))
        if against is not None and group_by is not None:
            raise UsageError("--against and --group-by exclude each other; give one of them.")
        file, *others = map(open_file, [path] if against is None else [path, against])
        _check_outputs(output, rejected, file, [path, *filter(None, [against, group_by])])
        choice = ColumnChoice(column, _COLUMNS, "--column", allows_lists=False)
        records, compared = _read(file, others, choice)
        if rejected is not None:
            _check_names(records)
        labels = None if group_by is None else _read_groups(records, group_by)
        with (
            show_progress(len(records.texts), "texts", "Comparing") as advance,
            name_file(path),
        ):
            found = find_duplicates(
                records.texts,
                threshold=limit,
                score=score,
                against=None if compared is records else compared.texts,
                groups=labels,
                inclusive=inclusive,
                top=0,
                options=options,
                report=advance,
            )
        kept = records.encode(found.kept.tolist())
        contents = {} if output is None else {output: kept}
        if rejected is not None:
            contents[rejected] = dump_lines(_list_rejected(records, compared, found))
        if output is None:
            print_content(kept, records.encoding)
        write_files(contents)
    print_error(
        f"kept {len(found.kept):,} of {len(records.texts):,} texts; counted {found.compared:,} of "
        f"{found.pairs:,} pairs."
    )


def _check_outputs(
    output: str | None, rejected: str | None, file: InputFile, inputs: list[str]
) -> None:
    """Raise FileError for an output that cannot be written."""
    is_json = file.format is FileFormat.JSON
    if output is not None:
        kind = FileFormat.JSONL if is_json else file.format
        check_record_path(_OUTPUT, output, kind, inputs, or_stdout=True)
    elif file.format is FileFormat.PARQUET:
        raise FileError(file.path, f"Parquet does not go to standard output; give {_OUTPUT} FILE.")
    if rejected is not None:
        check_record_path(_REJECTED, rejected, FileFormat.JSONL, inputs)
        if output is not None and is_same_path(output, rejected):
            raise FileError(rejected, f"{_OUTPUT} and {_REJECTED} name the same file; give two.")


def _read(
    file: InputFile, others: list[InputFile], choice: ColumnChoice
) -> tuple[Records, Records]:
    """Return the records, and those that they are compared with: the same, or those of a file."""
    files = [file, *others]
    check_paths(files)
    check_columns_exist(files, choice)
    for other in others:
        if is_same_path(file.path, other.path):
            message = "the texts would be compared with themselves; leave out --against."
            raise FileError(other.path, message)
    all_records = [read_records(each, choice) for each in files]
    return all_records[0], all_records[-1]


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
    if file.format is FileFormat.TEXT:
        labels = read_group_labels(file.path, name, encoding=records.encoding)
    else:
        labels = read_labels([file], name, _GROUP_BY)
    if len(labels.texts) != len(records.texts):
        message = (
            f"the file has {len(labels.texts):,} labels, but there are {len(records.texts):,} "
            "texts; expected one label for each."
        )
        raise FileError(labels.path, message)
    return labels.texts


def _list_rejected(
    records: Records, compared: Records, found: NearDuplicates
) -> Iterator[dict[str, Any]]:
    """Iterate over the rejected records, each with the text that it was near to."""
    for index in found.rejected.tolist():
        nearest = int(found.nearest[index])
        values = (
            *(records.lines[index], float(found.score[index])),
            *(compared.lines[nearest], compared.texts[nearest]),
        )
        yield {**records.parse(index), **dict(zip(_ADDED, values, strict=True))}
