"""Warn about empty texts, lost texts and lost letters if samples are counted on many machines.

The machine that has the texts marks each sample that has such a text. The process that gathers the
counts adds the marks up, and gives one warning about all samples.
"""

from collections import Counter
from itertools import chain, repeat
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..families.registry import list_tokenizers
from ..messages import Argument, format_message
from ..options.options import Options
from ..options.plans import CountPlan
from ..samples.inputs import Samples
from ..scoring.text_warnings import list_totals
from ..text.empty_texts import warn_of_empty_predictions, warn_of_empty_references
from ..text.letter_warnings import LetterLosses, warn_of_letters
from ..text.warnings import find_suspects, warn_of_vanished

# The bits that mark a sample whose prediction is empty, and one with an empty reference.
EMPTY_PREDICTION: Final = 16
EMPTY_REFERENCE: Final = 32


class Marks(NamedTuple):
    """The marks of one tokenizer.

    Attributes:
        lost: of a sample in a text of which it finds no token.
        letters: of the samples of a batch in which it drops letters of many words.
    """

    lost: int
    letters: int


def list_marks() -> dict[str, Marks]:
    """Return the marks by the option that chooses the tokenizer.

    >>> list_marks()
    {'bleu_tokenizer': Marks(lost=1, letters=4), 'rouge_tokenizer': Marks(lost=2, letters=8)}
    """
    # The first two have the bits of version 0.1.0; each further one has two behind those of empty
    # texts.
    return {
        option: Marks(1 << place, 4 << place)
        if place < 2
        else Marks(1 << 2 * place + 2, 1 << 2 * place + 3)
        for place, option in enumerate(list_tokenizers())
    }


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
    all_marks = list_marks()
    letters: LetterLosses | None = None
    for totals in list_totals(counts, plan):
        mark = all_marks[totals.option]
        if totals.tokenize.keeps_ascii:
            if letters is None:
                letters = LetterLosses()
                letters.add(samples)
            if letters.has_many:
                marks |= mark.letters
        if totals.has_texts_without_tokens:
            predictions = find_suspects(samples.predictions, totals.prediction_totals)
            references = find_suspects(samples.references, totals.reference_totals)
            owners = samples.offsets.searchsorted(list(references), side="right") - 1
            for sample, text, empty in chain(
                zip(predictions, predictions.values(), repeat(EMPTY_PREDICTION)),
                zip(owners.tolist(), references.values(), repeat(EMPTY_REFERENCE)),
            ):
                if not text.strip():
                    marks[sample] |= empty
                elif not totals.tokenize(text):
                    marks[sample] |= mark.lost
    return marks


class MarkCounts:
    """How many samples have each mark."""

    def __init__(self) -> None:
        self._samples = 0
        self._marked: Counter[int] = Counter()

    def add(self, marks: NDArray[np.int64]) -> None:
        """Add the marks of more samples."""
        self._samples += len(marks)
        for mark in (EMPTY_PREDICTION, EMPTY_REFERENCE, *chain(*list_marks().values())):
            self._marked[mark] += int(np.count_nonzero(marks & mark))

    def warn(self, options: Options) -> None:
        """Warn once of empty texts, and for each tokenizer that drops letters or whole texts.

        The warning names both tokenizers that may help. The warning of ``text/warnings.py`` names
        the better one, but this needs the texts, which are not available here.
        """
        if self._marked[EMPTY_PREDICTION]:
            warn_of_empty_predictions(self._marked[EMPTY_PREDICTION], self._samples)
        if self._marked[EMPTY_REFERENCE]:
            warn_of_empty_references(self._marked[EMPTY_REFERENCE], self._samples)
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
