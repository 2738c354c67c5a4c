"""Warn about texts without tokens if the samples are counted on many machines.

The machine that has the texts marks each sample that has such a text. The process that gathers the
counts sums the marks, and gives one warning about all samples.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..options.options import Options
from ..options.plans import CountPlan
from ..samples.inputs import Samples
from ..scoring.lost_texts import find_lost_texts
from ..scoring.sample_counts import SampleCounts
from ..text.warnings import find_vanished, warn_caller

# The bit that marks a sample, by the option whose tokenizer finds no token in a text.
MARKS: Final = {"bleu_tokenizer": 1, "rouge_tokenizer": 2}


def mark_lost_texts(samples: Samples, counts: SampleCounts, plan: CountPlan) -> NDArray[np.int64]:
    """Mark the samples that have a text that is not blank, but in which a tokenizer finds no token.

    Args:
        samples: the counted samples.
        counts: counts of the samples.
        plan: the plan that the samples were counted with.

    Returns:
        int64, shape (samples,): sums of ``MARKS``.
    """
    marks = np.zeros(len(counts.reference_counts), dtype=np.int64)
    if samples.are_ids:
        return marks
    for lost in find_lost_texts(samples, counts, plan):
        predictions = find_vanished(samples.predictions, lost.prediction_totals, lost.tokenize)
        references = find_vanished(samples.references, lost.reference_totals, lost.tokenize)
        owners = samples.offsets.searchsorted(list(references), side="right") - 1
        marks[[*predictions, *owners.tolist()]] |= MARKS[lost.option]
    return marks


class LostTextCounts:
    """Number of marked samples, by option."""

    def __init__(self) -> None:
        self._samples = 0
        self._lost = dict.fromkeys(MARKS, 0)

    def add(self, marks: NDArray[np.int64]) -> None:
        """Add the marks of more samples."""
        self._samples += len(marks)
        for option, mark in MARKS.items():
            self._lost[option] += int(np.count_nonzero(marks & mark))

    def warn(self, options: Options) -> None:
        """Warn once for each tokenizer that finds no token in some texts.

        The warning names both tokenizers that may help. The warning of ``text/warnings.py`` names
        the better one, but this needs the texts, which are not available here.
        """
        for option, lost in self._lost.items():
            if lost:
                choice = getattr(options, option)
                is_name = isinstance(choice, str)
                name = f"{choice!r} tokenizer" if is_name else f"callable given as {option}"
                warn_caller(
                    f"The {name} leaves nothing of the prediction or of a reference in {lost:,} of "
                    f"{self._samples:,} samples ({100 * lost / self._samples:.3g}%), so that "
                    f"nothing there can match; use {option}='unicode', which finds the words of "
                    "every language, or 'char' to count characters that are not letters or digits."
                )
