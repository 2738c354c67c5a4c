"""Warn about texts that are probably a mistake of the code or the table that made them.

They are empty texts and missing values, one character per line, and lists that became texts. A null
in a table is an error, but an empty cell of CSV and an empty text look alike, and ``NaN`` is a text
too. Nothing matches an empty text, and a missing value is scored as a word.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..messages import Argument, format_message
from ..samples.arrow_texts import is_arrow, list_texts
from ..samples.inputs import Samples, Texts
from ..samples.items import find_list_as_text, find_suspects, shorten
from .warnings import MOST_LOOKED_AT, find_short_texts, warn_caller

# As ``str`` and pandas write missing values, and as JSON and CSV files have them.
MISSING_VALUES: Final = frozenset({"NaN", "nan", "None", "null", "<NA>"})

# No tokenizer makes more tokens of one of these.
MOST_TOKENS: Final = 5


def warn_of_empty_texts(
    samples: Samples, system: str = "", *, check_references: bool = True
) -> None:
    """Warn if texts of a file are empty, only white space, or missing values; name the first row.

    ``system`` is the name of the system that predicted them; systems share their references.
    """
    _warn_of_both(
        samples,
        _find_empty(samples.predictions),
        _find_empty(samples.references) if check_references else {},
        lambda _, row: f"row {row + 1}",
        system,
    )


def _warn_of_missing_values(
    samples: Samples, count_tokens: Callable[[], tuple[NDArray[Any], NDArray[Any]]]
) -> bool:
    """Warn if texts that Python gives are missing values, and return whether some are."""
    sides = samples.predictions, samples.references
    totals = count_tokens() if any(map(is_arrow, sides)) else (None, None)
    predictions, references = map(_find_missing, sides, totals)
    _warn_of_both(samples, predictions, references, lambda name, row: f"{name}[{row}]")
    return bool(predictions or references)


def _warn_of_both(
    samples: Samples,
    predictions: Mapping[int, str],
    references: Mapping[int, str],
    name_place: Callable[[str, int], str],
    system: str = "",
) -> None:
    """Warn of the predictions and the references that were found, by index."""
    count = len(samples.predictions)
    if predictions:
        place = name_place("predictions", next(iter(predictions)))
        kinds = predictions.values()
        warn_of_empty_predictions(len(predictions), count, place, system, kinds)
    if references:
        rows = np.unique(samples.offsets.searchsorted(list(references), side="right") - 1)
        place = name_place("references", int(rows[0]))
        warn_of_empty_references(len(rows), count, place, references.values())


def warn_of_empty_predictions(
    empty: int, count: int, place: str = "", system: str = "", kinds: Iterable[str] = ("",)
) -> None:
    """Warn that some of ``count`` predictions are empty, or missing values.

    ``place`` is that of the first one, ``system`` the name of the system that predicted them, and
    ``kinds`` are the missing values, with repeats; the empty text for empty predictions.
    """
    whose = f" of {system!r}" if system else ""
    what = f"predictions{whose} {'is' if empty == 1 else 'are'} {_name_kinds(kinds)}"
    _warn(f"{empty:,} of {count:,} {what}", empty, place, kinds)


def warn_of_empty_references(
    empty: int, count: int, place: str = "", kinds: Iterable[str] = ("",)
) -> None:
    """Warn that some of ``count`` rows have an empty reference, likewise."""
    have = f"rows {'has' if empty == 1 else 'have'}"
    what = f"a reference that is {_name_kinds(kinds)}" if any(kinds) else "an empty reference"
    _warn(f"{empty:,} of {count:,} {have} {what}", empty, place, kinds)


def _name_kinds(kinds: Iterable[str]) -> str:
    """Return the different kinds as a list of words."""
    *firsts, last = (repr(kind) if kind else "empty" for kind in sorted(set(kinds)))
    return f"{', '.join(firsts)} or {last}" if firsts else last


def _warn(what: str, empty: int, place: str, kinds: Iterable[str]) -> None:
    where = place and f", {'first in ' if empty > 1 else ''}{place}"
    reasons = ["nothing matches an empty text"] * ("" in kinds)
    reasons += ["a missing value is scored as a word"] * any(kinds)
    warn_caller(f"{what}{where}; {', and '.join(reasons)}.")


def _find_empty(texts: Texts) -> dict[int, str]:
    """Return the texts that are empty, only white space, or missing values, without white space."""
    return {
        index: text.strip()
        for index, text in enumerate(list_texts(texts))
        if not text or text.isspace() or text in MISSING_VALUES
    }


def _find_missing(texts: Texts, totals: NDArray[Any] | None) -> dict[int, str]:
    """Return the texts that are missing values; ``totals`` are the tokens of those of an array."""
    if totals is None or isinstance(texts, list):
        suspects = {index: texts[index] for index in find_suspects(list_texts(texts))}
    else:
        # Fast path: without the totals, every text would be converted to a str.
        suspects = find_short_texts(texts, totals, MOST_TOKENS)
    return {index: text for index, text in suspects.items() if text in MISSING_VALUES}


def warn_of_mistakes(
    samples: Samples,
    count_tokens: Callable[[], tuple[NDArray[Any], NDArray[Any]]],
    given: set[str],
) -> None:
    """Warn, once for each mistake, about samples of texts that Python gives; extend ``given``."""
    checks: dict[str, Callable[[], bool]] = {
        "missing": lambda: _warn_of_missing_values(samples, count_tokens),
        "letters": lambda: warn_of_letter_lines(samples),
        "lists": lambda: _warn_of_lists(samples),
    }
    given |= {name for name, check in checks.items() if name not in given and check()}


def warn_of_letter_lines(samples: Samples) -> bool:
    r"""Warn if a tenth of the first texts have a newline after every character; say whether."""
    for name, texts in (("predictions", samples.predictions), ("references", samples.references)):
        looked_at = list_texts(texts[:MOST_LOOKED_AT])
        # Fast path: equals a list of all texts, and mostly has none.
        suspects = [text for text in looked_at if text[1:2] == "\n"]
        if not suspects:
            continue
        found = sum(map(has_letter_lines, suspects))
        if found and 10 * found >= len(looked_at):
            warn_caller(
                format_message(
                    "{} of the first {} {} {} a newline after every character, so that "
                    "characters are scored in place of words",
                    *(found, len(looked_at), name, "has" if found == 1 else "have"),
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
    looked_at = list_texts(samples.references[:MOST_LOOKED_AT])
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
