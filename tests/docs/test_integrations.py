"""docs/integrations.md: every harness comes to the score of ``compute``.

``test_pages`` runs the snippets of the page, and holds what they print against the page.
"""

import re
from typing import Final

import pandas as pd
import pytest

from bleu_rouge_metric import load

from ..conftest import BY_HAND, EXTRAS, ROOT
from ..test_project import read_list
from .blocks import read_blocks

PAGE: Final = "docs/integrations.md"
TEXT: Final = (ROOT / PAGE).read_text("utf-8")
# Of each row of the table: the package, and what is in the last column.
_ROW: Final = re.compile(r"^\| \[.+\]\(.+\) \| ([\w-]+) [\d.]+.* \| (.+) \|$", re.MULTILINE)
HARNESSES: Final = _ROW.findall(TEXT)


def read_needs() -> list[str]:
    """The first library that each block of a harness needs."""
    return [b.marks["needs"].split(", ")[0] for b in read_blocks(PAGE) if "needs" in b.marks]


def test_the_table_has_the_harnesses_of_the_page() -> None:
    libraries = [name.replace("-", "_") for name, _ in HARNESSES]
    assert libraries == list(dict.fromkeys(read_needs()))
    assert len(HARNESSES) == TEXT.count("\n## ")


def test_the_table_says_which_are_part_of_the_tests() -> None:
    group = [line.partition(">=")[0] for line in read_list("harnesses")]
    assert sorted(name for name, tested in HARNESSES if tested == "yes") == group
    assert {name.replace("-", "_") for name in group} <= set(EXTRAS)
    # duckdb and nemo_curator are on the page of columns.
    by_hand = {name for name, tested in HARNESSES if tested != "yes"}
    assert by_hand == {*BY_HAND} - {"duckdb", "nemo_curator"}


@pytest.mark.parametrize("library", sorted(set(read_needs()) - {"keras"}))
def test_the_corpus_score_is_that_of_compute(library: str) -> None:
    rows = pd.read_json(ROOT / "examples" / "samples.jsonl", lines=True)
    scores = load().compute(predictions=rows["prediction"], references=rows["references"])
    blocks = [b for b in read_blocks(PAGE) if b.marks.get("needs", "") == library]
    printed = "".join(block.text for block in blocks if block.language == "console")
    assert repr(scores["bleu"]) in printed
