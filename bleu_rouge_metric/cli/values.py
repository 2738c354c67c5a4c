"""Turn what was typed into values: one place for the flags of all commands."""

from contextlib import AbstractContextManager
from typing import Any

from ..checks import check_choice
from ..counting.kernels import current_kernel
from ..counting.threads import count_threads
from ..files.encodings import check_delimiter, check_encoding
from ..files.lines import FileFormat
from ..messages import describe_value
from ..options.options import Options
from ..options.profiles import Family, check_family
from ..schema.checks import LARGEST_SEED
from ..text.warnings import collect_warnings
from .flags import FILES, Command, Flag
from .messages import usage_errors
from .option_flags import to_int, to_keywords, to_number


class Values:
    """The values of the flags of one call, each an attribute; None if a flag is not given.

    Attributes:
        keywords: the options of the metric that are given.
        options: the options of the metric, checked.
        families: those to score.
        files: the keywords of ``read_samples``.
        given: the flags of files that are given.
    """

    keywords: dict[str, Any]
    options: Options
    families: list[Family]
    files: dict[str, Any]
    given: list[str]

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def errors(self, **names: str) -> AbstractContextManager[None]:
        """Convert errors of arguments to ``UsageError``, which names flags.

        Args:
            **names: of arguments of Python that no flag has the name of.
        """
        return usage_errors({**self.names, **names})

    def pick(self, *names: str) -> dict[str, Any]:
        """Return some of the values."""
        return {name: getattr(self, name) for name in names}


def read_values(command: Command, typed: dict[str, Any]) -> Values:
    """Read and check the values of a command.

    Raises:
        UsageError: a value is not valid.
    """
    values = Values(command.names)
    with values.errors():
        # A variable may ask for a kernel or threads that cannot be had.
        current_kernel()
        count_threads()
        of_files = [flag for flag in command.flags if flag in FILES]
        values.given = [flag.shown for flag in of_files if typed[flag.name] is not None]
        for flag in command.flags:
            setattr(values, flag.name, _read(flag, typed.pop(flag.name)))
        values.keywords = to_keywords(typed)
        if getattr(values, "convention", None) is not None:
            values.keywords.setdefault("profile", "sacrebleu")
        values.families = check_family(getattr(values, "family", None))
        if "family" in command.names:
            _make_options(values)
        values.files = values.pick(*(flag.name for flag in of_files))
        values.files["stdin_format"] = FileFormat(values.stdin_format)
        values.files["encoding"] = check_encoding(values.encoding)
        if values.delimiter is not None:
            values.files["delimiter"] = check_delimiter(values.delimiter)
    return values


def _make_options(values: Values) -> None:
    """Check the options of the metric."""
    if hasattr(values, "row"):
        # What it warns of is among the notes of the explanation.
        with collect_warnings():
            values.options = Options.from_keywords(values.keywords, values.families)
    else:
        values.options = Options.from_keywords(values.keywords, values.families)


def _read(flag: Flag, text: Any) -> Any:
    """Return the value of a flag; raise ValueError if it is not valid."""
    if flag.is_list:
        return list(text)
    if not flag.metavar:
        return bool(text)
    text = flag.default if text is None else text
    if text is None:
        return None
    if flag.choices:
        name = text.lower()
        return name if name in flag.choices else check_choice(flag.shown, text, flag.choices)
    if flag.kind == "text":
        return text
    number = (to_number if flag.kind == "number" else to_int)(flag.name, text)
    if flag.kind == "seed" and not 0 <= number <= LARGEST_SEED:
        expected = f"expected an int from 0 to {LARGEST_SEED}."
        raise ValueError(describe_value(flag.name, str(number), expected))
    return number
