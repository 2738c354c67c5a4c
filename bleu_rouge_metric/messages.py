"""Messages of errors and warnings whose parts are data, so that each reader gets its own words.

A message is a str: what Python shows. It keeps its parts, so that the command writes flags in place
of options, and the page the names of its controls. What a user gave is a part that nobody rewrites.
"""

from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Self


def count_noun(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 sample``, ``3,004 samples``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


class Argument(NamedTuple):
    """An option or another argument, alone or with a value.

    Attributes:
        name: what Python calls it, with an index if one of its items is meant: ``references[3]``.
        sign: what follows the name: nothing, ``=`` or ``is``.
        value: what follows the sign; a tuple for one of several, None for nothing.

    >>> print(Argument("max_order", "=", 3), Argument("tokenizer", "=", ("char", "zh")))
    max_order=3 tokenizer='char' or 'zh'
    """

    name: str
    sign: str = ""
    value: Any = None

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{' or '.join(map(repr, self.list_values()))}"

    def list_values(self) -> tuple[Any, ...]:
        """Return the values that it may have."""
        if isinstance(self.value, tuple):
            return self.value
        return () if self.value is None else (self.value,)

    def rename(self, names: Mapping[str, str]) -> "Argument":
        """Return the argument as it is called elsewhere; an index stays.

        >>> Argument("references[0][2]").rename({"references[0]": "references"}).name
        'references[2]'
        """
        for old, new in names.items():
            index = self.name.removeprefix(old)
            if index != self.name and index[:1] in ("", "["):
                return self._replace(name=new + index)
        return self


class PythonOnly(NamedTuple):
    """Words for those who write Python, and in place of them for all others."""

    text: str
    elsewhere: str = ""

    def __str__(self) -> str:
        return self.text


# The end of what is expected, for those who can give one.
OR_CALLABLE: Final = PythonOnly(" or a callable str -> list[str]")


class Value(str):
    """A value that was given, as the message shows it."""

    __slots__ = ()


class Message(str):
    """A message with its parts; ``format_message`` makes one.

    Attributes:
        parts: texts, values, arguments, words of Python and messages: what is wrong.
        expectation: what is expected; may be empty.
        remedy: what to do; may be empty.
    """

    __slots__ = ("expectation", "parts", "remedy")
    parts: tuple[object, ...]
    expectation: str
    remedy: str

    def __new__(cls, parts: Iterable[object], expectation: str = "", remedy: str = "") -> "Self":
        """Return the message, in one or two sentences."""
        parts = tuple(parts)
        ends = " ".join(filter(None, (expectation, remedy)))
        # A value at the end may have a full stop of its own.
        last = parts[-1] if parts else ""
        is_whole = isinstance(last, str) and type(last) is not Value and last.endswith(".")
        link = "" if not ends else " " if is_whole else "; "
        message = super().__new__(cls, f"{''.join(map(str, parts))}{link}{ends}")
        message.parts, message.expectation, message.remedy = parts, expectation, remedy
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a copy and a pickle are made of."""
        return type(self), (self.parts, self.expectation, self.remedy)

    def map(self, write: Callable[[Argument | PythonOnly], object]) -> "Message":
        """Return the message with other parts in place of arguments and words of Python."""

        def replace(part: Any) -> Any:
            if isinstance(part, Message):
                return part.map(write)
            return write(part) if isinstance(part, Argument | PythonOnly) else part

        return Message(map(replace, self.parts), replace(self.expectation), replace(self.remedy))

    @property
    def argument(self) -> str | None:
        """Return the name of the argument that the message is about."""
        return next((part.name for part in self.walk() if isinstance(part, Argument)), None)

    @property
    def value(self) -> str | None:
        """Return the value that was given."""
        return next((part for part in self.walk() if isinstance(part, Value)), None)

    def walk(self) -> Iterator[object]:
        """Iterate over the parts, and in place of messages over theirs."""
        for part in self.parts:
            yield from part.walk() if isinstance(part, Message) else (part,)


def format_message(template: str, *values: object, expected: str = "", remedy: str = "") -> Message:
    """Return the message of a template, which is never made of what users give.

    Args:
        template: the fields of ``str.format``: ``{}`` is the next value, ``{max_order}`` an
            argument, ``{max_order=3}`` and ``{use_stemmer is False}`` an argument with a value.
        *values: as they are if they are parts of messages, else as ``format`` writes them.
        expected: a sentence that says what is expected.
        remedy: a sentence that says what to do.

    >>> message = format_message("{max_order} is {!r}", "2", expected="expected an int.")
    >>> message, message.argument, message.value, message.expectation
    ("max_order is '2'; expected an int.", 'max_order', "'2'", 'expected an int.')
    """
    parts: list[object] = []
    rest = iter(values)
    for text, field, form, conversion in Formatter().parse(template):
        parts.append(text)
        if field:
            parts.append(_read_argument(field))
        elif field is not None:
            value = next(rest)
            if not isinstance(value, Message | Argument | PythonOnly):
                value = Value(format(repr(value) if conversion else value, form or ""))
            parts.append(value)
    return Message(parts, expected, remedy)


def _read_argument(field: str) -> Argument:
    """Return the argument of a field of a template."""
    for sign in ("=", " is "):
        name, found, value = field.partition(sign)
        if found:
            return Argument(name, sign, literal_eval(value) if value else None)
    return Argument(field)


def value_error(template: str, *values: object, **ends: str) -> ValueError:
    """Return the error of a message; the arguments are those of :func:`format_message`."""
    return ValueError(format_message(template, *values, **ends))


def type_error(template: str, *values: object, **ends: str) -> TypeError:
    """Return the error of a message; the arguments are those of :func:`format_message`."""
    return TypeError(format_message(template, *values, **ends))


def describe_value(name: str, shown: str, expected: str, remedy: str = "") -> Message:
    """Return the message for a value that is not what is expected.

    Args:
        name: of the argument.
        shown: the value, as the message shows it.
        expected: as for :func:`format_message`.
        remedy: as for :func:`format_message`.
    """
    return format_message("{} is {}", Argument(name), shown, expected=expected, remedy=remedy)


def get_message(error: BaseException) -> str:
    """Return the message of an error, with its parts if it has some."""
    match error.args:
        case (Message() as message,):
            return message
    return str(error)


def rename_arguments(error: Exception, names: Mapping[str, str]) -> None:
    """Write other names of arguments into an error.

    Args:
        error: of a check; one whose message has no parts stays as it is.
        names: what the caller calls the arguments, by the names in the error.

    >>> error = TypeError(describe_value("texts[0]", "'my texts'", "expected a str."))
    >>> rename_arguments(error, {"texts": "preds"})
    >>> error
    TypeError("preds[0] is 'my texts'; expected a str.")
    """
    message = get_message(error)
    if isinstance(message, Message):
        renamed = message.map(
            lambda part: part.rename(names) if isinstance(part, Argument) else part
        )
        error.args = (renamed,)
