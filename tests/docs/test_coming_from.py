"""Each row of *Coming from*: their code and ours give the same number."""

import importlib.util
import json
import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bleu_rouge_metric import load

from ..support import perl_rouge
from ..support.bleu_references import _add_up
from . import evaluate_stand_ins
from .blocks import PAGES, Row, read_blocks, read_rows
from .running import prepare, run, run_examples

FOLDER = "docs/coming-from/"
GOLDENS = Path(__file__).with_name("torchmetrics.json")

ROWS = [row for page in PAGES if page.startswith(FOLDER) for row in read_rows(page)]


def select(kind: str) -> pytest.MarkDecorator:
    rows = [row for row in ROWS if row.kind == kind]
    return pytest.mark.parametrize("row", rows, ids=[row.place for row in rows])


@cache
def read_names(page: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in read_blocks(page):
        if ">>> " in block.text:
            run_examples(block, names)
    return names


def evaluate_code(code: str, page: str) -> Any:
    """The value of an expression of a page, as plain lists, dicts and numbers."""
    names = read_names(page)
    if page == f"{FOLDER}evaluate.md":
        names = {**names, "evaluate": SimpleNamespace(load=evaluate_stand_ins.load)}
    return to_plain(eval(code, names))


def to_plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: to_plain(item) for name, item in value.items()}
    if hasattr(value, "tolist"):
        return to_plain(value.tolist())
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return value


@pytest.fixture(autouse=True)
def _plain_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    # sum() of floats is compensated from Python 3.12 on; ours are as they were before.
    monkeypatch.setattr("sacrebleu.metrics.bleu.sum", _add_up, raising=False)


@select("equal")
@pytest.mark.filterwarnings("ignore:\nThe hypothesis contains 0 counts:UserWarning")
@pytest.mark.filterwarnings("ignore:.*sentence-level BLEU:UserWarning")
def test_both_columns_are_equal(row: Row, tmp_path: Path) -> None:
    (theirs,), (ours,) = row.theirs, row.ours
    if theirs.startswith("$ "):
        prepare(tmp_path)
        printed, status = run(theirs[2:], tmp_path)
        assert status == 0, printed
        scores, status = run(ours[2:], tmp_path)
        assert status == 0, scores
        digits = len(printed.partition(".")[2])
        assert f"{json.loads(scores)['score']:.{digits}f}" == printed
        return
    expected = evaluate_code(theirs, row.page)
    assert evaluate_code(ours, row.page) == expected
    assert expected not in (0, {}, [])


@select("flags")
@perl_rouge.needs_perl
@pytest.mark.filterwarnings("ignore:n_resamples")
def test_options_give_the_numbers_of_flags(row: Row, tmp_path: Path) -> None:
    names = read_names(row.page)
    program = perl_rouge.prepare(tmp_path)
    printed = perl_rouge.run(program, names["predictions"], names["references"], row.theirs[0])
    assert printed is not None
    # What the page says of them in words.
    known = {
        "wordnet": perl_rouge.exception_files(),
        "program_words": perl_rouge.stop_words(),
        "math": math,
    }
    options = eval(f"dict({row.ours[0]})", known)
    scores = score_as_program(row.page, **{"confidence": 0.95, **options})
    found = {
        to_program_name(name): [
            [scores[f"{name}{bound}"][part] for bound in ("", "_low", "_high")]
            for part in ("precision", "recall", "fmeasure")
        ]
        for name in options["rouge_types"]
    }
    assert found == printed.intervals


def score_as_program(page: str, **options: Any) -> Any:
    names = read_names(page)
    return load("rouge").compute(
        predictions=names["predictions"],
        references=names["references"],
        profile="rouge-1.5.5",
        **options,
    )


def to_program_name(rouge_type: str) -> str:
    name = re.sub(r"^rouge(\d|L|W|SU|S)", r"ROUGE-\1", rouge_type)
    return re.sub(r"(SU?)$", r"\1*", name)


@select("pyrouge")
@perl_rouge.needs_perl
def test_results_have_the_numbers_that_pyrouge_names(row: Row, tmp_path: Path) -> None:
    names = read_names(row.page)
    program = perl_rouge.prepare(tmp_path)
    predictions, references = names["predictions"], names["references"]
    printed = perl_rouge.run(program, predictions, references, "-c 95 -n 2 -2 4 -u -f A")
    assert printed is not None
    # pyrouge: "ROUGE-SU4 Average_F: …" becomes rouge_su4_f_score, its interval _cb and _ce.
    theirs = {
        f"{name.lower().replace('-', '_')}_{part}{bound}": number
        for name, parts in printed.intervals.items()
        for part, numbers in zip(("precision", "recall", "f_score"), parts, strict=True)
        for bound, number in zip(("", "_cb", "_ce"), numbers, strict=True)
    }
    scores = score_as_program(row.page, confidence=0.95)
    assert eval(f"scores{row.ours[0]}", {"scores": scores}) == theirs[row.theirs[0]]


@select("torchmetrics")
def test_torchmetrics_gives_the_same_number_up_to_its_32_bits(row: Row) -> None:
    code = " ".join(row.theirs)
    expected = json.loads(GOLDENS.read_text("utf-8"))[code]
    if importlib.util.find_spec("torchmetrics") is not None:
        assert score_by_torchmetrics(row) == expected
    # A float of 32 bits has 24 bits of a number; each operation may lose half of the last one.
    assert evaluate_code(row.ours[0], row.page) == pytest.approx(expected, rel=2**-21)


def score_by_torchmetrics(row: Row) -> float:
    from importlib import import_module

    text = import_module("torchmetrics.text")
    names = read_names(row.page)
    metric = eval(row.theirs[0], vars(text).copy())
    value = metric(names["predictions"], names["references"])
    return float(value[row.theirs[1]] if len(row.theirs) > 1 else value)


def test_every_page_has_rows() -> None:
    pages = {page for page in PAGES if page.startswith(FOLDER)} - {
        f"{FOLDER}index.md",
        # Its library is large: tests/integrations/test_pycocoevalcap.py compares with it.
        f"{FOLDER}pycocoevalcap.md",
    }
    assert {row.page for row in ROWS} == pages
    assert {row.kind for row in ROWS} == {"equal", "flags", "pyrouge", "torchmetrics"}


def write_goldens() -> None:
    """Writes the goldens: ``python -m tests.docs.test_coming_from`` beside torchmetrics 1.9.0."""
    rows = [row for row in ROWS if row.kind == "torchmetrics"]
    values = {" ".join(row.theirs): score_by_torchmetrics(row) for row in rows}
    GOLDENS.write_text(json.dumps(values, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    write_goldens()
