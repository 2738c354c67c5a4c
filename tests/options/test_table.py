"""The table of options: what is derived from it, shown with a made-up option."""

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

from bleu_rouge_metric import Options, Scorer, bleu_score, load, schema
from bleu_rouge_metric.checks import check_flag
from bleu_rouge_metric.cli.flags import list_flags
from bleu_rouge_metric.cli.values import to_keywords
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.options import keywords
from bleu_rouge_metric.options.options import _find_options
from bleu_rouge_metric.options.table import OPTIONS, write_arguments
from bleu_rouge_metric.schema import Flag, Option

MADE_UP = Option(
    name="made_up",
    kind=schema.FLAG,
    effect="scores",
    text="nothing that anybody reads",
    families=("bleu",),
    default=False,
    check=check_flag,
    used_by=("bleu",),
    flags=(Flag(panel="BLEU"),),
)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a row to the table."""
    _find_options.cache_clear()
    monkeypatch.setitem(OPTIONS, "made_up", MADE_UP)
    yield
    _find_options.cache_clear()


def make(**options: Any) -> Options:
    return Options(**options)


@pytest.mark.usefixtures("made_up")
def test_a_new_row_is_an_option_with_its_default_and_its_check() -> None:
    assert make().values()["made_up"] is False
    assert make(made_up=True).further == {"made_up": True}
    assert repr(make(made_up=True)) == "Options(profile='hf', made_up=True)"
    assert make(made_up=True) != make()
    with pytest.raises(TypeError, match=r"^made_up is 3; expected True or False\.$"):
        make(made_up=3)


@pytest.mark.usefixtures("made_up")
def test_a_new_row_is_in_the_signature_and_read_back() -> None:
    line = make(made_up=True).write_signature()
    assert "|made_up:yes|" in line
    assert Options.from_signature(line) == make(made_up=True)
    assert "made_up" not in make().write_signature()
    with pytest.raises(ValueError, match="cannot be read: 'made_up:maybe'"):
        Options.from_signature("made_up:maybe")


@pytest.mark.usefixtures("made_up")
def test_a_new_row_is_refused_by_family_and_profile() -> None:
    def check(profile: str = "hf", family: Any = ("bleu", "rouge")) -> None:
        Options.from_keywords({"made_up": True, "profile": profile}, family)

    check()
    check(family=["bleu"])
    with pytest.raises(TypeError, match=r"^made_up applies to BLEU only, but only ROUGE was"):
        check(family=["rouge"])
    with pytest.raises(TypeError, match=r"^made_up applies to BLEU only, but the profile"):
        check("rouge_score")
    with pytest.raises(TypeError, match=r"^made_up has no effect under the profile 'google"):
        check("google_bleu")


@pytest.mark.usefixtures("made_up")
def test_a_new_row_may_be_given_to_a_result_and_to_functions() -> None:
    scorer = Scorer("bleu")
    scorer.update(["a"], ["a"])
    options: dict[str, Any] = {"made_up": True}
    assert scorer.result(**options) == scorer.result()
    assert bleu_score(["a"], ["a"], **options) == bleu_score(["a"], ["a"])
    texts: dict[str, Any] = {"predictions": ["a"], "references": ["a"], "signature": True}
    assert "|made_up:yes|" in load("bleu").compute(**texts, made_up=True)["signature"]
    with pytest.raises(TypeError, match=r"^'made_up' is an option of compute, not of load"):
        load(made_up=True)  # type: ignore[call-arg]


@pytest.mark.usefixtures("made_up")
def test_a_new_row_is_a_flag_of_the_command() -> None:
    (flag,) = list_flags(OPTIONS["made_up"])
    shown = flag.name, flag.shown, flag.panel, flag.metavar
    assert shown == ("made_up", "--made-up", "BLEU", "")
    assert flag.text == "Nothing that anybody reads."
    assert to_keywords({"made_up": True}) == {"made_up": True}


def test_the_docstring_of_the_metric_has_every_option() -> None:
    assert write_arguments() in load().inputs_description
    lines = write_arguments([*OPTIONS.values(), MADE_UP]).splitlines()
    assert lines.pop() == "    made_up: nothing that anybody reads; default: False."
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
