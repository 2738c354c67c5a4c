"""Read the labels of samples, by which scores are grouped, from a column of a file.

A label is a text or an int, and all labels are of one kind. Nothing is turned into text: in JSON
and Parquet, 1 and "1" are two labels.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from .columns import ColumnChoice
from .delimited import read_delimited
from .encodings import UTF8
from .json_values import read_json
from .lines import STDIN, FileError, FileFormat, InputFile, describe, open_binary, read_lines
from .parquet_columns import holds_texts, iterate_rows
from .shards import list_files

Label = str | int

_BATCH: Final = 4096
_GIVE: Final = "Fill it in, or leave the sample out."


def read_labels(
    paths: Sequence[str],
    column: str,
    *,
    stdin_format: FileFormat = FileFormat.TEXT,
    encoding: str = UTF8,
    delimiter: str | None = None,
    flag: str = "--group-by",
) -> list[Label]:
    r"""Read the label of every sample from the first file that has columns, or from a folder.

    Args:
        paths: of the predictions and of the references, or one folder.
        column: name of the column.
        stdin_format: format of standard input.
        encoding: of text files.
        delimiter: between the fields of CSV and TSV; None for that of the format.
        flag: of the command that names the column, for errors.

    Returns:
        One label per sample, all str or all int.

    Raises:
        FileError: no file has columns or it has no such column, a label is missing or is neither
            text nor int, or some labels are texts and others are ints; or the file is standard
            input or a pipe, which can be read only once.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "samples.csv"
    ...     _ = path.write_text("prediction,topic\na,law\nb,news\n")
    ...     read_labels([str(path)], "topic")
    ['law', 'news']
    """
    if paths[0] != STDIN and Path(paths[0]).is_dir():
        files = list_files(paths[0])
    else:
        files = [
            InputFile.from_path(path, stdin_format, encoding=encoding, delimiter=delimiter)
            for path in paths
        ]
        files = [file for file in files if file.format is not FileFormat.TEXT][:1]
    if not files:
        raise FileError(
            paths[0],
            f"plain text has no columns; {flag} {column} needs a file that has, such as .jsonl or "
            ".csv.",
        )
    choice = ColumnChoice(column, (), flag, allows_lists=False)
    labels: list[Label] = []
    for file in files:
        if file.path == STDIN or Path(file.path).is_fifo():
            raise FileError(
                file.path, f"a stream is read only once; save it as a file for {flag} {column}."
            )
        for line, label in _read_column(file, choice):
            _check_label(file, column, line, label)
            if labels and type(label) is not type(labels[0]):
                raise FileError(
                    file.path,
                    f"{column!r} is {_show(label)}, but that of the first sample is "
                    f"{_show(labels[0])}; expected all texts or all ints.",
                    line,
                )
            labels.append(label)
    return labels


def _read_column(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Any]]:
    """Iterate over the values of the column, with their line numbers."""
    if file.format is FileFormat.PARQUET:
        return _read_parquet(file, choice)
    if file.format in (FileFormat.JSON, FileFormat.JSONL):
        return _read_json(file, choice)
    return _read_delimited(file, choice)


def _read_json(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Any]]:
    name = str(choice.name)
    for index, (line, value, kind) in enumerate(read_json(file, read_lines(file))):
        if not isinstance(value, dict):
            raise FileError(
                file.path, f"the {kind} is no object; expected one with {name!r}.", line
            )
        if index == 0:
            choice.choose(file, list(value), line)
        if name not in value:
            raise FileError(file.path, f"the object has no {name!r}.", line)
        yield line, value[name]


def _read_delimited(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Any]]:
    rows = read_delimited(file, (line for _, line in read_lines(file)))
    line, header = next(rows, (0, None))
    if header is None:
        raise FileError(file.path, "the file is empty; expected a header of column names.")
    column = header.index(choice.choose(file, header, line))
    for line, row in rows:
        yield line, row[column]


def _read_parquet(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Any]]:
    # Importing pyarrow takes a quarter of a second, so it is imported only to read Parquet.
    import pyarrow as pa
    from pyarrow import parquet

    with open_binary(file) as handle:
        try:
            table = parquet.ParquetFile(handle)
            schema = table.schema_arrow
            column = choice.choose(file, schema.names, None)
            kind = schema.field(column).type
            if not holds_texts(kind, allows_lists=False) and not pa.types.is_integer(kind):
                message = f"column {column!r} is of type {kind}; expected string or an int type."
                raise FileError(file.path, message)
            rows = iterate_rows(table, [column], _BATCH)
            yield from ((number, value) for number, (value,) in enumerate(rows, start=1))
        except pa.ArrowException as error:
            raise FileError(file.path, f"not a readable Parquet file: {error}") from error
        except OSError as error:
            message = f"not a readable Parquet file: {describe(error)}"
            raise FileError(file.path, message) from error


def _check_label(file: InputFile, column: str, line: int, label: object) -> None:
    if label == "":
        # What a table has in place of a label that is missing.
        raise FileError(file.path, f"{column!r} is empty; expected a label. {_GIVE}", line)
    if isinstance(label, bool) or not isinstance(label, str | int):
        message = f"{column!r} is {_show(label)}; expected a text or an int. {_GIVE}"
        raise FileError(file.path, message, line)


def _show(value: object) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 40 else shown[:37] + "..."
