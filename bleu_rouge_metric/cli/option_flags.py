"""Flags of ``bleu-rouge`` for the options of the metric, made from the table of options.

The values are checked by ``Options``, not here, so that a bad value is the same error as in Python;
numbers come as text, since only here an int and a float are told apart as Python does.
A flag that is not given is None: its default is that of the profile.
"""

from collections.abc import Callable, Container, Mapping
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Final

from ..checks import check_choice
from ..files.input import FileError, describe
from ..messages import Argument, describe_value, value_error
from ..options.help import describe_default
from ..options.table import OPTIONS
from ..samples.token_ids import IDS
from ..schema import kinds
from ..schema.option import Flag, Option
from ..text.stemmers import list_languages

# Kinds of options whose flags say the default; the others say it in their text, or have none.
_WITH_DEFAULT: Final = (kinds.INT, kinds.FLOAT, kinds.NAMES, kinds.WEIGHTS)

# Of --stemmer, where profile or language would choose a stemmer.
_NO_STEMMER: Final = "none"


def add_option_flags(
    *, only: Container[str] = OPTIONS, last: Container[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator of a command: its ``**options`` become flags of the metric's options.

    Args:
        only: names of the options that the command has.
        last: the parameters of the command that come after the options in the help.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        given = signature(command)
        own = [p for p in given.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        made = [p for name in OPTIONS if name in only for p in _make_parameters(OPTIONS[name])]
        first = [p for p in own if p.name not in last]
        parameters = [*first, *made, *(p for p in own if p.name in last)]
        # typer reads both.
        command.__signature__ = given.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
        return command

    return decorate


@cache
def _make_parameters(option: Option) -> list[Parameter]:
    """A parameter for each flag of an option."""
    import typer

    parameters = []
    for flag in option.flags:
        name = name_parameter(option, flag)
        annotation: Any = bool | None
        if flag.metavar:
            annotation = list[str] | None if flag.is_list else str | None
        info = typer.Option(
            "/".join(name_flags(option, flag)),
            metavar=flag.metavar,
            help=_write_help(option, flag),
            show_default=False,
            rich_help_panel=flag.panel or None,
            autocompletion=_make_completion(option, flag),
        )
        parameters.append(
            Parameter(
                name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[annotation, info]
            )
        )
    return parameters


def _make_completion(option: Option, flag: Flag) -> Callable[[str], list[str]] | None:
    """Return what completes values for a shell; None for values without names."""
    names = flag.completions or option.choices
    if not (names and flag.metavar):
        return None
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def name_parameter(option: Option, flag: Flag) -> str:
    """Return the parameter of a flag: the option, unless the flag has another name (--stemmer)."""
    names = flag.names.removeprefix("--")
    return option.name if "/" in names or not names else names.replace("-", "_")


def to_flag(name: str) -> str:
    """Return the flag of a parameter.

    >>> to_flag("max_order")
    '--max-order'
    """
    return f"--{name.replace('_', '-')}"


def name_flags(option: Option, flag: Flag) -> list[str]:
    """Return the flag, with the flag that turns the option off if there is one."""
    return flag.names.split("/") if flag.names else [to_flag(option.name)]


def _write_help(option: Option, flag: Flag) -> str:
    """Return the help of a flag: what it does, its names, its default."""
    text = flag.text or f"{option.text[0].upper()}{option.text[1:]}."
    names = "" if flag.text or not option.choices else f"One of {', '.join(option.choices)}."
    has_default = flag.metavar and option.kind in _WITH_DEFAULT
    default = f"Default: {describe_default(option)}." if has_default else ""
    return " ".join(part for part in (text, names, flag.more, default) if part)


def to_keywords(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of ``Options.from_keywords`` from the flags of a command.

    Args:
        flags: values by the names of the parameters; None, or an empty list, if a flag is not
            given. Flags that are not options of the metric are left out.

    Raises:
        FileError: the file of stop words cannot be read.
        ValueError: a number is none, two flags exclude each other, or files have no such tokens.

    >>> to_keywords({"rouge_type": ["rougeL"], "weights": ["0.5,0.5"], "seed": "1", "beta": "2"})
    {'weights': (0.5, 0.5), 'rouge_types': ['rougeL'], 'beta': 2}
    """
    given = {name: value for name, value in flags.items() if value not in (None, [], ())}
    keywords: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        for flag in option.flags:
            parameter = name_parameter(option, flag)
            if parameter not in given:
                continue
            if name in keywords:
                shown = " and ".join(name_flags(option, other)[0] for other in option.flags)
                raise ValueError(f"{shown} exclude each other; give one of them.")
            read = _READERS.get(option.kind)
            value = given[parameter]
            keywords[name] = value if read is None else read(name, value)
    return keywords


def to_arguments(keywords: Mapping[str, Any]) -> list[str]:
    """Return flags of a command that give options these values, as ``to_keywords`` reads them.

    Args:
        keywords: values by the names of options; False only if a flag turns the option off.

    >>> to_arguments({"rouge_types": ["rougeL", "rougeS"], "max_order": 3, "use_stemmer": False})
    ['--rouge-type', 'rougeL', '--rouge-type', 'rougeS', '--max-order', '3', '--stemmer', 'none']
    """
    arguments: list[str] = []
    for name, given in keywords.items():
        option = OPTIONS[name]
        value = _NO_STEMMER if option.kind is kinds.STEMMER and given is False else given
        is_switch = isinstance(value, bool)
        flag = next(flag for flag in option.flags if is_switch != bool(flag.metavar))
        names = name_flags(option, flag)
        if is_switch:
            arguments.append(names[0 if value else 1])
            continue
        for one in value if flag.is_list else [value]:
            arguments += [names[0], str(one)]
    return arguments


def _check_tokenizer(name: str, choice: str) -> str:
    """Return the name of a tokenizer; raise ValueError for a tokenizer of token ids."""
    if choice == IDS:
        reason = "{} is 'ids', but files hold texts"
        raise value_error(reason, Argument(name), remedy="leave it out.")
    return choice


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


def _read_names(_: str, texts: list[str]) -> list[str]:
    """Return the names between commas, of a flag that may be given several times."""
    return [name.strip() for text in texts for name in text.split(",")]


def _read_stemmer(_: str, choice: Any) -> bool | str:
    """Return the value of one of the two flags; raise ValueError for an unknown language."""
    if isinstance(choice, bool):
        return choice
    if choice == _NO_STEMMER:
        return False
    return check_choice("--stemmer", choice, list_languages())


def _read_weights(_: str, texts: list[str]) -> tuple[Any, ...]:
    """Return one set of weights, or several."""
    vectors = tuple(map(_to_weights, texts))
    return vectors[0] if len(vectors) == 1 else vectors


def _to_weights(text: str) -> tuple[float, ...]:
    """Numbers from between commas."""
    try:
        return tuple(map(float, text.split(",")))
    except ValueError as error:
        expected = "expected numbers with commas between, such as 0.5,0.5."
        raise ValueError(describe_value("weights", repr(text), expected)) from error


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


# How the text of a flag becomes a value, by kind; other kinds take the text as it is.
_READERS: Final[dict[kinds.Kind, Callable[[str, Any], Any]]] = {
    kinds.INT: to_int,
    kinds.FLOAT: to_number,
    kinds.NUMBER: to_number,
    kinds.NAMES: _read_names,
    kinds.STEMMER: _read_stemmer,
    kinds.WEIGHTS: _read_weights,
    kinds.WORDS: _read_words,
    kinds.NAME_OR_FUNCTION: _check_tokenizer,
}
