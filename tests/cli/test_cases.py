"""What the command prints for given arguments and files: the scripts in the folder ``cases``.

A script is read line by line:

- ``> name`` begins a file, whose lines follow behind ``|``. An encoding may follow the name, or
  ``gzip``, or ``parquet`` if the lines are JSON. In brackets, ``[latin-1]``: without the last line
  end.
- ``! 2`` is the exit status of the following cases; ``! 2 late`` if they fail only while counting.
- ``$ bleu-rouge ...`` is a case, ``< name`` at its end its standard input. What follows is the
  output and the errors. A line that ends in ``...`` gives only the beginning.
- ``= bleu-rouge ...`` prints the same as the case before.
- ``@ name`` is a file that the case before wrote, whose lines follow behind ``|``.
- ``#`` begins a comment.

An error is one line, nothing is written, and it names only flags that the command has.
"""

import gzip
import json
import re
import shlex
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import __version__
from bleu_rouge_metric.counting.kernels import current_kernel
from bleu_rouge_metric.families.bleu import rules
from bleu_rouge_metric.text.stemmers import list_languages

from ..support.commands import COMMANDS, invoke, list_flags
from ..support.errors import PROFILE_NAMES, ROUGE_PROFILE_NAMES, TOKENIZER_NAMES

SCRIPTS: Final = sorted((Path(__file__).parent / "cases").glob("*.txt"))

# Lists of names that grow, which other tests write out; and what signatures end with.
NAMES: Final = {
    "{profiles}": PROFILE_NAMES,
    "{ROUGE profiles}": ROUGE_PROFILE_NAMES,
    "{tokenizers}": TOKENIZER_NAMES,
    "{smoothings}": ", ".join(map(repr, rules.SMOOTHINGS)),
    "{stemmers}": ", ".join(map(repr, list_languages())),
    "{program}": f"kernel:{current_kernel()}|version:{__version__}",
}


class Case(NamedTuple):
    """Command lines that print the same, what they print, and the files that they write."""

    lines: list[list[str]]
    status: int
    is_late: bool
    output: list[str]
    files: dict[str, tuple[str, list[str]]]  # the encoding and the lines, by name
    written: dict[str, tuple[str, list[str]]]


def read_script(path: Path) -> dict[str, Case]:
    """Return the cases of a script by their places."""
    cases: dict[str, Case] = {}
    files: dict[str, tuple[str, list[str]]] = {}
    case = Case([], 0, is_late=False, output=[], files={}, written={})
    content: list[str] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        sign, _, rest = line.partition(" ")
        words = shlex.split(rest) if sign in (">", "@", "!", "$", "=") else []
        if sign == "|" and content is not None:
            content.append(rest)
        elif sign in (">", "@"):
            content = []
            (files if sign == ">" else case.written)[words[0]] = (*words, "utf-8")[1], content
        elif sign == "!":
            case = case._replace(status=int(words[0]), is_late="late" in words)
        elif sign == "$":
            content = None
            case = case._replace(lines=[words[1:]], output=[], files=dict(files), written={})
            cases[f"{path.stem}:{number}"] = case
        elif sign == "=":
            case.lines.append(words[1:])
        elif sign != "#":
            case.output.append(line)
    return cases


CASES: Final = {place: case for path in SCRIPTS for place, case in read_script(path).items()}


def write_file(name: str, encoding: str, lines: list[str]) -> None:
    """Write a file of a script."""
    Path(name).parent.mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    if encoding == "parquet":
        parquet.write_table(pa.Table.from_pylist(list(map(json.loads, lines))), name)
    elif encoding == "gzip":
        Path(name).write_bytes(gzip.compress(text.encode()))
    else:
        is_open = encoding.startswith("[")
        text = text.removesuffix("\n") if is_open else text
        Path(name).write_bytes(text.encode(encoding.strip("[]")))


def read_file(name: str, encoding: str) -> list[str]:
    """Return the lines of a file; those of Parquet are JSON."""
    if encoding == "parquet":
        return list(map(json.dumps, parquet.read_table(name).to_pylist()))
    content = Path(name).read_bytes()
    content = gzip.decompress(content) if encoding == "gzip" else content
    return (
        content.decode("utf-8" if encoding == "gzip" else encoding).removesuffix("\n").split("\n")
    )


def read_folder() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.usefixtures("examples_folder")
@pytest.mark.parametrize("place", CASES)
def test_a_case_prints_what_its_script_says(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[place]
    for name, content in case.files.items():
        write_file(name, *content)
    before = read_folder()
    if case.status and not case.is_late:
        monkeypatch.delattr("bleu_rouge_metric.cli.score.count_portions")
        monkeypatch.delattr("bleu_rouge_metric.cli.pairs.find_duplicates", raising=False)
    expected = "\n".join(case.output).rstrip("\n")
    for short, names in NAMES.items():
        expected = expected.replace(short, names)
    for line in case.lines:
        stdin = Path(line[-1]).read_bytes() if "<" in line else None
        arguments = line[:-2] if "<" in line else line
        result = invoke(*arguments, stdin=stdin)
        printed = result.output.rstrip("\n")
        if expected.endswith("..."):
            assert printed.startswith(expected.removesuffix("..."))
            expected = printed  # of the lines that print the same
        else:
            assert printed == expected
        assert result.exit_code == case.status
        if case.status:
            assert (result.stdout, result.stderr.count("\n")) == ("", 1)
            assert read_folder() == before
        for message in result.stderr.splitlines():
            check_flags(arguments, message)
    for name, (encoding, lines) in case.written.items():
        assert read_file(name, encoding) == lines


def check_flags(arguments: list[str], message: str) -> None:
    """Check that a message names no flag that the command lacks, but those that were given."""
    if arguments and arguments[0] in COMMANDS:
        named = set(re.findall(r"(?<![\w-])--[a-z][\w-]+", message.partition(": ")[2]))
        given = {argument.partition("=")[0] for argument in arguments}
        assert named <= list_flags(arguments[0]) | given | {"--help"}
