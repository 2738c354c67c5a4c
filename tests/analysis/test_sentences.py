"""What a comparison of systems says: tables, notes and sentences; the numbers are made by hand."""

import doctest
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Influence, SystemScore, compare_systems

from ..support import system_rows
from ..support.errors import read_errors
from ..support.system_rows import baseline, compare, other
from .test_compare import REFERENCES, ROUGE, RUNS
from .test_ranking import CHOSEN, FOUR


def describe(**changes: Any) -> str:
    """Return the sentence about B, of whose row or test some values are others."""
    row = {name: changes.pop(name) for name in SystemScore._fields if name in changes}
    first = baseline("A", row.get("score", "bleu"), 38.1, 36.9, 39.4)
    (sentence,) = compare(first, other(**row), **changes).sentences()
    return sentence


def note(**changes: Any) -> str:
    return compare(**changes).to_markdown().split("\n\n")[1]


@pytest.mark.parametrize(
    ("call", "expected"), read_errors(Path(__file__).with_name("sentences.txt"))
)
def test_sentences_and_notes(call: str, expected: str) -> None:
    assert eval(call, {"describe": describe, "note": note}) == expected


def test_tables_in_every_format() -> None:
    names = vars(system_rows) | {"CHOSEN": CHOSEN, "FOUR": FOUR, "REFERENCES": REFERENCES}
    names |= {
        "ROUGE": ROUGE,
        "RUNS": RUNS,
        "Influence": Influence,
        "compare_systems": compare_systems,
        "np": np,
    }
    path = str(Path(__file__).with_name("tables.txt"))
    found = doctest.testfile(path, module_relative=False, globs=names, encoding="utf-8")
    assert found.attempted
    assert not found.failed


def test_groups_follow_all_samples_in_every_format() -> None:
    groups = {"news_1": compare(n_samples=3), "<web>": compare(n_samples=1)}
    parts = replace(compare(n_samples=4, seed=1), groups=groups)
    whole, (news, web) = replace(parts, groups={}), parts.groups.values()
    assert str(parts) == f"{whole}\n\nGroup news_1\n\n{news}\n\nGroup <web>\n\n{web}"
    assert parts.to_markdown() == (
        f"{whole.to_markdown()}\n\n**Group news\\_1**\n\n{news.to_markdown()}"
        f"\n\n**Group \\<web\\>**\n\n{web.to_markdown()}"
    )
    assert re.findall(r"\\caption{(.*?): ", parts.to_latex()) == [
        "Test against A",
        r"Group news\_1. Test against A",
        r"Group \textless{}web\textgreater{}. Test against A",
    ]
    captions = re.findall("<caption>(.*?)</caption>", parts._repr_html_())
    assert captions == ["Group news_1", "Group &lt;web&gt;"]
    frame = parts.to_pandas()
    assert list(frame.columns) == ["group", *SystemScore._fields]
    assert frame["group"].tolist()[2:] == ["news_1"] * 2 + ["<web>"] * 2
    assert frame["group"].isna().tolist() == [True] * 2 + [False] * 4
    assert frame["p_value"].isna().tolist() == [True, False] * 3
