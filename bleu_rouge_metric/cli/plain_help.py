"""Commands whose help says nothing of Python's types, and whose errors are one line each."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from ..checks import check_choice
from ..files.input import STDIN, find_file
from .messages import UsageError, one_line_errors

# Newer versions of typer have a copy of click, older ones import it.
CLICK: Final[Any] = sys.modules[typer.BadParameter.__module__]
# Of newer versions: the help of a command without arguments.
_HELP: Final[Any] = getattr(CLICK, "NoArgsIsHelpError", ())


@contextmanager
def _typer_errors() -> Iterator[None]:
    """Convert errors of typer to ``UsageError``; they say where the help is."""
    try:
        yield
    except _HELP:
        raise
    except CLICK.UsageError as error:
        message: str = error.format_message()
        if error.ctx is not None:
            message = f"{message.removesuffix('.')}; see {error.ctx.command_path} --help."
        raise UsageError(message) from error


def _hide_types(parameters: list[Any]) -> list[Any]:
    """Take Python's types out of what the help shows of the parameters."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = parameter.metavar or ""
        elif parameter.param_type_name == "argument":
            # Newer versions of typer show the type beside the name, older ones do not ask for it.
            parameter.display_type_rich = lambda ctx: None  # noqa: ARG005
    return parameters


class PlainCommand(TyperCommand):
    """A command with plain help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with that of ``--help``."""
        return _hide_types(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """A group of commands with plain help; an error of any of them is one line."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with that of ``--help``."""
        return _hide_types(super().get_params(ctx))

    def make_context(self, *args: Any, **keywords: Any) -> Any:
        """Parse the arguments before the name of a command."""
        with one_line_errors(), _typer_errors():
            return super().make_context(*args, **keywords)

    def invoke(self, ctx: Any) -> Any:
        """Parse the arguments of a command, and run it."""
        with one_line_errors(), _typer_errors():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command by its name; the names of files are those of ``bleu-rouge score``."""
        try:
            if not ctx.resilient_parsing:  # a shell asks for completions
                check_choice("command", args[0], self.list_commands(ctx))
        except ValueError as error:
            line = f"{ctx.info_name} score {shlex.join(args)}"
            hint = f" To score files, use {line}" if _is_file(args[0]) else ""
            raise UsageError(f"{error}{hint}") from error
        return super().resolve_command(ctx, args)


def _is_file(name: str) -> bool:
    return name == STDIN or "." in name or find_file(name) is not None
