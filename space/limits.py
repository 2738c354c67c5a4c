"""The limits of the page, which keep each request small and short, and the messages about them.

They are made for the slower Python kernel, which takes about a second for a text of the largest
length.
"""

from collections.abc import Sequence
from typing import Final

MAX_SECONDS: Final = 20  # for scoring, and for reading a file
MAX_CHARACTERS: Final = 20_000  # of one text
MAX_REFERENCES: Final = 20  # of one sample
MAX_ROWS: Final = 10_000
MAX_FILE_CHARACTERS: Final = 20_000_000  # of all texts of a file
MAX_MEGABYTES: Final = 20  # of a file
MAX_READER_MEGABYTES: Final = 512  # memory of the process that reads a file
# For rougeLsum: characters of the prediction times lines of the references, of one sample.
MAX_LINE_WORK: Final = 4_000_000

ELSEWHERE: Final = "or use the command bleu-rouge, which has no limits."


class InputError(ValueError):
    """An input that the user has to change; the page shows the message."""


def check_text(place: str, value: object) -> str:
    """Return the value if it is a text that can be scored; errors begin with ``place``."""
    if value is None:
        raise InputError(f"{place}: the value is missing; fill it in, or remove the row.")
    if not isinstance(value, str):
        raise InputError(
            f"{place}: {str(value)[:40]} is not a text but of type {type(value).__name__}; "
            "write it as a text, for nothing is converted."
        )
    if len(value) > MAX_CHARACTERS:
        raise InputError(
            f"{place}: the text has {len(value):,} characters; "
            f"this page scores texts of up to {MAX_CHARACTERS:,} characters."
        )
    return value


def check_reference_count(place: str, count: int) -> None:
    """Raise InputError if a sample has no reference, or too many."""
    if not count:
        raise InputError(f"{place}: the list is empty; every sample needs a reference.")
    if count > MAX_REFERENCES:
        raise InputError(
            f"{place}: there are {count:,} references; "
            f"this page scores up to {MAX_REFERENCES} for a sample."
        )


def check_lines(place: str, prediction: str, references: Sequence[str]) -> None:
    """Raise InputError if rougeLsum would compare too many lines."""
    if count_line_work(prediction, references) > MAX_LINE_WORK:
        raise InputError(
            f"{place}: the prediction has {len(prediction):,} characters and the references "
            f"{count_lines(references):,} lines, too many to compare line by line: this page "
            f"computes rougeLsum if the one times the other is up to {MAX_LINE_WORK:,}. Leave out "
            f"rougeLsum, {ELSEWHERE}"
        )


def count_line_work(prediction: str, references: Sequence[str]) -> int:
    """Return the amount of work to compare every prediction line with every reference line."""
    return len(prediction) * count_lines(references)


def count_lines(texts: Sequence[str]) -> int:
    """Count the lines of all texts; an empty text is a line too."""
    return sum(text.count("\n") + 1 for text in texts)
