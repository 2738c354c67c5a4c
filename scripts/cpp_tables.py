"""Write tables of numbers as arrays of C++."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

Kind = tuple[int, ...]

# look_up of native/text/unicode/characters.hpp has the same size.
PAGE: Final = 16
_WIDTH: Final = 100
_FOLDER: Final = Path(__file__).parent.parent / "native" / "text" / "unicode"


def write_header(script: Path, name: str, content: str, tables: str) -> None:
    """Write a header of ``native/text/unicode/``.

    Args:
        script: what writes it.
        name: name of the file.
        content: what its tables are.
        tables: the arrays.
    """
    kinds = '#include "text/unicode/kinds.hpp"\n\n' if "Kind" in tables else ""
    (_FOLDER / name).write_text(
        f"// {content} Written by scripts/{script.name}.\n"
        f"#pragma once\n\n#include <array>\n#include <cstdint>\n\n{kinds}"
        f"namespace bleu_rouge {{\n\n{tables}}}  // namespace bleu_rouge\n",
        "utf-8",
    )


def write_array(name: str, values: Sequence[int], comment: str = "") -> str:
    """Write an array of numbers in the smallest type."""
    most = max(values)
    bits = next(bits for bits in (8, 16, 32, 64) if most < 1 << bits)
    suffix = "U" if bits == 64 else ""
    lines = fill_lines(f"{value}{suffix}," for value in values)
    declaration = f"inline constexpr std::array<std::uint{bits}_t, {len(values)}> {name}{{"
    print(f"{name}: {len(values) * bits // 8} bytes", file=sys.stderr)
    return "".join([comment and f"// {comment}\n", declaration, "\n", *lines, "};\n\n"])


def fill_lines(words: Iterable[str]) -> list[str]:
    """Fill lines of ``_WIDTH`` characters."""
    lines = [" "]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > _WIDTH:
            lines.append(" ")
        lines[-1] += f" {word}"
    return [f"{line}\n" for line in lines]


def write_structures(name: str, type_name: str, structures: Sequence[Kind]) -> str:
    """Write an array of structures."""
    lines = fill_lines("{" + ", ".join(map(str, item)) + "}," for item in structures)
    declaration = f"inline constexpr std::array<{type_name}, {len(structures)}> {name}{{{{\n"
    print(f"{name}: {len(structures)} structures", file=sys.stderr)
    return "".join([declaration, *lines, "}};\n\n"])


def write_trie(name: str, values: Sequence[int], comment: str) -> str:
    """Write three arrays: rows of each 256 characters, pages of each 16, and their values."""
    rows, pages = split_pages(_trim(values))
    tops, rows = split_pages(rows)
    return (
        f"// {comment}\n"
        + write_array(f"k{name}Tops", tops)
        + write_array(f"k{name}Rows", rows)
        + write_array(f"k{name}Pages", pages)
    )


def _trim(values: Sequence[int]) -> Sequence[int]:
    """Return the values without the last ones, which are 0."""
    end = max(index for index, value in enumerate(values) if value) + 1
    return values[: (end + 0xFF) // 0x100 * 0x100]


def split_pages(
    values: Sequence[int], size: int = PAGE, first: Iterable[Sequence[int]] = ()
) -> tuple[list[int], list[int]]:
    """Return the number of the page of each ``size`` values, and the values of the pages in a row.

    Args:
        values: one per character, or one per page.
        size: of a page.
        first: pages that get the first numbers, also if they are equal.
    """
    pages = [tuple(page) for page in first]
    numbers = {page: number for number, page in reversed(list(enumerate(pages)))}
    rows = []
    for at in range(0, len(values), size):
        page = tuple(values[at : at + size])
        if page not in numbers:
            numbers[page] = len(pages)
            pages.append(page)
        rows.append(numbers[page])
    return rows, [value for page in pages for value in page]
