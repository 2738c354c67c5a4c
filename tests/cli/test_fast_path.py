"""``bleu-rouge score`` reads plain arguments without typer, to the same parameters."""

import subprocess
import sys
from typing import Any

import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.cli.command import app
from bleu_rouge_metric.cli.fast_path import list_flags, parse_score, run_fast

from ..conftest import ROOT

COMMAND: Any = typer.main.get_command(app)
SCORE = COMMAND.commands["score"]
EXAMPLES = ["examples/predictions.txt", "examples/references.txt"]


def parse_with_typer(arguments: list[str]) -> dict[str, Any]:
    """Return the parameters that are not defaults."""
    context = SCORE.make_context("score", list(arguments), resilient_parsing=False)
    defaults = SCORE.make_context("score", ["a"]).params
    return {name: value for name, value in context.params.items() if value != defaults[name]}


def assert_same(arguments: list[str]) -> None:
    ours = parse_score(arguments)
    assert ours is not None
    defaults = SCORE.make_context("score", ["a"]).params
    given = {name: value for name, value in ours.items() if value != defaults[name]}
    if not given["references"]:
        del given["references"]
    theirs = parse_with_typer(arguments)
    assert {name: list(v) if isinstance(v, tuple) else v for name, v in theirs.items()} == given


def test_the_flags_are_those_of_typer() -> None:
    flags = list_flags()
    names = {name for p in SCORE.params for name in (*p.opts, *p.secondary_opts)}
    ours = {*flags.switches, *flags.valued, "predictions", "references"}
    assert ours == names


values = st.sampled_from(["1", "a", "a,b", "0.5,0.5", "", "x=y", "ä"])
flags = list_flags()
pieces = st.one_of(
    st.sampled_from(["one.txt", "two.txt", "-"]).map(lambda name: [name]),
    st.sampled_from(sorted(flags.switches)).map(lambda name: [name]),
    st.tuples(st.sampled_from(sorted(flags.valued)), values).map(list),
    st.tuples(st.sampled_from(sorted(flags.valued)), values).map(lambda pair: ["=".join(pair)]),
)


@given(st.lists(pieces, max_size=6))
def test_arguments_have_the_parameters_of_typer(parts: list[list[str]]) -> None:
    assert_same(["zero.txt", *(argument for part in parts for argument in part)])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--help"],
        ["a", "-h"],
        ["a", "--nope"],
        ["a", "--max-order"],
        ["a", "--max-order", "-1"],
        ["a", "--percent=1"],
        ["a", "--", "b"],
        ["--max-order", "2"],
    ],
)
def test_other_arguments_go_to_typer(arguments: list[str]) -> None:
    assert parse_score(arguments) is None


@pytest.mark.parametrize("arguments", [[], ["explain", "a", "b"], ["--help"], ["--version", "a"]])
def test_other_commands_go_to_typer(arguments: list[str]) -> None:
    assert not run_fast(arguments)


def test_completion_goes_to_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_BLEU_ROUGE_COMPLETE", "complete_bash")
    assert not run_fast(["score", "a", "b"])


# Each takes more than 2 ms to import, and scoring files needs none of them.
HEAVY = (
    *("datasets", "evaluate", "nltk", "pandas", "pyarrow", "pydantic", "regex", "rich", "torch"),
    *("typer", "decimal", "fractions", "hashlib", "numpy.random", "secrets", "statistics"),
    *("bleu_rouge_metric.analysis", "bleu_rouge_metric.matching", "bleu_rouge_metric.engines"),
)


@pytest.mark.parametrize("arguments", [["--version"], ["score", *EXAMPLES]])
def test_the_start_imports_only_what_it_uses(arguments: list[str]) -> None:
    code = (
        f"import sys\nsys.argv[1:] = {arguments}\n"
        "from bleu_rouge_metric.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
