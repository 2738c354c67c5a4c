"""Tables of the manual that are made from the code: options, profiles, the command.

Each function returns Markdown; ``write_tables.py`` writes it into the pages.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from bleu_rouge_metric.cli import flags
from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import OPTIONS, describe_default
from bleu_rouge_metric.schema import Flag
from bleu_rouge_metric.text.languages import LANGUAGES, Language


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


def write_command(name: str) -> str:
    """Write the flags of a command: tables of its own, then which ones it shares.

    Flags with the meaning of an option are named only; the table of options explains them.
    """
    is_first = name == "score"
    known = [] if is_first else _list_flags("score")
    shared: list[tuple[str, str, str]] = []
    panels: dict[str, list[tuple[str, str]]] = {}
    for row in _list_flags(name):
        if _list_names(row[1])[0] in OPTION_FLAGS if is_first else row in known:
            shared.append(row)
        else:
            panels.setdefault(row[0], []).append(row[1:])
    tables = [
        f"**{panel}**\n\n{write_table(('flag', 'meaning'), rows)}" for panel, rows in panels.items()
    ]
    if is_first:
        tables.append(f"**Flags of [options](options.md)**: {_join_names(shared)}.\n")
    else:
        own = {each for rows in panels.values() for row in rows for each in _list_names(row[0])}
        known = [row for row in known if own.isdisjoint(_list_names(row[1]))]
        tables.append(f"**As in `bleu-rouge score`**: {_write_shared(known, shared)}.\n")
    return "\n".join(tables)


def _write_shared(
    known: Sequence[tuple[str, str, str]], shared: Sequence[tuple[str, str, str]]
) -> str:
    """Write which flags of ``score`` a command has: all, all except some, or a list."""
    panels = dict.fromkeys(row[0] for row in known)
    options = {
        name
        for option in OPTIONS.values()
        for flag in flags.list_flags(option)
        for name in flag.shown.split("/")
    }
    parts = []
    for title in (*panels, "options"):
        rows = [
            row
            for row in known
            if title == ("options" if _list_names(row[1])[0] in options else row[0])
        ]
        given = _join_names([row for row in rows if row in shared])
        missing = _join_names([row for row in rows if row not in shared])
        if title == "Arguments":
            parts.append(given)
            continue
        place = "of options" if title == "options" else f"under **{title}**"
        others = f"the flags {place}" + (f" except {missing}" if missing else "")
        parts.append(min(others, given, key=len))
    return "; ".join(filter(None, parts))


def _list_names(written: str) -> list[str]:
    return re.findall(r"`([^ `]+)[^`]*`", written)


def _join_names(rows: Sequence[tuple[str, str, str]]) -> str:
    return ", ".join(f"`{name}`" for row in rows for name in _list_names(row[1]))


def _has_same_meaning(flag: Flag) -> bool:
    """Return whether the flag of an option means what the table of options says of the option."""
    return not (
        flag.is_list
        or "|" in flag.metavar
        or "requires" in flag.text
        or (flag.names and "/" not in flag.names)
    )


OPTION_FLAGS: Final = {
    name
    for option in OPTIONS.values()
    for flag in option.flags
    if _has_same_meaning(flag)
    for name in flags.name_flags(option, flag)
}


def _list_flags(name: str) -> list[tuple[str, str, str]]:
    """List the heading, the names and the help of each parameter of a command."""
    return [
        (getattr(parameter, "panel", "Options"), _write_names(parameter), parameter.help or "")
        for parameter in make_command(name).params
    ]


def _write_names(parameter: Any) -> str:
    """Write a parameter as on the command line."""
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar}`"
    names = [*parameter.opts, *parameter.secondary_opts]
    return ", ".join(f"`{name} {parameter.metavar or ''}".rstrip() + "`" for name in names)


def write_exit_codes() -> str:
    """Write a table of the exit codes of the command."""
    return write_table(
        ("code", "meaning"), [(str(code), meaning) for code, meaning in flags.EXIT_CODES.items()]
    )


def write_languages() -> str:
    """Write a table of the recipes with their languages, and count the other languages."""
    recipes: dict[tuple[str, str, str, str], list[str]] = {}
    for language in LANGUAGES:
        rouge = f"`{language.rouge}`" + (" (no standard)" if language.rouge == "unicode" else "")
        stemmer = f"`{language.stemmer}`" if language.stemmer else ""
        recipe = f"`{language.bleu}`", rouge, stemmer, _write_published(language)
        name = language.names[0]
        if not _has_defaults(language):
            name += f" (`{language.codes[0]}`)"
        recipes.setdefault(recipe, []).append(name)
    rows = [(", ".join(names), *recipe) for recipe, names in recipes.items()]
    (others,) = (row for row in rows if row[1:3] == ("`13a`", "`unicode` (no standard)"))
    rows.remove(others)
    head = ("languages", "BLEU", "ROUGE", "stemmer", "for published scores")
    return (
        f"{write_table(head, rows)}\n"
        f"No standard exists for {len(recipes[others[1:]])} other languages, such as Czech, "
        "Dutch, German and Polish. They have `13a` for BLEU and `unicode` for ROUGE.\n"
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


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    return "".join(_write_lines([head, ["---"] * len(head), *rows]))


def _write_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n"


TABLES: Final[dict[str, Callable[..., str]]] = {
    "options": write_options,
    "profiles": write_profiles,
    "command": write_command,
    "exit-codes": write_exit_codes,
    "languages": write_languages,
}
