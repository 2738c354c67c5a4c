"""Write the tables of Unicode that the kernel is compiled with; CMake runs this.

    python native/unicode_tables.py build/unicode_tables.hpp

A compiled kernel belongs to one version of Python. So lower case, categories, normalization and
case folding come from the Python that builds it, and are those that its ``str`` and ``unicodedata``
have. Classes of words and grapheme clusters come from the package ``regex``, from which
``text/unicode.py`` and ``text/rules.py`` take theirs.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final
from unicodedata import category, combining, decomposition, normalize, unidata_version

import regex

Kind = tuple[int, ...]

# Planes 4 to 13 have no characters; those of 15 and 16 are private, and those of 14 are special.
_CODES: Final = range(0x40000)
_LATE_CODES: Final = range(0xE0000, 0xE1000)
_PAGE: Final = 16  # look_up of characters.hpp has the same size
_BREAK_PAGE: Final = 64  # each of the last two bytes of a character of UTF-8 has 6 bits
_SLOTS: Final = 1536  # there are 941 compositions, and Unicode adds few

# What FoldRole, the flags of FoldKind, WordClass and CaseRole of kinds.hpp list, in their order.
_PLAIN, _SHIFTED, _SPELLED, _COMPLEX, _JOINED = range(5)
_FIRST, _SECOND, _DECOMPOSES, _EXPANDS = 1, 2, 4, 8
_DROPPED, _SPACE, _LETTER, _IDEOGRAPH, _NUMBER, _MARK, _SYMBOL = range(7)
_OTHER, _CASED, _IGNORABLE = range(3)

_HANGUL: Final = range(0xAC00, 0xD7A4)
_LEADING_JAMO: Final = range(0x1100, 0x1113)
_OTHER_JAMO: Final = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))
_IDEOGRAPHS: Final = (
    *(range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00)),
    *(range(0x20000, 0x2A6E0), range(0x2A700, 0x2CEB0), range(0x2F800, 0x2FA20)),
)
# A rarer distance between a character and its folding is spelled out, so that a byte numbers kinds.
_LEAST_USES: Final = 8

# What WordBreak, ClusterBreak and Category of breaks.hpp list, in their order; the first class of
# each, which is left out, has all other characters.
_JOINERS: Final = r"\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}"
_WORD_BREAKS: Final = (
    *(rf"\p{{WB={name}}}" for name in ("ALetter", "Hebrew_Letter", "Numeric", "Katakana")),
    *(rf"\p{{WB={name}}}" for name in ("ExtendNumLet", "MidLetter", "MidNum", "MidNumLet")),
    *(r"\p{WB=Single_Quote}", r"\p{WB=Double_Quote}"),
    r"[[\p{M}\u200c\u200d]--[\u1039\u17d2\u1a60]]",
    r"[\u1039\u17d2\u1a60]",
    rf"[[{_JOINERS}]--[\p{{M}}\u200c\u200d]]",
    r"[[\p{L}\p{N}]&&\p{WB=Other}--\p{LB=SA}]",
    r"[\p{LB=SA}--\p{M}]",
)
_CLUSTER_BREAKS: Final = (
    r"[\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]",
    r"[\p{GCB=Extend}--\p{InCB=Extend}--\p{InCB=Linker}]",
    r"[\p{GCB=Extend}&&\p{InCB=Extend}]",
    r"[\p{GCB=Extend}&&\p{InCB=Linker}]",
    *(rf"\p{{GCB={name}}}" for name in ("ZWJ", "SpacingMark", "Prepend", "L", "V", "T", "LV")),
    *(r"\p{GCB=LVT}", r"\p{GCB=Regional_Indicator}"),
    r"[\p{GCB=Other}&&\p{ExtPict}]",
    r"[\p{GCB=Other}&&\p{InCB=Consonant}]",
    r"[\p{GCB=Other}&&\p{InCB=Linker}]",
)
# The fields of a record: their first bits, as in breaks.hpp, and their classes.
_FIELDS: Final = (
    (0, _WORD_BREAKS),
    (4, (r"[\p{L}\p{N}]",)),
    (5, _CLUSTER_BREAKS),
    (11, (r"\p{N}", r"\p{P}", r"\p{S}")),
)
_IS_SPACE: Final = 1 << 10
# What breaks.hpp takes for granted: these sets are empty.
_EMPTY: Final = (
    rf"[\p{{M}}--[{_JOINERS}]]",
    r"[\p{LB=SA}--\p{M}--\p{WB=Other}]",
    r"[[\p{L}\p{N}]--[\p{WB=Other}\p{WB=ALetter}\p{WB=Hebrew_Letter}\p{WB=Numeric}"
    r"\p{WB=Katakana}\p{WB=Extend}]]",
    r"[\p{GCB=ZWJ}--\p{InCB=Extend}]",
    r"[\p{ExtPict}--\p{GCB=Other}]",
    r"[\p{InCB=Consonant}--\p{GCB=Other}]",
    r"[\p{InCB=Linker}--[\p{GCB=Other}\p{GCB=Extend}]]",
    r"[\p{InCB=Extend}--[\p{GCB=Extend}\p{GCB=ZWJ}]]",
)


def write_array(name: str, values: Sequence[int]) -> str:
    """Write an array of numbers in the smallest type."""
    bits = next(bits for bits in (8, 16, 32, 64) if max(values) < 1 << bits)
    items = ",".join(f"{value}U" for value in values)
    return f"inline constexpr std::array<std::uint{bits}_t, {len(values)}> k{name}{{{items}}};\n"


def write_structures(name: str, type_name: str, rows: Sequence[Kind]) -> str:
    """Write an array of structures."""
    items = ",".join(f"{{{','.join(map(str, row))}}}" for row in rows)
    return f"inline constexpr std::array<{type_name}, {len(rows)}> k{name}{{{{{items}}}}};\n"


def write_trie(name: str, values: Sequence[int]) -> str:
    """Write three arrays: rows of each 256 characters, pages of each 16, and their values."""
    end = max(index for index, value in enumerate(values) if value) + 1
    rows, pages = split_pages(values[: (end + 0xFF) // 0x100 * 0x100], _PAGE)
    tops, rows = split_pages(rows, _PAGE)
    arrays = {"Tops": tops, "Rows": rows, "Pages": pages}
    return "".join(write_array(name + part, array) for part, array in arrays.items())


def split_pages(
    values: Sequence[int], size: int, first: Iterable[Sequence[int]] = ()
) -> tuple[list[int], list[int]]:
    """Return the number of the page of each ``size`` values, and the values of all pages.

    Pages of ``first`` get the first numbers, even if they are equal.
    """
    pages = [tuple(page) for page in first]
    numbers = {page: number for number, page in reversed([*enumerate(pages)])}
    rows = []
    for at in range(0, len(values), size):
        page = tuple(values[at : at + size])
        if page not in numbers:
            numbers[page] = len(pages)
            pages.append(page)
        rows.append(numbers[page])
    return rows, [value for page in pages for value in page]


def decompose(text: str) -> str:
    """Return the compatibility decomposition, except of Hangul, which fold.hpp computes."""
    return text if text in _HANGUL_SYLLABLES else normalize("NFKD", text)


def fold(text: str) -> str:
    """Return the text as ``fold_text`` of ``text/unicode.py`` does."""
    return normalize("NFKC", normalize("NFKC", text).casefold())


def list_compositions() -> list[tuple[str, str, str]]:
    """Return compositions and the pairs of which NFC composes them, except of Hangul."""
    compositions = []
    for character in map(chr, _CODES):
        mapping = decomposition(character)
        if " " in mapping and not mapping.startswith("<"):
            first, second = (chr(int(code, 16)) for code in mapping.split())
            if normalize("NFC", first + second) == character:
                compositions.append((character, first, second))
    return compositions


_HANGUL_SYLLABLES: Final = frozenset(map(chr, _HANGUL))
_COMPOSITIONS: Final = list_compositions()
_FIRSTS: Final = {
    *(first for _, first, _ in _COMPOSITIONS),
    *map(chr, (*_HANGUL, *_LEADING_JAMO)),
}
_SECONDS: Final = {*(second for *_, second in _COMPOSITIONS), *map(chr, _OTHER_JAMO)}
_FOLDINGS: Final = [fold(chr(code)) for code in _CODES]
_USES: Final = Counter(
    ord(other) - code
    for code, other in enumerate(_FOLDINGS)
    if len(other) == 1 and ord(other) != code
)


def starts_segment(text: str) -> bool:
    """Return whether a text can neither be reordered nor composed with what precedes it."""
    return not combining(text[0]) and text[0] not in _SECONDS


def can_compose(*forms: str) -> bool:
    """Return whether one of the forms can be composed with what follows it."""
    for form in forms:
        starters = [part for part in form if not combining(part)]
        if not _FIRSTS.isdisjoint((form[-1], *starters[-1:])):
            return True
    return False


def find_fold_kind(code: int) -> Kind:
    """Return the distance to the folding, the role, the flags and the combining class.

    Of a spelled character, it is the class of the last character of the spelling.
    """
    character = chr(code)
    decomposed, composed = decompose(character), normalize("NFKC", character)
    folded, combining_class = _FOLDINGS[code], combining(character)
    distance = ord(folded) - code if len(folded) == 1 else 0
    is_near = len(folded) == 1 and (not distance or _USES[distance] >= _LEAST_USES)
    flags = can_compose(character, decomposed, composed, folded) * _FIRST
    flags |= (character in _SECONDS) * _SECOND
    flags |= (decomposed != character) * _DECOMPOSES
    if not starts_segment(decomposed):
        role = _PLAIN if folded == decomposed == character else _JOINED
    elif not starts_segment("".join(map(decompose, folded))):
        raise SystemExit(f"fold.hpp: the folding of {character!r} can join what precedes it.")
    elif folded == decomposed and not is_near:
        role = _SPELLED
        combining_class = combining(folded[-1])
    elif is_near and not combining(composed[-1]):
        role = _SHIFTED if distance else _PLAIN
    else:
        role = _COMPLEX
    if role not in {_PLAIN, _SHIFTED}:
        distance = 0
        flags |= (folded != character == composed) * _EXPANDS
    return distance, role, flags, combining_class


def find_word_kind(code: int) -> Kind:
    """Return the distance to the lower case, the class for ``xlsum`` and the role of the case."""
    character = chr(code)
    other = character.lower()
    if len(other) > 1:
        if character != "\u0130":  # lower.hpp has its lower case
            raise SystemExit(f"lower.hpp: the lower case of {character!r} has two characters.")
        other = character
    kind = category(other)
    if other in "\t\n\r" or kind == "Zs":
        word_class = _SPACE
    elif other == "\ufffd" or kind[0] == "C":
        word_class = _DROPPED
    elif kind[0] == "P" or (other.isascii() and not other.isalnum()) or other.isspace():
        word_class = _SPACE
    elif kind[0] == "L":
        word_class = _IDEOGRAPH if any(code in block for block in _IDEOGRAPHS) else _LETTER
    else:
        word_class = {"N": _NUMBER, "M": _MARK}.get(kind[0], _SYMBOL)
    # The final sigma tells cased characters; an ignorable one shows it the character before.
    sigma = "\u03c2"
    case = _OTHER
    if f".{character}\u03a3".lower().endswith(sigma):
        case = _CASED
    elif f"A{character}\u03a3".lower().endswith(sigma):
        case = _IGNORABLE
    return ord(other) - code, word_class, case


def write_folding() -> str:
    """Write the kinds of characters for the folding, and what is spelled out: a table and bytes."""
    kinds: dict[Kind, int] = {}
    spelled = bytearray()
    places = {b"": 0}
    numbers, spellings = [], []
    for code in _CODES:
        kind = find_fold_kind(code)
        numbers.append(kinds.setdefault(kind, len(kinds)))
        flags, character = kind[2], chr(code)
        parts = [decompose(character)] if flags & _DECOMPOSES else []
        parts += [_FOLDINGS[code]] if flags & _EXPANDS else []
        spelling = b"".join(bytes([len(part)]) + part for part in map(str.encode, parts))
        if spelling not in places:
            places[spelling] = len(spelled) + 1
            spelled += spelling
        spellings.append(places[spelling])
    return (
        write_structures("FoldKinds", "FoldKind", [*kinds])
        + write_trie("Fold", numbers)
        + write_trie("Spelling", spellings)
        + write_array("Spellings", spelled)
    )


def write_compositions() -> str:
    """Write the hash table from pairs of characters to compositions, 21 bits each."""
    slots = [0] * _SLOTS
    for composed, first, second in _COMPOSITIONS:
        # As first_slot of fold.hpp does.
        mixed = (ord(first) * 0x9E3779B1 ^ ord(second) * 0x85EBCA6B) & 0xFFFFFFFF
        slot = mixed * _SLOTS >> 32
        while slots[slot]:
            slot = (slot + 1) % _SLOTS
        slots[slot] = ord(first) << 42 | ord(second) << 21 | ord(composed)
    return write_array("Compositions", slots)


def write_words() -> str:
    """Write the tables of lower case and of the classes of ``xlsum``."""
    kinds: dict[Kind, int] = {}
    numbers = [kinds.setdefault(find_word_kind(code), len(kinds)) for code in _CODES]
    ranges: list[list[int]] = []
    for code in _LATE_CODES:
        number = kinds.setdefault(find_word_kind(code), len(kinds))
        if not ranges or ranges[-1][2] != number:
            ranges.append([code, code, number])
        ranges[-1][1] = code
    return (
        write_structures("WordKinds", "WordKind", [*kinds])
        + write_trie("Word", numbers)
        + write_structures("LateWordKinds", "KindRange", [tuple(row) for row in ranges])
    )


def write_breaks() -> str:
    """Write the classes of breaks.hpp, and the gaps by which versions of ``regex`` differ."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))

    def find_runs(pattern: str) -> list[range]:
        return [range(*match.span()) for match in regex.finditer(f"(?V1){pattern}++", every)]

    records = [_IS_SPACE * character.isspace() for character in every]
    taken: set[tuple[int, int]] = set()
    for shift, classes in _FIELDS:
        for number, pattern in enumerate(classes, 1):
            for code in (code for run in find_runs(pattern) for code in run):
                if (shift, code) in taken:
                    raise SystemExit(f"breaks.hpp: U+{code:04X} has two classes: {pattern}.")
                taken.add((shift, code))
                records[code] |= number << shift
    for pattern in _EMPTY:
        if find_runs(pattern):
            raise SystemExit(f"breaks.hpp has no class for the characters of {pattern}.")
    kinds = sorted(set(records))
    numbers = {record: number for number, record in enumerate(kinds)}
    rows, pages = split_pages([numbers[record] for record in records], _BREAK_PAGE)
    # Rows of the first plane are not shared: two bytes of UTF-8 are enough to find a page.
    first = [rows[at : at + _BREAK_PAGE] for at in range(0, 0x10000 // _BREAK_PAGE, _BREAK_PAGE)]
    planes, rows = split_pages(rows, _BREAK_PAGE, first)
    gaps = [run.start for run in find_runs(r"\p{Cn}") if run.start in _CODES]
    arrays = {"Records": kinds, "Pages": pages, "Rows": rows, "Planes": planes, "Gaps": gaps}
    return "".join(write_array(f"Break{name}", array) for name, array in arrays.items())


def main() -> None:
    """Write the header."""
    tables = write_folding() + write_compositions() + write_words() + write_breaks()
    Path(sys.argv[1]).write_text(
        "// Written by native/unicode_tables.py.\n#pragma once\n#include <array>\n"
        '#include <cstdint>\n#include "text/unicode/kinds.hpp"\nnamespace bleu_rouge {\n'
        f'inline constexpr char kUnicodeVersion[] = "{unidata_version}";\n'
        f'inline constexpr char kRegexVersion[] = "{version("regex")}";\n'
        f"{tables}}}\n",
        "utf-8",
    )


if __name__ == "__main__":
    main()
