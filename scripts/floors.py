"""Print the lowest allowed version of every dependency as a pip constraint, one per line.

    python scripts/floors.py [EXTRA ...]

``"numpy>=1.24"`` becomes ``numpy==1.24``. The dependencies are those of the package and of the
named extras. Python 3.10 needs tomli, which pytest installs.
"""

import re
import sys
from pathlib import Path
from typing import Final

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


def main() -> None:
    """Print the floors of the package and of the extras that the command line names."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    requirements = list(project["dependencies"])
    for extra in sys.argv[1:]:
        requirements += project["optional-dependencies"][extra]
    floors = {to_floor(text) for text in requirements if not text.startswith(OWN_NAME)}
    print("\n".join(sorted(floors)))


if __name__ == "__main__":
    main()
