"""The table of options: its rows, and what type checkers and docstrings have of them."""

from typing import get_args, get_type_hints

import pytest

from bleu_rouge_metric import load
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.options import keywords
from bleu_rouge_metric.options.table import OPTIONS, write_arguments


def test_the_docstring_of_the_metric_has_every_option() -> None:
    assert write_arguments() in load().inputs_description
    lines = write_arguments().splitlines()
    assert "    ignore_index: a token id to drop; default: -100." in lines
    assert max(map(len, lines)) <= 100
    starts = [line.startswith(tuple(f"    {name}: " for name in OPTIONS)) for line in lines]
    assert starts.count(True) == len(OPTIONS) < len(lines)
    for line, is_start in zip(lines, starts, strict=True):
        assert len(line) - len(line.lstrip()) == (4 if is_start else 8), line


def test_every_row_says_what_it_does_and_what_its_default_is() -> None:
    for option in OPTIONS.values():
        assert option.text, option.name
        assert option.text[-1] not in ".;", option.name
        assert (option.default is None) == bool(option.unset), option.name
        if option.choices and option.default is not None:
            assert option.default in option.choices
        assert {*option.used_by} <= FAMILIES.keys()


def test_type_checkers_know_every_option() -> None:
    hints = get_type_hints(keywords.OptionKeywords)
    assert hints.keys() == OPTIONS.keys()
    for name, option in OPTIONS.items():
        parts = [value for part in get_args(hints[name]) for value in get_args(part)]
        literals = sorted(value for value in parts if isinstance(value, str))
        # A smoothing has too many names for a Literal.
        assert literals == (sorted(option.choices) if name != "smooth" else []), name


@pytest.mark.parametrize("family", ["bleu", "rouge"])
def test_the_functions_have_the_options_of_their_family(family: str) -> None:
    typed = keywords.BleuKeywords if family == "bleu" else keywords.RougeKeywords
    expected = {
        option.name
        for option in OPTIONS.values()
        if option.is_of([family]) and option.effect in ("counts", "scores")
    }
    assert get_type_hints(typed).keys() == expected - {"profile"}
