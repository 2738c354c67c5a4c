"""Integer counts of BLEU and ROUGE: texts in, int64 arrays out.

This module is the seam below which nothing divides and above which nothing loops over tokens.
It counts, for each prediction, clipped n-gram matches for BLEU (Papineni et al. 2002, section
2.1.1) and, for each pair of a prediction with one of its references, n-gram overlap, longest
common subsequence (LCS) and union LCS for ROUGE (Lin 2004, sections 2 and 3).

Two kernels count the same integers: a compiled one, and one in Python for where that is not
installed. Only this module knows both. ``BLEU_ROUGE_KERNEL=python`` or ``native`` in the
environment chooses one; without it the compiled one is taken where it is there.

Not done here: precision, recall, F-measure, brevity penalty, choice among references.
"""

import os
import warnings
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from . import native_kernel, python_kernel
from .inputs import Samples
from .sentences import SentenceSplitter
from .tokenization import Tokenizer

# What count_rouge can count: n-gram overlap of order 1 to 9, LCS of the whole texts, and union
# LCS of the sentences. rouge_score has no "rouge10" either.
ROUGE_N: Final = tuple(f"rouge{order}" for order in range(1, 10))
ROUGE_L: Final = "rougeL"
ROUGE_LSUM: Final = "rougeLsum"

KernelName = Literal["python", "native"]
Integers = NDArray[np.int64] | NDArray[np.int32]


class BleuCounts(NamedTuple):
    """Sufficient statistics of BLEU, per sample.

    The n-grams of a prediction follow from its length: ``max(0, length - order + 1)``.

    Attributes:
        matches: shape (samples, max_order); clipped n-gram matches by order.
        prediction_lengths: shape (samples,); tokens.
        reference_lengths: shape (references,); tokens, references as in ``Samples``.
    """

    matches: Integers
    prediction_lengths: Integers
    reference_lengths: Integers


class Kernel(Protocol):
    """What both kernels have; arguments and results as ``python_kernel`` describes them."""

    def count_bleu(
        self, samples: Samples, max_order: int, tokenize: Tokenizer
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Matches, prediction lengths and reference lengths."""

    def count_rouge(
        self,
        samples: Samples,
        orders: Sequence[int],
        tokenize: Tokenizer,
        split_sentences: SentenceSplitter,
        *,
        wants_lcs: bool,
        wants_summary: bool,
    ) -> NDArray[np.int64]:
        """Hits and totals by pair and column."""


def choose_kernel(choice: str) -> KernelName:
    """The name of the kernel that counts.

    Args:
        choice: ``python``, ``native``, or empty for the compiled one where it can be used.

    Raises:
        ValueError: the choice is none of these.
        ImportError: ``native`` is asked for, and cannot be used.
    """
    if choice not in ("", "python", "native"):
        raise ValueError(f"BLEU_ROUGE_KERNEL is {choice!r}; expected 'python' or 'native'.")
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
        raise ImportError(
            "BLEU_ROUGE_KERNEL is 'native', but the compiled kernel is not installed "
            f"({native_kernel.import_error}). Install bleu-rouge-metric where there is a C++20 "
            "compiler, or leave BLEU_ROUGE_KERNEL empty to count in Python."
        ) from native_kernel.import_error
    return "python"


kernel_name: Final = choose_kernel(os.environ.get("BLEU_ROUGE_KERNEL", ""))
_kernel: Kernel = native_kernel if kernel_name == "native" else python_kernel


def count_bleu(samples: Samples, max_order: int, tokenize: Tokenizer) -> BleuCounts:
    """Clipped n-gram matches and lengths of every sample.

    Args:
        samples: predictions with one or more references each.
        max_order: the longest n-gram counted, at least 1.
        tokenize: from a text to its tokens.

    Returns:
        The counts, int64.
    """
    return BleuCounts(*_kernel.count_bleu(samples, max_order, tokenize))


def count_rouge(
    samples: Samples,
    rouge_types: Sequence[str],
    tokenize: Tokenizer,
    split_sentences: SentenceSplitter,
) -> NDArray[np.int64]:
    """Hits and totals of every pair of a prediction with one of its references.

    Args:
        samples: predictions with one or more references each.
        rouge_types: distinct; from ``ROUGE_N``, ``ROUGE_L``, ``ROUGE_LSUM``.
        tokenize: from a text to its tokens.
        split_sentences: from a text to its non-empty sentences; called for ``rougeLsum`` alone.

    Returns:
        int64, shape (pairs, rouge_types, 3): hits, total of the prediction, total of the
        reference. Totals are n-grams for ``rouge1`` to ``rouge9`` and tokens for the others.
    """
    # Counted in this order whatever was asked; the columns are put in the caller's at the end.
    counted = [name for name in (*ROUGE_N, ROUGE_L, ROUGE_LSUM) if name in rouge_types]
    counts = _kernel.count_rouge(
        samples,
        [ROUGE_N.index(name) + 1 for name in counted if name in ROUGE_N],
        tokenize,
        split_sentences,
        wants_lcs=ROUGE_L in counted,
        wants_summary=ROUGE_LSUM in counted,
    )
    if counted == list(rouge_types):
        return counts
    return counts[:, [counted.index(name) for name in rouge_types]]
