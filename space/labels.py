"""The names of the page's controls, and messages in which they stand for options of Python."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bleu_rouge_metric.messages import Argument, Message, PythonOnly

LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "max_order": "Longest n-gram of BLEU",
        "smooth": "Smooth BLEU",
        "bleu_tokenizer": "BLEU tokenizer",
        "rouge_types": "ROUGE types",
        "use_stemmer": "Stem for ROUGE",
        "rouge_tokenizer": "ROUGE tokenizer",
    }
)
# Controls that are on or off, whatever value Python proposes.
_SWITCHES: Final = ("smooth", "use_stemmer")


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
        values = () if part.name in _SWITCHES else part.list_values()
        return f"{labels[part.name]}{': ' * bool(values)}{' or '.join(map(str, values))}"

    return str(message.map(write))
