"""Warn about texts that are probably a mistake of the code that made them.

They are missing values that became texts, one character per line, and lists that became texts.
"""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from ..messages import Argument, format_message
from ..samples.arrow_texts import list_texts
from ..samples.inputs import Samples, Texts
from ..samples.items import find_list_as_text, shorten
from .empty_texts import warn_of_missing_values
from .warnings import MOST_LOOKED_AT, warn_caller


def warn_of_mistakes(
    samples: Samples,
    count_tokens: Callable[[], tuple[NDArray[Any], NDArray[Any]]],
    given: set[str],
) -> None:
    """Warn, once for each mistake, about samples of texts that Python gives.

    Args:
        samples: a batch.
        count_tokens: returns how many tokens the predictions and the references have.
        given: names of the warnings that were given; it is extended.
    """
    if "missing" not in given and warn_of_missing_values(samples, count_tokens):
        given.add("missing")
    if "letters" not in given and warn_of_letter_lines(samples):
        given.add("letters")
    if "lists" not in given and _warn_of_lists(samples):
        given.add("lists")


def warn_of_letter_lines(samples: Samples) -> bool:
    r"""Warn if texts have a newline after every character, as ``"\n".join(text)`` writes them.

    It warns if they are at least a tenth of the first predictions, or of the first references.

    Returns:
        Whether it warned.
    """
    for name, texts in (("predictions", samples.predictions), ("references", samples.references)):
        looked_at = _list_first(texts)
        # Fast path: equals a list of all texts, and mostly has none.
        suspects = [text for text in looked_at if text[1:2] == "\n"]
        if not suspects:
            continue
        found = sum(map(has_letter_lines, suspects))
        if found and 10 * found >= len(looked_at):
            warn_caller(
                format_message(
                    "{} of the first {} {} have a newline after every character, so that "
                    "characters are scored in place of words",
                    *(found, len(looked_at), name),
                    remedy="join the sentences of a text with newlines, not its characters.",
                )
            )
            return True
    return False


def has_letter_lines(text: str) -> bool:
    r"""Return whether a text has at least three lines, and all have one character.

    >>> has_letter_lines("a\n \nc\n"), has_letter_lines("a\nb"), has_letter_lines("a\nb\ncd")
    (True, False, False)
    """
    text = text.rstrip("\n")
    return len(text) > 4 and set(text[1::2]) == {"\n"} and "\n" not in text[::2]


def _warn_of_lists(samples: Samples) -> bool:
    """Warn if a reference looks like a list, and return whether it does.

    Samples have such a text only if it was given in a list.
    """
    looked_at = _list_first(samples.references)
    index = find_list_as_text(looked_at)
    if index is None:
        return False
    row = int(samples.offsets.searchsorted(index, side="right")) - 1
    warn_caller(
        format_message(
            "{} has the text {!r}, which looks like a list and is scored as one text",
            *(Argument(f"references[{row}]"), shorten(looked_at[index])),
            remedy="if it holds several references, convert it, as in ast.literal_eval(text).",
        )
    )
    return True


def _list_first(texts: Texts) -> list[str]:
    """Return the first texts, which are checked."""
    return list_texts(texts[:MOST_LOOKED_AT])
