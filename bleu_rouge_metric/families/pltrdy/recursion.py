"""Find samples that ``rouge`` 1.0.1 cannot score, since it raises RecursionError for them."""

from collections.abc import Sequence
from typing import Final

from ...counting.lcs import list_lcs_pairs
from ...messages import format_message
from ...samples.inputs import Samples
from ...text.sentences import Split
from ...text.warnings import warn_caller

# Parity: rouge 1.0.1 goes back through the LCS table by recursion, one call per step. Under
# Python's default limit of 1000 calls, a module can score this many steps.
MOST_STEPS: Final = 992


def warn_of_recursion(samples: Samples, split: Split) -> None:
    """Warn, once, of the samples that ``rouge`` 1.0.1 cannot score.

    Args:
        samples: texts.
        split: from a text to its sentences.
    """
    count = sum(
        is_too_deep(prediction, reference, split)
        for prediction, references in samples.by_sample()
        for reference in references
    )
    if count:
        warn_caller(
            format_message(
                "rouge 1.0.1 raises RecursionError for {:,} of {:,} samples, which have sentences "
                "of many words; they are scored here as all others.",
                *(count, len(samples.predictions)),
            )
        )


def is_too_deep(prediction: str, reference: str, split: Split) -> bool:
    """Return whether the LCS of any two sentences takes too many steps."""
    # Fast path: a word takes two characters with the space behind it, so that short texts have few
    # words; 4 µs for splitting two texts of 300 characters are saved.
    if len(prediction) + len(reference) < 2 * MOST_STEPS - 1:
        return False
    ours, theirs = ([part.split() for part in split(text)] for text in (prediction, reference))
    return any(
        len(first) + len(second) > MOST_STEPS and count_steps(second, first) > MOST_STEPS
        for first in ours
        for second in theirs
    )


def count_steps(reference: Sequence[str], prediction: Sequence[str]) -> int:
    """Count the steps back from the ends of two sentences until one of them is used up.

    Returns:
        The number of steps; if both have more words than ``MOST_STEPS``, a number above it.

    >>> count_steps("a b c".split(), "a b c".split()), count_steps(["x"], ["y", "z"])
    (3, 2)
    """
    # No step leaves out more than one word of each.
    if min(len(reference), len(prediction)) > MOST_STEPS:
        return MOST_STEPS + 1
    # The roles are exchanged, as for count_pair_words.
    pairs = list_lcs_pairs(prediction, reference)
    if not pairs:
        return len(prediction)
    first, ours = pairs[0]
    steps = len(reference) - first + len(prediction) - ours - len(pairs)
    # In front of the first pair nothing matches: the words of the prediction are left out.
    return steps + (ours if first else 0)
