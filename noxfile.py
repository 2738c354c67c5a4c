#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2"]
# ///
"""The sessions that the workflows run, each in an environment of its own; ``nox -l`` lists them.

Each installs what it needs and calls one target of the Makefile or one script, as ``.ci/run`` does
without nox. Versions stand in ``[dependency-groups]`` of ``pyproject.toml``.
"""

import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv|virtualenv"

PROJECT = nox.project.load_toml("pyproject.toml")


def install(session: nox.Session, *what: str, group: str | None = None) -> None:
    """Install packages, and a dependency group if one is named."""
    locked = nox.project.dependency_groups(PROJECT, group) if group else ()
    session.install(*what, *locked)


def install_floors(session: nox.Session, *extras: str) -> None:
    """Install the package and the lowest version of every dependency, and of those of extras."""
    constraints = Path(session.create_tmp()) / "floors.txt"
    # Python 3.10 itself does not read pyproject.toml: nox runs on a later one.
    lines = session.run(sys.executable, "scripts/floors.py", *extras, silent=True, external=True)
    constraints.write_text(str(lines), "utf-8")
    install(session, "-r", str(constraints))
    install(session, "--no-deps", "-e", ".")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, spelling and doctests."""
    install(session, "-e", ".[bench,test]", group="lint")
    session.run("make", "check", external=True)


@nox.session(default=False)
def tests(session: nox.Session) -> None:
    """Run all tests but those of the extras; every optional library has to be there."""
    install(session, "-e", ".[test]")
    environment = {"BLEU_ROUGE_REQUIRE_ALL": "1", "CI": None}
    session.run("pytest", "-n", "2", *session.posargs, env=environment)


@nox.session(default=False)
def search(session: nox.Session) -> None:
    """Run the tests with many new generated examples."""
    install(session, "-e", ".[test]")
    session.run("pytest", "-n", "2", "--hypothesis-profile=search", *session.posargs)


@nox.session
def quick(session: nox.Session) -> None:
    """Run the tests of the core."""
    install(session, "-e", ".[test]")
    session.run("pytest", "-m", "quick", *session.posargs)


@nox.session(default=False)
def extras(session: nox.Session) -> None:
    """Run the tests of trainers, ranks, engines and harnesses."""
    install(session, "-e", ".[test,training,trl,torchmetrics,ray,spark]", group="extras")
    session.run("make", "extras", external=True)


@nox.session(python="3.10", default=False)
def floors(session: nox.Session) -> None:
    """Run tests with the lowest version of every dependency."""
    install_floors(session, "test")
    session.run("make", "floors", external=True)


@nox.session(python="3.10", default=False)
def training_floors(session: nox.Session) -> None:
    """Run the tests of trainers, ranks and torchmetrics with the lowest version of each library."""
    install_floors(session, "test", "training", "torchmetrics")
    session.run("make", "training-floors", external=True)


@nox.session(default=False)
def sanitize(session: nox.Session) -> None:
    """Run the kernel's tests under the address and undefined behaviour sanitizers."""
    install(session, "-e", ".[test]", "nanobind>=2.4", "cmake>=3.18")
    session.run("make", "sanitize", external=True)


@nox.session(default=False)
def fuzz(session: nox.Session) -> None:
    """Compare the kernel with plain loops on random texts; needs clang."""
    install(session, "regex>=2024.11.6")
    session.run("make", "fuzz", *session.posargs, external=True)


@nox.session(default=False)
def package(session: nox.Session) -> None:
    """Build, check and test the sdist and the wheel of this machine."""
    install(session, group="package")
    session.run("make", "package", external=True)


@nox.session(default=False)
def wheels(session: nox.Session) -> None:
    """Build and test the wheels of this system with cibuildwheel; on Linux it needs Docker."""
    install(session, group="wheels")
    session.run("cibuildwheel", "--output-dir", "build/wheels", *session.posargs)


@nox.session(default=False)
def workflows(session: nox.Session) -> None:
    """Check the workflows of GitHub and the repository itself."""
    install(session, group="workflows")
    session.run("make", "workflows", external=True)


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the manual into ``build/docs``."""
    install(session, "-e", ".[all]", group="docs")
    session.run("make", "docs", external=True)


if __name__ == "__main__":
    nox.main()
