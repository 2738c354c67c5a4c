"""Functions that users give instead of names: their names in messages, and their results."""

from collections.abc import Callable

from ..messages import Argument, type_error


def name_function(function: object) -> str:
    """Return the name of a user's function, or of the type of a callable without a name.

    >>> name_function(len)
    'len'
    """
    return str(getattr(function, "__name__", type(function).__name__))


def check_callable(
    option: str, function: Callable[[str], list[str]], content: str
) -> Callable[[str], list[str]]:
    """Wrap a user's function to check that each result is a list (or tuple) of str.

    Args:
        option: name of the option that the function was given as, for errors.
        function: a function of one text.
        content: what the list holds ("tokens", "sentences"), for errors.

    Returns:
        A function that raises TypeError if the user's function returns anything else.
    """
    expected = f"expected a list of str ({content})."

    def checked(text: str) -> list[str]:
        result = function(text)
        if not isinstance(result, list | tuple):
            given = Argument(option), type(result).__name__, _shorten(text)
            raise type_error("{} returned {} for the text {}", *given, expected=expected)
        for index, item in enumerate(result):
            if not isinstance(item, str):
                raise type_error(
                    "{} returned a list whose item {} is {} ({}) for the text {}",
                    *(Argument(option), index, _shorten(item), type(item).__name__),
                    _shorten(text),
                    expected=expected,
                )
        return list(result)

    return checked


def _shorten(value: object) -> str:
    """Return the ``repr`` of a value, cut to at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
