"""Write the tables of the manual that are made from the code into its pages.

    python scripts/write_tables.py

A table is between two comments, so that readers of the repository see it too:
``<!-- table: options bleu -->`` calls a function of ``reference_tables`` with its argument;
``<!-- table: names -->`` lists the names of the directives after it.
"""

import re
from pathlib import Path
from typing import Final

from name_tables import list_rows
from reference_tables import TABLES, write_table

# Without these libraries the tables of the names that need them are left as they are.
OPTIONAL: Final = ("torch", "torchmetrics")
DOCS: Final = Path(__file__).parent.parent / "docs"
_TABLE: Final = re.compile(
    r"(?P<start><!-- table: (?P<name>[\w-]+)(?: (?P<argument>[\w-]+))? -->\n)"
    r".*?(?P<end><!-- end of table -->\n)"
    r"(?P<directives>\n<!-- \{eval-rst\}\n.*?^-->$)?",
    re.MULTILINE | re.DOTALL,
)


def fill_tables(page: str) -> str:
    """Return the text of a page with every table as the code has it now."""
    return _TABLE.sub(_write, page)


def _write(match: re.Match[str]) -> str:
    directives = match["directives"] or ""
    if match["name"] == "names":
        try:
            table = write_table(("name", "meaning"), list_rows(directives))
        except ImportError as error:
            # The class for torchmetrics says which extra has the library that is missing.
            missing = error.__cause__ or error
            if not isinstance(missing, ImportError) or missing.name not in OPTIONAL:
                raise
            return match[0]
    else:
        table = TABLES[match["name"]](*filter(None, [match["argument"]]))
    return f"{match['start']}\n{table.strip()}\n\n{match['end']}{directives}"


def main() -> None:
    """Rewrite the pages whose tables have changed."""
    for path in sorted(DOCS.rglob("*.md")):
        page = path.read_text("utf-8")
        filled = fill_tables(page)
        if filled != page:
            path.write_text(filled, "utf-8")
            print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
