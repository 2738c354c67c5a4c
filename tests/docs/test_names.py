"""Names that are written by hand, in the manual and in docstrings, are those of the code."""

import re
from collections.abc import Callable
from typing import Any, get_args

import pytest

from bleu_rouge_metric import bleu_score, rouge_scores
from bleu_rouge_metric.options.profiles import BleuProfile, RougeProfile
from bleu_rouge_metric.options.table import OPTIONS

from ..conftest import ROOT


def test_every_tokenizer_is_in_the_table_of_languages() -> None:
    page = (ROOT / "docs/guides/languages.md").read_text("utf-8")
    table = page.partition("| `tokenizer` | tokens |\n")[2].partition("\n\n")[0]
    cells = " ".join(line.split(" | ")[0] for line in table.splitlines())
    (flag,) = OPTIONS["tokenizer"].flags
    assert sorted(re.findall(r'`"([^"]+)"`', cells)) == sorted([*flag.completions, "ids"])


@pytest.mark.parametrize(
    ("function", "names"), [(bleu_score, BleuProfile), (rouge_scores, RougeProfile)]
)
def test_every_profile_is_in_the_docstring(function: Callable[..., Any], names: object) -> None:
    text = (function.__doc__ or "").partition("profile: ")[2].partition("**options")[0]
    outside_brackets = re.sub(r"\([^)]*\)", "", text)
    assert sorted(re.findall("``(.+?)``", outside_brackets)) == sorted(get_args(names))
