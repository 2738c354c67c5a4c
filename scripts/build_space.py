"""Build the Hugging Face Space of the metric: the repository's own tree and one generated file.

    python scripts/build_space.py DIR [--wheel WHEEL]

A Space installs only what requirements.txt names, before the files of the repository are there. The
compiled kernel of a wheel for Linux and the Python of the card is put beside app.py, which finds it
there; without it the Space counts in Python.

``evaluate.load("user/bleu_rouge_metric")`` downloads only ``bleu_rouge_metric.py`` from the root of
a Space, so this file holds the sources of the package as texts, and ``SCRIPT``, which imports them.
"""

import argparse
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = ROOT / "bleu_rouge_metric"
# The Space holds everything that the page, the command and ``pip install git+URL`` need.
TREE: Final = (
    "bleu_rouge_metric",
    "docs",
    "examples",
    "native",
    "space",
    "CHANGELOG.md",
    "CMakeLists.txt",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "app.py",
    "pyproject.toml",
    "requirements.txt",
)
KERNEL: Final = re.compile(r"bleu_rouge_kernel\.[^/]*\.so")
# The texts leave out the command, the files that only the command and the page need, and the file
# that evaluate.load runs.
NOT_IN_TEXTS: Final = ("__main__.py", "bleu_rouge_metric.py", "cli/", "files/")

# The generated file without its sources.
SCRIPT: Final = r'''
"""BLEU and ROUGE as one metric of the Hugging Face ``evaluate`` library, in one file.

Generated from commit COMMIT; do not edit. ``evaluate.load`` downloads only this file from a Space,
so it holds the sources of the package ``bleu_rouge_metric`` as texts, and imports them. If the same
version of the package is installed, the installed package runs. To install it, with its compiled
kernel and its command: pip install git+URL, where URL is the address of this Space.

>>> import evaluate
>>> metric = evaluate.load(__file__)
>>> metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"]
0.8
"""

import ast
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Final

import evaluate

_NAME: Final = "bleu_rouge_metric"
_VERSION: Final = "VERSION"
# The package is a submodule of this module. So a process that unpickles a metric finds it if the
# cache of evaluate is on its path.
_ROOT: Final = f"{__name__}.package"
__path__: list[str] = []

# The text of each module and the line of this file on which it begins, by the module's name below
# the root. Each line is indented by one space, because evaluate looks for imports at the start of
# every line of this file, inside texts too.
_SOURCES: dict[str, tuple[int, str]] = {}


class _Package(MetaPathFinder, InspectLoader):
    """Find and load the modules of the package in the texts."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - of the interface
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        name = fullname.removeprefix(_ROOT)
        if not fullname.startswith(_ROOT) or name not in _SOURCES:
            return None
        is_package = self.is_package(fullname)
        path_below = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
        origin = f"{__file__}{path_below}"
        spec = ModuleSpec(fullname, self, origin=origin, is_package=is_package)
        spec.has_location = True
        return spec

    def is_package(self, fullname: str) -> bool:
        name = fullname.removeprefix(_ROOT)
        return any(other.startswith(f"{name}.") for other in _SOURCES)

    def get_source(self, fullname: str) -> str:
        """Return the source of a module."""
        lines = _SOURCES[fullname.removeprefix(_ROOT)][1].splitlines(keepends=True)[1:]
        return "".join(line.removeprefix(" ") for line in lines)

    def exec_module(self, module: ModuleType) -> None:
        tree = ast.parse(self.get_source(module.__name__))
        # Line numbers are those of this file, so that tracebacks and debuggers show the lines.
        ast.increment_lineno(tree, _SOURCES[module.__name__.removeprefix(_ROOT)][0])
        exec(compile(tree, __file__, "exec"), module.__dict__)  # noqa: S102 - the package itself


def _find_root() -> str:
    """Return the name of the package to import: the installed one, or the one in the texts."""
    spec = find_spec(_NAME)
    if spec is None or not spec.origin or spec.submodule_search_locations is None:
        return _ROOT
    version = import_module(_NAME).__version__
    if version == _VERSION:
        return _NAME
    warnings.warn(
        f"The installed bleu-rouge-metric has version {version}, but this Space holds version "
        f"{_VERSION}. Version {_VERSION} runs now, from the Space's own sources. Install the "
        "version of the Space (pip install -U git+URL, where URL is the address of the Space), or "
        "load the installed version with bleu_rouge_metric.load().",
        stacklevel=2,
    )
    return _ROOT


# The sources are inserted here.

sys.meta_path.append(_Package())
BleuRougeMetric: type[evaluate.Metric] = import_module(
    f"{_find_root()}.integrations.evaluate_metric"
).BleuRougeMetric
'''.lstrip()


def list_modules() -> dict[str, Path]:
    """List the files of the package for the texts, by the module's name below the package."""
    modules = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.as_posix().startswith(NOT_IN_TEXTS):
            continue
        parts = inside.with_suffix("").parts
        modules["".join(f".{part}" for part in parts if part != "__init__")] = path
    return modules


def write_text(name: str, source: str, line: int) -> str:
    """Write the lines that put a module's source into ``_SOURCES``, below the given line."""
    if "'''" in source or not source.replace("\n", "").isprintable():
        raise ValueError(
            f"{name}: ''' or an unprintable character; a source of the package has neither."
        )
    lines = "".join(f" {line}\n" if line else "\n" for line in source.splitlines())
    return f"_SOURCES[{name!r}] = ({line + 1}, r'''\n{lines}''')\n"


def write_script() -> str:
    """Write the generated file: the template with version, commit and sources."""
    version = re.search(r'__version__ = "(.+)"', (PACKAGE / "version.py").read_text("utf-8"))
    if version is None:
        raise ValueError("version.py has no line of __version__.")
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    script = SCRIPT.replace("COMMIT", commit or "(unknown)", 1)
    script = script.replace('"VERSION"', f'"{version[1]}"', 1)
    head, tail = script.split("# The sources are inserted here.\n")
    for name, path in list_modules().items():
        head += write_text(name, path.read_text("utf-8"), head.count("\n")) + "\n"
    return head + tail.lstrip("\n")


def check_card(readme: Path) -> None:
    """Raise ValueError unless the README starts with the card of a Gradio Space."""
    head, *lines = readme.read_text(encoding="utf-8").splitlines() or [""]
    if head != "---" or "---" not in lines:
        raise ValueError(
            f"{readme.name} has no card: expected YAML between two lines of '---' at its start."
        )
    card = lines[: lines.index("---")]
    for line in ("sdk: gradio", "app_file: app.py"):
        if line not in card:
            raise ValueError(f"{readme.name} has a card without {line!r}.")


def copy_kernel(wheel: Path, folder: Path) -> None:
    """Copy the compiled kernel of a wheel into a folder."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if KERNEL.fullmatch(name)]
        if not names:
            raise ValueError(f"{wheel.name} has no compiled kernel; give a wheel for Linux.")
        archive.extractall(folder, names)


def build_space(folder: Path, wheel: Path | None = None) -> list[str]:
    """Write the Space into a new or empty folder, and return the names at its root."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise ValueError(f"{folder} is not empty; give a new folder.")
    check_card(ROOT / "README.md")
    script = write_script()
    folder.mkdir(parents=True, exist_ok=True)
    for name in TREE:
        if (ROOT / name).is_dir():
            built = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "build")
            shutil.copytree(ROOT / name, folder / name, ignore=built)
        else:
            shutil.copyfile(ROOT / name, folder / name)
    (folder / f"{PACKAGE.name}.py").write_text(script, "utf-8")
    if wheel is not None:
        copy_kernel(wheel, folder)
    return sorted(path.name for path in folder.iterdir())


def main() -> None:
    """Build the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Build the Space of the metric in a new folder.")
    parser.add_argument("folder", metavar="DIR", type=Path, help="new or empty folder")
    parser.add_argument("--wheel", type=Path, help="wheel with the compiled kernel")
    given = parser.parse_args()
    folder = given.folder
    try:
        names = build_space(folder, given.wheel)
    except ValueError as error:
        sys.exit(f"build_space.py: {error}")
    print(f"{folder} holds {', '.join(names)}")


if __name__ == "__main__":
    main()
