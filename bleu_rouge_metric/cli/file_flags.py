"""Flags of every command that reads files: columns, encodings and the format of standard input."""

from collections.abc import Callable, Container, Mapping
from inspect import Parameter, signature
from typing import Annotated, Any, Final

import typer

from ..files.input import UTF8, FileFormat
from .checks import FILE_FLAGS, check_file_flags
from .flags import FILES, complete
from .option_flags import to_flag


def _declare_flags(
    *,
    prediction_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column of the predictions. Default: prediction, predictions, or the only one.",
            show_default=False,
            rich_help_panel=FILES,
        ),
    ] = None,
    reference_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column of the references. Default: reference, references, or the only one.",
            show_default=False,
            rich_help_panel=FILES,
        ),
    ] = None,
    stdin_format: Annotated[
        str,
        typer.Option(
            autocompletion=complete(FileFormat),
            metavar="FORMAT",
            help="Format of standard input: text, jsonl, json, csv, tsv or parquet.",
            rich_help_panel=FILES,
        ),
    ] = "text",
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Encoding of text files: utf-8, utf-16, latin-1, cp1252, gb18030, shift_jis, ... "
            "Default: utf-8.",
            show_default=False,
            rich_help_panel=FILES,
        ),
    ] = UTF8,
    delimiter: Annotated[
        str | None,
        typer.Option(
            metavar="CHAR",
            help="Character between the fields of CSV and TSV, such as ; or tab. Default: a comma "
            "in .csv, a tab in .tsv.",
            show_default=False,
            rich_help_panel=FILES,
        ),
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of ids to join by.", rich_help_panel=FILES),
    ] = None,
    no_join: Annotated[
        bool, typer.Option("--no-join", help="Compare row by row.", rich_help_panel=FILES)
    ] = False,
    system: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="System of a file of several.", rich_help_panel=FILES),
    ] = None,
    translator: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Translator of references.", rich_help_panel=FILES),
    ] = None,
) -> None:
    """Declare the flags, whose values ``checks.check_file_flags`` takes."""


# The flags of commands whose columns are neither predictions nor references.
FORMAT_FLAGS: Final = ("stdin_format", "encoding", "delimiter")

_PARAMETERS: Final = signature(_declare_flags).parameters


def add_file_flags(
    command: Callable[..., None], *, only: Container[str] = FILE_FLAGS
) -> Callable[..., None]:
    """Add the flags of files to a command, as a decorator; its ``**options`` take their values.

    In the help the flags come before the first parameter of the command that is keyword-only.

    Args:
        command: the function.
        only: the parameters of the flags that the command has.
    """
    given = signature(command)
    first = [p for p in given.parameters.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    rest = list(given.parameters.values())[len(first) :]
    made = [p for name, p in _PARAMETERS.items() if name in only]
    parameters = [*first, *made, *rest]
    command.__signature__ = given.replace(parameters=parameters)  # type: ignore[attr-defined]
    return command


def read_file_flags(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``read_samples`` for the parameters of a command.

    Raises:
        ValueError: a value is not valid.
    """
    return check_file_flags(**{name: parameters[name] for name in FILE_FLAGS})


def read_file_formats(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``InputFile.from_path`` for the parameters of a command.

    Raises:
        ValueError: a value is not valid.
    """
    flags = check_file_flags(**{name: parameters[name] for name in FORMAT_FLAGS})
    return {name: flags[name] for name in FORMAT_FLAGS}


def find_file_flags(context: typer.Context) -> list[str]:
    """Return the flags of files that the command line contains."""
    # Depending on the version of typer, the sources are an enum of click or a copy of it.
    sources = {name: context.get_parameter_source(name) for name in FILE_FLAGS}
    return [
        to_flag(name)
        for name, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    ]
