"""Print what the running Python knows of Unicode as JSON, for ``write_fold_tables.py``.

    python scripts/probe_unicode.py

A table by character lists only the characters that are mapped to something else.
"""

import json
import sys
from collections.abc import Callable
from typing import Final
from unicodedata import category, combining, decomposition, normalize, unidata_version

_CHARACTERS: Final = [chr(code) for code in range(sys.maxunicode + 1)]
_HANGUL: Final = range(0xAC00, 0xD7A4)


def fold(text: str) -> str:
    """Return the text as ``fold_text`` of ``bleu_rouge_metric/text/unicode.py`` does."""
    return normalize("NFKC", normalize("NFKC", text).casefold())


def decompose(text: str) -> str:
    """Return the compatibility decomposition, except of Hangul, which is computed."""
    return text if ord(text) in _HANGUL else normalize("NFKD", text)


def list_compositions() -> list[tuple[str, str, str]]:
    """Return compositions and the pairs of which NFC composes them, except of Hangul."""
    compositions = []
    for character in _CHARACTERS:
        mapping = decomposition(character)
        if " " in mapping and not mapping.startswith("<"):
            first, second = (chr(int(code, 16)) for code in mapping.split())
            if normalize("NFC", first + second) == character:
                compositions.append((character, first, second))
    return compositions


def find_case(character: str) -> str:
    """Return how the rule of the final sigma sees a character: cased, ignorable or other."""
    sigma = "\u03c2"
    # An ignorable character lets the rule see the full stop or the letter before it.
    if f".{character}\u03a3".lower().endswith(sigma):
        return "cased"
    return "ignorable" if f"A{character}\u03a3".lower().endswith(sigma) else "other"


def _map(function: Callable[[str], str], same: str | None = None) -> dict[str, str]:
    mapped = ((character, function(character)) for character in _CHARACTERS)
    return {
        character: other
        for character, other in mapped
        if other != (character if same is None else same)
    }


def main() -> None:
    """Print the tables."""
    version = unidata_version.split(".")
    tables = {
        # 15.1.0 is 151.
        "version": int(version[0]) * 10 + int(version[1]),
        "category": _map(category, "Cn"),
        "combining": _map(lambda character: str(combining(character)), "0"),
        "decomposed": _map(decompose),
        "composed": _map(lambda character: normalize("NFKC", character)),
        "compositions": list_compositions(),
        "folded": _map(fold),
        "lower": _map(str.lower),
        "case": _map(find_case, "other"),
        "space": "".join(filter(str.isspace, _CHARACTERS)),
    }
    sys.stdout.write(json.dumps(tables))


if __name__ == "__main__":
    main()
