"""Arguments of the compiled module: those that the package never passes, texts, and memory."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, cast

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

TEXTS = ["", "The cat.", "café 我 \U0001f600", "a\nb", "\x00", "on the mat"]


@pytest.mark.parametrize(
    "offsets", [[0, 9], [-1, 2], [2, 1], [], [0, 1, 0], [2**62, 2**62 + 1], [0, -(2**62)]]
)
def test_offsets_outside_the_data_are_an_error(offsets: list[int]) -> None:
    chunk = np.zeros(4, np.uint8), np.array(offsets, np.int64)
    with pytest.raises(ValueError, match=r"^offsets do not fit the data; expected them to rise"):
        bleu_rouge_kernel.TextColumn.of_arrow([chunk])


def test_offsets_of_references_outside_the_references_are_an_error() -> None:
    for offsets in ([0, 2], [0, 1, 1], [0], [], [1, 0], [-5, 1]):
        samples = Samples(["a"], ["b"], np.array(offsets, np.int64))
        with pytest.raises(ValueError, match="offsets"):
            native_kernel.count(samples, CountPlan(lcs=True), TOKENIZERS["rouge"], NEWLINE)


def make_plan(
    orders: tuple[int, ...] = (),
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


@pytest.mark.parametrize(
    ("counts", "weighted"),
    [
        ((1, 1, 3), (1, 1, 3)),
        ((1, 2, 3), (1, 0, 3)),
        ((2, 2, 3), (1, 1, 3)),
        ((1, 2, 2), (1, 1, 3)),
        ((1, 2, 3), (2, 1, 3)),
        ((1, 2, 3), (1, 1, 2)),
    ],
)
def test_outputs_of_another_shape_are_an_error(
    counts: tuple[int, ...], weighted: tuple[int, ...]
) -> None:
    column = native_kernel.make_text_column(["a"])
    with pytest.raises(ValueError, match=r"^an output array has a wrong shape"):
        bleu_rouge_kernel.count(
            column, column, np.arange(2), make_tokenization("rouge"),
            make_plan((1,), values=np.ones(9)), 1, np.empty(counts, np.int64), np.empty(weighted),
        )  # fmt: skip


def count_on(threads: int) -> None:
    column = native_kernel.make_text_column(["a"])
    outputs = np.empty((1, 2, 3), np.int64), np.empty((1, 0, 3))
    tokenization = make_tokenization("13a")
    bleu_rouge_kernel.count(
        column, column, np.arange(2), tokenization, make_plan((1,)), threads, *outputs
    )


NUMBERS: dict[str, tuple[Callable[[int], object], int]] = {
    "threads": (count_on, 1024),
    "an order": (lambda order: make_plan((order,)), 1024),
    "a skip distance": (lambda distance: make_plan(skip_distances=(distance,)), 2**31),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_out_of_range_are_an_error(name: str) -> None:
    use, most = NUMBERS[name]
    use(1)
    use(most)
    for number in (0, -1, most + 1, 2**63, 2**64 - 1, 2**64, -(2**64)):
        with pytest.raises(ValueError) as raised:  # noqa: PT011
            use(number)
        assert str(raised.value) == f"{name} is {number}; expected 1 to {most}."


def test_orders_that_do_not_ascend_are_an_error() -> None:
    for orders in ((2, 1), (1, 1)):
        with pytest.raises(ValueError) as raised:  # noqa: PT011
            make_plan(orders)
        assert str(raised.value) == "orders are not ascending."


def test_sentences_outside_their_text_are_an_error() -> None:
    def make(ends: list[int], bounds: list[int]) -> None:
        arrays = ([1, 2], [0, 2], [1, 2], bounds, ends, [0, len(ends)])
        bleu_rouge_kernel.IdColumn(*(np.array(items, np.int64) for items in arrays))

    make([1, 2], [0, 2])
    for ends, bounds in ([3], [0, 2]), ([2, 1], [0, 2]), ([-1], [0, 2]), ([1], [0, 3]):
        with pytest.raises(ValueError, match=r"^offsets do not fit the data"):
            make(ends, bounds)


@pytest.mark.parametrize("lacking", ["prediction", "reference"])
@pytest.mark.parametrize(("summary", "weights"), [(True, 0), (False, 1), (True, 1)])
def test_ids_without_sentences_are_an_error_if_sentences_are_counted(
    lacking: str, *, summary: bool, weights: int
) -> None:
    def make(tokens: list[int], *, has_sentences: bool) -> "bleu_rouge_kernel.IdColumn":
        bounds = [0, len(tokens)]
        sentences = (tokens, bounds, bounds[1:], [0, 1]) if has_sentences else ([], [], [], [])
        return bleu_rouge_kernel.IdColumn(
            *(np.array(items, np.int64) for items in (tokens, bounds, *sentences))
        )

    def count(lacking: str, *, summary: bool, weights: int) -> list[list[int]]:
        plan = make_plan((1,), values=np.ones((weights, 9)), lcs=False, summary=summary)
        counts = np.zeros((1, 1 + summary, 3), np.int64)
        prediction = make([7, 8, 9], has_sentences=lacking != "prediction")
        reference = make([9, 7], has_sentences=lacking != "reference")
        offsets, weighted = np.array([0, 1]), np.zeros((1, weights, 3))
        bleu_rouge_kernel.count(prediction, reference, offsets, plan, 1, counts, weighted)
        return cast("list[list[int]]", counts[0].tolist())

    with pytest.raises(ValueError) as raised:  # noqa: PT011
        count(lacking, summary=summary, weights=weights)
    assert str(raised.value) == "the plan counts sentences; expected token ids with sentences."
    assert count(lacking, summary=False, weights=0) == [[2, 3, 2]]
    assert count("", summary=True, weights=1) == [[2, 3, 2], [1, 3, 2]]


def test_a_text_of_2_gib_is_an_error() -> None:
    size = 2**31
    chunk = np.zeros(size + 1, np.uint8), np.array([0, 1, size + 1])
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        bleu_rouge_kernel.TextColumn.of_arrow([chunk])
    assert str(raised.value) == f"text 1 has {size} bytes; expected less than 2 GiB."


# Arrays that change after they were checked. The changes stay within the data, so that a kernel
# that reads the arrays again counts other numbers instead of ending the process.


def test_ids_that_change_are_counted_as_they_were() -> None:
    arrays = [
        np.array(items, np.int64)
        for items in ([7, 8, 9], [0, 2, 3], [7, 8, 9], [0, 2, 3], [1, 2, 1], [0, 2, 3])
    ]
    column = bleu_rouge_kernel.IdColumn(*arrays)
    plan = make_plan((1,), summary=True)
    counts, weighted = np.zeros((2, 3, 3), np.int64), np.empty((2, 0, 3))
    for array in arrays:
        array[:] = array[0]
        bleu_rouge_kernel.count(column, column, np.arange(3), plan, 1, counts, weighted)
        assert counts.tolist() == [[[2, 2, 2]] * 3, [[1, 1, 1]] * 3]


def test_values_that_change_are_counted_as_they_were() -> None:
    values = np.arange(9.0).reshape(1, 9)
    plan = bleu_rouge_kernel.CountPlan(
        (), lcs=False, summary=False, skip_distances=(), unigrams_but_last=False,
        values=values, lin2004=False,
    )  # fmt: skip
    values[:] = 0
    column = native_kernel.make_text_column(["a b"])
    counts, weighted = np.empty((1, 0, 3), np.int64), np.zeros((1, 1, 3))
    tokenization = make_tokenization("rouge")
    bleu_rouge_kernel.count(column, column, np.arange(2), tokenization, plan, 1, counts, weighted)
    assert weighted.tolist() == [[[2, 2, 2]]]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")
@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="imports the package of another process"
)
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
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        count(check_samples(["a"], ["a"]))
    expected = f"BLEU_ROUGE_THREADS is {choice!r}; expected an int from 1 to 1024."
    assert str(raised.value) == expected


def count(samples: Samples) -> list[Any]:
    plan = CountPlan((1, 2), lcs=True, summary=True)
    rouge, _ = native_kernel.count(samples, plan, TOKENIZERS["rouge"], NEWLINE)
    return [
        rouge.tolist(),
        *(part.tolist() for part in count_bleu(samples, 4, TOKENIZERS["13a"])),
    ]


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


def test_a_null_is_an_error() -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        native_kernel.make_text_column(pa.array(["a", None]))
    assert str(raised.value) == (
        "An array of texts has 1 nulls; expected a text in every place. Drop the samples, or give "
        'the empty text "" to score them 0.'
    )


def test_a_list_that_changes_meanwhile_is_counted_as_it_was() -> None:
    texts = [f"text {i}" for i in range(1000)]
    column = native_kernel.make_text_column(texts)
    texts[:] = ["gone"] * 1000
    tokens = bleu_rouge_kernel.tokenize(column, make_tokenization("rouge"))
    assert tokens == [[b"text", str(i).encode()] for i in range(1000)]


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


def test_characters_beyond_ascii_leave_no_copy_in_the_texts() -> None:
    text = "我爱你" * 1000
    size = sys.getsizeof(text)
    samples = check_samples([text], [text])
    count_bleu(samples, 1, TOKENIZERS["char"])
    assert sys.getsizeof(text) == size
