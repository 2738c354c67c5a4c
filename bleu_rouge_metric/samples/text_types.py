"""Check that every item of a list is a str, and that no text is a list written as text.

Of the checks of samples, these look at every text. The compiled kernel does the first in a tenth of
the time; it is used if it is installed, whichever kernel counts.
"""

import re
from collections.abc import Sequence
from typing import Final, TypeGuard, cast

try:
    from bleu_rouge_kernel import are_texts as _are_texts_compiled
except ImportError:  # Not installed, or older than this function.
    _are_texts_compiled = None  # type: ignore[assignment]

# How much of a text is shown.
_MOST_SHOWN: Final = 40
# How many texts are joined at once.
_SLICE: Final = 256

# A list that contains a text, as Python, JSON, pandas and NumPy write it: nothing but texts,
# numbers, brackets, commas and the names that occur in such lists. Every character can match in
# only one way, so the time is linear.
_LIST: Final = re.compile(
    r"""\s*\[(?=[^'"]*['"])
    (?:[\s,:\[\](){}\d.-] | None | nan | null | True | False | array | dtype=object | np\.str_
      | [bBrRuU]?(?:'(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*"))*
    \]\s*\Z""",
    re.VERBOSE,
)
_ENDS: Final = ("]", " ", "\n", "\r", "\t")


def are_texts(items: list[object]) -> TypeGuard[list[str]]:
    """Return whether every item is a str."""
    if _are_texts_compiled is not None:
        # Fast path: equals are_texts_python(items).
        return _are_texts_compiled(items)
    return are_texts_python(items)


def are_texts_python(items: list[object]) -> TypeGuard[list[str]]:
    """Return whether every item is a str, without the compiled kernel."""
    try:
        # Fast path: equals all(isinstance(item, str) for item in items), in a quarter of the
        # time. Slices keep the joined copy small.
        for start in range(0, len(items), _SLICE):
            "".join(cast("list[str]", items[start : start + _SLICE]))
    except TypeError:
        return False
    return True


def find_list_as_text(texts: Sequence[str]) -> int | None:
    """Return the index of the first text that is a list of texts, as Python or JSON writes it.

    pandas, ``str`` and ``json.dumps`` write such texts. Scored as texts, they give wrong scores
    that nobody notices.

    >>> find_list_as_text(["a text", "[2020]", "[Music]", "['one', 'another']"])
    3
    """
    # Fast path: equals the loop, in a seventh of the time if no text has a bracket.
    if not [text for text in texts if "[" in text]:
        return None
    for index, text in enumerate(texts):
        # Fast path: almost no text ends like a list, so almost none is matched.
        if text[-1:] in _ENDS and _LIST.match(text):
            return index
    return None


def shorten(text: str) -> str:
    """Return the start of a text, for messages."""
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
