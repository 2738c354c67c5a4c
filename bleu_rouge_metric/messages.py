"""Messages of errors and warnings whose parts are data, so that each reader gets its own words.

A message is a str: what Python shows. It keeps its parts, so that the command writes flags in place
of options, and the page the names of its controls. What a user gave is a part that nobody rewrites.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Self


class Argument(NamedTuple):
    """An option or another argument, alone or with a value.

    Attributes:
        name: what Python calls it, with an index if one of its items is meant: ``references[3]``.
        sign: what follows the name.
        value: what follows the sign; None for nothing.

    >>> print(Argument("max_order", "=", 3), Argument("word_limit", "="), Argument("references[0]"))
    max_order=3 word_limit= references[0]
    """

    name: str
    sign: Literal["", "=", " is "] = ""
    value: Any = None

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{'' if self.value is None else repr(self.value)}"

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
    """What is said to those who write Python alone.

    Attributes:
        text: in Python.
        elsewhere: in the words of the others.
    """

    text: str
    elsewhere: str = ""

    def __str__(self) -> str:
        return self.text


class Value(str):
    """What was given in place of what is expected, as it is shown."""

    __slots__ = ()


class Message(str):
    """A message with its parts: texts, values, arguments, and messages.

    >>> message = describe_value("max_order", "0", "expected an int from 1 to 100.")
    >>> message
    'max_order is 0; expected an int from 1 to 100.'
    >>> message.argument, message.value, message.expectation
    ('max_order', '0', 'expected an int from 1 to 100.')
    """

    __slots__ = ("parts",)
    parts: tuple[object, ...]

    def __new__(cls, *parts: object) -> "Self":
        """Return a message of parts that are written as ``str`` writes them."""
        message = super().__new__(cls, "".join(map(str, parts)))
        message.parts = parts
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a copy and a pickle are made of."""
        return type(self), self.parts

    def map(self, write: Callable[[Argument | PythonOnly], object]) -> "Message":
        """Return the message with other parts in place of arguments and words of Python."""
        return type(self)(
            *(
                part.map(write)
                if isinstance(part, Message)
                else write(part)
                if isinstance(part, Argument | PythonOnly)
                else part
                for part in self.parts
            )
        )

    @property
    def argument(self) -> str | None:
        """Return the name of the argument that the message is about."""
        found = self.find(Argument)
        return None if found is None else found.name

    @property
    def value(self) -> str | None:
        """Return what was given, as the message shows it."""
        return self.find(Value)

    @property
    def expectation(self) -> str | None:
        """Return what is expected."""
        return self.find(Expectation)

    @property
    def remedy(self) -> str | None:
        """Return what to do."""
        return self.find(Remedy)

    def find(self, kind: type[Any]) -> Any:
        """Return the first part of a type."""
        for part in self.parts:
            if isinstance(part, kind):
                return part
            if isinstance(part, Message) and (found := part.find(kind)) is not None:
                return found
        return None


class Expectation(Message):
    """The part of a message that says what is expected."""

    __slots__ = ()


class Remedy(Message):
    """The part of a message that says what to do."""

    __slots__ = ()


def describe_value(name: str, shown: str, expected: str, remedy: str = "") -> Message:
    """Return the message for a value that is not what is expected.

    Args:
        name: of the argument.
        shown: the value, as the message shows it.
        expected: a sentence with its end.
        remedy: another one, if there is more to say.
    """
    end = (" ", Remedy(remedy)) if remedy else ()
    return Message(Argument(name), " is ", Value(shown), "; ", Expectation(expected), *end)


def setting(name: str, *values: object) -> Message:
    """Return an option with a value, or with one of several.

    >>> setting("tokenizer", "zh"), setting("tokenizer", "char", "zh")
    ("tokenizer='zh'", "tokenizer='char' or 'zh'")
    """
    others = (
        part for value in values[1:] for part in (" or ", PythonOnly(repr(value), str(value)))
    )
    return Message(Argument(name, "=", values[0]), *others)


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
    match error.args:
        case (Message() as message,):
            error.args = (
                message.map(
                    lambda part: part.rename(names) if isinstance(part, Argument) else part
                ),
            )
