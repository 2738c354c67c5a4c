"""The table of options in words: for docstrings, the command and the manual."""

from collections.abc import Iterable
from textwrap import fill

from ..schema.option import Option
from .table import OPTIONS

_WIDTH = 100


def describe_default(option: Option) -> str:
    """Return the default of an option.

    >>> describe_default(OPTIONS["max_order"]), describe_default(OPTIONS["rouge_tokenizer"])
    ('4, or the length of the longest weights', 'rouge')
    """
    if option.default is None:
        return option.unset
    if isinstance(option.default, tuple):
        return ", ".join(option.default)
    return str(option.default)


def describe_values(option: Option) -> str:
    """Which values an option may have.

    >>> describe_values(OPTIONS["aggregator"]), describe_values(OPTIONS["max_order"])
    ('mean, bootstrap', 'int')
    """
    return ", ".join(option.choices) or option.kind.name


def write_arguments(options: Iterable[Option] = tuple(OPTIONS.values())) -> str:
    """Return the options as the ``Args`` of a docstring, one paragraph an option."""
    return "\n".join(
        fill(
            f"{option.name}: {option.text}; default: {describe_default(option)}.",
            _WIDTH,
            initial_indent=" " * 4,
            subsequent_indent=" " * 8,
        )
        for option in options
    )


def write_markdown(options: Iterable[Option] = tuple(OPTIONS.values())) -> str:
    """Return the options as a table in Markdown: name, values, default, what it does."""
    rows = [
        (
            f"`{option.name}`",
            describe_values(option),
            describe_default(option),
            f"{option.text[0].upper()}{option.text[1:]}.",
        )
        for option in options
    ]
    head = [("option", "values", "default", "what it does"), ("---",) * 4]
    return "".join(f"| {' | '.join(row)} |\n" for row in [*head, *rows])
