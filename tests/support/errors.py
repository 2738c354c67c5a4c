"""The texts of warnings, and wrong calls as data: a line with a call, and below it its error.

The names that errors list are read from the tables of the package, so that a new one is not written
into the test of every error. ``test_options`` and ``text/errors.txt`` write them out.
"""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.text.tokenizer import TOKENIZERS


def read_errors(file: Path) -> list[tuple[str, str]]:
    """Return the calls of a file, each with its error; lines with # at the start are titles."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [(call, error.strip()) for call, error in zip(lines[::2], lines[1::2], strict=True)]


def read_warnings(file: Path) -> list[tuple[str, list[str]]]:
    """Return the calls of a file, each with its warnings, which are below it, if it has some."""
    blocks = re.findall(r"^([^# \n].*)\n((?: .*\n)*)", file.read_text("utf-8"), re.MULTILINE)
    return [(call, re.findall("^ +(.+)$", below, re.MULTILINE)) for call, below in blocks]


def call_wrongly(call: str, names: dict[str, Any]) -> str:
    """Return the type and the text of the error of a call."""
    try:
        eval(call, names)
    except Exception as error:  # noqa: BLE001 - its type is compared
        return f"{type(error).__name__}: {error}"
    return "no error"


PROFILE_NAMES: Final = ", ".join(map(repr, PROFILES))
ROUGE_PROFILE_NAMES: Final = ", ".join(
    repr(name) for name, profile in PROFILES.items() if "rouge" in profile.families
)
TOKENIZER_NAMES: Final = ", ".join(map(repr, TOKENIZERS))


def list_warnings(*calls: Callable[[], object], pattern: str = "") -> list[str]:
    """Return the texts of the warnings of all calls, in order.

    Args:
        *calls: called one after the other.
        pattern: a regular expression that is searched in each text; others are left out.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for call in calls:
            call()
    return [text for warning in caught if re.search(pattern, text := str(warning.message))]
