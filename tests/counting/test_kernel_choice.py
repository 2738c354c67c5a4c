"""The choice of the kernel, and input, threads and errors of the compiled kernel."""

import os
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import bleu_rouge_metric
from bleu_rouge_metric import use_kernel
from bleu_rouge_metric.counting import kernels as counts
from bleu_rouge_metric.counting import native_kernel, python_kernel
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..conftest import needs_native
from ..support.kernel_tokens import make_tokenization
from ..support.processes import run_python

if native_kernel.import_error is None:
    import bleu_rouge_kernel


is_sanitized = "libasan" in os.environ.get("LD_PRELOAD", "")
in_another_process = pytest.mark.skipif(
    is_sanitized, reason="imports the package of another process"
)

TEXTS = ["", "The cat.", "café 我 \U0001f600", "a\nb", "\x00", "on the mat"]


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


# Threads and processes.


@needs_native
@pytest.mark.parametrize(
    "choice", ["0", "-1", "two", "1.5", " 1", "²", "00", "1025", "100000", "1" + "0" * 23]
)
def test_a_bad_number_of_threads_is_an_error(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", choice)
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        count(check_samples(["a"], ["a"]))
    expected = f"BLEU_ROUGE_THREADS is {choice!r}; expected an int from 1 to 1024."
    assert str(raised.value) == expected


def count(samples: Samples) -> list[Any]:
    plan = CountPlan((1, 2), lcs=True, summary=True)
    rouge, _ = native_kernel.count(samples, plan, TOKENIZERS["rouge"], NEWLINE)
    return [
        rouge.tolist(),
        *(part.tolist() for part in counts.count_bleu(samples, 4, TOKENIZERS["13a"])),
    ]


# Input.


@needs_native
@pytest.mark.parametrize("name", ["string", "large_string", "string_view"])
def test_arrow_columns_count_as_lists_do(name: str) -> None:
    if not hasattr(pa, name):
        pytest.skip("string_view came with pyarrow 16")
    kind: pa.DataType = getattr(pa, name)()
    array = pa.array(TEXTS, kind)
    columns = [
        array,
        pa.chunked_array([array[:2], array[2:2], array[2:]]),
        pa.concat_arrays([array, array])[len(TEXTS) :],
    ]
    if name != "string_view":  # pyarrow cannot cast a dictionary of these
        columns.append(array.dictionary_encode())
    references = ["The cat", "the cat", "我 café", "b a", "\x00", "mat"]
    expected = count(check_samples(TEXTS, references))
    for column in columns:
        samples = Samples(column, pa.array(references, kind), np.arange(len(TEXTS) + 1))
        assert count(samples) == expected
    empty = pa.array(["", ""], kind)
    assert count(Samples(empty, empty, np.arange(3)))[0] == [[[0, 0, 0]] * 4] * 2


@needs_native
def test_a_null_is_an_error() -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        native_kernel.make_text_column(pa.array(["a", None]))
    assert str(raised.value) == (
        "An array of texts has 1 nulls; expected a text in every place. Drop the samples, or give "
        'the empty text "" to score them 0.'
    )


@needs_native
def test_a_list_that_changes_meanwhile_is_counted_as_it_was() -> None:
    texts = [f"text {i}" for i in range(1000)]
    column = native_kernel.make_text_column(texts)
    texts[:] = ["gone"] * 1000
    tokens = bleu_rouge_kernel.tokenize(column, make_tokenization("rouge"))
    assert tokens == [[b"text", str(i).encode()] for i in range(1000)]


# Memory.


@needs_native
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory")
@pytest.mark.skipif(is_sanitized, reason="the sanitizer needs all the memory")
@pytest.mark.parametrize("threads", ["1", "3"])
def test_too_little_memory_is_a_memory_error(threads: str) -> None:
    code = """
        import resource
        from bleu_rouge_metric.counting import kernels as n
        from bleu_rouge_metric.samples.inputs import check_samples
        from bleu_rouge_metric.text.tokenizer import TOKENIZERS
        samples = check_samples(["a" * 50_000_000] * 3, ["a"] * 3)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 150_000_000,) * 2)
        try:
            n.count_bleu(samples, 1, TOKENIZERS["char"])
        except MemoryError:
            print("MemoryError")
    """
    result = run_python(code, BLEU_ROUGE_THREADS=threads)
    assert (result.stdout, result.stderr) == ("MemoryError\n", "")


@needs_native
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory")
@pytest.mark.skipif(is_sanitized, reason="the sanitizer needs all the memory")
@pytest.mark.parametrize("sentence", [20, 10**9])
@pytest.mark.parametrize(("weights", "megabytes"), [((), 40), ((1.2,), 80)])
def test_documents_of_50_000_tokens_take_little_memory(
    sentence: int, weights: tuple[float, ...], megabytes: int
) -> None:
    # All rows of one LCS would take 312 MB, all scores of one weighted LCS 20 GB.
    code = f"""
        import random, resource
        from bleu_rouge_metric.counting import native_kernel
        from bleu_rouge_metric.samples.inputs import check_samples
        from bleu_rouge_metric.counting.rouge_types import ANY_DISTANCE, CountPlan
        from bleu_rouge_metric.text.sentences import NEWLINE
        from bleu_rouge_metric.text.tokenizer import TOKENIZERS
        generator = random.Random(1)
        def make():
            words = (f"w{{int(generator.expovariate(0.001))}}" for _ in range(50_000))
            return "".join(
                word + ("\\n" if i % {sentence} == 1 else " ") for i, word in enumerate(words)
            )
        samples = check_samples([make()], [make()])
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + {megabytes} * 1_000_000,) * 2)
        plan = CountPlan(
            (1, 9), lcs=True, summary=True, skip_distances=(5, ANY_DISTANCE),
            unigrams_but_last=True, weights={weights}
        )
        counts, weighted = native_kernel.count(samples, plan, TOKENIZERS["rouge"], NEWLINE)
        print(counts[0, :, 1].tolist(), counts[0, 2, 0] <= counts[0, 3, 0] <= counts[0, 0, 0])
        print((weighted[0, :, 0] >= counts[0, 3, 0]).tolist())
    """
    result = run_python(code, BLEU_ROUGE_THREADS="1")
    totals = "[50000, 49992, 50000, 50000, 249985, 1249975000, 49999]"
    assert (result.stdout, result.stderr) == (f"{totals} True\n{[True] * len(weights)}\n", "")


@needs_native
def test_characters_beyond_ascii_leave_no_copy_in_the_texts() -> None:
    text = "我爱你" * 1000
    size = sys.getsizeof(text)
    samples = check_samples([text], [text])
    counts.count_bleu(samples, 1, TOKENIZERS["char"])
    assert sys.getsizeof(text) == size


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
