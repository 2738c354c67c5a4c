"""The choice of the kernel: at import, by ``use_kernel``, and where it cannot be used."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

import bleu_rouge_metric
from bleu_rouge_metric import use_kernel
from bleu_rouge_metric.counting import kernels as counts
from bleu_rouge_metric.counting import native_kernel, python_kernel

from ..conftest import needs_native
from ..support.processes import run_python

is_sanitized = "libasan" in os.environ.get("LD_PRELOAD", "")
in_another_process = pytest.mark.skipif(
    is_sanitized, reason="imports the package of another process"
)


@needs_native
def test_the_native_kernel_is_taken_where_it_is_installed() -> None:
    assert counts.choose_kernel("") == counts.choose_kernel("native") == "native"


def test_a_missing_native_kernel_is_an_error_only_if_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(native_kernel, "import_error", ModuleNotFoundError("no such module"))
    assert counts.choose_kernel("") == "python"
    for name, choose in (("BLEU_ROUGE_KERNEL", counts.choose_kernel), ("name", use_kernel)):
        with pytest.raises(ImportError) as raised:
            choose("native")
        assert str(raised.value) == (
            f"{name} is 'native', but the compiled kernel is not installed (no such module). "
            "Install bleu-rouge-metric where there is a C++20 compiler, or choose 'python', which "
            "gives the same scores."
        )


@pytest.mark.parametrize("module", [SimpleNamespace(VERSION=0), SimpleNamespace()])
def test_another_version_of_the_native_kernel_is_refused_with_a_warning(
    module: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_kernel, "import_error", None)
    monkeypatch.setattr(native_kernel, "bleu_rouge_kernel", module, raising=False)
    problem = (
        "The installed bleu-rouge-metric has version 0 of the compiled kernel; expected version "
        f"{native_kernel.VERSION}. Upgrade it: pip install -U bleu-rouge-metric."
    )
    with pytest.warns(UserWarning, match="version") as warned:
        assert counts.choose_kernel("") == "python"
    assert [str(warning.message) for warning in warned] == [
        f"{problem} Until then counting is done in Python."
    ]
    with pytest.raises(ImportError) as raised:
        counts.choose_kernel("native")
    assert str(raised.value) == problem
    assert counts.choose_kernel("python") == "python"


@in_another_process
def test_the_environment_chooses_at_import() -> None:
    code = (
        "from bleu_rouge_metric.counting import kernels as counts; print(counts.current_kernel())"
    )
    assert run_python(code, BLEU_ROUGE_KERNEL="python").stdout == "python\n"
    failed = run_python(code, BLEU_ROUGE_KERNEL="fortran")
    assert failed.returncode == 1
    assert failed.stderr.endswith(
        "ValueError: BLEU_ROUGE_KERNEL is 'fortran'; expected 'python' or 'native'.\n"
    )


# ``use_kernel``, and a package that was installed without its compiled kernel.


def test_use_kernel_counts_with_the_kernel_that_it_names(
    kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the other kernel counted")

    other = native_kernel if kernel == "python" else python_kernel
    monkeypatch.setattr(other, "count", refuse)
    assert bleu_rouge_metric.rouge_scores(["a b"], ["a c"])["rouge1"].fmeasure.tolist() == [0.5]
    assert bleu_rouge_metric.bleu_score(["a b"], ["a c"], max_order=1).bleu == 0.5
    assert f"|kernel:{kernel}|" in bleu_rouge_metric.Scorer().signature()


def test_blocks_nest_and_end_even_after_an_error() -> None:
    before = counts.current_kernel()
    with suppress(KeyError), use_kernel("python"):
        with use_kernel(before):
            assert counts.current_kernel() == before
        assert counts.current_kernel() == "python"
        raise KeyError
    assert counts.current_kernel() == before


@needs_native
def test_overlapping_blocks_of_two_threads_are_independent() -> None:
    second_entered, first_left = Event(), Event()

    def run_second() -> list[str]:
        with use_kernel("native"):
            second_entered.set()
            assert first_left.wait(10)
            return [counts.current_kernel()]

    default = counts.current_kernel()
    with ThreadPoolExecutor(1) as pool:
        with use_kernel("python"):
            second = pool.submit(run_second)
            assert second_entered.wait(10)
            assert counts.current_kernel() == "python"
        first_left.set()
        assert second.result() == ["native"]
        assert pool.submit(counts.current_kernel).result() == default == counts.current_kernel()


@pytest.mark.parametrize("name", ["rust", "", None])
def test_use_kernel_of_an_unknown_name_is_an_error(name: Any) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        use_kernel(name)
    assert str(raised.value) == f"name is {name!r}; expected 'python' or 'native'."


# A kernel that is missing, broken, of another version or not for this interpreter.

PYTHON = "Set BLEU_ROUGE_KERNEL=python to count in Python without this warning."
NOT_BUILT = (
    "bleu-rouge-metric was installed without its compiled kernel, because it could not be built "
    "here. Scores are the same, but counting takes far longer. Install a C++20 compiler, then "
    "install bleu-rouge-metric again (pip install --force-reinstall --no-cache-dir …); or set "
    "BLEU_ROUGE_KERNEL=python to count in Python without this warning."
)
CANNOT_BE_LOADED = (
    "The compiled kernel cannot be loaded ({}). Scores are the same, but counting takes far longer."
    f" {PYTHON}"
)
OF_ANOTHER_VERSION = (
    "bleu-rouge: warning: The installed bleu-rouge-metric has version 0 of the compiled "
    f"kernel; expected version {native_kernel.VERSION}. Upgrade it: pip install -U "
    "bleu-rouge-metric. Until then counting is done in Python."
)
# What happens to the kernel before the package is imported.
MISSING = 'import sys; sys.modules["bleu_rouge_kernel"] = None'
OTHER = 'import sys, types; sys.modules["bleu_rouge_kernel"] = types.ModuleType("other")'
UNLOADABLE = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "bleu_rouge_kernel":
            raise ImportError("libm.so.6: not found")
import sys; sys.meta_path.insert(0, Finder())
"""
# Score twice; print the scores, the kernel and the warnings. NumPy warns of sub-interpreters too.
SCORE = """
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from bleu_rouge_metric import Scorer, bleu_score, rouge_scores, use_kernel
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        print(rouge_scores(["a b"], ["a c"])["rouge1"].fmeasure.tolist())
        print(bleu_score(["a b"] * 2, ["a c"] * 2, max_order=1).bleu)
        print(Scorer().signature().split("|kernel:")[1].split("|")[0])
    except ImportError as error:
        print(error)
print(*(item.message for item in caught))
"""
COUNTED = "[0.5]\n0.5\npython\n"


@in_another_process
@pytest.mark.parametrize(
    ("kernel", "code", "warned"),
    [
        ("", SCORE, f"{NOT_BUILT}\n"),
        ("", f"import bleu_rouge_metric as m\nwith m.use_kernel('python'): exec({SCORE!r})", "\n"),
        ("python", SCORE, "\n"),
    ],
)
def test_a_kernel_that_could_not_be_built_is_reported_once_unless_python_was_chosen(
    kernel: str, code: str, warned: str
) -> None:
    result = run_python(f"{MISSING}\n{code}", BLEU_ROUGE_KERNEL=kernel)
    assert (result.stdout, result.stderr) == (COUNTED + warned, "")


@in_another_process
@pytest.mark.parametrize(
    ("preparation", "compiler", "messages"),
    [
        *((MISSING, name, [NOT_BUILT, "{} is on the path; pip install -v prints why it builds no "
                           "kernel."]) for name in ("c++", "clang++")),
        (MISSING, "", [NOT_BUILT,
                       "No C++ compiler is on the path (c++, g++, clang++, cl, or CXX)."]),
        (UNLOADABLE, "", [CANNOT_BE_LOADED.format("libm.so.6: not found")]),
        (OTHER, "", [OF_ANOTHER_VERSION]),
    ],
)  # fmt: skip
def test_the_version_of_the_command_says_what_is_wrong_with_the_kernel(
    preparation: str, compiler: str, messages: list[str], tmp_path: Path
) -> None:
    if compiler:
        (tmp_path / compiler).touch(mode=0o755)
    code = "from bleu_rouge_metric.cli import main; sys.argv = ['bleu-rouge', '--version']; main()"
    environment = {"BLEU_ROUGE_KERNEL": "", "PATH": str(tmp_path), "CXX": "no-such-compiler"}
    result = run_python(f"{preparation}\n{code}", **environment)
    first, *others = result.stdout.splitlines()
    assert first.endswith(" (python kernel)")
    for message in messages:
        assert message.format(tmp_path / compiler) in (*others, *result.stderr.splitlines())


# A sub-interpreter that shares the GIL, as those of mod_wsgi do. NumPy refuses others.
WITHIN = """
try:
    import _interpreters
    interpreter = _interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as _interpreters
    interpreter = _interpreters.create(isolated=False)
_interpreters.run_string(interpreter, CODE)
_interpreters.destroy(interpreter)
"""
REFUSAL = "bleu_rouge_kernel does not run in a sub-interpreter"


@needs_native
@in_another_process
@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("", f"{COUNTED}{CANNOT_BE_LOADED.format(REFUSAL)}\n"),
        (
            "native",
            "BLEU_ROUGE_KERNEL is 'native', but the compiled kernel cannot be loaded "
            f"({REFUSAL}). Choose 'python', which gives the same scores.\n\n",
        ),
    ],
)
def test_python_counts_in_a_sub_interpreter_unless_it_is_told_not_to(
    kernel: str, expected: str
) -> None:
    result = run_python(f"CODE = {SCORE!r}\n{WITHIN}", BLEU_ROUGE_KERNEL=kernel)
    assert (result.stdout, result.stderr) == (expected, "")


@needs_native
@in_another_process
def test_the_main_interpreter_keeps_the_compiled_kernel() -> None:
    code = """
try:
    import bleu_rouge_kernel
    print(bleu_rouge_kernel.stem(b"cats"))
except ImportError as error:
    print(error)
"""
    result = run_python(f"CODE = {code!r}\n{WITHIN}{code}{WITHIN}")
    assert (result.stdout, result.stderr) == (f"{REFUSAL}\nb'cat'\n{REFUSAL}\n", "")
