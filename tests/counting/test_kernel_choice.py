"""The choice of the kernel, and input, threads and errors of the compiled kernel."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric.counting import kernels as counts
from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

if native_kernel.import_error is None:
    import bleu_rouge_kernel

from ..conftest import needs_native
from ..support.kernel_tokens import make_tokenization
from ..support.processes import run_python

is_sanitized = "libasan" in os.environ.get("LD_PRELOAD", "")

TEXTS = ["", "The cat.", "café 我 \U0001f600", "a\nb", "\x00", "on the mat"]


def test_an_unknown_kernel_is_an_error() -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        counts.choose_kernel("rust")
    assert str(raised.value) == "BLEU_ROUGE_KERNEL is 'rust'; expected 'python' or 'native'."


def test_the_python_kernel_is_there_for_the_asking() -> None:
    assert counts.choose_kernel("python") == "python"


@needs_native
def test_the_native_kernel_is_taken_where_it_is_installed() -> None:
    assert counts.choose_kernel("") == counts.choose_kernel("native") == "native"


def test_a_missing_native_kernel_is_an_error_only_if_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(native_kernel, "import_error", ModuleNotFoundError("no such module"))
    assert counts.choose_kernel("") == "python"
    with pytest.raises(ImportError) as raised:
        counts.choose_kernel("native")
    assert str(raised.value) == (
        "BLEU_ROUGE_KERNEL is 'native', but the compiled kernel is not installed (no such "
        "module). Install bleu-rouge-metric where there is a C++20 compiler, or choose 'python', "
        "which gives the same scores."
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


@pytest.mark.skipif(is_sanitized, reason="imports the package of another process")
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


@needs_native
def test_several_python_threads_count_at_once() -> None:
    samples = [
        check_samples([f"{'the cat ' * i} sat"] * 2000, ["the cat sat on a mat"] * 2000)
        for i in range(8)
    ]
    expected = [count(item) for item in samples]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, samples)) == expected


@needs_native
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.skipif(is_sanitized, reason="the sanitizer does not follow a fork")
def test_a_forked_process_counts_too() -> None:
    code = """
        import os
        from bleu_rouge_metric.counting import kernels as n
        from bleu_rouge_metric.samples.inputs import check_samples
        from bleu_rouge_metric.text.tokenizer import TOKENIZERS
        os.environ["BLEU_ROUGE_THREADS"] = "4"
        samples = check_samples(["the cat sat"] * 50_000, ["a cat sat"] * 50_000)
        before = n.count_bleu(samples, 2, TOKENIZERS["rouge"]).matches.sum()
        child = os.fork()
        if child == 0:
            os._exit(int(n.count_bleu(samples, 2, TOKENIZERS["rouge"]).matches.sum() != before))
        print(before, os.waitpid(child, 0)[1])
    """
    result = run_python(code)
    assert (result.stdout, result.stderr) == ("150000 0\n", "")


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


@needs_native
def test_an_arrow_column_of_empty_texts_counts() -> None:
    for column in (pa.array(["", ""]), pa.array(["", ""], pa.large_string())):
        samples = Samples(column, column, np.arange(3))
        assert count(samples)[0] == [[[0, 0, 0]] * 4] * 2


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
