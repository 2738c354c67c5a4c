"""Python environments with and without the package, and clones, for every test of this folder."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import textwrap
import venv
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "bleu_rouge_metric"

# evaluate imports scipy and transformers if they are there, which takes most of its time.
LEFT_OUT = ("scipy", "torch", "transformers")


class Environment(NamedTuple):
    """The interpreter of a Python environment, and its site-packages."""

    python: Path
    packages: Path


def make_environment(folder: Path) -> Environment:
    """Make an environment with libraries of this one, but not the package and its kernel."""
    venv.create(folder, symlinks=True)
    packages = Path(
        sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)})
    )
    # Folders in a .pth file are put on the path, but their own .pth files, such as the one of an
    # editable installation, are not read. The kernel and the package are files and links there.
    shared = folder / "shared"
    shared.mkdir()
    for place in map(Path, sys.path):
        if place.name in ("site-packages", "dist-packages") and place.is_dir():
            for item in place.iterdir():
                is_wanted = "bleu_rouge" not in item.name and not item.name.startswith(LEFT_OUT)
                if is_wanted and not (shared / item.name).exists():
                    (shared / item.name).symlink_to(item)
    (packages / "shared.pth").write_text(f"{shared}\n")
    return Environment(folder / "bin" / "python", packages)


def install(environment: Environment, clone: Path, *, is_editable: bool = False) -> None:
    """Install a clone's package, and the compiled kernel if there is one, as pip does."""
    if is_editable:
        (environment.packages / "editable.pth").write_text(f"{clone}\n")
    else:
        shutil.copytree(clone / PACKAGE.name, environment.packages / PACKAGE.name)
    kernel = find_spec("bleu_rouge_kernel")
    if kernel is not None and kernel.origin is not None:
        shutil.copy(kernel.origin, environment.packages)
    metadata = environment.packages / "bleu_rouge_metric-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: bleu-rouge-metric\nVersion: 0.1.0\n")


def make_clone(folder: Path) -> Path:
    """Copy the sources as ``git clone`` does, without compiled and cached files."""
    shutil.copytree(
        PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    return folder


def change_clone(clone: Path, name: str) -> None:
    file = clone / PACKAGE.name / "integrations" / "evaluate_metric.py"
    source = file.read_text("utf-8")
    assert '_DESCRIPTION = """\\\n' in source
    file.write_text(source.replace('_DESCRIPTION = """\\\n', f'_DESCRIPTION = """\\\n{name}\n'))


def set_version(package: Path, version: str) -> None:
    file = package / "version.py"
    file.write_text(file.read_text("utf-8").replace('"0.1.0"', f'"{version}"'))


def run(
    environment: Environment,
    code: str,
    folder: Path,
    cache: Path,
    *,
    script: Path | None = None,
    endpoint: str | None = None,
) -> Any:
    """Run a program in a folder; return what it prints, as JSON, or its error if it fails.

    It is a ``script``, or that of ``python -c``; ``endpoint`` is the address of a Hub.
    """
    program = PRELUDE + textwrap.dedent(code)
    if script is not None:
        script.parent.mkdir(exist_ok=True)
        script.write_text(program, "utf-8")
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "HF_", "BLEU_ROUGE_"))
    }
    hub = {"HF_HUB_OFFLINE": "1"} if endpoint is None else {"HF_ENDPOINT": endpoint}
    result = subprocess.run(
        [environment.python, *(["-c", program] if script is None else [script])],
        cwd=folder,
        # Downloads are counted on another host, which is not asked here.
        env={**clean, **hub, "HF_HOME": str(cache), "HF_UPDATE_DOWNLOAD_COUNTS": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return json.loads(result.stdout) if result.returncode == 0 else result.stderr


F1 = 0.8  # of "the cat sat" against "the cat"
KERNEL = "python" if find_spec("bleu_rouge_kernel") is None else "native"


def check(printed: Any, environment: Environment) -> None:
    """Check what ``show`` printed: the score, and the kernel that must count."""
    assert isinstance(printed, dict), printed
    assert printed["rouge1"] == F1
    has_kernel = any(environment.packages.glob("bleu_rouge_kernel*"))
    assert printed["kernel"] == (KERNEL if has_kernel else "python")


PRELUDE = """
import json, sys, warnings
warnings.simplefilter("always")
import evaluate

def show(metric):
    import inspect
    scores = metric.compute(predictions=["the cat sat"], references=["the cat"])
    print(json.dumps({
        "rouge1": scores["rouge1"],
        "file": inspect.getsourcefile(type(metric)),
        "first line": metric.description.splitlines()[0],
        "kernel": metric.signature().partition("|kernel:")[2].partition("|")[0],
    }))
"""


@pytest.fixture(scope="session")
def environments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Environment]:
    """Make environments without the package, and as after ``pip install``, also with ``-e``."""
    made = {
        name: make_environment(tmp_path_factory.mktemp(name) / "venv")
        for name in ("bare", "installed", "editable")
    }
    install(made["installed"], ROOT)
    install(made["editable"], ROOT, is_editable=True)
    return made


@pytest.fixture
def bare(environments: dict[str, Environment]) -> Environment:
    return environments["bare"]


@pytest.fixture
def installed(environments: dict[str, Environment]) -> Environment:
    return environments["installed"]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return make_clone(tmp_path / "clone")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder
