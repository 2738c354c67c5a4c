"""Tables of the manual that are made from the code: options, profiles, the command.

Each function returns Markdown; ``write_tables.py`` writes it into the pages.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from bleu_rouge_metric.cli import flags
from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.cli.messages import list_foreign_flags
from bleu_rouge_metric.options.errors import list_foreign
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import OPTIONS, describe_default
from bleu_rouge_metric.text.languages import LANGUAGES, SOURCES, Language


def write_value(value: object) -> str:
    """Write a value as in Python; a tuple as a list."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(write_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def write_options(group: str) -> str:
    """Write a table of the options of ``bleu``, ``rouge`` or ``both``."""
    families = () if group == "both" else (group,)
    rows = [
        (
            f"`{option.name}`",
            ", ".join(option.choices) or option.kind.name,
            describe_default(option),
            f"{option.text[0].upper()}{option.text[1:]}.",
        )
        for option in OPTIONS.values()
        if option.families == families
    ]
    return write_table(("option", "values", "default", "what it does"), rows)


def write_profiles() -> str:
    """Write a table of the profiles: the reference and the presets of each."""
    rows = [
        (
            f"`{name}`",
            profile.reference,
            " and ".join(family.upper() for family in profile.families),
            ", ".join(
                f"`{option}={write_value(value)}`"
                for option, value in profile.presets.items()
                if value != OPTIONS[option].default
            )
            or "nothing",
        )
        for name, profile in PROFILES.items()
    ]
    return write_table(("profile", "equal to", "has", "presets"), rows)


def write_foreign() -> str:
    """Write a table of option names of other libraries, each with what to use instead."""
    names: dict[str, list[str]] = {}
    for name, remedy in list_foreign():
        names.setdefault(remedy, []).append(f"`{name}`")
    rows = [
        (", ".join(foreign), f"{remedy[0].upper()}{remedy[1:]}.")
        for remedy, foreign in names.items()
    ]
    return write_table(("given", "the error says"), rows)


def write_foreign_flags() -> str:
    """Write a table of flags of other commands, each with what to use instead."""
    flags: dict[str, list[str]] = {}
    for flag, remedy in list_foreign_flags().items():
        flags.setdefault(remedy, []).append(f"`{flag}`")
    rows = [
        (", ".join(foreign), f"{remedy[0].upper()}{remedy[1:]}.")
        for remedy, foreign in flags.items()
    ]
    return write_table(("given", "the error says"), rows)


def write_command(name: str) -> str:
    """Write the arguments and flags of ``bleu-rouge NAME``, one table per heading of its help."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in make_command(name).params:
        panel = getattr(parameter, "panel", "Options")
        panels.setdefault(panel, []).append((_write_names(parameter), parameter.help or ""))
    return "\n".join(
        f"**{panel}**\n\n{write_table(('flag', 'meaning'), rows)}" for panel, rows in panels.items()
    )


def _write_names(parameter: Any) -> str:
    """Write a parameter as on the command line."""
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar}`"
    names = [*parameter.opts, *parameter.secondary_opts]
    return ", ".join(f"`{name} {parameter.metavar or ''}".rstrip() + "`" for name in names)


def write_help() -> str:
    """Write what ``bleu-rouge score --help`` says before the flags."""
    return _strip_markup(flags.COMMANDS["score"].text)


def write_compare_help() -> str:
    """Write what ``bleu-rouge compare --help`` says before the flags."""
    return _strip_markup(flags.COMMANDS["compare"].text)


def write_examples() -> str:
    """Write the examples at the end of ``bleu-rouge score --help``."""
    return "\n".join(("```text", *flags.COMMANDS["score"].examples, "```"))


def write_exit_codes() -> str:
    """Write a table of the exit codes of the command."""
    return write_table(
        ("code", "meaning"), [(str(code), meaning) for code, meaning in flags.EXIT_CODES.items()]
    )


def _strip_markup(text: str) -> str:
    return text.replace("\b\n", "")


def write_languages() -> str:
    """Write a table of the languages with published recipes, and a list of all others."""
    others = [language for language in LANGUAGES if _has_defaults(language)]
    rows = [
        (
            language.names[0],
            ", ".join(f"`{code}`" for code in language.codes),
            f"`{language.bleu}`",
            f"`{language.rouge}`" + (" (no standard)" if language.rouge == "unicode" else ""),
            f"`{language.stemmer}`" if language.stemmer else "",
            _write_published(language),
        )
        for language in LANGUAGES
        if not _has_defaults(language)
    ]
    head = ("language", "codes", "BLEU", "ROUGE", "stemmer", "for published scores")
    names = ", ".join(f"{language.names[0]} (`{language.codes[0]}`)" for language in others)
    return (
        f"{write_table(head, rows)}\n"
        f"All other languages have `{others[0].bleu}` for BLEU and `{others[0].rouge}` for ROUGE, "
        f"for which there is no standard: {names}.\n"
    )


def _has_defaults(language: Language) -> bool:
    """Return whether a language has the tokenizers of languages without a recipe."""
    return (language.bleu, language.rouge) == ("13a", "unicode")


def _write_published(language: Language) -> str:
    """Write the options of published scores that a language does not choose."""
    if language.rouge == "rouge":
        return 'XL-Sum: `profile="xlsum"`, which adds `use_stemmer="english"`'
    names = "bleu_tokenizer", "rouge_tokenizer", "use_stemmer"
    options = zip(names, language.published, strict=True)
    return ", ".join(f'`{option}="{value}"`' for option, value in options if value)


def write_language_sources() -> str:
    """Write a table of the tokenizers that languages have, each with who uses it."""
    rows = [(f"`{tokenizer}`", source) for tokenizer, source in SOURCES.items()]
    return write_table(("tokenizer", "used by"), rows)


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    return "".join(_write_lines([head, ["---"] * len(head), *rows]))


def _write_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n"


TABLES: Final[dict[str, Callable[..., str]]] = {
    "options": write_options,
    "profiles": write_profiles,
    "foreign": write_foreign,
    "foreign-flags": write_foreign_flags,
    "command": write_command,
    "help": write_help,
    "compare-help": write_compare_help,
    "examples": write_examples,
    "exit-codes": write_exit_codes,
    "languages": write_languages,
    "language-sources": write_language_sources,
}
