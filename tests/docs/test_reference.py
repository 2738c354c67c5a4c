"""Tables, and names that are written by hand, are those of the code; the manual's checks work."""

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

import bleu_rouge_metric
from bleu_rouge_metric import bleu_score, engines, rouge_scores
from bleu_rouge_metric.families.registry import list_groups
from bleu_rouge_metric.options.profiles import BleuProfile, RougeProfile
from bleu_rouge_metric.options.table import OPTIONS

from ..conftest import ROOT
from ..support.commands import COMMANDS
from .blocks import PAGES


def import_file(path: str) -> ModuleType:
    """A file of the repository that is no module of a package."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tables = import_file("scripts/write_tables.py")
checker = import_file("scripts/check_manual.py")


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/")])
def test_the_tables_of_a_page_are_those_of_the_code(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert tables.fill_tables(text) == text, "run: python scripts/write_tables.py"


def test_every_table_has_a_place() -> None:
    pages = "".join((ROOT / page).read_text("utf-8") for page in PAGES)
    placed = set(re.findall("<!-- table: ([a-z-]+)", pages))
    assert placed == {"names", *tables.TABLES}
    assert pages.count("<!-- table: ") == pages.count("<!-- end of table -->")


def test_every_option_is_in_one_table_with_its_meaning() -> None:
    page = (ROOT / "docs/reference/options.md").read_text("utf-8")
    placed = re.findall("<!-- table: options ([a-z0-9_-]+) -->", page)
    assert placed == ["both", *list_groups()]
    text = "".join(map(tables.write_options, placed))
    found = re.findall(r"^\| `(\w+)` \| .+ \| .+ \| .+ \|$", text, re.MULTILINE)
    assert sorted(found) == sorted(OPTIONS)


def test_every_command_has_a_table() -> None:
    page = (ROOT / "docs/reference/command.md").read_text("utf-8")
    assert set(re.findall(r"<!-- table: command (\S+) -->", page)) == set(COMMANDS)


def test_every_public_name_has_its_text() -> None:
    page = (ROOT / "docs/reference/api.md").read_text("utf-8")
    functions = [
        name
        for name, value in vars(engines).items()
        if getattr(value, "__module__", "") == engines.__name__ and name.startswith(("c", "reduce"))
    ]
    assert len(functions) == 5
    names = [*bleu_rouge_metric.__all__, *(name for name in functions if name != "count_table")]
    assert [name for name in names if not re.search(rf"\b{name}\b", page)] == []


def test_faults_of_the_built_manual_are_found(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("@import 'https://fonts.example/one.css'; a { b: url(c) }")
    (tmp_path / "there.html").write_text("<p id='part'>")
    (tmp_path / "page.html").write_text(
        "<link rel='stylesheet' href='style.css'><link rel='canonical' href='https://a.example'>"
        "<script src='https://cdn.example/a.js'></script><img src='data:image/png;base64,'>"
        "<img src='gone.png'><a href='there.html#part'>1</a><a href='there.html#other'>2</a>"
        "<a href='gone.html'>3</a><a href='https://b.example'>4</a><a href='#nowhere'>5</a>"
    )
    assert list(checker.check_folder(tmp_path)) == [
        "page.html loads https://cdn.example/a.js; put it into docs/.",
        "page.html loads gone.png, which is not there.",
        "page.html links to there.html#other, but that page has no 'other'.",
        "page.html links to gone.html, which is not there.",
        "page.html links to #nowhere, but that page has no 'nowhere'.",
        "style.css loads https://fonts.example/one.css; put it into docs/.",
    ]


def test_a_folder_without_pages_is_a_fault(tmp_path: Path) -> None:
    (problem,) = checker.check_folder(tmp_path)
    assert problem.endswith("has no pages; build the manual first: nox -s docs.")


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
