"""Write the tables of the folding and of ``xlsum`` in ``native/text/unicode/``.

    python scripts/write_fold_tables.py python3.10 python3.11 python3.12 python3.13

The headers are ``versions.hpp``, ``fold_tables.hpp``, ``spelling_tables.hpp``,
``composition_tables.hpp`` and ``word_tables.hpp``. The arguments are interpreters with different
versions of Unicode, the oldest first. The tables hold the newest version. A character that an older
version does not know, or for which it has other properties, has a kind with a link to its older
kind.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from cpp_tables import Kind, write_array, write_header, write_structures, write_trie

_PROBE: Final = Path(__file__).with_name("probe_unicode.py")
_CODES: Final = range(sys.maxunicode + 1)

# What FoldRole and the flags of kinds.hpp list, in their order.
_PLAIN, _SHIFTED, _SPELLED, _COMPLEX, _JOINED = range(5)
_FIRST, _SECOND, _DECOMPOSES, _EXPANDS = 1, 2, 4, 8
# What WordClass and CaseRole list.
_DROPPED, _SPACE, _LETTER, _IDEOGRAPH, _NUMBER, _WORD_MARK, _SYMBOL = range(7)
_CASES: Final = ("other", "cased", "ignorable")

# There are 941 compositions, and Unicode adds few.
_SLOTS: Final = 1536
# A rarer distance between a character and its folding is spelled out, so that a byte numbers kinds.
_LEAST_USES: Final = 8
_LEADING_JAMO: Final = range(0x1100, 0x1113)
_OTHER_JAMO: Final = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))
_HANGUL: Final = range(0xAC00, 0xD7A4)
_IDEOGRAPHS: Final = (
    *(range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00)),
    *(range(0x20000, 0x2A6E0), range(0x2A700, 0x2CEB0), range(0x2F800, 0x2FA20)),
)
# Its lower case alone has two characters, which xlsum.hpp has.
_CAPITAL_I_WITH_DOT: Final = 0x130
# Characters from here on have few kinds, in ranges.
_LATE: Final = 0x40000


class Folding:
    """The kinds and spellings of characters for the folding, by one version of Unicode."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.decomposed: dict[str, str] = data["decomposed"]
        self.folded: dict[str, str] = data["folded"]
        self._composed: dict[str, str] = data["composed"]
        self._combining: dict[str, str] = data["combining"]
        pairs = data["compositions"]
        self._firsts = {first for _, first, _ in pairs} | set(map(chr, (*_HANGUL, *_LEADING_JAMO)))
        self._seconds = {second for *_, second in pairs} | set(map(chr, _OTHER_JAMO))
        self._special = self._firsts | self._seconds | data["combining"].keys()
        self._special |= self.decomposed.keys() | self.folded.keys()
        self._uses = Counter(
            ord(other) - ord(character)
            for character, other in self.folded.items()
            if len(other) == 1
        )

    def find_kind(self, code: int) -> Kind:
        """Return the distance to the folding, the role, the flags and the combining class.

        Of a spelled character, it is the class of the last character of the spelling.
        """
        character = chr(code)
        if character not in self._special:
            return 0, _PLAIN, 0, 0
        decomposed = self.decomposed.get(character, character)
        composed = self._composed.get(character, character)
        folded = self.folded.get(character, character)
        combining = self._class_of(character)
        distance = ord(folded) - code if len(folded) == 1 else 0
        flags = self._can_compose(character, decomposed, composed, folded) * _FIRST
        flags |= (character in self._seconds) * _SECOND
        flags |= (decomposed != character) * _DECOMPOSES
        if not self._starts(decomposed):
            role = _PLAIN if folded == decomposed == character else _JOINED
        elif not self._starts("".join(self.decomposed.get(part, part) for part in folded)):
            raise ValueError(f"The folding of {character!r} can join what precedes it.")
        elif folded == decomposed and not (len(folded) == 1 and self._is_common(distance)):
            role = _SPELLED
            combining = self._class_of(folded[-1])
        elif len(folded) == 1 and self._is_common(distance) and not self._class_of(composed[-1]):
            role = _SHIFTED if distance else _PLAIN
        else:
            role = _COMPLEX
        if role not in {_PLAIN, _SHIFTED}:
            distance = 0
            flags |= (folded != character == composed) * _EXPANDS
        return distance, role, flags, combining

    def _is_common(self, distance: int) -> bool:
        return not distance or self._uses[distance] >= _LEAST_USES

    def _class_of(self, character: str) -> int:
        return int(self._combining.get(character, "0"))

    def _starts(self, text: str) -> bool:
        """Return whether a text can neither be reordered nor composed with what precedes it."""
        return not self._class_of(text[0]) and text[0] not in self._seconds

    def _can_compose(self, *forms: str) -> bool:
        """Return whether one of the forms can be composed with what follows it."""
        for form in forms:
            starters = [part for part in form if not self._class_of(part)]
            if not self._firsts.isdisjoint((form[-1], *starters[-1:])):
                return True
        return False

    def spell(self, character: str) -> bytes:
        """Return the decomposition, then the folding, each only if its flag is set."""
        flags = self.find_kind(ord(character))[2]
        parts = [self.decomposed[character]] if flags & _DECOMPOSES else []
        parts += [self.folded[character]] if flags & _EXPANDS else []
        spelled = (part.encode() for part in parts)
        return b"".join(bytes([len(part)]) + part for part in spelled)


def classify_words(data: dict[str, Any]) -> Callable[[int], Kind]:
    """Return a function from a character to its lower case, word class and case."""
    category, lower, case = data["category"], data["lower"], data["case"]

    def find_kind(code: int) -> Kind:
        character = chr(code)
        other = lower.get(character, character)
        if len(other) > 1:
            if code != _CAPITAL_I_WITH_DOT:
                raise ValueError(f"The lower case of {character!r} has two characters.")
            other = character
        kind = category.get(other, "Cn")
        if other in "\t\n\r" or kind == "Zs":
            word_class = _SPACE
        elif other == "\ufffd" or kind[0] == "C":
            word_class = _DROPPED
        elif kind[0] == "P" or (other.isascii() and not other.isalnum()) or other in data["space"]:
            word_class = _SPACE
        elif kind[0] == "L":
            word_class = _IDEOGRAPH if any(code in block for block in _IDEOGRAPHS) else _LETTER
        else:
            word_class = {"N": _NUMBER, "M": _WORD_MARK}.get(kind[0], _SYMBOL)
        return ord(other) - code, word_class, _CASES.index(case.get(character, "other"))

    return find_kind


def number_kinds(
    finders: Sequence[Callable[[int], Kind]],
) -> tuple[list[int], list[Kind]]:
    """Return the number of the kind of every character, and the kinds.

    Args:
        finders: one per version of Unicode, the oldest first.

    Returns:
        Kinds are followed by the index of the version that introduced them and the number of the
        older kind, which is smaller than the number of the kind, or 0 if there is none.
    """
    numbers: dict[tuple[Kind, int, int], int] = {}

    def find_number(kinds: Sequence[Kind]) -> int:
        since = len(kinds) - 1
        while since and kinds[since - 1] == kinds[-1]:
            since -= 1
        older = find_number(kinds[:since]) if since else 0
        return numbers.setdefault((kinds[-1], since, older), len(numbers))

    # Numbers are in the order of the characters, and most characters have a number already.
    cache: dict[tuple[Kind, ...], int] = {}
    column = []
    for code in _CODES:
        kinds = tuple(find_kind(code) for find_kind in finders)
        if kinds not in cache:
            cache[kinds] = find_number(kinds)
        column.append(cache[kinds])
    return column, [(*kind, since, older) for kind, since, older in numbers]


def write_kinds(name: str, type_name: str, kinds: Sequence[Kind]) -> str:
    """Write the kinds, and the ages of those that an older version lacks."""
    ages = [(number, *kind[-2:]) for number, kind in enumerate(kinds) if kind[-2]]
    return write_structures(f"k{name}Kinds", type_name, [kind[:-2] for kind in kinds]) + (
        write_structures(f"k{name}Ages", "KindAge", ages)
    )


def write_folding(foldings: Sequence[Folding]) -> str:
    """Write the kinds of characters for the folding."""
    column, kinds = number_kinds([folding.find_kind for folding in foldings])
    return write_kinds("Fold", "FoldKind", kinds) + (
        write_trie("Fold", column, "The number of the kind of a character.")
    )


def write_spellings(foldings: Sequence[Folding]) -> str:
    """Write the decompositions and foldings that are spelled out."""
    newest = foldings[-1]
    for folding in foldings:
        # Only what a character has in all versions that know it needs no age.
        if not (
            folding.decomposed.items() <= newest.decomposed.items()
            and folding.folded.items() <= newest.folded.items()
        ):
            raise ValueError("A decomposition or a folding has changed.")
    # Spellings by character: 0, or 1 plus the place in the row of all spellings.
    pool = bytearray()
    places: dict[bytes, int] = {b"": 0}
    spellings = []
    for code in _CODES:
        spelled = newest.spell(chr(code))
        if spelled not in places:
            places[spelled] = len(pool) + 1
            pool += spelled
        spellings.append(places[spelled])
    comment = "1 plus the place in kSpellings, or 0 if it has none."
    return write_trie("Spelling", spellings, comment) + (
        write_array("kSpellings", pool, "Each is a number of bytes, and the bytes.")
    )


def first_slot(first: int, second: int) -> int:
    """Return the first slot for a pair, as ``first_slot`` of ``normalize.hpp`` does."""
    mixed = (first * 0x9E3779B1 ^ second * 0x85EBCA6B) & 0xFFFFFFFF
    return mixed * _SLOTS >> 32


def write_compositions(compositions: Iterable[tuple[str, str, str]]) -> str:
    """Write the hash table from pairs of characters to their compositions."""
    slots = [0] * _SLOTS
    for composed, first, second in compositions:
        slot = first_slot(ord(first), ord(second))
        while slots[slot]:
            slot = (slot + 1) % _SLOTS
        slots[slot] = ord(first) << 42 | ord(second) << 21 | ord(composed)
    comment = "Two characters and their composition, 21 bits each; 0 is a free slot."
    return write_array("kCompositions", slots, comment)


def write_words(versions: Sequence[dict[str, Any]]) -> str:
    """Write the tables of lower case and of the classes of xlsum."""
    column, kinds = number_kinds([classify_words(data) for data in versions])
    ranges: list[list[int]] = []
    for code in range(_LATE, len(column)):
        if not ranges or ranges[-1][2] != column[code]:
            ranges.append([code, code, column[code]])
        ranges[-1][1] = code
    return (
        write_kinds("Word", "WordKind", kinds)
        + write_trie("Word", column[:_LATE], "The number of the kind of a character.")
        + "// The kinds of the characters after those of the pages.\n"
        + write_structures("kLateWordKinds", "KindRange", [tuple(item) for item in ranges])
    )


def main() -> None:
    """Write the headers."""
    versions = [
        json.loads(subprocess.check_output([python, str(_PROBE)])) for python in sys.argv[1:]
    ]
    numbers = [data["version"] for data in versions]
    if numbers != sorted(set(numbers)):
        raise SystemExit("Name interpreters with different versions of Unicode, the oldest first.")
    foldings = [Folding(data) for data in versions]
    headers = {
        "versions.hpp": (
            "The versions of Unicode of the tables.",
            write_array("kUnicodeVersions", numbers, "151 is 15.1."),
        ),
        "fold_tables.hpp": ("The kinds of characters for the folding.", write_folding(foldings)),
        "spelling_tables.hpp": (
            "Decompositions and foldings that are spelled out.",
            write_spellings(foldings),
        ),
        "composition_tables.hpp": (
            "Pairs of characters and their compositions.",
            write_compositions(versions[-1]["compositions"]),
        ),
        "word_tables.hpp": (
            "The kinds of characters for lower case and for xlsum.",
            write_words(versions),
        ),
    }
    for name, (content, tables) in headers.items():
        write_header(Path(__file__), name, content, tables)


if __name__ == "__main__":
    main()
