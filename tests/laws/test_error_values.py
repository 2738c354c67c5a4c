"""Laws of errors over the table of options: they are data, and no value is altered."""

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bleu_rouge_metric
from bleu_rouge_metric.cli.messages import write_flags
from bleu_rouge_metric.messages import Message, format_message, get_message
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import error as error_of_command
from ..support.errors import read_errors

# Values that look like an option, a flag, or a part of a message.
VALUES = (
    "foo max_order=3",
    "use_stemmer",
    "max_order is 0; use smooth='exp'.",
    "rouge_types=['rouge1']",
    'a "quoted" `name`',
    "it's use_aggregator is False",
    " or a callable str -> list[str]",
    "math.inf",
    "{max_order} {0} {",
)
# What an option needs to be checked at all.
NEEDED: dict[str, dict[str, Any]] = {
    "smooth_value": {"smooth": "floor"},
    "min_order": {"profile": "google_bleu"},
    "exclusive": {"profile": "rouge"},
    "segmenter": {"tokenizer": "unicode"},
    "stemmer_exceptions": {"use_stemmer": True},
}


def find_error(name: str, value: object) -> Exception:
    with pytest.raises((TypeError, ValueError)) as error:
        Options.from_keywords({**NEEDED.get(name, {}), name: value})
    return error.value


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", OPTIONS)
def test_an_error_carries_its_parts_and_shows_the_value_unaltered(name: str, value: str) -> None:
    error = find_error(name, value)
    message = get_message(error)
    assert isinstance(message, Message)
    assert message.argument == name
    assert message.value in (repr(value), value)
    assert message.expectation or message.remedy or name == "stemmer_exceptions"
    for shown in (str(error), write_flags(message)):
        assert str(message.value) in shown
    assert name in str(error)
    if OPTIONS[name].flags:
        assert "--" in write_flags(message).replace(str(message.value), "")


@pytest.mark.parametrize("value", VALUES)
def test_the_page_shows_a_value_unaltered(value: str) -> None:
    from space.options import OFFERED, Choices, InputError, write_labels

    for name in OFFERED:
        with pytest.raises(InputError) as error:
            Choices.read({name: value})
        assert str(error.value).startswith(f"{name} is {value!r}; expected ")
        shown = write_labels(get_message(error.value))
        assert f" is {value!r}; expected " in shown
        assert not shown.startswith(name)


@pytest.mark.usefixtures("examples_folder")
@pytest.mark.parametrize("value", VALUES[:3])
@pytest.mark.parametrize(
    "flag",
    [
        *("--profile", "--tokenizer", "--bleu-tokenizer", "--max-order", "--weights", "--smooth"),
        *("--stemmer", "--stop-words", "--sentence-splitter", "--multi-reference", "--beta"),
        *("--confidence", "--seed"),
    ],
)
def test_the_command_shows_a_value_unaltered(flag: str, value: str) -> None:
    line = error_of_command("predictions.txt", "references.txt", flag, value)
    # A name of stop words with a suffix is a file.
    starts = f"Unknown {flag} {value!r}; ", f"{flag} is {value!r}", f"{value}: "
    assert line.removeprefix("bleu-rouge: ").startswith(starts)


@pytest.mark.parametrize("name", ["tokenizer", "max_order", "beta"])
def test_an_error_is_the_same_after_a_pickle(name: str) -> None:
    error = find_error(name, "foo max_order=3")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert (type(copy), str(copy)) == (type(error), str(error))
        assert write_flags(get_message(copy)) == write_flags(get_message(error))


@pytest.mark.parametrize(
    ("template", "expected"), read_errors(Path(__file__).with_name("flags.txt"))
)
def test_options_are_written_as_flags(template: str, expected: str) -> None:
    assert write_flags(format_message(template)) == expected
    assert write_flags(template) == template


def list_calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Iterate over the calls of the package: place, call and name of what is called."""
    root = Path(bleu_rouge_metric.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                yield path.relative_to(root), call, call.func.id


def test_no_message_holds_an_option_as_text() -> None:
    """An option in a text would be shown as in Python by the command and by the page."""
    names = {name for name in OPTIONS if "_" in name}
    for place, call, name in list_calls():
        # What only Python shows has its words: its keywords.
        is_shown = place.parts[0] not in ("cli", "integrations")
        if is_shown and name.endswith(("Error", "_error", "warn_caller", "format_message")):
            for part in ast.walk(call):
                text = part.value if isinstance(part, ast.Constant) else ""
                if isinstance(text, str) and " " in text:
                    words = text.replace("'", " ").replace("=", " ").split()
                    assert names.isdisjoint(words), f"{place}:{call.lineno}: {text}"


def test_no_template_is_made_of_values() -> None:
    """A template has fields: braces in what a user gave would be read as such."""
    for place, call, name in list_calls():
        if name in ("format_message", "value_error", "type_error"):
            assert not isinstance(call.args[0], ast.JoinedStr), f"{place}:{call.lineno}"
