"""The help and the completion of the command."""

import subprocess
import sys

import pytest

from bleu_rouge_metric.cli.flags import EXIT_CODES
from bleu_rouge_metric.text.tokenizers import TEXT_TOKENIZERS

from ..support.commands import COMMANDS, invoke


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_says_nothing_of_pythons_types(name: str) -> None:
    text = invoke(*filter(None, [name]), "--help").stdout
    assert "--help" in text
    assert "<" not in text.replace("<think>...</think>", "")


def test_the_help_names_every_tokenizer_and_every_exit_code() -> None:
    text = " ".join(invoke("score", "--help").stdout.split())
    assert f"For both families. One of {', '.join(TEXT_TOKENIZERS)}." in text
    assert all(f"{code}: {meaning}" in text for code, meaning in EXIT_CODES.items())


def complete(words: str) -> set[str]:
    """What bash completes after these words."""
    code = "from bleu_rouge_metric.cli import main\nmain()"
    environment = {
        "_BLEU_ROUGE_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return {line.partition(",")[2] for line in done.stdout.split()}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("bleu-rouge sc", {"score"}),
        ("bleu-rouge score a --tokenizer fl", {"flores101", "flores200"}),
        ("bleu-rouge score a --profile sac", {"sacrebleu"}),
        ("bleu-rouge score a --max-", {"--max-order"}),
        ("bleu-rouge score a --max-order ", set()),
    ],
)
def test_a_shell_completes_commands_flags_and_names(words: str, expected: set[str]) -> None:
    assert complete(words) == expected
