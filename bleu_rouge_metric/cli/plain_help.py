"""Commands whose help says nothing of Python's types: no ``<bool>`` behind a flag."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


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
    """A group of commands with plain help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with that of ``--help``."""
        return _hide_types(super().get_params(ctx))
