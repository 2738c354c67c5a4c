"""Laws of errors over the table of options: they are data, and no value is altered."""

import ast
import pickle
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bleu_rouge_metric
from bleu_rouge_metric.cli.flag_words import write_flags
from bleu_rouge_metric.messages import Message, format_message, get_message
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.schema import kinds

from ..conftest import require
from ..support.commands import error as error_of_command

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
)
# What an option needs to be checked at all.
NEEDED: dict[str, dict[str, Any]] = {
    "smooth_value": {"smooth": "floor"},
    "min_order": {"profile": "google_bleu"},
    "stemmer_exceptions": {"use_stemmer": True},
}
TAKES_VALUES = [name for name, option in OPTIONS.items() if option.kind is not kinds.FUNCTION]


def find_error(name: str, value: object) -> Exception:
    with pytest.raises((TypeError, ValueError)) as error:
        Options.from_keywords({**NEEDED.get(name, {}), name: value})
    return error.value


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", TAKES_VALUES)
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
    require("gradio")
    from space.labels import write_labels
    from space.limits import InputError
    from space.scores import Choices, check_choices

    plain = Choices(4, False, "13a", ["rouge1"], "rouge", False)  # noqa: FBT003
    for name in Choices._fields:
        with pytest.raises(InputError) as error:
            check_choices(plain._replace(**{name: value}))
        assert str(error.value).startswith(f"{name} is {value!r}; expected ")
        shown = write_labels(get_message(error.value))
        assert f" is {value!r}; expected " in shown
        assert not shown.startswith(name)


@pytest.mark.usefixtures("examples_folder")
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("profile", "--profile"),
        ("tokenizer", "--tokenizer"),
        ("bleu_tokenizer", "--bleu-tokenizer"),
        ("max_order", "--max-order"),
        ("weights", "--weights"),
        ("smooth", "--smooth"),
        ("use_stemmer", "--stemmer"),
        ("stop_words", "--stop-words"),
        ("sentence_splitter", "--sentence-splitter"),
        ("multi_reference", "--multi-reference"),
        ("beta", "--beta"),
        ("confidence", "--confidence"),
        ("seed", "--seed"),
    ],
)
def test_the_command_shows_a_value_unaltered(name: str, flag: str, value: str) -> None:
    if name == "stop_words" and "." in value:
        pytest.skip("A name with a suffix is a file.")
    line = error_of_command("predictions.txt", "references.txt", flag, value)
    assert f"{flag} {value!r}; " in line or f"{flag} is {value!r}" in line


@pytest.mark.parametrize("name", ["tokenizer", "max_order", "beta"])
def test_an_error_is_the_same_after_a_pickle(name: str) -> None:
    error = find_error(name, "foo max_order=3")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert (type(copy), str(copy)) == (type(error), str(error))
        assert write_flags(get_message(copy)) == write_flags(get_message(error))


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{max_order} is 0", "--max-order is 0"),
        ("{rouge_types} is empty", "--rouge-type is empty"),
        ("use {use_stemmer='german'}", "use --stemmer german"),
        ("use {use_stemmer=True}", "use --use-stemmer"),
        ("use {use_aggregator=False}", "use --no-aggregator"),
        ("use {use_aggregator=True}", "use --use-aggregator"),
        ("but {use_stemmer is False}", "but --use-stemmer is not given"),
        ("but {use_aggregator is False}", "but --no-aggregator is given"),
        ("use {rouge_types=['rouge1', 'rougeL']}", "use --rouge-type rouge1 --rouge-type rougeL"),
        ("use {word_limit=} or {byte_limit=}", "use --word-limit or --byte-limit"),
        ("{sentence_splitter='punkt', 'pysbd'}", "--sentence-splitter punkt or pysbd"),
        ("{weights[1]} is empty", "--weights[1] is empty"),
        # No flag is made of these.
        ("{segmenter} is given", "segmenter is given"),
        ("{references[0]} is empty", "references[0] is empty"),
        ("max_order is 0", "max_order is 0"),
    ],
)
def test_options_are_written_as_flags(template: str, expected: str) -> None:
    assert write_flags(format_message(template)) == expected
    assert write_flags(template) == template


def list_texts() -> Iterator[tuple[str, str]]:
    """Iterate over the texts in calls that raise or warn, each with its place."""
    root = Path(bleu_rouge_metric.__file__).parent
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        # What only Python shows: its keywords are its words.
        if place.parts[0] in ("cli", "integrations"):
            continue
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
            if name.endswith(("Error", "warn_caller", "Message", "Remedy", "Expectation")):
                for part in ast.walk(call):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield f"{place}:{part.lineno}", part.value


def test_no_message_holds_an_option_as_text() -> None:
    """An option in a text would be shown as in Python by the command and by the page."""
    names = {name for name in OPTIONS if "_" in name}
    assert {
        (place, text)
        for place, text in list_texts()
        if len(text.split()) > 1
        and not names.isdisjoint(shlex.split(text.replace("'", " ").replace("=", " ")))
    } == set()
