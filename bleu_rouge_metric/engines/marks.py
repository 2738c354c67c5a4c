"""Warn about empty texts, lost texts and lost letters if samples are counted on many machines.

The machine that has the texts marks each sample that has such a text. The process that gathers the
counts adds the marks up, and gives one warning about all samples.
"""

from collections import Counter
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..families.registry import list_tokenizers
from ..messages import Argument, format_message
from ..options.options import Options
from ..options.plans import Plan
from ..samples.inputs import Samples
from ..scoring.text_warnings import list_totals
from ..text.mistakes import (
    MISSING_VALUES,
    MOST_TOKENS,
    warn_of_empty_predictions,
    warn_of_empty_references,
)
from ..text.scripts import LetterLosses, warn_of_letters
from ..text.warnings import find_suspects, warn_of_vanished

# The bits that mark a sample whose prediction, or a reference, is empty or a missing value; those
# of tokenizers are lower.
_VALUES: Final = tuple(enumerate(sorted(MISSING_VALUES)))
_PREDICTIONS: Final = {"": 1 << 4, **{value: 1 << 40 + place for place, value in _VALUES}}
_REFERENCES: Final = {"": 1 << 5, **{value: 1 << 50 + place for place, value in _VALUES}}


class Marks(NamedTuple):
    """The bits of one tokenizer."""

    lost: int  # of a sample in a text of which it finds no token
    letters: int  # of the samples of a batch in which it drops letters of many words


def list_marks() -> dict[str, Marks]:
    """Return the marks by the option that chooses the tokenizer.

    >>> list_marks()
    {'bleu_tokenizer': Marks(lost=1, letters=4), 'rouge_tokenizer': Marks(lost=2, letters=8)}
    """
    # Each tokenizer behind the first two has two bits behind those of empty texts.
    return {
        option: Marks(1 << place, 4 << place)
        if place < 2
        else Marks(4 << 2 * place, 8 << 2 * place)
        for place, option in enumerate(list_tokenizers())
    }


def mark_texts(samples: Samples, counts: SampleCounts, plan: Plan) -> NDArray[np.int64]:
    """Return the marks of the samples: int64, shape (samples,), sums of bits."""
    marks = np.zeros(len(counts.reference_counts), dtype=np.int64)
    if samples.are_ids:
        return marks
    letters: LetterLosses | None = None
    for place, totals in enumerate(list_totals(counts, plan)):
        mark = list_marks()[totals.option]
        if totals.tokenize.keeps_ascii:
            if letters is None:
                letters = LetterLosses()
                letters.add(samples)
            if letters.has_many:
                marks |= mark.letters
        # Only the first looks for missing values, which have few tokens.
        most = 0 if place else MOST_TOKENS
        predictions = find_suspects(samples.predictions, totals.prediction_totals, most)
        references = find_suspects(samples.references, totals.reference_totals, most)
        owners = samples.offsets.searchsorted(list(references), side="right") - 1
        for rows, suspects, numbers, bits in (
            (list(predictions), predictions, totals.prediction_totals, _PREDICTIONS),
            (owners.tolist(), references, totals.reference_totals, _REFERENCES),
        ):
            for row, (index, text) in zip(rows, suspects.items(), strict=True):
                if text in MISSING_VALUES or not text.strip():
                    marks[row] |= bits[text.strip()]
                elif not (numbers[index] or totals.tokenize(text)):
                    marks[row] |= mark.lost
    return marks


class MarkCounts:
    """How many samples have each mark."""

    def __init__(self) -> None:
        self._samples = 0
        self._marked: Counter[int] = Counter()

    def add(self, marks: NDArray[np.int64]) -> None:
        """Add the marks of more samples."""
        self._samples += len(marks)
        kinds = (_PREDICTIONS.values(), _REFERENCES.values())
        for mark in (*chain(*list_marks().values()), *chain(*kinds), *map(sum, kinds)):
            self._marked[mark] += int(np.count_nonzero(marks & mark))

    def warn(self, options: Options) -> None:
        """Warn once of empty texts, and for each tokenizer that drops letters or whole texts.

        The warning names both tokenizers that may help. The warning of ``text/warnings.py`` names
        the better one, but this needs the texts, which are not available here.
        """
        for bits, warn in (
            (_PREDICTIONS, warn_of_empty_predictions),
            (_REFERENCES, warn_of_empty_references),
        ):
            if found := self._marked[sum(bits.values())]:
                kinds = [kind for kind, bit in bits.items() if self._marked[bit]]
                warn(found, self._samples, kinds=kinds)
        values = options.values()
        for option, mark in list_marks().items():
            if self._marked[mark.letters]:
                warn_of_letters(option, values[option])
            elif lost := self._marked[mark.lost]:
                remedy = format_message(
                    "use {}, which finds the words of every language, or 'char' to count "
                    "characters that are not letters or digits.",
                    Argument(option, "=", "unicode"),
                )
                warn_of_vanished(option, values[option], lost, self._samples, remedy)
