"""Write the tables of ``breaks.hpp`` in ``native/text/unicode/``.

    python scripts/write_break_tables.py 18

The headers are ``break_tables.hpp``, the classes of characters, and ``break_versions.hpp``, what
tells their version of Unicode from others. The argument is the version of Unicode of the installed
``regex`` package. The classes come from that package, because ``text/unicode.py`` and
``text/mteval.py`` take theirs from it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import regex
from cpp_tables import split_pages, write_array, write_header

_EVERY_CHARACTER: Final = "".join(map(chr, range(sys.maxunicode + 1)))

# What WordBreak, ClusterBreak and Category of breaks.hpp list, in their order: the characters of
# each class. The first class has all other characters.
_JOINED: Final = r"\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}"
_WORD_BREAKS: Final = (
    r"\p{WB=ALetter}",
    r"\p{WB=Hebrew_Letter}",
    r"\p{WB=Numeric}",
    r"\p{WB=Katakana}",
    r"\p{WB=ExtendNumLet}",
    r"\p{WB=MidLetter}",
    r"\p{WB=MidNum}",
    r"\p{WB=MidNumLet}",
    r"\p{WB=Single_Quote}",
    r"\p{WB=Double_Quote}",
    r"[[\p{M}\u200c\u200d]--[\u1039\u17d2\u1a60]]",
    r"[\u1039\u17d2\u1a60]",
    rf"[[{_JOINED}]--[\p{{M}}\u200c\u200d]]",
    r"[[\p{L}\p{N}]&&\p{WB=Other}--\p{LB=SA}]",
    r"[\p{LB=SA}--\p{M}]",
)
_CLUSTER_BREAKS: Final = (
    r"[\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]",
    r"[\p{GCB=Extend}--\p{InCB=Extend}--\p{InCB=Linker}]",
    r"[\p{GCB=Extend}&&\p{InCB=Extend}]",
    r"[\p{GCB=Extend}&&\p{InCB=Linker}]",
    r"\p{GCB=ZWJ}",
    r"\p{GCB=SpacingMark}",
    r"\p{GCB=Prepend}",
    r"\p{GCB=L}",
    r"\p{GCB=V}",
    r"\p{GCB=T}",
    r"\p{GCB=LV}",
    r"\p{GCB=LVT}",
    r"\p{GCB=Regional_Indicator}",
    r"[\p{GCB=Other}&&\p{ExtPict}]",
    r"[\p{GCB=Other}&&\p{InCB=Consonant}]",
    r"[\p{GCB=Other}&&\p{InCB=Linker}]",
)
_CATEGORIES: Final = (r"\p{N}", r"\p{P}", r"\p{S}")
# What breaks.hpp and the tokenizers take for granted.
_EMPTY: Final = (
    rf"[\p{{M}}--[{_JOINED}]]",
    r"[\p{LB=SA}--\p{M}--\p{WB=Other}]",
    r"[[\p{L}\p{N}]--[\p{WB=Other}\p{WB=ALetter}\p{WB=Hebrew_Letter}\p{WB=Numeric}"
    r"\p{WB=Katakana}\p{WB=Extend}]]",
    r"[\p{GCB=ZWJ}--\p{InCB=Extend}]",
    r"[\p{ExtPict}--\p{GCB=Other}]",
    r"[\p{InCB=Consonant}--\p{GCB=Other}]",
    r"[\p{InCB=Linker}--[\p{GCB=Other}\p{GCB=Extend}]]",
    r"[\p{InCB=Extend}--[\p{GCB=Extend}\p{GCB=ZWJ}]]",
)

# The fields of a record: their first bits, as in breaks.hpp.
_LETTER_OR_NUMBER, _CLUSTER, _SPACE, _CATEGORY = 4, 5, 10, 11

# The last continuation byte of UTF-8 has 6 bits, and so has the one before it.
_PAGE: Final = 64
_PLANE: Final = 0x10000
# The highest planes have only special and private characters.
_LAST_TEXT_PLANE: Final = 3


def find_runs(pattern: str) -> list[range]:
    """Return the characters that a set of the regex package contains, as runs."""
    found = regex.finditer(f"(?V1){pattern}++", _EVERY_CHARACTER)
    return [range(*match.span()) for match in found]


def write_records() -> list[int]:
    """Return the record of every character."""
    records = [0] * len(_EVERY_CHARACTER)

    def add(shift: int, classes: Sequence[str]) -> None:
        for number, pattern in enumerate(classes, 1):
            for code in (code for run in find_runs(pattern) for code in run):
                if records[code] >> shift:
                    raise SystemExit(f"U+{code:04X} has two classes, the second is {pattern}.")
                records[code] |= number << shift

    for pattern in _EMPTY:
        if find_runs(pattern):
            raise SystemExit(f"{pattern} has characters, and breaks.hpp has no class for them.")
    # The fields are filled from the lowest to the highest, as ``add`` expects.
    add(0, _WORD_BREAKS)
    add(_LETTER_OR_NUMBER, [r"[\p{L}\p{N}]"])
    add(_CLUSTER, _CLUSTER_BREAKS)
    for code, character in enumerate(_EVERY_CHARACTER):
        records[code] |= character.isspace() << _SPACE
    add(_CATEGORY, _CATEGORIES)
    return records


def main() -> None:
    """Write the headers."""
    version = int(sys.argv[1])
    records = write_records()
    kinds = sorted(set(records))
    numbers = {record: number for number, record in enumerate(kinds)}
    rows, pages = split_pages([numbers[record] for record in records], _PAGE)
    # The rows of the first plane are not shared: two bytes of UTF-8 are enough to find a page.
    row_pages = [rows[at : at + _PAGE] for at in range(0, _PLANE // _PAGE, _PAGE)]
    planes, rows = split_pages(rows, _PAGE, row_pages)
    unassigned = (run.start for run in find_runs(r"\p{Cn}"))
    gaps = [code for code in unassigned if code <= _LAST_TEXT_PLANE * _PLANE | 0xFFFF]
    write_header(
        Path(__file__),
        "break_tables.hpp",
        "The classes of characters of breaks.hpp.",
        write_array("kBreakRecords", kinds, "Fields of characters, see breaks.hpp.")
        + write_array("kBreakPages", pages, "The numbers of the records of 64 characters each.")
        + write_array("kBreakRows", rows, "The numbers of 64 pages each.")
        + write_array("kBreakPlanes", planes, "The row of each 4096 characters."),
    )
    write_header(
        Path(__file__),
        "break_versions.hpp",
        "The version of Unicode of breaks.hpp.",
        f"inline constexpr std::uint32_t kBreakVersion = {version};\n\n"
        + write_array(
            "kBreakGaps",
            gaps,
            "Each is unassigned and follows an assigned character: what a new version changes.",
        ),
    )


if __name__ == "__main__":
    main()
