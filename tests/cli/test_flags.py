"""The table of flags: each has help, completes, is an option of Python or has a test; messages."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from click.shell_completion import BashComplete

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.analysis import design
from bleu_rouge_metric.cli.command import app, make_command
from bleu_rouge_metric.cli.flags import COMMANDS, EXIT_CODES, FILES, STRIP, Flag, to_flag
from bleu_rouge_metric.cli.messages import list_foreign_flags
from bleu_rouge_metric.options.errors import list_foreign
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.resampling.corrections import Correction
from bleu_rouge_metric.resampling.tests import Alternative
from bleu_rouge_metric.text.tokenizer import TEXT_TOKENIZERS

from ..conftest import ROOT
from ..support.commands import (
    PREDICTIONS,
    REFERENCES,
    error,
    invoke,
    list_flags,
    list_options,
    score_json,
)
from ..support.processes import run_python

pytestmark = pytest.mark.usefixtures("examples_folder")

SAMPLES: Final = ("predictions.txt", "references.txt")
ALL: Final = [(name, flag) for name in COMMANDS for flag in COMMANDS[name].all_flags]
# Values of flags of options that have an effect, with the options of Python.
CASES: Final = json.loads((Path(__file__).parent / "cases/options.json").read_text("utf-8"))


@pytest.mark.parametrize(("name", "flag"), ALL, ids=lambda each: getattr(each, "name", each))
def test_a_flag_has_help_completes_and_is_documented(name: str, flag: Flag) -> None:
    assert flag.text.endswith(".")
    names = flag.choices or flag.completions
    assert set(re.findall(r"[\w-]+", flag.default or "")) <= set(names) or not names
    page = (ROOT / "docs/reference/command.md").read_text("utf-8")
    sections = [
        page.partition(f"<!-- table: command {each} -->")[2].partition("<!-- end of")[0]
        for each in (name, "score")
    ]
    section = "".join(sections)
    (parameter,) = (each for each in make_command(name).params if each.name == flag.name)
    if flag.is_argument:
        assert f"`{parameter.metavar}`" in section
        return
    for shown in flag.shown.split("/"):
        assert f"`{shown}" in section
    assert flag.alias not in section.replace(f"`{flag.shown}", "") or not flag.alias
    if names:
        start = names[0][:2]
        context: Any = None
        found = [item.value for item in parameter.shell_complete(context, start)]
        assert found == [each for each in names if each.startswith(start)]


def test_closed_choices_are_those_of_the_analysis() -> None:
    flags = {flag.name: flag.completions for flag in COMMANDS["compare"].flags}
    assert flags["test"] == design.TESTS
    assert flags["pairs"] == design.PAIRS
    assert flags["convention"] == design.CONVENTIONS
    assert flags["alternative"] == get_args(Alternative)
    assert flags["correction"] == (*get_args(Correction), "none")


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_fits_a_terminal_and_names_every_flag(name: str) -> None:
    text = invoke(*filter(None, [name]), "--help").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "--help" in text
    # No type of Python, such as <class 'str'>.
    assert "<" not in text.replace("<think>...</think>", "")
    if name:
        flags = [flag for flag in list_flags(name) if flag.startswith("--")]
        assert [flag for flag in flags if flag not in text] == []
        # More lines would mean that a column is too narrow.
        assert text.count("\n") < 30 + 4 * len(flags)
    if name == "score":
        flat = re.sub(r"(?<=\w-)\s+", "", " ".join(text.split()))  # broken at hyphens
        assert f"For both families. One of {', '.join(TEXT_TOKENIZERS)}." in flat
        assert all(f"{code}: {meaning}" in flat for code, meaning in EXIT_CODES.items())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("sc", {"score"}),
        ("score a --tokenizer fl", {"flores101", "flores200"}),
        ("compare a --test boot", {"bootstrap", "bootstrap_t"}),
        ("compare-profiles a --profile sac", {"sacrebleu"}),
        ("score a --max-", {"--max-order"}),
        ("score a --max-order ", set()),
    ],
)
def test_a_shell_completes_commands_flags_and_names(words: str, expected: set[str]) -> None:
    *arguments, start = words.split(" ")
    shell = BashComplete(app, {}, "bleu-rouge", "_BLEU_ROUGE_COMPLETE")
    assert {item.value for item in shell.get_completions(arguments, start)} == expected


def test_the_shell_asks_by_a_variable() -> None:
    variables = {"COMP_WORDS": "bleu-rouge sc", "COMP_CWORD": "1"}
    variables["_BLEU_ROUGE_COMPLETE"] = "bash_complete"
    done = run_python("from bleu_rouge_metric.cli import main\nmain()", **variables)
    assert done.stdout == "plain,score\n"


def test_the_options_of_a_command_are_those_of_its_function() -> None:
    # Files hold texts, not token ids.
    texts = OPTIONS.keys() - {"ignore_index", "pad", "eos", "separator"}
    flags = {option.name for option in OPTIONS.values() if option.flags}
    assert flags == texts
    own = {"n_resamples", "confidence", "sentence_bleu", "use_aggregator", "detailed"}
    assert list_options("score") == OPTIONS.keys()
    assert list_options("compare") == OPTIONS.keys() - own - {"signature"}
    of_sample = {
        name for name, option in OPTIONS.items() if option.effect in ("profile", "counts", "scores")
    }
    assert list_options("explain") == of_sample
    assert list_options("dedup") == of_sample - {"rouge_types"}
    assert list_options("pick") == of_sample - {"rouge_types", "weights"}


def test_a_flag_has_one_help_in_all_commands() -> None:
    helps: dict[str, set[str]] = {}
    for name, flag in ALL:
        if name in ("score", "compare-profiles") or flag in (*FILES, *STRIP):
            helps.setdefault(flag.shown, set()).add(flag.text)
    assert {shown for shown, texts in helps.items() if len(texts) > 1} == {"--profile"}


def compute(texts: dict[str, list[Any]], options: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Return whether the options use a seed, and the scores."""
    uses_seed = Options(**options).plan().streams == {"seeded"}
    scorer = Scorer(seed=7 if uses_seed else None, **options)
    scorer.update(**texts)
    return uses_seed, scorer.result()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["flags"])
@pytest.mark.filterwarnings("ignore:.*one sentence per line:UserWarning")
def test_a_flag_is_the_option_of_its_name(case: dict[str, Any]) -> None:
    for name in ("words.txt", "words"):
        Path(name).write_text("the\nof\nand\n", "utf-8")
    Path("verb.exc").write_text("repaired fix\n", "utf-8")
    Path("noun.exc").write_text("loaves bread\n", "utf-8")
    base, options = case.get("base", {}), case["options"]
    texts = case.get("samples", {"predictions": PREDICTIONS, "references": REFERENCES})
    uses_seed, expected = compute(texts, {**base, **options})
    assert list(expected.items()) != list(compute(texts, base)[1].items())
    rows = zip(*texts.values(), strict=True)
    lines = (json.dumps({"prediction": text, "references": others}) for text, others in rows)
    Path("case.jsonl").write_text("\n".join(lines), "utf-8")
    flags = f"{case.get('base_flags', '')} {case['flags']} {'--seed 7' * uses_seed}".split()
    found = score_json("case.jsonl", *flags)
    assert list(found.items()) == list(expected.items())


def test_every_flag_of_an_option_has_a_case() -> None:
    tested = {word for case in CASES for word in case["flags"].split() if word.startswith("--")}
    flags = {flag.shown.split("/")[0] for flag in COMMANDS["score"].all_flags}
    own = {flag.shown for flag in COMMANDS["score"].flags}
    assert flags - own <= tested


@pytest.mark.parametrize("flag", list_foreign_flags())
def test_every_foreign_flag_is_an_error_of_one_line(flag: str) -> None:
    assert error(*SAMPLES, flag).startswith(f"bleu-rouge: Unknown flag {flag}; ")


def test_foreign_flags_are_those_of_other_names_and_remedies_are_ours() -> None:
    ours, foreign = list_flags("score"), list_foreign_flags()
    assert ours.isdisjoint(foreign)
    named = {flag for text in foreign.values() for flag in re.findall("--[a-z-]+", text)}
    assert named <= ours
    assert {"--smooth", "--rouge-type", "--family", "--width", "--score-only"} <= named
    without = {"label_pad_token_id", "pad_token_id", "eos_token_id", "sep_token_id", "normalizer"}
    names = {to_flag(name) for name, _ in list_foreign() if name not in without}
    # These are ours.
    assert names - foreign.keys() <= ours


# Each takes more than 2 ms to import, and scoring files needs none of them.
HEAVY = (
    *("datasets", "evaluate", "nltk", "pandas", "pyarrow", "pydantic", "regex", "rich", "torch"),
    *("decimal", "difflib", "fractions", "hashlib", "logging", "numpy.random", "statistics"),
    *("bleu_rouge_metric.analysis", "bleu_rouge_metric.matching", "bleu_rouge_metric.engines"),
)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["score", *SAMPLES]])
def test_the_start_imports_only_what_it_uses(arguments: list[str]) -> None:
    done = run_python(
        # Old versions of NumPy import some of them.
        f"import sys, numpy\nimported = set(sys.modules)\nsys.argv[1:] = {arguments}\n"
        "from bleu_rouge_metric.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules.keys() - imported])"
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("module", "flag"), [("numpy", "--version"), ("click", "--help")])
def test_an_interrupt_during_an_import_is_one_line(module: str, flag: str, tmp_path: Path) -> None:
    Path(f"{module}.py").write_text("raise KeyboardInterrupt\n")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [Path(sys.executable).with_name("bleu-rouge"), flag],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        check=False,
    )
    line = b"bleu-rouge: interrupted.\n"
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", line)


LANGUAGES = 'pip install "bleu-rouge-metric[languages]"'
NO_DATA = "import nltk.data; nltk.data.path[:] = []"


@pytest.mark.parametrize(
    ("preparation", "flags", "remedy"),
    [
        ("sys.modules['nltk'] = None", "--stemmer english", LANGUAGES),
        ("sys.modules['nltk'] = None", "--sentence-splitter punkt", LANGUAGES),
        ("sys.modules['pysbd'] = None", "--sentence-splitter pysbd", LANGUAGES),
        ("sys.modules['sacrebleu'] = None", "--tokenizer flores200", "pip install sacrebleu sent"),
        (NO_DATA, "--stop-words english", "python -m nltk.downloader"),
        (NO_DATA, "--sentence-splitter punkt", "python -m nltk.downloader"),
    ],
)
def test_what_is_missing_is_one_line_that_says_how_to_get_it(
    preparation: str, flags: str, remedy: str
) -> None:
    arguments = ["score", "samples.jsonl", "samples.jsonl", *flags.split()]
    done = run_python(
        f"import sys\n{preparation}\nsys.argv[1:] = {arguments}\n"
        "from bleu_rouge_metric.cli import main\nmain()"
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("bleu-rouge: ")
    assert remedy in line
