"""Count texts for BLEU and ROUGE: integers, except the floats of ROUGE-W.

Code below this module does not divide, and code above it does not loop over tokens. For BLEU it
counts the clipped n-gram matches of each prediction (Papineni et al. 2002, section 2.1.1). For
ROUGE it counts n-gram overlap, longest common subsequence (LCS), union LCS, weighted LCS and
skip-bigrams of each pair of a prediction with one of its references (Lin 2004, sections 2 to 5).

Two kernels count the same numbers: a compiled one, and one in Python that needs no installation.
Only this module knows both. ``BLEU_ROUGE_KERNEL=python`` or ``native`` in the environment chooses a
kernel; without it the compiled kernel is used if it is installed. ``use_kernel`` chooses a kernel
for a block of code in one thread.

Not done here: precision, recall, F-measure, brevity penalty, choice among references.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..counting import native_kernel, python_kernel
from ..samples.inputs import Samples
from ..text.sentences import NEWLINE, SentenceSplitter
from ..text.tokenizer import Tokenizer
from ..text.warnings import warn_caller
from .pools import Batch, NearestIndex, Pool
from .rouge_types import CountPlan, parse_rouge_type, plan_bleu, plan_counts
from .weighted_lcs import MOST_TOKENS

KernelName = Literal["python", "native"]

Integers = NDArray[np.int64] | NDArray[np.int32]


class BleuCounts(NamedTuple):
    """Sufficient statistics of BLEU, per sample.

    A prediction has ``max(0, length - order + 1)`` n-grams.

    Attributes:
        matches: shape (samples, max_order); clipped n-gram matches by order.
        prediction_lengths: shape (samples,); number of tokens.
        reference_lengths: shape (references,); number of tokens, in the order of ``Samples``.
    """

    matches: Integers
    prediction_lengths: Integers
    reference_lengths: Integers


class RougeCounts(NamedTuple):
    """Sufficient statistics of ROUGE, per pair of a prediction with one of its references.

    Attributes:
        types: requested names of types.
        integers: shape (pairs, types other than W, 3): hits, total of the prediction, total of the
            reference. Totals count n-grams for ``rouge1`` to ``rouge9``, tokens for ``rougeL`` and
            ``rougeLsum``, skip-bigrams for ``rougeS``, skip-bigrams and unigrams for ``rougeSU``.
        weighted: float64, shape (pairs, W types, 3). As in ROUGE-1.5.5: the sum of f over the runs
            of hits, tokens of the prediction, the sum of f over the reference sentences. As in the
            paper (``lin2004``): weighted LCS, tokens of the prediction, tokens of the reference.
    """

    types: tuple[str, ...]
    integers: Integers
    weighted: NDArray[np.float64]

    def of(self, name: str) -> NDArray[np.int64] | NDArray[np.int32] | NDArray[np.float64]:
        """Return the numbers of one type, shape (pairs, 3)."""
        return self.by_type()[name]

    def by_type(self) -> dict[str, NDArray[np.int64] | NDArray[np.int32] | NDArray[np.float64]]:
        """Return the numbers of each type by its name, without a copy."""
        integers, weighted = iter(self.integers.swapaxes(0, 1)), iter(self.weighted.swapaxes(0, 1))
        numbers = {}
        for name in self.types:
            numbers[name] = next(weighted if is_weighted(name) else integers)
        return numbers


def is_weighted(name: str) -> bool:
    """Whether the counts of a ROUGE type are floats."""
    return name.startswith("rougeW")


class Kernel(Protocol):
    """The functions of a kernel; ``python_kernel`` describes their arguments and results."""

    def count(
        self,
        samples: Batch,
        plan: CountPlan,
        tokenizer: Tokenizer,
        split_sentences: SentenceSplitter,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Count hits and totals by pair and column, and for the weighted LCS by pair and weight."""


def choose_kernel(choice: str, name: str = "BLEU_ROUGE_KERNEL") -> KernelName:
    """Return the name of a kernel; an empty choice is the compiled one if it can be used."""
    if choice not in ("", "python", "native"):
        raise ValueError(f"{name} is {choice!r}; expected 'python' or 'native'.")
    if choice == "python":
        return "python"
    if native_kernel.import_error is None:
        if native_kernel.installed_version() == native_kernel.VERSION:
            return "native"
        problem = (
            "The installed bleu-rouge-metric has version "
            f"{native_kernel.installed_version()} of the compiled kernel; "
            f"expected version {native_kernel.VERSION}. "
            "Upgrade it: pip install -U bleu-rouge-metric."
        )
        if choice == "native":
            raise ImportError(problem)
        warnings.warn(f"{problem} Until then counting is done in Python.", stacklevel=2)
    elif choice == "native":
        is_missing = isinstance(native_kernel.import_error, ModuleNotFoundError)
        problem = "is not installed" if is_missing else "cannot be loaded"
        remedy = "Install bleu-rouge-metric where there is a C++20 compiler, or choose"
        raise ImportError(
            f"{name} is 'native', but the compiled kernel {problem} "
            f"({native_kernel.import_error}). {remedy if is_missing else 'Choose'} 'python', which "
            "gives the same scores."
        ) from native_kernel.import_error
    return "python"


_KERNELS: Final[dict[KernelName, Kernel]] = {"python": python_kernel, "native": native_kernel}
# The kernel of the environment. It is chosen at the first call, so that a wrong choice in the
# environment is an error of this call, not of the import.
_default: KernelName | None = None
# The kernel that use_kernel has chosen in this thread or task.
_chosen: Final[ContextVar[KernelName | None]] = ContextVar("bleu_rouge_kernel", default=None)


def current_kernel() -> KernelName:
    """Return the name of the kernel in use."""
    global _default  # noqa: PLW0603 - the one place that chooses
    chosen = _chosen.get()
    if chosen is not None:
        return chosen
    if _default is None:
        _default = choose_kernel(os.environ.get("BLEU_ROUGE_KERNEL", ""))
    return _default


def use_kernel(name: KernelName) -> AbstractContextManager[None]:
    """Return a context manager; within its ``with`` block, this thread counts with one kernel.

    Both kernels give the same scores. Python is slower, but needs no installation. Blocks nest, and
    each thread and each asyncio task has its own, so a thread that is started inside a block counts
    with the default kernel. The default is ``BLEU_ROUGE_KERNEL`` in the environment, or else the
    compiled kernel if it is installed.

    Args:
        name: ``"python"`` or ``"native"``.

    Raises:
        ValueError: the name is unknown.
        ImportError: the name is ``"native"``, but the compiled kernel cannot be used.

    >>> with use_kernel("python"):
    ...     current_kernel()
    'python'
    """
    if name not in _KERNELS:
        raise ValueError(f"name is {name!r}; expected 'python' or 'native'.")
    return _select_kernel(choose_kernel(name, "name"))


@contextmanager
def _select_kernel(name: KernelName) -> Iterator[None]:
    """Count with a kernel, in this thread, until the block ends."""
    before = _chosen.get()
    _chosen.set(name)
    try:
        yield
    finally:
        _chosen.set(before)


_NOT_BUILT: Final = (
    "bleu-rouge-metric was installed without its compiled kernel, because it could not be built "
    "here. Scores are the same, but counting takes far longer. Install a C++20 compiler, then "
    "install bleu-rouge-metric again (pip install --force-reinstall --no-cache-dir …); or set "
    "BLEU_ROUGE_KERNEL=python to count in Python without this warning."
)


def find_build_problem() -> str | None:
    """Return why the compiled kernel is missing and the remedy; None if it is not missing.

    If the package is not installed (the source folder of a clone, a Space), counting in Python is
    not a problem.
    """
    error = native_kernel.import_error
    if error is None or os.environ.get("BLEU_ROUGE_KERNEL"):
        return None
    if not isinstance(error, ModuleNotFoundError):
        return (
            f"The compiled kernel cannot be loaded ({error}). Scores are the same, but counting "
            "takes far longer. Set BLEU_ROUGE_KERNEL=python to count in Python without this "
            "warning."
        )
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        distribution("bleu-rouge-metric")
    except PackageNotFoundError:
        return None
    return _NOT_BUILT


_has_warned = native_kernel.import_error is None


def _find_kernel() -> Kernel:
    """Return the kernel in use; warn once if the compiled kernel is missing."""
    global _has_warned  # noqa: PLW0603 - once a process
    if not _has_warned and _chosen.get() is None:
        _has_warned = True
        if problem := find_build_problem():
            warn_caller(problem)
    return _KERNELS[current_kernel()]


def make_pair_counter(
    plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> "native_kernel.PairCount | None":
    """Make ``native_kernel.make_pair_counter``; None if the kernel in use is not compiled."""
    if _find_kernel() is python_kernel:
        return None
    return native_kernel.make_pair_counter(plan, tokenizer, split_sentences)


def make_nearest_index(
    pool: Pool, plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> NearestIndex:
    """Make what finds the nearest texts of a pool, in the kernel that is in use now.

    The plan has one column, whose hits the tokens that two texts share bound: the LCS, unigrams, or
    the distinct words of the LCS of all pairs of sentences.
    """
    if _find_kernel() is python_kernel:
        return python_kernel.PythonIndex(pool, plan, tokenizer, split_sentences)
    return native_kernel.NativeIndex(pool, plan, tokenizer, split_sentences)


def count_bleu(samples: Batch, max_order: int, tokenizer: Tokenizer) -> BleuCounts:
    """Count clipped n-gram matches up to ``max_order``, and lengths, of every sample."""
    # A pair of a pool is a sample with one reference, whose matches are the hits of ROUGE-N.
    clipped = isinstance(samples, Samples)
    counts = count_columns(samples, plan_bleu(max_order, clipped=clipped), tokenizer, NEWLINE)
    # Fast path: equals the indices, which take a fifth of the time, with one reference each.
    has_several = clipped and len(counts) >= len(samples.offsets)
    firsts = counts[samples.offsets[:-1]] if has_several else counts
    return BleuCounts(firsts[:, :, 0], firsts[:, 0, 1], counts[:, 0, 2])


def count_columns(
    samples: Batch, plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> NDArray[np.int64]:
    """Count the columns of integers of a plan, as ``python_kernel.count`` returns them."""
    return _find_kernel().count(samples, plan, tokenizer, split_sentences)[0]


def count_rouge(
    samples: Batch,
    rouge_types: Sequence[str],
    tokenizer: Tokenizer,
    split_sentences: SentenceSplitter,
    *,
    lin2004: bool = False,
) -> RougeCounts:
    """Count hits and totals of every pair of a prediction with one of its references.

    ``lin2004`` counts as in Lin (2004) and not as ROUGE-1.5.5: the paper does not clip
    ``rougeLsum``, has one LCS of the whole texts in ``rougeW``, and also counts the unigram of the
    last token in ``rougeSU``.
    """
    plan, sums, weights = _plan_types(tuple(rouge_types), lin2004=lin2004)
    counted, weighted = _find_kernel().count(samples, plan, tokenizer, split_sentences)
    if plan.weights:
        check_lengths(weighted, samples)
    if sums is not None:
        counted = np.stack([_sum_columns(counted, columns) for columns in sums], axis=1)
    return RougeCounts(tuple(rouge_types), counted, weighted[:, weights])


# Fast path: equals planning anew, which takes 8 µs for four types (python -m timeit of its
# __wrapped__). Bound: a program uses few lists of types, and a plan is small.
@lru_cache(maxsize=16)
def _plan_types(
    rouge_types: tuple[str, ...], *, lin2004: bool
) -> tuple[CountPlan, list[tuple[int, ...]] | None, list[int]]:
    """Plan what is counted, and return the columns of the types of integers and of floats.

    The columns of integers are None if they are those of the types, one by one.
    """
    types = [parse_rouge_type(name) for name in rouge_types]
    plan, columns = plan_counts(types, lin2004=lin2004)
    places = list(zip(columns, types, strict=True))
    integers = [column for column, item in places if item.kind != "w"]
    is_plain = integers == [(column,) for column in range(plan.columns)]
    return (
        plan,
        None if is_plain else integers,
        [column[0] for column, item in places if item.kind == "w"],
    )


def _sum_columns(counts: NDArray[np.int64], columns: tuple[int, ...]) -> NDArray[np.int64]:
    total = counts[:, columns[0]]
    for column in columns[1:]:
        total = total + counts[:, column]
    return total


def check_lengths(weighted: NDArray[np.float64], samples: Batch) -> None:
    """Raise ValueError if the kernel has not counted a pair because a sentence is too long."""
    too_long = weighted[:, 0, 0] < 0
    if not too_long.any():
        return
    prediction, reference = samples.find_pair(int(too_long.argmax()))
    raise ValueError(
        f"A sentence has more than {MOST_TOKENS} tokens, the most that ROUGE-W counts: of the "
        f"prediction that begins with {prediction[:40]!r}, or of its reference that begins with "
        f"{reference[:40]!r}. Split it into lines, or leave 'rougeW' out."
    )
