"""Call the command in this process, with the examples of the repository or texts for dedup."""

import json
import sys
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from bleu_rouge_metric.cli import flags, main
from bleu_rouge_metric.cli.command import app, make_command
from bleu_rouge_metric.options.profiles import PROFILES

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SAMPLES = list(map(json.loads, (EXAMPLES / "samples.jsonl").read_text("utf-8").splitlines()))
PREDICTIONS = [sample["prediction"] for sample in SAMPLES]
REFERENCES = [sample["references"] for sample in SAMPLES]
FIRST_REFERENCES = [references[0] for references in REFERENCES]

COMMANDS = tuple(flags.COMMANDS)


def list_flags(name: str) -> set[str]:
    """Return the flags of a command."""
    return {flag for p in make_command(name).params for flag in (*p.opts, *p.secondary_opts)}


def list_options(name: str) -> set[str]:
    """Return the options of the metric that a command has."""
    return {option.name for option in flags.COMMANDS[name].options}


# Profiles that compare with one reference.
ONE_REFERENCE = {name for name, item in PROFILES.items() if "rouge_package" in item.calculates}


def choose_references(profile: str) -> list[Any]:
    """Return the references that a profile can score."""
    return FIRST_REFERENCES if profile in ONE_REFERENCE else REFERENCES


def invoke(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=stdin, prog_name="bleu-rouge")


def score(*arguments: str, stdin: bytes | None = None) -> str:
    """Return what ``bleu-rouge score`` prints."""
    result = invoke("score", *arguments, stdin=stdin)
    # Toy texts are too short for a 4-gram, or empty; tests/scoring/test_zero_bleu.py and
    # tests/cli/cases/warnings.txt are about these warnings.
    toys = "warning: BLEU is 0", "nothing matches an empty text", "too narrow"
    lines = result.stderr.splitlines(keepends=True)
    others = [line for line in lines if not any(toy in line for toy in toys)]
    assert (result.exit_code, others) == (0, [])
    return result.stdout


def score_json(*arguments: str, stdin: bytes | None = None) -> dict[str, Any]:
    scores: dict[str, Any] = json.loads(score(*arguments, "--format", "json", stdin=stdin))
    return scores


def error(*arguments: str) -> str:
    """Return the one line that a failing ``bleu-rouge score`` prints."""
    result = invoke("score", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removesuffix("\n")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bleu_rouge_metric", *arguments]


def run_in_process(
    monkeypatch: pytest.MonkeyPatch, *arguments: str, status: int = 0, **streams: IO[str]
) -> None:
    """Run the command with the present standard streams, or others."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["bleu-rouge", *arguments])
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as caught:
            main()
    assert caught.value.code == status


# Of ``bleu-rouge dedup``.

TEXTS = ["Name a colour.", "Sum 1 and 2.", "Name one colour.", "Löse 我 x y z.", "Sum 1 and 3."]
KEPT, REJECTED, NEAREST = [0, 1, 3], [2, 4], [0, 1]
FLAGS = ("--threshold", "0.6")
SUMMARY = "bleu-rouge: kept 3 of 5 texts; counted 8 of 8 pairs.\n"
# Every line is JSON in another form, which the command must not change.
LINES = [
    f'{{"id": 1.50, "text": {json.dumps(TEXTS[0])}}}\n',
    f'{{"text":{json.dumps(TEXTS[1])} , "id": 2}}  \n',
    f'{{"text": {json.dumps(TEXTS[2])}}}\r\n',
    f'{{"text": {json.dumps(TEXTS[3], ensure_ascii=False)}, "other": null}}\n',
    f'{{"text": {json.dumps(TEXTS[4])}, "id": 5}}',
]


def write_inputs() -> None:
    """Write the texts to ``a.jsonl`` and ``a.txt`` in the current folder."""
    Path("a.jsonl").write_text("".join(LINES), "utf-8", newline="")
    Path("a.txt").write_text("\n".join(TEXTS), "utf-8")


def dedup(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run the command, which must succeed."""
    result = invoke("dedup", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result
