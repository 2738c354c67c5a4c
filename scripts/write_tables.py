"""Write the tables of the manual that are made from the code into its pages.

    python scripts/write_tables.py

A table is between two comments, so that readers of the repository see it too:
``<!-- table: options bleu -->`` calls a function of ``TABLES`` with its argument;
``<!-- table: names -->`` lists the names of the directives of autodoc after it, each with the first
line of its docstring.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import bleu_rouge_metric
from bleu_rouge_metric.cli import flags
from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.options.errors import list_foreign
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import OPTIONS, write_markdown
from bleu_rouge_metric.text.languages import LANGUAGES, SOURCES, Language

# Without these libraries the tables of the names that need them are left as they are.
OPTIONAL: Final = ("torch", "torchmetrics")
DOCS: Final = Path(__file__).parent.parent / "docs"
_TABLE: Final = re.compile(
    r"(?P<start><!-- table: (?P<name>[\w-]+)(?: (?P<argument>[\w-]+))? -->\n)"
    r".*?(?P<end><!-- end of table -->\n)"
    r"(?P<directives>\n<!-- \{eval-rst\}\n.*?^-->$)?",
    re.MULTILINE | re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"^\.\. (?P<kind>currentmodule|autofunction|autoclass):: (?P<name>\S+)"
    r"|^ +:members: (?P<members>.+)",
    re.MULTILINE,
)


def write_value(value: object) -> str:
    """Write a value as in Python; a tuple as a list."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(write_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def write_options(group: str) -> str:
    """Write a table of the options of ``bleu``, ``rouge`` or ``both``."""
    families = () if group == "both" else (group,)
    return write_markdown(option for option in OPTIONS.values() if option.families == families)


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


def write_command(name: str) -> str:
    """Write the flags of a command: tables of its own, then the names of those of ``score``."""
    known = [] if name == "score" else _list_flags("score")
    shared = [row for row in _list_flags(name) if row in known]
    panels: dict[str, list[tuple[str, str]]] = {}
    for panel, *row in _list_flags(name):
        if (panel, *row) not in shared:
            panels.setdefault(panel, []).append((row[0], row[1]))
    tables = [
        f"**{panel}**\n\n{write_table(('flag', 'meaning'), rows)}" for panel, rows in panels.items()
    ]
    if shared:
        names = (re.findall(r"`([^ `]+)[^`]*`", flags) for _, flags, _ in shared)
        listed = ", ".join(f"`{name}`" for name in chain.from_iterable(names))
        tables.append(f"**As in `bleu-rouge score`**: {listed}.\n")
    return "\n".join(tables)


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


def write_help(name: str) -> str:
    """Write what the ``--help`` of a command says before the flags."""
    return flags.COMMANDS[name].text.replace("\b\n", "")


def write_examples() -> str:
    """Write the examples at the end of ``bleu-rouge score --help``."""
    return "\n".join(("```text", *flags.COMMANDS["score"].examples, "```"))


def write_exit_codes() -> str:
    """Write a table of the exit codes of the command."""
    return write_table(
        ("code", "meaning"), [(str(code), meaning) for code, meaning in flags.EXIT_CODES.items()]
    )


def write_languages() -> str:
    """Write a table of the recipes with their languages, and a list of all other languages."""
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
        "No standard exists for all other languages. They have `13a` for BLEU and `unicode` for "
        f"ROUGE: {others[0]}.\n"
    )


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
    lines = [head, ["---"] * len(head), *rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in escaped)


def list_rows(directives: str) -> list[tuple[str, str]]:
    """Return every name, with ``(...)`` for a call of an object, and its meaning.

    Args:
        directives: reStructuredText with ``autofunction`` and ``autoclass``.
    """
    return [
        (f"`{name.replace('.__call__', '(...)')}`", summarize(value))
        for name, value in _find(directives)
    ]


def _find(directives: str) -> Iterator[tuple[str, Any]]:
    """Yield every name with what it names; members as ``Class.member``."""
    module: Any = bleu_rouge_metric
    name, value = "", None
    for match in _DIRECTIVE.finditer(directives):
        if match["kind"] == "currentmodule":
            module = import_module(match["name"])
        elif match["kind"]:
            path, _, name = match["name"].rpartition(".")
            value = getattr(import_module(path) if path else module, name)
            yield name, value
        else:
            for member in match["members"].split(", "):
                yield f"{name}.{member}", attrgetter(member)(value)


def summarize(value: Any) -> str:
    """Return the first paragraph of a docstring as Markdown."""
    paragraph = inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0]
    return re.sub(r":\w+:(?=`)", "", " ".join(paragraph.split())).replace("``", "`")


TABLES: Final[dict[str, Callable[..., str]]] = {
    "options": write_options,
    "profiles": write_profiles,
    "foreign": write_foreign,
    "command": write_command,
    "help": partial(write_help, "score"),
    "compare-help": partial(write_help, "compare"),
    "examples": write_examples,
    "exit-codes": write_exit_codes,
    "languages": write_languages,
    "language-sources": write_language_sources,
}


def fill_tables(page: str) -> str:
    """Return the text of a page with every table as the code has it now."""
    return _TABLE.sub(_fill, page)


def _fill(match: re.Match[str]) -> str:
    directives = match["directives"] or ""
    if match["name"] == "names":
        try:
            table = write_table(("name", "meaning"), list_rows(directives))
        except ImportError as error:
            # The class for torchmetrics says which extra has the library that is missing.
            missing = error.__cause__ or error
            if not isinstance(missing, ImportError) or missing.name not in OPTIONAL:
                raise
            return match[0]
    else:
        table = TABLES[match["name"]](*filter(None, [match["argument"]]))
    return f"{match['start']}\n{table.strip()}\n\n{match['end']}{directives}"


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
