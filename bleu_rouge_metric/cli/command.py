"""The command line of ``bleu-rouge``, made from the table of ``flags.py``.

A wrong file or option is one line on standard error, ``bleu-rouge: FILE:LINE: message``, and exit
status 2. The module that runs a command is imported when the command runs.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import click

from ..checks import check_choice
from ..counting.kernels import current_kernel, find_build_problem
from ..counting.threads import count_threads
from ..files.input import STDIN, find_file
from ..version import __version__
from . import flags
from .messages import (
    NAME,
    UsageError,
    Words,
    find_remedy,
    one_line_errors,
    one_line_warnings,
    usage_errors,
    use_words,
)
from .output import output_errors, print_report

_REFERENCES: Final = "--references"
_SETTINGS: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"]}


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Convert errors of click to ``UsageError``; they say where the help is."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message = error.format_message().removesuffix(".")
        if isinstance(error, click.NoSuchOption):
            # Versions of click word it differently.
            names = " or ".join(map(repr, sorted(error.possibilities or ())))
            hint = f" (did you mean {names}?)" if names else ""
            message = f"No such option {error.option_name!r}{hint}"
        where = f"; see {error.ctx.command_path} --help." if error.ctx else "."
        raise UsageError(message + where) from error


class Subcommand(click.Command):
    """A command whose help has headings, and that knows the flags of other programs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; those after ``--references`` are files up to the next flag."""
        ctx.obj = {argument.partition("=")[0] for argument in args}
        try:
            with output_errors():  # of the help
                return super().parse_args(ctx, spell_out(args, flags.COMMANDS[self.name or ""]))
        except click.NoSuchOption as error:
            ours = {flag for parameter in self.params for flag in parameter.opts}
            if message := find_remedy(error.option_name, args, ours):
                raise UsageError(message) from error
            raise

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write nothing here: arguments are a heading of ``format_options``."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments and flags below their headings."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                panels.setdefault(getattr(parameter, "panel", "Options"), []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records, col_max=26)


class Group(click.Group):
    """The command itself; an error of any subcommand is one line."""

    def make_context(self, *args: Any, **keywords: Any) -> click.Context:
        """Parse the arguments before the name of a command."""
        with one_line_errors(), _usage_errors(), output_errors():
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
            import shlex

            is_file = args[0] == STDIN or "." in args[0] or find_file(args[0]) is not None
            line = shlex.join([f"{ctx.info_name}", "score", *order_files(args)])
            hint = f" To score files, use {line}" if is_file else ""
            raise UsageError(f"{error}{hint}") from error
        return super().resolve_command(ctx, args)


def order_files(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of ``score`` for those of sacrebleu, which has the references first."""
    for flag in {"-i", "--input"}.intersection(arguments[:-1]):
        first = next(i for i, each in enumerate(arguments) if each.startswith("-") and each[1:])
        return [arguments[arguments.index(flag) + 1], *arguments[:first]]
    return list(arguments)


def spell_out(arguments: Sequence[str], command: flags.Command) -> list[str]:
    """Write ``--references`` before each of its files, and no flag by its alias."""
    names = {flag.alias: flag.shown for flag in command.flags if flag.alias}
    written: list[str] = []
    name = ""
    for index, argument in enumerate(arguments):
        if argument == "--":
            return [*written, *arguments[index:]]
        if argument.startswith("-") and argument != STDIN:
            name, *value = argument.partition("=")
            written.append("".join([names.get(name, name), *value]))
            continue
        if name == _REFERENCES != written[-1]:
            written.append(_REFERENCES)
        written.append(argument)
    return written


def _make_parameter(flag: flags.Flag) -> click.Parameter:
    """Make the parameter of a row of the table."""
    parameter: Any
    if flag.is_argument:
        shown = flag.shown if flag.is_needed else f"[{flag.shown}]"
        parameter = click.Argument(
            [flag.name],
            metavar=shown + "..." * flag.is_list,
            nargs=-1 if flag.is_list else 1,
            required=flag.is_needed,
        )
        parameter.help = flag.text
        parameter.get_help_record = lambda _: (flag.shown, flag.text)
    else:
        default = f" Default: {flag.default}." if flag.default else ""
        names = flag.choices or flag.completions
        parameter = click.Option(
            [flag.shown, flag.name],
            metavar=flag.metavar or None,
            help=f"{flag.text}{default}",
            is_flag=not flag.metavar,
            multiple=flag.is_list,
            default=None,
            shell_complete=lambda _context, _parameter, start: [
                name for name in names if name.startswith(start)
            ],
        )
    parameter.panel = flag.panel
    return parameter  # type: ignore[no-any-return]


@cache
def make_command(name: str) -> Subcommand:
    """Make a command of the table."""
    row = flags.COMMANDS[name]

    def run(**parameters: Any) -> None:
        from .values import read_values

        typed: set[str] = click.get_current_context().obj
        own = {flag.name: flag.choose_name(typed) for flag in row.flags}
        if "--strip-thinking" in typed:
            own["strip"] = "--strip-thinking"
        has = {"profile", *(option.name for option in row.options)}
        with (
            use_words(Words(own, has, typed, parameters.get("language") or "")),
            one_line_warnings(),
        ):
            row.load()(read_values(row, parameters))

    examples = "\n\n".join(["Examples:", *row.examples]) if row.examples else ""
    codes = "; ".join(f"{code}: {meaning}" for code, meaning in flags.EXIT_CODES.items())
    return Subcommand(
        name,
        callback=run,
        params=list(map(_make_parameter, row.all_flags)),
        help=row.text,
        epilog="\n\n".join(filter(None, [examples, "Exit codes:", codes])),
        short_help=row.text.partition("\n")[0],
        no_args_is_help=True,
        context_settings=_SETTINGS,
    )


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    """Print the version, the kernel in use and why it is not the compiled one."""
    if not wanted or context.resilient_parsing:
        return
    with usage_errors(), one_line_warnings():
        # A variable of the environment may ask for a kernel or threads that are not available.
        kernel = current_kernel()
        count_threads()
    lines = [f"{NAME} {__version__} ({kernel} kernel)"]
    if problem := find_build_problem():
        lines += [problem, explain_no_kernel()]
    print_report("\n".join([*lines, ""]))
    context.exit()


def explain_no_kernel() -> str:
    """Say whether there is a compiler, if there is no compiled kernel."""
    import shutil

    names = (os.environ.get("CXX", "c++"), "c++", "g++", "clang++", "cl")
    compiler = next(filter(None, map(shutil.which, names)), None)
    if compiler is None:
        return "No C++ compiler is on the path (c++, g++, clang++, cl, or CXX)."
    return f"{compiler} is on the path; pip install -v prints why it builds no kernel."


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
    context_settings=_SETTINGS,
)


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    app(prog_name=NAME)
