"""The choice of the kernel: at import, by ``use_kernel``, and where it cannot be used."""

import os
import textwrap
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

if native_kernel.import_error is None:
    pass


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


# A package that was installed where the kernel could not be built.

WITHOUT_KERNEL = """
    import contextlib, sys, warnings
    sys.modules["bleu_rouge_kernel"] = None  # as if it had not been built
    import bleu_rouge_metric
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with CHOICE:
            for _ in range(2):
                bleu_rouge_metric.rouge_scores(["a"], ["a"])
    print([(warning.filename, str(warning.message)) for warning in caught])
"""
NOT_BUILT = (
    "bleu-rouge-metric was installed without its compiled kernel, because it could not be built "
    "here. Scores are the same, but counting takes far longer. Install a C++20 compiler, then "
    "install bleu-rouge-metric again (pip install --force-reinstall --no-cache-dir …); or set "
    "BLEU_ROUGE_KERNEL=python to count in Python without this warning."
)


@in_another_process
@pytest.mark.parametrize(
    ("kernel", "choice", "warned"),
    [
        ("", "contextlib.nullcontext()", [("<string>", NOT_BUILT)]),
        ("", "bleu_rouge_metric.use_kernel('python')", []),
        ("python", "contextlib.nullcontext()", []),
    ],
)
def test_a_kernel_that_could_not_be_built_is_reported_once_unless_python_was_chosen(
    kernel: str, choice: str, warned: list[tuple[str, str]]
) -> None:
    result = run_python(WITHOUT_KERNEL.replace("CHOICE", choice), BLEU_ROUGE_KERNEL=kernel)
    assert (result.stdout, result.stderr) == (f"{warned}\n", "")


VERSION = """
    import sys
    {preparation}
    from bleu_rouge_metric.cli import main
    sys.argv = ["bleu-rouge", "--version"]
    main()
"""


@in_another_process
@pytest.mark.parametrize("compiler", ["c++", "clang++", None])
def test_the_version_of_the_command_says_why_the_kernel_is_missing(
    compiler: str | None, tmp_path: Path
) -> None:
    if compiler is not None:
        (tmp_path / compiler).touch(mode=0o755)
    code = VERSION.format(preparation='sys.modules["bleu_rouge_kernel"] = None')
    result = run_python(code, BLEU_ROUGE_KERNEL="", PATH=str(tmp_path), CXX="no-such-compiler")
    first, second, third = result.stdout.splitlines()
    assert first.endswith("(python kernel)")
    assert second == NOT_BUILT
    assert third == (
        "No C++ compiler is on the path (c++, g++, clang++, cl, or CXX)."
        if compiler is None
        else f"{tmp_path / compiler} is on the path; pip install -v prints why it builds no kernel."
    )


UNLOADABLE = """
    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == "bleu_rouge_kernel":
                raise ImportError("libm.so.6: not found")
    sys.meta_path.insert(0, Finder())
"""
CANNOT_BE_LOADED = (
    "The compiled kernel cannot be loaded (libm.so.6: not found). Scores are the same, but "
    "counting takes far longer. Set BLEU_ROUGE_KERNEL=python to count in Python without this "
    "warning."
)
OTHER = 'import types; sys.modules["bleu_rouge_kernel"] = types.ModuleType("other")'
OF_ANOTHER_VERSION = (
    "bleu-rouge: warning: The installed bleu-rouge-metric has version 0 of the compiled "
    f"kernel; expected version {native_kernel.VERSION}. Upgrade it: pip install -U "
    "bleu-rouge-metric. Until then counting is done in Python."
)


@in_another_process
@pytest.mark.parametrize(
    ("preparation", "message"),
    [(UNLOADABLE.strip(), CANNOT_BE_LOADED), (OTHER, OF_ANOTHER_VERSION)],
)
def test_the_version_of_the_command_says_what_is_wrong_with_the_kernel(
    preparation: str, message: str
) -> None:
    result = run_python(VERSION.format(preparation=preparation), BLEU_ROUGE_KERNEL="")
    first, *others = result.stdout.splitlines()
    assert first.endswith(" (python kernel)")
    assert message in (*others, *result.stderr.splitlines())


# Sub-interpreters, which the compiled kernel refuses: Python counts there.

# A sub-interpreter that shares the GIL, as those of mod_wsgi do. NumPy refuses others.
CREATE = """
    try:
        import _interpreters
        interpreter = _interpreters.create("legacy")
    except ImportError:
        import _xxsubinterpreters as _interpreters
        interpreter = _interpreters.create(isolated=False)
"""
# NumPy warns of sub-interpreters too, when it is imported.
SCORE = """
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from bleu_rouge_metric import Scorer, bleu_score, rouge_scores
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(rouge_scores(["a b"], ["a c"])["rouge1"].fmeasure.tolist())
        print(bleu_score(["a b"] * 2, ["a c"] * 2, max_order=1).bleu)
    print(Scorer().signature().split("|kernel:")[1].split("|")[0])
    print(*(item.message for item in caught))
"""
LOAD = """
    try:
        import bleu_rouge_kernel
        tokenization = bleu_rouge_kernel.Tokenization("13a")
        import numpy
        plan = bleu_rouge_kernel.CountPlan(
            [1], lcs=False, summary=False, skip_distances=[], unigrams_but_last=False,
            values=numpy.empty((0, 0)), lin2004=False,
        )
        print(bleu_rouge_kernel.PairCounter(tokenization, plan).count("a b", ["a"]))
    except ImportError as error:
        print(error)
"""
REFUSAL = "bleu_rouge_kernel does not run in a sub-interpreter"


def within_sub_interpreter(code: str) -> str:
    """Return the part of a program that runs code in a sub-interpreter and destroys it."""
    return (
        textwrap.dedent(CREATE)
        + f"_interpreters.run_string(interpreter, {textwrap.dedent(code)!r})\n"
        + "_interpreters.destroy(interpreter)\n"
    )


@needs_native
@in_another_process
def test_python_counts_in_a_sub_interpreter() -> None:
    result = run_python(within_sub_interpreter(SCORE), BLEU_ROUGE_KERNEL="")
    assert (result.stdout, result.stderr) == (
        f"[0.5]\n0.5\npython\nThe compiled kernel cannot be loaded ({REFUSAL}). Scores are the "
        "same, but counting takes far longer. Set BLEU_ROUGE_KERNEL=python to count in Python "
        "without this warning.\n",
        "",
    )


@needs_native
@in_another_process
def test_the_main_interpreter_keeps_the_compiled_kernel() -> None:
    refused = within_sub_interpreter(LOAD)
    result = run_python(refused + textwrap.dedent(LOAD) + refused)
    assert (result.stdout, result.stderr) == (f"{REFUSAL}\n[1, 2, 1]\n{REFUSAL}\n", "")


@needs_native
@in_another_process
def test_a_choice_of_the_compiled_kernel_is_refused_in_a_sub_interpreter() -> None:
    code = """
        import warnings
        warnings.simplefilter("ignore")
        import bleu_rouge_metric
        try:
            bleu_rouge_metric.rouge_scores(["a"], ["a"])
        except ImportError as error:
            print(error)
    """
    result = run_python(within_sub_interpreter(code), BLEU_ROUGE_KERNEL="native")
    assert (result.stdout, result.stderr) == (
        "BLEU_ROUGE_KERNEL is 'native', but the compiled kernel cannot be loaded "
        f"({REFUSAL}). Choose 'python', which gives the same scores.\n",
        "",
    )
