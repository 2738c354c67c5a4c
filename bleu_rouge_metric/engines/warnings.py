"""Warn about empty texts, lost texts and lost letters if samples are counted on many machines.

The machine that has the texts marks each sample that has such a text. The process that gathers the
counts sums the marks, and gives one warning about all samples.
"""

from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..families import REGISTRY
from ..options.options import Options
from ..options.plans import CountPlan
from ..samples.inputs import Samples
from ..scoring.lost_texts import list_totals
from ..scoring.sample_counts import SampleCounts
from ..text.empty_texts import warn_of_empty_predictions, warn_of_empty_references
from ..text.letter_warnings import LetterLosses, warn_of_letters
from ..text.warnings import find_suspects, warn_caller


# The bit that marks a sample, by the option whose tokenizer finds no token in a text.
def list_marks() -> dict[str, int]:
    """Return the bits: those of the first two tokenizers are those of version 0.1.0."""
    options = dict.fromkeys(family.tokenizer for family in REGISTRY.values())
    return {option: _spread(place) for place, option in enumerate(options)}


def list_letter_marks() -> dict[str, int]:
    """Return"""
    return {option: 4 * mark for option, mark in list_marks().items()}


def _spread(place: int) -> int:
    # 1 and 2, then 64 and 128, 1024...: each with its double double for letters; 16 and 32 are taken.
    return 1 << (place if place < 2 else 6 + (place - 2) // 2 * 4 + place % 2)


# The bit that marks the samples of a batch in which the tokenizer drops letters of many words.
# The bits that mark a sample whose prediction is empty, and one with an empty reference.
EMPTY_PREDICTION: Final = 16
EMPTY_REFERENCE: Final = 32


def mark_lost_texts(samples: Samples, counts: SampleCounts, plan: CountPlan) -> NDArray[np.int64]:
    """Mark the samples with an empty text, with a text without tokens, or with lost letters.

    Args:
        samples: the counted samples.
        counts: counts of the samples.
        plan: the plan that the samples were counted with.

    Returns:
        int64, shape (samples,): sums of the marks of this module.
    """
    marks = np.zeros(len(counts.reference_counts), dtype=np.int64)
    if samples.are_ids:
        return marks
    letters: LetterLosses | None = None
    for totals in list_totals(samples, counts, plan):
        if totals.keep_ascii:
            if letters is None:
                letters = LetterLosses()
                letters.add(samples)
            if letters.has_many:
                marks |= list_letter_marks()[totals.option]
        if totals.lose_texts:
            predictions = find_suspects(samples.predictions, totals.prediction_totals)
            references = find_suspects(samples.references, totals.reference_totals)
            owners = samples.offsets.searchsorted(list(references), side="right") - 1
            suspects = [
                *zip(predictions, predictions.values(), repeat(EMPTY_PREDICTION)),
                *zip(owners.tolist(), references.values(), repeat(EMPTY_REFERENCE)),
            ]
            for sample, text, empty in suspects:
                if not text.strip():
                    marks[sample] |= empty
                elif not totals.tokenize(text):
                    marks[sample] |= list_marks()[totals.option]
    return marks


class LostTextCounts:
    """Number of marked samples, by option."""

    def __init__(self) -> None:
        self._samples = 0
        self._lost = dict.fromkeys(list_marks(), 0)
        self._letters = dict.fromkeys(list_marks(), False)
        self._empty_predictions = self._empty_references = 0

    def add(self, marks: NDArray[np.int64]) -> None:
        """Add the marks of more samples."""
        self._samples += len(marks)
        for option, mark in list_marks().items():
            self._lost[option] += int(np.count_nonzero(marks & mark))
            self._letters[option] |= bool(np.any(marks & list_letter_marks()[option]))
        self._empty_predictions += int(np.count_nonzero(marks & EMPTY_PREDICTION))
        self._empty_references += int(np.count_nonzero(marks & EMPTY_REFERENCE))

    def warn(self, options: Options) -> None:
        """Warn once of empty texts, and for each tokenizer that drops letters or whole texts.

        The warning names both tokenizers that may help. The warning of ``text/warnings.py`` names
        the better one, but this needs the texts, which are not available here.
        """
        if self._empty_predictions:
            warn_of_empty_predictions(self._empty_predictions, self._samples)
        if self._empty_references:
            warn_of_empty_references(self._empty_references, self._samples)
        for option, lost in self._lost.items():
            choice = getattr(options, option)
            if self._letters[option]:
                warn_of_letters(option, choice)
            elif lost:
                is_name = isinstance(choice, str)
                name = f"{choice!r} tokenizer" if is_name else f"callable given as {option}"
                warn_caller(
                    f"The {name} leaves nothing of the prediction or of a reference in {lost:,} of "
                    f"{self._samples:,} samples ({100 * lost / self._samples:.3g}%), so that "
                    f"nothing there can match; use {option}='unicode', which finds the words of "
                    "every language, or 'char' to count characters that are not letters or digits."
                )
