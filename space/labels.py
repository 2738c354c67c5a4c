"""The names of the page's controls, and messages in which they stand for options of Python."""

import json
from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from bleu_rouge_metric.messages import Argument, Message, PythonOnly

from .scores import OFFERED

LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "profile": "Numbers of",
        "language": "Language",
        "max_order": "Longest n-gram of BLEU",
        "smooth": "Smoothing of BLEU",
        "effective_order": "Leave out orders without n-grams",
        "bleu_tokenizer": "BLEU tokenizer",
        "rouge_types": "ROUGE types",
        "use_stemmer": "Stemmer of ROUGE",
        "rouge_tokenizer": "ROUGE tokenizer",
        "sentence_splitter": "Sentences of ROUGE-Lsum",
        "seed": "Seed",
        "n_resamples": "Resamples",
    }
)


def write_labels(message: str, labels: Mapping[str, str] = LABELS) -> str:
    """Return the message with the names of controls in place of arguments of Python.

    Args:
        message: one without parts stays as it is.
        labels: by the name of an argument; the others keep their names.

    >>> write_labels(Message(["use ", Argument("rouge_tokenizer", "=", "unicode"), "."]))
    'use ROUGE tokenizer: unicode.'
    """
    if not isinstance(message, Message):
        return message

    def write(part: Argument | PythonOnly) -> object:
        if isinstance(part, PythonOnly):
            return part.elsewhere
        if part.name not in labels:
            return part
        values = () if part.value is True else list_offered(part) or part.list_values()
        return f"{labels[part.name]}{': ' * bool(values)}{' or '.join(map(str, values))}"

    return str(message.map(write))


def write_setter(
    tab: str,
    values: Mapping[str, object],
    text: str,
    style: str = "link",
    *,
    pressed: bool | None = None,
) -> str:
    """Return a button that sets inputs of a tab, and opens it; ``page.js`` does so.

    Args:
        tab: name of the tab.
        values: by the ends of the ids of inputs.
        text: of the button, as HTML.
        style: names of classes.
        pressed: whether it is the one of several that is chosen; None if it is no choice.
    """
    data = escape(json.dumps(values))
    state = "" if pressed is None else f' aria-pressed="{str(pressed).lower()}"'
    return (
        f'<button type="button" class="{style}" data-tab="{tab}" data-set="{data}"{state}>{text}'
        "</button>"
    )


def list_offered(part: Argument) -> list[object]:
    """List the values of an argument that the page offers.

    >>> list_offered(Argument("sentence_splitter", "=", ("pysbd", "punkt")))
    ['pysbd']
    """
    return [value for value in part.list_values() if value in OFFERED.get(part.name, (value,))]


def list_repairs(message: str) -> list[tuple[str, object]]:
    """List the controls that the remedy of a message names, each with a value that is offered.

    >>> list_repairs(Message(["a"], remedy=Message(["use ", Argument("smooth", "=", "exp")])))
    [('smooth', 'exp')]
    """
    remedy = getattr(message, "remedy", "")
    if not isinstance(remedy, Message):
        return []
    return [
        (part.name, value)
        for part in remedy.walk()
        if isinstance(part, Argument) and part.name in LABELS
        for value in list_offered(part)
    ]


def write_message(message: str, tab: str, style: str, role: str) -> str:
    """Return a message as HTML, in the words of the page, with a button for each remedy.

    Args:
        message: it may quote a file.
        tab: name of the tab whose controls the buttons set; empty for none.
        style: the class of the box.
        role: of the box.
    """
    repairs = list_repairs(message) if tab else []
    buttons = "".join(
        write_setter(
            tab,
            {name.replace("_", "-"): value},
            escape(LABELS[name] if value is True else f"{LABELS[name]}: {value}"),
            "repair",
        )
        for name, value in repairs
    )
    return (
        f'<div class="{style}" role="{role}"><p dir="auto">{escape(write_labels(message))}</p>'
        f"{buttons}</div>"
    )
