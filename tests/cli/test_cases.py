"""What the command prints for given arguments and files: the scripts in the folder ``cases``.

A script is read line by line:

- ``> name`` begins a file, whose lines follow behind ``|``; an encoding may follow the name.
- ``! 2`` is the exit status of the following cases; ``! 2 late`` if they fail only while counting.
- ``$ bleu-rouge ...`` is a case, ``< name`` at its end its standard input. What follows is the
  output and the errors. A line that ends in ``...`` gives only the beginning.
- ``#`` begins a comment.

An error is one line, nothing is written, and it names only flags that the command has.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bleu_rouge_metric.families.bleu import rules
from bleu_rouge_metric.text.stemmers import list_languages

from ..support.commands import COMMANDS, invoke, list_flags
from ..support.known_names import PROFILE_NAMES, ROUGE_PROFILE_NAMES, TOKENIZER_NAMES

SCRIPTS: Final = sorted((Path(__file__).parent / "cases").glob("*.txt"))

# Lists of names that grow; other tests write them out.
NAMES: Final = {
    "{profiles}": PROFILE_NAMES,
    "{ROUGE profiles}": ROUGE_PROFILE_NAMES,
    "{tokenizers}": TOKENIZER_NAMES,
    "{smoothings}": ", ".join(map(repr, rules.SMOOTHINGS)),
    "{stemmers}": ", ".join(map(repr, list_languages())),
}


class Case(NamedTuple):
    """A command line and what it prints."""

    arguments: list[str]
    stdin: str
    status: int
    is_late: bool
    output: list[str]
    files: dict[str, bytes]


def read_script(path: Path) -> Iterator[tuple[str, Case]]:
    """Iterate over the cases of a script, each with its place."""
    files: dict[str, bytes] = {}
    status, is_late, name, encoding, case = 0, False, "", "", None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        sign, _, rest = line.partition(" ")
        if sign == "|" and name:
            files[name] += f"{rest}\n".encode(encoding)
        elif sign in (">", "!", "$", "#"):
            if case is not None:
                yield case
            case = None
            words = shlex.split(rest)
            if sign == ">":
                name, encoding = words[0], (*words, "utf-8")[1]
                files[name] = b""
            elif sign == "!":
                status, is_late = int(words[0]), "late" in words
            elif sign == "$":
                name = ""
                stdin = words[-1] if "<" in words else ""
                arguments = words[1:-2] if stdin else words[1:]
                place = f"{path.stem}:{number}"
                case = place, Case(arguments, stdin, status, is_late, [], dict(files))
        elif case is not None:
            case[1].output.append(line)
    if case is not None:
        yield case


CASES: Final = dict(case for path in SCRIPTS for case in read_script(path))


def read_folder() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.usefixtures("examples_folder")
@pytest.mark.parametrize("place", CASES)
def test_a_case_prints_what_its_script_says(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[place]
    for name, content in case.files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content)
    before = read_folder()
    if case.status and not case.is_late:
        monkeypatch.delattr("bleu_rouge_metric.cli.score.count_portions")
        monkeypatch.delattr("bleu_rouge_metric.cli.pairs.find_duplicates", raising=False)
    stdin = Path(case.stdin).read_bytes() if case.stdin else None
    result = invoke(*case.arguments, stdin=stdin)
    expected = "\n".join(case.output).rstrip("\n")
    for short, names in NAMES.items():
        expected = expected.replace(short, names)
    printed = result.output.rstrip("\n")
    if expected.endswith("..."):
        assert printed.startswith(expected.removesuffix("..."))
    else:
        assert printed == expected
    assert result.exit_code == case.status
    if case.status:
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
        assert read_folder() == before
    for line in result.stderr.splitlines():
        check_flags(case.arguments, line)


def check_flags(arguments: list[str], message: str) -> None:
    """Check that a message names no flag that the command lacks, but those that were given."""
    if arguments and arguments[0] in COMMANDS:
        named = set(re.findall(r"(?<![\w-])--[a-z][\w-]+", message.partition(": ")[2]))
        given = {argument.partition("=")[0] for argument in arguments}
        assert named <= list_flags(arguments[0]) | given | {"--help"}
