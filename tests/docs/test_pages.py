"""README.md and every page of the manual: what they show is what happens."""

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT, require
from .blocks import NOT_RUN, PAGES, RUN, Block, read_blocks
from .running import prepare, run_console, run_examples, run_lines, run_program


def run_blocks(blocks: list[Block], folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        if "file" in block.marks:
            (folder / block.marks["file"]).write_text(block.text, "utf-8")
        elif block.language == "console":
            run_console(block, folder)
        elif block.language == "bash":
            run_lines(block, folder)
        elif ">>> " in block.text:
            run_examples(block, names)
        else:
            run_program(block, folder)


def select(page: str, needs: str = "") -> list[Block]:
    """The blocks of a page that run with these large libraries, or with none."""
    return [
        block
        for block in read_blocks(page)
        if block.language in RUN
        and not block.marks.keys() & {"tested by", "part of"}
        and block.marks.get("needs", "") == needs
    ]


LARGE = sorted(
    {
        (page, block.marks["needs"])
        for page in PAGES
        for block in read_blocks(page)
        if "needs" in block.marks
    }
)


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_shows_happens(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_blocks(select(page), tmp_path)


@pytest.mark.extra
@pytest.mark.parametrize(("page", "needs"), LARGE)
def test_what_the_page_shows_with_large_libraries_happens(
    page: str, needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "torch")  # Keras cannot be imported without its backend
    for library in needs.split(", "):
        require(library)
    is_java_missing = shutil.which("java") is None and "JAVA_HOME" not in os.environ
    if "pyspark" in needs and is_java_missing and not os.environ.get("BLEU_ROUGE_EXTRAS"):
        pytest.skip("Spark needs Java")
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_blocks(select(page, needs), tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_no_block_escapes(page: str) -> None:
    for block in read_blocks(page):
        # GitHub shows a directive of the manual as it is written; those are in comments.
        assert block.language in (*RUN, *NOT_RUN), block.place
        assert block.language != "yaml" or "file" in block.marks, block.place
        if "tested by" in block.marks:
            test = ROOT / block.marks["tested by"]
            assert page in test.read_text("utf-8"), f"{block.place}: {test} does not run it"


@pytest.mark.parametrize("page", PAGES)
def test_a_part_of_a_program_is_in_its_file(page: str) -> None:
    for block in read_blocks(page):
        if "part of" in block.marks:
            program = (ROOT / block.marks["part of"]).read_text("utf-8")
            lines = [line.strip() for line in program.splitlines()]
            part = [line.strip() for line in block.text.splitlines()]
            starts = range(len(lines) - len(part) + 1)
            assert any(lines[at : at + len(part)] == part for at in starts), block.place


def test_the_readme_is_a_front_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.split()) <= 1200
    # What CI runs to the letter.
    lines = readme.splitlines()
    example = "examples/predictions.txt examples/references.txt"
    assert lines.count(f'pip install ".[all]" && bleu-rouge score {example}') == 1
    assert lines.count('pip install -e ".[test]" && pytest -n 2') == 1


@pytest.mark.parametrize("page", PAGES)
def test_links_to_files_and_headings_lead_somewhere(page: str) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", read_prose(ROOT / page)):
        if link.startswith(("http", "mailto")):
            continue
        path, _, heading = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), f"{page} links to {link}"
        assert not heading or heading in list_headings(target), f"{page} links to {link}"


def read_prose(path: Path) -> str:
    """A page without its blocks of code."""
    blocks = re.compile("^```.*?^```", flags=re.MULTILINE | re.DOTALL)
    return blocks.sub("", path.read_text("utf-8"))


def list_headings(path: Path) -> list[str]:
    """The names of the headings of a page, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.*)", read_prose(path), flags=re.MULTILINE)
    return [
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    ]
