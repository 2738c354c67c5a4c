#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2"]
# ///
"""The tasks of those who work on the code; ``nox -l`` lists them.

``nox -s NAME`` makes an environment and installs what the task needs; ``nox --no-venv -s NAME``
uses the active environment and installs nothing. The workflows and ``.ci/run`` run these sessions.
Versions are in ``[dependency-groups]`` of ``pyproject.toml``.
"""

import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv|virtualenv"

PROJECT = nox.project.load_toml("pyproject.toml")
SANITIZED = Path("build/sanitize")
FUZZ = Path("build/fuzz")

# All tests that count. Names leave out those of the Python kernel, and of means, which are NumPy's.
SANITIZED_TESTS = (
    *("tests/counting/test_kernel_tokenizers.py", "tests/counting/test_kernel_counts.py"),
    *("tests/counting/test_kernel_arguments.py", "tests/counting/test_kernel_choice.py"),
    *("tests/counting/test_failed_allocations.py", "tests/counting/test_kernel_rouge.py"),
    *("tests/counting/test_pools.py", "tests/parity/test_kernel_goldens.py"),
    *("tests/parity/test_goldens.py", "tests/counting/test_counts.py", "tests/bleu/test_bleu.py"),
    *("tests/rouge/test_rouge.py", "tests/scoring/test_pair_scorer.py"),
)
SANITIZED_NAMES = "not python and not mean and not bootstrap and not aggregated"

# Runs pytest with a kernel that was built but not installed. It counts in place of Python's too,
# which other tests compare it with, and which would take most of the time.
RUN_WITH_KERNEL = """
import importlib.util, sys
import pytest
spec = importlib.util.spec_from_file_location("bleu_rouge_kernel", sys.argv[1])
sys.modules[spec.name] = kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
from bleu_rouge_metric.counting import native_kernel, python_kernel
python_kernel.count = native_kernel.count
sys.exit(pytest.main(sys.argv[2:]))
"""

# The tests of what the dependencies do for the package.
FLOOR_TESTS = (
    *("tests/integrations/test_metric.py", "tests/samples/test_inputs.py"),
    *("tests/files/test_cases.py", "tests/files/test_reading.py", "tests/cli/test_shards.py"),
    *("tests/cli/test_cli.py", "tests/cli/test_flags.py"),
    *("tests/cli/test_output_files.py", "tests/bleu/test_nltk.py", "tests/text/test_stemmers.py"),
    *("tests/text/test_sentences.py", "tests/rouge/test_rouge.py"),
    *("tests/resampling/test_rouge_score.py", "tests/scoring/test_scorer.py"),
)

# Old versions know nothing of what newer ones that they need deprecate.
FLOOR_OPTIONS = ("-q", "-W", "ignore::DeprecationWarning")


def install(session: nox.Session, *what: str, group: str | None = None) -> None:
    """Install packages, and a dependency group if one is named."""
    if session.venv_backend != "none":
        locked = nox.project.dependency_groups(PROJECT, group) if group else ()
        session.install(*what, *locked)


def install_floors(session: nox.Session, *extras: str) -> None:
    """Install the package and the lowest version of every dependency, and of those of extras."""
    if session.venv_backend == "none":
        return
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
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("codespell")
    # These import torch; a test of the extras runs their examples.
    names = ("torch_states", "torchmetrics")
    ignored = [f"--ignore=bleu_rouge_metric/integrations/{name}.py" for name in names]
    doctests = ("--doctest-modules", "--doctest-glob=README.md")
    session.run("pytest", "-q", *doctests, *ignored, "bleu_rouge_metric", "space", "README.md")


@nox.session(default=False)
def tests(session: nox.Session) -> None:
    """Run all tests but those of the extras; every optional library has to be there.

    ``-- --hypothesis-profile=search`` makes many new generated examples.
    """
    install(session, "-e", ".[test]")
    environment = {"BLEU_ROUGE_REQUIRE_ALL": "1", "CI": None}
    session.run("pytest", "-n", "2", "-m", "", *session.posargs, env=environment)


@nox.session
def quick(session: nox.Session) -> None:
    """Run the tests of the core."""
    install(session, "-e", ".[test]")
    session.run("pytest", "-m", "quick", *session.posargs)


@nox.session(default=False)
def extras(session: nox.Session) -> None:
    """Run the tests of trainers, ranks, engines and harnesses, or of the named folders."""
    install(session, "-e", ".[test,training,trl,torchmetrics,ray,spark]", group="extras")
    session.run("pytest", "-m", "extra", *session.posargs, env={"BLEU_ROUGE_EXTRAS": "1"})


@nox.session(python="3.10", default=False)
def floors(session: nox.Session) -> None:
    """Run tests with the lowest version of every dependency."""
    install_floors(session, "test")
    session.run("pytest", "-m", "not extra", *FLOOR_OPTIONS, *FLOOR_TESTS)


@nox.session(python="3.10", default=False)
def training_floors(session: nox.Session) -> None:
    """Run the tests of trainers, ranks and torchmetrics with the lowest version of each library."""
    install_floors(session, "test", "training", "torchmetrics")
    session.run("pytest", "-m", "extra", *FLOOR_OPTIONS, "tests/integrations", "tests/scoring")


@nox.session(default=False)
def sanitize(session: nox.Session) -> None:
    """Run the kernel's tests under the address and undefined behaviour sanitizers; needs g++."""
    install(session, "-e", ".[test]", "nanobind>=2.4", "cmake>=3.18")
    python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True)
    options = ("-DBLEU_ROUGE_SANITIZE=ON", "-DBLEU_ROUGE_WERROR=ON")
    interpreter = f"-DPython_EXECUTABLE={str(python).strip()}"
    session.run("cmake", "-S", ".", "-B", str(SANITIZED), *options, interpreter)
    session.run("cmake", "--build", str(SANITIZED))
    libraries = [
        str(session.run("g++", f"-print-file-name={name}", silent=True, external=True)).strip()
        for name in ("libasan.so", "libstdc++.so")
    ]
    environment = {
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "LD_PRELOAD": " ".join(libraries),
        # Memory of Python objects comes from malloc, so that a read beyond a text is seen.
        "PYTHONMALLOC": "malloc",
    }
    (kernel,) = SANITIZED.glob("bleu_rouge_kernel*.so")
    run_tests = ("python", "-c", RUN_WITH_KERNEL, str(kernel), "-q", "-k", SANITIZED_NAMES)
    arguments = ("--hypothesis-profile=few", *(session.posargs or SANITIZED_TESTS))
    session.run(*run_tests, *arguments, env=environment)


@nox.session(default=False)
def fuzz(session: nox.Session) -> None:
    """Compare the kernel with plain loops on random texts, for 60 or -- SECONDS; needs clang."""
    install(session, "regex>=2024.11.6")
    (FUZZ / "corpus").mkdir(parents=True, exist_ok=True)
    session.run("python", "native/unicode_tables.py", str(FUZZ / "unicode_tables.hpp"))
    names = ("clang++", "clang++-14", "clang++-15", "clang++-16")
    compiler = next((name for name in names if shutil.which(name)), names[0])
    # Small limits, so that short texts reach every branch.
    limits = ("MOST_WHOLE_WORDS=64", "MOST_PROBES=2", "MANY_SENTENCES=2", "TOGETHER=1")
    session.run(
        *(compiler, "-std=c++20", "-O2", "-g", "-fsanitize=fuzzer,address,undefined"),
        *("-fno-sanitize-recover=undefined", *(f"-DBLEU_ROUGE_{limit}" for limit in limits)),
        *("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"),
        *("-Inative", f"-I{FUZZ}", "native/fuzz/fuzz.cpp", "-o", str(FUZZ / "fuzz")),
        external=True,
    )
    seconds = session.posargs[0] if session.posargs else "60"
    session.run(
        *(str(FUZZ / "fuzz"), f"-max_total_time={seconds}", "-max_len=400", "-timeout=20"),
        *("-dict=native/fuzz/fuzz.dict", f"-artifact_prefix={FUZZ}/", str(FUZZ / "corpus")),
        external=True,
    )


@nox.session(default=False)
def package(session: nox.Session) -> None:
    """Build, check and test the sdist and the wheel of this machine."""
    install(session, group="package")
    session.run("python", "scripts/check_package.py")


@nox.session(default=False)
def wheels(session: nox.Session) -> None:
    """Build and test the wheels of this system with cibuildwheel; on Linux it needs Docker."""
    install(session, group="wheels")
    session.run("cibuildwheel", "--output-dir", "build/wheels", *session.posargs)


@nox.session(default=False)
def workflows(session: nox.Session) -> None:
    """Check the workflows of GitHub and the repository itself."""
    install(session, group="workflows")
    session.run("actionlint")
    session.run("zizmor", "--offline", "--persona=pedantic", ".github")
    session.run("repo-review", ".")


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the manual into ``build/docs``; warnings and broken links are errors."""
    install(session, "-e", ".[all]", group="docs")
    options = ("-W", "--keep-going", "-q", "-b", "html")
    session.run("sphinx-build", *options, "docs", "build/docs")
    session.run("python", "scripts/check_manual.py", "build/docs")


if __name__ == "__main__":
    nox.main()
