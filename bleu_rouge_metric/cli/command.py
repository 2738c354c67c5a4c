"""The command line of ``bleu-rouge``, made of the table of ``flags.py``.

A wrong file or option is one line on standard error, ``bleu-rouge: FILE:LINE: message``, and exit
status 2. The work of a command is imported when it runs.
"""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import click

from ..checks import check_choice
from ..files.lines import STDIN, find_file
from ..options.table import OPTIONS
from . import flags
from .version import print_version
from .foreign_flags import find_remedy
from .messages import NAME, UsageError, one_line_errors, one_line_warnings
from .option_flags import list_parameters
from .values import read_values

_REFERENCES: Final = "--references"
_HELP: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"]}


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Convert errors of click to ``UsageError``; they say where the help is."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message = error.format_message().removesuffix(".")
        where = f"; see {error.ctx.command_path} --help." if error.ctx else "."
        raise UsageError(message + where) from error


class Subcommand(click.Command):
    """A command whose help has headings, and that knows the flags of other programs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; those after ``--references`` are files up to the next flag."""
        ours = {flag for parameter in self.params for flag in parameter.opts}
        given = spread_references(args) if _REFERENCES in ours else list(args)
        try:
            return super().parse_args(ctx, list(given))
        except click.NoSuchOption as error:
            message = find_remedy(error.option_name, given, ours)
            if message is None:
                raise
            raise UsageError(message) from error

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write nothing here: arguments are a heading of ``format_options``."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments and flags below their headings."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                panels.setdefault(getattr(parameter, "panel", "Options"), []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records, col_max=26)


class Group(click.Group):
    """The command itself; an error of any subcommand is one line."""

    def make_context(self, *args: Any, **keywords: Any) -> click.Context:
        """Parse the arguments before the name of a command."""
        with one_line_errors(), _usage_errors():
            return super().make_context(*args, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        """Parse the arguments of a command, and run it."""
        with one_line_errors(), _usage_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """List the commands in the order of the table."""
        return list(flags.COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> Subcommand | None:  # noqa: ARG002
        """Make a command when it is asked for."""
        return make_command(name) if name in flags.COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a command by its name; the names of files are those of ``bleu-rouge score``."""
        try:
            if not ctx.resilient_parsing:  # a shell asks for completions
                check_choice("command", args[0], flags.COMMANDS)
        except ValueError as error:
            line = f"{ctx.info_name} score {shlex.join(args)}"
            is_file = args[0] == STDIN or "." in args[0] or find_file(args[0]) is not None
            hint = f" To score files, use {line}" if is_file else ""
            raise UsageError(f"{error}{hint}") from error
        return super().resolve_command(ctx, args)


def spread_references(arguments: Sequence[str]) -> list[str]:
    """Write the flag before each of its files.

    >>> spread_references(["a", "--references", "b", "c", "--seed", "1"])
    ['a', '--references', 'b', '--references', 'c', '--seed', '1']
    """
    spread: list[str] = []
    takes_files, has_flag = False, False
    for index, argument in enumerate(arguments):
        if argument == "--":
            return [*spread, *arguments[index:]]
        if argument.startswith("-") and argument != "-":
            takes_files = argument.partition("=")[0] == _REFERENCES
            has_flag = "=" not in argument
        elif takes_files:
            spread += [] if has_flag else [_REFERENCES]
            has_flag = False
        spread.append(argument)
    return spread


def _make_parameter(flag: flags.Flag) -> click.Parameter:
    """Make the parameter of a row of the table."""
    if flag.is_argument:
        parameter: Any = click.Argument(
            [flag.name],
            metavar=f"{flag.shown if flag.is_needed else f'[{flag.shown}]'}{'...' * flag.is_list}",
            nargs=-1 if flag.is_list else 1,
            required=flag.is_needed,
        )
        parameter.help = flag.text
        parameter.get_help_record = lambda _: (flag.shown, flag.text)
        parameter.panel = "Arguments"
        return parameter  # type: ignore[no-any-return]
    default = f" Default: {flag.default}." if flag.default else ""
    parameter = click.Option(
        [flag.shown, flag.name],
        metavar=flag.metavar or None,
        help=f"{flag.text}{default}{' Required.' * flag.is_needed}",
        is_flag=not flag.metavar,
        multiple=flag.is_list,
        default=None,
        required=flag.is_needed,
        shell_complete=lambda _context, _parameter, incomplete: [
            name for name in flag.choices if name.startswith(incomplete)
        ],
    )
    parameter.panel = flag.panel or "Options"
    return parameter  # type: ignore[no-any-return]


@cache
def make_command(name: str) -> Subcommand:
    """Make a command of the table."""
    row = flags.COMMANDS[name]

    def run(**parameters: Any) -> None:
        with one_line_warnings():
            row.load()(read_values(row, parameters))

    own = map(_make_parameter, row.flags)
    of_options = [one for option in row.options for one in list_parameters(OPTIONS[option])]
    examples = "\n\n".join(["Examples:", *row.examples]) if row.examples else ""
    codes = "; ".join(f"{code}: {meaning}" for code, meaning in flags.EXIT_CODES.items())
    return Subcommand(
        name,
        callback=run,
        params=[*own, *of_options],
        help=row.text,
        epilog="\n\n".join(filter(None, [examples, "Exit codes:", codes])),
        short_help=row.text.partition("\n")[0],
        no_args_is_help=True,
        context_settings=_HELP,
    )


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    """Print the version and end the command."""
    if wanted:
        print_version()
        context.exit()


app: Final = Group(
    NAME,
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version and exit.",
        )
    ],
    help="BLEU and ROUGE of generated texts, bit-identical to the reference libraries.",
    no_args_is_help=True,
    context_settings=_HELP,
)


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    app(prog_name=NAME)
