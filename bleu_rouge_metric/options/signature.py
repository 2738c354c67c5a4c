"""The signature: one line that says how a score was made, and that can be parsed back into options.

It follows the style of sacrebleu's, ``key:value`` joined by ``|``. Keys are names of options, and
those of ``FACTS``. The table of options says which are always there; any other is there if its
value is not the profile's.
"""

import re
from collections.abc import Container, Mapping
from typing import Any, Final

from ..schema import CALLABLE, encode
from ..text.strip import THINKING
from .table import OPTIONS

# Keys that are not options: they say what was scored and by what. ``unicode`` and ``regex`` are the
# versions of the characters that a tokenizer depends on.
FACTS: Final = ("nrefs", "seed", "unicode", "regex", "kernel", "version", "strip")


def write_signature(values: Mapping[str, object]) -> str:
    """Return one line of the values, in their order; values that are None are left out."""
    return "|".join(
        f"{key}:{OPTIONS[key].kind.write(value) if key in OPTIONS else encode(value)}"
        for key, value in values.items()
        if value is not None
    )


def read_signature(
    text: object, given: Container[str] = (), reader: str = "Options.from_signature"
) -> dict[str, Any]:
    """Return the options that a signature names, by name."""
    if not isinstance(text, str):
        raise TypeError(f"signature is of type {type(text).__name__}; expected a str.")
    options: dict[str, Any] = {}
    seen: set[str] = set()
    for item in text.strip().split("|"):
        key, colon, value = item.partition(":")
        is_option = key in OPTIONS and OPTIONS[key].signed != "never"
        if not colon or not (is_option or key in FACTS):
            raise ValueError(
                f"signature has the item {item!r}; expected key:value with the name of an option."
            )
        if key in seen:
            raise ValueError(f"signature has the key {key!r} twice; expected it once.")
        seen.add(key)
        if key in FACTS or key in given:
            continue
        if value.startswith(CALLABLE):
            raise ValueError(
                f"signature names a function for {key}, {value.removeprefix(CALLABLE)!r}, which "
                f"cannot be read back; give it again: {reader}(text, {key}=...)."
            )
        try:
            options[key] = OPTIONS[key].kind.read(value)
        except (KeyError, ValueError) as error:
            raise ValueError(f"signature has a value that cannot be read: {item!r}.") from error
    return options


def sign_strip(signature: str, pattern: re.Pattern[str] | None) -> str:
    r"""Return a signature that says what was removed from the texts before they were counted."""
    if pattern is None:
        return signature
    if pattern == THINKING:
        return f"{signature}|strip:thinking"
    # Other patterns are written between slashes.
    text = pattern.pattern
    # Flags that are not in the text of the pattern are written into it.
    flags = re.RegexFlag(pattern.flags & ~re.compile(text).flags)
    letters = "".join(letter for letter in "aimsx" if flags & re.RegexFlag[letter.upper()])
    return f"{signature}|strip:/{encode(f'(?{letters}){text}' if letters else text)}/"
