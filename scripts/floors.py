"""Print the lowest allowed version of every dependency as a pip constraint, one per line.

    python scripts/floors.py [EXTRA ...]

``"numpy>=1.24"`` becomes ``numpy==1.24``. The dependencies are those of the package and of the
named extras; an extra may name other extras. Python 3.10 needs tomli, which pytest installs.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT: Final = Path(__file__).resolve().parent.parent / "pyproject.toml"
OWN_NAME: Final = "bleu-rouge-metric"


def to_floor(requirement: str) -> str:
    """Return the lowest version that a requirement allows, as a constraint.

    Raises:
        ValueError: the requirement has no floor.

    >>> to_floor("ray[data]>=2.40,<2.64")
    'ray==2.40'
    """
    found = re.match(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)", requirement)
    if found is None:
        raise ValueError(f"{requirement!r} has no floor; expected a requirement such as 'name>=1'.")
    return f"{found[1]}=={found[2]}"


def list_requirements(extras: Iterable[str], project: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over the requirements of extras, and of the extras that they name.

    >>> extras = {"all": ["bleu-rouge-metric[cli,rest]"], "cli": ["rich>=1"], "rest": ["nltk>=3"]}
    >>> list(list_requirements(["all"], {"optional-dependencies": extras}))
    ['rich>=1', 'nltk>=3']
    """
    for extra in extras:
        for requirement in project["optional-dependencies"][extra]:
            if found := re.fullmatch(rf"{OWN_NAME}\[(.*)\]", requirement):
                yield from list_requirements(found[1].split(","), project)
            else:
                yield requirement


def main() -> None:
    """Print the floors of the package and of the extras that the command line names."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *list_requirements(sys.argv[1:], project)]
    print("\n".join(sorted(set(map(to_floor, requirements)))))


if __name__ == "__main__":
    main()
