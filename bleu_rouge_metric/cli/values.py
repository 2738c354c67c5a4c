"""Turn what was typed into checked values, for all commands in one place.

``Options`` checks the values of the metric's options, so that a bad value is the same error as in
Python. Numbers come as text, because only here an int and a float are told apart as Python does.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from .. import schema
from ..checks import check_choice, check_seed
from ..counting.kernels import current_kernel
from ..counting.threads import count_threads
from ..files.input import FileError, FileFormat, check_delimiter, check_encoding, describe
from ..messages import Argument, describe_value, value_error
from ..options.options import Options
from ..options.profiles import check_family
from ..options.table import OPTIONS
from ..samples.token_ids import IDS
from ..text.stemmers import list_languages
from ..text.strip import THINKING, compile_strip, strip_samples
from ..text.warnings import collect_warnings
from .flags import EXCLUSIVE, FILES, Command, Flag, name_flags, name_parameter
from .messages import UsageError, usage_errors

if TYPE_CHECKING:
    from ..samples.inputs import Samples

# Of --stemmer, where profile or language would choose a stemmer.
_NO_STEMMER: Final = "none"


class Values(SimpleNamespace):
    """The values of the flags of one call, each an attribute; None if a flag is not given.

    Attributes:
        keywords: the options of the metric that are given.
        options: the same, checked.
        families: the families that are scored.
        files: the keywords of ``read_samples``.
        given: the command's own flags that are given, by name.
        pattern: what is removed from texts.
    """

    def pick(self, *names: str) -> dict[str, Any]:
        """Return some of the values."""
        return {name: getattr(self, name) for name in names}

    def list_given(self, flags: tuple[Flag, ...]) -> list[str]:
        """Return which of some flags are given."""
        return [self.given[flag.name] for flag in flags if flag.name in self.given]

    def strip_samples(self, samples: "Samples") -> "Samples":
        """Return the samples without what ``--strip`` or ``--strip-thinking`` removes."""
        return samples if self.pattern is None else strip_samples(samples, self.pattern, set())


def read_values(command: Command, typed: dict[str, Any]) -> Values:
    """Read and check the values of a command."""
    with usage_errors():
        # A variable of the environment may ask for a kernel or threads that are not available.
        current_kernel()
        count_threads()
        given = {
            flag.name: flag.shown
            for flag in command.flags
            if typed[flag.name] not in (None, False, ())
        }
        for pair in EXCLUSIVE:
            if given.keys() >= set(pair):
                raise exclude(*(given[name] for name in pair))
        own = {flag.name: _read(flag, typed.pop(flag.name)) for flag in command.flags}
        keywords = to_keywords(typed)
        if own.get("convention") is not None:
            keywords.setdefault("profile", "sacrebleu")
        families = check_family(own.get("family"))
        options = None
        if "family" in own:
            # The notes of an explanation contain these warnings.
            with collect_warnings() if "row" in own else nullcontext():
                options = Options.from_keywords(keywords, families)
        files = {flag.name: own[flag.name] for flag in command.flags if flag in FILES}
        pattern = THINKING if own.get("strip_thinking") else own.get("strip")
    return Values(
        **own, given=given, keywords=keywords, families=families, options=options, files=files,
        pattern=pattern,
    )  # fmt: skip


def exclude(*flags: str) -> UsageError:
    """Return the error for flags that exclude each other."""
    return UsageError(f"{' and '.join(flags)} exclude each other; give one of them.")


def _read(flag: Flag, text: Any) -> Any:
    """Return the value of a flag; raise ValueError if it is not valid."""
    if flag.is_list:
        return list(text or ())
    if not flag.metavar:
        return bool(text)
    text = flag.default if text is None else text
    if text is None:
        return None
    if flag.choices:
        name = text.lower()
        text = check_choice(flag.shown, name if name in flag.choices else text, flag.choices)
    read = _READERS.get(flag.kind or flag.name)
    return text if read is None else read(flag.name, text)


def to_keywords(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``Options.from_keywords`` for the flags that are given."""
    keywords: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        given = [flags.get(name_parameter(option, flag)) for flag in option.flags]
        given = [value for value in given if value not in (None, [], ())]
        if len(given) > 1:
            raise exclude(*(name_flags(option, flag)[0] for flag in option.flags))
        for value in given:
            read = _READERS.get(option.kind)
            keywords[name] = value if read is None else read(name, value)
    return keywords


def to_int(name: str, text: str) -> int:
    """Return the int of a flag; raise ValueError for another value."""
    try:
        return int(text)
    except ValueError as error:
        raise ValueError(describe_value(name, repr(text), "expected an int.")) from error


def to_number(name: str, text: str) -> float:
    """Return the number of a flag; an int stays an int, because smoothing in NLTK needs it."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError as error:
        raise ValueError(describe_value(name, repr(text), "expected a number.")) from error


def _to_count(name: str, text: str) -> int:
    """Return the int of a flag; raise ValueError if it is negative."""
    if (number := to_int(name, text)) < 0:
        raise ValueError(describe_value(name, text, "expected an int of at least 0."))
    return number


def _check_tokenizer(name: str, choice: str) -> str:
    """Return the name of a tokenizer; raise ValueError for a tokenizer of token ids."""
    if choice == IDS:
        reason = "{} is 'ids', but files hold texts"
        raise value_error(reason, Argument(name), remedy="leave it out.")
    return choice


def _read_stemmer(_: str, choice: Any) -> bool | str:
    """Return the value of one of the two flags; raise ValueError for an unknown language."""
    if isinstance(choice, bool):
        return choice
    return False if choice == _NO_STEMMER else check_choice("--stemmer", choice, list_languages())


def _read_weights(name: str, texts: list[str]) -> tuple[Any, ...]:
    """Return one set of weights, or several."""
    try:
        vectors = tuple(tuple(map(float, (text := each).split(","))) for each in texts)
    except ValueError as error:
        expected = "expected numbers with commas between, such as 0.5,0.5."
        raise ValueError(describe_value(name, repr(text), expected)) from error
    return vectors[0] if len(vectors) == 1 else vectors


def _read_words(_: str, choice: str) -> str | list[str]:
    """Return the words of a file, or the language of a list if it is not a file."""
    path = Path(choice)
    if not path.suffix and not path.is_file():
        return choice
    try:
        words = path.read_text("utf-8-sig").split()
    except UnicodeDecodeError as error:
        raise FileError(choice, "the file is not UTF-8; save it as UTF-8.") from error
    except OSError as error:
        raise FileError(choice, f"{describe(error)}.") from error
    if not words:
        raise FileError(choice, "the file has no words; expected one per line.")
    return words


# How a text becomes a value, by the kind or name of the flag, or the kind of the option; others
# take the text as it is.
_READERS: Final[dict[str | schema.Kind, Callable[[str, Any], Any]]] = {
    "int": to_int,
    "number": to_number,
    "count": _to_count,
    "seed": lambda name, text: check_seed(to_int(name, text)),
    "stdin_format": lambda _, text: FileFormat(text),
    "encoding": lambda _, text: check_encoding(text),
    "delimiter": lambda _, text: check_delimiter(text),
    "strip": lambda _, text: compile_strip(text),
    schema.INT: to_int,
    schema.FLOAT: to_number,
    schema.NUMBER: to_number,
    schema.NAMES: lambda _, texts: [name.strip() for text in texts for name in text.split(",")],
    schema.STEMMER: _read_stemmer,
    schema.WEIGHTS: _read_weights,
    schema.WORDS: _read_words,
    schema.NAME_OR_FUNCTION: _check_tokenizer,
}
