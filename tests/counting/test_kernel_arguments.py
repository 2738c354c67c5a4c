"""Arguments of the compiled module: those that the package never passes, texts, and memory."""

import os
import re
import signal
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.kernels import count_bleu
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

if native_kernel.import_error is None:
    import bleu_rouge_kernel

from ..conftest import needs_native
from ..support.kernel_tokens import make_tokenization
from ..support.processes import run_python

pytestmark = needs_native

is_sanitized = "libasan" in os.environ.get("LD_PRELOAD", "")
limits_memory = pytest.mark.skipif(
    sys.platform != "linux" or is_sanitized, reason="sets a limit on memory"
)

TEXTS = ["", "The cat.", "café 我 \U0001f600", "a\nb", "\x00", "on the mat"]


def make_plan(
    orders: tuple[int, ...] = (1,),
    skip_distances: tuple[int, ...] = (),
    values: Any = (),
    *,
    lcs: bool = True,
    summary: bool = False,
) -> "bleu_rouge_kernel.CountPlan":
    return bleu_rouge_kernel.CountPlan(
        orders, lcs=lcs, summary=summary, skip_distances=skip_distances, unigrams_but_last=False,
        values=np.reshape(values, (-1, 9)).astype(float), lin2004=False,
    )  # fmt: skip


def count_text(
    plan: "bleu_rouge_kernel.CountPlan",
    threads: int = 1,
    counts: tuple[int, ...] = (1, 2, 3),
    weighted: tuple[int, ...] = (1, 0, 3),
) -> None:
    """Count a text with itself, into arrays of some shapes."""
    column = native_kernel.make_text_column(["a"])
    outputs = np.empty(counts, np.int64), np.empty(weighted)
    tokenization = make_tokenization("rouge")
    bleu_rouge_kernel.count(column, column, np.arange(2), tokenization, plan, threads, *outputs)


def make_ids(*arrays: list[int]) -> "bleu_rouge_kernel.IdColumn":
    return bleu_rouge_kernel.IdColumn(*(np.array(items, np.int64) for items in arrays))


def of_arrow(size: int, offsets: list[int]) -> "bleu_rouge_kernel.TextColumn":
    chunk = np.zeros(size, np.uint8), np.array(offsets, np.int64)
    return bleu_rouge_kernel.TextColumn.of_arrow([chunk])


def count_offsets(offsets: list[int]) -> Any:
    samples = Samples(["a"], ["b"], np.array(offsets, np.int64))
    return native_kernel.count(samples, CountPlan(lcs=True), TOKENIZERS["rouge"], NEWLINE)


def make_sentences(ends: list[int], bounds: list[int]) -> object:
    return make_ids([1, 2], [0, 2], [1, 2], bounds, ends, [0, len(ends)])


DO_NOT_FIT = "offsets do not fit the data; expected them to rise"
# What is wrong: a call, each of its arguments, and the beginning of the error.
WRONG: dict[str, tuple[Callable[..., object], list[tuple[Any, ...]], str]] = {
    "offsets of Arrow": (
        lambda offsets: of_arrow(4, offsets),
        [([0, 9],), ([-1, 2],), ([2, 1],), ([],), ([0, 1, 0],), ([2**62, 2**62 + 1],)],
        DO_NOT_FIT,
    ),
    "2 GiB": (of_arrow, [(2**31 + 1, [0, 1, 2**31 + 1])], f"text 1 has {2**31} bytes; expected"),
    "offsets of references": (
        count_offsets,
        [([0, 2],), ([0, 1, 1],), ([0],), ([],), ([1, 0],), ([-5, 1],)],
        "offsets",
    ),
    "sentences": (
        make_sentences,
        [([3], [0, 2]), ([2, 1], [0, 2]), ([-1], [0, 2]), ([1], [0, 3])],
        DO_NOT_FIT,
    ),
    "outputs": (
        lambda *shapes: count_text(make_plan(values=np.ones(9)), 1, *shapes),
        [
            *(((1, 1, 3), (1, 1, 3)), ((1, 2, 3), (1, 0, 3)), ((2, 2, 3), (1, 1, 3))),
            *(((1, 2, 2), (1, 1, 3)), ((1, 2, 3), (2, 1, 3)), ((1, 2, 3), (1, 1, 2))),
        ],
        "an output array has a wrong shape",
    ),
    "orders": (lambda *orders: make_plan(orders), [(2, 1), (1, 1)], "orders are not ascending."),
    "a null": (
        native_kernel.make_text_column,
        [(pa.array(["a", None]),)],
        "An array of texts has 1 nulls; expected a text in every place. Drop the samples, or give "
        'the empty text "" to score them 0.',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_arguments_that_do_not_fit_are_an_error(name: str) -> None:
    call, each, message = WRONG[name]
    for arguments in each:
        with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
            call(*arguments)


NUMBERS: dict[str, tuple[Callable[[int], object], int]] = {
    "threads": (lambda threads: count_text(make_plan(), threads), 1024),
    "an order": (lambda order: make_plan((order,)), 1024),
    "a skip distance": (lambda distance: make_plan(skip_distances=(distance,)), 2**31),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_out_of_range_are_an_error(name: str) -> None:
    use, most = NUMBERS[name]
    use(1)
    use(most)
    for number in (0, -1, most + 1, 2**63, 2**64 - 1, 2**64, -(2**64)):
        message = re.escape(f"{name} is {number}; expected 1 to {most}.")
        with pytest.raises(ValueError, match=f"^{message}$"):
            use(number)


@pytest.mark.parametrize("lacking", [3, 2])
@pytest.mark.parametrize(("summary", "weights"), [(True, 0), (False, 1), (True, 1)])
def test_ids_without_sentences_are_an_error_if_sentences_are_counted(
    lacking: int, *, summary: bool, weights: int
) -> None:
    # The side of so many ids lacks its sentences.
    def count(lacking: int, *, summary: bool, weights: int) -> Any:
        sides = [
            make_ids(ids, bounds, *([[]] * 4 if lacking == len(ids) else
                                    [ids, bounds, bounds[1:], [0, 1]]))
            for ids, bounds in (([7, 8, 9], [0, 3]), ([9, 7], [0, 2]))
        ]  # fmt: skip
        plan = make_plan(values=np.ones((weights, 9)), lcs=False, summary=summary)
        counts, weighted = np.zeros((1, 1 + summary, 3), np.int64), np.zeros((1, weights, 3))
        offsets = np.array([0, 1])
        bleu_rouge_kernel.count(sides[0], sides[1], offsets, plan, 1, counts, weighted)
        return counts[0].tolist()

    message = r"^the plan counts sentences; expected token ids with sentences\.$"
    with pytest.raises(ValueError, match=message):
        count(lacking, summary=summary, weights=weights)
    assert count(lacking, summary=False, weights=0) == [[2, 3, 2]]
    assert count(0, summary=True, weights=1) == [[2, 3, 2], [1, 3, 2]]


# Arrays that change after they were checked. The changes stay within the data, so that a kernel
# that reads the arrays again counts other numbers instead of ending the process.


def test_ids_and_values_that_change_are_counted_as_they_were() -> None:
    arrays = [
        np.array(items, np.int64)
        for items in ([7, 8, 9], [0, 2, 3], [7, 8, 9], [0, 2, 3], [1, 2, 1], [0, 2, 3])
    ]
    column = bleu_rouge_kernel.IdColumn(*arrays)
    values = np.arange(9.0).reshape(1, 9)
    plan = bleu_rouge_kernel.CountPlan(
        (1,), lcs=True, summary=True, skip_distances=(), unigrams_but_last=False,
        values=values, lin2004=False,
    )  # fmt: skip
    values[:] = 0
    counts, weighted = np.zeros((2, 3, 3), np.int64), np.zeros((2, 1, 3))
    for array in arrays:
        array[:] = array[0]
        bleu_rouge_kernel.count(column, column, np.arange(3), plan, 1, counts, weighted)
        assert counts.tolist() == [[[2, 2, 2]] * 3, [[1, 1, 1]] * 3]
        assert weighted[:, :, 0].tolist() == [[2], [1]]


def test_a_list_that_changes_meanwhile_is_counted_as_it_was() -> None:
    texts = [f"text {i}" for i in range(1000)]
    column = native_kernel.make_text_column(texts)
    texts[:] = ["gone"] * 1000
    tokens = bleu_rouge_kernel.tokenize(column, make_tokenization("rouge"))
    assert tokens == [[b"text", str(i).encode()] for i in range(1000)]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")
@pytest.mark.skipif(is_sanitized, reason="imports the package of another process")
def test_offsets_that_a_signal_handler_changes_are_counted_as_they_were() -> None:
    # The LCS of the first sample takes some tenths of a second, so the handler runs meanwhile.
    code = """
        import signal
        import numpy as np
        from bleu_rouge_metric.counting import native_kernel
        from bleu_rouge_metric.counting.rouge_types import CountPlan
        from bleu_rouge_metric.samples.inputs import Samples
        from bleu_rouge_metric.text.sentences import NEWLINE
        from bleu_rouge_metric.text.tokenizer import TOKENIZERS
        offsets = np.array([0, 1, 3])
        samples = Samples(["a b " * 60_000, "a"], ["b a " * 60_000, "a", "b"], offsets)
        signal.signal(signal.SIGALRM, lambda *_: offsets.__setitem__(2, 1))
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        plan = CountPlan(lcs=True)
        counts, _ = native_kernel.count(samples, plan, TOKENIZERS["rouge"], NEWLINE)
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(counts[:, 0, 0].tolist())
    """
    result = run_python(code, BLEU_ROUGE_THREADS="1")
    assert (result.stdout, result.stderr) == ("[119999, 1, 0]\n", "")


# Threads, columns of texts, and memory.


@pytest.mark.parametrize(
    "choice", ["0", "-1", "two", "1.5", " 1", "²", "00", "1025", "100000", "1" + "0" * 23]
)
def test_a_bad_number_of_threads_is_an_error(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", choice)
    message = f"BLEU_ROUGE_THREADS is {choice!r}; expected an int from 1 to 1024."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        count(check_samples(["a"], ["a"]))


def count(samples: Samples) -> Any:
    plan = CountPlan((1, 2), lcs=True, summary=True)
    return native_kernel.count(samples, plan, TOKENIZERS["rouge"], NEWLINE)[0].tolist()


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
    assert count(Samples(empty, empty, np.arange(3))) == [[[0, 0, 0]] * 4] * 2


@limits_memory
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


@limits_memory
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


def test_characters_beyond_ascii_leave_no_copy_in_the_texts() -> None:
    text = "我爱你" * 1000
    size = sys.getsizeof(text)
    samples = check_samples([text], [text])
    count_bleu(samples, 1, TOKENIZERS["char"])
    assert sys.getsizeof(text) == size
