"""Write the tables of the manual that are made from the code into its pages.

    python scripts/write_tables.py

A table is between two comments, so that readers of the repository see it too:
``<!-- table: options bleu -->`` calls a function of ``TABLES`` with its argument, which returns
Markdown. ``<!-- table: names integrations.rewards -->`` describes the names of a module that its
rows begin with, and their members.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric.cli import flags
from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import OPTIONS, describe_default
from bleu_rouge_metric.schema import Flag
from bleu_rouge_metric.text.languages import LANGUAGES

# Without these libraries the tables of the names that need them are left as they are.
OPTIONAL: Final = ("torch", "torchmetrics")
DOCS: Final = Path(__file__).parent.parent / "docs"

_TABLE: Final = re.compile(
    r"(?P<start><!-- table: (?P<name>[\w-]+)(?: (?P<argument>[\w.-]+))? -->\n)"
    r"(?P<rows>.*?)(?P<end><!-- end of table -->\n)",
    re.DOTALL,
)
_NAME: Final = re.compile(r"^\| `(\w+)` \|.*?( Members: .*)? \|$", re.MULTILINE)

# The heading, the names and the help of a flag.
Row = tuple[str, str, str]


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = (
        " | ".join(cell.replace("|", r"\|") for cell in row)
        for row in (head, ["---"] * len(head), *rows)
    )
    return "".join(f"| {line} |\n" for line in lines)


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
    shared: list[Row] = []
    panels: dict[str, list[tuple[str, str]]] = {}
    for row in _list_flags(name):
        if _read_names(row[1])[0] in OPTION_FLAGS if is_first else row in known:
            shared.append(row)
        else:
            panels.setdefault(row[0], []).append(row[1:])
    tables = [
        f"**{panel}**\n\n{write_table(('flag', 'meaning'), rows)}" for panel, rows in panels.items()
    ]
    if is_first:
        tables.append(f"**Flags of [options](options.md)**: {_join_names(shared)}.\n")
    else:
        own = {each for rows in panels.values() for row in rows for each in _read_names(row[0])}
        known = [row for row in known if own.isdisjoint(_read_names(row[1]))]
        tables.append(f"**As in `bleu-rouge score`**: {_write_shared(known, shared)}.\n")
    return "\n".join(tables)


def _write_shared(known: Sequence[Row], shared: Sequence[Row]) -> str:
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
            if title == ("options" if _read_names(row[1])[0] in options else row[0])
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


def _read_names(written: str) -> list[str]:
    return re.findall(r"`([^ `]+)[^`]*`", written)


def _join_names(rows: Sequence[Row]) -> str:
    return ", ".join(f"`{name}`" for row in rows for name in _read_names(row[1]))


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


def _list_flags(name: str) -> list[Row]:
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


def _write_published(language: Any) -> str:
    """Write the options of published scores that a language does not choose."""
    if language.rouge == "rouge":
        return 'XL-Sum: `profile="xlsum"`, which adds `use_stemmer="english"`'
    names = "bleu_tokenizer", "rouge_tokenizer", "use_stemmer"
    options = zip(names, language.published, strict=True)
    return ", ".join(f'`{option}="{value}"`' for option, value in options if value)


def write_languages() -> str:
    """Write a table of the recipes with their languages, and count the other languages."""
    recipes: dict[tuple[str, str, str, str], list[str]] = {}
    for language in LANGUAGES:
        rouge = f"`{language.rouge}`" + (" (no standard)" if language.rouge == "unicode" else "")
        stemmer = f"`{language.stemmer}`" if language.stemmer else ""
        recipe = f"`{language.bleu}`", rouge, stemmer, _write_published(language)
        name = language.names[0]
        if (language.bleu, language.rouge) != ("13a", "unicode"):
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


def write_names(module: str, rows: str) -> str:
    """Describe the names of a module: the first sentence of each docstring, and the members."""
    found = import_module(f"bleu_rouge_metric.{module}".rstrip("."))
    meanings = [
        (f"`{name}`", f"{summarize(getattr(found, name))}{members}")
        for name, members in _NAME.findall(rows)
    ]
    return write_table(("name", "meaning"), meanings)


def summarize(value: Any) -> str:
    """Return the first sentence of a docstring as Markdown."""
    paragraph = " ".join(inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0].split())
    sentence = re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0]
    return re.sub(r":\w+:(?=`)", "", sentence).replace("``", "`")


TABLES: Final[dict[str, Callable[..., str]]] = {
    "options": write_options,
    "profiles": write_profiles,
    "command": write_command,
    "exit-codes": write_exit_codes,
    "languages": write_languages,
}


def fill_tables(page: str) -> str:
    """Return the text of a page with every table as the code has it now."""
    return _TABLE.sub(_write, page)


def _write(match: re.Match[str]) -> str:
    if match["name"] != "names":
        table = TABLES[match["name"]](*filter(None, [match["argument"]]))
    else:
        try:
            table = write_names(match["argument"] or "", match["rows"])
        except ImportError as error:
            # The class for torchmetrics says which extra has the library that is missing.
            missing = error.__cause__ or error
            if not isinstance(missing, ImportError) or missing.name not in OPTIONAL:
                raise
            return match[0]
    return f"{match['start']}\n{table.strip()}\n\n{match['end']}"


def main() -> None:
    """Rewrite the pages whose tables have changed."""
    for path in sorted(DOCS.rglob("*.md")):
        page = path.read_text("utf-8")
        filled = fill_tables(page)
        if filled != page:
            path.write_text(filled, "utf-8")
            print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
