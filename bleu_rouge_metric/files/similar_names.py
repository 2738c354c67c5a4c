"""Find the file that was probably meant by a name that does not exist."""

import difflib
import os
from contextlib import suppress
from itertools import islice
from pathlib import PurePath
from typing import Final

# The names of a large folder would take long to compare.
_MOST_COMPARED: Final = 1000

# How similar a name has to be, from 0 to 1. Names of equal suffixes have 0.6 easily.
_SIMILAR: Final = 0.8


def find_similar(path: str) -> str | None:
    """Return the path of a file in the same folder with a similar name; None if there is none."""
    given = PurePath(path)
    with suppress(OSError), os.scandir(given.parent) as entries:
        names = [entry.name for entry in islice(entries, _MOST_COMPARED)]
        for name in difflib.get_close_matches(given.name, names, 1, _SIMILAR):
            return str(given.with_name(name))
    return None
